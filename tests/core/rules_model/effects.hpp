// What an operation does according to the rules: to components, tracked and dirty sets, handles and the hierarchy.
#pragma once
#include "state.hpp"

namespace test::rules_model {

class Effects : public State {
public:
    using State::State;

    bool match(const ModelSystem& s, Entity e) {
        const unsigned m = mask(e);
        return s.settings.required && (m & s.settings.required) == s.settings.required && !(m & s.settings.excluded) &&
               (!s.settings.accepted || (m & s.settings.accepted));
    }
    void mark_dirty(ModelSystem& s, Entity e, bool sure = true) {
        if (!s.tracks(e)) return;
        if (!s.is_dirty(e)) {
            s.dirty.push_back(e);
            s.dirty_reorder |= lenient;
            if (!sure) s.unsure.insert(bits(e));
        } else if (sure) s.unsure.erase(bits(e));
    }
    void unmark_dirty(ModelSystem& s, Entity e) {
        auto i = std::find(s.dirty.begin(), s.dirty.end(), e);
        s.unsure.erase(bits(e));
        if (s.snapshot.erase(bits(e)) + s.visited.erase(bits(e)) && nested) s.snapshot_unsure.insert(bits(e));
        s.kept.erase(bits(e));
        if (i == s.dirty.end()) return;
        *i = s.dirty.back();
        s.dirty.pop_back();
        s.dirty_reorder = true;
    }
    void retrack(Entity e) {
        for (auto& p : all_systems) {
            ModelSystem& s = *p;
            if (s.dead || !s.tracking) continue;
            bool m = lives(e) && match(s, e), t = s.tracks(e);
            if (m && !t) {
                s.tracked.push_back(e);
                if (lenient || loops) s.reorder = true;
                if (s.watching()) mark_dirty(s, e, !(lenient && s.retracked.count(bits(e))));
            } else if (!m && t) {
                if (nested) s.retracked.insert(bits(e));
                untrack(s, e);
            }
        }
    }
    void untrack(ModelSystem& s, Entity e) {
        auto i = std::find(s.tracked.begin(), s.tracked.end(), e);
        if (s.settings.ordered) s.tracked.erase(i);
        else {
            *i = s.tracked.back();
            s.tracked.pop_back();
            if (loops) s.reorder = true;
        }
        if (lenient) s.reorder = true;
        unmark_dirty(s, e);
    }
    void collect_descendants(Entity e, std::vector<Entity>& out) {
        for (Entity k : entity(e).children) {
            out.push_back(k);
            collect_descendants(k, out);
        }
    }
    /// Among the entities that one ancestor marks, the order is not defined (D13).
    void mark_from_ancestor(ModelSystem& s, Entity e) {
        if (!s.is_dirty(e)) s.dirty_reorder = true;
        mark_dirty(s, e);
    }
    void mark_descendants(ModelSystem& s, Entity e) {
        std::vector<Entity> descendants;
        collect_descendants(e, descendants);
        for (Entity k : descendants) mark_from_ancestor(s, k);
    }
    void signal(Entity e, int c) {
        for (auto& p : all_systems) {
            ModelSystem& s = *p;
            if (s.dead || !s.tracking) continue;
            if (s.settings.watched >> c & 1) mark_dirty(s, e);
            if (s.settings.ancestors >> c & 1) mark_descendants(s, e);
        }
    }
    void model_put(Entity e, int c, int v) {
        ModelEntity& x = entity(e);
        if (is_tag(c)) v = 0;
        if (!x.has[c]) {
            x.has[c] = true;
            order[c].push_back(e);
            if (lenient) reorder[c] = true;
        }
        x.values[c] = v;
    }
    void model_take(Entity e, int c) {
        ModelEntity& x = entity(e);
        x.has[c] = false;
        auto i = std::find(order[c].begin(), order[c].end(), e);
        *i = order[c].back();
        order[c].pop_back();
        if (lenient || loops) reorder[c] = true;
    }
    void model_add(Entity e, int c, int v) {
        model_put(e, c, v);
        retrack(e);
        signal(e, c);
    }
    /// Systems see all of the components when they start or stop (E14).
    void model_add(Entity e, const std::vector<std::pair<int, int>>& given) {
        for (const auto& [c, v] : given) model_put(e, c, v);
        retrack(e);
        for (const auto& [c, v] : given) signal(e, c);
    }
    bool model_remove(Entity e, int c) {
        if (!entity(e).has[c]) return false;
        model_take(e, c);
        retrack(e);
        signal(e, c);
        return true;
    }
    void model_new(Entity e) {
        u32 i = index_of(e);
        if (i >= entities_by_index.size()) entities_by_index.resize(i + 1);
        entities_by_index[i] = ModelEntity{};
        entities_by_index[i].handle = e;
        entities_by_index[i].alive = true;
        alive.push_back(e);
    }
    /// The handle is the last freed one, or the next fresh one (E2).
    void expect_handle(Entity e) {
        u32 i = index_of(e);
        if (lives(e)) fail("E2: a living handle was issued");
        if (!freed.empty()) {
            auto j = std::find(freed.begin(), freed.end(), e);
            if (j == freed.end()) fail("E2: handle " + to_string(e) + " is not a freed index with its next generation");
            std::size_t at = static_cast<std::size_t>(j - freed.begin());
            if (freed.size() > freed_in_any_order) {
                if (at + 1 != freed.size() && !lenient)
                    fail("E2: not the last freed: got " + to_string(e) + " expected " + to_string(freed.back()));
                freed.erase(j);
                if (freed_in_any_order > freed.size()) freed_in_any_order = freed.size();
                if (lenient) freed_in_any_order = freed.size();
            } else {
                freed.erase(j);
                --freed_in_any_order;
            }
        } else {
            if (i != next_fresh_index || generation_of(e) != 0)
                fail("E2: expected a fresh index " + std::to_string(next_fresh_index) + ", got " + to_string(e));
            ++next_fresh_index;
        }
    }
    void model_free(Entity e) {
        stale.push_back(e);
        if (stale.size() > 40) stale.erase(stale.begin() + random.below(20));
        if (generation_of(e) == ENTITY_LAST_GENERATION) {
            ++replay.counts["retired"];
            return;
        }
        freed.push_back(make_entity(index_of(e), generation_of(e) + 1));
        if (lenient) freed_in_any_order = freed.size();
    }
    void model_detach(Entity e) {
        ModelEntity& x = entity(e);
        if (x.parent != NONE) {
            if (lives(x.parent)) {
                auto& k = entity(x.parent).children;
                auto i = std::find(k.begin(), k.end(), e);
                if (i != k.end()) k.erase(i);
            }
            x.parent = NONE;
        }
    }
    void model_destroy(Entity e) {
        ModelEntity& x = entity(e);
        for (int c = 0; c < CLASSES; ++c)
            if (x.has[c]) model_take(e, c);
        model_detach(e);
        for (Entity k : x.children) entity(k).parent = NONE;
        x.children.clear();
        x.alive = false;
        for (auto& p : all_systems)
            if (!p->dead && p->tracks(e)) untrack(*p, e);
        x.pending = false;
        alive.erase(std::find(alive.begin(), alive.end(), e));
        auto i = std::find(pending_removals.begin(), pending_removals.end(), e);
        if (i != pending_removals.end()) pending_removals.erase(i);
        model_free(e);
    }
    void model_mark(Entity e) {
        if (!entity(e).pending) {
            entity(e).pending = true;
            pending_removals.push_back(e);
            if (removing) mark_dying(e);
        }
    }
    void mark_dying(Entity e) {
        entity(e).dying = true;
        for (Entity k : entity(e).children) mark_dying(k);
    }
    /// Removes the marked entities and their descendants, breadth first, in the order of marking (E3, H2).
    void model_remove_marked() {
        std::vector<Entity> list = pending_removals;
        for (std::size_t i = 0; i < list.size(); ++i)
            for (Entity k : entity(list[i]).children)
                if (std::find(list.begin(), list.end(), k) == list.end()) list.push_back(k);
        for (Entity e : list) model_destroy(e);
        pending_removals.clear();
    }
    void model_set_parent(Entity c, Entity p, Entity before) {
        ModelEntity& x = entity(c);
        Entity old = x.parent;
        if (old != NONE) {
            auto& k = entity(old).children;
            k.erase(std::find(k.begin(), k.end(), c));
        }
        x.parent = p;
        if (p != NONE) {
            auto& k = entity(p).children;
            k.insert(before == NONE ? k.end() : std::find(k.begin(), k.end(), before), c);
        }
        if (old == p) return;
        if (old == NONE) model_put(c, PARENT, 0);
        else if (p == NONE) model_take(c, PARENT);
        retrack(c);
        for (auto& q : all_systems) {
            ModelSystem& s = *q;
            if (s.dead || !s.tracking) continue;
            if (s.settings.watched >> PARENT & 1) mark_dirty(s, c);
            if (s.settings.ancestors) {
                mark_from_ancestor(s, c);
                mark_descendants(s, c);
            }
        }
    }
};

}  // namespace test::rules_model
