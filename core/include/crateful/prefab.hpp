#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "crateful/detail/prefab_classes.hpp"
#include "crateful/ecs.hpp"

namespace crateful {

/// A list of components from which entities are created: `ecs.prefab(Position{}, Sprite{.size = 4})` (rule E9). The systems
/// that track such entities are determined once, and not for each entity. It must not outlive its ECS.
template <class... Ts>
class Prefab {
    static_assert(sizeof...(Ts) > 0, "a prefab needs at least one component");
    static constexpr bool COPYABLE = (... && std::is_copy_assignable_v<Ts>);

public:
    /// See `ECS::prefab`.
    Prefab(ECS& ecs, Ts... values) : ecs_(&ecs), values_(std::move(values)...) {}

    /// Creates an entity with copies of the components. `overrides` are used in place of those of the same classes:
    /// `bullet.spawn(Position{x, y})`. Throws `out_of_memory`, and then nothing was created.
    /// O(components + systems that track it).
    template <class... Us>
        requires(internal::is_one_of<std::remove_cvref_t<Us>, Ts...> && ...)
    Entity spawn(Us&&... overrides) {
        static_assert(COPYABLE, "spawn: a prefab copies its components; add those that cannot be copied with ECS::add");
        // Copies, because overrides may be components of the ECS, which move (rule X3).
        std::tuple<std::remove_cvref_t<Us>...> given(std::forward<Us>(overrides)...);
        Entity e = NONE;
        fill(std::span(&e, 1), [&]<class T>(std::size_t, T& to) {
            if constexpr (internal::is_one_of<T, std::remove_cvref_t<Us>...>) to = std::move(std::get<T>(given));
            else to = std::get<T>(values_);
        });
        return e;
    }
    /// Fills `out` with new entities. Each of the lists in `columns` contains one value for each entity:
    /// `bullet.spawn(out, std::span<const Position>(positions))`. Throws `out_of_memory`, and `bad_argument` if a list has
    /// another length; then nothing was created. O(entities * components + entities * systems that track them).
    template <class... Us>
        requires(internal::is_one_of<Us, Ts...> && ...)
    void spawn(std::span<Entity> out, std::span<const Us>... columns) {
        static_assert(COPYABLE, "spawn: a prefab copies its components; add those that cannot be copied with ECS::add");
        for (const std::size_t n : {out.size(), columns.size()...}) {
            if (n != out.size()) internal::fail_spawn(n, out.size());
        }
        const std::tuple<Column<Us>...> given(Column<Us>(*ecs_, columns)...);
        fill(out, [&]<class T>(std::size_t i, T& to) {
            if constexpr (internal::is_one_of<T, Us...>) to = std::get<Column<T>>(given)[i];
            else to = std::get<T>(values_);
        });
    }
    /// Creates `n` entities and returns them. Throws `out_of_memory`, and then nothing was created.
    std::vector<Entity> spawn(std::size_t n) {
        std::vector<Entity> all(n);
        spawn(std::span<Entity>(all));
        return all;
    }

private:
    friend class ECS;
    // The values of a list. They are copied if they are in a storage that grows (rule X3).
    template <class U>
    class Column {
    public:
        Column(ECS& ecs, std::span<const U> values) : values_(values) {
            if ((... || ecs.storage<Ts>().contains(values.data()))) copies_.assign(values.begin(), values.end());
            if (!copies_.empty()) values_ = copies_;
        }
        const U& operator[](std::size_t i) const noexcept { return values_[i]; }

    private:
        std::vector<U> copies_;
        std::span<const U> values_;
    };
    // Creates one entity, which gets the components themselves, and not copies.
    Entity spawn_once() {
        Entity e = NONE;
        fill(std::span(&e, 1), [&]<class T>(std::size_t, T& to) { to = std::move(std::get<T>(values_)); });
        return e;
    }
    // `assign(i, T& to)` sets the component of class T of entity number `i`.
    template <class Assign>
    void fill(std::span<Entity> out, Assign assign) {
        const auto write = [](void* context, std::size_t k, std::size_t i, Storage& s, std::uint32_t slot,
                              std::size_t n) {
            auto& to_each = *static_cast<Assign*>(context);
            std::size_t at = 0;
            const auto write_if = [&]<class T>(std::type_identity<T>) {
                if (at++ != k) return;
                for (std::size_t j = 0; j < n; ++j)
                    to_each(i + j, static_cast<TypedStorage<T>&>(s).at(slot + static_cast<std::uint32_t>(j)));
            };
            (..., write_if(std::type_identity<Ts>{}));
        };
        if (out.size() != 1) return ecs_->structure_.spawn(classes_, out, write, &assign);
        const Entity e = ecs_->add_entity();
        out.front() = e;
        ecs_->structure_.compose(classes_, std::span(&e, 1), write, &assign);
    }

    [[nodiscard]] static std::span<const ComponentId> ids() {
        static const std::array<ComponentId, sizeof...(Ts)> all{component_id<Ts>()...};
        return all;
    }

    ECS* ecs_;
    std::tuple<Ts...> values_;
    internal::PrefabClasses classes_{ids()};
};

template <class... Ts>
Prefab<Ts...> ECS::prefab(Ts... components) {
    return Prefab<Ts...>(*this, std::move(components)...);
}

template <class... Ts>
    requires(sizeof...(Ts) > 0)
Entity ECS::add_entity(Ts... components) {
    return prefab(std::move(components)...).spawn_once();
}

}  // namespace crateful
