// The storage of stored and object classes: a column for each field.
#include <algorithm>
#include <cstring>

#include "crateful/detail/copy_value.hpp"
#include "crateful/storage.hpp"

namespace crateful {

using internal::copy_value;

namespace {

// Copies one value to `n` others.
void repeat(std::byte* to, const std::byte* value, std::size_t size, std::size_t n) noexcept {
    if (n == 0) return;
    copy_value(to, value, size);
    for (std::size_t done = 1; done < n; done *= 2) std::memcpy(to + done * size, to, std::min(done, n - done) * size);
}

}  // namespace

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

}  // namespace crateful
