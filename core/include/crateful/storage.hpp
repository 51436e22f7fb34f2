#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "crateful/component.hpp"
#include "crateful/detail/change_list.hpp"
#include "crateful/detail/entity_list.hpp"
#include "crateful/detail/first_error.hpp"
#include "crateful/detail/host.hpp"
#include "crateful/detail/sparse_set.hpp"
#include "crateful/detail/type_info.hpp"
#include "crateful/detail/value_array.hpp"
#include "crateful/entity.hpp"
#include "crateful/string.hpp"

namespace crateful {

namespace internal {
class LinkIndex;
}

/// All components of one class in one ECS (rules T1, T2). This base class stores which entities have one, and in which
/// slot its value is; derived classes store the values.
///
/// Under the policy `sparse`, the slots 0 to `count() - 1` are filled, in the order of `entities()`. Under `linear`,
/// the slot of a component is the index of its entity; `mask()` contains which of the `extent()` slots are filled.
class Storage {
public:
    /// The slot of an entity without a component.
    static constexpr std::uint32_t ABSENT = SparseSet::ABSENT;
    /// Bits of a slot's flags.
    static constexpr std::uint8_t HAS_OBJECT =
        1;  ///< another language keeps an object: removal is reported to the host

    /// Control block, read by language bindings in memory. It is updated whenever an array moves; the host is notified.
    struct Control {
        std::uint32_t count = 0;           ///< what `count()` returns
        std::uint32_t watchers = 0;        ///< number of systems that watch this class; if 0, no marks are queued
        std::uint32_t extent = 0;          ///< what `extent()` returns
        const Entity* entities = nullptr;  ///< the first of `entities()`
        std::uint32_t** pages = nullptr;   ///< of slots by entity index; nullptr under `linear`
        std::uint32_t page_count = 0;      ///< how many `pages` there are
        std::uint8_t* flags = nullptr;     ///< by slot; nullptr until `keep_flags` is called
        std::uint64_t* mask = nullptr;     ///< nullptr under `sparse`
        std::byte** columns = nullptr;     ///< for each field: the address of its value in slot 0
        std::uint32_t version = 0;         ///< incremented whenever a component is added or removed, or they are sorted
        std::uint32_t cursors =
            0;  ///< set by the host, which is notified before slots change the next time unless it is 0
    };

    /// `type` must exist as long as the storage.
    explicit Storage(const ComponentType& type);
    virtual ~Storage() = default;
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;

    /// The component class.
    [[nodiscard]] const ComponentType& type() const noexcept { return type_; }
    /// How the storage finds values (rule T2).
    [[nodiscard]] Policy policy() const noexcept { return policy_; }
    /// The number of components.
    [[nodiscard]] std::uint32_t count() const noexcept { return control_.count; }
    /// The number of slots to iterate over. Under `sparse` it is `count()`; under `linear`, one more than the highest
    /// slot that was filled since the storage was last empty.
    [[nodiscard]] std::uint32_t extent() const noexcept { return control_.extent; }
    /// The entity of each slot. Under `linear` also entities without the component; see `mask()`. Valid until a
    /// component or an entity is added or removed.
    [[nodiscard]] std::span<const Entity> entities() const noexcept { return {control_.entities, control_.extent}; }
    /// Under `linear`: bit `i % 64` of word `i / 64` is set if slot `i` is filled. Empty under `sparse`.
    [[nodiscard]] std::span<const std::uint64_t> mask() const noexcept { return mask_; }
    /// The slot of the entity's component, or ABSENT. O(1).
    [[nodiscard]] std::uint32_t slot(Entity e) const noexcept {
        if (policy_ == Policy::sparse) return set_.slot(e);
        const std::uint32_t index = index_of(e);
        return index < control_.extent && filled(index) && control_.entities[index] == e ? index : ABSENT;
    }
    /// The slot of the component of the entity with this index, which must have one. O(1).
    [[nodiscard]] std::uint32_t slot_at(std::uint32_t index) const noexcept {
        return policy_ == Policy::sparse ? set_.slot_at(index) : index;
    }
    /// Whether the entity has a component. O(1).
    [[nodiscard]] bool has(Entity e) const noexcept { return slot(e) != ABSENT; }
    /// The number of bytes allocated for this class.
    [[nodiscard]] virtual std::size_t bytes() const noexcept;

    /// Calls `visit(Entity)` once for every entity that has the component; `visit` may return false to stop. Components
    /// may be added and removed meanwhile; added ones are not visited (rule T4).
    template <class Visit>
    void each(Visit&& visit) const;

    // --- for the ECS and language bindings ----------------------------------------------------
    // These calls notify no systems. To add and remove components, use the ECS.

    /// The control block, which is at this address as long as the storage exists.
    [[nodiscard]] const Control& control() const noexcept { return control_; }
    /// How many slots have memory. Values move only when it grows.
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    /// How many components were replaced so far.
    [[nodiscard]] std::uint32_t replacements() const noexcept { return replacements_; }
    /// The set of entities under `sparse`; empty under `linear`, where it keeps the positions of iterations.
    [[nodiscard]] SparseSet& set() noexcept { return set_; }
    /// An iteration over the entities, under `linear` over the slots, that are in the storage now.
    [[nodiscard]] SparseSet::Iteration iterate() const noexcept { return {set_, extent()}; }
    /// Under `linear`: assigns the next slot of an iteration, which is filled; false at the end.
    bool next_slot(IterationPosition& at, std::uint32_t& slot) const noexcept;
    /// The first slot from `from` on that is filled and, if there is none, at least `extent()`. Under `linear` in O(empty slots / 4096).
    [[nodiscard]] std::uint32_t next_filled(std::uint32_t from) const noexcept;
    /// Under `linear`: the first slot from `from` on, which is filled, that is empty.
    [[nodiscard]] std::uint32_t next_empty(std::uint32_t from) const noexcept;
    /// Calls `visit(i, slot, n)` for each range of slots that are filled: the `n` slots from `slot` on, in front of which `i` are filled.
    template <class Visit>
    void each_range(Visit&& visit) const;
    /// Adds `n`, which may be negative, to the number of systems that watch the class.
    void add_watchers(int n) noexcept {
        control_.watchers += static_cast<std::uint32_t>(n);
        if (host_ != nullptr) host_->storage_changed(type_.id);
    }
    /// Whether a slot below `extent()` contains a component.
    [[nodiscard]] bool filled(std::uint32_t slot) const noexcept {
        return policy_ == Policy::sparse || (mask_[slot / 64] >> (slot % 64) & 1u) != 0;
    }
    /// Slots have flags from now on.
    void keep_flags();
    /// The flags of a slot: HAS_OBJECT. Only after `keep_flags`.
    [[nodiscard]] std::uint8_t& flags(std::uint32_t slot) noexcept { return flags_[slot]; }
    /// Whether another language keeps objects for some components.
    [[nodiscard]] bool has_objects() const noexcept { return !flags_.empty(); }
    /// Whether another language keeps an object for the component in a slot.
    [[nodiscard]] bool has_object(std::uint32_t slot) const noexcept {
        return !flags_.empty() && (flags_[slot] & HAS_OBJECT) != 0;
    }

    /// From now on, `changes()` lists the entities whose component changes. Without `signals`, it may miss signals while no system
    /// watches the class.
    void keep_changes(bool signals = true);
    /// The list of changes, or nullptr.
    [[nodiscard]] internal::ChangeList* changes() const noexcept { return changes_.get(); }
    /// From now on, the index is notified of the slots whose component changes. It must exist as long as the storage is used.
    void keep_links(internal::LinkIndex& index);
    /// Whether `changed` has an effect.
    [[nodiscard]] bool lists_changes() const noexcept { return changes_ != nullptr || links_ != nullptr; }
    /// The component of `e` was replaced, or it signalled.
    void changed(Entity e) noexcept {
        if (lists_changes()) list_change(e);
    }
    /// The components in the slots of these marks signalled.
    void changed(std::span<const Mark> marks) noexcept;
    /// The component of `e` was removed, or is at another place of the storage or among its siblings.
    void moved(Entity e) noexcept {
        if (changes_ != nullptr) changes_->add(index_of(e), internal::ChangeList::Kind::place);
    }

    /// The address of a field of 4 bytes, which is no vector, in a slot.
    [[nodiscard]] std::byte* word(std::size_t field, std::uint32_t slot) const noexcept {
        const std::size_t step = type_.kind == ComponentKind::native ? type_.value_bytes : 4;
        return control_.columns[field] + slot * step;
    }
    /// Calls `visit(String)` for what each field of this type contains, and for its default value.
    template <class Visit>
    void each_string(Visit&& visit) const;

    /// Sets the handles of the ECS by entity index, which are the `entities()` under `linear`. Call it again when they
    /// move.
    void set_handles(const Entity* handles) noexcept;
    /// Sets the host that is notified when the control block changes, or nullptr.
    void set_host(Host* host) noexcept { host_ = host; }
    /// Guarantees that inserting `e` neither allocates nor throws as long as there are at most `n` components.
    void reserve(Entity e, std::size_t n) {
        const bool room = policy_ == Policy::linear
                              ? index_of(e) < capacity_ && index_of(e) / 64 < mask_.size() && !set_.lacks_added()
                              : n <= capacity_ && set_.has_room(e, n);
        if (!room || changes_ != nullptr) grow(e, n);
    }
    /// Adds a component to `e`, which must be alive, unless it has one already. The value of a new slot is not set.
    SparseSet::Place place(Entity e) {
        // Not in line with the rest, so that begin_add saves fewer registers.
        if (!plain_) return place_with_notes(e);
        reserve(e, std::size_t{control_.count} + 1);
        return place_plain(e);
    }
    /// The same after `reserve`.
    SparseSet::Place place_reserved(Entity e) noexcept;
    /// `reserve` for entities that are about to get a component with `append`.
    void reserve(internal::EntityList& list);
    /// Adds a component to entities that have none, for which there is room; returns their slots. The values are not set.
    internal::SlotList append(const internal::EntityList& list) noexcept;
    /// Removes the component of `e`, which is in `slot`.
    void erase(Entity e, std::uint32_t slot) { erase_from(*this, e, slot); }
    /// Removes the components of those of the entities that have one, one after the other; no value owns memory.
    void erase(std::span<const Entity> entities) noexcept;
    /// Moves the component in slot `order[i]` to slot `i`, for each `i` (rule T6). Under `sparse`, while no iteration is in progress.
    /// Throws `std::bad_alloc`, and then changes nothing. Uses `order` as memory.
    void reorder(std::span<std::uint32_t> order);
    /// Exchanges the components in two slots, under `sparse`, while no iteration is in progress. There must be room for one more
    /// component.
    void swap(std::uint32_t a, std::uint32_t b);
    /// Whether values own something, so that their destructors are called (rule T5).
    [[nodiscard]] bool owns_memory() const noexcept { return owns_memory_; }
    /// Of a class whose values own something: memory for `clear`, which then destroys no value itself. Otherwise nullptr.
    [[nodiscard]] virtual std::unique_ptr<internal::ValueArray> make_spare() const { return nullptr; }
    /// Removes all components except that of `kept`, if it has one. If `spare` is not nullptr, it contains the removed values
    /// afterwards.
    void clear(Entity kept = NONE, internal::ValueArray* spare = nullptr) noexcept;

    /// Sets the fields of a slot from packed values, in which field `k` is at byte `8 * k`. nullptr sets the default values.
    virtual void write_packed(std::uint32_t slot, const std::byte* packed) = 0;
    /// The values of one field for many components: value `i` is at `values + i * step`. If `step` is 0, all have the same one.
    struct Column {
        const std::byte* values;  ///< the first value
        std::uint32_t step;       ///< the distance of two values in bytes
    };
    /// Sets the fields of these slots. `columns` contains a column for each field; the values are those
    /// from number `first` on. The values of the elements of a vector are one behind the other.
    virtual void write_columns(const internal::SlotList& slots, const Column* columns, std::size_t first) = 0;
    /// Whether `copy` can copy values: not those of a native class that own memory, unless it has a codec.
    [[nodiscard]] virtual bool copies() const noexcept = 0;
    /// Copies the value in a slot to another one. Throws what the codec throws.
    virtual void copy(std::uint32_t from, std::uint32_t to) = 0;
    /// The distance in bytes from the value of a field to that of the next slot.
    [[nodiscard]] virtual std::size_t stride(std::size_t field) const noexcept = 0;
    /// Makes room for one more parked value.
    virtual void reserve_parked() = 0;
    /// Moves or copies the value in `slot`, so that it can be read after its removal until the matching `unpark()` (rule A2),
    /// which destroys it (rule T5). Parked values form a stack, in which there must be room.
    virtual void park(std::uint32_t slot) noexcept = 0;
    /// Destroys the value that was parked last.
    virtual void unpark() noexcept = 0;
    /// Copies a field of the parked value number `at`, counted from the oldest, to `to`.
    virtual void read_parked(std::size_t at, std::size_t field, std::byte* to) const = 0;
    /// The number of parked values.
    [[nodiscard]] virtual std::size_t parked_count() const noexcept = 0;

protected:
    /// Makes room for this many slots.
    virtual void grow_values(std::size_t slots) = 0;
    /// Moves the value of a slot into another one.
    virtual void move_value(std::uint32_t from, std::uint32_t to) = 0;
    /// The slot is free from now on: releases what its value owns. Does not throw.
    virtual void reset_value(std::uint32_t slot) = 0;
    /// Exchanges the memory of the values, and returns how many slots there are then. The value in slot `kept`, unless it is
    /// ABSENT, becomes the first one.
    virtual std::size_t exchange_values(internal::ValueArray& /*values*/, std::uint32_t /*kept*/) noexcept {
        return capacity();
    }
    /// Removes the component of `e`. `values` is *this. If its class is final, `move_value` and `reset_value` are not called
    /// virtually.
    template <class Values>
    void erase_from(Values& values, Entity e, std::uint32_t slot) {
        if (control_.cursors != 0 && host_ != nullptr) host_->slots_change(e, type_.id);
        ++control_.version;
        moved(e);
        std::uint32_t freed = index_of(e);
        if (policy_ == Policy::linear) {
            empty(freed);
        } else {
            set_.erase_at(e, slot, [&](std::uint32_t from, std::uint32_t to) {
                values.move_value(from, to);
                if (notes_) note_moved(from, to);
            });
            freed = control_.count = control_.extent = set_.size();
        }
        if (owns_memory_) values.reset_value(freed);
    }

    Control control_;                       ///< what `control()` returns
    std::vector<std::byte*> column_bases_;  ///< the `columns` of the control block
    bool owns_memory_ = false;              ///< whether values do, so that `reset_value` is called

private:
    // Adds it to the sparse set, and notes nothing.
    SparseSet::Place place_plain(Entity e) noexcept {
        const SparseSet::Place place = set_.place_alive(e);
        control_.count = control_.extent = set_.size();
        ++(place.appended ? control_.version : replacements_);
        return place;
    }
    SparseSet::Place place_with_notes(Entity e);
    void note_added(Entity e, std::uint32_t slot) noexcept;
    void note_moved(std::uint32_t from, std::uint32_t to) noexcept;
    void list_change(Entity e) noexcept;
    void note_links(std::uint32_t slot) noexcept;
    void make_changes();
    void keep_signals();
    // Updates the addresses in the control block.
    void sync() noexcept;
    void grow(Entity e, std::size_t n);
    void notify_changed() noexcept;
    void fill(std::uint32_t first, std::uint32_t n) noexcept {
        for (std::uint32_t i = first, end = first + n; i < end;) {
            const std::uint32_t bits = (std::min)(64 - i % 64, end - i);
            mask_[i / 64] |= ~std::uint64_t{0} >> (64 - bits) << (i % 64);
            summary_[i / 4096] |= std::uint64_t{1} << (i / 64 % 64);
            i += bits;
        }
        control_.count += n;
        if (first + n > control_.extent) control_.extent = first + n;
        set_.slots_filled(first, n);
    }
    void empty(std::uint32_t index) noexcept {
        mask_[index / 64] &= ~(std::uint64_t{1} << (index % 64));
        if (mask_[index / 64] == 0) summary_[index / 4096] &= ~(std::uint64_t{1} << (index / 64 % 64));
        if (--control_.count == 0) control_.extent = 0;
    }

    const ComponentType& type_;
    const Policy policy_;
    bool notes_ = false;                  // there are flags, a list of changes or links
    bool plain_;                          // `sparse`, and there are neither
    SparseSet set_;                       // under `sparse`
    std::vector<std::uint64_t> mask_;     // under `linear`
    std::vector<std::uint64_t> summary_;  // a bit for each word of the mask that is not 0
    const Entity* handles_ = nullptr;     // under `linear`
    std::size_t capacity_ = 0;
    std::uint32_t replacements_ = 0;
    std::vector<std::uint8_t> flags_;  // by slot; empty until they are used
    std::unique_ptr<internal::ChangeList> changes_;
    internal::LinkIndex* links_ = nullptr;  // the first of those that are notified
    bool lists_signals_ = false;            // all of them
    Host* host_ = nullptr;
};

/// The storage of a stored class: one contiguous column per field or vector, none for tags. Also the storage of object classes.
class ColumnStorage final : public Storage {
public:
    /// `type` must exist as long as the storage.
    explicit ColumnStorage(const ComponentType& type);
    [[nodiscard]] std::size_t stride(std::size_t field) const noexcept override { return fields_[field].stride; }
    [[nodiscard]] std::size_t bytes() const noexcept override;
    void write_packed(std::uint32_t slot, const std::byte* packed) override;
    void write_columns(const internal::SlotList& slots, const Column* columns, std::size_t first) override;
    [[nodiscard]] bool copies() const noexcept override { return true; }
    void copy(std::uint32_t from, std::uint32_t to) override { move_value(from, to); }
    void reserve_parked() override;
    void park(std::uint32_t slot) noexcept override;
    void unpark() noexcept override;
    void read_parked(std::size_t at, std::size_t field, std::byte* to) const override;
    [[nodiscard]] std::size_t parked_count() const noexcept override { return parked_count_; }
    /// The default value of a field.
    [[nodiscard]] std::byte* initial(std::size_t field) noexcept { return initial_.data() + 8 * field; }
    /// The same, to read it.
    [[nodiscard]] const std::byte* initial(std::size_t field) const noexcept { return initial_.data() + 8 * field; }

private:
    void grow_values(std::size_t slots) override;
    void move_value(std::uint32_t from, std::uint32_t to) override;
    void reset_value(std::uint32_t) override {}

    struct FieldLayout {
        std::size_t size;    // of one value
        std::size_t offset;  // of an element of a vector, from the first
        std::size_t stride;  // from one component to the next
    };
    [[nodiscard]] std::byte* value(std::size_t field, std::uint32_t slot) const noexcept {
        return column_bases_[field] + slot * fields_[field].stride;
    }

    std::vector<FieldLayout> fields_;
    std::vector<std::byte> initial_;               // the default values, packed
    std::vector<std::vector<std::byte>> columns_;  // by field; that of a vector is the first element's
    std::vector<std::byte> parked_;                // packed values
    std::size_t parked_count_ = 0;
};

/// The storage of a native class: contiguous C++ structs, of which this class knows only the size and the described
/// fields.
class NativeStorage : public Storage {
public:
    [[nodiscard]] std::size_t stride(std::size_t) const noexcept override { return value_type_.size; }
    [[nodiscard]] std::size_t bytes() const noexcept override;
    void write_packed(std::uint32_t slot, const std::byte* packed) override;
    void write_columns(const internal::SlotList& slots, const Column* columns, std::size_t first) override;
    [[nodiscard]] bool copies() const noexcept override { return value_type_.trivial || type().codec != nullptr; }
    void copy(std::uint32_t from, std::uint32_t to) override;
    [[nodiscard]] std::unique_ptr<internal::ValueArray> make_spare() const override;
    void reserve_parked() override;
    void park(std::uint32_t slot) noexcept override;
    void unpark() noexcept override;
    void read_parked(std::size_t at, std::size_t field, std::byte* to) const override;
    [[nodiscard]] std::size_t parked_count() const noexcept override { return parked_count_; }
    /// Whether the address is in the memory of the values.
    [[nodiscard]] bool contains(const void* address) const noexcept { return values_.contains(address); }
    /// The value in slot 0.
    [[nodiscard]] const std::byte* first() const noexcept { return values_.data(); }
    /// The value in a slot.
    [[nodiscard]] std::byte* value(std::uint32_t slot) noexcept { return values_.data() + slot * value_type_.size; }
    /// The C++ struct.
    [[nodiscard]] const internal::ValueType& value_type() const noexcept { return value_type_; }

protected:
    /// `value_type` describes the C++ struct.
    NativeStorage(const ComponentType& type, const internal::ValueType& value_type);
    void grow_values(std::size_t slots) override;
    std::size_t exchange_values(internal::ValueArray& values, std::uint32_t kept) noexcept override;
    void set_columns() noexcept;

    const internal::ValueType& value_type_;  ///< the C++ struct
    internal::ValueArray values_;            ///< by slot
    /// One value each, so that none moves. They are kept for reuse: parking allocates only if removals nest deeper than
    /// before.
    std::vector<std::unique_ptr<internal::ValueArray>> parked_;
    std::size_t parked_count_ = 0;  ///< how many of them are in use
};

/// The storage of the native class T, which must be default constructible, and whose move assignment must not throw. It
/// need not be copyable.
template <class T>
class TypedStorage final : public NativeStorage {
    static_assert(
        std::is_default_constructible_v<T>,
        "a component class needs a default constructor, because free slots contain default values; add one, or "
        "make the object a member: struct Body { std::optional<T> value; }");
    static_assert(
        std::is_nothrow_move_assignable_v<T>,
        "a component class needs a move assignment that is noexcept, because values move between slots; declare "
        "it, or make the object a member: struct Body { std::unique_ptr<T> value; }");

public:
    /// `type` must exist as long as the storage.
    explicit TypedStorage(const ComponentType& type) : NativeStorage(type, internal::value_type<T>) {
        owns_memory_ = !std::is_trivially_destructible_v<T>;
    }
    /// The value of each slot. Writing to it does not signal (rule D2): call `ECS::dirty`. Valid until a component of
    /// the class is added.
    [[nodiscard]] std::span<T> values() noexcept { return {data(), extent()}; }
    /// The same, to read them.
    [[nodiscard]] std::span<const T> values() const noexcept { return {data(), extent()}; }
    /// The value in a slot, which must be below `extent()`. Writing to it does not signal. O(1).
    [[nodiscard]] T& at(std::uint32_t s) noexcept { return data()[s]; }
    /// The same, to read it.
    [[nodiscard]] const T& at(std::uint32_t s) const noexcept { return data()[s]; }
    /// The entity's value, or nullptr. O(1).
    [[nodiscard]] const T* find(Entity e) const noexcept {
        const std::uint32_t s = slot(e);
        return s == ABSENT ? nullptr : data() + s;
    }
    /// The parked value number `at`, counted from the oldest.
    [[nodiscard]] const T* find_parked(std::size_t at) const noexcept {
        return reinterpret_cast<const T*>(parked_[at]->data());
    }

    /// Removes the component of `e`, which is in slot `s`; for the ECS.
    void erase(Entity e, std::uint32_t s) { erase_from(*this, e, s); }

private:
    friend class Storage;
    [[nodiscard]] T* data() const noexcept { return reinterpret_cast<T*>(values_.data()); }
    // Here and not in NativeStorage, because the constant size makes them fast.
    void move_value(std::uint32_t from, std::uint32_t to) override { data()[to] = std::move(data()[from]); }
    void reset_value(std::uint32_t s) override {
        if constexpr (std::is_nothrow_default_constructible_v<T>) {
            data()[s] = T{};
        } else {
            FirstError no_default;  // then the slot keeps the value until it is filled again
            no_default.guard([&] { data()[s] = T{}; });
        }
    }
};

/// The memory that one class needs, compared with the other policy (rule T3).
struct StorageReport {
    std::string name;         ///< of the class
    Policy policy;            ///< of the class
    std::size_t count;        ///< the number of components
    double utilisation;       ///< share of all entities that have the component, 0 to 1
    std::size_t bytes;        ///< allocated bytes
    std::size_t other_bytes;  ///< bytes under the other policy, by the formulas below
    std::string advice;       ///< a sentence, if the other policy would save more than a quarter; otherwise empty
};

/// The bytes that the policy `linear` needs for `n` entities and components of `value_bytes` bytes (rule T3).
[[nodiscard]] std::size_t linear_bytes(std::size_t value_bytes, std::size_t n) noexcept;
/// The bytes that the policy `sparse` needs for `n` entities of which `count` have a component (rule T3).
[[nodiscard]] std::size_t sparse_bytes(std::size_t value_bytes, std::size_t n, std::size_t count) noexcept;
/// The report of one storage, in an ECS with this many entities.
[[nodiscard]] StorageReport report(const Storage& storage, std::size_t entities);

template <class Visit>
void Storage::each_string(Visit&& visit) const {
    const auto read = [&](const std::byte* from) {
        String s;
        std::memcpy(&s, from, sizeof(s));
        visit(s);
    };
    for (std::size_t k = 0; k < type_.fields.size(); ++k) {
        if (type_.fields[k].type != FieldType::string) continue;
        if (type_.kind == ComponentKind::stored) read(static_cast<const ColumnStorage*>(this)->initial(k));
        for (std::uint32_t slot = next_filled(0); slot < extent(); slot = next_filled(slot + 1)) read(word(k, slot));
    }
}

template <class Visit>
void Storage::each(Visit&& visit) const {
    const auto stop = [&](Entity e) {
        if constexpr (std::is_same_v<decltype(visit(e)), bool>) return !visit(e);
        else return visit(e), false;
    };
    auto iteration = iterate();
    if (policy_ == Policy::sparse) {
        for (Entity e; iteration.next(e);) {
            if (stop(e)) return;
        }
        return;
    }
    for (std::uint32_t i; next_slot(iteration.position(), i);) {
        if (stop(control_.entities[i])) return;
    }
}

template <class Visit>
void Storage::each_range(Visit&& visit) const {
    if (policy_ == Policy::sparse && count() > 0) return visit(std::size_t{0}, std::uint32_t{0}, std::size_t{count()});
    std::size_t i = 0;
    for (std::uint32_t slot = next_filled(0), end = 0; slot < control_.extent; slot = next_filled(end)) {
        end = next_empty(slot);
        visit(i, slot, std::size_t{end - slot});
        i += end - slot;
    }
}

namespace internal {
template <class T>
ComponentId register_native() {
    return registry::add({.name = std::string(class_name<T>()),
                          .kind = ComponentKind::native,
                          .fields = {},
                          .value_bytes = std::is_empty_v<T> ? 0 : sizeof(T),
                          .make_storage = [](const ComponentType& t) -> std::unique_ptr<Storage> {
                              return std::make_unique<TypedStorage<T>>(t);
                          },
                          .cls = type_id<T>()});
}
}  // namespace internal

}  // namespace crateful
