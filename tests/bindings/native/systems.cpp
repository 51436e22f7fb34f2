#include "systems.hpp"

#include <map>

namespace fixture {

using namespace crateful;

Log& log_of(const ECS& ecs) {
    static std::map<const ECS*, Log> logs;
    return logs[&ecs];
}

namespace {
std::string number(double value) { return std::to_string(static_cast<long>(value)); }
}  // namespace

Weigher::Weigher() {
    require<Body>();
    watch<Body, Tile>();
}
void Weigher::init() { log_of(ecs()).add("init"); }
void Weigher::on_clear() { log_of(ecs()).add("clear"); }
void Weigher::on_add(WeightAspect& aspect) {
    aspect.last_mass = aspect.get<Body>().mass;
    log_of(ecs()).add("add " + number(aspect.last_mass));
}
void Weigher::on_remove(WeightAspect& aspect) {
    log_of(ecs()).add("remove " + number(aspect.get<Body>().mass) + " was " + number(aspect.last_mass));
}
void Weigher::update(double, Entities& entities, DirtySet& dirty) {
    std::string line = "update";
    for (const Entity e : dirty) {
        WeightAspect& aspect = entities.get(e);
        aspect.last_mass = aspect.get<Body>().mass;
        line += " " + number(aspect.last_mass);
    }
    log_of(ecs()).add(line);
}

Grower::Grower() { require<Body>(); }
void Grower::update(double, Entities& entities, DirtySet&) {
    for (auto [e, aspect] : entities) {
        if (silent) {
            auto& storage = ecs().storage<Body>();
            storage.at(storage.slot(e)).mass += 1;
        } else {
            ecs().modify<Body>(e, [](Body& body) { body.mass += 1; });
        }
    }
}

Thrower::Thrower() { require<Body>(); }
void Thrower::update(double, Entities&, DirtySet&) { throw std::runtime_error("the thrower threw"); }

Hoarder::Hoarder() { require<Body>(); }
void Hoarder::update(double, Entities&, DirtySet&) { hoard_.emplace_back(std::size_t{1} << 25); }

}  // namespace fixture
