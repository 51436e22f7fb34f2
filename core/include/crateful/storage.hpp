#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "crateful/component.hpp"
#include "crateful/entity.hpp"
#include "crateful/sparse_set.hpp"

namespace crateful {

/// The components of one class in one world (rules T1, T2; seed 3). Which entities have one, and in
/// which slot its value is, is decided here; the values themselves are the derived class's.
///
/// Under `sparse` the slots 0..count-1 are filled, in the order of `entities()`. Under `linear` a slot
/// is an entity index: `extent()` slots, of which `mask()` tells the filled ones.
class Storage {
public:
    static constexpr std::uint32_t ABSENT = SparseSet::ABSENT;
    /// Bits of a slot's flags.
    static constexpr std::uint8_t QUEUED = 1;  ///< a mark of it waits in the mark queue
    static constexpr std::uint8_t OBJECT = 2;  ///< an object of another language stands for it

    /// What a language binding reads straight from memory; refreshed whenever anything moves.
    struct Control {
        std::uint32_t count = 0;
        std::uint32_t watchers = 0;  ///< systems that watch this class; marks of others are not even queued
        std::uint32_t extent = 0;
        const Entity* entities = nullptr;
        std::uint32_t** pages = nullptr;  ///< nullptr under `linear`
        std::uint32_t page_count = 0;
        std::uint8_t* flags = nullptr;
        std::uint64_t* mask = nullptr;  ///< nullptr under `sparse`
        std::byte** columns = nullptr;  ///< for each field: where slot 0 has it
        std::uint32_t version = 0;      ///< goes up whenever a component comes or goes
    };

    explicit Storage(const ComponentType& type);
    virtual ~Storage() = default;
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;

    [[nodiscard]] const ComponentType& type() const noexcept { return type_; }
    [[nodiscard]] Policy policy() const noexcept { return policy_; }
    [[nodiscard]] std::uint32_t count() const noexcept { return control_.count; }
    /// Slots to look at: `count()` under `sparse`, one more than the highest index
    /// filled since it was last empty under `linear`.
    [[nodiscard]] std::uint32_t extent() const noexcept { return control_.extent; }
    /// In the values' order, one per slot. Under `linear` also entities without the component: see `mask()`.
    [[nodiscard]] std::span<const Entity> entities() const noexcept { return {control_.entities, control_.extent}; }
    /// Under `linear`: bit `i % 64` of word `i / 64` tells whether slot `i` is filled. Else empty.
    [[nodiscard]] std::span<const std::uint64_t> mask() const noexcept { return mask_; }
    [[nodiscard]] std::uint32_t slot(Entity e) const noexcept {
        if (policy_ == Policy::sparse) return set_.slot(e);
        const std::uint32_t index = index_of(e);
        return index < control_.extent && filled(index) && control_.entities[index] == e ? index : ABSENT;
    }
    [[nodiscard]] bool has(Entity e) const noexcept { return slot(e) != ABSENT; }
    /// Bytes allocated for this class.
    [[nodiscard]] virtual std::size_t bytes() const noexcept;

    /// Visits every entity that has the component, once, whatever is added or removed meanwhile (T4).
    /// `visit(Entity)` may return false to stop.
    template <class Visit>
    void each(Visit&& visit);

    // --- for the world, and for bindings ------------------------------------------------------
    // Changing a storage directly bypasses the systems; go through the ECS.

    [[nodiscard]] const Control& control() const noexcept { return control_; }
    [[nodiscard]] SparseSet& set() noexcept { return set_; }
    void add_watchers(int n) noexcept { control_.watchers += static_cast<std::uint32_t>(n); }
    [[nodiscard]] std::uint8_t& flags(std::uint32_t slot) noexcept { return flags_[slot]; }

    /// `handles` is the world's table of living entities, which `linear` shows as its entities.
    void set_handles(std::span<const Entity> handles) noexcept;
    /// Makes room for `e` and for `n` components in all.
    void reserve(Entity e, std::size_t n) {
        if (policy_ == Policy::linear || n > capacity() || !set_.has_room(e, n)) grow(e, n);
    }
    /// Gives `e`, which has none, a component with a default value; returns its slot.
    std::uint32_t insert(Entity e) {
        reserve(e, std::size_t{control_.count} + 1);
        std::uint32_t at = index_of(e);
        if (policy_ == Policy::sparse) {
            at = set_.insert(e);
            control_.count = control_.extent = set_.size();
        } else {
            fill(at);
        }
        flags_[at] = 0;
        ++control_.version;
        return at;
    }
    /// Takes the component in `slot` from `e`.
    void erase(Entity e, std::uint32_t slot) { erase_from(*this, e, slot); }

    /// Sets a slot's fields from a row: field `k` at byte `8 * k`. nullptr sets the defaults.
    virtual void write_row(std::uint32_t slot, const std::byte* row) = 0;
    /// Sets the fields of `n` slots from `slot` on. `columns` has, for each field, a column of `total`
    /// values, each column starting at a multiple of 8 bytes; the `first`-th value is the first to take.
    virtual void write_columns(std::uint32_t slot, std::size_t n, const std::byte* columns, std::size_t first,
                               std::size_t total) = 0;
    /// Keeps the value in `slot` readable after its removal, until the matching `unpark()`.
    virtual void park(std::uint32_t slot) = 0;
    virtual void unpark() noexcept = 0;
    /// Copies field `k` of the parked value number `at` (counted from the first) to `to`.
    virtual void read_parked(std::size_t at, std::size_t field, std::byte* to) const = 0;
    [[nodiscard]] virtual std::size_t parked_count() const noexcept = 0;

protected:
    virtual void grow_values(std::size_t slots) = 0;
    virtual void move_value(std::uint32_t from, std::uint32_t to) = 0;
    virtual void reset_value(std::uint32_t slot) = 0;
    [[nodiscard]] std::size_t capacity() const noexcept { return flags_.size(); }
    // `values` is *this, of a class that may be known: then moving one is no virtual call.
    template <class Values>
    void erase_from(Values& values, Entity e, std::uint32_t slot) {
        ++control_.version;
        if (policy_ == Policy::linear) {
            empty(index_of(e));
            values.reset_value(index_of(e));
            return;
        }
        set_.erase_at(slot, [&](std::uint32_t from, std::uint32_t to) {
            values.move_value(from, to);
            flags_[to] = flags_[from];
        });
        control_.count = control_.extent = set_.size();
        values.reset_value(control_.count);
    }

    Control control_;
    std::vector<std::byte*> column_bases_;

private:
    [[nodiscard]] bool filled(std::uint32_t index) const noexcept {
        return (mask_[index / 64] >> (index % 64) & 1u) != 0;
    }
    void sync() noexcept;
    void grow(Entity e, std::size_t n);
    void fill(std::uint32_t index) noexcept {
        mask_[index / 64] |= std::uint64_t{1} << (index % 64);
        ++control_.count;
        if (index >= control_.extent) control_.extent = index + 1;
    }
    void empty(std::uint32_t index) noexcept {
        mask_[index / 64] &= ~(std::uint64_t{1} << (index % 64));
        if (--control_.count == 0) control_.extent = 0;
    }

    const ComponentType& type_;
    const Policy policy_;
    SparseSet set_;                    // under `sparse`
    std::vector<std::uint64_t> mask_;  // under `linear`
    std::span<const Entity> handles_;  // under `linear`
    std::vector<std::uint8_t> flags_;  // a slot each
};

/// Values described by a schema: one contiguous column per field. A class without fields takes none.
class ColumnStorage final : public Storage {
public:
    explicit ColumnStorage(const ComponentType& type);
    [[nodiscard]] std::size_t bytes() const noexcept override;
    void write_row(std::uint32_t slot, const std::byte* row) override;
    void write_columns(std::uint32_t slot, std::size_t n, const std::byte* columns, std::size_t first,
                       std::size_t total) override;
    void park(std::uint32_t slot) override;
    void unpark() noexcept override;
    void read_parked(std::size_t at, std::size_t field, std::byte* to) const override;
    [[nodiscard]] std::size_t parked_count() const noexcept override { return parked_count_; }

private:
    void grow_values(std::size_t slots) override;
    void move_value(std::uint32_t from, std::uint32_t to) override;
    void reset_value(std::uint32_t) override {}

    std::vector<std::size_t> sizes_;  // of a value, by column
    std::vector<std::vector<std::byte>> columns_;
    std::vector<std::byte> parked_;  // rows of 8 bytes a field
    std::size_t parked_count_ = 0;
};

/// Values that are C++ structs, contiguous. `T` needs a default value and a move that does not throw.
template <class T>
class TypedStorage final : public Storage {
    static_assert(std::is_default_constructible_v<T> && std::is_nothrow_move_assignable_v<T>);

public:
    explicit TypedStorage(const ComponentType& t) : Storage(t) {
        column_bases_.resize(t.fields.size());
        control_.columns = column_bases_.data();
    }
    /// All values, a slot each. Writing to them is silent: no system hears of it (rule D2).
    [[nodiscard]] std::span<T> values() noexcept { return {values_.data(), extent()}; }
    [[nodiscard]] std::span<const T> values() const noexcept { return {values_.data(), extent()}; }
    [[nodiscard]] T& at(std::uint32_t s) noexcept { return values_[s]; }
    [[nodiscard]] const T& at(std::uint32_t s) const noexcept { return values_[s]; }
    /// The value, or nullptr.
    [[nodiscard]] const T* find(Entity e) const noexcept {
        const std::uint32_t s = slot(e);
        return s == ABSENT ? nullptr : &values_[s];
    }
    [[nodiscard]] const T* find_parked(std::size_t at) const noexcept { return parked_[at].get(); }
    [[nodiscard]] std::size_t bytes() const noexcept override {
        return Storage::bytes() + values_.capacity() * (std::is_empty_v<T> ? 0 : sizeof(T));
    }

    void erase(Entity e, std::uint32_t s) { erase_from(*this, e, s); }
    void write_row(std::uint32_t s, const std::byte* row) override {
        values_[s] = T{};
        for (std::size_t k = 0; row != nullptr && k < type().fields.size(); ++k) {
            const Field& field = type().fields[k];
            std::memcpy(reinterpret_cast<std::byte*>(&values_[s]) + field.offset, row + 8 * k, size_of(field.type));
        }
    }
    void write_columns(std::uint32_t s, std::size_t n, const std::byte* columns, std::size_t first,
                       std::size_t total) override {
        for (std::size_t i = 0; i < n; ++i) values_[s + i] = T{};  // what is not described has its default
        for (const Field& field : type().fields) {
            const std::size_t size = size_of(field.type);
            for (std::size_t i = 0; i < n; ++i) {
                std::memcpy(reinterpret_cast<std::byte*>(&values_[s + i]) + field.offset, columns + (first + i) * size,
                            size);
            }
            columns += (total * size + 7) / 8 * 8;
        }
    }
    void park(std::uint32_t s) override {
        // The boxes stay for the next time: leaving allocates only when removals nest deeper than ever.
        if (parked_count_ == parked_.size()) parked_.push_back(std::make_unique<T>());
        *parked_[parked_count_++] = std::move(values_[s]);
    }
    void unpark() noexcept override { *parked_[--parked_count_] = T{}; }
    void read_parked(std::size_t at, std::size_t k, std::byte* to) const override {
        const Field& field = type().fields[k];
        std::memcpy(to, reinterpret_cast<const std::byte*>(parked_[at].get()) + field.offset, size_of(field.type));
    }
    [[nodiscard]] std::size_t parked_count() const noexcept override { return parked_count_; }

private:
    friend class Storage;
    void grow_values(std::size_t slots) override {
        values_.resize(slots);
        for (std::size_t k = 0; k < column_bases_.size(); ++k) {
            column_bases_[k] = reinterpret_cast<std::byte*>(values_.data()) + type().fields[k].offset;
        }
    }
    void move_value(std::uint32_t from, std::uint32_t to) override { values_[to] = std::move(values_[from]); }
    void reset_value(std::uint32_t s) override {
        if constexpr (!std::is_trivially_destructible_v<T>) values_[s] = T{};  // let go of what it owns
    }

    std::vector<T> values_;
    std::vector<std::unique_ptr<T>> parked_;
    std::size_t parked_count_ = 0;
};

/// What one class costs, and what the other policy would (rule T3). Bytes.
struct StorageReport {
    std::string name;
    Policy policy;
    std::size_t count;
    double utilisation;       ///< share of all entities that have the component, 0 to 1
    std::size_t bytes;        ///< allocated now
    std::size_t other_bytes;  ///< by the seed's formula, under the other policy
    std::string advice;       ///< empty unless switching saves over a quarter
};

/// The formulas of seed 3, for `n` entities of which `count` have a component of `value_bytes`.
[[nodiscard]] std::size_t linear_bytes(std::size_t value_bytes, std::size_t n) noexcept;
[[nodiscard]] std::size_t sparse_bytes(std::size_t value_bytes, std::size_t n, std::size_t count) noexcept;
[[nodiscard]] StorageReport report(const Storage& storage, std::size_t entities);

template <class Visit>
void Storage::each(Visit&& visit) {
    const auto stop = [&](Entity e) {
        if constexpr (std::is_same_v<decltype(visit(e)), bool>) return !visit(e);
        else return visit(e), false;
    };
    if (policy_ == Policy::sparse) {
        auto iteration = set_.each();
        for (Entity e; iteration.next(e);) {
            if (stop(e)) return;
        }
        return;
    }
    // Nothing moves under `linear`, so the index is all an iteration has to remember.
    for (std::uint32_t i = 0; i < control_.extent; ++i) {
        if (filled(i) && stop(control_.entities[i])) return;
    }
}

namespace internal {
template <class T>
ComponentId register_native() {
    return registry::add({.name = {},
                          .kind = ComponentKind::native,
                          .fields = {},
                          .value_bytes = std::is_empty_v<T> ? 0 : sizeof(T),
                          .make_storage = [](const ComponentType& t) { return std::make_unique<TypedStorage<T>>(t); }});
}
}  // namespace internal

}  // namespace crateful
