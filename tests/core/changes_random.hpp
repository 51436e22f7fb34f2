// Random changes of an ECS, for the model tests of changes (rules N5, N6).
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "changes_world.hpp"
#include "crateful/ecs.hpp"
#include "crateful/state.hpp"

namespace crateful::test_changes {

/// Changes an ECS at random: entities, components of each kind, references, the hierarchy, `clear`, and `restore`.
class RandomWorld {
public:
    RandomWorld(ECS& ecs, std::uint32_t seed) : ecs_(ecs), random_(seed), all_{ecs.world()} {}

    [[nodiscard]] std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
    [[nodiscard]] const std::vector<Entity>& all() const { return all_; }
    [[nodiscard]] Entity any() { return all_[below(all_.size())]; }
    /// Whether the entity was alive during the whole last step.
    [[nodiscard]] bool stayed(Entity e) const { return stayed_.contains(e); }
    [[nodiscard]] float number() {
        constexpr std::array<float, 5> NUMBERS{0, -0.0F, std::numeric_limits<float>::quiet_NaN(), 1, 2};
        return NUMBERS[below(NUMBERS.size())];
    }
    /// Up to eleven changes.
    void step() {
        stayed_ = {all_.begin(), all_.end()};
        for (std::size_t k = below(12); k > 0; --k) change();
        if (below(30) == 0) saved_ = snapshot(ecs_);
        if (below(60) == 0 && !saved_.empty()) go_back();
    }

private:
    void add(Entity e) {
        switch (below(8)) {
            case 7: ecs_.add<Route>(e, {std::vector<std::uint8_t>(below(4), 7)}); break;
            case 0: ecs_.add<Place>(e, {number(), 1}); break;
            case 1: ecs_.add<Life>(e, {static_cast<std::int32_t>(below(5)), below(2) == 0}); break;
            case 2: ecs_.add<Aim>(e, {any(), {0, static_cast<float>(below(3)), 0}}); break;
            case 3: ecs_.add<Chase>(e, {Link(any())}); break;
            case 4: ecs_.add<Called>(e, {ecs_.string("n" + std::to_string(below(50)))}); break;
            case 5: ecs_.add<Flag>(e, {}); break;
            default: ecs_.add<Level>(e, {static_cast<std::uint16_t>(below(9))}); break;
        }
    }
    void remove(Entity e) {
        switch (below(8)) {
            case 7: ecs_.remove<Route>(e); break;
            case 0: ecs_.remove<Place>(e); break;
            case 1: ecs_.remove<Life>(e); break;
            case 2: ecs_.remove<Aim>(e); break;
            case 3: ecs_.remove<Chase>(e); break;
            case 4: ecs_.remove<Called>(e); break;
            case 5: ecs_.remove<Flag>(e); break;
            default: ecs_.remove<Level>(e); break;
        }
    }
    void change() {
        const Entity e = any();
        switch (below(12)) {
            case 0:
            case 1:
                if (all_.size() < 40) all_.push_back(ecs_.add_entity());
                break;
            case 2:
            case 3:
            case 4: add(e); break;
            case 5: remove(e); break;
            case 6:
                if (ecs_.has<Place>(e)) ecs_.modify<Place>(e, [&](Place& p) { p.y = number(); });
                else if (ecs_.has<Aim>(e)) ecs_.set(e, Aim{any(), {0, number(), 0}});
                break;
            case 7:
                if (ecs_.has<Aim>(e)) ecs_.modify<Aim>(e, [&](Aim& a) { a.at = below(3) == 0 ? NONE : any(); });
                break;
            case 8:
            case 9: {
                const Entity parent = below(4) == 0 ? NONE : any();
                Entity before = NONE;
                if (parent != NONE && below(2) == 0) {
                    for (const Entity child : ecs_.children(parent)) {
                        if (before == NONE || below(2) == 0) before = child;
                    }
                }
                try {
                    ecs_.set_parent(e, parent, before);
                } catch (const Error&) {
                }
                break;
            }
            case 10:
                if (e != ecs_.world()) {
                    ecs_.remove_entity(e);
                    ecs_.remove_marked();
                }
                break;
            default:
                if (below(20) == 0) ecs_.clear();
                break;
        }
        forget_removed();
    }
    void go_back() {
        restore(ecs_, saved_);
        for (std::uint32_t i = 0; i < 200; ++i) {
            const Entity e = ecs_.by_id().pool().at(i);
            if (e != NONE && std::find(all_.begin(), all_.end(), e) == all_.end()) all_.push_back(e);
        }
        forget_removed();
    }
    void forget_removed() {
        std::erase_if(all_, [&](Entity each) { return !ecs_.alive(each); });
        std::erase_if(stayed_, [&](Entity each) { return !ecs_.alive(each); });
    }

    ECS& ecs_;
    std::mt19937 random_;
    std::vector<Entity> all_;
    std::set<Entity> stayed_;
    std::vector<std::byte> saved_;
};

}  // namespace crateful::test_changes
