#include "level.hpp"

#include "random.hpp"
#include "systems/ai.hpp"
#include "systems/fade.hpp"

namespace crate_room {
namespace {

// Seconds; no multiples of a frame's length, so that rounding never decides in which frame they are over.
constexpr double DARKENS = 0.408;
constexpr double BRIGHTENS = 0.508;
constexpr double MOURNS = 1.108;  // before it darkens
constexpr double WAITS = 0.258;   // until the controls are given back

}  // namespace

Level::Level(crateful::ECS& ecs) : ecs_(ecs) {
    static_cast<void>(ecs_.events.inbox<DoorEntered>());
    static_cast<void>(ecs_.events.inbox<PlayerDied>());
    static_cast<void>(ecs_.events.inbox<RoomLeft>());
}

void Level::begin(const Room& room) {
    room_ = room;
    arrive();
}

void Level::enter() {
    if (onward_) ++room_.number;
    arrive();
}

std::uint32_t Level::room_seed() const noexcept { return room_.number == 1 ? room_.seed : scramble(room_.seed, room_.number); }

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
