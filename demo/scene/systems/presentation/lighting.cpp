#include "systems/presentation/lighting.hpp"

namespace crate_room {

Lighting::Lighting(const Tracking& tracking) : FollowsChanges(tracking) {
    require<Position, Light>();
    watch<Position, Light>();
}

void Lighting::update(double, Entities& entities, Dirty& dirty) {
    each_changed(entities, dirty, [&](const LampSlot& lamp) {
        const auto& at = lamp.get<Position>();
        const auto& light = lamp.get<Light>();
        lamps_[lamp.slot] = {at.x, at.y - TILE / 2, light.radius, {light.r, light.g, light.b, 255}, light.flickers};
    });
}

void Lighting::on_add(LampSlot& lamp) {
    lamp.slot = static_cast<std::uint32_t>(lamps_.size());
    lamps_.emplace_back();  // update() writes it: a newly tracked entity is dirty (rule D5)
    owners_.push_back(&lamp);
}

void Lighting::on_remove(LampSlot& lamp) {
    lamps_[lamp.slot] = lamps_.back();
    owners_[lamp.slot] = owners_.back();
    owners_[lamp.slot]->slot = lamp.slot;
    lamps_.pop_back();
    owners_.pop_back();
}

}  // namespace crate_room
