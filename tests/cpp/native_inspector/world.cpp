// The world of native_inspector.test.ts: it answers each line, which is a message, with a line.
#include <crateful/inspect.hpp>
#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>

using namespace crateful;

namespace {

struct Place {
    float x = 0;
    float at[3] = {};
    double exact = 0;
};
struct Life {
    std::uint8_t hp = 10;
    bool tired = false;
    std::int16_t debt = 0;
    std::uint32_t score = 0;
};
enum class Mood : std::uint8_t { calm, angry };
struct Mind {
    Mood mood = Mood::calm;
    Link target;
    Entity home = NONE;
    String name;
};
struct Sign {
    float label = 0;
    String title;
};
struct Enemy {};
struct Gone {};
struct Twin {
    std::uint8_t a = 0;
};
struct OtherTwin {
    std::uint8_t b = 0;
};
struct Hit {
    int points = 0;
};

struct Mover : System<> {
    Mover() {
        require<Place>(exclude<Gone>);
        watch<Place>();
        after("Thinker");
    }
    void update(double delta, Entities& entities) override {
        for (const auto [entity, aspect] : entities)
            ecs().modify<Place>(entity, [&](Place& place) { place.x += static_cast<float>(delta); });
    }
};
struct Thinker : System<> {
    Thinker() {
        require<Mind>(any<Enemy, Life>);
        watch_ancestors<Place>();
        interval(0.5);
    }
    void update(double /*delta*/) override {}
};
struct Screen : System<> {
    Screen() : System(true, true) { require_none(); }
    bool when(const ECS& /*ecs*/) override { return true; }
    void update(double /*delta*/) override {}
};
struct Nurse : System<> {
    Nurse() {
        require<Life>();
        watch<Life>();
        only_when_dirty();
    }
    void update(double, Entities&, Dirty& dirty) override {
        for (const Entity e : dirty) {
            const bool tired = ecs().get<Life>(e).hp < 5;
            if (ecs().get<Life>(e).tired != tired) ecs().modify<Life>(e, [&](Life& life) { life.tired = tired; });
        }
    }
};
struct Judge : System<> {
    Judge() {
        require<Mind>();
        watch<Mind>();
    }
    void update(double, Entities& entities) override {
        for (const auto [entity, aspect] : entities) {
            if (ecs().text(ecs().get<Mind>(entity).name) == "trouble") throw std::runtime_error("there is trouble");
        }
    }
    Inbox<Hit> hits{*this};
};

void describe() {
    describe_component<Place>("Place").field("x", &Place::x).field("at", &Place::at).field("exact", &Place::exact);
    describe_component<Life>("Life")
        .field("hp", &Life::hp)
        .field("tired", &Life::tired)
        .field("debt", &Life::debt)
        .field("score", &Life::score);
    describe_component<Mind>("Mind")
        .field("mood", &Mind::mood)
        .names({"calm", "angry"})
        .field("target", &Mind::target)
        .field("home", &Mind::home)
        .field("name", &Mind::name);
    describe_component<Sign>("Sign").field("label", &Sign::label).field("title", &Sign::title);
    describe_component<Enemy>("Enemy");
    describe_component<Gone>("Gone");
    describe_component<Twin>("Twin").field("a", &Twin::a);
    describe_component<OtherTwin>("Twin").field("b", &OtherTwin::b);
}

}  // namespace

int main() {
    describe();
    ECS ecs;
    ecs.add_system<Mover>(1);
    ecs.add_system<Thinker>(1);
    ecs.add_system<Screen>(2);
    ecs.add_system<Nurse>(3);
    ecs.add_system<Judge>(4);
    ecs.add_system(5, "Twice", [](ECS&, double) {});
    ecs.add_system(5, "Twice", [](ECS&, double) {});
    const Entity camp = ecs.add_entity(Place{}, Mind{.name = ecs.string("camp")}, Enemy{});
    const Entity anna =
        ecs.add_entity(Life{.hp = 3}, Mind{.mood = Mood::angry, .home = camp, .name = ecs.string("Anna")});
    const Entity boris = ecs.add_entity(Place{-1.5F, {0, 5, 0.1F}, 0.1}, Life{.hp = 200, .tired = true},
                                        Mind{.target = {anna}, .home = camp, .name = ecs.string("Boris the bad")});
    ecs.add_entity(Place{.exact = 1e21}, Gone{}, Sign{.label = 2, .title = ecs.string("No \"entry\"")});
    ecs.add_entity(Twin{1}, OtherTwin{2});
    ecs.set_parent(anna, camp);
    ecs.set_parent(boris, camp);
    ecs.events.subscribe<Hit>([](const Hit&) {});
    ecs.events.dispatch(Hit{}, 60);
    for (int i = 0; i < 10; ++i) ecs.add_entity();

    Inspector inspector(ecs);
    for (std::string line; std::getline(std::cin, line);) std::cout << inspector.receive(line).value() << std::endl;
}
