// A simulation with ten systems and 108,000 entities, with Crateful and with EnTT: the same rules, in the same order,
// written as each recommends. What an entity does depends on nothing but its own number, so the order in which entities are
// visited has no effect, and the results can be compared.
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <crateful/ecs.hpp>
#include <entt/entt.hpp>

#include "workload.hpp"

namespace bench {
namespace {

constexpr std::uint32_t CRATES = 100'000;
constexpr std::uint32_t AGENTS = 8'000;
constexpr std::uint32_t SHOTS = 200;  // new projectiles in a step
constexpr float DELTA = 1.0F / 60;
constexpr float SIZE = 1000;  // of the world

struct Position {
    float x = 0;
    float y = 0;
};
struct Velocity {
    float x = 0;
    float y = 0;
};
struct Home {
    float x = 0;
    float y = 0;
};
struct Agent {
    std::uint32_t number = 0;
    std::uint32_t visits = 0;
};
struct Projectile {
    std::uint32_t number = 0;
    float left = 0;  // seconds
};
struct Crate {
    std::int32_t health = 2;
};
struct Broken {
    float left = 0.5F;  // seconds
};
struct Sprite {
    float x = 0;
    float y = 0;
    std::uint32_t frame = 0;
    std::uint32_t updates = 0;
};

// --- the rules --------------------------------------------------------------------------------------

std::uint32_t mix(std::uint32_t n) {
    n = (n ^ (n >> 16)) * 0x7FEB352Du;
    n = (n ^ (n >> 15)) * 0x846CA68Bu;
    return n ^ (n >> 16);
}
float place(std::uint32_t n) { return static_cast<float>(mix(n) % 1'000'000) / 1'000'000 * SIZE; }

void steer(Velocity& v, const Position& p, const Home& home) {
    v.x += (home.x - p.x) * DELTA;
    v.y += (home.y - p.y) * DELTA;
}
void move(Position& p, const Velocity& v) {
    p.x += v.x * DELTA;
    p.y += v.y * DELTA;
}
void bounce(Velocity& v, const Position& p) {
    if ((p.x < 0 && v.x < 0) || (p.x > SIZE && v.x > 0)) v.x = -v.x;
    if ((p.y < 0 && v.y < 0) || (p.y > SIZE && v.y > 0)) v.y = -v.y;
}
void choose_home(Home& home, Agent& agent, const Position& p) {
    if (std::abs(p.x - home.x) > 1 || std::abs(p.y - home.y) > 1) return;
    ++agent.visits;
    home = {place(3 * agent.number + agent.visits), place(5 * agent.number + agent.visits)};
}
std::uint32_t target(const Projectile& shot) { return mix(shot.number * 7) % CRATES; }
Projectile projectile(std::uint32_t number) { return {number, static_cast<float>(10 + mix(number) % 40) * DELTA}; }
bool ends(float& left) { return (left -= DELTA) <= 0; }
void animate(Sprite& sprite, const Broken& broken) { sprite.frame = static_cast<std::uint32_t>(broken.left * 16); }
void show(Sprite& sprite, const Position& p) {
    if (sprite.x == p.x && sprite.y == p.y) return;  // `patch` signals also if nothing has changed
    sprite.x = p.x;
    sprite.y = p.y;
    ++sprite.updates;
}

Position crate_position(std::uint32_t i) { return {place(i), place(i + CRATES)}; }
Position agent_position(std::uint32_t i) { return {place(11 * i), place(13 * i)}; }
Home agent_home(std::uint32_t i) { return {place(17 * i), place(19 * i)}; }
Position shot_position(std::uint32_t number) { return {place(number), place(23 * number)}; }
Velocity shot_velocity(std::uint32_t number) { return {place(29 * number) - SIZE / 2, place(31 * number) - SIZE / 2}; }

/// A sum over all sprites and crates, in which the order has no effect.
struct Checksum {
    std::uint64_t sum = 0;
    void add(const Position& p, const Sprite& sprite) {
        const std::uint32_t place = std::bit_cast<std::uint32_t>(p.x) ^ mix(std::bit_cast<std::uint32_t>(p.y));
        const std::uint32_t shown =
            std::bit_cast<std::uint32_t>(sprite.x) ^ mix(std::bit_cast<std::uint32_t>(sprite.y));
        sum += mix(place ^ mix(shown ^ mix(sprite.frame ^ mix(sprite.updates))));
    }
    void add(const Crate& crate) { sum += mix(static_cast<std::uint32_t>(crate.health)); }
};

/// What the first of both sides has computed.
using Result = std::shared_ptr<std::optional<std::uint64_t>>;
void compare(const Result& result, const Checksum& checksum) {
    if (result->value_or(checksum.sum) != checksum.sum)
        throw std::runtime_error("simulation: the results of both sides differ");
    *result = checksum.sum;
}

// --- Crateful ---------------------------------------------------------------------------------------

using crateful::ECS;
using crateful::System;

/// Calls a function for each entity with these components.
template <auto Run, class... Components>
struct Each : System<> {
    Each() { require<std::remove_const_t<Components>...>(); }
    void update(double) override { ecs().template each<Components...>(Run); }
};
using Steering = Each<steer, Velocity, const Position, const Home>;
using Bounds = Each<bounce, Velocity, const Position>;
using Homes = Each<choose_home, Home, Agent, const Position>;
using Animation = Each<animate, Sprite, const Broken>;
struct Movement : System<> {
    Movement() { require<Position, Velocity>(); }
    void update(double) override { ecs().query<Position, const Velocity>().change(move); }
};
struct Shooting : System<> {
    Shooting() { require<Agent>(); }
    void init() override { shots_.emplace(ecs().prefab(Position{}, Velocity{}, Projectile{})); }
    void update(double) override {
        for (std::uint32_t i = 0; i < SHOTS; ++i, ++number_)
            shots_->spawn(shot_position(number_), shot_velocity(number_), projectile(number_));
    }

private:
    std::optional<crateful::Prefab<Position, Velocity, Projectile>> shots_;
    std::uint32_t number_ = 0;
};
struct Hits : System<> {
    explicit Hits(const std::vector<crateful::Entity>& crates) : crates_(crates) { require<Projectile>(); }
    void update(double) override {
        ecs().each<Projectile>([&](crateful::Entity e, Projectile& shot) {
            if (!ends(shot.left)) return;
            ecs().modify<Crate>(crates_[target(shot)], [](Crate& crate) { --crate.health; });
            ecs().remove_entity(e);
        });
    }

private:
    const std::vector<crateful::Entity>& crates_;
};
struct Breaking : System<> {
    Breaking() {
        require<Crate>();
        watch<Crate>();
    }
    void update(double, Entities&, Dirty& dirty) override {
        for (auto [e, crate] : ecs().query<Crate>().of(dirty)) {
            if (crate.health > 0) continue;
            crate.health = 2;
            ecs().add<Broken>(e);
        }
    }
};
struct Repair : System<> {
    Repair() { require<Broken>(); }
    void update(double) override {
        for (auto [e, broken] : ecs().query<Broken>())
            if (ends(broken.left)) ecs().remove<Broken>(e);
    }
};
struct Drawing : System<> {
    Drawing() {
        require<Position, Sprite>();
        watch<Position>();
    }
    void update(double, Entities&, Dirty& dirty) override {
        for (auto [e, sprite, position] : ecs().query<Sprite, const Position>().of(dirty)) show(sprite, position);
    }
};

class Own final : public Workload {
public:
    explicit Own(Result result) : result_(std::move(result)) {
        add_systems<Steering, Movement, Bounds, Homes, Shooting>();
        ecs_.add_system<Hits>(0, crates_);
        add_systems<Breaking, Repair, Animation, Drawing>();
        for (std::uint32_t i = 0; i < CRATES; ++i)
            crates_.push_back(ecs_.add_entity(crate_position(i), Sprite{}, Crate{}));
        for (std::uint32_t i = 0; i < AGENTS; ++i)
            ecs_.add_entity(agent_position(i), Sprite{}, Velocity{}, agent_home(i), Agent{i});
    }
    void step() override { ecs_.update(DELTA); }
    void verify(std::size_t) override {
        Checksum checksum;
        ecs_.each<const Position, const Sprite>([&](const Position& p, const Sprite& s) { checksum.add(p, s); });
        ecs_.each<const Crate>([&](const Crate& crate) { checksum.add(crate); });
        compare(result_, checksum);
    }

private:
    template <class... Systems>
    void add_systems() {
        (..., ecs_.add_system<Systems>(0));
    }

    Result result_;
    std::vector<crateful::Entity> crates_;
    ECS ecs_;
};

// --- EnTT -------------------------------------------------------------------------------------------

class Peer final : public Workload {
public:
    explicit Peer(Result result) : result_(std::move(result)) {
        moved_.on_construct<Position>().on_update<Position>();
        damaged_.on_update<Crate>();
        for (std::uint32_t i = 0; i < CRATES; ++i) {
            const entt::entity e = crates_.emplace_back(registry_.create());
            registry_.emplace<Position>(e, crate_position(i));
            registry_.emplace<Sprite>(e);
            registry_.emplace<Crate>(e);
        }
        for (std::uint32_t i = 0; i < AGENTS; ++i) {
            const entt::entity e = registry_.create();
            registry_.emplace<Position>(e, agent_position(i));
            registry_.emplace<Sprite>(e);
            registry_.emplace<Velocity>(e);
            registry_.emplace<Home>(e, agent_home(i));
            registry_.emplace<Agent>(e, i);
        }
    }
    void step() override {
        registry_.view<Velocity, const Position, const Home>().each(steer);
        for (auto [e, velocity] : registry_.view<const Velocity>().each())
            registry_.patch<Position>(e, [&](Position& p) { move(p, velocity); });
        registry_.view<Velocity, const Position>().each(bounce);
        registry_.view<Home, Agent, const Position>().each(choose_home);
        shoot();
        hit();
        for (auto [e, crate] : damaged_.view<Crate>().each()) {
            if (crate.health > 0) continue;
            crate.health = 2;
            registry_.emplace_or_replace<Broken>(e);
        }
        damaged_.clear();
        for (auto [e, broken] : registry_.view<Broken>().each())
            if (ends(broken.left)) registry_.erase<Broken>(e);
        registry_.view<Sprite, const Broken>().each(animate);
        for (auto [e, sprite, position] : moved_.view<Sprite, const Position>().each()) show(sprite, position);
        moved_.clear();
    }
    void verify(std::size_t) override {
        Checksum checksum;
        for (auto [e, p, s] : registry_.view<const Position, const Sprite>().each()) checksum.add(p, s);
        for (auto [e, crate] : registry_.view<const Crate>().each()) checksum.add(crate);
        compare(result_, checksum);
    }

private:
    void shoot() {
        for (std::uint32_t i = 0; i < SHOTS; ++i, ++number_) {
            const entt::entity e = registry_.create();
            registry_.emplace<Position>(e, shot_position(number_));
            registry_.emplace<Velocity>(e, shot_velocity(number_));
            registry_.emplace<Projectile>(e, projectile(number_));
        }
    }
    void hit() {
        for (auto [e, shot] : registry_.view<Projectile>().each()) {
            if (!ends(shot.left)) continue;
            registry_.patch<Crate>(crates_[target(shot)], [](Crate& crate) { --crate.health; });
            registry_.destroy(e);
        }
    }

    Result result_;
    entt::registry registry_;
    entt::storage_type_t<entt::reactive>& moved_ = registry_.storage<entt::reactive>(entt::hashed_string{"moved"});
    entt::storage_type_t<entt::reactive>& damaged_ = registry_.storage<entt::reactive>(entt::hashed_string{"damaged"});
    std::vector<entt::entity> crates_;
    std::uint32_t number_ = 0;
};

}  // namespace

Pair simulation() {
    const Result result = std::make_shared<std::optional<std::uint64_t>>();
    return {"simulation", std::make_unique<Own>(result), std::make_unique<Peer>(result)};
}

}  // namespace bench
