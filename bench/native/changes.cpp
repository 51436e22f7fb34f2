// Changes (rules N5, N6): taking them for one receiver and for 300 that select entities, and applying them, compared with setting the
// same values. The names contain what a ratio is computed of; see docs/benchmarks.md.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <crateful/changes.hpp>
#include <crateful/ecs.hpp>

namespace bench {
namespace {

using namespace crateful;

struct Spot {
    float x = 0;
    float y = 0;
};

double seconds_of(auto&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Entities, of which some change.
struct World {
    explicit World(std::size_t entities) {
        describe_component<Spot>("Spot").field("x", &Spot::x).field("y", &Spot::y);
        all = ecs.add_entities(entities);
        ecs.add<Spot>(all, std::vector<Spot>(1));
        for (std::size_t i = 0; i < entities; ++i) order.push_back(i);
    }
    ECS ecs;
    std::vector<Entity> all;
    std::vector<std::size_t> order;
    std::mt19937 random{1};
    std::vector<std::pair<std::size_t, float>> changed;

    /// Sets a field of `n` different random entities of the first ones.
    void change(std::size_t n, std::size_t of) {
        choose(n, of);
        set();
    }
    void choose(std::size_t n, std::size_t of) {
        changed.clear();
        for (std::size_t i = 0; i < n; ++i) {
            std::swap(order[i], order[i + random() % (of - i)]);
            changed.emplace_back(order[i], static_cast<float>(random()));
        }
    }
    void set() {
        for (const auto& [i, x] : changed) ecs.modify<Spot>(all[i], [x = x](Spot& spot) { spot.x = x; });
    }
};

void changes_take(benchmark::State& state) {
    World world(100'000);
    Changes changes(world.ecs, {{"Spot"}, {}});
    Receiver receiver = changes.receiver();
    benchmark::DoNotOptimize(receiver.take());
    const auto n = static_cast<std::size_t>(state.range(0));
    std::size_t bytes = 0;
    for ([[maybe_unused]] auto _ : state) {
        world.change(n, world.all.size());
        state.SetIterationTime(seconds_of([&] { bytes += receiver.take().size(); }));
    }
    if ((n == 0) != (bytes == 0)) state.SkipWithError("not done: taking");
    if (n > 0)
        state.counters["bytes"] =
            benchmark::Counter(static_cast<double>(bytes) / static_cast<double>(n), benchmark::Counter::kAvgIterations);
}
BENCHMARK(changes_take)->ArgName("changed")->Arg(0)->Arg(100)->UseManualTime()->Unit(benchmark::kMicrosecond);

void changes_take_for_300(benchmark::State& state) {
    constexpr std::size_t CHANGED = 300;
    constexpr std::size_t SELECTED = 60;
    World world(10'000);
    Changes changes(world.ecs, {{"Spot"}, {}});
    std::vector<Receiver> receivers;
    for (std::size_t r = 0; r < 300; ++r) {
        receivers.push_back(changes.receiver(Selection::selected));
        for (std::size_t i = 0; i < SELECTED; ++i) receivers.back().select(world.all[(r * 7 + i * 5) % CHANGED]);
        benchmark::DoNotOptimize(receivers.back().take());
    }
    std::size_t least = ~std::size_t{0};
    for ([[maybe_unused]] auto _ : state) {
        world.change(CHANGED, CHANGED);
        state.SetIterationTime(seconds_of([&] {
            for (Receiver& receiver : receivers) least = std::min(least, receiver.take().size());
        }));
    }
    if (least < SELECTED * sizeof(float)) state.SkipWithError("not done: taking");
}
BENCHMARK(changes_take_for_300)->UseManualTime()->Unit(benchmark::kMicrosecond);

// Both do the same, and differ in what is timed, so that the caches contain the same.
void replicate(benchmark::State& state, bool applies) {
    World world(static_cast<std::size_t>(state.range(0)));
    World direct(static_cast<std::size_t>(state.range(0)));
    Changes changes(world.ecs, {{"Spot"}, {}});
    Receiver receiver = changes.receiver();
    ECS copy;
    Replica replica(copy);
    replica.apply(receiver.take());
    for ([[maybe_unused]] auto _ : state) {
        world.change(1000, world.all.size());
        direct.changed = world.changed;
        const std::vector<std::byte> bytes = receiver.take();
        const double applying = seconds_of([&] { replica.apply(bytes); });
        const double setting = seconds_of([&] { direct.set(); });
        state.SetIterationTime(applies ? applying : setting);
    }
    for (const auto& [i, x] : world.changed) {
        const bool done =
            copy.get<Spot>(replica.entity(world.all[i])).x == x && direct.ecs.get<Spot>(direct.all[i]).x == x;
        if (!done) state.SkipWithError("not done: applying");
    }
}
void changes_apply(benchmark::State& state) { replicate(state, true); }
void changes_set(benchmark::State& state) { replicate(state, false); }
BENCHMARK(changes_apply)->ArgName("n")->Arg(1'000)->Arg(100'000)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(changes_set)->ArgName("n")->Arg(1'000)->Arg(100'000)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace bench
