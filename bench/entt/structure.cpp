// Structural changes, loops and look-ups with Crateful and with EnTT, written as each recommends. Each pair does the same work.
#include <algorithm>
#include <numeric>
#include <random>
#include <span>

#include "states.hpp"

namespace bench {
namespace {

struct Listener : crateful::System<> {
    Listener() { require<Position, Marked>(); }
    void on_add(crateful::Aspect&) override { ++added; }
    void on_remove(crateful::Aspect&) override { ++removed; }
    void update(double) override {}
    std::size_t added = 0;
    std::size_t removed = 0;
};
struct Tracker : crateful::System<> {
    Tracker() { require<Position, Marked>(); }
    void update(double) override {}
};

const auto own_is_empty = [](Own& s, std::size_t) {
    return s.ecs.count() == 0 && s.ecs.storage<Velocity>().count() == 0;
};
const auto peer_is_empty = [](Peer& s, std::size_t) { return s.registry.view<Velocity>().empty(); };

// Creates an entity with two components, N times; then removes all.
Pair cycle() {
    return {"cycle",
            workload(
                std::make_unique<Own>(), N,
                [](Own& s) {
                    for (crateful::Entity& e : s.all) {
                        e = s.ecs.add_entity();
                        s.ecs.add<Position>(e);
                        s.ecs.add<Velocity>(e);
                    }
                    for (const crateful::Entity e : s.all) s.ecs.remove_entity(e);
                    s.ecs.update(0);
                },
                own_is_empty),
            workload(
                std::make_unique<Peer>(), N,
                [](Peer& s) {
                    for (entt::entity& e : s.all) {
                        e = s.registry.create();
                        s.registry.emplace<Position>(e);
                        s.registry.emplace<Velocity>(e);
                    }
                    for (const entt::entity e : s.all) s.registry.destroy(e);
                },
                peer_is_empty)};
}

Pair bulk_cycle() {
    return {"cycle_bulk",
            workload(
                std::make_unique<Own>(), N,
                [](Own& s) {
                    static constexpr Position position;
                    static constexpr Velocity velocity;
                    s.ecs.add_entities(s.all);
                    s.ecs.add<Position>(s.all, std::span(&position, 1));
                    s.ecs.add<Velocity>(s.all, std::span(&velocity, 1));
                    s.ecs.remove_entities(s.all);
                    s.ecs.update(0);
                },
                own_is_empty),
            workload(
                std::make_unique<Peer>(), N,
                [](Peer& s) {
                    s.registry.create(s.all.begin(), s.all.end());
                    s.registry.insert<Position>(s.all.begin(), s.all.end());
                    s.registry.insert<Velocity>(s.all.begin(), s.all.end());
                    s.registry.destroy(s.all.begin(), s.all.end());
                },
                peer_is_empty)};
}

const auto own_add_remove = [](Own& s) {
    for (const crateful::Entity e : s.all) s.ecs.add<Marked>(e);
    for (const crateful::Entity e : s.all) s.ecs.remove<Marked>(e);
};
const auto peer_add_remove = [](Peer& s) {
    for (const entt::entity e : s.all) s.registry.emplace<Marked>(e);
    for (const entt::entity e : s.all) s.registry.erase<Marked>(e);
};

// Adds a component to each of N entities, and removes it again.
Pair add_remove() {
    return {"add_remove",
            workload(own_with<>(), N, own_add_remove,
                     [](Own& s, std::size_t) { return s.ecs.storage<Marked>().count() == 0; }),
            workload(peer_with<>(), N, peer_add_remove,
                     [](Peer& s, std::size_t) { return s.registry.view<Marked>().empty(); })};
}

// The same while a system tracks, and a group contains, the entities that have both.
Pair tracked_add_remove() {
    auto own = own_with<>();
    own->ecs.add_system<Tracker>(0);
    auto peer = peer_with<>();
    static_cast<void>(peer->registry.group<>(entt::get<Position, Marked>));
    return {"add_remove_tracked",
            workload(std::move(own), N, own_add_remove,
                     [](Own& s, std::size_t) { return s.ecs.get_system<Tracker>().tracked().empty(); }),
            workload(std::move(peer), N, peer_add_remove,
                     [](Peer& s, std::size_t) { return s.registry.group<>(entt::get<Position, Marked>).empty(); })};
}

// The same while a system watches, and a reactive storage collects, what was added; it is read once a step.
Pair watched_add_remove() {
    using Watching = Watcher<Marked, Position>;
    auto own = own_with<>();
    own->ecs.add_system<Watching>(0);
    auto peer = peer_with<>();
    peer->dirty.on_construct<Marked>().on_update<Marked>();
    return {"add_remove_watched",
            workload(
                std::move(own), N,
                [](Own& s) {
                    for (const crateful::Entity e : s.all) s.ecs.add<Marked>(e);
                    s.ecs.update(1);
                    for (const crateful::Entity e : s.all) s.ecs.remove<Marked>(e);
                },
                [](Own& s, std::size_t steps) { return s.ecs.get_system<Watching>().seen == steps * N; }),
            workload(
                std::move(peer), N,
                [](Peer& s) {
                    for (const entt::entity e : s.all) s.registry.emplace<Marked>(e);
                    s.count_dirty<const Position, Marked>();
                    for (const entt::entity e : s.all) s.registry.erase<Marked>(e);
                },
                [](Peer& s, std::size_t steps) { return s.sum == steps * N; })};
}

// The same with something that is called each time.
Pair add_remove_with_callbacks() {
    auto own = own_with<>();
    own->ecs.add_system<Listener>(0);
    auto peer = peer_with<>();
    peer->registry.on_construct<Marked>().connect<&Peer::count>(*peer);
    peer->registry.on_destroy<Marked>().connect<&Peer::count>(*peer);
    return {"add_remove_callbacks",
            workload(std::move(own), N, own_add_remove,
                     [](Own& s, std::size_t steps) { return s.ecs.get_system<Listener>().removed == steps * N; }),
            workload(std::move(peer), N, peer_add_remove,
                     [](Peer& s, std::size_t steps) { return s.sum == 2 * steps * N; })};
}

// Creates entities with three components by a prefab, and removes them.
Pair create_by_prefab() {
    auto own = std::make_unique<Own>();
    const auto prefab = own->ecs.prefab(Position{}, Velocity{3, 4}, Marked{5});
    return {"create_by_prefab",
            workload(
                std::move(own), N,
                [prefab](Own& s) {
                    for (crateful::Entity& e : s.all) e = prefab.spawn(Position{1, 2});
                    s.ecs.remove_entities(s.all);
                    s.ecs.update(0);
                },
                own_is_empty),
            workload(
                std::make_unique<Peer>(), N,
                [](Peer& s) {
                    for (entt::entity& e : s.all) {
                        e = s.registry.create();
                        s.registry.emplace<Position>(e, 1.0f, 2.0f);
                        s.registry.emplace<Velocity>(e, 3.0f, 4.0f);
                        s.registry.emplace<Marked>(e, 5u);
                    }
                    s.registry.destroy(s.all.begin(), s.all.end());
                },
                peer_is_empty)};
}

constexpr auto move = [](Position& p, const Velocity& v) {
    p.x += v.x;
    p.y += v.y;
};

// A loop over two components that leaves out the entities with a third one: every tenth at random, or one.
Pair each_except(const char* name, bool random) {
    auto own = own_with<Velocity>();
    auto peer = peer_with<Velocity>();
    std::mt19937 numbers(1);
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < N; ++i) {
        if (random ? numbers() % 10 != 0 : i > 0) continue;
        left_out += 1;
        own->ecs.add<Marked>(own->all[i]);
        peer->registry.emplace<Marked>(peer->all[i]);
    }
    return {name,
            workload(
                std::move(own), N - left_out,
                [](Own& s) { s.ecs.query<Position, const Velocity>(crateful::exclude<Marked>).each(move); },
                [](Own& s, std::size_t steps) {
                    return std::ranges::all_of(s.all, [&](crateful::Entity e) {
                        return s.ecs.get<Position>(e).y == (s.ecs.has<Marked>(e) ? 0 : static_cast<float>(steps));
                    });
                }),
            workload(
                std::move(peer), N - left_out,
                [](Peer& s) { s.registry.view<Position, const Velocity>(entt::exclude<Marked>).each(move); },
                [](Peer& s, std::size_t steps) {
                    return std::ranges::all_of(s.all, [&](entt::entity e) {
                        return s.registry.get<Position>(e).y ==
                               (s.registry.all_of<Marked>(e) ? 0 : static_cast<float>(steps));
                    });
                })};
}
Pair each_except_one() { return each_except("each_except_one", false); }
Pair each_except_random() { return each_except("each_except_random", true); }

std::vector<std::uint32_t> random_order() {
    std::vector<std::uint32_t> order(N);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    return order;
}

// Reads the components of N entities in random order.
Pair random_get() {
    static const std::vector<std::uint32_t> order = random_order();
    return {"random_get",
            workload(
                own_with<>(), N,
                [](Own& s) {
                    float sum = 0;
                    for (const std::uint32_t i : order) sum += s.ecs.get<Position>(s.all[i]).x;
                    s.sum += 1 + static_cast<std::size_t>(sum);
                },
                [](Own& s, std::size_t steps) { return s.sum == steps; }),
            workload(
                peer_with<>(), N,
                [](Peer& s) {
                    float sum = 0;
                    for (const std::uint32_t i : order) sum += s.registry.get<Position>(s.all[i]).x;
                    s.sum += 1 + static_cast<std::size_t>(sum);
                },
                [](Peer& s, std::size_t steps) { return s.sum == steps; })};
}

// A frame in which nothing changed, while one system (one reactive storage) watches.
Pair quiet_frame() {
    using Watching = Watcher<Position, Velocity>;
    auto own = own_with<Velocity>();
    own->ecs.add_system<Watching>(0);
    own->ecs.update(1);
    auto peer = peer_with<Velocity>();
    peer->dirty.on_update<Position>();
    return {"quiet_frame",
            workload(
                std::move(own), 1, [](Own& s) { s.ecs.update(1); },
                [](Own& s, std::size_t) { return s.ecs.get_system<Watching>().seen == N; }),
            workload(
                std::move(peer), 1, [](Peer& s) { s.count_dirty<const Position, Velocity>(); },
                [](Peer& s, std::size_t) { return s.sum == 0; })};
}

}  // namespace

std::vector<Pair> structure() {
    std::vector<Pair> pairs;
    for (const auto make :
         {cycle, bulk_cycle, add_remove, tracked_add_remove, watched_add_remove, add_remove_with_callbacks,
          create_by_prefab, each_except_one, each_except_random, random_get, quiet_frame})
        pairs.push_back(make());
    return pairs;
}

}  // namespace bench
