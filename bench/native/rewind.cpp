// Recording frames, and going back and forth between them (rule N7). The names contain what a ratio is computed of; see
// docs/benchmarks.md.
#include <chrono>
#include <cstddef>
#include <optional>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>
#include <crateful/ecs.hpp>
#include <crateful/rewind.hpp>

namespace bench {
namespace {

using namespace crateful;

struct Spot {
    float x = 0;
    float y = 0;
};

/// 100,000 entities, of which 1,000 change in each frame: random ones of the first `of`.
struct World {
    static constexpr std::size_t CHANGES = 1'000;
    explicit World(std::size_t first) : of(first) {
        describe_component<Spot>("Spot").field("x", &Spot::x).field("y", &Spot::y);
        all = ecs.add_entities(100'000);
        ecs.add<Spot>(all, std::vector<Spot>(1));
    }
    void change() {
        for (std::size_t k = 0; k < CHANGES; ++k) {
            const auto x = static_cast<float>(random());
            ecs.modify<Spot>(all[random() % of], [x](Spot& spot) { spot.x = x; });
        }
    }
    std::size_t of;
    ECS ecs;
    std::vector<Entity> all;
    std::mt19937 random{1};
};

double seconds_of(auto&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void rewind_frame(benchmark::State& state) {
    World world(static_cast<std::size_t>(state.range(1)));
    std::optional<Rewind> rewind;
    if (state.range(0) != 0) rewind.emplace(world.ecs);
    for ([[maybe_unused]] auto _ : state) {
        world.change();
        state.SetIterationTime(seconds_of([&] { world.ecs.update(); }));
    }
    if (rewind && rewind->newest() != world.ecs.clock().frame()) state.SkipWithError("not done: recording");
}
BENCHMARK(rewind_frame)
    ->ArgNames({"records", "of"})
    ->Args({0, 100'000})
    ->Args({1, 100'000})
    ->Args({1, 2'000})
    ->Iterations(3'000)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

void rewind_to(benchmark::State& state) {
    World world(static_cast<std::size_t>(state.range(0)));
    Rewind rewind(world.ecs);
    bool done = true;
    for ([[maybe_unused]] auto _ : state) {
        for (int frame = 0; frame < 8; ++frame) {
            world.change();
            world.ecs.update();
        }
        const double frame = rewind.newest() - 8;
        state.SetIterationTime(seconds_of([&] { rewind.to(frame); }));
        done = done && world.ecs.clock().frame() == frame;
    }
    if (!done) state.SkipWithError("not done: going back");
}
BENCHMARK(rewind_to)->ArgName("of")->Arg(100'000)->Arg(2'000)->Iterations(3'000)->UseManualTime()->Unit(
    benchmark::kMicrosecond);

}  // namespace
}  // namespace bench
