// Random worlds for the tests of snapshots.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "crateful/ecs.hpp"
#include "crateful/state.hpp"

namespace crateful::test_state {

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
struct Flag {};
struct Everywhere {  // linear
    std::uint16_t level = 4;
};
struct Part {
    float shown = 1;
    float hidden = 2;  // not described
};
struct Chase {
    Link prey;
};
struct Called {
    String name;
    std::uint16_t number = 0;
};
inline void describe_all() {
    describe_component<Place>("state.Place").field("x", &Place::x).field("y", &Place::y);
    describe_component<Life>("state.Life").field("points", &Life::points).field("hurt", &Life::hurt);
    describe_component<Aim>("state.Aim").field("at", &Aim::at).field("way", &Aim::way);
    describe_component<Flag>("state.Flag");
    describe_component<Everywhere>("state.Everywhere").field("level", &Everywhere::level).policy(Policy::linear);
    describe_component<Part>("state.Part").field("shown", &Part::shown);
    describe_component<Chase>("state.Chase").field("prey", &Chase::prey);
    describe_component<Called>("state.Called").field("name", &Called::name).field("number", &Called::number);
}

// A stored class, as other languages add them: a vector and an enum.
inline ComponentId stored_class() {
    static const ComponentId id =
        registry::add_stored("state.Stored", {{"at", FieldType::f32},
                                              {"", FieldType::f32, 0, {}, true},
                                              {"mood", FieldType::u8, 0, {}, false, {"calm", "glad"}}});
    return id;
}
inline void add_stored(ECS& ecs, Entity e, float x) {
    std::array<std::uint64_t, 3> packed{};
    std::memcpy(packed.data(), &x, 4);
    packed[2] = x > 2 ? 1 : 0;
    ecs.by_id().add(e, stored_class(), reinterpret_cast<const std::byte*>(packed.data()));
}

// What an ECS contains that a snapshot does not name: which entities refer to which, and a sorted query.
inline std::vector<Entity> derived(ECS& ecs) {
    std::vector<Entity> found;
    ecs.by_id().pool().each([&](Entity e) {
        for (const Entity source : ecs.linked<Chase>(e)) found.push_back(source);
        found.push_back(NONE);
        for (const Entity child : ecs.children(e)) found.push_back(child);
    });
    for (auto [e, place] : ecs.query<const Place>(order_by(&Place::x))) found.push_back(e);
    return found;
}

// A random world; returns what is alive.
inline std::vector<Entity> fill(ECS& ecs, std::uint32_t seed, int operations) {
    std::mt19937 random(seed);
    std::vector<Entity> all;
    const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    for (int k = 0; k < operations; ++k) {
        const std::size_t what = pick(18);
        if (all.empty() || what < 3) {
            all.push_back(ecs.add_entity());
            continue;
        }
        const Entity e = all[pick(all.size())];
        switch (what) {
            case 3: ecs.add(e, Place{static_cast<float>(pick(100)), 1}); break;
            case 4: ecs.add(e, Life{static_cast<int>(pick(100)), pick(2) == 0}); break;
            case 5: ecs.add(e, Aim{all[pick(all.size())], {1, 2, static_cast<float>(pick(9))}}); break;
            case 6: ecs.add(e, Flag{}); break;
            case 7: ecs.remove<Flag>(e); break;
            case 8: ecs.remove<Place>(e); break;
            case 9: {
                const Entity parent = all[pick(all.size())];
                bool possible = true;
                for (Entity at = parent; at != NONE; at = ecs.parent(at)) possible = possible && at != e;
                if (possible) ecs.set_parent(e, parent);
                break;
            }
            case 12: ecs.add(e, Everywhere{static_cast<std::uint16_t>(pick(9))}); break;
            case 13: ecs.add(e, Chase{Link{all[pick(all.size())]}}); break;
            case 14: add_stored(ecs, e, static_cast<float>(pick(5))); break;
            case 15: ecs.remove<Everywhere>(e); break;
            case 16: ecs.remove<Chase>(e); break;
            case 11: ecs.add(e, Called{ecs.string("name " + std::to_string(pick(30))), 7}); break;
            case 10:
                if (ecs.has<Place>(e)) ecs.modify<Place>(e, [&](Place& p) { p.x += 1; });
                break;
            default:
                ecs.remove_entity(e);
                if (pick(3) == 0) {
                    ecs.update(0.1);
                    std::erase_if(all, [&](Entity each) { return !ecs.alive(each); });
                }
        }
    }
    return all;
}

}  // namespace crateful::test_state
