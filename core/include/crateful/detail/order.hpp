#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "crateful/detail/change_list.hpp"
#include "crateful/detail/entity_pool.hpp"
#include "crateful/detail/paged.hpp"
#include "crateful/detail/strings.hpp"
#include "crateful/storage.hpp"

namespace crateful::internal {

/// A field of the components of one class by which entities are sorted.
struct SortField {
    Storage* storage;
    std::size_t where;  ///< of a native class the offset in the struct, in bytes; otherwise the number of the field
    FieldType type;
    bool descending;
    [[nodiscard]] bool operator==(const SortField&) const noexcept = default;
};

/// The entities with a component of one class in the order of a field, those with equal values in the order of their indices (rule
/// Q10). It is brought up to date when it is used, at the cost of the components that changed since then.
class Order {
public:
    /// A list that stays as it is as long as it is kept.
    using List = std::shared_ptr<const std::vector<Entity>>;

    /// `pool` and `strings` must exist as long as the order.
    Order(const SortField& field, const EntityPool& pool, Strings& strings);

    /// The list that another language reads, so that it stays as it is.
    List foreign;

    [[nodiscard]] const SortField& field() const noexcept { return field_; }
    /// The entities in their order now. The mark queue must be empty. O(changes * log(entities) + entities between the old and new
    /// places of those that changed), or O(entities) if many have changed. If it throws, the next call sorts again.
    [[nodiscard]] List list();
    /// When `list` was called last: components that were added since then are not in the list (rule T4).
    [[nodiscard]] ChangeList::Time time() const noexcept { return time_; }
    /// A number with the order of the values; of a string its number.
    using Key = std::uint64_t;
    /// Entities whose field has a value, and its key.
    struct Found {
        Key key = 0;
        std::span<const Entity> entities{};
    };
    /// Those with this value, of the type of the field, in the order of their indices, as `list`. A string must exist. Valid until the
    /// next call.
    [[nodiscard]] Found find(const void* value);
    /// Whether the field of the entity has a value with this key: a test of `FoundEntities`, in which `order` is an Order.
    [[nodiscard]] static bool has_key(const void* order, std::size_t, Key key, Entity e) noexcept;
    /// Throws `bad_argument`: the field cannot have this value.
    [[noreturn]] void fail_to_store(double value) const;
    /// Marks the strings by which the list is sorted: they may be those that components contained before.
    void mark_strings() const noexcept;

private:
    // An entity that gets another place in the list.
    struct Change {
        std::uint32_t index;
        Entity entity;  // NONE if it has no component
        Key key;        // its new one; of a removal from the list: its old place
    };
    // By their keys; removals by their old places.
    void sort(std::vector<Change>& changes, bool by_key) const;
    [[nodiscard]] bool sorts_strings() const noexcept { return field_.type == FieldType::string; }
    // Whether a component with key `a` is in front of one with key `b`; of equal keys, the first one is that with the smaller index.
    [[nodiscard, gnu::noinline]] bool before(Key a, std::uint32_t index_a, Key b, std::uint32_t index_b) const noexcept;
    // The key; of a number that no string has, as one can be written to memory, that of the empty string.
    [[nodiscard]] Key known(Key key) const noexcept {
        return sorts_strings() && !strings_.exists(String(static_cast<std::uint32_t>(key))) ? 0 : key;
    }
    void rank_strings();
    [[nodiscard]] std::uint32_t& rank_of(Key string) noexcept { return ranks_[static_cast<std::uint32_t>(string)]; }
    // What the list contains of an index: the entity or NONE, and the key by which it is sorted.
    struct Listed {
        Key key = 0;
        Entity entity = NONE;
    };
    // An entity and a part of its key, to sort all.
    struct Item {
        std::uint32_t key;
        Entity entity;
    };
    // A part of the list between two edits.
    struct Part {
        std::uint32_t from;
        std::uint32_t to;
        std::uint32_t size;
    };

    // Where the value in slot 0 is, and the bytes from one to the next.
    struct Values {
        const std::byte* first;
        std::size_t step;
    };
    [[nodiscard]] Values values() const noexcept;
    [[nodiscard]] Key key_of(Entity e) const noexcept { return listed_.find(index_of(e))->key; }
    [[nodiscard]] std::uint32_t place_of(Key key, std::uint32_t index) const noexcept;
    void sort_all();
    void apply();
    void edit(std::vector<Entity>& list);

    const SortField field_;
    const EntityPool& pool_;
    Strings& strings_;
    ChangeList::Time time_ = 0;
    std::shared_ptr<std::vector<Entity>> list_ = std::make_shared<std::vector<Entity>>();
    Paged<Listed> listed_;
    std::vector<Change> changes_;
    std::vector<Change> removals_;
    std::vector<Part> parts_;
    std::vector<std::uint32_t> added_;  // places in the new list, of the changes with an entity
    std::vector<Item> items_, others_;
    std::vector<std::uint32_t> ranks_;  // of strings, by their numbers
};

}  // namespace crateful::internal
