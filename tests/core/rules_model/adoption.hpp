// While entities are removed and callbacks run, the rules leave open which of them still exist: the model adopts what
// the ECS did.
#pragma once
#include "effects.hpp"

namespace test::rules_model {

class Adoption : public Effects {
public:
    using Effects::Effects;

    void adopt() {
        if (!removing) return;
        std::vector<Entity> list = alive;
        for (Entity e : list)
            if (entity(e).dying || !ecs->alive(e)) {
                if (!ecs->alive(e)) {
                    if (!entity(e).dying) fail("entity disappeared: " + to_string(e));
                    model_destroy(e);
                }
            }
        list = alive;
        for (Entity e : list) {
            if (!entity(e).dying) continue;
            for (int c = 0; c < CLASSES; ++c) {
                bool h = really_has(e, c);
                if (h == entity(e).has[c]) continue;
                if (h) model_put(e, c, c == PARENT ? 0 : real_value(e, c));
                else model_take(e, c);
            }
        }
        for (Entity e : alive) {
            entity(e).parent = ecs->parent(e);
            entity(e).children.clear();
            for (Entity k : ecs->children(e)) entity(e).children.push_back(k);
            if (really_has(e, PARENT) != entity(e).has[PARENT]) {
                if (entity(e).has[PARENT]) model_take(e, PARENT);
                else model_put(e, PARENT, 0);
            }
        }
        for (Entity e : alive)
            if (entity(e).parent != NONE &&
                (entity(e).dying || (lives(entity(e).parent) && entity(entity(e).parent).dying)))
                mark_dying(e);
    }
    /// An element that is removed during an iteration need not be visited, and if it is added again, it can be
    /// visited again (T4).
    void forget_removed() {
        stop_if_failed();
        for (Iteration* o : iterations) {
            for (auto* s : {&o->throughout, &o->visited})
                for (auto i = s->begin(); i != s->end();) i = o->contains(Entity{*i}) ? std::next(i) : s->erase(i);
        }
    }
};

}  // namespace test::rules_model
