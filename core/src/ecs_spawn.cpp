// Creating entities together with their components (rules E8, E9).
#include <algorithm>

#include "crateful/detail/rollback.hpp"
#include "crateful/ecs.hpp"
#include "operation.hpp"

namespace crateful {

void internal::fail_spawn(std::size_t values, std::size_t entities) {
    fail(ErrorCode::bad_argument, {"spawn: ", number_text(static_cast<double>(values)), " values for ",
                                   number_text(static_cast<double>(entities)), " entities"});
}

void ECS::find_systems(internal::Spawner& spawner) {
    if (spawner.systems_version == systems_version_) return;
    std::vector<std::uint32_t> bits(pool_.words());
    for (const ComponentId id : spawner.ids) {
        require_free(id, "add");
        const EntityPool::ClassBit bit(id);
        bits[bit.word] |= bit.mask;
    }
    spawner.systems.clear();
    for (const auto& system : systems_) {
        if (!system->required().empty() && selects(*system, bits.data())) spawner.systems.push_back(system.get());
    }
    spawner.systems_version = systems_version_;
}

void ECS::spawn(internal::Spawner& spawner, std::span<Entity> out, internal::Fill fill, void* context) {
    add_entities(out);
    compose(spawner, out, fill, context);
}

void ECS::compose(internal::Spawner& spawner, std::span<const Entity> entities, internal::Fill fill, void* context) {
    internal::Rollback rollback([&] {
        for (const Entity e : entities) {
            pool_.each_class(e, [&](ComponentId id) { erase_from(*classes_[id]->storage, e); });
            pool_.destroy(e);
        }
    });
    if (entities.size() == 1) compose_one(spawner, entities.front(), fill, context);
    else compose_many(spawner, entities, fill, context);
    rollback.cancel();
    if (!spawner.systems.empty()) start_tracking(spawner, entities);
}

void ECS::compose_one(internal::Spawner& spawner, Entity e, internal::Fill fill, void* context) {
    for (const ComponentId id : spawner.ids) {
        Storage& s = *component_class(id).storage;
        s.reserve(e, std::size_t{s.count()} + 1);
    }
    find_systems(spawner);
    drain_marks();
    for (std::size_t k = 0; k < spawner.ids.size(); ++k) {
        const ComponentClass& cls = *classes_[spawner.ids[k]];
        set_class(e, cls);
        fill(context, k, 0, *cls.storage, cls.storage->place_reserved(e).slot, 1);
    }
}

void ECS::compose_many(internal::Spawner& spawner, std::span<const Entity> entities, internal::Fill fill,
                       void* context) {
    for (const ComponentId id : spawner.ids) component_class(id).storage->reserve(entities);
    find_systems(spawner);
    drain_marks();
    for (const ComponentId id : spawner.ids) classes_[id]->storage->append(entities);
    for (std::size_t w = 0; w < pool_.words(); ++w) {
        std::uint32_t bits = 0;
        for (const ComponentId id : spawner.ids) {
            const EntityPool::ClassBit bit(id);
            if (bit.word == w) bits |= bit.mask;
        }
        for (const Entity e : entities) pool_.signature(e)[w] |= bits;
    }
    for (std::size_t k = 0; k < spawner.ids.size() && !entities.empty(); ++k) {
        Storage& s = *classes_[spawner.ids[k]]->storage;
        if (s.policy() == Policy::sparse) {
            fill(context, k, 0, s, s.count() - static_cast<std::uint32_t>(entities.size()), entities.size());
            continue;
        }
        for (std::size_t i = 0; i < entities.size(); ++i) fill(context, k, i, s, index_of(entities[i]), 1);
    }
}

// The systems of the spawner start to track new entities. Callbacks are called entity by entity, as if the
// entities had been created one after the other.
void ECS::start_tracking(internal::Spawner& spawner, std::span<const Entity> entities) {
    FirstError error;
    const auto listens = [](const SystemBase* system) { return system->notifies_add_ != 0; };
    if (std::none_of(spawner.systems.begin(), spawner.systems.end(), listens)) {
        for (SystemBase* system : spawner.systems) {
            if (system->state_ == SystemBase::State::removed) continue;
            if (entities.size() == 1) error.guard([&] { system->start_tracking(entities.front()); });
            else error.guard([&] { system->start_tracking(entities); });
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
