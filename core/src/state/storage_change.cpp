#include "storage_change.hpp"

#include <algorithm>
#include <cstring>

#include "bytes.hpp"
#include "crateful/detail/message.hpp"

namespace crateful::internal {

bool equal_values(const ClassPlan& plan, const Storage& s, std::size_t first, std::uint32_t slot, std::size_t n) {
    if (is_opaque(*plan.type)) {
        const auto from = plan.opaque.differs.begin() + static_cast<std::ptrdiff_t>(first);
        return std::find(from, from + static_cast<std::ptrdiff_t>(n), 1) == from + static_cast<std::ptrdiff_t>(n);
    }
    if (plan.records != nullptr) {
        const auto& native = static_cast<const NativeStorage&>(s);
        const std::size_t size = plan.type->value_bytes;
        return equal_bytes(native.first() + slot * size, plan.records + first * size, n * size);
    }
    for (std::size_t r = 0; r < plan.runs.size(); ++r) {
        const FieldRun& run = plan.runs[r];
        const std::size_t size = run.bytes();
        if (s.stride(run.first) != size || plan.values[r].stride != size) return false;
        if (!equal_bytes(s.control().columns[run.first] + slot * size, plan.values[r].at(first), n * size))
            return false;
    }
    return true;
}

bool equal_value(const ClassPlan& plan, const Storage& s, std::uint32_t slot, std::uint32_t i) {
    if (is_opaque(*plan.type)) return plan.opaque.differs[i] == 0;
    for (std::size_t r = 0; r < plan.runs.size(); ++r) {
        const FieldRun& run = plan.runs[r];
        if (!equal_words(s.control().columns[run.first] + slot * s.stride(run.first), plan.values[r].at(i),
                         run.bytes()))
            return false;
    }
    return true;
}

void StorageChange::require_possible(const char* call) {
    Storage& s = storage();
    moves = reordered || !erased.empty() || !added.empty();
    if (moves && s.set().iterating()) {
        fail(ErrorCode::bad_argument,
             {call, ": an iteration over ", s.type().name, " has not ended; call it outside of the loop"});
    }
    if (s.owns_memory() && s.type().codec == nullptr && !kept && (all || !erased.empty() || !written.empty())) {
        fail(ErrorCode::bad_argument, {call, ": ", s.type().name,
                                       " owns memory, which a snapshot cannot contain: describe it with a codec, or "
                                       "name it in `without` and remove its components before"});
    }
}

void StorageChange::reserve() {
    Storage& s = storage();
    s.reserve(list.emplace(added));
    if (s.type().kind == ComponentKind::object) s.keep_flags();
    if (s.owns_memory() && !erased.empty()) {
        removed = std::make_unique<ValueArray>(static_cast<NativeStorage&>(s).value_type());
        removed->grow(erased.size());
    }
    if (!reordered) return;
    order.resize(plan->entities.size());
    if (!order.empty()) s.reserve(plan->entities[0], order.size() + 1);
}

void StorageChange::begin() {
    if (moves) storage().set().end_begun();
    if (!removed) return;
    auto& s = static_cast<NativeStorage&>(storage());
    for (std::size_t k = 0; k < erased.size(); ++k) s.value_type().move(removed->at(k), s.value(s.slot(erased[k])));
}

namespace {
// Exchanges values with those that were decoded, which are then destroyed last.
void exchange_decoded(const ClassPlan& plan, NativeStorage& s) {
    const ValueType& type = s.value_type();
    const ValueArray& decoded = *plan.opaque.decoded;
    std::byte* const spare = decoded.at(plan.entities.size());
    for (std::size_t i = 0; i < plan.entities.size(); ++i) {
        if (plan.opaque.differs[i] == 0) continue;
        std::byte* const value = s.value(s.slot(plan.entities[i]));
        type.move(spare, value);
        type.move(value, decoded.at(i));
        type.move(decoded.at(i), spare);
    }
}
}  // namespace

namespace {
// Calls `visit(i, slot, n)` for each range of a list whose components are in successive slots.
template <class Visit>
void each_range(const Storage& s, std::span<const Entity> entities, Visit&& visit) {
    const std::size_t n = entities.size();
    for (std::size_t i = 0, end = 0; i < n; i = end) {
        const std::uint32_t slot = s.slot(entities[i]);
        for (end = i + 1; end < n && s.slot(entities[end]) == slot + (end - i);) ++end;
        visit(i, slot, end - i);
    }
}
}  // namespace

void StorageChange::add() {
    Storage& s = storage();
    s.append(*list);
    if (s.type().kind == ComponentKind::object) {
        for (const Entity e : added) s.flags(s.slot(e)) |= Storage::HAS_OBJECT;
    }
    if (s.type().kind == ComponentKind::native && plan != nullptr && plan->records == nullptr) {
        for (const Entity e : added) s.write_packed(s.slot(e), nullptr);  // for members that are not described
    }
}

void StorageChange::exchange() {
    if (plan == nullptr) return;
    Storage& s = storage();
    const ClassPlan& to_be = *plan;
    if (reordered) {
        for (std::size_t i = 0; i < to_be.entities.size(); ++i) order[i] = s.slot(to_be.entities[i]);
        bool sorted = true;
        for (std::size_t i = 0; i < order.size(); ++i) sorted = sorted && order[i] == i;
        if (!sorted) s.reorder(order);
    }
    if (to_be.opaque.decoded) exchange_decoded(to_be, static_cast<NativeStorage&>(s));
    const bool whole = all || written.size() == to_be.entities.size();
    const bool in_order = whole && has_entities(s, to_be.entities);
    const auto write = [&](std::byte* to, std::size_t stride, Values values, std::size_t size) {
        const auto copy = [&](std::size_t i, std::uint32_t slot, std::size_t n) {
            copy_values(to + slot * stride, stride, {values.at(i), values.stride}, size, n);
        };
        if (in_order) s.each_range(copy);
        else if (whole) each_range(s, to_be.entities, copy);
        for (std::size_t k = 0; !whole && k < written.size(); ++k)
            std::memcpy(to + s.slot(to_be.entities[written[k]]) * stride, values.at(written[k]), size);
    };
    if (whole && to_be.records != nullptr) {
        const std::size_t size = to_be.type->value_bytes;
        return write(const_cast<std::byte*>(static_cast<NativeStorage&>(s).first()), size, {to_be.records, size}, size);
    }
    for (std::size_t r = 0; r < to_be.runs.size(); ++r) {
        const FieldRun& run = to_be.runs[r];
        write(s.control().columns[run.first], s.stride(run.first), to_be.values[r], run.bytes());
    }
}

}  // namespace crateful::internal
