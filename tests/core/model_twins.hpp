#pragma once
// A world and a naive model of the rules that go through the same random operations, also inside
// callbacks and during iteration; whenever no call is under way, the two have to agree.
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <utility>

#include "model_seat.hpp"

namespace test::model {

class Twins {
public:
    explicit Twins(std::uint32_t seed) : random_(seed) {
        for (int i = 0; i < 4; ++i) add_system();
    }

    void step() {
        budget_ = 12;
        if (chance(4)) update();
        else act();
        compare();
    }

private:
    struct Life {
        std::map<std::size_t, int> values;
        std::map<std::size_t, int> last;  // also of removed ones
        bool marked = false, leaving = false;
        bool late = false;  // marked by a system that leaves after the sweep, or during it
    };
    class Player;

    // --- dice -------------------------------------------------------------------------------------
    std::uint32_t pick(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }
    bool chance(std::size_t one_in) { return pick(one_in) == 0; }
    Entity any_alive() {
        for (int tries = 0; tries < 50 && !lives_.empty(); ++tries) {
            const Entity e = std::next(lives_.begin(), static_cast<std::ptrdiff_t>(pick(lives_.size())))->first;
            if (ecs_.alive(e)) return e;  // the model buries its dead later than a sweep does
        }
        return NONE;
    }
    Seat* any_seat() {
        std::vector<Seat*> all;
        for (const auto& seat : seats_) {
            const auto there = ecs_.systems();  // one that leaves at the end of an update may be gone already
            if (std::find(there.begin(), there.end(), seat->system) != there.end()) all.push_back(seat.get());
        }
        return all.empty() ? nullptr : all[pick(all.size())];
    }
    /// What callbacks do while they are at it.
    void mischief() {
        if (depth_ > 4) return;
        for (std::uint32_t n = pick(3); n > 0 && budget_ > 0; --n) act();
    }
    void maybe_throw() {
        if (chance(25)) throw Oops("a callback");
    }

    // --- the model --------------------------------------------------------------------------------
    [[nodiscard]] bool matches(const Seat& seat, Entity e) const {
        const auto found = lives_.find(e);
        return found != lives_.end() && matches(seat, found->second);
    }
    [[nodiscard]] bool matches(const Seat& seat, const Life& life) const {
        if (life.leaving || clearing_) return false;
        for (const std::size_t c : seat.required) {
            if (!life.values.contains(c)) return false;
        }
        return true;
    }
    void model_mark(std::size_t c, Entity e) {
        for (const auto& seat : seats_) {
            if (!seat->removed && seat->watched.contains(c) && seat->tracked.contains(e)) seat->mark(e);
        }
    }
    void model_clear() {
        clearing_ = false;
        lives_.clear();
        queue_.clear();
    }

    // --- operations on both -----------------------------------------------------------------------
    template <class F>
    void call(F&& f) {
        ++depth_;
        try {
            f();
        } catch (const Oops&) {  // the operation has to be complete all the same
        }
        --depth_;
    }

    void act() {
        --budget_;
        const Entity e = any_alive();
        const std::size_t c = pick(CLASSES);
        if (e == NONE || (chance(5) && lives_.size() < 40)) return add_entity();
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
        ASSERT_FALSE(lives_.contains(e));
        ASSERT_TRUE(issued_.insert(e).second) << "a handle came back";
        lives_[e];
    }
    void remove_entity(Entity e) {
        ecs_.remove_entity(e);
        if (std::exchange(lives_[e].marked, true)) return;
        queue_.push_back(e);
        lives_[e].late = detaching_ > 0;
    }
    void model_add(Entity e, std::size_t c, int value) {
        lives_[e].values[c] = lives_[e].last[c] = value;
        model_mark(c, e);
    }
    void write(Storage& s, std::uint32_t slot, std::size_t c, int value) {
        switch (c) {
            case 0: static_cast<TypedStorage<Plain>&>(s).at(slot).value = value; break;
            case 1: static_cast<TypedStorage<Linear>&>(s).at(slot).value = value; break;
            case 2: static_cast<TypedStorage<Owning>&>(s).at(slot).value = text(value); break;
            default: {
                alignas(8) std::byte row[8] = {};
                std::memcpy(row, &value, sizeof value);
                s.write_row(slot, row);
            }
        }
    }
    void add(Entity e, std::size_t c) {
        const int value = static_cast<int>(pick(1000));
        model_add(e, c, value);
        call([&] {
            ecs_.add_components(std::span(&e, 1), classes()[c],
                                [&](std::size_t, Storage& s, std::uint32_t slot) { write(s, slot, c, value); });
        });
    }
    void add_to_many(std::size_t c) {
        Ids some;
        for (int i = 0; i < 4; ++i) some.push_back(any_alive());
        if (std::find(some.begin(), some.end(), NONE) != some.end()) return;
        for (std::size_t i = 0; i < some.size(); ++i) model_add(some[i], c, static_cast<int>(i));
        call([&] {
            ecs_.add_components(some, classes()[c], [&](std::size_t i, Storage& s, std::uint32_t slot) {
                write(s, slot, c, static_cast<int>(i));
            });
        });
    }
    void remove(Entity e, std::size_t c) {
        const bool there = lives_[e].values.erase(c) > 0;
        if (there) {
            for (Seat::Walk* walk : storage_walks_[c]) {
                walk->owed.erase(e);
                walk->visited.erase(e);
            }
            for (const auto& seat : seats_) {
                if (!seat->removed && seat->watched.contains(c) && seat->tracked.contains(e) && matches(*seat, e))
                    seat->mark(e);
            }
        }
        call([&] { EXPECT_EQ(ecs_.remove_component(e, classes()[c]), there); });
    }
    void dirty(Entity e, std::size_t c) {
        if (!lives_[e].values.contains(c)) {
            EXPECT_ERROR(ecs_.mark_dirty(e, classes()[c]), ErrorCode::missing_component);
            return;
        }
        model_mark(c, e);
        ecs_.mark_dirty(e, classes()[c]);
    }
    /// As another language does it, in memory.
    void queue_mark(Entity e, std::size_t c) {
        if (!lives_[e].values.contains(c)) return;
        model_mark(c, e);
        Storage& s = ecs_.storage(classes()[c]);
        std::uint8_t& flags = s.flags(s.slot(e));
        if (s.control().watchers == 0 || (flags & Storage::QUEUED) != 0) return;
        flags |= Storage::QUEUED;
        auto& control = const_cast<MarkQueue::Control&>(ecs_.marks().control());
        *control.next++ = {classes()[c], e, s.slot(e)};
    }
    void toggle() {
        Seat* seat = any_seat();
        if (seat == nullptr) return;
        seat->enabled = !seat->enabled;
        seat->toggled = true;
        call([&] { ecs_.toggle_system(*seat->system); });
    }
    void add_system();
    void remove_system() {
        Seat* seat = any_seat();
        if (seat == nullptr || seats_.size() < 3) return;
        if (updating_) seat->leaving = true;
        else seat->removed = true;
        call([&] { ecs_.remove_system(*seat->system); });
    }
    void clear() {
        if (in_clear_) return ecs_.clear();  // changes nothing more
        in_clear_ = clearing_ = true;
        call([&] { ecs_.clear(); });
        if (clearing_) model_clear();  // nobody's on_clear said that all are gone
        in_clear_ = false;
    }
    void walk_storage(std::size_t c);
    void update() {
        for (const auto& seat : seats_) {
            seat->runs = 0;
            seat->toggled = seat->fresh = false;
        }
        paused_ = chance(6);
        aborted_ = false;
        last_run_ = -1e9;
        ecs_.set_paused(paused_);
        updating_ = true;
        call([&] { ecs_.update(0.1); });
        updating_ = false;
        for (const auto& seat : seats_) {
            if (seat->fresh || paused_) {
                EXPECT_EQ(seat->runs, 0);
            } else if (!seat->removed && !seat->toggled && !aborted_) {
                EXPECT_EQ(seat->runs, seat->enabled ? 1 : 0);
            }
            if (seat->leaving) seat->removed = true;
        }
        if (aborted_) return;  // removals wait
        std::erase_if(queue_, [&](Entity e) {
            if (std::exchange(lives_[e].late, false) && ecs_.alive(e)) return false;  // goes with the next
            lives_.erase(e);
            return true;
        });
    }

    // --- what the world says ----------------------------------------------------------------------
    void read_all(const Seat& seat, const Aspect& aspect);
    void entered(Seat& seat, Aspect& aspect) {
        const Entity e = aspect.entity();
        EXPECT_FALSE(seat.removed);
        EXPECT_TRUE(matches(seat, e)) << describe(e);
        EXPECT_TRUE(seat.tracked.insert(e).second) << "added twice";
        if (!seat.watched.empty()) seat.mark(e);
        EXPECT_TRUE(seat.system->tracks(e));
        read_all(seat, aspect);
        mischief();
        maybe_throw();
    }
    void left(Seat& seat, Aspect& aspect) {
        const Entity e = aspect.entity();
        EXPECT_TRUE(seat.tracked.contains(e)) << "removed twice";
        seat.erase(e);
        if (matches(seat, e) && !seat.removed && !seat.leaving) {
            EXPECT_TRUE(lives_[e].marked && updating_) << "no reason to leave";
            lives_[e].leaving = true;
        }
        EXPECT_FALSE(seat.system->tracks(e));
        EXPECT_TRUE(ecs_.alive(e));
        read_all(seat, aspect);
        const int detaching = seat.leaving ? 1 : 0;
        detaching_ += detaching;
        mischief();
        detaching_ -= detaching;
        maybe_throw();
    }
    void ran(Seat& seat, Entities<Aspect>& entities, DirtySet& dirty) {
        EXPECT_EQ(++seat.runs, 1);
        EXPECT_TRUE(seat.enabled && !paused_ && !seat.fresh && !aborted_);
        EXPECT_GE(seat.system->priority(), last_run_);
        last_run_ = seat.system->priority();
        for (Seat::Entry& entry : seat.dirty) entry.seen = true;
        compare_dirty(seat);
        for (std::uint32_t n = pick(3); n > 0; --n) {
            if (chance(2)) walk_dirty(seat, dirty);
            else walk_entities(seat, entities);
        }
        mischief();
        if (chance(15)) {
            aborted_ = true;
            throw Oops("update");
        }
        std::erase_if(seat.dirty, [](const Seat::Entry& entry) { return entry.seen; });
    }
    void walk_dirty(Seat& seat, DirtySet& dirty);
    void walk_entities(Seat& seat, Entities<Aspect>& entities);
    void walk_entities_inside(Seat& seat, Entities<Aspect>& entities) {
        if (seat.walks.size() < 3) walk_entities(seat, entities);
    }

    // --- comparing --------------------------------------------------------------------------------
    void compare_dirty(Seat& seat) {
        Ids model;
        for (const Seat::Entry& entry : seat.dirty) model.push_back(entry.entity);
        Ids real = copy(seat.system->dirty_set().ids());
        if (seat.dirty.empty()) seat.ordered = true;
        if (!seat.ordered) {
            std::sort(model.begin(), model.end());
            std::sort(real.begin(), real.end());
        }
        ASSERT_EQ(real, model);
    }
    [[nodiscard]] bool has_value(Entity e, std::size_t c, int value) const {
        const Storage& s = *ecs_.find_storage(classes()[c]);
        int stored = 0;
        switch (c) {
            case 0: return ecs_.get<Plain>(e).value == value;
            case 1: return ecs_.get<Linear>(e).value == value;
            case 2: return ecs_.get<Owning>(e).value == text(value);
            default: std::memcpy(&stored, s.control().columns[0] + 4 * s.slot(e), 4); return stored == value;
        }
    }
    [[nodiscard]] bool same_values(Entity e, const Life& life) const {
        for (std::size_t c = 0; c < CLASSES; ++c) {
            const auto found = life.values.find(c);
            if (ecs_.has_component(e, classes()[c]) != (found != life.values.end())) return false;
            if (found != life.values.end() && !has_value(e, c, found->second)) return false;
        }
        return true;
    }
    void compare() {
        ASSERT_EQ(ecs_.count(), lives_.size());
        std::array<std::size_t, CLASSES> counts{};
        for (const auto& [e, life] : lives_) {
            ASSERT_TRUE(ecs_.alive(e));
            ASSERT_TRUE(same_values(e, life)) << describe(e);
            for (const auto& [c, value] : life.values) ++counts[c];
        }
        for (std::size_t c = 0; c < CLASSES; ++c) {
            ASSERT_EQ(ecs_.storage(classes()[c]).count(), counts[c]);
            ASSERT_EQ(ecs_.storage(classes()[c]).parked_count(), 0u);
        }
        std::erase_if(seats_, [](const auto& seat) { return seat->removed; });
        ASSERT_EQ(ecs_.systems().size(), seats_.size());
        for (const auto& seat : seats_) {
            std::set<Entity> should;
            for (const auto& [e, life] : lives_) {
                if (matches(*seat, life)) should.insert(should.end(), e);
            }
            ASSERT_EQ(seat->tracked, should);
            const Ids real = copy(seat->system->tracked().entities());
            ASSERT_EQ(std::set(real.begin(), real.end()), should);
            ASSERT_EQ(seat->system->enabled(), seat->enabled);
            compare_dirty(*seat);
        }
    }

    std::mt19937 random_;
    ECS ecs_;
    std::map<Entity, Life> lives_;
    std::set<Entity> issued_;
    Ids queue_;
    std::vector<std::unique_ptr<Seat>> seats_;
    std::array<std::vector<Seat::Walk*>, CLASSES> storage_walks_;
    int budget_ = 0, depth_ = 0, detaching_ = 0;
    double last_run_ = 0;
    bool updating_ = false, paused_ = false, aborted_ = false, in_clear_ = false, clearing_ = false;
};

}  // namespace test::model
