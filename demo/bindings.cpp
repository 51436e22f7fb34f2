// The interface between the page and the crate room.
#include <crateful/guarded.hpp>

#include <emscripten/bind.h>
#include <emscripten/heap.h>
#include <emscripten/val.h>
#include <malloc.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "atlas.hpp"
#include "devices.hpp"
#include "room.hpp"
#include "screen.hpp"
#include "synth.hpp"
#include "systems/debug/debug_heat.hpp"
#include "systems/debug/debug_inspection.hpp"

namespace crate_room {
namespace {

/// Returns a Float32Array that contains a copy of the numbers.
emscripten::val to_array(const std::vector<float>& numbers) {
    return emscripten::val(emscripten::typed_memory_view(numbers.size(), numbers.data()))
        .call<emscripten::val>("slice");
}

/// A second room like the one that is shown at the start of its run, without an opening, picture, sound and input: its
/// updates are measured.
class Twin {
public:
    Twin(const Atlas& atlas, const Room& original) : room_(ecs_, atlas) {
        const Place& place = original.recording().first();
        room_.view = original.view;
        ecs_.profiler.enabled = original.ecs().profiler.enabled;
        room_.begin(place.seed, place.crates, place.guards);
    }
    [[nodiscard]] bool tracking() const { return room_.tracking.on; }
    void set_tracking(bool on) { room_.tracking.on = on; }
    [[nodiscard]] std::size_t visited(const std::string& system) const { return room_.visited(system); }
    void update(int times) {
        for (int i = 0; i < times; ++i) room_.end_frame(ecs_.update(room_.begin_frame(1.0 / 60)));
    }

private:
    crateful::ECS ecs_;
    Room room_;
};

/// The room with its screen and input devices. The page plays its sounds.
class CrateRoom {
public:
    CrateRoom(crateful::World& world, const CanvasSize& size)
        : atlas_(paint_atlas()), screen_(atlas_, size), room_(world.ecs(), atlas_), devices_(atlas_) {
        screen_.frame(room_);
    }

    void begin(std::uint32_t seed, std::uint32_t crates, int guards, bool opening) {
        room_.begin(seed, crates, guards, opening);
        screen_.frame(room_);
    }
    void enter() {
        room_.enter();
        screen_.frame(room_);
    }
    [[nodiscard]] bool room_due() const { return room_.level().due(); }
    [[nodiscard]] std::uint32_t room_number() const { return room_.level().place().number; }
    double begin_frame(double delta) {
        screen_.frame(room_);
        devices_.poll(room_, screen_);
        room_.input.calm = calm_;  // a replay replaces it
        return room_.begin_frame(delta);
    }
    void end_frame(double delta) { room_.end_frame(delta); }
    void render() { screen_.draw(room_, &devices_.stick()); }

    void release_input() { devices_.release(); }
    void resize(int width, int height, float pixel_ratio) {
        screen_.resize({width, height, pixel_ratio});
        screen_.frame(room_);
    }
    [[nodiscard]] int zoom() const { return screen_.zoom(); }
    void choose_zoom(int css_pixels) {
        screen_.choose_zoom(css_pixels);
        screen_.frame(room_);
    }
    void lose_graphics() { screen_.lose(); }
    void restore_graphics() { screen_.restore(); }
    [[nodiscard]] emscripten::val take_sounds() {
        const std::vector<Playback> sounds = room_.take_sounds();
        if (sounds.empty()) return emscripten::val::undefined();
        std::vector<float> numbers;
        for (const auto& [sound, volume, pan] : sounds)
            numbers.insert(numbers.end(), {static_cast<float>(sound), volume, pan});
        return to_array(numbers);
    }
    void hold_button(const std::string& name, bool down) {
        devices_.hold_button(name == "defend" ? Button::defend : Button::strike, down);
    }

    [[nodiscard]] bool calm() const { return calm_; }
    void set_calm(bool on) { calm_ = on; }

    [[nodiscard]] bool tracking() const { return room_.tracking.on; }
    void set_tracking(bool on) { room_.tracking.on = on; }
    [[nodiscard]] bool record_times() const { return room_.tracking.record_times; }
    void set_record_times(bool on) { room_.tracking.record_times = on; }
    [[nodiscard]] std::unique_ptr<Twin> twin() const { return std::make_unique<Twin>(atlas_, room_); }
    [[nodiscard]] std::string heat() const { return room_.heat().chosen; }
    void set_heat(const std::string& system) { room_.heat().chosen = system; }
    [[nodiscard]] std::size_t heated() const { return room_.heat().heated(); }
    bool set_enabled(const std::string& system, bool enabled) { return room_.set_enabled(system, enabled); }
    [[nodiscard]] std::size_t visited(const std::string& system) const { return room_.visited(system); }

    void show_restored() {
        screen_.frame(room_);
        room_.show_restored();
    }
    void replay() {
        room_.replay();
        screen_.frame(room_);
    }
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
    bool calm_ = false;
};

std::unique_ptr<CrateRoom> create_room(crateful::World& world, int width, int height, float pixel_ratio) {
    return std::make_unique<CrateRoom>(world, CanvasSize{width, height, pixel_ratio});
}

emscripten::val sound_samples(int sound, int variant, int sample_rate) {
    return to_array(synthesise(static_cast<Sound>(sound), variant, sample_rate));
}

}  // namespace

EMSCRIPTEN_BINDINGS(crate_room) {
    using namespace emscripten;
    describe_components();

    function("createRoom(world, width, height, pixelRatio)", crateful::guarded<create_room>);
    function("soundSamples(sound, variant, sampleRate)", crateful::guarded<sound_samples>);
    constant("SOUNDS", static_cast<int>(Sound::count));
    constant("SOUND_VARIANTS", SOUND_VARIANTS);
    class_<Twin>("Twin")
        .property("tracking", &Twin::tracking, &Twin::set_tracking)
        .function("visited(system)", &Twin::visited)
        .function("update(times)", &Twin::update);
    class_<CrateRoom>("CrateRoom")
        .function("begin(seed, crates, guards, opening)", &CrateRoom::begin)
        .function("enter()", &CrateRoom::enter)
        .property("roomDue", &CrateRoom::room_due)
        .property("roomNumber", &CrateRoom::room_number)
        .function("beginFrame(delta)", &CrateRoom::begin_frame)
        .function("endFrame(effectiveDelta)", &CrateRoom::end_frame)
        .function("render()", &CrateRoom::render)
        .function("releaseInput()", &CrateRoom::release_input)
        .function("resize(width, height, pixelRatio)", &CrateRoom::resize)
        .property("zoom", &CrateRoom::zoom)
        .function("chooseZoom(cssPixels)", &CrateRoom::choose_zoom)
        .function("loseGraphics()", &CrateRoom::lose_graphics)
        .function("restoreGraphics()", crateful::guarded<&CrateRoom::restore_graphics>)
        .function("takeSounds()", &CrateRoom::take_sounds)
        .function("holdButton(name, down)", &CrateRoom::hold_button)
        .property("calm", &CrateRoom::calm, &CrateRoom::set_calm)
        .property("tracking", &CrateRoom::tracking, &CrateRoom::set_tracking)
        .property("recordTimes", &CrateRoom::record_times, &CrateRoom::set_record_times)
        .function("twin()", &CrateRoom::twin)
        .property("heat", &CrateRoom::heat, &CrateRoom::set_heat)
        .property("heated", &CrateRoom::heated)
        .function("setEnabled(system, enabled)", &CrateRoom::set_enabled)
        .function("visited(system)", &CrateRoom::visited)
        .function("showRestored()", &CrateRoom::show_restored)
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
