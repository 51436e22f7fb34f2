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

// Values without gaps and in order, and an index that is updated for every value that moves.
double from_shifting(const std::vector<Entity>& all, const std::vector<Entity>& list) {
    std::vector<std::uint32_t> sparse(all.size());
    std::vector<Entity> dense = all;
    std::vector<double> values(all.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) sparse[index_of(all[i])] = i;
    const double time = time_of(list, [&](Entity e) {
        const std::uint32_t at = sparse[index_of(e)];
        values.erase(values.begin() + static_cast<std::ptrdiff_t>(at));
        dense.erase(dense.begin() + static_cast<std::ptrdiff_t>(at));
        for (std::uint32_t i = at; i < dense.size(); ++i) sparse[index_of(dense[i])] = i;
    });
    if (!values.empty()) throw std::runtime_error("not done: removing all");
    return time;
}

}  // namespace

double seconds_to_remove_all(Keeping from, std::size_t n) {
    registry::mutable_type(component_id<Linear8>()).policy = Policy::linear;
    ECS ecs;
    const std::vector<Entity> all = ecs.add_entities(n);
    std::vector<Entity> list = all;
    std::ranges::shuffle(list, std::mt19937(1));
    switch (from) {
        case Keeping::sparse: return from_storage<Sparse8>(all, ecs.by_id().pool().handles(), list);
        case Keeping::linear: return from_storage<Linear8>(all, ecs.by_id().pool().handles(), list);
        case Keeping::shifting: return from_shifting(all, list);
    }
    throw std::invalid_argument("no such keeping");
}

}  // namespace bench
