// Random operations that create and remove entities, or change the hierarchy.
#pragma once
#include "bulk_operations.hpp"

namespace test::rules_model {

class EntityOperations : public BulkOperations {
public:
    using BulkOperations::BulkOperations;

    /// Adds the next `n` entities to the model: their handles are known before they are created (E2), and
    /// callbacks use them.
    std::vector<Entity> expect_new(int n) {
        std::vector<Entity> es;
        std::size_t k = freed.size();
        u32 fr = next_fresh_index;
        for (int i = 0; i < n; ++i) {
            if (k > 0) es.push_back(freed[--k]);
            else es.push_back(make_entity(fr++, 0));
        }
        for (Entity q : es) {
            expect_handle(q);
            model_new(q);
        }
        return es;
    }
    void spawn(int kind) {
        if (alive.size() > 26) return;
        int x = random.below(5), y = random.below(5);
        log("spawn kind %d", kind);
        if (clearing && !in_on_clear) return;
        if (nested && lenient && nested_operations && !freed.empty() && freed_in_any_order) return;
        int n = kind >= 6 ? random.below(4) : 1;
        if (!freed.empty() && freed.size() - freed_in_any_order < static_cast<std::size_t>(n) && freed_in_any_order) {
            for (int i = 0; i < n; ++i) add_entity();
            return;
        }
        if (removing) return;
        const std::vector<Entity> es = expect_new(n);
        auto give = [&](std::vector<std::pair<int, int>> cs) {
            for (Entity q : es) {
                for (auto [c, v] : cs) model_put(q, c, v);
            }
            for (Entity q : es) retrack(q);
            for (auto& s : all_systems)
                if (s->settings.ancestors || n > 1) s->dirty_reorder = true;
        };
        if (nested && n > 1)
            for (auto& q : all_systems) {
                q->reorder = q->dirty_reorder = true;
                for (Entity s : es) q->retracked.insert(bits(s));
            }
        std::vector<Entity> out(es.size(), NONE);
        Call f{"spawn", {}};
        auto one = [&](auto&& g) { run_call(f, [&] { out[0] = g(); }); };
        switch (kind) {
            case 0:
                give({{PLAIN, x}});
                one([&] { return ecs->add_entity(Values<Plain>::make(x)); });
                break;
            case 1:
                give({{PLAIN, x}, {TAG, 0}, {TEXT, y}});
                one([&] { return ecs->add_entity(Values<Plain>::make(x), Tag{}, Values<Text>::make(y)); });
                break;
            case 2:
                give({{LINEAR, x}, {LINEAR_LIST, y}, {LINEAR_TAG, 0}});
                one([&] { return ecs->add_entity(Values<Linear>::make(x), Values<LinearList>::make(y), LinearTag{}); });
                break;
            case 3:
                give({{TEXT, x}, {UNIQUE, y}, {PLAIN, 1}});
                one([&] {
                    return ecs->add_entity(Values<Text>::make(x), Values<Unique>::make(y), Values<Plain>::make(1));
                });
                break;
            case 4:
                give({{PLAIN, 5}, {TEXT, x}});
                one([&] { return plain_and_text.spawn(Values<Text>::make(x)); });
                break;
            case 5:
                give({{LINEAR, 7}, {TAG, 0}, {LINEAR_LIST, y}});
                one([&] { return linear_and_tag.spawn(Values<LinearList>::make(y), Tag{}); });
                break;
            case 6: {
                give({{PLAIN, 5}, {TEXT, 6}});
                run_call(f, [&] { out = plain_and_text.spawn(static_cast<std::size_t>(n)); });
                break;
            }
            case 7: {
                std::vector<Linear> ls;
                give({{LINEAR, 7}, {TAG, 0}, {LINEAR_LIST, 8}});
                for (Entity q : es) {
                    int v = random.below(9);
                    entity(q).values[LINEAR] = v;
                    ls.push_back({v});
                }
                run_call(f, [&] { linear_and_tag.spawn(std::span<Entity>(out), std::span<const Linear>(ls)); });
                break;
            }
            case 8:
                give({{PLAIN, 9}});
                run_call(f, [&] { only_plain.spawn(std::span<Entity>(out)); });
                break;
            default: run_call(f, [&] { ecs->add_entities(std::span<Entity>(out)); }); break;
        }
        if (!f.first_thrown && out != es) fail("E2: spawned " + text(out) + " expected " + text(es));
        compare(false);
    }
    void add_entity() {
        if (alive.size() > 26) return;
        log("add_entity");
        forget_removed();
        const Entity e = ecs->add_entity();
        expect_handle(e);
        model_new(e);
        if (removing && clearing && !in_on_clear) entity(e).dying = true;
        forget_removed();
        compare(false);
    }
    void remove_entity(Entity e) {
        log("remove_entity %u", index_of(e));
        if (!lives(e)) return expect_error(ErrorCode::stale_entity, "remove_entity", [&] { ecs->remove_entity(e); });
        if (e == Entity{0}) return expect_any_error("remove world", [&] { ecs->remove_entity(e); });
        if (!(clearing && !in_on_clear)) model_mark(e);
        perform("remove_entity", [&] { ecs->remove_entity(e); });
    }
    void remove_entities() {
        auto v = random_entities();
        bool w = false;
        for (Entity e : v) w |= e == Entity{0};
        if (clearing) return;
        auto call = [&] { ecs->remove_entities(v); };
        if (w) return expect_any_error("remove_entities world", call);
        if (random.chance(5)) {
            Entity b = invalid_handle();
            if (lives(b)) return;
            v.push_back(b);
            return expect_error(ErrorCode::stale_entity, "remove_entities", call);
        }
        log("remove_entities %s", text(v).c_str());
        for (Entity e : v) model_mark(e);
        perform("remove_entities", call);
    }
    bool above(Entity a, Entity e) {
        for (; e != NONE; e = entity(e).parent)
            if (e == a) return true;
        return false;
    }
    /// A child whose position changes counts as removed and added again (H1).
    void forget_position(Entity child) {
        for (Iteration* o : iterations)
            if (o->children_of != NONE) {
                o->throughout.erase(bits(child));
                o->visited.erase(bits(child));
            }
    }
    void set_parent(Entity c, Entity p, Entity before) {
        if (removing) {
            if (!usable(c) || (p != NONE && !usable(p)) || (before != NONE && !usable(before))) return;
            if (entity(c).parent != NONE && !lives(entity(c).parent)) return;
        }
        log("set_parent %u.%u to %d before %d", index_of(c), generation_of(c),
            p == NONE ? -1 : static_cast<int>(index_of(p)), before == NONE ? -1 : static_cast<int>(index_of(before)));
        auto call = [&] { ecs->set_parent(c, p, before); };
        if (!lives(c) || (p != NONE && !lives(p))) return expect_error(ErrorCode::stale_entity, "set_parent", call);
        if (before != NONE && !lives(before)) return expect_any_error("set_parent before stale", call);
        if ((c == Entity{0} && p != NONE) || (p != NONE && above(c, p)) ||
            (before != NONE && (p == NONE || entity(before).parent != p || before == c)))
            return expect_error(ErrorCode::bad_argument, "set_parent", call);
        forget_position(c);
        model_set_parent(c, p, before);
        perform("set_parent", call);
        forget_position(c);
    }
};

}  // namespace test::rules_model
