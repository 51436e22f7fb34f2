// The embind declarations of the core for JavaScript: the classes, and the calls with strings. Calls with numbers are in
// exports.cpp.
#include <emscripten/bind.h>

#include "crateful/world.hpp"
#include "reports.hpp"

namespace crateful {
namespace {

EMSCRIPTEN_BINDINGS(crateful) {
    using namespace emscripten;
    // Component classes are shared by all worlds of the module.
    function("addStoredClass", &reports::add_stored_class);
    function("addObjectClass", &registry::add_object);
    function("describeClass", &reports::describe_native_class);
    function("reportNames", &reports::names);

    class_<World>("World")
        .constructor<int>()
        .function("memory", &World::memory)
        .function("errorMessage", &World::error_message)
        .function("makeSystem", &World::make_system)
        .function("record", &World::record);
}

}  // namespace
}  // namespace crateful
