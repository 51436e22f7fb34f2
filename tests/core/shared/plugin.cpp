#include "plugin.hpp"

namespace {
struct OfThePlugin {};
}  // namespace

double read_position(const crateful::ECS& ecs, crateful::Entity e) {
    return ecs.has<OfThePlugin>(e) ? 0 : ecs.get<Position>(e).x;
}
void dispatch_hit(crateful::ECS& ecs) { ecs.events.dispatch(Hit{3}); }
Mover& find_mover(const crateful::ECS& ecs) { return ecs.get_system<Mover>(); }
