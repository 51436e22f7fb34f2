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

    explicit Budget(std::size_t limit) noexcept : left_(limit) {}
    /// Whether `n` elements of `bytes` bytes are allowed, too.
    [[nodiscard]] bool allows(std::uint64_t n, std::uint64_t bytes) noexcept {
        const bool fits = bytes == 0 || n <= left_ / bytes;
        left_ -= fits ? n * bytes : 0;
        return fits;
    }
    /// The same for a storage with components of these entities: under `linear`, it has a slot for each index.
    [[nodiscard]] bool allows(const ComponentType& type, std::span<const Entity> entities) noexcept {
        std::uint32_t slots = 0;
        for (const Entity e : entities) slots = std::max(slots, index_of(e) + 1);
        const std::size_t pages = std::min<std::size_t>(entities.size(), slots / SparseSet::ENTRIES_PER_PAGE + 1);
        if (type.policy == Policy::linear) return allows(slots, type.value_bytes);
        return allows(entities.size(), type.value_bytes + sizeof(Entity)) &&
               allows(pages, SparseSet::ENTRIES_PER_PAGE * sizeof(std::uint32_t));
    }

private:
    std::uint64_t left_;
};

}  // namespace crateful::internal
