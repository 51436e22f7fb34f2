// What the printers of core/debug show: `npm test -- headers` stops this program in `look_at`.
#include "crateful/ecs.hpp"

struct Position {
    int x = 0;
    int y = 0;
};
struct Health {
    int points = 0;
};

void look_at(crateful::Entity e, crateful::Entity none, const crateful::TypedStorage<Position>& positions,
             const crateful::TypedStorage<Health>& healths);
void look_at(crateful::Entity e, crateful::Entity none, const crateful::TypedStorage<Position>& positions,
             const crateful::TypedStorage<Health>& healths) {
    static_cast<void>(positions.has(e) || healths.has(none));
}

int main() {
    crateful::describe_component<Health>("Health").policy(crateful::Policy::linear);
    crateful::ECS ecs;
    const crateful::Entity first = ecs.add_entity(Position{1, 2}, Health{10});
    ecs.add_entity(Position{3, 4});
    ecs.add_entity(Health{30});
    ecs.remove_entity(first);
    ecs.update();
    const crateful::Entity reused = ecs.add_entity(Position{5, 6});
    look_at(reused, crateful::NONE, ecs.storage<Position>(), ecs.storage<Health>());
}
