// Worlds in several threads (rule M3). The presets `native` and `native-tsan` compile this file to a program of its own;
// under the thread sanitizer, a data race makes it fail.
#include <algorithm>
#include <array>
#include <functional>
#include <latch>
#include <set>
#include <thread>
#include <utility>

#include "world.hpp"

using namespace test;

namespace {

constexpr int THREADS = 4;
constexpr int CLASSES = 10;
using EachClass = std::make_integer_sequence<int, CLASSES>;

// No other test uses these classes, so that the threads register them.
template <int N>
struct Shared {  // all threads use it first at the same time
    int value = N;
};
template <int THREAD, int N>
struct Own {
    int value = N;
};
template <int THREAD>
struct Moved {  // an event
    Entity entity;
};

/// Calls `work.operator()<THREAD>()` in each thread, all at the same time, and returns what they return.
template <class Work>
auto in_threads(const Work& work) {
    return [&]<int... THREAD>(std::integer_sequence<int, THREAD...>) {
        std::latch start(THREADS);
        std::array<decltype(work.template operator()<0>()), THREADS> results;
        std::array<std::thread, THREADS> threads{std::thread([&] {
            start.arrive_and_wait();
            results[THREAD] = work.template operator()<THREAD>();
        })...};
        for (std::thread& thread : threads) thread.join();
        return results;
    }(std::make_integer_sequence<int, THREADS>{});
}

template <int THREAD>
class Mover final : public System<> {
public:
    Mover() {
        require<Shared<0>, Own<THREAD, 0>>();
        watch<Shared<0>>();
    }

protected:
    void update(double, Entities&, Dirty& dirty) override {
        for (const Entity e : dirty) ecs().events.dispatch(Moved<THREAD>{e});
    }
};

struct Outcome {
    std::size_t entities = 0;
    std::size_t moved = 0;
    std::size_t errors = 0;
    std::size_t components = 0;
    bool operator==(const Outcome&) const = default;
};

template <int THREAD>
Outcome play() {
    Outcome outcome;
    ECS ecs;
    ecs.add_system<Mover<THREAD>>(0);
    ecs.events.subscribe<Moved<THREAD>>([&](const Moved<THREAD>&) { ++outcome.moved; });
    const Ids crates = ecs.add_entities(3000);
    for (const Entity e : crates) ecs.add<Shared<0>>(e);
    for (const Entity e : crates) ecs.add<Own<THREAD, 0>>(e);
    ecs.update();
    [&]<int... N>(std::integer_sequence<int, N...>) {
        (ecs.add<Shared<N>>(crates[N]), ...);
        (ecs.add<Own<THREAD, N>>(crates[N]), ...);
        try {
            (static_cast<void>(ecs.get<Own<THREAD, N>>(crates.back())), ...);
        } catch (const Error&) {  // its message contains the name of the class
            ++outcome.errors;
        }
    }(EachClass{});
    for (std::size_t i = 0; i < crates.size(); i += 3) ecs.remove<Own<THREAD, 0>>(crates[i]);
    for (std::size_t i = 0; i < crates.size(); i += 2) ecs.modify<Shared<0>>(crates[i], [](auto& s) { ++s.value; });
    for (std::size_t i = 0; i < crates.size(); i += 5) ecs.remove_entity(crates[i]);
    ecs.update();
    outcome.entities = ecs.count();
    for (const StorageReport& storage : ecs.memory_report()) outcome.components += storage.count;
    ecs.clear();
    return outcome;
}

}  // namespace

TEST(Threads, M3_worlds_in_several_threads_behave_like_a_world_alone) {
    const auto outcomes = in_threads([]<int THREAD>() { return play<THREAD>(); });
    const Outcome alone = play<THREADS>();
    EXPECT_EQ(alone.entities, 2400u);
    EXPECT_EQ(alone.moved, 3000u + 1000u);
    EXPECT_EQ(alone.errors, 1u);
    for (const Outcome& outcome : outcomes) EXPECT_TRUE(outcome == alone);
}

TEST(Threads, M3_threads_that_first_use_a_class_at_the_same_time_get_the_same_id) {
    const auto ids = in_threads([]<int>() {
        return []<int... N>(std::integer_sequence<int, N...>) {
            return std::vector<ComponentId>{component_id<Shared<CLASSES + N>>()...};
        }(EachClass{});
    });
    for (const auto& of_thread : ids) EXPECT_EQ(of_thread, ids[0]);
    EXPECT_EQ(std::set<ComponentId>(ids[0].begin(), ids[0].end()).size(), std::size_t{CLASSES});
}

TEST(Threads, M3_E8_threads_can_create_entities_from_lists_of_classes_that_none_has_used_before) {
    const auto counts = in_threads([]<int THREAD>() {
        ECS ecs;
        [&]<int... N>(std::integer_sequence<int, N...>) {
            (static_cast<void>(ecs.add_entity(Shared<N>{}, Own<THREAD, N>{})), ...);
        }(EachClass{});
        return ecs.count();
    });
    for (const std::size_t count : counts) EXPECT_EQ(count, std::size_t{CLASSES});
}

TEST(Threads, M3_threads_can_describe_classes_while_others_look_classes_up) {
    const auto ids = in_threads([]<int THREAD>() {
        const auto describe = []<int N>() {
            const std::string name = "thread " + std::to_string(THREAD) + " class " + std::to_string(N);
            using T = Own<THREAD, CLASSES + N>;
            describe_component<T>(name).field("value", &T::value);
            const ComponentId stored = registry::add_stored(name, {{"value", FieldType::f32}});
            const ComponentType* found = registry::find_native(name);
            const bool correct = found == &registry::type(component_id<T>()) && registry::type(stored).id == stored &&
                                 registry::count() > stored;
            return correct ? found->id : ComponentId{0};
        };
        return [&]<int... N>(std::integer_sequence<int, N...>) {
            return std::vector<ComponentId>{describe.template operator()<N>()...};
        }(EachClass{});
    });
    std::set<ComponentId> all;
    for (const auto& of_thread : ids) all.insert(of_thread.begin(), of_thread.end());
    EXPECT_FALSE(all.contains(0));
    EXPECT_EQ(all.size(), std::size_t{THREADS * CLASSES});
}

TEST(Threads, M3_several_threads_can_read_an_ecs_that_none_changes) {
    ECS ecs;
    const Ids all = ecs.add_entities(3000);
    for (std::size_t i = 0; i < all.size(); ++i) {
        ecs.add<Position>(all[i], {static_cast<float>(i), 1});
        if (i % 3 != 0) ecs.add<Velocity>(all[i], {2});
        if (i % 5 == 0) ecs.add<Indexed>(all[i]);
    }
    for (std::size_t i = 0; i < all.size(); i += 7) ecs.set_parent(all[i], all[1]);
    ecs.add<Health>(all[0]);
    const ECS& view = ecs;
    const auto sums = in_threads([&]<int>() {
        double sum = 0;
        const auto moving = view.query<const Position, const Velocity>(exclude<Indexed>, optional<const Health>);
        moving.each(
            [&](const Position& p, const Velocity& v, const Health*) { sum += static_cast<double>(p.y * v.x); });
        view.each<const Position>([&](const Position& p) { sum += static_cast<double>(p.y); });
        for (const Entity e : all) {
            sum += moving.at(e) || moving.has(e) ? 1 : 0;
            sum += view.alive(e) && view.has<Position, Velocity>(e) ? 1 : 0;
            sum += static_cast<double>(view.get<Position>(e).y);
            sum += view.try_get<Velocity>(e) == nullptr ? 1 : 0;
            sum += view.parent(e) == all[1] ? 1 : 0;
        }
        for (auto [e, position] : view.query<const Position>().of(all)) sum += static_cast<double>(position.y);
        return sum + static_cast<double>(moving.count() + moving.ids().size() + view.count());
    });
    for (const double sum : sums) EXPECT_EQ(sum, sums[0]);
    EXPECT_GT(sums[0], 3000 * 4);
}
