// What the tests of changes share (rules N5, N6): classes, and an ECS with a replica.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "crateful/changes.hpp"
#include "crateful/ecs.hpp"

namespace crateful::test_changes {

struct Place {
    float x = 0;
    float y = 0;
};
struct Life {
    std::int32_t points = 3;
    bool hurt = false;
};
struct Aim {
    Entity at = NONE;
    std::array<float, 3> way{};
};
struct Chase {
    Link prey;
};
struct Called {
    String name;
};
struct Flag {};
struct Level {  // linear
    std::uint16_t number = 4;
};

inline void describe_all() {
    describe_component<Place>("changes.Place").field("x", &Place::x).field("y", &Place::y);
    describe_component<Life>("changes.Life").field("points", &Life::points).field("hurt", &Life::hurt);
    describe_component<Aim>("changes.Aim").field("at", &Aim::at).field("way", &Aim::way);
    describe_component<Chase>("changes.Chase").field("prey", &Chase::prey);
    describe_component<Called>("changes.Called").field("name", &Called::name);
    describe_component<Flag>("changes.Flag");
    describe_component<Level>("changes.Level").field("number", &Level::number).policy(Policy::linear);
}
inline const ChangesOptions EVERYTHING{{"changes.Place", "changes.Life", "changes.Aim", "changes.Chase",
                                        "changes.Called", "changes.Flag", "changes.Level"},
                                       {}};

/// A source, one receiver and a replica in another ECS.
struct Pair {
    Pair() {
        describe_all();
        changes.emplace(from, EVERYTHING);
        receiver.emplace(changes->receiver());
        replica.emplace(to);
    }
    std::size_t send() {
        const auto bytes = receiver->take();
        if (!bytes.empty()) replica->apply(bytes);
        return bytes.size();
    }
    ECS from;
    ECS to;
    std::optional<Changes> changes;
    std::optional<Receiver> receiver;
    std::optional<Replica> replica;
};

}  // namespace crateful::test_changes
