#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "crateful/detail/prefab_classes.hpp"
#include "crateful/ecs.hpp"

namespace crateful {

namespace internal {

/// The classes of entities that are created with all of their components.
template <class... Ts>
struct ClassList {
    static_assert(are_different<Ts...>, "there are two components of one class; an entity can have one");
    [[nodiscard]] static std::span<const ComponentId> ids() {
        static const std::array<ComponentId, sizeof...(Ts)> all{component_id<Ts>()...};
        return all;
    }
    /// What an ECS knows about them.
    [[nodiscard]] static PrefabClasses& of(Structure& structure) {
        static const std::size_t number = next_class_list();
        return structure.prefab_classes(number, ids());
    }
    /// A `Fill` that calls `assign(i, T& to)`, which sets the component of class T of entity number `i`.
    template <class Assign>
    static void write(void* context, std::size_t k, std::size_t i, Storage& s, const SlotList& slots) {
        auto& assign = *static_cast<Assign*>(context);
        std::size_t at = 0;
        [[maybe_unused]] const auto write_if = [&]<class T>(std::type_identity<T>) {
            if (at++ != k) return;
            for (std::size_t j = 0; j < slots.n; ++j) assign(i + j, static_cast<TypedStorage<T>&>(s).at(slots[j]));
        };
        (..., write_if(std::type_identity<Ts>{}));
    }
};

}  // namespace internal

/// A list of components from which entities are created: `ecs.prefab(Position{}, Sprite{.size = 4})` (rule E9). The systems
/// that track such entities are determined once, and not for each entity. It must not outlive its ECS.
template <class... Ts>
class Prefab {
    static_assert(sizeof...(Ts) > 0, "a prefab needs at least one component");
    static constexpr bool COPYABLE = (... && std::is_copy_assignable_v<Ts>);
    using Classes = internal::ClassList<Ts...>;

public:
    /// See `ECS::prefab`.
    Prefab(ECS& ecs, Ts... values)
        : ecs_(&ecs), values_{{std::move(values)...}}, classes_(&Classes::of(ecs.structure_)) {
        keep_strings();
    }

    /// From now on, `spawn` creates an entity of `prefab`, and of its children, for each entity that it creates, as the last child of
    /// that (rule E12). It keeps a copy of `prefab`. Throws `bad_argument` if `prefab` belongs to another ECS.
    /// O(components + children).
    template <class... Us>
    Prefab& child(const Prefab<Us...>& prefab) & {
        static_assert(Prefab<Us...>::COPYABLE && std::is_copy_constructible_v<std::tuple<Us...>>,
                      "child: a prefab copies its components; add those that cannot be copied with ECS::add");
        if (prefab.ecs_ != ecs_) internal::fail_child();
        const std::size_t number = children_.size() + 1;
        auto all = children_;  // `prefab` may be this one
        all.push_back({0,
                       {Prefab<Us...>::child_ids()},
                       &Prefab<Us...>::Classes::template write<typename Prefab<Us...>::Values>,
                       std::make_shared<typename Prefab<Us...>::Values>(prefab.values_),
                       prefab.strings_});
        for (const internal::ChildPrefab& below : prefab.children_) {
            all.push_back(below);
            all.back().parent += number;
        }
        children_ = std::move(all);
        return *this;
    }
    /// The same for `auto ship = ecs.prefab(Position{}).child(turret)`.
    template <class... Us>
    Prefab child(const Prefab<Us...>& prefab) && {
        return std::move(child(prefab));
    }

    /// Creates an entity with copies of the components, and those of the children. `overrides` are used in place of those of the same classes:
    /// `bullet.spawn(Position{x, y})`; they do not concern children. Throws `out_of_memory`, and then nothing was created.
    /// O(components + systems that track it), and the same for each child.
    template <class... Us>
        requires(internal::is_one_of<std::remove_cvref_t<Us>, Ts...> && ...)
    Entity spawn(Us&&... overrides) const {
        static_assert(COPYABLE, "spawn: a prefab copies its components; add those that cannot be copied with ECS::add");
        // Copies, because overrides may be components of the ECS, which move (rule X3).
        std::tuple<std::remove_cvref_t<Us>...> given(std::forward<Us>(overrides)...);
        Entity e = NONE;
        fill(std::span(&e, 1), [&]<class T>(std::size_t, T& to) {
            if constexpr (internal::is_one_of<T, std::remove_cvref_t<Us>...>) to = std::move(std::get<T>(given));
            else values_(0, to);
        });
        return e;
    }
    /// Fills `out` with new entities. Each of the lists in `columns` contains one value for each entity:
    /// `bullet.spawn(out, std::span<const Position>(positions))`. Throws `out_of_memory`, and `bad_argument` if a list has
    /// another length; then nothing was created. O(entities * components + entities * systems that track them).
    template <class... Us>
        requires(internal::is_one_of<Us, Ts...> && ...)
    void spawn(std::span<Entity> out, std::span<const Us>... columns) const {
        static_assert(COPYABLE, "spawn: a prefab copies its components; add those that cannot be copied with ECS::add");
        for (const std::size_t n : {out.size(), columns.size()...}) {
            if (n != out.size()) internal::fail_spawn(Classes::ids(), n, out.size());
        }
        const std::tuple<Column<Us>...> given(Column<Us>(*this, columns)...);
        fill(out, [&]<class T>(std::size_t i, T& to) {
            if constexpr (internal::is_one_of<T, Us...>) to = std::get<Column<T>>(given)[i];
            else values_(i, to);
        });
    }
    /// Creates `n` entities and returns them. Throws `out_of_memory`, and then nothing was created.
    std::vector<Entity> spawn(std::size_t n) const {
        std::vector<Entity> all(n);
        spawn(std::span<Entity>(all));
        return all;
    }

private:
    friend class ECS;
    template <class...>
    friend class Prefab;
    // The values of the components; as a function, copies one of them.
    struct Values {
        std::tuple<Ts...> all;
        template <class T>
        void operator()(std::size_t /*i*/, T& to) const {
            to = std::get<T>(all);
        }
    };
    // The values of a list. They are copied if they are in a storage that grows (rule X3).
    template <class U>
    class Column {
    public:
        Column(const Prefab& prefab, std::span<const U> values) : values_(values) {
            // Children can have components of other classes, which can contain the list.
            if (!prefab.children_.empty() || (... || prefab.ecs_->template storage<Ts>().contains(values.data())))
                copies_.assign(values.begin(), values.end());
            if (!copies_.empty()) values_ = copies_;
        }
        const U& operator[](std::size_t i) const noexcept { return values_[i]; }

    private:
        std::vector<U> copies_;
        std::span<const U> values_;
    };
    // See `ClassList::write`.
    template <class Assign>
    void fill(std::span<Entity> out, Assign assign) const {
        internal::Structure& structure = ecs_->structure_;
        const auto write = Classes::template write<Assign>;
        if (!children_.empty()) structure.spawn(*classes_, children_, out, write, &assign);
        else if (out.size() != 1) structure.spawn(*classes_, out, write, &assign);
        else structure.spawn_one(*classes_, out.front(), write, &assign);
    }
    // As a child, it has a parent.
    [[nodiscard]] static std::span<const ComponentId> child_ids() {
        static const std::array<ComponentId, sizeof...(Ts) + 1> all{PARENT_ID, component_id<Ts>()...};
        return all;
    }

    // From now on, the strings of the components are used (rule C13).
    void keep_strings() {
        std::vector<String> strings;
        const auto read = [&]<class T>(const T& value) {
            for (const Field& field : registry::type(component_id<T>()).fields) {
                if (field.type != FieldType::string) continue;
                strings.emplace_back();
                std::memcpy(&strings.back(), reinterpret_cast<const std::byte*>(&value) + field.offset, sizeof(String));
            }
        };
        (read(std::get<Ts>(values_.all)), ...);
        if (strings.empty()) return;
        strings_ = std::make_shared<internal::Strings::Kept>(ecs_->tracking().strings, std::move(strings));
    }

    ECS* ecs_;
    Values values_;
    std::shared_ptr<const internal::Strings::Kept> strings_;
    internal::PrefabClasses* classes_;
    mutable std::vector<internal::ChildPrefab> children_;  // with their children; each is behind its parent
};

template <class... Ts>
Prefab<Ts...> ECS::prefab(Ts... components) {
    return Prefab<Ts...>(*this, std::move(components)...);
}

template <class T, class U, class... Rest>
void ECS::add(Entity e, T first, U second, Rest... rest) {
    using Classes = internal::ClassList<T, U, Rest...>;
    std::tuple<T&, U&, Rest&...> values(first, second, rest...);
    auto assign = [&]<class C>(std::size_t, C& to) { internal::assign(to, std::get<C&>(values)); };
    const internal::Operation operation(tracking());  // the values that are replaced are destroyed last (rule T5)
    structure_.add(e, Classes::ids(), Classes::template write<decltype(assign)>, &assign);
}

template <class... Ts>
Entity ECS::clone(Entity e, CloneOptions options, Ts... overrides) {
    using Classes = internal::ClassList<Ts...>;
    std::tuple<Ts&...> values(overrides...);
    auto assign = [&]<class C>(std::size_t, C& to) { to = std::move(std::get<C&>(values)); };
    return structure_.clone(e, options.children, {Classes::ids(), Classes::template write<decltype(assign)>, &assign});
}

template <class... Ts>
    requires(sizeof...(Ts) > 0)
Entity ECS::add_entity(Ts... components) {
    using Classes = internal::ClassList<Ts...>;
    std::tuple<Ts&...> values(components...);
    auto assign = [&]<class T>(std::size_t, T& to) { to = std::move(std::get<T&>(values)); };
    Entity e = NONE;
    structure_.spawn_one(Classes::of(structure_), e, Classes::template write<decltype(assign)>, &assign);
    return e;
}

}  // namespace crateful
