// The embind declarations of the core for JavaScript. The functions are in world.cpp and reports.cpp.
#include <emscripten/bind.h>

#include "crateful/world.hpp"
#include "reports.hpp"

namespace crateful {
namespace {

using namespace emscripten;

EMSCRIPTEN_BINDINGS(crateful) {
    // Component classes are shared by all worlds of the module.
    function("addStoredClass(name, policy, types)", &reports::add_stored_class);
    function("addObjectClass(name)", &registry::add_object);
    function("describeClass(name)", &reports::describe_native_class);
    function("reportNames()", &reports::names);
    function("reportNumbers()", &reports::numbers);

    class_<World>("World")
        .constructor<int>()
        .function("errorCode()", &World::error_code)
        .function("errorToken()", &World::error_token)
        .function("errorMessage()", &World::error_message)

        .function("reserveScratch(bytes)", &World::reserve_scratch)
        .function("scratchControl()", &World::scratch_control)
        .function("emptyPage()", &World::empty_page)
        .function("emptySet()", &World::empty_set)
        .function("self()", &World::self)
        .function("newSlots()", &World::new_slots)
        .function("poolControl()", &World::pool_control)
        .function("marksControl()", &World::marks_control)
        .function("storageControl(id)", &World::storage_control)
        .function("storageSet(id)", &World::storage_set)
        .function("reserve(entity, id)", &World::reserve)
        .function("openIteration(set)", &World::open_iteration)
        .function("closeIteration(set, position)", &World::close_iteration)

        .function("addEntity()", &World::add_entity)
        .function("addEntities(out, n)", &World::add_entities)
        .function("removeEntity(entity)", &World::remove_entity)
        .function("removeEntities(list, n)", &World::remove_entities)
        .function("addComponent(entity, id, packed, flags)", &World::add_component)
        .function("addComponents(list, n, id, columns, flags)", &World::add_components)
        .function("removeComponent(entity, id)", &World::remove_component)
        .function("removeComponents(list, n, id)", &World::remove_components)
        .function("markDirty(list, n, id)", &World::mark_dirty)
        .function("drain()", &World::drain)
        .function("readParked(entity, id, packed)", &World::read_parked)

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
        .property("slowMotionStep", &World::steps, &World::set_steps)
        .property("slowMotionFactor", &World::slow_motion_factor)
        .function("endSlowMotion()", &World::end_slow_motion)
        .property("paused", &World::paused, &World::set_paused)
        .property("gameTime", &World::game_time)
        .property("wallTime", &World::wall_time)
        .property("awaitsTime", &World::awaits_time, &World::set_awaits_time)

        .property("profiling", &World::profiling, &World::set_profiling)
        .function("record(group, name, start, duration)", &World::record)
        .function("profile()", &reports::profile)
        .function("spans()", &reports::spans)
        .function("forgetProfile()", &World::forget_profile)
        .function("memoryReport()", &reports::memory);
}

}  // namespace
}  // namespace crateful
