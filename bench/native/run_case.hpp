#pragma once
#include <exception>
#include <memory>

#include <benchmark/benchmark.h>

#include "case.hpp"

namespace bench {

/// "op": the time of one operation.
inline void count_ops(benchmark::State& state, std::size_t ops) {
    state.counters["op"] = benchmark::Counter(
        static_cast<double>(ops), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Measures the steps of `make(ecs)`, and proves that they did their work.
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
