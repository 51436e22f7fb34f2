// The embind declarations of the core for JavaScript: the calls with strings. Calls with numbers are in exports.cpp.
#include <emscripten/bind.h>

#include "crateful/world.hpp"
#include "reports.hpp"

namespace crateful {
namespace {

// JavaScript passes the address of a world.
World& at(std::uintptr_t world) { return *reinterpret_cast<World*>(world); }

std::string error_message(std::uintptr_t world) { return at(world).error_message(); }

std::uintptr_t make_system(std::uintptr_t world, int token, const std::string& name, int flags) {
    return at(world).make_system(token, name, flags);
}

void record(std::uintptr_t world, const std::string& group, const std::string& name, double start, double duration) {
    at(world).ecs().profiler.record(group, name, start, duration);
}

EMSCRIPTEN_BINDINGS(crateful) {
    using emscripten::function;
    // Component classes are shared by all worlds of the module.
    function("addStoredClass", &reports::add_stored_class);
    function("addObjectClass", &registry::add_object);
    function("describeClass", &reports::describe_native_class);

    function("errorMessage", &error_message);
    function("makeSystem", &make_system);
    function("record", &record);
    World::declare();
}

}  // namespace
}  // namespace crateful
