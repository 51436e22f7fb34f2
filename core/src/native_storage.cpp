// The storage of native classes: C++ structs.
#include <cstring>

#include "crateful/detail/copy_value.hpp"
#include "crateful/detail/first_error.hpp"
#include "crateful/storage.hpp"

namespace crateful {

using internal::copy_value;

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

void NativeStorage::write_columns(const internal::SlotList& slots, const Column* columns, std::size_t first) {
    // Members that are not described get their default.
    if (slots.list == nullptr) value_type_.reset(values_.at(slots.first), slots.n);
    for (std::size_t i = 0; slots.list != nullptr && i < slots.n; ++i) value_type_.reset(values_.at(slots.list[i]), 1);
    for (const Field& field : type().fields) {
        const std::size_t size = size_of(field.type);
        std::byte* to = values_.data() + field.offset;
        const auto [values, step] = *columns++;
        for (std::size_t i = 0; i < slots.n; ++i)
            copy_value(to + slots[i] * value_type_.size, values + (first + i) * step, size);
    }
}

void NativeStorage::copy(std::uint32_t from, std::uint32_t to) {
    if (value_type_.trivial) std::memcpy(values_.at(to), values_.at(from), value_type_.size);
    else type().codec->decode(type().codec->encode(values_.at(from)), values_.at(to));
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

}  // namespace crateful
