#include "systems/lighting.hpp"

namespace crate_room {

Lighting::Lighting(const Tracking& tracking) : FollowsChanges(tracking) {
    require<Position, Light>();
    watch<Position, Light>();
}

void Lighting::update(double, crateful::Entities<LampSlot>& entities, crateful::DirtySet& dirty) {
    each_changed(entities, dirty, [&](const LampSlot& slot) {
        const auto& at = slot.get<Position>();
        const auto& light = slot.get<Light>();
        lamps_[slot.index] = {at.x, at.y - TILE / 2, light.radius, {light.r, light.g, light.b, 255}, light.flickers};
    });
}

void Lighting::on_add(LampSlot& slot) {
    slot.index = static_cast<std::uint32_t>(lamps_.size());
    lamps_.emplace_back();  // filled in by update(): what is new is dirty
    owners_.push_back(&slot);
}

void Lighting::on_remove(LampSlot& slot) {
    lamps_[slot.index] = lamps_.back();
    owners_[slot.index] = owners_.back();
    owners_[slot.index]->index = slot.index;
    lamps_.pop_back();
    owners_.pop_back();
}

}  // namespace crate_room
