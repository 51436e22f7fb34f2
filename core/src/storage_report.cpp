// The memory of storages, compared with the other policy (rule T3).
#include <algorithm>

#include "crateful/detail/message.hpp"
#include "crateful/storage.hpp"

namespace crateful {

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
