#include "components.hpp"

namespace fixture {
namespace {

using namespace crateful;

const bool described = [] {
    describe_component<Body>("Body")
        .field("mass", &Body::mass)
        .field("charge", &Body::charge)
        .field("solid", &Body::solid)
        .field("owner", &Body::owner)
        .field("radius", &Body::radius)
        .field("layer", &Body::layer)
        .field("mood", &Body::mood);
    describe_component<Tile>("Tile").field("kind", &Tile::kind).field("height", &Tile::height).policy(Policy::linear);
    describe_component<Frozen>("Frozen");
    describe_component<Label>("Label").field("length", &Label::length);
    return true;
}();

}  // namespace
}  // namespace fixture
