// Removing all of 10,000, 100,000 and 250,000 components, in three orders.
#include <string>

#include "removal.hpp"
#include "run_case.hpp"

namespace bench {
namespace {

void remove_all(benchmark::State& state, Keeping from, Order order) {
    const auto n = static_cast<std::size_t>(state.range(0));
    for ([[maybe_unused]] auto _ : state) state.SetIterationTime(seconds_to_remove_all(from, order, n));
    count_ops(state, n);
}

const bool registered = [] {
    constexpr const char* keepings[] = {"sparse", "linear", "shifting", "world"};
    constexpr const char* orders[] = {"linear", "reverse", "random"};
    for (const Keeping from : {Keeping::sparse, Keeping::linear, Keeping::shifting, Keeping::world}) {
        for (const Order order : {Order::linear, Order::reverse, Order::random}) {
            const std::string name =
                std::string("remove_all/") + keepings[static_cast<int>(from)] + "/" + orders[static_cast<int>(order)];
            auto* benchmark = benchmark::RegisterBenchmark(name.c_str(), remove_all, from, order);
            benchmark->ArgName("n")->UseManualTime()->Unit(benchmark::kMicrosecond)->Arg(10'000);
            // Shifting takes quadratic time except in reverse order: seconds for 100,000 components, so one iteration
            // is enough. 250,000 are not measured.
            if (from == Keeping::shifting && order != Order::reverse) {
                benchmark::RegisterBenchmark(name.c_str(), remove_all, from, order)
                    ->ArgName("n")
                    ->UseManualTime()
                    ->Unit(benchmark::kMicrosecond)
                    ->Arg(100'000)
                    ->Iterations(1);
            } else {
                benchmark->Arg(100'000)->Arg(250'000);
            }
        }
    }
    return true;
}();

}  // namespace
}  // namespace bench
