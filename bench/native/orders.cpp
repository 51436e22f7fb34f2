// Sorted queries (rule Q10): bringing an order up to date, compared with a radix sort of the same numbers, and iterating in the order,
// compared with iterating storages that are in different orders. The names contain what a ratio is computed of; see
// docs/benchmarks.md.
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>
#include <crateful/ecs.hpp>

namespace bench {
namespace {

using namespace crateful;

struct Sprite {
    float depth = 0;
    std::uint32_t drawn = 0;
};
struct Place {
    float x = 0;
    float y = 0;
};

constexpr std::uint32_t MANY = 100'000;

/// Entities with random depths. The storages of both classes and the indices of the entities are in different orders.
struct World {
    ECS ecs;
    std::mt19937 random{1};
    std::vector<Entity> all = ecs.add_entities(MANY);

    World() {
        std::vector<Entity> entities = all;
        std::shuffle(entities.begin(), entities.end(), random);
        for (const Entity e : entities) ecs.add<Sprite>(e, {.depth = depth()});
        std::shuffle(entities.begin(), entities.end(), random);
        for (const Entity e : entities) ecs.add<Place>(e, {.x = 1, .y = 2});
    }
    [[nodiscard]] float depth() { return std::uniform_real_distribution<float>(-1000, 1000)(random); }
    void change(std::size_t k) {
        for (std::size_t i = 0; i < k; ++i)
            ecs.modify<Sprite>(all[k == MANY ? i : random() % MANY], [&](Sprite& s) { s.depth = depth(); });
    }
};

double seconds_of(auto&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void order_update(benchmark::State& state) {
    World world;
    const auto query = world.ecs.query<const Sprite>(order_by(&Sprite::depth));
    benchmark::DoNotOptimize(query.first());
    for ([[maybe_unused]] auto _ : state) {
        world.change(static_cast<std::size_t>(state.range(0)));
        state.SetIterationTime(seconds_of([&] { benchmark::DoNotOptimize(query.first()); }));
    }
    float last = -1000;
    for (const auto [e, sprite] : query) {
        if (sprite.depth < last) state.SkipWithError("not done: sorting");
        last = sprite.depth;
    }
}
BENCHMARK(order_update)
    ->ArgName("changed")
    ->Arg(0)
    ->Arg(100)
    ->Arg(MANY)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

// The fastest sort of numbers in this range: the least significant digit first, with digits of 11 bits.
struct Item {
    std::uint32_t key;
    Entity entity;
};
void radix_sort(std::vector<Item>& items, std::vector<Item>& others) {
    std::array<std::array<std::uint32_t, 2048>, 3> counts{};
    for (const Item& item : items) {
        ++counts[0][item.key & 2047];
        ++counts[1][item.key >> 11 & 2047];
        ++counts[2][item.key >> 22];
    }
    for (std::uint32_t pass = 0; pass < 3; ++pass) {
        std::uint32_t place = 0;
        for (std::uint32_t& n : counts[pass]) place += std::exchange(n, place);
        for (const Item& item : items) others[counts[pass][item.key >> (11 * pass) & 2047]++] = item;
        items.swap(others);
    }
}
void order_radix_sort(benchmark::State& state) {
    World world;
    const auto& sprites = world.ecs.storage<Sprite>();
    std::vector<Item> items(MANY);
    std::vector<Item> others(MANY);
    for ([[maybe_unused]] auto _ : state) {
        world.change(MANY);
        state.SetIterationTime(seconds_of([&] {
            for (std::uint32_t slot = 0; slot < MANY; ++slot) {
                const auto bits = std::bit_cast<std::uint32_t>(sprites.at(slot).depth);
                items[slot] = {bits ^ (bits >> 31 != 0 ? 0xFFFF'FFFFu : 0x8000'0000u), sprites.entities()[slot]};
            }
            radix_sort(items, others);
            benchmark::DoNotOptimize(items.data());
        }));
    }
}
BENCHMARK(order_radix_sort)->UseManualTime()->Unit(benchmark::kMicrosecond);

template <class Query>
void iterate(benchmark::State& state, World& world, const Query& query) {
    std::size_t rows = 0;
    for ([[maybe_unused]] auto _ : state) {
        for (auto [e, sprite, place] : query) {
            sprite.drawn += static_cast<std::uint32_t>(place.x);
            ++rows;
        }
    }
    if (rows == 0 || rows % MANY != 0 || world.ecs.template get<Sprite>(world.all[0]).drawn != rows / MANY)
        state.SkipWithError("not done: iterating");
}
void order_iterate_sorted(benchmark::State& state) {
    World world;
    iterate(state, world, world.ecs.query<Sprite, const Place>(order_by(&Sprite::depth)));
}
void order_iterate_shuffled(benchmark::State& state) {
    World world;
    iterate(state, world, world.ecs.query<Sprite, const Place>());
}
BENCHMARK(order_iterate_sorted)->Unit(benchmark::kMicrosecond);
BENCHMARK(order_iterate_shuffled)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace bench
