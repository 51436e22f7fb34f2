// Functions for JavaScript that add a workload to an ECS. A step is `ecs.update()`.
#include <emscripten/bind.h>
#include <crateful/world.hpp>

#include <exception>
#include <memory>
#include <string>

#include "crate_room.hpp"
#include "removal.hpp"
#include "sparse.hpp"

namespace bench {
namespace {

using crateful::World;
using Made = std::unique_ptr<Case>;

Made make_sparse(World& world, std::uint32_t n, std::uint32_t k, bool moving, bool changes) {
    return sparse(world.ecs(), {n, k, moving}, changes);
}
Made make_room(World& world, std::uint32_t crates, std::uint32_t moving, bool tracking) {
    return room(world.ecs(), crates, moving, tracking);
}
double nanoseconds_per_removal(bool linear, std::uint32_t n) { return 1e9 / n * seconds_to_remove_all(linear, n); }

// Verifies the state after `steps` steps: returns the error message, or an empty string. Exceptions must not cross the
// language boundary.
std::string failure(const Case& made, double steps) {
    try {
        made.verify(static_cast<std::size_t>(steps));
        return {};
    } catch (const std::exception& error) {
        return error.what();
    }
}

EMSCRIPTEN_BINDINGS(bench) {
    using emscripten::function;
    emscripten::class_<Case>("Case").function("ops()", &Case::ops).function("failure(steps)", &failure);
    function("sparse(world, n, k, moving, changes)", &make_sparse);
    function("room(world, crates, moving, tracking)", &make_room);
    function("nanosecondsPerRemoval(linear, n)", &nanoseconds_per_removal);
}

}  // namespace
}  // namespace bench
