// Random loops of queries that change values, and reads of one entity.
#pragma once
#include "entity_operations.hpp"

namespace test::rules_model {

class Queries : public EntityOperations {
public:
    using EntityOperations::EntityOperations;

    void change_in_query() {
        int k = random.below(4);
        int d = random.below(2);
        log("change %d by %d", k, d);
        if (removing) return;
        auto upd = [&](Entity e, int c) {
            if (d) {
                entity(e).values[c] += d;
                signal(e, c);
            }
        };
        for (auto& s : all_systems) s->dirty_reorder = true;
        std::set<u32> seen;
        auto each = [&](Entity e, unsigned required, unsigned excluded) {
            for (int c = 0; c < CLASSES; ++c) {
                if ((required >> c & 1) && !entity(e).has[c]) fail("query row lacks");
                if ((excluded >> c & 1) && entity(e).has[c]) fail("query row excl");
            }
            if (!seen.insert(bits(e)).second) fail("twice");
        };
        auto total = [&](unsigned required, unsigned excluded) {
            std::size_t n = 0;
            for (Entity e : alive) {
                bool ok = true;
                for (int c = 0; c < CLASSES; ++c)
                    ok =
                        ok && !((required >> c & 1) && !entity(e).has[c]) && !((excluded >> c & 1) && entity(e).has[c]);
                n += ok;
            }
            if (n != seen.size()) fail("query: number of rows");
        };
        perform("change", [&] {
            if (k == 0) {
                ecs->query<Plain, const Linear>(exclude<Tag>).change([&](Entity e, Plain& a, const Linear& l) {
                    each(e, 9, 2);
                    if (l.x != entity(e).values[3]) fail("row value");
                    upd(e, 0);
                    a = Values<Plain>::make(a.x + d);
                });
                total(9, 2);
            }
            if (k == 1) {
                ecs->query<Text>().change([&](Entity e, Text& c) {
                    each(e, 4, 0);
                    upd(e, 2);
                    c = Values<Text>::make(Values<Text>::get(c) + d);
                });
                total(4, 0);
            }
            if (k == 2) {
                ecs->query<Linear>(optional<LinearList>).change([&](Entity e, Linear& l, LinearList* lc) {
                    each(e, 8, 0);
                    if (lc) {
                        upd(e, 4);
                        *lc = Values<LinearList>::make(Values<LinearList>::get(*lc) + d);
                        if ((lc != nullptr) != entity(e).has[4]) fail("optional");
                    } else upd(e, 3), l.x += d;
                });
                total(8, 0);
            }
            if (k == 3) {
                ecs->each<Plain>([&](Entity e, Plain& a) {
                    each(e, 1, 0);
                    a = Values<Plain>::make(a.x + d);
                    entity(e).values[0] += d;
                });
                total(1, 0);
            }
        });
    }
    void read_entity() {
        Entity e = random.chance(80) ? random_entity() : invalid_handle();
        bool al = lives(e);
        if (removing) return;
        auto is = [&](unsigned required, unsigned excluded, unsigned any) {
            if (!al) return false;
            const unsigned m = mask(e);
            return (m & required) == required && !(m & excluded) && (!any || (m & any));
        };
        if (ecs->query<Plain, Text>().has(e) != is(5, 0, 0)) fail("query.has");
        if (ecs->query<const Linear>(exclude<Plain>, any<Text, LinearTag>).at(e).has_value() != is(8, 1, 68))
            fail("query.at");
        if (ecs->query<const Parent>().has(e) != is(128, 0, 0)) fail("query Parent");
        if (ecs->query<Tag>(optional<Unique>).has(e) != is(2, 0, 0)) fail("query B");
        if (al) {
            for (int c = 0; c < OWN_CLASSES; ++c)
                with_class(c, [&]<class X>() {
                    const X* p = ecs->try_get<X>(e);
                    if ((p != nullptr) != entity(e).has[c]) fail("try_get");
                    if (!p) expect_error(ErrorCode::missing_component, "get", [&] { (void)ecs->get<X>(e); });
                    if (ecs->storage<X>().has(e) != entity(e).has[c]) fail("storage.has");
                    return 0;
                });
        } else {
            expect_error(ErrorCode::stale_entity, "get", [&] { (void)ecs->get<Plain>(e); });
            expect_error(ErrorCode::stale_entity, "try_get", [&] { (void)ecs->try_get<Plain>(e); });
            expect_error(ErrorCode::stale_entity, "has", [&] { (void)ecs->has<Plain>(e); });
            expect_error(ErrorCode::stale_entity, "parent", [&] { (void)ecs->parent(e); });
            expect_error(ErrorCode::stale_entity, "children", [&] { (void)ecs->children(e); });
            if (ecs->alive(e)) fail("alive");
            for (int c = 0; c < OWN_CLASSES; ++c)
                with_class(c, [&]<class X>() {
                    if (ecs->storage<X>().has(e)) fail("storage.has(stale)");
                    if (ecs->storage<X>().find(e)) fail("find(stale)");
                    return 0;
                });
        }
    }
};

}  // namespace test::rules_model
