// Instantiates the templates of the core: `npm test -- headers` compiles this file with each compiler, and does not run it.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

// As windows.h defines them; standard headers, which the core includes too, come first.
#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))

#include "crateful/ecs.hpp"
#include "crateful/prefab.hpp"
#include "crateful/query.hpp"

using namespace crateful;

namespace {

enum class Kind : std::uint8_t { crate, wall };
struct Position {
    float x = 0;
    float y = 0;
};
struct Health {
    double points = 1;
    bool poisoned = false;
    Kind kind = Kind::crate;
    Entity enemy = NONE;
    Health() = default;
    explicit Health(double p) : points(p) {}
    bool operator==(const Health&) const = default;
};
struct Name {
    std::unique_ptr<std::string> text;  // can be moved, but not copied
    bool operator==(const Name&) const = default;
};
struct Frozen {};
struct Hit {
    Entity entity;
};

struct Sprite : Aspect {
    int frame = 0;
};
struct Draw : System<Sprite> {
    explicit Draw(int at) : layer(at) {
        require<Position>(exclude<Frozen>, any<Health, Name>);
        watch<Position, Health>();
        watch_ancestors<Position>();
        before<System<>>();
        interval(0.5);
    }
    void init() override { ecs().events.collect<Hit>(); }
    void update(double delta, Entities& entities, Dirty& dirty) override {
        for (auto [e, sprite] : entities) sprite.frame += sprite.has<Health, Name>() ? layer : 0;
        for (const Entity e : dirty.top_down()) entities.get(e).frame = delta > 0 ? 1 : 0;
        for (const Entity e : dirty.of<Health>()) last += entities.contains(e) ? 1 : 0;
        for (auto [e, position, health] : ecs().query<Position>(optional<const Health>).of(dirty))
            position.x += health == nullptr ? 1 : static_cast<float>(health->points);
    }
    void on_add(Sprite& sprite) override { sprite.frame = static_cast<int>(sprite.get<Position>().x); }
    void on_remove(Sprite& sprite) override { last = sprite.try_get<Position>() == nullptr ? 0 : sprite.frame; }
    void on_enabled(Entities& entities) override { last = static_cast<int>(entities.size()); }
    int layer;
    int last = 0;
};
struct Plain : System<> {
    Plain() {
        require_none();
        subscribe<Hit>([this](const Hit&) { ++hits; });
    }
    void update(double) override {
        for ([[maybe_unused]] const Hit& hit : received) ++hits;
    }
    Inbox<Hit> received{*this, 16};
    int hits = 0;
};

}  // namespace

double use(ECS& ecs, std::span<const Entity> some);
double use(ECS& ecs, std::span<const Entity> some) {
    describe_component<Position>("Position").field("x", &Position::x).field("y", &Position::y).policy(Policy::linear);
    describe_component<Health>("Health")
        .field("points", &Health::points)
        .field("poisoned", &Health::poisoned)
        .field("kind", &Health::kind)
        .field("enemy", &Health::enemy);

    ecs.add_system<Draw>(1, 2);
    ecs.add_system(2, std::make_unique<Plain>());
    ecs.add_system(3, "Move", [](ECS&, double) {});
    const Entity e = ecs.add_entity(Position{1, 2}, Name{std::make_unique<std::string>("one")}, Frozen{});
    auto prefab = ecs.prefab(Position{}, Health{});
    std::vector<Entity> spawned = prefab.spawn(3);
    const std::vector<Position> positions(3);
    prefab.spawn(std::span<Entity>(spawned), std::span<const Position>(positions));
    ecs.set_parent(prefab.spawn(Position{3, 4}), e);

    ecs.add<Position>(e);
    ecs.add<Frozen>(some, std::span<const Frozen>());
    ecs.emplace<Health>(e, 5.0);
    ecs.emplace<Position>(e, 1.0F, 2.0F);
    ecs.set<Name>(e, {});
    ecs.set<Position>(e, {5, 6});
    ecs.modify<Health>(e, [](Health& health) { health.points -= 1; });
    ecs.dirty<Position>(e);
    ecs.dirty<Health>(some);
    ecs.remove<Frozen>(e);
    ecs.remove<Frozen>(some);

    const auto unsubscribe = ecs.events.subscribe<Hit>([](const Hit&) {});
    ecs.events.dispatch(Hit{e}, 0.5);
    unsubscribe();

    double sum = static_cast<double>(ecs.events.inbox<Hit>().size());
    for (auto [entity, position, health, name] :
         ecs.query<const Position, Health>(exclude<Frozen>, optional<Name>, any<Name, Frozen>))
        sum += position.x + health.points + (name == nullptr ? 0 : 1) + (entity == e ? 1 : 0);
    ecs.query<Position, const Name>().change([](Position& position, const Name&) { position.x += 1; });
    ecs.each<Position, const Health>([&](Entity, Position& position, const Health&) { sum += position.x; });
    const auto some_query = ecs.query<Position>(any<Health, Name>);
    sum += static_cast<double>(some_query.count() + some_query.ids().size() + (some_query.has(e) ? 1 : 0));
    if (const auto row = some_query.first()) sum += std::get<1>(*row).x;
    for (auto [entity, position] : some_query.of(std::vector<Entity>(some.begin(), some.end()))) sum += position.y;
    for (const Entity child : ecs.children(e)) sum += static_cast<double>(index_of(child));

    const ECS& constant = ecs;
    constant.each<Position>([&](const Position& position) { sum += position.x; });
    for (auto [entity, health] : constant.query<Health>(exclude<Name>)) sum += health.points;
    constant.storage<Health>().each([&](Entity entity) { sum += constant.get<Health>(entity).points; });
    for (const Position& position : ecs.storage<Position>().values()) sum += position.y;
    if (const Name* name = constant.try_get<Name>(e)) sum += name->text ? 1 : 0;
    sum += constant.has<Position, Health>(e) ? ecs.get_system<Draw>().last : 0;
    ecs.profiler.each_reading([&](const std::string&, const Profiler::Reading& reading) { sum += reading.last; });
    return sum;
}
