// Compares the ECS with the model.
#pragma once
#include "adoption.hpp"

namespace test::rules_model {

class Comparison : public Adoption {
public:
    using Adoption::Adoption;

    std::string text(const std::vector<Entity>& v) {
        std::string s;
        for (Entity e : v) s += std::to_string(index_of(e)) + "." + std::to_string(generation_of(e)) + " ";
        return s;
    }
    template <class R>
    std::vector<Entity> to_vector(const R& r) {
        return {r.begin(), r.end()};
    }
    void compare_system(ModelSystem& s) {
        std::vector<Entity> t = to_vector(s.real->tracked().entities());
        auto name = "system " + std::to_string(s.id) + " ";
        auto a = t, b = s.tracked;
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        if (a != b) fail(name + "tracks " + text(t) + " expected " + text(s.tracked));
        if (t != s.tracked) {
            if (!s.reorder || (s.settings.ordered && !lenient && !s.any_order))
                fail(name + "order (S14) is " + text(t) + " expected " + text(s.tracked));
            s.tracked = t;
        }
        s.reorder = false;
        s.any_order = false;
        std::vector<Entity> d = to_vector(s.real->dirty_set().ids());
        std::set<Entity> ds(d.begin(), d.end()), ms(s.dirty.begin(), s.dirty.end());
        if (ds.size() != d.size()) fail(name + "dirty set contains duplicates");
        for (Entity e : ds)
            if (!ms.count(e) && !s.retracked.count(bits(e)))
                fail(name + "has dirty " + to_string(e) + " which should not be dirty; dirty is " + text(d) +
                     " expected " + text(s.dirty));
        for (Entity e : ms)
            if (!ds.count(e)) {
                if (!s.unsure.count(bits(e)))
                    fail(name + "lacks dirty " + to_string(e) + "; dirty is " + text(d) + " expected " + text(s.dirty));
                ++replay.counts["may: not dirty"];
            } else if (s.unsure.count(bits(e))) ++replay.counts["may: dirty"];
        if (d != s.dirty) {
            if (!s.dirty_reorder && !lenient && s.unsure.empty())
                fail(name + "dirty order (D9) is " + text(d) + " expected " + text(s.dirty));
            s.dirty = d;
        }
        s.unsure.clear();
        s.dirty_reorder = false;
        if (!lenient || calls.empty()) s.retracked.clear();
        if (s.settings.hooks == 3) {
            std::set<u32> x;
            for (Entity e : t) x.insert(bits(e));
            if (x != s.aspects) fail(name + "on_add/on_remove do not match the tracked entities");
        }
        if (s.real->enabled() != s.enabled) fail(name + "enabled");
    }
    void compare_entity(Entity e) {
        if (!ecs->alive(e)) fail("not alive: " + to_string(e));
        ModelEntity& x = entity(e);
        for (int c = 0; c < CLASSES; ++c) {
            if (really_has(e, c) != x.has[c])
                fail("has " + to_string(e) + " class " + std::to_string(c) + " expected " + std::to_string(x.has[c]));
            if (c < OWN_CLASSES && x.has[c] && real_value(e, c) != x.values[c])
                fail("value of class " + std::to_string(c) + " of " + to_string(e) + " is " +
                     std::to_string(real_value(e, c)) + " expected " + std::to_string(x.values[c]));
        }
        if (ecs->parent(e) != x.parent) fail("parent of " + to_string(e));
        if (x.has[PARENT] && ecs->get<Parent>(e).entity() != x.parent) fail("H3: the value of Parent");
        std::vector<Entity> k;
        for (Entity q : ecs->children(e)) k.push_back(q);
        if (k != x.children) fail("children of " + to_string(e) + " are " + text(k) + " expected " + text(x.children));
    }
    void compare_storage(int c, Storage& s) {
        if (s.count() != order[c].size()) fail("storage count of class " + std::to_string(c));
        if (!is_linear(c)) {
            auto t = to_vector(s.entities());
            if (t != order[c]) {
                auto a = t, b = order[c];
                std::sort(a.begin(), a.end());
                std::sort(b.begin(), b.end());
                if (a != b || !reorder[c])
                    fail("storage order of class " + std::to_string(c) + " is " + text(t) + " expected " +
                         text(order[c]));
                order[c] = t;
            }
        } else {
            std::size_t n = 0;
            for (u32 i = 0; i < s.extent(); ++i)
                if (s.filled(i)) {
                    ++n;
                    if (!lives(s.entities()[i]) || !entity(s.entities()[i]).has[c])
                        fail("T2: the mask of a linear storage");
                }
            if (n != order[c].size()) fail("T2: the mask of a linear storage has another size");
        }
        reorder[c] = false;
    }
    /// What refers to an entity, and NONE where it is not alive any more (C15).
    void compare_links() {
        std::map<Entity, std::vector<Entity>> sources;
        std::sort(alive.begin(), alive.end(), [](Entity a, Entity b) { return index_of(a) < index_of(b); });
        for (const Entity e : alive) {
            const auto aim = aims.find(e);
            if (ecs->has<Aiming>(e) != (aim != aims.end())) fail("has Aiming " + to_string(e));
            if (aim == aims.end()) continue;
            if (!lives(aim->second)) aim->second = NONE;
            if (ecs->get<Aiming>(e).target != aim->second) fail("C15: the link of " + to_string(e));
            if (aim->second != NONE) sources[aim->second].push_back(e);
        }
        for (const Entity e : alive) {
            if (ecs->linked<Aiming>(e).entities() != sources[e]) fail("C15: linked " + to_string(e));
        }
    }
    /// Sorted by a string and a number (Q10, C13).
    void compare_sorted() {
        std::vector<std::pair<std::string, u32>> by_text, texts;
        std::vector<std::pair<int, u32>> by_number, numbers;
        for (const Entity e : alive) {
            if (!entity(e).has[NAMED]) continue;
            const int v = entity(e).values[NAMED];
            by_text.emplace_back(Values<Named>::text(v), index_of(e));
            by_number.emplace_back(-v, index_of(e));
        }
        std::sort(by_text.begin(), by_text.end());
        std::sort(by_number.begin(), by_number.end());
        for (auto [e, named] : ecs->query<const Named>(order_by(&Named::text)))
            texts.emplace_back(ecs->text(named.text), index_of(e));
        for (auto [e, named] : ecs->query<const Named>(order_by(&Named::x, Direction::descending)))
            numbers.emplace_back(-named.x, index_of(e));
        if (texts != by_text || numbers != by_number) fail("Q10: the order of Named");
        ++replay.counts["sorted"];
    }
    void compare_order_of_systems() {
        std::vector<SystemBase*> list = ecs->systems();
        if (list.size() != systems.size())
            fail("systems(): " + std::to_string(list.size()) + " expected " + std::to_string(systems.size()));
        std::vector<int> key, ord;
        for (auto* s : systems) key.push_back(s->id);
        std::sort(key.begin(), key.end());
        std::vector<ModelSystem*> now;
        for (auto* r : list) {
            ModelSystem* f = nullptr;
            for (auto* s : systems)
                if (s->real == r) f = s;
            if (!f) fail("systems() contains an unknown one");
            ord.push_back(f->id);
            now.push_back(f);
        }
        auto [i, ins] = orders.emplace(key, ord);
        if (!ins && i->second != ord) fail("S10: the order of the same systems is different");
        if (orders.size() > 500) orders.clear();
        for (std::size_t a = 0; a < now.size(); ++a)
            for (std::size_t b = a + 1; b < now.size(); ++b) {
                if (now[a]->settings.priority > now[b]->settings.priority) fail("S1 priority order");
                if (precedes(now[b]->settings, now[a]->settings)) fail("S10 constraint");
            }
        for (std::size_t a = 0; a + 1 < now.size(); ++a) {
            auto free = [&](ModelSystem* s) {
                for (auto* o : systems)
                    if (o != s && o->settings.priority == s->settings.priority &&
                        (precedes(o->settings, s->settings) || precedes(s->settings, o->settings)))
                        return false;
                return true;
            };
            if (now[a]->settings.priority == now[a + 1]->settings.priority && now[a]->id > now[a + 1]->id &&
                free(now[a]) && free(now[a + 1])) {
                std::string t;
                for (auto* x : now) {
                    t += "\n  " + std::to_string(x->id) + " prio " + std::to_string(x->settings.priority) + " name " +
                         std::to_string(x->settings.name) + (x->pending ? " pending" : "");
                    for (int n : x->settings.before) t += " before " + std::to_string(n);
                    for (int n : x->settings.after) t += " after " + std::to_string(n);
                }
                fail("S1 insertion order" + t);
            }
        }
    }
    void compare_names() {
        for (int n = 0; n < 4; ++n) {
            ModelSystem* f = nullptr;
            for (auto* s : systems)
                if (s->settings.name == n && (!f || s->id < f->id)) f = s;
            SystemBase* r = nullptr;
            try {
                r = &ecs->get_system(SYSTEM_NAMES[n]);
            } catch (const Error& x) {
                if (x.code() != ErrorCode::bad_system) fail("get_system code");
            }
            if (r != (f ? f->real : nullptr)) fail("S14 get_system by name");
        }
    }
    void compare(bool full) {
        making = ecs.get();
        if (nested_operations || removing) return;
        if (lenient && !calls.empty()) return;
        if (ecs->count() + 1 != alive.size())
            fail("count " + std::to_string(ecs->count()) + " expected " + std::to_string(alive.size() - 1));
        for (auto* s : systems) compare_system(*s);
        for (auto& p : all_systems) {
            if (p->dead && p->destroyed == false && calls.empty()) fail("removed system is not destroyed");
            if (p->dead && p->destroyed && !p->aspects.empty())
                fail("A3: removed system " + std::to_string(p->id) + " without on_remove");
        }
        if (full || lenient) {
            for (Entity e : alive) compare_entity(e);
            for (Entity e : stale)
                if (ecs->alive(e)) fail("stale is alive: " + to_string(e));
            for (int c = 0; c < CLASSES; ++c) {
                if (c == PARENT) compare_storage(c, ecs->storage<Parent>());
                else with_class(c, [&]<class X>() { compare_storage(c, ecs->storage<X>()); });
            }
            compare_order_of_systems();
            compare_names();
            if (calls.empty()) compare_links();
            if (calls.empty()) compare_sorted();
            if (((due_now || !updating) && ecs->game_time() != game_time) || ecs->wall_time() != wall_time)
                fail("times: game " + std::to_string(ecs->game_time()) + " expected " + std::to_string(game_time) +
                     " wall " + std::to_string(ecs->wall_time()) + " expected " + std::to_string(wall_time));
            if (collecting) {
                auto& b = ecs->events.inbox<int>();
                if (b != inbox) fail("V1: the contents of the inbox");
            }
        }
        if (calls.empty()) lenient = false;
    }
};

}  // namespace test::rules_model
