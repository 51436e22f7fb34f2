// The embind declarations of the core for JavaScript. The functions are in world.cpp and reports.cpp.
#include <emscripten/bind.h>

#include "crateful/world.hpp"
#include "reports.hpp"

namespace crateful {
namespace {

using namespace emscripten;

EMSCRIPTEN_BINDINGS(crateful) {
    // Component classes are shared by all worlds of the module.
    function("addStoredClass", &reports::add_stored_class);
    function("addObjectClass", &registry::add_object);
    function("describeClass", &reports::describe_native_class);
    function("reportNames", &reports::names);
    function("reportNumbers", &reports::numbers);

    class_<World>("World")
        .constructor<int>()
        .function("errorCode", &World::error_code)
        .function("errorToken", &World::error_token)
        .function("errorMessage", &World::error_message)

        .function("reserveScratch", &World::reserve_scratch)
        .function("scratchControl", &World::scratch_control)
        .function("emptyPage", &World::empty_page)
        .function("emptySet", &World::empty_set)
        .function("self", &World::self)
        .function("newSlots", &World::new_slots)
        .function("poolControl", &World::pool_control)
        .function("marksControl", &World::marks_control)
        .function("storageControl", &World::storage_control)
        .function("storageSet", &World::storage_set)
        .function("reserve", &World::reserve)
        .function("openIteration", &World::open_iteration)
        .function("closeIteration", &World::close_iteration)

        .function("addEntity", &World::add_entity)
        .function("addEntities", &World::add_entities)
        .function("removeEntity", &World::remove_entity)
        .function("removeEntities", &World::remove_entities)
        .function("addComponent", &World::add_component)
        .function("addComponents", &World::add_components)
        .function("removeComponent", &World::remove_component)
        .function("removeComponents", &World::remove_components)
        .function("markDirty", &World::mark_dirty)
        .function("drain", &World::drain)
        .function("readParked", &World::read_parked)

        .function("makeSystem", &World::make_system)
        .function("require", &World::require)
        .function("watch", &World::watch)
        .function("systemMemory", &World::system_memory)
        .function("addSystem", &World::add_system)
        .function("removeSystem", &World::remove_system)
        .function("setEnabled", &World::set_enabled)
        .function("systems", &reports::systems)

        .function("update", &World::update)
        .function("clear", &World::clear)
        .function("slowMotion", &World::slow_motion)
        .property("slowMotionStep", &World::steps, &World::set_steps)
        .property("slowMotionFactor", &World::slow_motion_factor)
        .function("endSlowMotion", &World::end_slow_motion)
        .property("paused", &World::paused, &World::set_paused)
        .property("gameTime", &World::game_time)
        .property("wallTime", &World::wall_time)
        .property("awaitsTime", &World::awaits_time, &World::set_awaits_time)

        .property("profiling", &World::profiling, &World::set_profiling)
        .function("record", &World::record)
        .function("profile", &reports::profile)
        .function("spans", &reports::spans)
        .function("forgetProfile", &World::forget_profile)
        .function("memoryReport", &reports::memory);
}

}  // namespace
}  // namespace crateful
