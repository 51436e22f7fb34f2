#pragma once
#include "draw/frames.hpp"

// Components that last for a limited time. (The articles call them time bombs.)
namespace crate_room {

/// Counts down the field `left` of every C and calls `ended` when it reaches 0.
template <class C>
class Timed : public System<> {
public:
    void update(double delta, Entities& entities) override {
        for (const auto [e, aspect] : entities) {
            C now = aspect.template get<C>();
            now.left -= static_cast<float>(delta);
            // Written to the storage directly, without a signal: no system watches the remaining time.
            auto& all = ecs().template storage<C>();
            all.at(all.slot(e)) = now;
            if (now.left <= 0) ended(e);
        }
    }

protected:
    Timed() { require<C>(); }
    /// Unless overridden, removes the component.
    virtual void ended(Entity e) { ecs().template remove<C>(e); }
};

class Stagger final : public Timed<Staggered> {
public:
    void on_disabled(Entities& entities) override {
        for (const auto [e, figure] : entities) ecs().remove<Staggered>(e);
    }
};

class DamagedFlashes final : public Timed<DamagedFlash> {};

class Lifetimes final : public Timed<Lifetime> {
    void ended(Entity e) override { ecs().remove_entity(e); }
};

/// Shows the crate at rest again.
class Shudders final : public Timed<Shuddering> {
    void ended(Entity e) override {
        ecs().remove<Shuddering>(e);
        const int kind = ecs().get<Crate>(e).kind;
        ecs().modify<Animation>(e, [&](Animation& a) {
            const std::uint8_t shade = a.shade;
            a = frames::crate(kind);
            a.shade = shade;
        });
    }
};

/// Removes dead guards after some time. A dead player is removed together with its room.
class Deaths final : public Timed<Dead> {
    void ended(Entity e) override {
        if (ecs().has<Guard>(e)) ecs().remove_entity(e);
    }
};

}  // namespace crate_room
