#include "crateful/storage.hpp"

#include <algorithm>

#include "crateful/detail/first_error.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/detail/rollback.hpp"

namespace crateful {

namespace {

// A copy of constant size compiles to one load and one store. With a variable size, memcpy is a function call, which
// is slow in WebAssembly.
void copy_value(std::byte* to, const std::byte* from, std::size_t size) noexcept {
    switch (size) {
        case 1: *to = *from; break;
        case 2: std::memcpy(to, from, 2); break;
        case 4: std::memcpy(to, from, 4); break;
        default: std::memcpy(to, from, 8);
    }
}

// Copies one value to `n` others.
void repeat(std::byte* to, const std::byte* value, std::size_t size, std::size_t n) noexcept {
    if (n == 0) return;
    copy_value(to, value, size);
    for (std::size_t done = 1; done < n; done *= 2) std::memcpy(to + done * size, to, std::min(done, n - done) * size);
}

}  // namespace

Storage::Storage(const ComponentType& type) : type_(type), policy_(type.policy) { sync(); }

void Storage::sync() noexcept {
    const Control before = control_;
    control_.flags = flags_.data();
    if (policy_ == Policy::sparse) {
        const SparseSet::Control& set = set_.control();
        control_.entities = set.dense;
        control_.pages = set.pages;
        control_.page_count = set.page_count;
    } else {
        control_.entities = handles_;
        control_.mask = mask_.data();
    }
    const bool moved = control_.entities != before.entities || control_.pages != before.pages ||
                       control_.page_count != before.page_count || control_.mask != before.mask;
    if (moved && host_ != nullptr) host_->storage_changed(type_.id);
}

void Storage::set_handles(const Entity* handles) noexcept {
    handles_ = handles;
    if (policy_ == Policy::linear) sync();
}

std::size_t Storage::bytes() const noexcept {
    return set_.bytes() + mask_.capacity() * sizeof(std::uint64_t) + flags_.capacity();
}

void Storage::notify_changed() noexcept {
    if (host_ != nullptr) host_->storage_changed(type_.id);
}

void Storage::grow(Entity e, std::size_t n) {
    // Also if there is no memory for all of them, arrays may have moved.
    const internal::AtEnd synchronise([&]() noexcept { sync(); });
    std::size_t slots = n;
    if (policy_ == Policy::sparse) {
        set_.reserve(e, n);
    } else {
        slots = std::size_t{index_of(e)} + 1;
        if (slots > mask_.size() * 64) mask_.resize(std::max((slots + 63) / 64, mask_.size() * 2));
    }
    if (slots <= capacity_) return;
    const std::size_t room = std::max({slots, capacity_ * 2, std::size_t{16}});
    if (!flags_.empty()) flags_.resize(room);
    const internal::AtEnd notify([&]() noexcept { notify_changed(); });
    grow_values(room);
    capacity_ = room;
}

void Storage::keep_flags() {
    if (!flags_.empty()) return;
    flags_.resize(std::max(capacity_, std::size_t{1}));
    control_.flags = flags_.data();
}

void Storage::reserve(std::span<const Entity> entities) {
    const std::size_t n = control_.count + entities.size();
    if (policy_ == Policy::linear) {
        for (const Entity e : entities) grow(e, n);
    } else if (!entities.empty()) {
        reserve(entities.front(), n);
        const internal::AtEnd synchronise([&]() noexcept { sync(); });
        set_.reserve(entities);
    }
}

void Storage::append(std::span<const Entity> entities) noexcept {
    if (policy_ == Policy::linear) {
        for (const Entity e : entities) {
            fill(index_of(e));
            if (!flags_.empty()) flags_[index_of(e)] = 0;
        }
    } else {
        set_.append(entities);
        if (!flags_.empty()) std::memset(flags_.data() + control_.count, 0, entities.size());
        control_.count = control_.extent = set_.size();
    }
    ++control_.version;
}

void Storage::erase(std::span<const Entity> entities) noexcept {
    if (policy_ == Policy::sparse && control_.cursors == 0 && set_.erase_end(entities)) {
        control_.count = control_.extent = set_.size();
        ++control_.version;
        return;
    }
    for (const Entity e : entities) {
        if (const std::uint32_t at = slot(e); at != ABSENT) erase(e, at);
    }
}

void Storage::clear(Entity kept, internal::ValueArray* spare) noexcept {
    for (std::uint32_t at = 0; control_.cursors != 0 && host_ != nullptr && at < control_.extent; ++at) {
        if (filled(at)) host_->slots_change(entities()[at], type_.id);
    }
    const std::uint32_t from = slot(kept);
    const bool keeps = from != ABSENT;
    const bool exchanges = owns_memory_ && spare != nullptr;
    if (exchanges) capacity_ = exchange_values(*spare, from);
    for (std::uint32_t at = 0; owns_memory_ && !exchanges && at < control_.extent; ++at) {
        if (filled(at) && at != from) reset_value(at);
    }
    if (keeps && from != 0) {
        if (!exchanges) move_value(from, 0);
        if (!flags_.empty()) flags_[0] = flags_[from];
    }
    ++control_.version;
    if (policy_ == Policy::linear) {
        std::fill(mask_.begin(), mask_.end(), 0);
        control_.count = control_.extent = 0;
        if (keeps) fill(0);
    } else {
        // Not by inserting it again: iterations would then visit it twice.
        for (std::uint32_t at = keeps ? set_.size() : 0; at-- > 0;) {
            if (const Entity e = set_[at]; e != kept) set_.erase_at(e, at, [](std::uint32_t, std::uint32_t) {});
        }
        if (!keeps) set_.clear();
        control_.count = control_.extent = set_.size();
    }
    if (exchanges) notify_changed();
}

ColumnStorage::ColumnStorage(const ComponentType& type) : Storage(type), columns_(type.fields.size()) {
    initial_.resize(columns_.size() * 8);
    for (const Field& field : type.fields) {
        std::memcpy(initial_.data() + sizes_.size() * 8, &*field.initial, 8);
        sizes_.push_back(size_of(field.type));
    }
    column_bases_.resize(columns_.size());
    control_.columns = column_bases_.data();
}

std::size_t ColumnStorage::bytes() const noexcept {
    std::size_t sum = Storage::bytes();
    for (const auto& column : columns_) sum += column.capacity();
    return sum;
}

void ColumnStorage::write_packed(std::uint32_t slot, const std::byte* packed) {
    if (packed == nullptr) packed = initial_.data();
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        copy_value(column_bases_[k] + slot * sizes_[k], packed + 8 * k, sizes_[k]);
    }
}

void ColumnStorage::write_columns(std::uint32_t slot, std::size_t n, const Column* columns, std::size_t first) {
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        const std::size_t size = sizes_[k];
        std::byte* to = column_bases_[k] + slot * size;
        if (columns[k].step == 0) repeat(to, columns[k].values, size, n);
        else std::memcpy(to, columns[k].values + first * size, n * size);
    }
}

void ColumnStorage::reserve_parked() { parked_.resize((parked_count_ + 1) * columns_.size() * 8); }

void ColumnStorage::park(std::uint32_t slot) noexcept {
    std::byte* packed = parked_.data() + parked_count_ * columns_.size() * 8;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        copy_value(packed + 8 * k, column_bases_[k] + slot * sizes_[k], sizes_[k]);
    }
    ++parked_count_;
}

void ColumnStorage::unpark() noexcept { --parked_count_; }

void ColumnStorage::read_parked(std::size_t at, std::size_t field, std::byte* to) const {
    copy_value(to, parked_.data() + (at * columns_.size() + field) * 8, sizes_[field]);
}

void ColumnStorage::grow_values(std::size_t slots) {
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        columns_[k].resize(slots * sizes_[k]);
        column_bases_[k] = columns_[k].data();
    }
}

void ColumnStorage::move_value(std::uint32_t from, std::uint32_t to) {
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        copy_value(column_bases_[k] + to * sizes_[k], column_bases_[k] + from * sizes_[k], sizes_[k]);
    }
}

NativeStorage::NativeStorage(const ComponentType& type, const internal::ValueType& value_type)
    : Storage(type), value_type_(value_type), values_(value_type) {
    column_bases_.resize(type.fields.size());
    control_.columns = column_bases_.data();
}

std::size_t NativeStorage::bytes() const noexcept { return Storage::bytes() + values_.size() * type().value_bytes; }

void NativeStorage::write_packed(std::uint32_t slot, const std::byte* packed) {
    value_type_.reset(values_.at(slot), 1);
    if (packed == nullptr) return;
    for (const Field& field : type().fields) {
        copy_value(values_.at(slot) + field.offset, packed, size_of(field.type));
        packed += 8;
    }
}

void NativeStorage::write_columns(std::uint32_t slot, std::size_t n, const Column* columns, std::size_t first) {
    value_type_.reset(values_.at(slot), n);  // members that are not described get their default
    for (const Field& field : type().fields) {
        const std::size_t size = size_of(field.type);
        std::byte* to = values_.at(slot) + field.offset;
        const auto [values, step] = *columns++;
        for (std::size_t i = 0; i < n; ++i) copy_value(to + i * value_type_.size, values + (first + i) * step, size);
    }
}

std::unique_ptr<internal::ValueArray> NativeStorage::make_spare() const {
    if (!owns_memory()) return nullptr;
    auto spare = std::make_unique<internal::ValueArray>(value_type_);
    spare->grow(1);
    return spare;
}

void NativeStorage::reserve_parked() {
    if (parked_count_ == parked_.size()) parked_.emplace_back();
    if (parked_[parked_count_]) return;
    auto room = std::make_unique<internal::ValueArray>(value_type_);
    room->grow(1);
    parked_[parked_count_] = std::move(room);
}

void NativeStorage::park(std::uint32_t slot) noexcept {
    value_type_.move(parked_[parked_count_++]->data(), values_.at(slot));
}

void NativeStorage::unpark() noexcept {
    // Its destructor may use the ECS, which may park other values meanwhile.
    std::unique_ptr<internal::ValueArray> parked = std::move(parked_[--parked_count_]);
    FirstError no_default;  // then the array is not used again
    no_default.guard([&] { value_type_.reset(parked->data(), 1); });
    if (!parked_[parked_count_] && !no_default.failed()) parked_[parked_count_] = std::move(parked);
}

void NativeStorage::read_parked(std::size_t at, std::size_t field, std::byte* to) const {
    const Field& described = type().fields[field];
    copy_value(to, parked_[at]->data() + described.offset, size_of(described.type));
}

void NativeStorage::grow_values(std::size_t slots) {
    values_.grow(slots);
    set_columns();
}

std::size_t NativeStorage::exchange_values(internal::ValueArray& values, std::uint32_t kept) noexcept {
    if (kept != ABSENT) value_type_.move(values.data(), values_.at(kept));
    values_.swap(values);
    set_columns();
    return values_.size();
}

void NativeStorage::set_columns() noexcept {
    for (std::size_t k = 0; k < column_bases_.size(); ++k) {
        column_bases_[k] = values_.data() + type().fields[k].offset;
    }
}

std::size_t linear_bytes(std::size_t value_bytes, std::size_t n) noexcept { return value_bytes * n + (n + 7) / 8; }

std::size_t sparse_bytes(std::size_t value_bytes, std::size_t n, std::size_t count) noexcept {
    return 2 * sizeof(std::uint32_t) * n + value_bytes * count;
}

StorageReport report(const Storage& storage, std::size_t entities) {
    const ComponentType& type = storage.type();
    const std::size_t count = storage.count();
    const std::size_t linear = linear_bytes(type.value_bytes, entities);
    const std::size_t sparse = sparse_bytes(type.value_bytes, entities, count);
    const bool is_sparse = storage.policy() == Policy::sparse;
    const std::size_t own = is_sparse ? sparse : linear;
    const std::size_t other = is_sparse ? linear : sparse;
    StorageReport r{.name = type.name,
                    .policy = storage.policy(),
                    .count = count,
                    .utilisation = entities == 0 ? 0 : static_cast<double>(count) / static_cast<double>(entities),
                    .bytes = storage.bytes(),
                    .other_bytes = other,
                    .advice = {}};
    // The formulas are compared with each other, because allocated bytes are rounded up to powers of two. But if
    // most pages of a sparse index are missing, the allocated bytes may already be less than the other policy needs.
    if (count > 0 && type.kind != ComponentKind::object && other * 4 < own * 3 && (!is_sparse || other < r.bytes)) {
        const std::size_t percent = 100 * (own - other) / own;
        r.advice = internal::join({"the ", is_sparse ? "linear" : "sparse", " policy would save ",
                                   internal::number_text(static_cast<double>(percent)), " %"});
    }
    return r;
}

}  // namespace crateful
