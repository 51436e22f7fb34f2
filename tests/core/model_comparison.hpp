#pragma once
// An ECS and a naive model of the rules, to which the same random operations are applied, also inside callbacks and
// during iterations. Whenever no call is in progress, the two must be equal.
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <utility>

#include "model_system.hpp"

namespace test::model {

class ModelComparison {
public:
    explicit ModelComparison(std::uint32_t seed) : random_(seed) {
        for (int i = 0; i < 4; ++i) add_system();
    }

    void step() {
        budget_ = 12;
        if (chance(4)) update();
        else act();
        compare();
    }

private:
    struct ModelEntity {
        std::map<std::size_t, int> values;
        std::map<std::size_t, int> last;  // also of removed components
        bool removal_pending = false, being_removed = false;
        bool late = false;  // its removal was requested while a system was removed, which is after the removal phase
    };
    class ReportingSystem;

    // --- random choices ---------------------------------------------------------------------------
    std::uint32_t pick(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }
    bool chance(std::size_t one_in) { return pick(one_in) == 0; }
    Entity any_alive() {
        for (int tries = 0; tries < 50 && !entities_.empty(); ++tries) {
            const Entity e = std::next(entities_.begin(), static_cast<std::ptrdiff_t>(pick(entities_.size())))->first;
            if (ecs_.alive(e)) return e;  // the model removes entities later than the ECS does
        }
        return NONE;
    }
    ModelSystem* any_system() {
        std::vector<ModelSystem*> all;
        for (const auto& system : systems_) {
            const auto systems = ecs_.systems();  // without those that were removed at the end of the update
            if (std::find(systems.begin(), systems.end(), system->real) != systems.end()) all.push_back(system.get());
        }
        return all.empty() ? nullptr : all[pick(all.size())];
    }
    /// Some operations, called in callbacks.
    void random_operations() {
        if (depth_ > 4) return;
        for (std::uint32_t n = pick(3); n > 0 && budget_ > 0; --n) act();
    }
    void maybe_throw() {
        if (chance(25)) throw Oops("a callback");
    }

    // --- the model --------------------------------------------------------------------------------
    [[nodiscard]] bool matches(const ModelSystem& system, Entity e) const {
        const auto found = entities_.find(e);
        return found != entities_.end() && matches(system, found->second);
    }
    [[nodiscard]] bool matches(const ModelSystem& system, const ModelEntity& entity) const {
        if (entity.being_removed || clearing_) return false;
        for (const std::size_t c : system.required) {
            if (!entity.values.contains(c)) return false;
        }
        return true;
    }
    void model_mark(std::size_t c, Entity e) {
        for (const auto& system : systems_) {
            if (!system->removed && system->watched.contains(c) && system->tracked.contains(e)) system->mark(e);
        }
    }
    void model_clear() {
        clearing_ = false;
        entities_.clear();
        queue_.clear();
    }

    // --- operations on both -----------------------------------------------------------------------
    template <class F>
    void call(F&& f) {
        ++depth_;
        try {
            f();
        } catch (const Oops&) {  // the operation must be complete nevertheless
        }
        --depth_;
    }

    void act() {
        --budget_;
        const Entity e = any_alive();
        const std::size_t c = pick(CLASSES);
        if (e == NONE || (chance(5) && entities_.size() < 40)) return add_entity();
        switch (pick(20)) {
            case 0: return remove_entity(e);
            case 1: return toggle();
            case 2: return chance(4) ? add_system() : void();
            case 3: return chance(6) ? remove_system() : void();
            case 4: return chance(25) ? clear() : void();
            case 5: return walk_storage(c);
            case 6: return add_to_many(c);
            case 7:
            case 8:
            case 9: return remove(e, c);
            case 10:
            case 11: return dirty(e, c);
            case 12:
            case 13: return queue_mark(e, c);
            default: return add(e, c);
        }
    }
    void add_entity() {
        const Entity e = ecs_.add_entity();
        ASSERT_FALSE(entities_.contains(e));
        ASSERT_TRUE(issued_.insert(e).second) << "a handle was issued twice";
        entities_[e];
        if (chance(3)) compose(e);
    }
    /// Adds several components at once to a new entity, as prefabs do.
    void compose(Entity e) {
        std::vector<std::size_t> chosen;
        std::vector<ComponentId> ids;
        for (std::size_t c = 0; c < CLASSES; ++c) {
            if (!chance(2)) continue;
            chosen.push_back(c);
            ids.push_back(classes()[c]);
            model_add(e, c, static_cast<int>(c));
        }
        struct Context {
            ModelComparison& self;
            std::vector<std::size_t>& chosen;
        } context{*this, chosen};
        const auto fill = [](void* to, std::size_t k, std::size_t, Storage& s, std::uint32_t slot, std::size_t) {
            const auto& [self, classes] = *static_cast<Context*>(to);
            self.write(s, slot, classes[k], static_cast<int>(classes[k]));
        };
        internal::PrefabClasses prefab{.ids = ids};
        call([&] { ecs_.by_id().compose(prefab, std::span(&e, 1), fill, &context); });
    }
    void remove_entity(Entity e) {
        ecs_.remove_entity(e);
        if (std::exchange(entities_[e].removal_pending, true)) return;
        queue_.push_back(e);
        entities_[e].late = detaching_ > 0;
    }
    void model_add(Entity e, std::size_t c, int value) {
        entities_[e].values[c] = entities_[e].last[c] = value;
        model_mark(c, e);
    }
    void write(Storage& s, std::uint32_t slot, std::size_t c, int value) {
        switch (c) {
            case 0: static_cast<TypedStorage<Plain>&>(s).at(slot).value = value; break;
            case 1: static_cast<TypedStorage<Linear>&>(s).at(slot).value = value; break;
            case 2: static_cast<TypedStorage<Owning>&>(s).at(slot).value = text(value); break;
            default: {
                const int next = value + 1;
                alignas(8) std::byte packed[16] = {};
                std::memcpy(packed, &value, sizeof value);
                std::memcpy(packed + 8, &next, sizeof next);
                s.write_packed(slot, packed);
            }
        }
    }
    void add(Entity e, std::size_t c) {
        const int value = static_cast<int>(pick(1000));
        model_add(e, c, value);
        call([&] {
            if (c == 0) return ecs_.add(e, Plain{value});
            if (c == 1) return ecs_.add(e, Linear{value});
            ecs_.by_id().add(std::span(&e, 1), classes()[c],
                             [&](std::size_t, Storage& s, std::uint32_t slot) { write(s, slot, c, value); });
        });
    }
    void add_to_many(std::size_t c) {
        Ids some;
        for (int i = 0; i < 4; ++i) some.push_back(any_alive());
        if (std::find(some.begin(), some.end(), NONE) != some.end()) return;
        for (std::size_t i = 0; i < some.size(); ++i) model_add(some[i], c, static_cast<int>(i));
        call([&] {
            ecs_.by_id().add(some, classes()[c], [&](std::size_t i, Storage& s, std::uint32_t slot) {
                write(s, slot, c, static_cast<int>(i));
            });
        });
    }
    void remove(Entity e, std::size_t c) {
        const bool present = entities_[e].values.erase(c) > 0;
        if (present) {
            for (ModelSystem::Walk* walk : storage_walks_[c]) {
                walk->remaining.erase(e);
                walk->visited.erase(e);
            }
            for (const auto& system : systems_) {
                if (!system->removed && system->watched.contains(c) && system->tracked.contains(e) &&
                    matches(*system, e))
                    system->mark(e);
            }
        }
        call([&] { EXPECT_EQ(ecs_.by_id().remove(e, classes()[c]), present); });
    }
    void dirty(Entity e, std::size_t c) {
        if (!entities_[e].values.contains(c)) {
            EXPECT_ERROR(ecs_.by_id().dirty(e, classes()[c]), ErrorCode::missing_component);
            return;
        }
        model_mark(c, e);
        ecs_.by_id().dirty(e, classes()[c]);
    }
    /// Appends a mark in memory, as a language binding does.
    void queue_mark(Entity e, std::size_t c) {
        if (!entities_[e].values.contains(c)) return;
        model_mark(c, e);
        test::queue_mark(ecs_, classes()[c], e);
    }
    void toggle() {
        ModelSystem* system = any_system();
        if (system == nullptr) return;
        system->enabled = !system->enabled;
        system->toggled = true;
        call([&] { ecs_.toggle_system(*system->real); });
    }
    void add_system();
    void remove_system() {
        ModelSystem* system = any_system();
        if (system == nullptr || systems_.size() < 3) return;
        if (updating_) system->removal_pending = true;
        else system->removed = true;
        call([&] { ecs_.remove_system(*system->real); });
    }
    void clear() {
        if (in_clear_) return ecs_.clear();  // has no effect
        in_clear_ = clearing_ = true;
        call([&] { ecs_.clear(); });
        if (clearing_) model_clear();  // no system has called it in on_clear
        in_clear_ = false;
    }
    void walk_storage(std::size_t c);
    void update() {
        for (const auto& system : systems_) {
            system->runs = 0;
            system->toggled = system->added = false;
        }
        paused_ = chance(6);
        aborted_ = false;
        last_run_ = -1e9;
        ecs_.set_paused(paused_);
        updating_ = true;
        call([&] { ecs_.update(0.1); });
        updating_ = false;
        for (const auto& system : systems_) {
            if (system->added || paused_) {
                EXPECT_EQ(system->runs, 0);
            } else if (!system->removed && !system->toggled && !aborted_) {
                EXPECT_EQ(system->runs, system->enabled ? 1 : 0);
            }
            if (system->removal_pending) system->removed = true;
        }
        if (aborted_) return;  // removals stay pending
        std::erase_if(queue_, [&](Entity e) {
            if (std::exchange(entities_[e].late, false) && ecs_.alive(e)) return false;  // removed in the next update
            entities_.erase(e);
            return true;
        });
    }

    // --- callbacks of the ECS ---------------------------------------------------------------------
    void read_all(const ModelSystem& system, const Aspect& aspect);
    void on_add(ModelSystem& system, Aspect& aspect) {
        const Entity e = aspect.entity();
        EXPECT_FALSE(system.removed);
        EXPECT_TRUE(matches(system, e)) << describe(e);
        EXPECT_TRUE(system.tracked.insert(e).second) << "added twice";
        if (!system.watched.empty()) system.mark(e);
        EXPECT_TRUE(system.real->tracks(e));
        read_all(system, aspect);
        random_operations();
        maybe_throw();
    }
    void on_remove(ModelSystem& system, Aspect& aspect) {
        const Entity e = aspect.entity();
        EXPECT_TRUE(system.tracked.contains(e)) << "removed twice";
        system.erase(e);
        if (matches(system, e) && !system.removed && !system.removal_pending) {
            EXPECT_TRUE(entities_[e].removal_pending && updating_) << "no reason to stop tracking it";
            entities_[e].being_removed = true;
        }
        EXPECT_FALSE(system.real->tracks(e));
        EXPECT_TRUE(ecs_.alive(e));
        read_all(system, aspect);
        const int detaching = system.removal_pending ? 1 : 0;
        detaching_ += detaching;
        random_operations();
        detaching_ -= detaching;
        maybe_throw();
    }
    void on_update(ModelSystem& system, Entities<Aspect>& entities, DirtySet& dirty) {
        EXPECT_EQ(++system.runs, 1);
        EXPECT_TRUE(system.enabled && !paused_ && !system.added && !aborted_);
        EXPECT_GE(system.real->priority(), last_run_);
        last_run_ = system.real->priority();
        for (ModelSystem::Entry& entry : system.dirty) entry.visited = true;
        compare_dirty(system);
        for (std::uint32_t n = pick(3); n > 0; --n) {
            if (chance(2)) walk_dirty(system, dirty);
            else walk_entities(system, entities);
        }
        random_operations();
        if (chance(15)) {
            aborted_ = true;
            throw Oops("update");
        }
        std::erase_if(system.dirty, [](const ModelSystem::Entry& entry) { return entry.visited; });
    }
    void walk_dirty(ModelSystem& system, DirtySet& dirty);
    void walk_entities(ModelSystem& system, Entities<Aspect>& entities);
    void walk_entities_inside(ModelSystem& system, Entities<Aspect>& entities) {
        if (system.walks.size() < 3) walk_entities(system, entities);
    }

    // --- comparing --------------------------------------------------------------------------------
    void compare_dirty(ModelSystem& system) {
        Ids model;
        for (const ModelSystem::Entry& entry : system.dirty) model.push_back(entry.entity);
        Ids real = copy(system.real->dirty_set().ids());
        if (system.dirty.empty()) system.ordered = true;
        if (!system.ordered) {
            std::sort(model.begin(), model.end());
            std::sort(real.begin(), real.end());
        }
        ASSERT_EQ(real, model);
    }
    [[nodiscard]] bool has_value(Entity e, std::size_t c, int value) {
        const Storage& s = *ecs_.by_id().find_storage(classes()[c]);
        int stored[2] = {};
        switch (c) {
            case 0: return ecs_.get<Plain>(e).value == value;
            case 1: return ecs_.get<Linear>(e).value == value;
            case 2: return ecs_.get<Owning>(e).value == text(value);
            default:
                std::memcpy(stored, s.control().columns[0] + 8 * s.slot(e), 8);
                return stored[0] == value && stored[1] == value + 1;
        }
    }
    [[nodiscard]] bool same_values(Entity e, const ModelEntity& entity) {
        for (std::size_t c = 0; c < CLASSES; ++c) {
            const auto found = entity.values.find(c);
            if (ecs_.by_id().has(e, classes()[c]) != (found != entity.values.end())) return false;
            if (found != entity.values.end() && !has_value(e, c, found->second)) return false;
        }
        return true;
    }
    void compare() {
        ASSERT_EQ(ecs_.count(), entities_.size());
        std::array<std::size_t, CLASSES> counts{};
        for (const auto& [e, entity] : entities_) {
            ASSERT_TRUE(ecs_.alive(e));
            ASSERT_TRUE(same_values(e, entity)) << describe(e);
            for (const auto& [c, value] : entity.values) ++counts[c];
        }
        for (std::size_t c = 0; c < CLASSES; ++c) {
            ASSERT_EQ(ecs_.by_id().storage(classes()[c]).count(), counts[c]);
            ASSERT_EQ(ecs_.by_id().storage(classes()[c]).parked_count(), 0u);
        }
        std::erase_if(systems_, [](const auto& system) { return system->removed; });
        ASSERT_EQ(ecs_.systems().size(), systems_.size());
        for (const auto& system : systems_) {
            std::set<Entity> should;
            for (const auto& [e, entity] : entities_) {
                if (matches(*system, entity)) should.insert(should.end(), e);
            }
            ASSERT_EQ(system->tracked, should);
            const Ids real = copy(system->real->tracked().entities());
            ASSERT_EQ(std::set(real.begin(), real.end()), should);
            ASSERT_EQ(system->real->enabled(), system->enabled);
            compare_dirty(*system);
        }
    }

    std::mt19937 random_;
    ECS ecs_;
    std::map<Entity, ModelEntity> entities_;
    std::set<Entity> issued_;
    Ids queue_;
    std::vector<std::unique_ptr<ModelSystem>> systems_;
    std::array<std::vector<ModelSystem::Walk*>, CLASSES> storage_walks_;
    int budget_ = 0, depth_ = 0, detaching_ = 0;
    double last_run_ = 0;
    bool updating_ = false, paused_ = false, aborted_ = false, in_clear_ = false, clearing_ = false;
};

}  // namespace test::model
