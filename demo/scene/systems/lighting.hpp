#pragma once
#include <vector>

#include "components.hpp"
#include "systems/spatial_hash.hpp"
#include "tracking.hpp"
#include "vertex.hpp"
#include "view.hpp"

namespace crate_room {

/// A light as it is drawn: a round glow that is added to the picture.
struct Lamp {
    float x = 0;
    float y = 0;
    float radius = 0;
    Colour colour;
    bool flickers = false;
};

/// Which of the lamps an entity has.
struct LampSlot : crateful::Aspect {
    std::uint32_t index = 0;
};

/// Keeps a lamp for everything that sheds light.
class Lighting final : public crateful::System<LampSlot>, public FollowsChanges {
public:
    explicit Lighting(const Tracking& tracking);
    [[nodiscard]] std::string name() const override { return "Lighting"; }
    void update(double delta, crateful::Entities<LampSlot>& entities, crateful::DirtySet& dirty) override;
    void on_add(LampSlot& slot) override;
    void on_remove(LampSlot& slot) override;

    /// All lamps, contiguous; the player's is among them.
    [[nodiscard]] const std::vector<Lamp>& lamps() const noexcept { return lamps_; }

private:
    std::vector<Lamp> lamps_;
    std::vector<LampSlot*> owners_;  // of the lamps
};

}  // namespace crate_room
