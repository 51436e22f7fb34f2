// The standard cases with EnTT, the C++ library that Crateful is compared with, written as its guide recommends.
#include <array>
#include <utility>
#include <vector>

#include <entt/entt.hpp>

#include "run_case.hpp"

namespace bench {
namespace {

using A = Value<0>;
using B = Value<1>;
using C = Value<2>;
using D = Value<3>;
using E = Value<4>;
using Z = Value<25>;
using Data = Value<26>;
struct Tag {};

std::vector<entt::entity> create(entt::registry& registry, std::size_t n) {
    std::vector<entt::entity> all(n);
    registry.create(all.begin(), all.end());
    return all;
}

template <class T>
void count_all(entt::registry& registry) {
    registry.view<T>().each([](T& v) { v.value += 1; });
}

template <class X, class Y>
void swap_all(entt::registry& registry) {
    registry.view<X, Y>().each([](X& x, Y& y) { std::swap(x.value, y.value); });
}

template <int... I>
void insert_values(entt::registry& registry, const std::vector<entt::entity>& all, std::integer_sequence<int, I...>) {
    (..., registry.insert<Value<I>>(all.begin(), all.end()));
}

template <int... I>
void fragment(entt::registry& registry, std::integer_sequence<int, I...>) {
    const auto add = [&]<class T>(T value) {
        const entt::entity e = registry.create();
        registry.emplace<Data>(e);
        registry.emplace<T>(e, value);
    };
    (..., add(Value<I>{}));
}

void entt_packed_5(benchmark::State& state) {
    entt::registry registry;
    insert_values(registry, create(registry, 1000), std::make_integer_sequence<int, 5>{});
    for ([[maybe_unused]] auto _ : state) {
        count_all<A>(registry), count_all<B>(registry), count_all<C>(registry), count_all<D>(registry),
            count_all<E>(registry);
        benchmark::ClobberMemory();
    }
    count_ops(state, 5 * 1000);
}
BENCHMARK(entt_packed_5);

void entt_simple_iter(benchmark::State& state) {
    entt::registry registry;
    for (int kind = 0; kind < 4; ++kind) {
        const auto all = create(registry, 1000);
        insert_values(registry, all, std::make_integer_sequence<int, 2>{});
        if (kind > 0) registry.insert<C>(all.begin(), all.end());
        if (kind == 2) registry.insert<D>(all.begin(), all.end());
        if (kind == 3) registry.insert<E>(all.begin(), all.end());
    }
    for ([[maybe_unused]] auto _ : state) {
        swap_all<A, B>(registry), swap_all<C, D>(registry), swap_all<C, E>(registry);
        benchmark::ClobberMemory();
    }
    count_ops(state, 4000 + 1000 + 1000);
}
BENCHMARK(entt_simple_iter);

void entt_frag_iter(benchmark::State& state) {
    entt::registry registry;
    for (int i = 0; i < 100; ++i) fragment(registry, std::make_integer_sequence<int, 26>{});
    for ([[maybe_unused]] auto _ : state) {
        count_all<Data>(registry), count_all<Z>(registry);
        benchmark::ClobberMemory();
    }
    count_ops(state, 26 * 100 + 100);
}
BENCHMARK(entt_frag_iter);

void entt_entity_cycle(benchmark::State& state) {
    entt::registry registry;
    insert_values(registry, create(registry, 1000), std::make_integer_sequence<int, 1>{});
    std::uint64_t sum = 0;
    for ([[maybe_unused]] auto _ : state) {
        for (auto [e, a] : registry.view<A>().each()) registry.emplace<B>(registry.create(), a.value);
        const auto spawned = registry.view<B>();
        for (auto [e, b] : spawned.each()) sum += b.value;
        registry.destroy(spawned.begin(), spawned.end());
    }
    benchmark::DoNotOptimize(sum);
    if (!registry.view<B>().empty() || registry.view<A>().size() != 1000) state.SkipWithError("not done: removing all");
    count_ops(state, 1000);
}
BENCHMARK(entt_entity_cycle);

void entt_add_remove(benchmark::State& state) {
    entt::registry registry;
    insert_values(registry, create(registry, 1000), std::make_integer_sequence<int, 1>{});
    for ([[maybe_unused]] auto _ : state) {
        for (const entt::entity e : registry.view<A>()) registry.emplace<Tag>(e);
        for (const entt::entity e : registry.view<Tag>()) registry.erase<Tag>(e);
    }
    if (!registry.view<Tag>().empty()) state.SkipWithError("not done: removing the tag from all");
    count_ops(state, 1000);
}
BENCHMARK(entt_add_remove);

void entt_spawn_100k_x3(benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state) {
        state.PauseTiming();
        {
            entt::registry registry;
            state.ResumeTiming();
            insert_values(registry, create(registry, 100'000), std::make_integer_sequence<int, 3>{});
            state.PauseTiming();
        }
        state.ResumeTiming();
    }
    count_ops(state, 100'000);
}
BENCHMARK(entt_spawn_100k_x3)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bench
