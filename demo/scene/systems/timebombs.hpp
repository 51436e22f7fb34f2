#pragma once
#include <algorithm>

#include "frames.hpp"
#include "random.hpp"

// Components that last for some frames only (seed 4 calls what ticks them time bombs).
namespace crate_room {

/// Runs down the `left` of every C, silently; then `ended`.
template <class C>
class Timebomb : public crateful::System<> {
public:
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet&) override {
        for (const auto [e, aspect] : entities) {
            C now = aspect.template get<C>();
            now.left -= static_cast<float>(delta);
            auto& all = ecs().template storage<C>();
            all.at(all.slot(e)) = now;
            if (now.left <= 0) ended(e);
        }
    }

protected:
    Timebomb() { require<C>(); }
    /// Nothing else is known of what to do than to take the component away.
    virtual void ended(crateful::Entity e) { ecs().template remove<C>(e); }
};

class Stagger final : public Timebomb<Staggered> {
public:
    [[nodiscard]] std::string name() const override { return "Stagger"; }
};

class DamagedFlashes final : public Timebomb<DamagedFlash> {
public:
    [[nodiscard]] std::string name() const override { return "DamagedFlashes"; }
};

class Lifetimes final : public Timebomb<Lifetime> {
public:
    [[nodiscard]] std::string name() const override { return "Lifetimes"; }

private:
    void ended(crateful::Entity e) override { ecs().remove_entity(e); }
};

class Shudders final : public Timebomb<Shuddering> {
public:
    [[nodiscard]] std::string name() const override { return "Shudders"; }

private:
    void ended(crateful::Entity e) override {
        ecs().remove<Shuddering>(e);
        const int kind = ecs().get<Crate>(e).kind;
        ecs().modify<Animation>(e, [&](Animation& a) { a.first = frames::crate(kind).first, a.count = 1; });
    }
};

/// The dead lie for a while. A player goes with its room.
class Deaths final : public Timebomb<Dead> {
public:
    [[nodiscard]] std::string name() const override { return "Deaths"; }

private:
    void ended(crateful::Entity e) override {
        if (ecs().has<Guard>(e)) ecs().remove_entity(e);
    }
};

/// Lets the flash of an explosion die away, and removes what has gone to pieces; now and then a heart is
/// left.
class Explosions final : public crateful::System<> {
public:
    Explosions() { require<Exploding, Light, Position>(); }
    [[nodiscard]] std::string name() const override { return "Explosions"; }
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet&) override {
        // Light adds up: of many that go off together each is given less.
        const float share = std::min(1.0f, 2 / static_cast<float>(std::max(1u, entities.size())));
        for (const auto [e, aspect] : entities) {
            const float left = aspect.get<Exploding>().left - static_cast<float>(delta);
            ecs().modify<Exploding>(e, [&](Exploding& x) { x.left = left; });
            ecs().modify<Light>(e, [&](Light& l) { l = flash(60 * std::max(0.0f, left / frames::BURST_SECONDS), share); });
            if (left > 0) continue;
            ecs().remove_entity(e);
            leave_heart(aspect.get<Position>());
        }
    }

private:
    static Light flash(float radius, float share) {
        const auto part = [&](float c) { return static_cast<std::uint8_t>(c * share); };
        return {.radius = radius, .r = part(150), .g = part(96), .b = part(44)};
    }
    void leave_heart(Position at) {
        if (scramble(77, static_cast<std::uint32_t>(at.x), static_cast<std::uint32_t>(at.y)) % 24 != 0) return;
        const crateful::Entity heart = ecs().add_entity();
        ecs().add<Position>(heart, at);
        ecs().add<Sprite>(heart, {.frame = frames::PICKUP, .loop = frames::PICKUP_STEPS});
        ecs().add<CollisionShape>(heart, {.half_width = 3, .half_height = 3, .kinds = SENSOR});
        ecs().add<Pickup>(heart);
    }
};

}  // namespace crate_room
