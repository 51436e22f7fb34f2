// How much memory bytes may ask for (rule N8).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "crateful/storage.hpp"

namespace crateful::internal {

/// Counts the memory that bytes ask for, before it is allocated. What is a part of the bytes is not counted.
class Budget {
public:
    /// Of a text in an ECS, besides its characters: about as much.
    static constexpr std::size_t STRING_BYTES = 48;
    /// Of the links of a component, in the lists of what refers to an entity (rule C15): about as much.
    [[nodiscard]] static std::size_t link_bytes(const ComponentType& type) noexcept {
        std::size_t sum = 0;
        for (const Field& field : type.fields) sum += field.type == FieldType::link ? 4 * sizeof(std::uint32_t) : 0;
        return sum;
    }

    explicit Budget(std::size_t limit) noexcept : left_(limit) {}
    /// Whether `n` elements of `bytes` bytes are allowed, too.
    [[nodiscard]] bool allows(std::uint64_t n, std::uint64_t bytes) noexcept {
        const bool fits = bytes == 0 || n <= left_ / bytes;
        left_ -= fits ? n * bytes : 0;
        return fits;
    }
    /// The same for a storage with components of these entities, or NONE: under `linear`, it has a slot for each index, of which it has `present`.
    [[nodiscard]] bool allows(const ComponentType& type, std::span<const Entity> entities,
                              std::uint32_t present = 0) noexcept {
        std::uint32_t slots = present;
        for (const Entity e : entities) slots = e == NONE ? slots : std::max(slots, index_of(e) + 1);
        const std::size_t pages = std::min<std::size_t>(entities.size(), slots / SparseSet::ENTRIES_PER_PAGE + 1);
        if (type.policy == Policy::linear) return allows(slots - present, type.value_bytes + link_bytes(type));
        return allows(entities.size(), type.value_bytes + sizeof(Entity) + link_bytes(type)) &&
               allows(pages, SparseSet::ENTRIES_PER_PAGE * sizeof(std::uint32_t));
    }

private:
    std::uint64_t left_;
};

}  // namespace crateful::internal
