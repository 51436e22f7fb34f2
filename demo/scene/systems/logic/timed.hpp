#pragma once
#include "draw/frames.hpp"
#include "tracking.hpp"

// Components that last for a limited time. (The articles call them time bombs.)
namespace crate_room {

/// Counts down the field `left` of every C and calls `ended` when it reaches 0.
template <class C>
class Timed : public System<> {
public:
    explicit Timed(const Tracking& tracking) : tracking_(tracking) { this->template require<C>(); }
    void update(double delta, Entities& entities) override {
        for (const auto [e, aspect] : entities) {
            C now = aspect.template get<C>();
            now.left -= static_cast<float>(delta);
            write_time(ecs(), tracking_, e, now);
            if (now.left <= 0) ended(e);
        }
    }

protected:
    /// Unless overridden, removes the component.
    virtual void ended(Entity e) { ecs().template remove<C>(e); }

private:
    const Tracking& tracking_;
};

class Stagger final : public Timed<Staggered> {
public:
    using Timed::Timed;
    void on_disabled(Entities& entities) override {
        for (const auto [e, figure] : entities) ecs().remove<Staggered>(e);
    }
};

class DamagedFlashes final : public Timed<DamagedFlash> {
public:
    using Timed::Timed;
};

class Lifetimes final : public Timed<Lifetime> {
public:
    using Timed::Timed;

private:
    void ended(Entity e) override { ecs().remove_entity(e); }
};

/// Shows the crate at rest again.
class Shudders final : public Timed<Shuddering> {
public:
    using Timed::Timed;

private:
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
public:
    using Timed::Timed;

private:
    void ended(Entity e) override {
        if (ecs().has<Guard>(e)) ecs().remove_entity(e);
    }
};

}  // namespace crate_room
