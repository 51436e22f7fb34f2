// Random operations with components of several entities.
#pragma once
#include "component_operations.hpp"

namespace test::rules_model {

class BulkOperations : public ComponentOperations {
public:
    using ComponentOperations::ComponentOperations;

    void add_components() {
        int c = random.below(OWN_CLASSES);
        if (c == UNIQUE) c = PLAIN;  // cannot be copied
        auto v = random_entities();
        bool bad_one = random.chance(5);
        if (bad_one) {
            v.push_back(invalid_handle());
            if (lives(v.back())) return;
        }
        bool one = random.chance(40);
        std::vector<int> x;
        for (std::size_t i = 0; i < (one ? 1 : v.size()); ++i) x.push_back(random.below(5));
        log("bulk add class %d to %s one %d", c, text(v).c_str(), one);
        auto call = [&] {
            with_class(c, [&]<class X>() {
                if constexpr (!std::is_same_v<X, Unique>) {
                    std::vector<X> y;
                    for (int i : x) y.push_back(Values<X>::make(i));
                    ecs->add<X>(std::span<const Entity>(v), std::span<const X>(y));
                }
            });
        };
        if (bad_one) return expect_error(ErrorCode::stale_entity, "bulk add", call);
        if (nested && nested_operations == 0 && calls.empty())
            lenient = true;  // the state that callbacks see is not defined
        if (nested) {
            lenient_bulk(v, c, call, [&] {
                for (std::size_t i = 0; i < v.size(); ++i) model_put(v[i], c, x[one ? 0 : i]);
            });
            return;
        }
        for (std::size_t i = 0; i < v.size(); ++i) model_put(v[i], c, x[one ? 0 : i]);
        for (Entity e : v) retrack(e);
        for (Entity e : v) signal(e, c);
        for (auto& s : all_systems) s->dirty_reorder = true;
        perform("bulk add", call);
    }
    template <class F, class G>
    void lenient_bulk(const std::vector<Entity>& v, int c, F&& call, G&& put) {
        put();
        for (Entity e : v) retrack(e);
        for (Entity e : v)
            if (entity(e).has[c]) signal(e, c);
        for (auto& s : all_systems) {
            s->reorder = true;
            s->dirty_reorder = true;
            for (Entity e : v) s->retracked.insert(bits(e));
        }
        bulk(c, v, [&] { perform("bulk", call); });
    }
    /// During calls for several entities, nested operations see a state that the rules do not define: it is adopted.
    template <class F>
    void bulk(int c, const std::vector<Entity>& v, F&& f) {
        if (!nested) {
            int old = budget;
            budget = 0;
            f();
            budget = old;
            return;
        }
        lenient = true;
        bulks.push_back({c, v});
        f();
        bulks.pop_back();
    }
    void adopt_bulk() override {
        for (auto& b : bulks)
            for (Entity e : b.entities) {
                if (!lives(e) || !ecs->alive(e)) continue;
                bool h = really_has(e, b.c), was = entity(e).has[b.c];
                if (h && !was) {
                    model_put(e, b.c, real_value(e, b.c));
                    retrack(e);
                    signal(e, b.c);
                } else if (!h && was) {
                    model_take(e, b.c);
                    retrack(e);
                    signal(e, b.c);
                } else if (h) entity(e).values[b.c] = real_value(e, b.c);
                for (auto& q : all_systems) {
                    q->retracked.insert(bits(e));
                    if (q->is_dirty(e)) q->unsure.insert(bits(e));
                    if (q->settings.ancestors) {
                        std::vector<Entity> d;
                        collect_descendants(e, d);
                        for (Entity k : d) {
                            q->retracked.insert(bits(k));
                            if (q->is_dirty(k)) q->unsure.insert(bits(k));
                        }
                    }
                }
            }
    }
    void remove_components() {
        int c = random.below(OWN_CLASSES);
        auto v = random_entities();
        bool bad_one = random.chance(5);
        if (bad_one) {
            v.push_back(invalid_handle());
            if (lives(v.back())) return;
        }
        log("bulk remove class %d from %s", c, text(v).c_str());
        std::size_t got = 0, n = 0;
        auto call = [&] { with_class(c, [&]<class X>() { got = ecs->remove<X>(std::span<const Entity>(v)); }); };
        if (bad_one) return expect_error(ErrorCode::stale_entity, "bulk remove", call);
        std::vector<Entity> had;
        for (Entity e : v)
            if (entity(e).has[c]) {
                ++n;
                model_take(e, c);
                had.push_back(e);
            }
        for (Entity e : had) retrack(e);
        for (Entity e : had) signal(e, c);
        for (auto& s : all_systems) s->dirty_reorder = true;
        Call f{"bulk remove", {}};
        bulk(c, v, [&] {
            run_call(f, call);
            adopt_bulk();
        });
        if (!f.first_thrown && got != n && !nested) fail("bulk remove count");
        compare(false);
    }
};

}  // namespace test::rules_model
