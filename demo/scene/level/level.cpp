#include "level/level.hpp"

#include "random.hpp"
#include "systems/presentation/fade.hpp"

namespace crate_room {
namespace {

// Durations in seconds. A delayed event is due at the sum of the game time and its delay. In a replay the game time
// starts at another value, so this sum is rounded differently. If a sum were nearly equal to the time of a frame,
// rounding would decide in which frame the event is dispatched, and a replay could differ. The digits after the second
// decimal place prevent this: they are no multiple of a frame's length or of a millisecond.
constexpr double FADE_OUT = 0.40804371;
constexpr double FADE_IN = 0.50804371;
constexpr double AFTER_DEATH = 1.10804371;    // additional time before the fade ends
constexpr double CONTROL_DELAY = 0.25804371;  // from the start of a room until input controls the player

}  // namespace

Level::Level(ECS& ecs) : ecs_(ecs) {
    ecs_.events.collect<DoorEntered>();
    ecs_.events.collect<PlayerDied>();
    ecs_.events.collect<RoomLeft>();
}

void Level::begin(const Place& first) {
    ecs_.add<Place>(ecs_.world(), first);
    ecs_.add<Story>(ecs_.world());
    start_room();
}

void Level::enter() {
    const bool to_next = story().to_next;
    ecs_.modify<Place>(ecs_.world(), [&](Place& place) {
        if (to_next) ++place.number;
        place.opening = false;  // only at the start of a run
    });
    start_room();
}

std::uint32_t Level::room_seed() const {
    const auto& [seed, crates, guards, number, opening] = place();
    return number == 1 ? seed : scramble(seed, number);
}

void Level::update() {
    const auto received = [](auto& inbox) {
        const bool any = !inbox.empty();
        inbox.clear();
        return any;
    };
    const bool door = received(ecs_.events.inbox<DoorEntered>());
    const bool death = received(ecs_.events.inbox<PlayerDied>());
    if (received(ecs_.events.inbox<RoomLeft>())) due_ = true;
    if (story().leaving || (!door && !death)) return;
    ecs_.modify<Story>(ecs_.world(), [&](Story& story) {
        story.leaving = story.in_cutscene = true;
        story.to_next = door && !death;
    });
    start_leaving(death ? AFTER_DEATH : 0);
}

void Level::start_leaving(double after) {
    ecs_.events.dispatch(PlayerControl{false});
    ecs_.get_system<Fade>().request(1, static_cast<float>(after + FADE_OUT - 0.05));
    ecs_.events.dispatch(RoomLeft{}, after + FADE_OUT);
}

void Level::start_room() {
    due_ = false;
    ecs_.modify<Story>(ecs_.world(), [](Story& story) { story.leaving = story.to_next = story.in_cutscene = false; });
    ecs_.events.dispatch(PlayerControl{false});
    ecs_.events.dispatch(PlayerControl{true}, CONTROL_DELAY);
    ecs_.get_system<Fade>().request(0, static_cast<float>(FADE_IN));
}

}  // namespace crate_room
