// What JavaScript sees of the core. Declarations only; the work is in world.cpp and reports.hpp.
#include <emscripten/bind.h>

#include "crateful/bindings.hpp"
#include "reports.hpp"

namespace crateful {
namespace {

using namespace emscripten;

EMSCRIPTEN_BINDINGS(crateful) {
    // Component classes: the same in every world of the module.
    function("addStoredClass(name, policy, fields)", &reports::add_stored_class);
    function("addObjectClass(name)", &registry::add_object);
    function("describeClass(name)", &reports::describe_native_class);

    class_<World>("World")
        .constructor<int>()
        .function("errorCode()", &World::error_code)
        .function("errorToken()", &World::error_token)
        .function("errorMessage()", &World::error_message)

        .function("scratch(bytes)", &World::scratch)
        .function("poolControl()", &World::pool_control)
        .function("marksControl()", &World::marks_control)
        .function("storageControl(id)", &World::storage_control)
        .function("storageSet(id)", &World::storage_set)
        .function("reserve(entity, id)", &World::reserve)
        .function("openCursor(set)", &World::open_cursor)
        .function("closeCursor(set, cursor)", &World::close_cursor)

        .function("addEntity()", &World::add_entity)
        .function("addEntities(out, n)", &World::add_entities)
        .function("removeEntities(list, n)", &World::remove_entities)
        .function("addComponent(entity, id, row, flags)", &World::add_component)
        .function("addComponents(list, n, id, columns, flags)", &World::add_components)
        .function("removeComponent(entity, id)", &World::remove_component)
        .function("removeComponents(list, n, id)", &World::remove_components)
        .function("markDirty(list, n, id)", &World::mark_dirty)
        .function("drain()", &World::drain)
        .function("readParked(entity, id, row)", &World::read_parked)

        .function("makeSystem(token, name, flags)", &World::make_system)
        .function("require(system, id)", &World::require)
        .function("watch(system, id)", &World::watch)
        .function("systemMemory(system)", &World::system_memory)
        .function("addSystem(priority, system)", &World::add_system)
        .function("removeSystem(system)", &World::remove_system)
        .function("setEnabled(system, on)", &World::set_enabled)
        .function("systems()", &reports::systems)

        .function("update(wallDelta)", &World::update)
        .function("clear()", &World::clear)
        .function("slowMotion(factor, duration)", &World::slow_motion)
        .property("slowMotionStep", &reports::steps, &reports::set_steps)
        .property("slowMotionFactor", &reports::slow_motion_factor)
        .function("endSlowMotion()", &reports::end_slow_motion)
        .property("paused", &reports::paused, &reports::set_paused)
        .property("gameTime", &reports::game_time)
        .property("wallTime", &reports::wall_time)

        .property("profiling", &reports::profiling, &reports::set_profiling)
        .function("record(group, name, start, duration)", &reports::record)
        .function("profile()", &reports::profile)
        .function("spans()", &reports::spans)
        .function("forgetProfile()", &reports::forget_profile)
        .function("memoryReport()", &reports::memory);
}

}  // namespace
}  // namespace crateful
