// Structural changes with Crateful and with EnTT, written as each recommends. Each pair does the same work.
#include "structure.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <crateful/ecs.hpp>
#include <entt/entt.hpp>

namespace bench {
namespace {

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

void require(bool done, const char* what) {
    if (!done) throw std::runtime_error(std::string("not done: ") + what);
}

/// Calls `run` in each step; `check(steps)` returns whether the work was done.
template <class State, class Run, class Check>
class Of final : public Workload {
public:
    Of(std::unique_ptr<State> state, std::size_t ops, Run run, Check check)
        : state_(std::move(state)), ops_(ops), run_(run), check_(check) {}
    void step() override { run_(*state_); }
    void verify(std::size_t steps) override { require(check_(*state_, steps), "the work of a step"); }
    [[nodiscard]] std::size_t ops() const override { return ops_; }

private:
    std::unique_ptr<State> state_;
    std::size_t ops_;
    Run run_;
    Check check_;
};
template <class State, class Run, class Check>
std::unique_ptr<Workload> workload(std::unique_ptr<State> state, std::size_t ops, Run run, Check check) {
    return std::make_unique<Of<State, Run, Check>>(std::move(state), ops, run, check);
}

/// Watches positions of what has a velocity, and counts what became dirty.
struct Watcher : crateful::System<> {
    Watcher() {
        require<Position, Velocity>();
        watch<Position>();
    }
    void update(double, Entities&, Dirty& dirty) override { seen += dirty.size(); }
    std::size_t seen = 0;
};
struct Listener : crateful::System<> {
    Listener() { require<Position, Marked>(); }
    void on_add(crateful::Aspect&) override { ++added; }
    void on_remove(crateful::Aspect&) override { ++removed; }
    void update(double) override {}
    std::size_t added = 0;
    std::size_t removed = 0;
};

struct MarkedWatcher : crateful::System<> {
    MarkedWatcher() {
        require<Position, Marked>();
        watch<Marked>();
    }
    void update(double, Entities&, Dirty& dirty) override { seen += dirty.size(); }
    std::size_t seen = 0;
};
struct Tracker : crateful::System<> {
    Tracker() { require<Position, Marked>(); }
    void update(double) override {}
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
    void count(entt::registry&, entt::entity) { ++sum; }
};

std::vector<std::uint32_t> random_order() {
    std::vector<std::uint32_t> order(N);
    for (std::uint32_t i = 0; i < N; ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    return order;
}

std::unique_ptr<Own> own_with_positions() {
    auto state = std::make_unique<Own>();
    state->ecs.add_entities(state->all);
    state->ecs.add<Position>(state->all, std::vector<Position>(N));
    return state;
}
std::unique_ptr<Peer> peer_with_positions() {
    auto state = std::make_unique<Peer>();
    state->registry.create(state->all.begin(), state->all.end());
    state->registry.insert<Position>(state->all.begin(), state->all.end());
    return state;
}

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
                [](Own& s, std::size_t) { return s.ecs.count() == 0 && s.ecs.storage<Velocity>().count() == 0; }),
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
                [](Peer& s, std::size_t) { return s.registry.view<Velocity>().empty(); })};
}

// The same while a system watches; it reads how many entities are new.
Pair watched_cycle() {
    auto own = std::make_unique<Own>();
    own->ecs.add_system<Watcher>(0);
    auto peer = std::make_unique<Peer>();
    auto& dirty = peer->registry.storage<entt::reactive>(entt::hashed_string{"dirty"});
    dirty.on_construct<Position>().on_update<Position>().on_construct<Velocity>();
    return {"cycle_watched",
            workload(
                std::move(own), N,
                [](Own& s) {
                    for (crateful::Entity& e : s.all) {
                        e = s.ecs.add_entity();
                        s.ecs.add<Position>(e);
                        s.ecs.add<Velocity>(e);
                    }
                    s.ecs.update(1);
                    for (const crateful::Entity e : s.all) s.ecs.remove_entity(e);
                    s.ecs.update(1);
                },
                [](Own& s, std::size_t steps) { return s.ecs.get_system<Watcher>().seen == steps * N; }),
            workload(
                std::move(peer), N,
                [](Peer& s) {
                    auto& changed = s.registry.storage<entt::reactive>(entt::hashed_string{"dirty"});
                    for (entt::entity& e : s.all) {
                        e = s.registry.create();
                        s.registry.emplace<Position>(e);
                        s.registry.emplace<Velocity>(e);
                    }
                    for ([[maybe_unused]] const auto e : changed.view<const Position, Velocity>()) ++s.sum;
                    changed.clear();
                    for (const entt::entity e : s.all) s.registry.destroy(e);
                },
                [](Peer& s, std::size_t steps) { return s.sum == steps * N; })};
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
                [](Own& s, std::size_t) { return s.ecs.count() == 0 && s.ecs.storage<Velocity>().count() == 0; }),
            workload(
                std::make_unique<Peer>(), N,
                [](Peer& s) {
                    s.registry.create(s.all.begin(), s.all.end());
                    s.registry.insert<Position>(s.all.begin(), s.all.end());
                    s.registry.insert<Velocity>(s.all.begin(), s.all.end());
                    s.registry.destroy(s.all.begin(), s.all.end());
                },
                [](Peer& s, std::size_t) { return s.registry.view<Velocity>().empty(); })};
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
            workload(own_with_positions(), N, own_add_remove,
                     [](Own& s, std::size_t) { return s.ecs.storage<Marked>().count() == 0; }),
            workload(peer_with_positions(), N, peer_add_remove,
                     [](Peer& s, std::size_t) { return s.registry.view<Marked>().empty(); })};
}

// The same while a system tracks, and a group contains, the entities that have both.
Pair tracked_add_remove() {
    auto own = own_with_positions();
    own->ecs.add_system<Tracker>(0);
    auto peer = peer_with_positions();
    static_cast<void>(peer->registry.group<>(entt::get<Position, Marked>));
    return {"add_remove_tracked",
            workload(std::move(own), N, own_add_remove,
                     [](Own& s, std::size_t) { return s.ecs.get_system<Tracker>().tracked().empty(); }),
            workload(std::move(peer), N, peer_add_remove,
                     [](Peer& s, std::size_t) { return s.registry.group<>(entt::get<Position, Marked>).empty(); })};
}

// The same while a system watches, and a reactive storage collects, what was added; it is read once a step.
Pair watched_add_remove() {
    auto own = own_with_positions();
    own->ecs.add_system<MarkedWatcher>(0);
    auto peer = peer_with_positions();
    peer->registry.storage<entt::reactive>(entt::hashed_string{"dirty"}).on_construct<Marked>().on_update<Marked>();
    return {"add_remove_watched",
            workload(
                std::move(own), N,
                [](Own& s) {
                    for (const crateful::Entity e : s.all) s.ecs.add<Marked>(e);
                    s.ecs.update(1);
                    for (const crateful::Entity e : s.all) s.ecs.remove<Marked>(e);
                },
                [](Own& s, std::size_t steps) { return s.ecs.get_system<MarkedWatcher>().seen == steps * N; }),
            workload(
                std::move(peer), N,
                [](Peer& s) {
                    auto& changed = s.registry.storage<entt::reactive>(entt::hashed_string{"dirty"});
                    for (const entt::entity e : s.all) s.registry.emplace<Marked>(e);
                    for ([[maybe_unused]] const auto e : changed.view<const Position, Marked>()) ++s.sum;
                    changed.clear();
                    for (const entt::entity e : s.all) s.registry.erase<Marked>(e);
                },
                [](Peer& s, std::size_t steps) { return s.sum == steps * N; })};
}

// The same with something that is called each time.
Pair add_remove_with_callbacks() {
    auto own = own_with_positions();
    own->ecs.add_system<Listener>(0);
    auto peer = peer_with_positions();
    peer->registry.on_construct<Marked>().connect<&Peer::count>(*peer);
    peer->registry.on_destroy<Marked>().connect<&Peer::count>(*peer);
    return {"add_remove_callbacks",
            workload(std::move(own), N, own_add_remove,
                     [](Own& s, std::size_t steps) { return s.ecs.get_system<Listener>().removed == steps * N; }),
            workload(std::move(peer), N, peer_add_remove,
                     [](Peer& s, std::size_t steps) { return s.sum == 2 * steps * N; })};
}

void peer_creates_three(Peer& s) {
    for (entt::entity& e : s.all) {
        e = s.registry.create();
        s.registry.emplace<Position>(e, 1.0f, 2.0f);
        s.registry.emplace<Velocity>(e, 3.0f, 4.0f);
        s.registry.emplace<Marked>(e, 5u);
    }
    s.registry.destroy(s.all.begin(), s.all.end());
}

// Creates entities with three components, and removes them.
Pair create_three() {
    return {"create_three",
            workload(
                std::make_unique<Own>(), N,
                [](Own& s) {
                    for (crateful::Entity& e : s.all) e = s.ecs.add_entity(Position{1, 2}, Velocity{3, 4}, Marked{5});
                    s.ecs.remove_entities(s.all);
                    s.ecs.update(0);
                },
                [](Own& s, std::size_t) { return s.ecs.count() == 0 && s.ecs.storage<Marked>().count() == 0; }),
            workload(std::make_unique<Peer>(), N, peer_creates_three,
                     [](Peer& s, std::size_t) { return s.registry.view<Marked>().empty(); })};
}
// The same with a prefab.
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
                [](Own& s, std::size_t) { return s.ecs.count() == 0 && s.ecs.storage<Marked>().count() == 0; }),
            workload(std::make_unique<Peer>(), N, peer_creates_three,
                     [](Peer& s, std::size_t) { return s.registry.view<Marked>().empty(); })};
}

// A loop over two components that leaves out the entities with a third one: every tenth at random, or one.
Pair each_except(const char* name, bool random) {
    auto own = own_with_positions();
    own->ecs.add<Velocity>(own->all, std::vector<Velocity>(N));
    auto peer = peer_with_positions();
    peer->registry.insert<Velocity>(peer->all.begin(), peer->all.end());
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
                [](Own& s) {
                    s.ecs.query<Position, const Velocity>(crateful::exclude<Marked>)
                        .each([](Position& p, const Velocity& v) {
                            p.x += v.x;
                            p.y += v.y;
                        });
                },
                [](Own& s, std::size_t steps) {
                    return std::ranges::all_of(s.all, [&](crateful::Entity e) {
                        return s.ecs.get<Position>(e).y == (s.ecs.has<Marked>(e) ? 0 : static_cast<float>(steps));
                    });
                }),
            workload(
                std::move(peer), N - left_out,
                [](Peer& s) {
                    s.registry.view<Position, const Velocity>(entt::exclude<Marked>)
                        .each([](Position& p, const Velocity& v) {
                            p.x += v.x;
                            p.y += v.y;
                        });
                },
                [](Peer& s, std::size_t steps) {
                    return std::ranges::all_of(s.all, [&](entt::entity e) {
                        return s.registry.get<Position>(e).y ==
                               (s.registry.all_of<Marked>(e) ? 0 : static_cast<float>(steps));
                    });
                })};
}
Pair each_except_one() { return each_except("each_except_one", false); }
Pair each_except_random() { return each_except("each_except_random", true); }

// Reads the components of N entities in random order.
Pair random_get() {
    static const std::vector<std::uint32_t> order = random_order();
    return {"random_get",
            workload(
                own_with_positions(), N,
                [](Own& s) {
                    float sum = 0;
                    for (const std::uint32_t i : order) sum += s.ecs.get<Position>(s.all[i]).x;
                    s.sum += 1 + static_cast<std::size_t>(sum);
                },
                [](Own& s, std::size_t steps) { return s.sum == steps; }),
            workload(
                peer_with_positions(), N,
                [](Peer& s) {
                    float sum = 0;
                    for (const std::uint32_t i : order) sum += s.registry.get<Position>(s.all[i]).x;
                    s.sum += 1 + static_cast<std::size_t>(sum);
                },
                [](Peer& s, std::size_t steps) { return s.sum == steps; })};
}

// A frame in which nothing changed, while one system (one reactive storage) watches.
Pair quiet_frame() {
    auto own = own_with_positions();
    own->ecs.add<Velocity>(own->all, std::vector<Velocity>(N));
    own->ecs.add_system<Watcher>(0);
    own->ecs.update(1);
    auto peer = peer_with_positions();
    peer->registry.insert<Velocity>(peer->all.begin(), peer->all.end());
    peer->registry.storage<entt::reactive>(entt::hashed_string{"dirty"}).on_update<Position>();
    return {"quiet_frame",
            workload(
                std::move(own), 1, [](Own& s) { s.ecs.update(1); },
                [](Own& s, std::size_t) { return s.ecs.get_system<Watcher>().seen == N; }),
            workload(
                std::move(peer), 1,
                [](Peer& s) {
                    auto& changed = s.registry.storage<entt::reactive>(entt::hashed_string{"dirty"});
                    for ([[maybe_unused]] const auto e : changed.view<const Position, Velocity>()) ++s.sum;
                    changed.clear();
                },
                [](Peer& s, std::size_t) { return s.sum == 0; })};
}

}  // namespace

std::vector<Pair> structure() {
    std::vector<Pair> pairs;
    for (const auto make : {cycle, watched_cycle, bulk_cycle, add_remove, tracked_add_remove, watched_add_remove,
                            add_remove_with_callbacks, create_three, create_by_prefab, each_except_one,
                            each_except_random, random_get, quiet_frame})
        pairs.push_back(make());
    return pairs;
}

}  // namespace bench
