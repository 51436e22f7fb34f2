#pragma once
#include "frames.hpp"

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
    void on_disabled(crateful::Entities<crateful::Aspect>& entities) override {
        for (const auto [e, figure] : entities) ecs().remove<Staggered>(e);
    }
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

}  // namespace crate_room
