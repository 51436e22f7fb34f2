// Creating entities together with their components (rules E8, E9).
#include <algorithm>

#include "crateful/ecs.hpp"
#include "operation.hpp"

namespace crateful {

void internal::fail_spawn(std::size_t values, std::size_t entities) {
    fail(ErrorCode::bad_argument, {"spawn: ", number_text(static_cast<double>(values)), " values for ",
                                   number_text(static_cast<double>(entities)), " entities"});
}

void ECS::find_systems(internal::Spawner& spawner) {
    if (spawner.systems_version == systems_version_) return;
    std::vector<std::uint64_t> bits(signature_words_);
    for (const ComponentId id : spawner.ids) bits[id / 64] |= std::uint64_t{1} << (id % 64);
    spawner.systems.clear();
    for (const auto& system : systems_) {
        if (has_required(*system, bits.data())) spawner.systems.push_back(system.get());
    }
    spawner.systems_version = systems_version_;
}

void ECS::spawn(internal::Spawner& spawner, std::span<Entity> out, internal::SpawnFill fill, void* context) {
    add_entities(out);
    compose(spawner, out, fill, context);
}

void ECS::compose(internal::Spawner& spawner, std::span<const Entity> entities, internal::SpawnFill fill,
                  void* context) {
    try {
        for (const ComponentId id : spawner.ids) {
            Storage& s = *component_class(id).storage;
            for (const Entity e : entities) s.reserve(e, s.count() + entities.size());
        }
        find_systems(spawner);
        drain_marks();
        for (std::size_t k = 0; k < spawner.ids.size(); ++k) add_new(spawner.ids[k], k, entities, fill, context);
    } catch (...) {
        for (const Entity e : entities) {
            each_class(e, [&](ComponentId id) { erase_from(*classes_[id]->storage, e); });
            pool_.destroy(e);
        }
        throw;
    }
    if (!spawner.systems.empty()) start_tracking(spawner, entities);
}

// Adds a component of class number `k` of a spawner to entities that have none, for which there is room.
void ECS::add_new(ComponentId id, std::size_t k, std::span<const Entity> entities, internal::SpawnFill fill,
                  void* context) {
    Storage& s = *classes_[id]->storage;
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    std::size_t first = 0;  // of the entities with contiguous slots
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const std::uint32_t slot = s.place_reserved(entities[i]).slot;
        signature(entities[i])[id / 64] |= bit;
        if (i > first && slot != next) {
            fill(context, k, first, s, next - static_cast<std::uint32_t>(i - first), i - first);
            first = i;
        }
        next = slot + 1;
    }
    const std::size_t rest = entities.size() - first;
    if (rest > 0) fill(context, k, first, s, next - static_cast<std::uint32_t>(rest), rest);
}

// The systems of the spawner start to track new entities. A system that has to be notified is so entity by entity, as if
// the entities had been created one after the other.
void ECS::start_tracking(internal::Spawner& spawner, std::span<const Entity> entities) {
    FirstError error;
    const auto listens = [](const SystemBase* system) { return system->notifies_add_ != 0; };
    if (std::none_of(spawner.systems.begin(), spawner.systems.end(), listens)) {
        for (SystemBase* system : spawner.systems) {
            if (system->state_ == SystemBase::State::removed) continue;
            error.guard([&] {
                for (const Entity e : entities) system->start_tracking(e);
            });
        }
        return error.rethrow();
    }
    Operation operation(*this);
    // Copies, because callbacks may change the lists, and spawn more.
    const std::vector<SystemBase*> systems = spawner.systems;
    const std::vector<Entity> copy(entities.begin(), entities.end());
    for (const Entity e : copy) {
        for (SystemBase* system : systems) {
            if (matches(*system, e) && !system->tracks(e)) track(*system, e, error);
        }
    }
    error.rethrow();
}

}  // namespace crateful
