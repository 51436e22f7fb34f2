#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "crateful/component.hpp"
#include "crateful/detail/entity_list.hpp"
#include "crateful/detail/strings.hpp"

namespace crateful {

class Storage;
class SystemBase;

namespace internal {

/// The classes of a prefab, and the systems that will track its entities. Those are determined anew only after systems were added
/// or removed.
struct PrefabClasses {
    std::span<const ComponentId> ids;  ///< each once
    std::vector<SystemBase*> systems{};
    std::uint64_t systems_version = 0;
    std::vector<std::uint32_t> signature{};  ///< the bits of the classes
};

/// The number of one more list of classes, in all ECS.
[[nodiscard]] std::size_t next_class_list() noexcept;

template <class T, class... Ts>
inline constexpr bool is_one_of = (... || std::is_same_v<T, Ts>);
/// Whether each class is named once.
template <class... Ts>
inline constexpr bool are_different = true;
template <class T, class... Ts>
inline constexpr bool are_different<T, Ts...> = !is_one_of<T, Ts...> && are_different<Ts...>;

[[noreturn]] void fail_spawn(std::span<const ComponentId> ids, std::size_t values, std::size_t entities);

/// Writes the values of class number `k`: of the entities from number `i` on, to these slots.
using Fill = void (*)(void* context, std::size_t k, std::size_t i, Storage& storage, const SlotList& slots);

/// A prefab below another one (rule E12).
struct ChildPrefab {
    std::size_t parent;            ///< 0: the prefab that is spawned; otherwise one more than the position of its child
    PrefabClasses classes;         ///< Parent, and those of `values`
    Fill fill;                     ///< writes `values`, without Parent
    std::shared_ptr<void> values;  ///< the context of `fill`
    std::shared_ptr<const Strings::Kept> strings;  ///< those that `values` contains
};

/// The components that a clone gets in place of copies (rule E13).
struct CloneOverrides {
    std::span<const ComponentId> ids{};  ///< their classes, each once
    Fill fill = nullptr;                 ///< writes their values
    void* context = nullptr;
    bool has_objects = false;  ///< the host has attached copies of the other object components
};

[[noreturn]] void fail_child();

}  // namespace internal
}  // namespace crateful
