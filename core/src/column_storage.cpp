// The storage of stored and object classes: a column for each field.
#include <algorithm>
#include <bit>
#include <cstring>

#include "crateful/detail/copy_value.hpp"
#include "crateful/storage.hpp"

namespace crateful {

using internal::copy_value;

namespace {

// Copies one value to `n` others.
void repeat(std::byte* to, const std::byte* value, std::size_t size, std::size_t n) noexcept {
    if (n == 0) return;
    std::memcpy(to, value, size);
    for (std::size_t done = 1; done < n; done *= 2) std::memcpy(to + done * size, to, std::min(done, n - done) * size);
}

}  // namespace

ColumnStorage::ColumnStorage(const ComponentType& type) : Storage(type), columns_(type.fields.size()) {
    initial_.resize(columns_.size() * 8);
    std::size_t first = 0;
    for (const Field& field : type.fields) {
        std::memcpy(initial_.data() + fields_.size() * 8, &*field.initial, 8);
        if (!field.continues) first = fields_.size();
        const std::size_t size = size_of(field.type);
        const std::size_t offset = size * (fields_.size() - first);
        fields_.push_back({size, offset, 0});
        for (std::size_t k = first; k < fields_.size(); ++k) fields_[k].stride = offset + size;
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
    for (std::size_t k = 0; k < fields_.size(); ++k) copy_value(value(k, slot), packed + 8 * k, fields_[k].size);
}

namespace {
// Values of SIZE bytes, so that each is copied with one instruction.
template <std::size_t SIZE>
void scatter(std::byte* to, const internal::SlotList& slots, const std::byte* from, std::size_t step) {
    for (std::size_t i = 0; i < slots.n; ++i) std::memcpy(to + slots.list[i] * SIZE, from + i * step, SIZE);
}
}  // namespace

void ColumnStorage::write_columns(const internal::SlotList& slots, const Column* columns, std::size_t first) {
    const auto& [slot, n, list] = slots;
    for (std::size_t k = 0; k < fields_.size(); ++k) {
        if (fields_[k].offset != 0) continue;  // it is in the column of the first element
        const std::size_t size = fields_[k].stride;
        const auto [values, step] = columns[k];
        const std::byte* from = values + first * step;
        if (list != nullptr) {
            std::byte* to = column_bases_[k];
            switch (size) {
                case 1: scatter<1>(to, slots, from, step); break;
                case 2: scatter<2>(to, slots, from, step); break;
                case 4: scatter<4>(to, slots, from, step); break;
                case 8: scatter<8>(to, slots, from, step); break;
                default:
                    for (std::size_t i = 0; i < n; ++i) std::memcpy(to + list[i] * size, from + i * step, size);
            }
        } else if (n == 1 && std::has_single_bit(size) && size <= 8) copy_value(value(k, slot), from, size);
        else if (step == 0) repeat(value(k, slot), values, size, n);
        else std::memcpy(value(k, slot), from, n * size);
    }
}

void ColumnStorage::reserve_parked() { parked_.resize((parked_count_ + 1) * fields_.size() * 8); }

void ColumnStorage::park(std::uint32_t slot) noexcept {
    std::byte* packed = parked_.data() + parked_count_ * fields_.size() * 8;
    for (std::size_t k = 0; k < fields_.size(); ++k) copy_value(packed + 8 * k, value(k, slot), fields_[k].size);
    ++parked_count_;
}

void ColumnStorage::unpark() noexcept { --parked_count_; }

void ColumnStorage::read_parked(std::size_t at, std::size_t field, std::byte* to) const {
    copy_value(to, parked_.data() + (at * fields_.size() + field) * 8, fields_[field].size);
}

void ColumnStorage::grow_values(std::size_t slots) {
    for (std::size_t k = 0; k < fields_.size(); ++k) {
        const auto [size, offset, stride] = fields_[k];
        if (offset == 0) columns_[k].resize(slots * stride);
        column_bases_[k] = offset == 0 ? columns_[k].data() : column_bases_[k - 1] + size;
    }
}

void ColumnStorage::move_value(std::uint32_t from, std::uint32_t to) {
    for (std::size_t k = 0; k < fields_.size(); ++k) copy_value(value(k, to), value(k, from), fields_[k].size);
}

}  // namespace crateful
