#include "components.hpp"

#include <stdexcept>

namespace fixture {
namespace {

using namespace crateful;

std::vector<std::byte> encode_label(const Label& label) {
    if (label.text == "encode") throw std::runtime_error("cannot encode");
    const auto text = std::as_bytes(std::span(label.text));
    return {text.begin(), text.end()};
}
Label decode_label(std::span<const std::byte> bytes) {
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text == "invalid") throw std::runtime_error("a label is invalid");
    return {text, static_cast<std::uint32_t>(text.size())};
}

void map_label(Label& label, const EntityMap&) {
    if (label.text == "map") throw std::runtime_error("cannot map");
}

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
    describe_component<Label>("Label").field("length", &Label::length).codec<encode_label, decode_label, map_label>();
    describe_component<Early>("Early").field("hp", &Early::hp);
    describe_component<Mismatch>("Mismatch").field("hp", &Mismatch::hp);
    describe_component<Placed>("Placed")
        .field("layer", &Placed::layer)
        .field("x", &Placed::place, &Vector::x)
        .field("y", &Placed::place, &Vector::y)
        .field("speed", &Placed::speeds);
    describe_component<Title>("Title")
        .field("rank", &Title::rank)
        .field("text", &Title::text)
        .field("note", &Title::note);
    describe_component<Aim>("Aim").field("range", &Aim::range).field("target", &Aim::target);
    describe_component<Soldier>("Soldier")
        .field("rank", &Soldier::rank)
        .field("at", &Soldier::at)
        .field("colour", &Soldier::colour)
        .field("stance", &Soldier::stance)
        .names({"idle", "walk", "attack"})
        .field("weapon", &Soldier::weapon)
        .names({"none", "sword"})
        .field("target", &Soldier::targets)
        .field("order", &Soldier::orders)
        .names({"idle", "walk", "attack"});
    return true;
}();

}  // namespace
}  // namespace fixture
