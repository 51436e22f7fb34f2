// The interface between the page and the crate room.
#include <crateful/guarded.hpp>

#include <emscripten/bind.h>
#include <emscripten/heap.h>
#include <malloc.h>

#include <cstdio>
#include <memory>
#include <string>

#include "atlas.hpp"
#include "devices.hpp"
#include "room.hpp"
#include "screen.hpp"
#include "speaker.hpp"
#include "systems/debug/debug_heat.hpp"
#include "systems/debug/debug_inspection.hpp"

namespace crate_room {
namespace {

/// The room with its screen, speaker and input devices.
class CrateRoom {
public:
    CrateRoom(crateful::World& world, int width, int height)
        : atlas_(paint_atlas()), screen_(atlas_, width, height), room_(world.ecs(), atlas_), devices_(atlas_) {
        screen_.frame(room_.view);
    }

    void begin(std::uint32_t seed, std::uint32_t crates, int guards) { room_.begin(seed, crates, guards); }
    void enter() { room_.enter(); }
    [[nodiscard]] bool room_due() const { return room_.level().due(); }
    [[nodiscard]] std::uint32_t room_number() const { return room_.level().place().number; }
    double begin_frame(double delta) {
        screen_.frame(room_.view);
        devices_.poll(room_, screen_);
        return room_.begin_frame(delta);
    }
    void end_frame(double delta) {
        room_.end_frame(delta);
        speaker_.play(room_.take_sounds());
    }
    void render() { screen_.draw(room_, &devices_.stick()); }

    void release_input() { devices_.release(); }
    void resize(int width, int height) {
        screen_.resize(width, height);
        screen_.frame(room_.view);
    }
    [[nodiscard]] int zoom() const { return screen_.zoom(); }
    void set_zoom(int zoom) {
        screen_.set_zoom(zoom);
        screen_.frame(room_.view);
    }
    void lose_graphics() { screen_.lose(); }
    void restore_graphics() { screen_.restore(); }
    [[nodiscard]] bool sound() const { return speaker_.on(); }
    void set_sound(bool on) { speaker_.set_on(on); }
    [[nodiscard]] std::uint32_t sounds_played() const { return speaker_.played(); }
    void hold_button(const std::string& name, bool down) {
        devices_.hold_button(name == "defend" ? Button::defend : Button::strike, down);
    }

    [[nodiscard]] bool tracking() const { return room_.tracking.on; }
    void set_tracking(bool on) { room_.tracking.on = on; }
    [[nodiscard]] std::string heat() const { return room_.heat().chosen; }
    void set_heat(const std::string& system) { room_.heat().chosen = system; }
    [[nodiscard]] std::size_t heated() const { return room_.heat().heated(); }
    bool set_enabled(const std::string& system, bool enabled) { return room_.set_enabled(system, enabled); }
    [[nodiscard]] std::size_t visited(const std::string& system) const { return room_.visited(system); }

    void replay() { room_.replay(); }
    void stop_replay() { room_.stop_replay(); }
    [[nodiscard]] bool replaying() const { return room_.recording().replaying(); }
    [[nodiscard]] bool recording_full() const { return room_.recording().full(); }
    [[nodiscard]] std::size_t recorded_frames() const { return room_.recording().length(); }
    [[nodiscard]] std::size_t replayed_frames() const { return room_.recording().position(); }
    [[nodiscard]] std::string state_hash() const {
        char text[17];
        std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(room_.state_hash()));
        return text;
    }

    [[nodiscard]] std::uint32_t player() const { return static_cast<std::uint32_t>(room_.player()); }
    [[nodiscard]] std::uint32_t inspected() const { return static_cast<std::uint32_t>(room_.inspection().found()); }
    [[nodiscard]] bool picked() const { return room_.inspection().picked(); }
    [[nodiscard]] std::uint32_t inspections() const { return room_.inspection().runs(); }
    [[nodiscard]] int sprites_drawn() const { return screen_.sprites_drawn(); }
    [[nodiscard]] int draw_calls() const { return screen_.draw_calls(); }
    [[nodiscard]] std::size_t uploaded_bytes() const { return screen_.uploaded_bytes(); }
    [[nodiscard]] std::size_t memory_bytes() const { return emscripten_get_heap_size(); }
    [[nodiscard]] std::size_t memory_used() const { return static_cast<std::size_t>(mallinfo().uordblks); }
    [[nodiscard]] float screen_x(float x) const { return screen_.screen_x(room_.view, x); }
    [[nodiscard]] float screen_y(float y) const { return screen_.screen_y(room_.view, y); }

private:
    Atlas atlas_;
    Screen screen_;
    Room room_;
    Devices devices_;
    Speaker speaker_;
};

std::unique_ptr<CrateRoom> create_room(crateful::World& world, int width, int height) {
    return std::make_unique<CrateRoom>(world, width, height);
}

}  // namespace

EMSCRIPTEN_BINDINGS(crate_room) {
    using namespace emscripten;
    describe_components();

    function("createRoom(world, width, height)", crateful::guarded<create_room>);
    class_<CrateRoom>("CrateRoom")
        .function("begin(seed, crates, guards)", &CrateRoom::begin)
        .function("enter()", &CrateRoom::enter)
        .property("roomDue", &CrateRoom::room_due)
        .property("roomNumber", &CrateRoom::room_number)
        .function("beginFrame(delta)", &CrateRoom::begin_frame)
        .function("endFrame(effectiveDelta)", &CrateRoom::end_frame)
        .function("render()", &CrateRoom::render)
        .function("releaseInput()", &CrateRoom::release_input)
        .function("resize(width, height)", &CrateRoom::resize)
        .property("zoom", &CrateRoom::zoom, &CrateRoom::set_zoom)
        .function("loseGraphics()", &CrateRoom::lose_graphics)
        .function("restoreGraphics()", crateful::guarded<&CrateRoom::restore_graphics>)
        .property("sound", &CrateRoom::sound, &CrateRoom::set_sound)
        .property("soundsPlayed", &CrateRoom::sounds_played)
        .function("holdButton(name, down)", &CrateRoom::hold_button)
        .property("tracking", &CrateRoom::tracking, &CrateRoom::set_tracking)
        .property("heat", &CrateRoom::heat, &CrateRoom::set_heat)
        .property("heated", &CrateRoom::heated)
        .function("setEnabled(system, enabled)", &CrateRoom::set_enabled)
        .function("visited(system)", &CrateRoom::visited)
        .function("replay()", &CrateRoom::replay)
        .function("stopReplay()", &CrateRoom::stop_replay)
        .property("replaying", &CrateRoom::replaying)
        .property("recordingFull", &CrateRoom::recording_full)
        .property("recordedFrames", &CrateRoom::recorded_frames)
        .property("replayedFrames", &CrateRoom::replayed_frames)
        .function("stateHash()", &CrateRoom::state_hash)
        .property("player", &CrateRoom::player)
        .property("inspected", &CrateRoom::inspected)
        .property("picked", &CrateRoom::picked)
        .property("inspections", &CrateRoom::inspections)
        .property("spritesDrawn", &CrateRoom::sprites_drawn)
        .property("drawCalls", &CrateRoom::draw_calls)
        .property("uploadedBytes", &CrateRoom::uploaded_bytes)
        .property("memoryBytes", &CrateRoom::memory_bytes)
        .property("memoryUsed", &CrateRoom::memory_used)
        .function("screenX(x)", &CrateRoom::screen_x)
        .function("screenY(y)", &CrateRoom::screen_y);
}

}  // namespace crate_room

int main() { return 0; }
