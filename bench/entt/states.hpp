#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <crateful/ecs.hpp>
#include <entt/entt.hpp>

#include "workload.hpp"

namespace bench {

constexpr std::size_t N = 100'000;

struct Position {
    float x = 0;
    float y = 0;
};
struct Velocity {
    float x = 1;
    float y = 1;
};
struct Marked {
    std::uint32_t value = 0;
};

/// Watches a class, and counts what became dirty of the entities that also have the other one.
template <class Watched, class Other>
struct Watcher : crateful::System<> {
    Watcher() {
        require<Watched, Other>();
        watch<Watched>();
    }
    void update(double, Entities&, Dirty& dirty) override { seen += dirty.size(); }
    std::size_t seen = 0;
};

struct Own {
    crateful::ECS ecs;
    std::vector<crateful::Entity> all = std::vector<crateful::Entity>(N);
    std::size_t sum = 0;
};
struct Peer {
    entt::registry registry;
    std::vector<entt::entity> all = std::vector<entt::entity>(N);
    std::size_t sum = 0;
    entt::storage_type_t<entt::reactive>& dirty = registry.storage<entt::reactive>(entt::hashed_string{"dirty"});
    void count(entt::registry&, entt::entity) { ++sum; }
    template <class... Cs>
    void count_dirty() {
        for ([[maybe_unused]] const auto e : dirty.view<Cs...>()) ++sum;
        dirty.clear();
    }
};

/// Both with `n` entities, which have a Position and the components `Others`.
template <class... Others>
std::unique_ptr<Own> own_with(std::size_t n = N) {
    auto state = std::make_unique<Own>();
    state->all.resize(n);
    state->ecs.add_entities(state->all);
    state->ecs.add<Position>(state->all, std::vector<Position>(n));
    (..., state->ecs.add<Others>(state->all, std::vector<Others>(n)));
    return state;
}
template <class... Others>
std::unique_ptr<Peer> peer_with(std::size_t n = N) {
    auto state = std::make_unique<Peer>();
    state->all.resize(n);
    state->registry.create(state->all.begin(), state->all.end());
    state->registry.insert<Position>(state->all.begin(), state->all.end());
    (..., state->registry.insert<Others>(state->all.begin(), state->all.end()));
    return state;
}

}  // namespace bench
