#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace crateful::internal {

/// An array by entity index, with memory only for pages of which an element is used.
template <class T>
class Paged {
public:
    /// Guarantees memory for the element with this index; returns whether its page is a new one. Throws `std::bad_alloc`.
    bool make(std::uint32_t index) {
        const std::size_t page = index / PAGE;
        if (page < pages_.size() && pages_[page] != nullptr) return false;
        auto made = std::make_unique<T[]>(PAGE);
        if (page >= pages_.size()) pages_.resize(page + 1);
        pages_[page] = std::move(made);
        size_ += PAGE;
        return true;
    }
    /// An element with memory.
    [[nodiscard]] T& operator[](std::uint32_t index) noexcept { return pages_[index / PAGE][index % PAGE]; }
    [[nodiscard]] const T& operator[](std::uint32_t index) const noexcept { return pages_[index / PAGE][index % PAGE]; }
    /// The element, or nullptr if it has no memory.
    [[nodiscard]] const T* find(std::uint32_t index) const noexcept {
        const std::size_t page = index / PAGE;
        return page < pages_.size() && pages_[page] != nullptr ? &pages_[page][index % PAGE] : nullptr;
    }
    /// How many elements have memory.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// More than the index of each of them.
    [[nodiscard]] std::size_t extent() const noexcept { return pages_.size() * PAGE; }
    /// Bytes allocated.
    [[nodiscard]] std::size_t bytes() const noexcept {
        return pages_.capacity() * sizeof(pages_.front()) + size_ * sizeof(T);
    }
    /// Calls `visit(T&)` for each of them, in the order of their indices.
    template <class Visit>
    void each(Visit&& visit) const {
        for (const auto& page : pages_) {
            for (std::uint32_t i = 0; page != nullptr && i < PAGE; ++i) visit(page[i]);
        }
    }

private:
    static constexpr std::uint32_t PAGE = 64;

    std::vector<std::unique_ptr<T[]>> pages_;
    std::size_t size_ = 0;
};

}  // namespace crateful::internal
