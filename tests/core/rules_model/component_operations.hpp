// Random operations with components of one entity.
#pragma once
#include "calls.hpp"

namespace test::rules_model {

class ComponentOperations : public Calls {
public:
    using Calls::Calls;

    void add_component(Entity e, int c, int how) {
        if (!lives(e)) {
            expect_error(ErrorCode::stale_entity, "add",
                         [&] { with_class(c, [&]<class X>() { ecs->add<X>(e, Values<X>::make(1)); }); });
            return;
        }
        int v = random.below(4);
        log("add %u.%u class %d value %d how %d", index_of(e), generation_of(e), c, v, how);
        if (how == 2 && entity(e).has[c] && c != UNIQUE) {
            if (entity(e).values[c] != (is_tag(c) ? 0 : v)) {  // otherwise it is no signal (C10)
                entity(e).values[c] = v;
                signal(e, c);
            }
        } else {
            if (how == 2 && c == UNIQUE) how = 0;
            model_add(e, c, v);
        }
        perform("add", [&] {
            with_class(c, [&]<class X>() {
                if constexpr (!std::is_same_v<X, Unique>) {
                    if (how == 2) return static_cast<void>(ecs->set<X>(e, Values<X>::make(v)));
                }
                if (how == 1) ecs->emplace<X>(e, Values<X>::make(v));
                else ecs->add<X>(e, Values<X>::make(v));
            });
        });
    }
    void remove_component(Entity e, int c) {
        if (!lives(e)) {
            expect_error(ErrorCode::stale_entity, "remove",
                         [&] { with_class(c, [&]<class X>() { ecs->remove<X>(e); }); });
            return;
        }
        log("remove %u.%u class %d", index_of(e), generation_of(e), c);
        bool had = model_remove(e, c), got = false;
        Call f{"remove", {}};
        run_call(f, [&] { with_class(c, [&]<class X>() { got = ecs->remove<X>(e); }); });
        if (!f.first_thrown && got != had) fail("remove returned " + std::to_string(got));
        compare(false);
    }
    /// Adds or removes several components (E14, C2). While they are removed one after the other, callbacks can add them again, which
    /// the model does not know.
    void exchange_components(Entity e) {
        const int x = random.below(4), y = random.below(4), kind = random.below(nested ? 3 : 5);
        log("several %u.%u kind %d", index_of(e), generation_of(e), kind);
        bool had = false, got = false;
        const auto add = [&]<class... Ts>(Ts... values) { ecs->add(e, std::move(values)...); };
        const auto call = [&] {
            switch (kind) {
                case 0: return add(Values<Plain>::make(x), Tag{});
                case 1: return add(Values<Linear>::make(x), Values<Text>::make(y), LinearTag{});
                case 2: return add(Values<Unique>::make(y), Values<Plain>::make(x));
                case 3: return static_cast<void>(got = ecs->remove<Text, Plain>(e));
                default: return static_cast<void>(got = ecs->remove<Linear, Unique, Tag>(e));
            }
        };
        if (!lives(e)) return expect_error(ErrorCode::stale_entity, kind < 3 ? "add" : "remove", call);
        const auto remove = [&](std::initializer_list<int> classes) {
            for (const int c : classes) had = model_remove(e, c) || had;
        };
        switch (kind) {
            case 0: model_add(e, {{PLAIN, x}, {TAG, 0}}); break;
            case 1: model_add(e, {{LINEAR, x}, {TEXT, y}, {LINEAR_TAG, 0}}); break;
            case 2: model_add(e, {{UNIQUE, y}, {PLAIN, x}}); break;
            case 3: remove({TEXT, PLAIN}); break;
            default: remove({LINEAR, UNIQUE, TAG}); break;
        }
        Call f{"several", {}};
        run_call(f, call);
        if (!f.first_thrown && got != had) fail("remove of several returned " + std::to_string(got));
        compare(false);
    }
    void modify_component(Entity e, int c) {
        int v = random.below(5);
        log("modify %u class %d", index_of(e), c);
        auto call = [&] {
            with_class(c, [&]<class X>() { ecs->modify<X>(e, [&](X& x) { x = Values<X>::make(v); }); });
        };
        if (!lives(e)) return expect_error(ErrorCode::stale_entity, "modify", call);
        if (!entity(e).has[c]) return expect_error(ErrorCode::missing_component, "modify", call);
        if (!is_tag(c)) entity(e).values[c] = v;
        signal(e, c);
        perform("modify", call);
    }
    void signal_component(Entity e, int c) {
        log("dirty %u class %d", index_of(e), c);
        auto call = [&] { with_class(c, [&]<class X>() { ecs->dirty<X>(e); }); };
        if (!lives(e)) return expect_error(ErrorCode::stale_entity, "dirty", call);
        if (!entity(e).has[c]) return expect_error(ErrorCode::missing_component, "dirty", call);
        signal(e, c);
        perform("dirty", call);
    }
    void signal_components(int c) {
        auto v = random_entities();
        bool miss = false;
        for (Entity e : v) miss |= !entity(e).has[c];
        log("bulk dirty %d: %s", c, text(v).c_str());
        auto call = [&] { with_class(c, [&]<class X>() { ecs->dirty<X>(std::span<const Entity>(v)); }); };
        if (miss) return expect_error(ErrorCode::missing_component, "bulk dirty", call);
        for (Entity e : v) signal(e, c);
        for (auto& s : all_systems)
            if (s->settings.ancestors) s->dirty_reorder = true;
        perform("bulk dirty", call);
    }
};

}  // namespace test::rules_model
