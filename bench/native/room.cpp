// The crate room without a screen: the time of a frame in which few of many crates move.
#include "crate_room.hpp"
#include "run_case.hpp"

namespace bench {
namespace {

void crate_room_frame(benchmark::State& state) {
    const auto number = [&](std::size_t i) { return static_cast<std::uint32_t>(state.range(i)); };
    run_case(state, [&](crateful::ECS& ecs) { return room(ecs, number(0), number(1), number(2) != 0); });
}
BENCHMARK(crate_room_frame)
    ->ArgNames({"crates", "moving", "tracking"})
    ->ArgsProduct({{1'000, 200'000}, {1, 100}, {1}})
    ->Args({10'000, 100, 1})
    ->Args({10'000, 100, 0});

}  // namespace
}  // namespace bench
