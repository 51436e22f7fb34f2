// The ECS: sparse change, the five standard cases, adding and removing 100,000 entities, unaffected systems.
#include <chrono>
#include <vector>

#include "hierarchy.hpp"
#include "run_case.hpp"
#include "shuffled.hpp"
#include "sparse.hpp"
#include "standard.hpp"

namespace bench {
namespace {

using namespace crateful;

// --- sparse change: n entities, k change ----------------------------------------------------------

void sparse_change(benchmark::State& state, bool moving) {
    const Sparse params{static_cast<std::uint32_t>(state.range(0)), static_cast<std::uint32_t>(state.range(1)), moving};
    run_case(state, [&](ECS& ecs) { return sparse(ecs, params, true); });
}
constexpr auto sizes = [](auto* benchmark) {
    benchmark->ArgNames({"n", "k"});
    for (const int n : {1'000, 10'000, 100'000, 1'000'000}) {
        for (const int k : {0, 100, 10'000}) {
            if (k <= n) benchmark->Args({n, k});
        }
    }
};
BENCHMARK_CAPTURE(sparse_change, same, false)->Apply(sizes);
void sparse_change_in_one_system(benchmark::State& state) {
    run_case(state, [](ECS& ecs) { return sparse_in_one_system(ecs, {.n = 100'000, .k = 100, .moving = false}); });
}
BENCHMARK(sparse_change_in_one_system);

// --- storages in different orders -----------------------------------------------------------------

void each_shuffled(benchmark::State& state) {
    run_case(state, [&](ECS& ecs) { return shuffled(ecs, static_cast<std::uint32_t>(state.range(0))); });
}
BENCHMARK(each_shuffled)->ArgName("n")->Arg(10'000)->Arg(100'000);

// --- hierarchy ------------------------------------------------------------------------------------

void hierarchies(benchmark::State& state, Propagation how) {
    run_case(state, [&](ECS& ecs) { return hierarchy(ecs, how); });
}
BENCHMARK_CAPTURE(hierarchies, signal, Propagation::signal)->Name("hierarchy/signal");
BENCHMARK_CAPTURE(hierarchies, by_hand, Propagation::by_hand)->Name("hierarchy/by_hand");
BENCHMARK_CAPTURE(hierarchies, arrays, Propagation::arrays)->Name("hierarchy/arrays");

// --- the standard cases ---------------------------------------------------------------------------

// clang-format off: it would add spaces around the slashes in the names
BENCHMARK_CAPTURE(run_case, packed_5, packed_5);
BENCHMARK_CAPTURE(run_case, simple_iter, simple_iter);
BENCHMARK_CAPTURE(run_case, frag_iter, frag_iter);
BENCHMARK_CAPTURE(run_case, entity_cycle/bulk, [](ECS& ecs) { return entity_cycle(ecs, true); });
BENCHMARK_CAPTURE(run_case, entity_cycle/single, [](ECS& ecs) { return entity_cycle(ecs, false); });
BENCHMARK_CAPTURE(run_case, add_remove/bulk, [](ECS& ecs) { return add_remove(ecs, true); });
BENCHMARK_CAPTURE(run_case, add_remove/single, [](ECS& ecs) { return add_remove(ecs, false); });
// clang-format on

// --- structure ------------------------------------------------------------------------------------

constexpr std::size_t MANY = 100'000;

template <class T>
void add_to_all(ECS& ecs, const std::vector<Entity>& all) {
    ecs.add<T>(all, std::vector<T>(1));
}

// Entities with three components, tracked by one system that requires two of them.
void spawn(ECS& ecs, bool bulk) {
    if (bulk) {
        const std::vector<Entity> all = ecs.add_entities(MANY);
        add_to_all<Value<0>>(ecs, all);
        add_to_all<Value<1>>(ecs, all);
        add_to_all<Value<2>>(ecs, all);
    } else {
        for (std::size_t i = 0; i < MANY; ++i) {
            const Entity e = ecs.add_entity();
            ecs.add<Value<0>>(e);
            ecs.add<Value<1>>(e);
            ecs.add<Value<2>>(e);
        }
    }
}

enum class Measured { spawn, spawn_one_by_one, remove, clear };

void structure(benchmark::State& state, Measured measured) {
    ECS ecs;
    add_system<Value<0>, Value<1>>(ecs, 0, [](ECS&) {});
    const auto time = [](auto&& work) {
        const auto start = std::chrono::steady_clock::now();
        work();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    for ([[maybe_unused]] auto _ : state) {
        const double spawning = time([&] { spawn(ecs, measured != Measured::spawn_one_by_one); });
        const double going = time([&] {
            if (measured != Measured::remove) return ecs.clear();
            ecs.remove_entities(ecs.storage<Value<0>>().entities());
            ecs.update();
        });
        state.SetIterationTime(measured == Measured::spawn || measured == Measured::spawn_one_by_one ? spawning
                                                                                                     : going);
    }
    if (ecs.count() != 0) state.SkipWithError("not done: removing all");
    count_ops(state, MANY);
}
// clang-format off
BENCHMARK_CAPTURE(structure, spawn_100k_x3/bulk, Measured::spawn)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(structure, spawn_100k_x3/single, Measured::spawn_one_by_one)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(structure, remove_100k_x3, Measured::remove)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(structure, clear_100k_x3, Measured::clear)->UseManualTime()->Unit(benchmark::kMillisecond);
// clang-format on

// --- bystanders: systems that a change does not affect should cost nothing ------------------------

void add_remove_pair(benchmark::State& state) {
    ECS ecs;
    for (std::int64_t i = 0; i < state.range(0); ++i) add_system<Value<0>, Value<3>>(ecs, 0, [](ECS&) {});
    add_system<Value<0>, Value<1>>(ecs, 0, [](ECS&) {});
    const Entity e = ecs.add_entity();
    ecs.add<Value<0>>(e);
    for ([[maybe_unused]] auto _ : state) {
        ecs.add<Value<1>>(e);
        ecs.remove<Value<1>>(e);
    }
    count_ops(state, 2);
}
BENCHMARK(add_remove_pair)->ArgName("bystanders")->Arg(0)->Arg(10)->Arg(100);

}  // namespace
}  // namespace bench
