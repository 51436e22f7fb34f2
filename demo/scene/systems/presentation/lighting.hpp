#pragma once
#include <vector>

#include "components.hpp"
#include "draw/vertex.hpp"
#include "tracking.hpp"

namespace crate_room {

/// A light as it is drawn: a round glow that is added to the picture.
struct Lamp {
    float x = 0;
    float y = 0;
    float radius = 0;
    Colour colour;
    bool flickers = false;
};

/// The slot of an entity's lamp.
struct LampSlot : Aspect {
    std::uint32_t slot = 0;
};

/// Keeps a lamp for each entity with a Light.
class Lighting final : public System<LampSlot>, public FollowsChanges {
public:
    explicit Lighting(const Tracking& tracking);
    void update(double delta, Entities& entities, Dirty& dirty) override;
    void on_add(LampSlot& lamp) override;
    void on_remove(LampSlot& lamp) override;

    /// All lamps, contiguous, including the player's.
    [[nodiscard]] const std::vector<Lamp>& lamps() const noexcept { return lamps_; }
    /// Does what `update` does, at once.
    void show() { update(0, entities(), dirty_set()); }

private:
    std::vector<Lamp> lamps_;
    std::vector<LampSlot*> owners_;  // by slot
};

}  // namespace crate_room
