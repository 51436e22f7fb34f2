// Iterations with operations in their bodies (T4), and the order and contents of dirty sets.
#pragma once
#include "queries.hpp"

namespace test::rules_model {

class Iterations : public Queries {
public:
    using Queries::Queries;

    template <class Range, class Get>
    void loop(Iteration& o, Range&& range, Get get) {
        for (Entity e : alive) {
            o.existed.insert(bits(e));
            if (o.contains(e)) o.throughout.insert(bits(e));
        }
        iterations.push_back(&o);
        ++loops;
        bool done = true;
        int max = random.chance(70) ? 10000 : random.below(6);
        for (auto&& x : range) {
            Entity e = get(x);
            visit(o, e);
            body();
            if (max-- <= 0) {
                done = false;
                break;
            }
            if (o.ever_visited.size() > 3000) fail("endless loop");
        }
        --loops;
        iterations.erase(std::find(iterations.begin(), iterations.end(), &o));
        if (done)
            for (u32 h : o.throughout)
                if (!o.ever_visited.count(h)) fail("T4: loop did not visit " + to_string(Entity{h}));
        adopt_orders();
    }
    void visit(Iteration& o, Entity e) {
        if (!o.contains(e)) fail("T4: loop visits " + to_string(e) + " which is not selected");
        if (!o.visited.insert(bits(e)).second) fail("T4: loop visits " + to_string(e) + " twice");
        if (o.strict && !o.throughout.count(bits(e))) fail("T4: loop visits " + to_string(e) + ", added meanwhile");
        if (!o.reaches_additions && e != ecs->world() && !o.existed.count(bits(e)))
            fail("T4: loop visits " + to_string(e) + ", created meanwhile");
        o.ever_visited.insert(bits(e));
        log("visits %u.%u", index_of(e), generation_of(e));
        if (o.system && o.children_of == NONE && o.system->running && dirty_iterations.count(&o))
            o.system->visited.insert(bits(e));
    }
    void body() {
        if (loops < 4) {
            random_operations(random.below(3));
        }
    }
    /// For loops that are not a range: starts and ends the iteration around `f`, which returns whether it is complete.
    template <class F>
    void loop_with(Iteration& o, const char* kind, F&& f) {
        for (Entity e : alive) {
            o.existed.insert(bits(e));
            if (o.contains(e)) o.throughout.insert(bits(e));
        }
        iterations.push_back(&o);
        ++loops;
        const bool done = f();
        --loops;
        iterations.pop_back();
        if (done)
            for (u32 h : o.throughout)
                if (!o.ever_visited.count(h))
                    fail(std::string("T4: ") + kind + " did not visit " + to_string(Entity{h}));
        adopt_orders();
    }
    /// Whether the ECS says that an entity has these classes.
    auto selects(unsigned required, unsigned excluded, unsigned any) {
        return [=, this](Entity e) {
            if (!ecs->alive(e)) return false;
            unsigned m = 0;
            for (int c = 0; c < CLASSES; ++c) m |= really_has(e, c) ? 1u << c : 0;
            return (m & required) == required && !(m & excluded) && (!any || (m & any));
        };
    }
    void iterate() {
        if (budget <= 0 || loops >= 3 || removing) return;
        const int k = random.below(9);
        log("loop %d", k);
        ++replay.counts["loops"];
        ++depth;
        if (k < 4) iterate_query(k);
        if (k == 4) iterate_storage();
        ModelSystem* s = random_system();
        if (k == 5 && s && s->tracking) iterate_entities(*s);
        if (k == 6 && s && s->tracking) iterate_dirty(*s);
        if (k == 7) iterate_children();
        if (k == 8 && s && s->tracking) iterate_query_of_dirty(*s);
        --depth;
        forget_removed();
        compare(false);
    }
    void iterate_query(int k) {
        const auto first = [](auto& r) { return std::get<0>(r); };
        Iteration o;
        if (k == 0) {
            o.contains = selects(classes(PLAIN, TEXT), NO_CLASS, NO_CLASS);
            loop(o, ecs->query<Plain, const Text>(), first);
        }
        if (k == 1) {
            o.contains = selects(classes(LINEAR), classes(PLAIN), NO_CLASS);
            loop(o, ecs->query<Linear>(exclude<Plain>), first);
        }
        if (k == 2) {
            o.contains = selects(classes(PLAIN), NO_CLASS, classes(TAG, LINEAR_TAG));
            loop(o, ecs->query<const Plain>(any<Tag, LinearTag>, optional<Unique>), first);
        }
        if (k == 3) {
            o.contains = selects(classes(PARENT), NO_CLASS, NO_CLASS);
            loop(o, ecs->query<const Parent>(), first);
        }
    }
    void iterate_storage() {
        Iteration o;
        const int c = random.below(OWN_CLASSES);
        o.strict = true;
        o.contains = selects(classes(c), NO_CLASS, NO_CLASS);
        loop_with(o, "storage.each", [&] {
            with_class(c, [&]<class X>() {
                ecs->storage<X>().each([&](Entity e) {
                    visit(o, e);
                    body();
                });
            });
            return true;
        });
    }
    void iterate_entities(ModelSystem& s) {
        Iteration o;
        o.system = &s;
        o.strict = true;
        o.contains = [&s](Entity e) { return s.real->tracks(e); };
        loop_with(o, "entities", [&] {
            bool done = true;
            s.loop_entities([&](Entity e) {
                visit(o, e);
                body();
                return done = random.chance(97);
            });
            return done;
        });
    }
    /// Visited entities are clean after the system's run (D7).
    void loop_dirty(Iteration& o, DirtySet& d) {
        o.contains = [&d](Entity e) { return d.contains(e); };
        o.reaches_additions = true;
        dirty_iterations.insert(&o);
        loop(o, d, [](Entity e) { return e; });
        dirty_iterations.erase(&o);
    }
    void iterate_dirty(ModelSystem& s) {
        Iteration o;
        o.system = &s;
        DirtySet& d = s.real->dirty_set();
        if (random.chance(30) && iterations.empty()) top_down(s);
        loop_dirty(o, d);
    }
    void iterate_children() {
        Iteration o;
        const Entity p = random_usable();
        o.children_of = p;
        o.reaches_additions = true;
        o.contains = [this, p](Entity e) { return ecs->alive(e) && ecs->parent(e) == p; };
        loop(o, ecs->children(p), [](Entity e) { return e; });
    }
    void iterate_query_of_dirty(ModelSystem& s) {
        // While the system runs, this counts as iterating `dirty` (Q5): the entities that the query skips are visited
        // too, which the model does not see.
        if (s.running) return;
        Iteration o;
        o.reaches_additions = true;
        o.system = &s;
        DirtySet& d = s.real->dirty_set();
        o.contains = [&d, has_plain = selects(classes(PLAIN), NO_CLASS, NO_CLASS)](Entity e) {
            return d.contains(e) && has_plain(e);
        };
        loop(o, ecs->query<Plain>().of(d), [](auto& r) { return std::get<0>(r); });
    }
    void top_down(ModelSystem& s) {
        DirtySet& d = s.real->dirty_set().top_down();
        std::vector<Entity> v = to_vector(d.ids());
        if (!nested_operations && !lenient)
            for (std::size_t i = 0; i < v.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    if (above(v[i], v[j]))
                        fail("D13: top_down: " + to_string(v[j]) + " is in front of its ancestor " + to_string(v[i]));
        s.dirty_reorder = true;
        if (s.running)
            for (Entity e : v) s.visited.insert(bits(e));
        ++replay.counts["top_down"];
    }
    void keep_dirty() {
        ModelSystem* s = random_system();
        if (!s || !s->tracking || removing) return;
        Entity e = random.chance(90) && !s->dirty.empty() ? s->dirty[random_index(s->dirty)] : random_entity();
        if (!s->real->dirty_set().contains(e)) {
            expect_error(ErrorCode::bad_argument, "keep", [&] { s->real->dirty_set().keep(e); });
            return;
        }
        log("keep %u in %d", index_of(e), s->id);
        s->real->dirty_set().keep(e);
        if (s->running) s->kept.insert(bits(e));
    }
};

}  // namespace test::rules_model
