#pragma once
#include <algorithm>

#include "components.hpp"
#include "frames.hpp"

namespace crate_room {

/// Lets explosions die away, and removes what has finished.
class Explosions final : public crateful::System<> {
public:
    static constexpr float GLOW = 30;

    Explosions() { require<Exploding, Sprite>(); }
    [[nodiscard]] std::string name() const override { return "Explosions"; }

    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet&) override {
        for (const auto [e, aspect] : entities) {
            const float left = aspect.get<Exploding>().left - static_cast<float>(delta);
            ecs().modify<Exploding>(e, [&](Exploding& x) { x.left = left; });
            // The flash dies away.
            ecs().modify<Sprite>(e, [&](Sprite& s) { s.glow = static_cast<std::uint8_t>(GLOW * std::max(0.0f, left / frames::BURST_SECONDS)); });
            if (left <= 0) ecs().remove_entity(e);
        }
    }
};

}  // namespace crate_room
