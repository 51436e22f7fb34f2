#pragma once
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

#include "crateful/version.hpp"

namespace crateful {

/// The handle of an entity: 22 bits of index, 10 bits of generation (rule E1). No handle is issued twice in one
/// ECS, so a stale handle is always recognised (rules E2, K1).
enum class Entity : std::uint32_t {};

/// Never an entity (rule E6).
inline constexpr Entity NONE{0xFFFFFFFFu};

/// The handle that an entity gets instead of another one; NONE for one that is not alive.
using EntityMap = std::function<Entity(Entity)>;

/// How a handle is divided (rule E1).
inline constexpr std::uint32_t ENTITY_INDEX_BITS = 22;
inline constexpr std::uint32_t ENTITY_INDEX_MASK = (1u << ENTITY_INDEX_BITS) - 1;
inline constexpr std::uint32_t ENTITY_LAST_GENERATION = (1u << (32 - ENTITY_INDEX_BITS)) - 1;

/// The index part of a handle.
[[nodiscard]] constexpr std::uint32_t index_of(Entity e) noexcept {
    return static_cast<std::uint32_t>(e) & ENTITY_INDEX_MASK;
}
/// The generation part of a handle.
[[nodiscard]] constexpr std::uint32_t generation_of(Entity e) noexcept {
    return static_cast<std::uint32_t>(e) >> ENTITY_INDEX_BITS;
}
/// The generation part of a handle in its place, with index 0.
[[nodiscard]] constexpr std::uint32_t generation_bits(Entity e) noexcept {
    return static_cast<std::uint32_t>(e) & ~ENTITY_INDEX_MASK;
}
/// The handle with this index and generation.
[[nodiscard]] constexpr Entity make_entity(std::uint32_t index, std::uint32_t generation) noexcept {
    return Entity{generation << ENTITY_INDEX_BITS | index};
}
/// "entity 12582924 (index 12, generation 3)", or "entity NONE", as in the messages of errors. `crateful/format.hpp` has it for
/// `std::format`.
[[nodiscard]] std::string to_string(Entity e);
/// Writes the same text.
std::ostream& operator<<(std::ostream& to, Entity e);

}  // namespace crateful
