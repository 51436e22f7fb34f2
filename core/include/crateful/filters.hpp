#pragma once
#include <type_traits>

namespace crateful {

/// The classes that a query requires; see `ECS::query`.
template <class... Cs>
struct Require {};
/// The classes that an entity may have; a row contains a pointer for each.
template <class... Cs>
struct Optional {};
/// The classes that an entity must not have.
template <class... Cs>
struct Exclude {};
/// The classes of which an entity must have at least one.
template <class... Cs>
struct Any {};
/// The classes of components that the parent of an entity may have; a row contains a pointer for each.
template <class... Cs>
struct OfParent {};

/// Filters of `ECS::query`, in any order: `ecs.query<Position>(exclude<Frozen>, optional<Target>, any<Player, Enemy>)`.
/// Inside a class with a member of the same name, write `crateful::exclude<Frozen>`.
template <class... Cs>
inline constexpr Optional<Cs...> optional{};
template <class... Cs>
inline constexpr Exclude<Cs...> exclude{};
template <class... Cs>
inline constexpr Any<Cs...> any{};
/// Adds components of the parent to the rows of a query, which selects no other entities for it (rule H5).
template <class... Cs>
inline constexpr OfParent<Cs...> parent{};

template <class RequiredClasses, class OptionalClasses, class ExcludedClasses, class AnyClasses, class ParentClasses>
class Query;

namespace internal {

template <template <class...> class Kind>
struct Join {
    template <class... Cs>
    struct List {
        using Filter = Kind<Cs...>;
        using ConstFilter = Kind<const Cs...>;
        template <class... More>
        List<Cs..., More...> operator+(Kind<More...>) const;
        template <class Other>
        List operator+(Other) const;
    };
};
/// The classes of all filters of one kind: `Joined<Exclude, Exclude<A>, Optional<B>, Exclude<C>>::Filter` is `Exclude<A, C>`.
template <template <class...> class Kind, class... Filters>
using Joined = decltype((typename Join<Kind>::template List<>{} + ... + Filters{}));

template <class Required, class... Filters>
using QueryFor =
    Query<Required, typename Joined<Optional, Filters...>::Filter, typename Joined<Exclude, Filters...>::Filter,
          typename Joined<Any, Filters...>::Filter, typename Joined<OfParent, Filters...>::Filter>;
/// The same, but its components cannot be changed.
template <class Required, class... Filters>
using ConstQueryFor =
    Query<typename Joined<Require, Required>::ConstFilter, typename Joined<Optional, Filters...>::ConstFilter,
          typename Joined<Exclude, Filters...>::Filter, typename Joined<Any, Filters...>::Filter,
          typename Joined<OfParent, Filters...>::ConstFilter>;

template <class F>
inline constexpr bool is_filter = false;
template <class... Cs>
inline constexpr bool is_filter<Optional<Cs...>> = true;
template <class... Cs>
inline constexpr bool is_filter<Exclude<Cs...>> = true;
template <class... Cs>
inline constexpr bool is_filter<Any<Cs...>> = true;
template <class... Cs>
inline constexpr bool is_filter<OfParent<Cs...>> = true;

template <class F>
inline constexpr bool is_optional = false;
template <class... Cs>
inline constexpr bool is_optional<Optional<Cs...>> = true;

}  // namespace internal
}  // namespace crateful
