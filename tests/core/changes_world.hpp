// What the tests of changes share (rules N5, N6): classes, and an ECS with a replica.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

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

struct Route {  // only its codec can read it
    std::vector<std::uint8_t> stops;
};

inline void describe_all() {
    describe_component<Place>("changes.Place").field("x", &Place::x).field("y", &Place::y);
    describe_component<Life>("changes.Life").field("points", &Life::points).field("hurt", &Life::hurt);
    describe_component<Aim>("changes.Aim").field("at", &Aim::at).field("way", &Aim::way);
    describe_component<Chase>("changes.Chase").field("prey", &Chase::prey);
    describe_component<Called>("changes.Called").field("name", &Called::name);
    describe_component<Flag>("changes.Flag");
    describe_component<Route>("changes.Route")
        .codec<[](const Route& route) {
            const auto bytes = std::as_bytes(std::span(route.stops));
            return std::vector<std::byte>(bytes.begin(), bytes.end());
        },
               [](std::span<const std::byte> bytes) {
                   Route route;
                   for (const std::byte b : bytes) route.stops.push_back(static_cast<std::uint8_t>(b));
                   return route;
               }>();
    describe_component<Level>("changes.Level").field("number", &Level::number).policy(Policy::linear);
}
inline const ChangesOptions EVERYTHING{{"changes.Place", "changes.Life", "changes.Aim", "changes.Chase",
                                        "changes.Called", "changes.Flag", "changes.Level", "changes.Route"},
                                       {}};

/// What of an ECS is compared, in terms of the sender's handles.
struct View {
    std::map<std::uint32_t, std::string> entities;
    bool operator==(const View&) const = default;
};
/// Without the entities that are `kept`, of which only what refers to them is known.
template <class Known>
[[nodiscard]] View view_of(ECS& ecs, const std::vector<Entity>& all, Known&& remote,
                           const std::set<Entity>& kept = {}) {
    View view;
    for (const Entity e : all) {
        if (!ecs.alive(e)) continue;
        std::string text;
        const auto name = [&](Entity other) {
            if (other == NONE || !ecs.alive(other)) return std::string("-");
            const Entity known = remote(other);
            return known == NONE ? std::string("-") : std::to_string(static_cast<std::uint32_t>(known));
        };
        if (const auto* c = ecs.try_get<Place>(e)) text += "P" + std::to_string(c->x) + "," + std::to_string(c->y);
        if (const auto* c = ecs.try_get<Life>(e)) text += "L" + std::to_string(c->points) + (c->hurt ? "h" : "");
        if (const auto* c = ecs.try_get<Aim>(e)) text += "A" + name(c->at) + "," + std::to_string(c->way[1]);
        if (const auto* c = ecs.try_get<Chase>(e)) text += "C" + name(c->prey);
        if (const auto* c = ecs.try_get<Called>(e)) text += "S" + std::string(ecs.text(c->name));
        if (ecs.has<Flag>(e)) text += "F";
        if (const auto* c = ecs.try_get<Route>(e)) {
            text += "R";
            for (const std::uint8_t stop : c->stops) text += std::to_string(stop) + ",";
        }
        if (const auto* c = ecs.try_get<Level>(e)) text += "V" + std::to_string(c->number);
        text += "^" + name(ecs.parent(e)) + ":";
        for (const Entity child : ecs.children(e)) {
            if (name(child) != "-" && !kept.contains(remote(child))) text += name(child) + " ";
        }
        if (const Entity known = remote(e); known != NONE && !kept.contains(known))
            view.entities[static_cast<std::uint32_t>(known)] = text;
    }
    return view;
}

/// A source, one receiver and a replica in another ECS.
struct Pair {
    explicit Pair(Channel channel = Channel::reliable) {
        describe_all();
        changes.emplace(from, EVERYTHING);
        receiver.emplace(changes->receiver(Selection::all, channel));
        replica.emplace(to);
    }
    std::size_t send() {
        const auto bytes = receiver->take();
        if (!bytes.empty()) replica->apply(bytes);
        return bytes.size();
    }
    /// Of these entities of the source, those that have arrived are the same here, and nothing else is here.
    [[nodiscard]] bool same(const std::vector<Entity>& all) {
        std::vector<Entity> here;
        for (const Entity e : all) {
            if (replica->entity(e) != NONE) here.push_back(replica->entity(e));
        }
        const auto itself = [&](Entity e) { return replica->entity(e) == NONE ? NONE : e; };
        const auto remote = [&](Entity e) { return replica->remote(e); };
        return view_of(from, all, itself) == view_of(to, here, remote) && to.count() == here.size();
    }
    ECS from;
    ECS to;
    std::optional<Changes> changes;
    std::optional<Receiver> receiver;
    std::optional<Replica> replica;
};

}  // namespace crateful::test_changes
