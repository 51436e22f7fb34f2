// Random loops of queries that change values, and reads of one entity.
#pragma once
#include "entity_operations.hpp"

namespace test::rules_model {

class Queries : public EntityOperations {
public:
    using EntityOperations::EntityOperations;

    void change_in_query() {
        int k = random.below(5);
        int d = random.below(2);
        log("change %d by %d", k, d);
        if (removing) return;
        auto update_model = [&](Entity e, int c) {
            if (d) {
                entity(e).values[c] += d;
                signal(e, c);
            }
        };
        for (auto& s : all_systems) s->dirty_reorder = true;
        std::set<u32> seen;
        auto each = [&](Entity e, unsigned required, unsigned excluded) {
            for (int c = 0; c < CLASSES; ++c) {
                if ((required >> c & 1) && !entity(e).has[c]) fail("Q1: a row lacks a required component");
                if ((excluded >> c & 1) && entity(e).has[c]) fail("Q1: a row has an excluded component");
            }
            if (!seen.insert(bits(e)).second) fail("Q1: a row occurs twice");
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
            if (n != seen.size()) fail("Q1: the number of rows");
        };
        perform("change", [&] {
            if (k == 0) {
                ecs->query<Plain, const Linear>(exclude<Tag>).change([&](Entity e, Plain& a, const Linear& l) {
                    each(e, classes(PLAIN, LINEAR), classes(TAG));
                    if (l.x != entity(e).values[LINEAR]) fail("Q9: the value in a row");
                    update_model(e, PLAIN);
                    a = Values<Plain>::make(a.x + d);
                });
                total(classes(PLAIN, LINEAR), classes(TAG));
            }
            if (k == 1) {
                ecs->query<Text>().change([&](Entity e, Text& c) {
                    each(e, classes(TEXT), NO_CLASS);
                    update_model(e, TEXT);
                    c = Values<Text>::make(Values<Text>::get(c) + d);
                });
                total(classes(TEXT), NO_CLASS);
            }
            if (k == 2) {
                ecs->query<Linear>(optional<LinearList>).change([&](Entity e, Linear& l, LinearList* lc) {
                    each(e, classes(LINEAR), NO_CLASS);
                    if (lc) {
                        update_model(e, LINEAR_LIST);
                        *lc = Values<LinearList>::make(Values<LinearList>::get(*lc) + d);
                        if ((lc != nullptr) != entity(e).has[LINEAR_LIST]) fail("Q9: an optional component");
                    } else {
                        update_model(e, LINEAR);
                        l.x += d;
                    }
                });
                total(classes(LINEAR), NO_CLASS);
            }
            if (k == 4) {
                ecs->query<Named>().change([&](Entity e, Named& named) {
                    each(e, classes(NAMED), NO_CLASS);
                    update_model(e, NAMED);
                    named.text = {};
                    named = Values<Named>::make(named.x + d);
                });
                total(classes(NAMED), NO_CLASS);
            }
            if (k == 3) {
                ecs->each<Plain>([&](Entity e, Plain& a) {
                    each(e, classes(PLAIN), NO_CLASS);
                    a = Values<Plain>::make(a.x + d);
                    entity(e).values[PLAIN] += d;
                });
                total(classes(PLAIN), NO_CLASS);
            }
        });
    }
    /// Adds a string that nothing uses, so that others that nothing uses are freed, and their numbers are used again (C13).
    void use_strings() {
        making = ecs.get();
        static_cast<void>(ecs->string("operation " + std::to_string(replay.operation)));
    }
    /// An entity refers to another one (C15).
    void aim() {
        const Entity e = random_usable(), target = random_usable();
        if (removing || nested_operations) return;
        log("aim %u at %u", index_of(e), index_of(target));
        aims[e] = target;
        ++replay.counts["links"];
        perform("aim", [&] { ecs->set<Aiming>(e, {target}); });
    }
    void read_entity() {
        Entity e = random.chance(80) ? random_entity() : invalid_handle();
        bool living = lives(e);
        if (removing) return;
        auto is = [&](unsigned required, unsigned excluded, unsigned any) {
            if (!living) return false;
            const unsigned m = mask(e);
            return (m & required) == required && !(m & excluded) && (!any || (m & any));
        };
        if (ecs->query<Plain, Text>().has(e) != is(classes(PLAIN, TEXT), NO_CLASS, NO_CLASS)) fail("query.has");
        if (ecs->query<const Linear>(exclude<Plain>, any<Text, LinearTag>).at(e).has_value() !=
            is(classes(LINEAR), classes(PLAIN), classes(TEXT, LINEAR_TAG)))
            fail("query.at");
        if (ecs->query<const Parent>().has(e) != is(classes(PARENT), NO_CLASS, NO_CLASS)) fail("query Parent");
        if (ecs->query<Tag>(optional<Unique>).has(e) != is(classes(TAG), NO_CLASS, NO_CLASS)) fail("query of tags");
        if (living) {
            for (int c = 0; c < OWN_CLASSES; ++c)
                with_class(c, [&]<class X>() {
                    const X* p = ecs->try_get<X>(e);
                    if ((p != nullptr) != entity(e).has[c]) fail("try_get");
                    if (!p) expect_error(ErrorCode::missing_component, "get", [&] { (void)ecs->get<X>(e); });
                    if (ecs->storage<X>().has(e) != entity(e).has[c]) fail("storage.has");
                });
        } else {
            expect_error(ErrorCode::stale_entity, "get", [&] { (void)ecs->get<Plain>(e); });
            // E5: other look-ups find nothing
            if (ecs->try_get<Plain>(e) != nullptr || ecs->has<Plain>(e)) fail("a stale handle has a component");
            if (ecs->parent(e) != NONE) fail("a stale handle has a parent");
            if (ecs->children(e).begin() != ecs->children(e).end()) fail("a stale handle has children");
            if (ecs->alive(e)) fail("alive");
            for (int c = 0; c < OWN_CLASSES; ++c)
                with_class(c, [&]<class X>() {
                    if (ecs->storage<X>().has(e)) fail("storage.has(stale)");
                    if (ecs->storage<X>().find(e)) fail("find(stale)");
                });
        }
    }
};

}  // namespace test::rules_model
