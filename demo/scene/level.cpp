#include "level.hpp"

#include "random.hpp"
#include "systems/ai.hpp"
#include "systems/fade.hpp"

namespace crate_room {
namespace {

// Seconds. Events are due at a sum of times, and rounding must never decide in which frame that is, or a
// replay, which begins at another time, would differ: so no multiples of a frame or of a clock's tick.
constexpr double DARKENS = 0.40804371;
constexpr double BRIGHTENS = 0.50804371;
constexpr double MOURNS = 1.10804371;  // more, after a death
constexpr double WAITS = 0.25804371;   // until the controls are given back

}  // namespace

Level::Level(crateful::ECS& ecs) : ecs_(ecs) {
    static_cast<void>(ecs_.events.inbox<DoorEntered>());
    static_cast<void>(ecs_.events.inbox<PlayerDied>());
    static_cast<void>(ecs_.events.inbox<RoomLeft>());
}

void Level::begin(const Place& first) {
    place_ = first;
    arrive();
}

void Level::enter() {
    if (onward_) ++place_.number;
    arrive();
}

std::uint32_t Level::room_seed() const noexcept {
    return place_.number == 1 ? place_.seed : scramble(place_.seed, place_.number);
}

void Level::update() {
    const auto heard = [](auto& inbox) {
        const bool any = !inbox.empty();
        inbox.clear();
        return any;
    };
    const bool door = heard(ecs_.events.inbox<DoorEntered>());
    const bool death = heard(ecs_.events.inbox<PlayerDied>());
    if (heard(ecs_.events.inbox<RoomLeft>())) due_ = true;
    if (leaving_ || (!door && !death)) return;
    leaving_ = true;
    onward_ = door && !death;
    leave(death ? MOURNS : 0);
}

void Level::leave(double after) {
    ecs_.events.dispatch(PlayerControl{false});
    ecs_.get_system<Ai>().in_cutscene = true;
    ecs_.get_system<Fade>().request(1, static_cast<float>(after + DARKENS - 0.05));
    ecs_.events.dispatch(RoomLeft{}, after + DARKENS);
}

void Level::arrive() {
    leaving_ = onward_ = due_ = false;
    ecs_.events.dispatch(PlayerControl{false});
    ecs_.events.dispatch(PlayerControl{true}, WAITS);
    ecs_.get_system<Ai>().in_cutscene = false;
    ecs_.get_system<Fade>().request(0, static_cast<float>(BRIGHTENS));
}

}  // namespace crate_room
