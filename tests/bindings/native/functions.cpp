// Functions of the fixture that tests call from JavaScript.
#include <emscripten/bind.h>
#include <emscripten/val.h>
#include <crateful/changes.hpp>
#include <crateful/guarded.hpp>
#include <crateful/state.hpp>
#include <crateful/world.hpp>

#include "systems.hpp"

namespace fixture {
namespace {

using namespace crateful;

// Allocates that many megabytes, so that the memory grows from C++ code.
void allocate(int megabytes) {
    static std::vector<std::vector<char>> kept;
    for (int i = 0; i < megabytes; ++i) kept.emplace_back(std::size_t{1} << 20);
}

std::uint32_t add_body(World& world, double mass) {
    const Entity e = world.ecs().add_entity();
    world.ecs().add<Body>(e, {.mass = mass});
    return static_cast<std::uint32_t>(e);
}

void add_bodies(World& world, int n) {
    const std::vector<Entity> entities = world.ecs().add_entities(static_cast<std::size_t>(n));
    world.ecs().add<Body>(entities, std::vector<Body>(1));
}

double mass_of(World& world, std::uint32_t e) { return world.ecs().get<Body>(Entity{e}).mass; }
int secret_of(World& world, std::uint32_t e) { return world.ecs().get<Body>(Entity{e}).secret; }
void set_mass(World& world, std::uint32_t e, double mass) {
    world.ecs().modify<Body>(Entity{e}, [&](Body& body) { body.mass = mass; });
}
bool remove_body(World& world, std::uint32_t e) { return world.ecs().remove<Body>(Entity{e}); }
void set_label(World& world, std::uint32_t e, const std::string& text) {
    world.ecs().add<Label>(Entity{e}, {text, static_cast<std::uint32_t>(text.size())});
}
std::string label_of(World& world, std::uint32_t e) { return world.ecs().get<Label>(Entity{e}).text; }

// std::string may contain zeros.
void set_title(World& world, std::uint32_t e, const std::string& text) {
    world.ecs().set<Title>(Entity{e},
                           {.rank = 1, .text = world.ecs().string(text), .note = world.ecs().string(text + "!")});
}
std::string title_of(World& world, std::uint32_t e) {
    return std::string(world.ecs().text(world.ecs().get<Title>(Entity{e}).text));
}
void intern(World& world, int n) {
    for (int i = 0; i < n; ++i) static_cast<void>(world.ecs().string("interned " + std::to_string(i)));
}

void add_weigher(World& world, double priority) { world.ecs().add_system<Weigher>(priority); }
void add_grower(World& world, double priority, bool silent) {
    world.ecs().add_system<Grower>(priority).silent = silent;
}
void add_thrower(World& world, double priority) { world.ecs().add_system<Thrower>(priority); }
void remove_thrower(World& world) { world.ecs().remove_system(world.ecs().get_system<Thrower>()); }
void add_hoarder(World& world, double priority) { world.ecs().add_system<Hoarder>(priority); }

// Returns the lines that were logged since the last call.
std::string take_log(World& world) {
    std::string all;
    for (const std::string& line : log_of(world.ecs()).lines) all += line + "\n";
    log_of(world.ecs()).lines.clear();
    return all;
}

std::string soldier(World& world, std::uint32_t e) {
    const auto& s = world.ecs().get<Soldier>(Entity{e});
    std::string text = std::to_string(static_cast<int>(s.stance));
    for (const float x : s.at) text += " " + std::to_string(static_cast<int>(x));
    for (const std::uint8_t x : s.colour) text += " " + std::to_string(x);
    return text;
}
void set_soldier(World& world, std::uint32_t e, int stance, float x) {
    world.ecs().modify<Soldier>(Entity{e}, [&](Soldier& s) {
        s.stance = static_cast<Stance>(stance);
        s.at[0] = x;
    });
}

Entity none() noexcept { return NONE; }

// The bytes are valid until the next call.
emscripten::val take_snapshot(World& world) {
    static std::vector<std::byte> bytes;
    bytes = snapshot(world.ecs());
    return emscripten::val(
        emscripten::typed_memory_view(bytes.size(), reinterpret_cast<const unsigned char*>(bytes.data())));
}
// Changes in C++. Receivers and replicas are numbered, and are never freed.
std::vector<Receiver>& receivers() {
    static std::vector<Receiver> all;
    return all;
}
std::vector<Replica>& replicas() {
    static std::vector<Replica> all;
    return all;
}
std::size_t add_receiver(World& world, const std::string& cls) {
    receivers().push_back(Changes(world.ecs(), {.without = {cls}}).receiver());
    return receivers().size() - 1;
}
std::size_t add_replica(World& world) {
    replicas().emplace_back(world.ecs());
    return replicas().size() - 1;
}
// The bytes are valid until the next call.
emscripten::val take_changes(std::size_t receiver) {
    static std::vector<std::byte> bytes;
    bytes = receivers()[receiver].take();
    return emscripten::val(
        emscripten::typed_memory_view(bytes.size(), reinterpret_cast<const unsigned char*>(bytes.data())));
}
std::uint32_t apply_changes(std::size_t replica, const std::string& bytes, std::uint32_t remote) {
    replicas()[replica].apply(std::as_bytes(std::span(bytes)));
    return static_cast<std::uint32_t>(replicas()[replica].entity(Entity{remote}));
}

void restore_bytes(World& world, const std::string& bytes) { restore(world.ecs(), std::as_bytes(std::span(bytes))); }

EMSCRIPTEN_BINDINGS(fixture) {
    using emscripten::function;
    function("allocate(megabytes)", &allocate);
    function("addBody(world, mass)", &add_body);
    function("addBodies(world, n)", &add_bodies);
    function("massOf(world, entity)", &mass_of);
    function("secretOf(world, entity)", &secret_of);
    function("setMass(world, entity, mass)", &set_mass);
    function("removeBody(world, entity)", &remove_body);
    function("setLabel(world, entity, text)", &set_label);
    function("labelOf(world, entity)", &label_of);
    function("setTitle(world, entity, text)", &set_title);
    function("titleOf(world, entity)", &title_of);
    function("intern(world, count)", &intern);
    function("soldier(world, entity)", &soldier);
    function("setSoldier(world, entity, stance, x)", &set_soldier);
    function("addWeigher(world, priority)", &add_weigher);
    function("addGrower(world, priority, silent)", &add_grower);
    function("addThrower(world, priority)", &add_thrower);
    function("removeThrower(world)", &remove_thrower);
    function("addHoarder(world, priority)", &add_hoarder);
    function("takeLog(world)", &take_log);
    function("addBodyGuarded(world, mass)", guarded<add_body>);
    function("massOfGuarded(world, entity)", guarded<mass_of>);
    function("childOf(world, parent)", guarded<[](World& world, Entity parent) {
                 const Entity child = world.ecs().add_entity();
                 world.ecs().set_parent(child, parent);
                 return child;
             }>);
    function("none()", guarded<none>);
    function("snapshot(world)", guarded<take_snapshot>);
    function("restore(world, bytes)", guarded<restore_bytes>);
    function("addReceiver(world, without)", guarded<add_receiver>);
    function("addReplica(world)", guarded<add_replica>);
    function("takeChanges(receiver)", guarded<take_changes>);
    function("applyChanges(replica, bytes, remote)", guarded<apply_changes>);
    function("sortBodies(world, ascending)", guarded<[](World& world, bool ascending) {
                 world.ecs().sort<Body>([ascending](const Body& a, const Body& b) {
                     return ascending ? a.mass < b.mass : b.mass < a.mass;
                 });
             }>);
    function("parse(text)", guarded<[](const std::string& text) { return std::stoi(text); }>);
}

}  // namespace
}  // namespace fixture
