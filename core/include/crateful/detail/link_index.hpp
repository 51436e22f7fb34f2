#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "crateful/detail/entity_pool.hpp"
#include "crateful/detail/mark_queue.hpp"
#include "crateful/storage.hpp"

namespace crateful::internal {

/// The reverse of a field of type `link`: for each entity, the slots of the components that refer to it (rule C15). It is brought
/// up to date when it is used, at the cost of the components that changed since then. It has pages of memory only for slots whose
/// component refers to an entity, and for indices to which one refers.
class LinkIndex {
public:
    /// Both must exist as long as the index.
    LinkIndex(Storage& storage, std::size_t field, const EntityPool& pool);

    [[nodiscard]] Storage& storage() const noexcept { return storage_; }
    [[nodiscard]] std::size_t field() const noexcept { return field_; }
    /// What the field of a component contains.
    [[nodiscard]] static Entity value(const Storage& storage, std::size_t field, std::uint32_t slot) noexcept {
        Entity e = NONE;
        std::memcpy(&e, storage.word(field, slot), sizeof(e));
        return e;
    }
    [[nodiscard]] Entity value(std::uint32_t slot) const noexcept { return value(storage_, field_, slot); }
    /// Sets the field of a component to NONE.
    void reset(std::uint32_t slot) noexcept { std::memcpy(storage_.word(field_, slot), &NONE, sizeof(NONE)); }
    /// The entities whose component refers to `target`, in the order of their indices, so that the order does not depend on when the
    /// index is used. An entity that is not alive has none. The mark queue must be empty.
    [[nodiscard]] std::vector<Entity> sources(Entity target);
    /// Appends the same without an order.
    void find(Entity target, std::vector<Entity>& found);
    /// Sorts entities by their indices.
    static void sort(std::vector<Entity>& found);
    /// Whether there may be one, without a list.
    [[nodiscard]] bool refers_to(Entity target);
    /// Forgets everything, and frees the memory. All components will be read again.
    void clear() noexcept;
    /// Bytes allocated.
    [[nodiscard]] std::size_t bytes() const noexcept;

    /// The component in a slot was added, moved there or replaced, or it signalled.
    void changed(std::uint32_t slot) noexcept {
        if (changes_ < changed_.size()) changed_[changes_++] = slot;
        else all_changed_ = true;
    }
    /// The components in the slots of these marks signalled.
    void changed(std::span<const Mark> marks) noexcept {
        for (const Mark& mark : marks) {
            for (std::uint32_t slot = mark.first; slot < mark.end && !all_changed_; ++slot) changed(slot);
        }
    }
    /// The next index of the same storage.
    LinkIndex* next = nullptr;

private:
    static constexpr std::uint32_t NOWHERE = ~std::uint32_t{0};
    static constexpr std::uint32_t PAGE = 128;
    // A slot, in the list of those whose components refer to the same index.
    struct Node {
        std::uint32_t target = NOWHERE;  // that index
        std::uint32_t next = NOWHERE;    // the next slot of the list
        std::uint32_t* link = nullptr;   // where this slot is: the `next` of the one before, or the first of the list
    };
    // The first slot of the list for an index.
    struct First {
        std::uint32_t slot = NOWHERE;
    };
    // Pages do not move. One is nullptr until an element of it is used.
    template <class T>
    using Pages = std::vector<std::unique_ptr<T[]>>;
    template <class T>
    [[nodiscard]] static bool has_page(const Pages<T>& pages, std::uint32_t at) noexcept {
        return at / PAGE < pages.size() && pages[at / PAGE] != nullptr;
    }
    template <class T>
    void make_page(std::unique_ptr<T[]>& page);
    [[nodiscard]] Node& node(std::uint32_t slot) noexcept { return nodes_[slot / PAGE][slot % PAGE]; }
    [[nodiscard]] std::uint32_t& first(std::uint32_t target) noexcept {
        return first_[target / PAGE][target % PAGE].slot;
    }
    [[nodiscard]] bool filled(std::uint32_t slot) const noexcept {
        return slot < storage_.extent() && storage_.filled(slot);
    }
    void update();
    void read(std::uint32_t slot);
    void set(std::uint32_t slot, std::uint32_t target) noexcept;

    Storage& storage_;
    const std::size_t field_;
    const EntityPool& pool_;
    Pages<Node> nodes_;                   // by slot
    Pages<First> first_;                  // by the index of the target
    std::uint32_t pages_ = 0;             // how many exist of both kinds
    std::uint32_t links_ = 0;             // how many slots are in lists
    std::uint32_t indices_ = 0;           // how many indices there were; links to others are in no list
    std::uint32_t left_out_ = NOWHERE;    // the lowest of these others; that of NONE never exists
    bool all_changed_ = false;            // whether all slots must be read, because there was no room in `changed_`
    std::uint32_t changes_ = 0;           // how many elements of `changed_` are in use
    std::vector<std::uint32_t> changed_;  // slots to read
};

}  // namespace crateful::internal
