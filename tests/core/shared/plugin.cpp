#include "plugin.hpp"

namespace {
struct OfThePlugin {};
}  // namespace
// Other ones than those of the program.
struct Another {
    double value = 0;
};
struct AnotherHit {
    double points = 0;
};

double read_position(const crateful::ECS& ecs, crateful::Entity e) {
    return ecs.has<OfThePlugin>(e) ? 0 : ecs.get<Position>(e).x;
}
void dispatch_hit(crateful::ECS& ecs) { ecs.events.dispatch(Hit{3}); }
Mover& find_mover(const crateful::ECS& ecs) { return ecs.get_system<Mover>(); }
void use_hidden(crateful::ECS& ecs, crateful::Entity e) {
    ecs.modify<game::Hidden>(e, [](game::Hidden& hidden) { ++hidden.value; });
    ecs.events.dispatch(game::HiddenHit{4});
    ecs.remove_system(ecs.get_system<game::HiddenMover>());
}
void use_another(crateful::ECS& ecs, crateful::Entity e) { ecs.add(e, Another{}); }
void dispatch_another(crateful::ECS& ecs) { ecs.events.dispatch(AnotherHit{}); }
