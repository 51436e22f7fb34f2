// What the page sees of the crate room.
#include <crateful/bindings.hpp>

#include <emscripten/bind.h>

#include <exception>
#include <memory>
#include <string>

#include "atlas.hpp"
#include "devices.hpp"
#include "room.hpp"
#include "screen.hpp"

namespace crate_room {
namespace {

std::string failure;  // why create_room() returned nothing; exceptions do not cross

/// The room with its picture and its input devices.
class CrateRoom {
public:
    CrateRoom(crateful::World& world, int width, int height)
        : atlas_(paint_atlas()), screen_(atlas_, width, height), room_(world.ecs(), atlas_) {
        screen_.frame(room_.view);
    }

    void build(std::uint32_t seed, std::uint32_t crates) { room_.build(seed, crates); }
    void poll_input() {
        screen_.frame(room_.view);
        devices_.poll(room_, screen_);
    }
    void release_input() { devices_.release(); }
    void render() { screen_.draw(room_); }
    void resize(int width, int height) {
        screen_.resize(width, height);
        screen_.frame(room_.view);
    }
    void set_zoom(int zoom) {
        screen_.set_zoom(zoom);
        screen_.frame(room_.view);
    }
    [[nodiscard]] int zoom() const { return screen_.zoom(); }
    [[nodiscard]] bool tracking() const { return room_.tracking.on; }
    void set_tracking(bool on) { room_.tracking.on = on; }

    [[nodiscard]] std::uint32_t player() const { return static_cast<std::uint32_t>(room_.player()); }
    [[nodiscard]] std::uint32_t inspected() const { return static_cast<std::uint32_t>(room_.inspector().found()); }
    [[nodiscard]] std::uint32_t inspections() const { return room_.inspector().runs(); }
    [[nodiscard]] std::size_t looked_at(const std::string& system) const { return room_.looked_at(system); }
    [[nodiscard]] int sprites_drawn() const { return screen_.sprites_drawn(); }
    [[nodiscard]] int draw_calls() const { return screen_.draw_calls(); }
    [[nodiscard]] float screen_x(float x) const { return screen_.screen_x(room_.view, x); }
    [[nodiscard]] float screen_y(float y) const { return screen_.screen_y(room_.view, y); }

private:
    Atlas atlas_;
    Screen screen_;
    Room room_;
    Devices devices_;
};

std::unique_ptr<CrateRoom> create_room(crateful::World& world, int width, int height) {
    try {
        return std::make_unique<CrateRoom>(world, width, height);
    } catch (const std::exception& error) {
        failure = error.what();
        return nullptr;
    }
}

std::string last_failure() { return failure; }

}  // namespace

EMSCRIPTEN_BINDINGS(crate_room) {
    using namespace emscripten;
    describe_components();

    function("createRoom(world, width, height)", &create_room);
    function("failure()", &last_failure);
    class_<CrateRoom>("CrateRoom")
        .function("build(seed, crates)", &CrateRoom::build)
        .function("pollInput()", &CrateRoom::poll_input)
        .function("releaseInput()", &CrateRoom::release_input)
        .function("render()", &CrateRoom::render)
        .function("resize(width, height)", &CrateRoom::resize)
        .property("zoom", &CrateRoom::zoom, &CrateRoom::set_zoom)
        .property("tracking", &CrateRoom::tracking, &CrateRoom::set_tracking)
        .property("player", &CrateRoom::player)
        .property("inspected", &CrateRoom::inspected)
        .property("inspections", &CrateRoom::inspections)
        .property("spritesDrawn", &CrateRoom::sprites_drawn)
        .property("drawCalls", &CrateRoom::draw_calls)
        .function("lookedAt(system)", &CrateRoom::looked_at)
        .function("screenX(x)", &CrateRoom::screen_x)
        .function("screenY(y)", &CrateRoom::screen_y);
}

}  // namespace crate_room

int main() { return 0; }
