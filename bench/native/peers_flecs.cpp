// The standard cases with flecs, which stores entities in tables by their components, written as its manual recommends.
// `write` declares that changes of this system must be visible to later ones in the same frame.
#include <utility>

#include <flecs.h>

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

template <class T>
void add_counter(flecs::world& world) {
    world.system<T>().each([](T& v) { v.value += 1; });
}

template <class X, class Y>
void add_swapper(flecs::world& world) {
    world.system<X, Y>().each([](X& x, Y& y) { std::swap(x.value, y.value); });
}

// `set` adds a component with a value.
template <class... Ts>
flecs::entity spawn(flecs::world& world) {
    flecs::entity e = world.entity();
    (..., e.set<Ts>(Ts{}));
    return e;
}

template <int... I>
void fragment(flecs::world& world, std::integer_sequence<int, I...>) {
    (..., spawn<Data, Value<I>>(world));
}

void run_frames(benchmark::State& state, flecs::world& world, std::size_t ops) {
    for ([[maybe_unused]] auto _ : state) world.progress(1.0f / 60);
    count_ops(state, ops);
}

void flecs_packed_5(benchmark::State& state) {
    flecs::world world;
    for (int i = 0; i < 1000; ++i) spawn<A, B, C, D, E>(world);
    add_counter<A>(world), add_counter<B>(world), add_counter<C>(world), add_counter<D>(world), add_counter<E>(world);
    run_frames(state, world, 5 * 1000);
}
BENCHMARK(flecs_packed_5);

void flecs_simple_iter(benchmark::State& state) {
    flecs::world world;
    for (int i = 0; i < 1000; ++i) {
        spawn<A, B>(world), spawn<A, B, C>(world), spawn<A, B, C, D>(world), spawn<A, B, C, E>(world);
    }
    add_swapper<A, B>(world), add_swapper<C, D>(world), add_swapper<C, E>(world);
    run_frames(state, world, 4000 + 1000 + 1000);
}
BENCHMARK(flecs_simple_iter);

void flecs_frag_iter(benchmark::State& state) {
    flecs::world world;
    for (int i = 0; i < 100; ++i) fragment(world, std::make_integer_sequence<int, 26>{});
    add_counter<Data>(world), add_counter<Z>(world);
    run_frames(state, world, 26 * 100 + 100);
}
BENCHMARK(flecs_frag_iter);

void flecs_entity_cycle(benchmark::State& state) {
    flecs::world world;
    for (int i = 0; i < 1000; ++i) spawn<A>(world);
    world.system<const A>().write<B>().each(
        [](flecs::iter& it, std::size_t, const A& a) { it.world().entity().set<B>({a.value}); });
    std::uint64_t sum = 0;
    world.system<const B>().kind(flecs::PostUpdate).each([&](flecs::entity e, const B& b) {
        sum += b.value, e.destruct();
    });
    run_frames(state, world, 1000);
    benchmark::DoNotOptimize(sum);
    if (world.count<B>() != 0 || world.count<A>() != 1000) state.SkipWithError("not done: removing all");
}
BENCHMARK(flecs_entity_cycle);

void flecs_add_remove(benchmark::State& state) {
    flecs::world world;
    for (int i = 0; i < 1000; ++i) spawn<A>(world);
    world.system<const A>().write<Tag>().each([](flecs::entity e, const A&) { e.add<Tag>(); });
    world.system().with<Tag>().kind(flecs::PostUpdate).each([](flecs::entity e) { e.remove<Tag>(); });
    run_frames(state, world, 1000);
    if (world.count<Tag>() != 0) state.SkipWithError("not done: removing the tag from all");
}
BENCHMARK(flecs_add_remove);

void flecs_spawn_100k_x3(benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state) {
        state.PauseTiming();
        {
            flecs::world world;
            state.ResumeTiming();
            for (int i = 0; i < 100'000; ++i) spawn<Value<0>, Value<1>, Value<2>>(world);
            state.PauseTiming();
        }
        state.ResumeTiming();
    }
    count_ops(state, 100'000);
}
BENCHMARK(flecs_spawn_100k_x3)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bench
