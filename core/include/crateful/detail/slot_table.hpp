#pragma once
#include <cstddef>
#include <cstdint>

#include "crateful/detail/sparse_set.hpp"
#include "crateful/entity.hpp"
#include "crateful/storage.hpp"

namespace crateful::internal {

/// What a look-up in one storage reads, copied. In a loop in which no component of the class is added or removed,
/// compilers keep it in registers, which they cannot do with the storage itself.
class SlotTable {
public:
    SlotTable() noexcept = default;
    explicit SlotTable(const Storage& storage) noexcept
        : pages_(storage.control().pages),
          mask_(storage.control().mask),
          size_(pages_ != nullptr ? storage.control().page_count : storage.control().extent) {}

    /// Whether the storage has the policy `sparse`. Any answer is correct if it has no components.
    [[nodiscard]] bool sparse() const noexcept { return pages_ != nullptr; }
    /// The slot of the entity's component, or ABSENT. The entity must be alive, or NONE: no generations are compared.
    [[nodiscard]] std::uint32_t slot(Entity e) const noexcept { return sparse() ? sparse_slot(e) : linear_slot(e); }
    /// The same, if the storage is `sparse()`.
    [[nodiscard]] std::uint32_t sparse_slot(Entity e) const noexcept {
        const std::uint32_t page = index_of(e) >> SparseSet::PAGE_BITS;
        if (page >= size_) return Storage::ABSENT;
        return SparseSet::slot_in(pages_[page][index_of(e) & (SparseSet::ENTRIES_PER_PAGE - 1)]);
    }
    [[nodiscard]] bool has(Entity e) const noexcept { return slot(e) != Storage::ABSENT; }
    /// The same as `Storage::slot`, for any handle, if the storage is `sparse()`.
    [[nodiscard]] std::uint32_t sparse_slot_of_any(Entity e) const noexcept {
        const std::uint32_t page = index_of(e) >> SparseSet::PAGE_BITS;
        if (page >= size_) return Storage::ABSENT;
        return SparseSet::slot_in(pages_[page][index_of(e) & (SparseSet::ENTRIES_PER_PAGE - 1)], e);
    }

private:
    [[nodiscard]] std::uint32_t linear_slot(Entity e) const noexcept {
        const std::uint32_t index = index_of(e);
        return index < size_ && (mask_[index / 64] >> (index % 64) & 1u) != 0 ? index : Storage::ABSENT;
    }

    const std::uint32_t* const* pages_ = nullptr;  // nullptr under `linear`
    const std::uint64_t* mask_ = nullptr;
    std::uint32_t size_ = 0;  // of `pages_`, or the number of slots under `linear`
};

}  // namespace crateful::internal
