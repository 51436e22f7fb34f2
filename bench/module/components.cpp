// Describes the components for TypeScript. Those of the crate room are described in the demo.
#include "case.hpp"
#include "sparse.hpp"

namespace bench {
namespace {

using crateful::describe_component;
using crateful::Policy;

const bool described = [] {
    // Every entity has these components.
    describe_component<Position>("SparsePosition")
        .policy(Policy::linear)
        .field("x", &Position::x)
        .field("y", &Position::y);
    describe_component<Sprite>("SparseSprite")
        .policy(Policy::linear)
        .field("x", &Sprite::x)
        .field("y", &Sprite::y)
        .field("frame", &Sprite::frame);
    return true;
}();

}  // namespace
}  // namespace bench
