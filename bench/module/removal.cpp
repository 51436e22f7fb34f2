#include "removal.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

#include <crateful/ecs.hpp>

namespace bench {
namespace {

using namespace crateful;

struct Sparse8 {
    double value = 0;
};
struct Linear8 {
    double value = 0;
};

template <class Remove>
double time_of(const std::vector<Entity>& list, Remove&& remove) {
    const auto start = std::chrono::steady_clock::now();
    for (const Entity e : list) remove(e);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class T>
double from_storage(const std::vector<Entity>& all, std::span<const Entity> handles, const std::vector<Entity>& list) {
    TypedStorage<T> storage(registry::type(component_id<T>()));
    storage.set_handles(handles.data());
    for (const Entity e : all) storage.place(e);
    const double time = time_of(list, [&](Entity e) { storage.erase(e, storage.slot(e)); });
    if (storage.count() != 0) throw std::runtime_error("not done: removing all");
    return time;
}

}  // namespace

double seconds_to_remove_all(bool linear, std::size_t n) {
    registry::mutable_type(component_id<Linear8>()).policy = Policy::linear;
    ECS ecs;
    const std::vector<Entity> all = ecs.add_entities(n);
    std::vector<Entity> list = all;
    std::ranges::shuffle(list, std::mt19937(1));
    const auto handles = ecs.by_id().pool().handles();
    return linear ? from_storage<Linear8>(all, handles, list) : from_storage<Sparse8>(all, handles, list);
}

}  // namespace bench
