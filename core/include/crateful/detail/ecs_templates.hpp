// The member templates of ECS and Aspect.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "crateful/ecs.hpp"

namespace crateful {

namespace internal {

/// Calls `Structure::add` with `write(i, storage, slot)`, or `write(i, storage, slots)` for many.
template <class Write>
void add_components(Structure& structure, std::span<const Entity> entities, ComponentId id, Write&& write) {
    const auto fill = [](void* context, std::size_t, std::size_t i, Storage& s, const SlotList& slots) {
        auto& call = *static_cast<std::remove_reference_t<Write>*>(context);
        if constexpr (std::is_invocable_v<Write, std::size_t, Storage&, const SlotList&>) call(i, s, slots);
        else
            for (std::size_t k = 0; k < slots.n; ++k) call(i + k, s, slots[k]);
    };
    structure.add(entities, id, fill, const_cast<void*>(static_cast<const void*>(std::addressof(write))));
}

/// Gives a component a value. If T has a destructor, the old value is in `value` afterwards, to be destroyed when nothing else
/// is left to do (rule T5).
template <class T>
void assign(T& component, T& value) noexcept {
    if constexpr (std::is_trivially_destructible_v<T> || !std::is_nothrow_move_constructible_v<T>) {
        component = std::move(value);
    } else {
        T old = std::move(component);
        component = std::move(value);
        value = std::move(old);
    }
}

/// Converts to the type of the member that it initialises.
template <class Arg>
struct MemberInit {
    Arg&& arg;
    template <class M>
        requires std::is_convertible_v<Arg&&, M>
    operator M() const {  // NOLINT(google-explicit-constructor)
        return static_cast<M>(std::forward<Arg>(arg));
    }
};

/// Where the member is in the struct, in bytes.
template <class T, class M>
std::size_t offset_of(M T::* member) {
    static const T probe{};
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&(probe.*member)) -
                                    reinterpret_cast<const std::byte*>(&probe));
}

/// The number of the field that describes the member, a Link or String, or one that no field has.
template <class T, class M>
std::size_t field_number(M T::* member) {
    const std::size_t offset = offset_of(member);
    const std::vector<Field>& fields = registry::type(component_id<T>()).fields;
    const auto describes = [&](const Field& f) { return f.type == field_type<M>() && f.offset == offset; };
    return static_cast<std::size_t>(std::find_if(fields.begin(), fields.end(), describes) - fields.begin());
}

template <class T, class... Args>
T make_component(Args&&... args) {
    constexpr bool IS_COPY = sizeof...(Args) == 1 && (... && std::is_same_v<std::remove_cvref_t<Args>, T>);
    // Not T(args…), which initialises aggregates only in newer compilers.
    if constexpr (std::is_aggregate_v<T> && !IS_COPY) return T{MemberInit<Args>{std::forward<Args>(args)}...};
    else return T(std::forward<Args>(args)...);
}

}  // namespace internal

template <class T>
void ECS::add(Entity e, T value) {
    const auto [cls, slot, is_new] = structure_.begin_add(e, component_id<T>());
    internal::assign(static_cast<TypedStorage<T>&>(*cls.storage).at(slot), value);
    if (std::is_trivially_destructible_v<T> || cls.unused()) return tracking().added(e, cls, is_new);
    const internal::Operation operation(tracking());
    tracking().added(e, cls, is_new);
}

template <class T>
bool ECS::remove(Entity e) {
    if constexpr (std::is_trivially_destructible_v<T> || !std::is_move_constructible_v<T>) {
        return structure_.remove(e, component_id<T>());
    } else {
        const internal::Operation operation(tracking());
        std::optional<T> removed;  // destroyed last (rule T5)
        const auto take = [](void* to, Storage& s, std::uint32_t slot) {
            static_cast<std::optional<T>*>(to)->emplace(std::move(static_cast<TypedStorage<T>&>(s).at(slot)));
        };
        return structure_.remove(e, component_id<T>(), take, &removed);
    }
}

template <class T, class... Args>
void ECS::emplace(Entity e, Args&&... args) {
    add<T>(e, internal::make_component<T>(std::forward<Args>(args)...));
}

template <class T>
void ECS::add(std::span<const Entity> entities, std::span<const T> values) {
    static_assert(
        std::is_copy_constructible_v<T> && std::is_copy_assignable_v<T>,
        "add: the values of a list are copied, but this class cannot be copied; add the components one by one "
        "with add(entity, std::move(value))");
    if (values.size() != 1 && values.size() != entities.size()) {
        internal::fail(ErrorCode::bad_argument,
                       {"add: ", registry::type(component_id<T>()).name, ": ",
                        internal::number_text(static_cast<double>(values.size())), " values for ",
                        internal::number_text(static_cast<double>(entities.size())),
                        " entities; pass one value, or one for each entity"});
    }
    const auto value = [&](std::size_t i) -> const T& { return values[values.size() == 1 ? 0 : i]; };
    const ComponentId id = component_id<T>();
    if constexpr (std::is_nothrow_copy_assignable_v<T> && std::is_trivially_destructible_v<T>) {
        if (!storage<T>().contains(values.data())) {
            internal::add_components(structure_, entities, id, [&](std::size_t i, Storage& s, std::uint32_t slot) {
                static_cast<TypedStorage<T>&>(s).at(slot) = value(i);
            });
            return;
        }
    }
    // Copy first: values may be in the storage (rule X3); if a copy throws, nothing was added (rule X1); and the values that are
    // replaced are destroyed last (rule T5).
    std::vector<T> copies;
    copies.reserve(entities.size());
    for (std::size_t i = 0; i < entities.size(); ++i) copies.push_back(value(i));
    const internal::Operation operation(tracking());
    internal::add_components(structure_, entities, id, [&](std::size_t i, Storage& s, std::uint32_t slot) {
        internal::assign(static_cast<TypedStorage<T>&>(s).at(slot), copies[i]);
    });
    copies.clear();
}

template <class T>
const T* ECS::try_get(Entity e) const {
    const Storage* s = tracking().find_storage(component_id<T>());
    return s == nullptr ? nullptr : static_cast<const TypedStorage<T>*>(s)->find(e);
}

template <class T>
const T& ECS::get(Entity e) const {
    const Storage* s = tracking().find_storage(component_id<T>());
    const T* value = s == nullptr ? nullptr : static_cast<const TypedStorage<T>*>(s)->find(e);
    if (value == nullptr) structure_.fail_missing(e, component_id<T>(), "get");
    return *value;
}

template <class T>
void ECS::set(Entity e, T value) {
    static_assert(
        std::is_trivially_copyable_v<T> || std::is_empty_v<T> || std::equality_comparable<T>,
        "set: the class of a component that is not trivially copyable needs an operator==; declare one, or use "
        "add or modify, which always signal");
    const ComponentId id = component_id<T>();
    if constexpr (std::is_same_v<T, Parent>) internal::Structure::fail_parent("set");
    Storage* s = tracking().find_storage(id);
    const std::uint32_t slot = s == nullptr ? Storage::ABSENT : s->slot(e);
    if (slot == Storage::ABSENT) {
        structure_.require_alive(e, "set");
        add(e, std::move(value));
        return;
    }
    tracking().require_unobserved("set");
    T& component = static_cast<TypedStorage<T>&>(*s).at(slot);
    if (!internal::differ(component, value)) return;
    internal::assign(component, value);
    tracking().signal(e, id);
}

template <class T, std::invocable<T&> F>
void ECS::modify(Entity e, F&& change) {
    tracking().require_unlocked("modify");
    const ComponentId id = component_id<T>();
    if constexpr (std::is_same_v<T, Parent>) internal::Structure::fail_parent("modify");
    Storage* s = tracking().find_storage(id);
    const std::uint32_t slot = s == nullptr ? Storage::ABSENT : s->slot(e);
    if (slot == Storage::ABSENT) structure_.fail_missing(e, id, "modify");
    const std::uint32_t version = s->control().version;
    change(static_cast<TypedStorage<T>&>(*s).at(slot));
    if (s->control().version != version && !s->has(e)) return;  // `change` has removed it
    tracking().signal(e, id);
}

template <class T, class Less>
void ECS::sort(Less less) {
    constexpr bool BY_VALUES = std::predicate<Less&, const T&, const T&>;
    if constexpr (!BY_VALUES) {
        static_assert(
            std::predicate<Less&, Entity, Entity>,
            "sort: pass a function of two components (const T&) or two entities, which returns whether the first "
            "one is in front of the second");
        static_assert(std::is_same_v<std::invoke_result_t<Less&, Entity, Entity>, bool>,
                      "sort: the function must return a bool: whether the first one is in front of the second");
    } else {
        static_assert(std::is_same_v<std::invoke_result_t<Less&, const T&, const T&>, bool>,
                      "sort: the function must return a bool: whether the first one is in front of the second");
    }
    auto& s = static_cast<TypedStorage<T>&>(structure_.begin_sort(component_id<T>()));
    const std::uint32_t version = s.control().version;
    const auto in_front = [&](std::uint32_t a, std::uint32_t b) {
        bool result = false;
        if constexpr (BY_VALUES) result = less(std::as_const(s.at(a)), std::as_const(s.at(b)));
        else result = less(s.entities()[a], s.entities()[b]);
        if (s.control().version != version) internal::Structure::fail_sort(s);
        return result;
    };
    const std::uint32_t n = s.count();
    std::uint32_t sorted = 1;
    while (sorted < n && !in_front(sorted, sorted - 1)) ++sorted;
    if (sorted >= n) return;
    std::vector<std::uint32_t> order(n);
    for (std::uint32_t slot = 0; slot < n; ++slot)
        order[slot] = slot;  // not iota: <numeric> does not compile with windows.h
    std::stable_sort(order.begin(), order.end(), in_front);
    if (s.set().iterating()) internal::Structure::fail_sort(s);
    s.reorder(order);
}

template <class T, class M>
internal::Order& ECS::order(const char* call, M T::* member, bool descending) {
    if constexpr (std::is_same_v<M, String>) {
        if (internal::field_number(member) == registry::type(component_id<T>()).fields.size()) {
            internal::fail(ErrorCode::bad_argument,
                           {call, ": describe the String with describe_component<", internal::class_name<T>(),
                            ">, so that the ECS knows which texts are used"});
        }
    }
    return tracking().order({.storage = &storage<T>(),
                             .where = internal::offset_of(member),
                             .type = internal::field_type<M>(),
                             .descending = descending});
}

template <class T, class M>
Index<M> ECS::index(M T::* member) const {
    static_assert((!std::is_array_v<M> && !std::is_class_v<M>) || std::is_same_v<M, Link> || std::is_same_v<M, String>,
                  "index: the member must be a number, bool, enum, Entity, Link or String");
    ECS& ecs = const_cast<ECS&>(*this);  // only the order changes, which is derived from the components
    return {ecs.tracking(), ecs.tracking().strings, ecs.order("index", member, false)};
}

template <class... Ts, class Query, class... Filters>
OrderedQuery<Query> ECS::ordered(const Query& query, const Filters&... filters) const {
    ECS& ecs = const_cast<ECS&>(*this);  // only the order changes, which is derived from the components
    static_assert((0 + ... + (internal::is_order<Filters> ? 1 : 0)) == 1, "query: pass one order_by");
    const auto find = [&]<class T, class M>(const OrderBy<T, M>& by) -> internal::Order& {
        static_assert((... || std::is_base_of_v<T, std::remove_const_t<Ts>>),
                      "order_by: the member must be of a class that the query requires");
        internal::Order* found = nullptr;
        const auto use = [&]<class C>(std::type_identity<C>) {  // T can be a base class of C
            if constexpr (std::is_base_of_v<T, C>) {
                if (found != nullptr) return;
                found = &ecs.order("order_by", static_cast<M C::*>(by.member), by.direction == Direction::descending);
            }
        };
        (use(std::type_identity<std::remove_const_t<Ts>>{}), ...);
        return *found;
    };
    internal::Order* order = nullptr;
    const auto look = [&](const auto& filter) {
        if constexpr (internal::is_order<std::remove_cvref_t<decltype(filter)>>) order = &find(filter);
    };
    (look(filters), ...);
    return {query, ecs.tracking(), *order};
}

template <class T>
FoundEntities ECS::linked(Link T::* member, Entity e) const {
    return linked_by(component_id<T>(), internal::field_number(member), e);
}

template <class T>
FoundEntities ECS::linked(std::string_view field, Entity e) const {
    const std::vector<Field>& fields = registry::type(component_id<T>()).fields;
    const auto at = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == field; });
    return linked_by(component_id<T>(), static_cast<std::size_t>(at - fields.begin()), e);
}

template <class T>
const T* Aspect::try_get() const {
    const ComponentId id = component_id<T>();
    const Storage* s = ecs_->tracking().find_storage(id);
    if (s == nullptr) return nullptr;
    const auto& storage = static_cast<const TypedStorage<T>&>(*s);
    const T* value = storage.find(entity_);
    if (value == nullptr && reads_parked_) {
        if (const int at = ecs_->tracking().find_parked(entity_, id); at >= 0)
            value = storage.find_parked(static_cast<std::size_t>(at));
    }
    return value;
}

template <class T>
const T& Aspect::get() const {
    const T* value = try_get<T>();
    if (value == nullptr) ecs_->structure_.fail_missing(entity_, component_id<T>(), "get");
    return *value;
}

}  // namespace crateful
