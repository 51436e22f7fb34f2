// Measures each case with Crateful and with EnTT in turn, and prints the nanoseconds per operation as JSON: the medians
// of short batches, which alternate, so that a slow moment of the machine affects both.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iterator>
#include <memory>
#include <vector>

#include "workload.hpp"

namespace bench {
namespace {

constexpr double WARM_UP_SECONDS = 0.5;  // so that V8 has optimised the WebAssembly, also on a busy machine
constexpr double BATCH_SECONDS = 0.002;
constexpr int BATCHES = 101;

template <class Step>
double seconds(std::size_t steps, Step&& step) {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < steps; ++i) step();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
double median(std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + BATCHES / 2);
    return values[BATCHES / 2];
}

void compare(const Pair& pair, const char* separator) {
    const auto& [name, own, peer] = pair;
    const auto own_step = [&] { own->step(); };
    const auto peer_step = [&] { peer->step(); };
    std::size_t steps = 0;
    for (double warm = 0; warm < WARM_UP_SECONDS; ++steps) warm += seconds(1, own_step) + seconds(1, peer_step);
    std::size_t batch = 1;  // steps
    while (seconds(batch, own_step) + seconds(batch, peer_step) < 2 * BATCH_SECONDS) steps += batch, batch *= 2;
    steps += batch;
    std::vector<double> own_times;
    std::vector<double> peer_times;
    std::vector<double> ratios;
    for (int i = 0; i < BATCHES; ++i, steps += batch) {
        own_times.push_back(seconds(batch, own_step));
        peer_times.push_back(seconds(batch, peer_step));
        ratios.push_back(own_times.back() / peer_times.back());
    }
    own->verify(steps);
    peer->verify(steps);
    const double operations = static_cast<double>(batch) * static_cast<double>(own->ops()) / 1e9;
    std::printf(R"(%s{"case":"%s","crateful":%.3f,"entt":%.3f,"ratio":%.3f})", separator, name,
                median(own_times) / operations, median(peer_times) / operations, median(ratios));
}

}  // namespace
}  // namespace bench

int main() {
    using namespace bench;
    try {
        std::vector<Pair> pairs = shuffled();
        pairs.push_back(sparse_in_one_system());
        std::ranges::move(structure(), std::back_inserter(pairs));
        pairs.push_back(hierarchy());
        pairs.push_back(simulation());
        std::printf("[");
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            compare(pairs[i], i == 0 ? "" : ",");
            pairs[i] = {};  // frees its memory
        }
        std::printf("]\n");
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
