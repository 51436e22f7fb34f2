// Names of a game's own, which the base classes of the library do not hide, and function pointers as systems: `npm test -- headers`
// compiles this file with the flags of teams, and does not run it.
#include "crateful/ecs.hpp"
#include "crateful/inbox.hpp"
#include "crateful/system.hpp"

namespace game {

// What the base classes of a system declare for themselves, as the names of a game.
enum class State { menu, playing };
enum class Use { once, often };
struct Constraint {
    int most = 1;
};
struct Making {
    int steps = 0;
};
struct Move {
    double distance = 0;
};
inline constexpr int USES = 3;
inline constexpr int most_spares = 4;

inline void run(Move& move) { move.distance += 1; }
inline void mark(Move& move) { move.distance += 2; }
inline void bind(Move& move) { move.distance += 3; }
inline void use(Move& move) { move.distance += 4; }
inline void reserve(Move& move) { move.distance += 5; }
inline void make(Move& move) { move.distance += 6; }
inline void filter(Move& move) { move.distance += 7; }
inline void receive(Move& move) { move.distance += 8; }
inline int ids(int first) { return first + 1; }
inline int aspect(int first) { return first + 2; }

struct Trail : crateful::Aspect {
    int length = 0;
};

struct Walk final : crateful::System<Trail> {
    Walk() { require<Move>(); }
    void update(double delta, Entities& entities) override {
        state = static_cast<State>(1);
        for (auto [entity, trail] : entities) {
            trail.length += aspect(ids(most_spares + USES));
            Move move{delta};
            run(move);
            mark(move);
            bind(move);
            use(move);
            reserve(move);
            make(move);
            filter(move);
            receive(move);
            constraint.most += static_cast<int>(move.distance);
        }
        making.steps += 1;
    }
    State state = State::menu;
    Use often = Use::often;
    Constraint constraint;
    Making making;
};

inline void tick(crateful::ECS& ecs, double /*delta*/) { ecs.set_paused(false); }

void start(crateful::ECS& ecs);
void start(crateful::ECS& ecs) {
    ecs.add_system<Walk>(1);
    ecs.add_system(2, "tick", tick);
    ecs.add_system(3, "often", &tick, {.interval = 0.5});
}

}  // namespace game
