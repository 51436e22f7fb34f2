#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "crateful/detail/change_list.hpp"
#include "crateful/detail/entity_pool.hpp"
#include "crateful/storage.hpp"

namespace crateful::internal {

/// The reverse of a field of type `link`: for each entity, those whose component refers to it (rule C15). It is brought up to date
/// when it is used, at the cost of the components that changed since then.
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
    [[nodiscard]] bool refers_to(Entity target) {
        update();
        return first_[index_of(target)] != NOWHERE;
    }

private:
    static constexpr std::uint32_t NOWHERE = ~std::uint32_t{0};
    // An entity with the component, by its index, in the list of those that refer to the same index.
    struct Source {
        std::uint32_t target = NOWHERE;  // its index
        std::uint32_t previous = NOWHERE;
        std::uint32_t next = NOWHERE;
    };
    void update();
    void set(std::uint32_t source, std::uint32_t target) noexcept;

    Storage& storage_;
    const std::size_t field_;
    const EntityPool& pool_;
    ChangeList::Time read_until_ = 0;
    std::vector<Source> sources_;
    std::vector<std::uint32_t> first_;  // by the index of the target
    bool left_out_ = false;             // whether there can be targets with higher indices
};

}  // namespace crateful::internal
