// Iterations with operations in their bodies (T4), and the order and contents of dirty sets.
#pragma once
#include "queries.hpp"

namespace test::rules_model {

class Iterations : public Queries {
public:
    using Queries::Queries;

    template <class Range, class Get>
    void loop(Iteration& o, Range&& range, Get get) {
        for (Entity e : alive)
            if (o.contains(e)) o.throughout.insert(bits(e));
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
                if (!o.ever_visited.count(h)) fail("T4: loop did not visit " + describe(Entity{h}));
        adopt_orders();
    }
    void visit(Iteration& o, Entity e) {
        if (!o.contains(e)) fail("T4: loop visits " + describe(e) + " which is not selected");
        if (!o.visited.insert(bits(e)).second) fail("T4: loop visits " + describe(e) + " twice");
        o.ever_visited.insert(bits(e));
        log("visits %u.%u", index_of(e), generation_of(e));
        if (o.system && o.children_of == NONE && o.system->running && dirty_iterations.count(&o))
            o.system->visited.insert(bits(e));
    }
    void body() {
        if (loops < 4) {
            int n = random.below(3);
            while (n-- > 0 && budget > 0) {
                --budget;
                random_operation();
            }
        }
    }
    void iterate() {
        if (budget <= 0 || loops >= 3 || removing) return;
        int k = random.below(9);
        Iteration o;
        log("loop %d", k);
        ++replay.counts["loops"];
        auto id = [](Entity e) { return e; };
        auto first = [](auto& r) { return std::get<0>(r); };
        auto sel = [this](unsigned required, unsigned excluded, unsigned any) {
            return [=, this](Entity e) {
                if (!ecs->alive(e)) return false;
                unsigned m = 0;
                for (int c = 0; c < CLASSES; ++c) m |= really_has(e, c) ? 1u << c : 0;
                return (m & required) == required && !(m & excluded) && (!any || (m & any));
            };
        };
        ++depth;
        if (k == 0) {
            o.contains = sel(5, 0, 0);
            loop(o, ecs->query<Plain, const Text>(), first);
        }
        if (k == 1) {
            o.contains = sel(8, 1, 0);
            loop(o, ecs->query<Linear>(exclude<Plain>), first);
        }
        if (k == 2) {
            o.contains = sel(1, 0, 66);
            loop(o, ecs->query<const Plain>(any<Tag, LinearTag>, optional<Unique>), first);
        }
        if (k == 3) {
            o.contains = sel(128, 0, 0);
            loop(o, ecs->query<const Parent>(), first);
        }
        if (k == 4) {
            int c = random.below(OWN_CLASSES);
            o.contains = sel(1u << c, 0, 0);
            for (Entity e : alive)
                if (o.contains(e)) o.throughout.insert(bits(e));
            iterations.push_back(&o);
            ++loops;
            with_class(c, [&]<class X>() {
                ecs->storage<X>().each([&](Entity e) {
                    visit(o, e);
                    body();
                });
                return 0;
            });
            --loops;
            iterations.pop_back();
            for (u32 h : o.throughout)
                if (!o.ever_visited.count(h)) fail("T4: storage.each did not visit " + describe(Entity{h}));
            adopt_orders();
        }
        ModelSystem* s = random_system();
        if (k == 5 && s && s->tracking) {
            o.system = s;
            o.contains = [s](Entity e) { return s->real->tracks(e); };
            for (Entity e : alive)
                if (o.contains(e)) o.throughout.insert(bits(e));
            iterations.push_back(&o);
            ++loops;
            bool done = true;
            s->loop_entities([&](Entity e) {
                visit(o, e);
                body();
                return done = random.chance(97);
            });
            --loops;
            iterations.pop_back();
            if (done)
                for (u32 h : o.throughout)
                    if (!o.ever_visited.count(h)) fail("T4: entities did not visit " + describe(Entity{h}));
            adopt_orders();
        }
        if (k == 6 && s && s->tracking) {
            o.system = s;
            DirtySet& d = s->real->dirty_set();
            bool td = random.chance(30);
            if (td && iterations.empty()) {
                top_down(*s);
            }
            o.contains = [&d](Entity e) { return d.contains(e); };
            dirty_iterations.insert(&o);
            loop(o, d, id);
            dirty_iterations.erase(&o);
        }
        if (k == 7) {
            Entity p = random_usable();
            o.children_of = p;
            o.contains = [this, p](Entity e) { return ecs->alive(e) && ecs->parent(e) == p; };
            loop(o, ecs->children(p), id);
        }
        if (k == 8 && s && s->tracking) {
            o.system = s;
            DirtySet& d = s->real->dirty_set();
            auto f = sel(1, 0, 0);
            o.contains = [&d, f](Entity e) { return d.contains(e) && f(e); };
            // counts as iterating `dirty`: skipped ones are visited too, which the model does not see
            if (!s->running) loop(o, ecs->query<Plain>().of(d), first);
        }
        --depth;
        forget_removed();
        compare(false);
    }
    void top_down(ModelSystem& s) {
        DirtySet& d = s.real->dirty_set().top_down();
        std::vector<Entity> v = to_vector(d.ids());
        if (!nested_operations && !lenient)
            for (std::size_t i = 0; i < v.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    if (above(v[i], v[j]))
                        fail("D13: top_down: " + describe(v[j]) + " is in front of its ancestor " + describe(v[i]));
        s.dirty_reorder = true;
        if (s.running)
            for (Entity e : v) s.visited.insert(bits(e));
        ++replay.counts["top_down"];
    }
    void keep_dirty() {
        ModelSystem* s = random_system();
        if (!s || !s->tracking || removing) return;
        Entity e = random.chance(90) && !s->dirty.empty()
                       ? s->dirty[static_cast<std::size_t>(random.below(static_cast<int>(s->dirty.size())))]
                       : random_entity();
        if (!s->real->dirty_set().contains(e)) {
            expect_error(ErrorCode::bad_argument, "keep", [&] { s->real->dirty_set().keep(e); });
            return;
        }
        log("keep %u in %d", index_of(e), s->id);
        s->real->dirty_set().keep(e);
        if (s->running) {
            s->kept.insert(bits(e));
        }
    }
};

}  // namespace test::rules_model
