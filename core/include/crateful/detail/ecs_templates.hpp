// The member templates of ECS and Aspect.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "crateful/ecs.hpp"

namespace crateful {

template <class Write>
void ECS::add_components(std::span<const Entity> entities, ComponentId id, Write&& write) {
    const auto fill = [](void* context, std::size_t, std::size_t i, Storage& s, std::uint32_t slot, std::size_t n) {
        auto& call = *static_cast<std::remove_reference_t<Write>*>(context);
        if constexpr (std::is_invocable_v<Write, std::size_t, Storage&, std::uint32_t, std::size_t>)
            call(i, s, slot, n);
        else
            for (std::size_t k = 0; k < n; ++k) call(i + k, s, slot + static_cast<std::uint32_t>(k));
    };
    add_filled(entities, id, fill, const_cast<void*>(static_cast<const void*>(std::addressof(write))));
}

template <class T>
void ECS::add(std::span<const Entity> entities, std::span<const T> values) {
    static_assert(
        std::is_copy_constructible_v<T> && std::is_copy_assignable_v<T>,
        "add: the values of a list are copied, but this class cannot be copied; add the components one by one "
        "with add(entity, std::move(value))");
    if (values.size() != 1 && values.size() != entities.size()) {
        internal::fail(ErrorCode::bad_argument,
                       {"add: ", internal::number_text(static_cast<double>(values.size())), " values for ",
                        internal::number_text(static_cast<double>(entities.size())),
                        " entities; pass one value, or one for each entity"});
    }
    const auto value = [&](std::size_t i) -> const T& { return values[values.size() == 1 ? 0 : i]; };
    if constexpr (std::is_nothrow_copy_assignable_v<T>) {
        add_components(entities, component_id<T>(),
                       [&](std::size_t i, Storage& s, std::uint32_t slot) { typed<T>(s).at(slot) = value(i); });
    } else {
        // Copy first: if a copy throws, nothing was added (rule X1).
        std::vector<T> copies;
        copies.reserve(entities.size());
        for (std::size_t i = 0; i < entities.size(); ++i) copies.push_back(value(i));
        add_components(entities, component_id<T>(), [&](std::size_t i, Storage& s, std::uint32_t slot) {
            typed<T>(s).at(slot) = std::move(copies[i]);
        });
    }
}

template <class T>
const T* ECS::try_get(Entity e) const {
    require_alive(e, "try_get");
    const Storage* s = find_storage(component_id<T>());
    return s == nullptr ? nullptr : static_cast<const TypedStorage<T>*>(s)->find(e);
}

template <class T>
const T& ECS::get(Entity e) const {
    const Storage* s = find_storage(component_id<T>());
    const T* value = s == nullptr ? nullptr : static_cast<const TypedStorage<T>*>(s)->find(e);
    if (value == nullptr) throw_missing(e, component_id<T>(), "get");
    return *value;
}

template <class T>
void ECS::set(Entity e, T value) {
    static_assert(
        std::is_trivially_copyable_v<T> || std::is_empty_v<T> || std::equality_comparable<T>,
        "set: the class of a component that is not trivially copyable needs an operator==; declare one, or use "
        "add or modify, which always signal");
    const ComponentId id = component_id<T>();
    if constexpr (std::is_same_v<T, Parent>) fail_parent("set");
    Storage* s = find_storage(id);
    const std::uint32_t slot = s == nullptr ? Storage::ABSENT : s->slot(e);
    if (slot == Storage::ABSENT) {
        require_alive(e, "set");
        add(e, std::move(value));
        return;
    }
    T& component = typed<T>(*s).at(slot);
    if (!internal::differ(component, value)) return;
    component = std::move(value);
    mark_present(e, id);
}

template <class T, std::invocable<T&> F>
void ECS::modify(Entity e, F&& change) {
    const ComponentId id = component_id<T>();
    if constexpr (std::is_same_v<T, Parent>) fail_parent("modify");
    Storage* s = find_storage(id);
    const std::uint32_t slot = s == nullptr ? Storage::ABSENT : s->slot(e);
    if (slot == Storage::ABSENT) throw_missing(e, id, "modify");
    const std::uint32_t version = s->control().version;
    change(typed<T>(*s).at(slot));
    if (s->control().version != version && !s->has(e)) return;  // `change` has removed it
    drain_marks();
    mark(*classes_[id], e);
}

template <class T>
const T* Aspect::try_get() const {
    const ComponentId id = component_id<T>();
    const Storage* s = ecs_->find_storage(id);
    if (s == nullptr) return nullptr;
    const auto& storage = static_cast<const TypedStorage<T>&>(*s);
    const T* value = storage.find(entity_);
    if (value == nullptr && reads_parked_) {
        if (const int at = ecs_->find_parked(entity_, id); at >= 0)
            value = storage.find_parked(static_cast<std::size_t>(at));
    }
    return value;
}

template <class T>
const T& Aspect::get() const {
    const T* value = try_get<T>();
    if (value == nullptr) ecs_->throw_missing(entity_, component_id<T>(), "get");
    return *value;
}

}  // namespace crateful
