#pragma once
#include <exception>
#include <memory>

#include <benchmark/benchmark.h>

#include "case.hpp"

namespace bench {

/// Reports the time of one operation as "op".
inline void count_ops(benchmark::State& state, std::size_t ops) {
    state.counters["op"] = benchmark::Counter(
        static_cast<double>(ops), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Measures the steps of the case `make(ecs)`, and verifies their result.
template <class Make>
void run_case(benchmark::State& state, Make&& make) {
    crateful::ECS ecs;
    try {
        const std::unique_ptr<Case> made = make(ecs);
        std::size_t steps = 0;
        for ([[maybe_unused]] auto _ : state) ecs.update(), ++steps;
        made->verify(steps);
        count_ops(state, made->ops());
    } catch (const std::exception& error) {
        state.SkipWithError(error.what());
    }
}

}  // namespace bench
