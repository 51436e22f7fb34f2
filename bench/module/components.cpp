// Describes the components for TypeScript. Those of the crate room are described in the demo.
#include <utility>

#include "case.hpp"
#include "sparse.hpp"

namespace bench {
namespace {

using crateful::describe_component;
using crateful::Policy;

template <int... I>
void describe_letters(std::integer_sequence<int, I...>) {
    (..., describe_component<Value<I>>(std::string(1, static_cast<char>('A' + I))).field("value", &Value<I>::value));
}

const bool described = [] {
    describe_letters(std::make_integer_sequence<int, 26>{});
    describe_component<Value<26>>("Data").field("value", &Value<26>::value);
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
