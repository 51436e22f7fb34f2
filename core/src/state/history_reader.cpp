#include "history_reader.hpp"

#include <algorithm>
#include <cstring>

#include "bytes.hpp"

namespace crateful::internal {
namespace {

template <class T>
[[nodiscard]] T load(const std::byte* from) noexcept {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}
[[nodiscard]] HistoryValue encoded(std::span<const std::byte> bytes) {
    return {std::vector<std::byte>(bytes.begin(), bytes.end())};
}

}  // namespace

void HistoryReader::read(const HistoryStep& step, std::optional<Entity> e, std::optional<std::string_view> system,
                         std::vector<NumberedEntry>& to) {
    // What was removed at the end of an update can have another system.
    if (system && names_[step.system] != *system && step.removers.empty()) return;
    step_ = &step;
    entity_ = e;
    system_ = system;
    to_ = &to;
    const std::size_t begin = first_ = to.size();
    Reader from(step.bytes);
    while (!from.done()) {
        switch (from.get<Part>()) {
            case Part::values: read_values(from); break;
            case Part::places: read_places(from); break;
            case Part::children: read_children(from); break;
            case Part::signals: read_signals(from); break;
            case Part::notified: read_notified(from); break;
            case Part::handles:
            case Part::tracked:
            case Part::text: return;  // not in a history
        }
    }
    if (!system) return;
    const auto is_other = [&](const NumberedEntry& entry) { return entry.system != *system; };
    to.erase(std::remove_if(to.begin() + static_cast<std::ptrdiff_t>(begin), to.end(), is_other), to.end());
}

// What is gone at the end of an update was removed by the system that had marked it.
NumberedEntry& HistoryReader::add_removed(Entity e, HistoryKind kind, const ComponentType& type) {
    NumberedEntry& entry = add(e, kind, type);
    const auto& removers = step_->removers;
    const auto remover =
        std::find_if(removers.begin(), removers.end(), [&](const HistoryRemover& r) { return r.entity == e; });
    if (remover != removers.end()) entry.system = names_[remover->system];
    return entry;
}
NumberedEntry& HistoryReader::add(Entity e, HistoryKind kind, const ComponentType& type) {
    NumberedEntry& entry = to_->emplace_back();
    entry.frame = step_->frame;
    entry.moment = step_->moment;
    entry.entity = e;
    entry.kind = kind;
    entry.component = type.name;
    entry.system = names_[step_->system];
    return entry;
}

// --- what was changed -----------------------------------------------------------------------------

void HistoryReader::read_values(Reader& from) {
    const CopiedClass& cls = classes_[from.get<std::uint32_t>()];
    const auto number = from.get<std::uint32_t>();
    const auto n = from.get<std::uint32_t>();
    if (is_opaque(cls.type())) {
        for (std::uint32_t k = 0; k < n; ++k) {
            const Entity e = from.get<Entity>();
            Reader again = from;
            const auto before = take_encoded(from, Side::before);
            const auto after = take_encoded(again, Side::after);
            if (!wanted(e)) continue;
            NumberedEntry& entry = add(e, HistoryKind::changed, cls.type());
            entry.before = encoded(before);
            entry.after = encoded(after);
        }
        return;
    }
    const FieldRun run = field_runs(cls.type())[number];
    for (std::uint32_t k = 0; k < n; ++k) {
        const Entity e = from.get<Entity>();
        const std::byte* const values = from.take(2 * run.bytes());
        if (!wanted(e) || cls.type().id == PARENT_ID) continue;  // that is among the children
        NumberedEntry& entry = add(e, HistoryKind::changed, cls.type());
        entry.field = cls.type().fields[run.first].name;
        entry.before = value(cls, run, values);
        entry.after = value(cls, run, values + run.bytes());
    }
}

// What was and is at a place: an entity that was and is somewhere has only been moved.
void HistoryReader::read_places(Reader& from) {
    const CopiedClass& cls = classes_[from.get<std::uint32_t>()];
    const auto kept = from.get<Kept>();
    const std::vector<FieldRun> runs = kept == Kept::fields ? field_runs(cls.type()) : std::vector<FieldRun>();
    std::size_t size = 0;
    for (const FieldRun& run : runs) size += 2 * run.bytes();
    cells_.clear();
    for (auto n = from.get<std::uint32_t>(); n > 0; --n) {
        const auto change = from.get<PlaceChange>();
        const std::byte* values = from.take(0);
        if (kept == Kept::encoded) static_cast<void>(take_encoded(from, Side::before));
        else values = from.take(size);
        if (change.before != NONE && wanted(change.before)) cells_.push_back({change.before, values, true});
        if (change.after != NONE && wanted(change.after)) cells_.push_back({change.after, values, false});
    }
    std::sort(cells_.begin(), cells_.end(), [](const Cell& a, const Cell& b) {
        return a.entity != b.entity ? a.entity < b.entity : a.before && !b.before;
    });
    for (std::size_t k = 0; k < cells_.size(); ++k) {
        const Cell& cell = cells_[k];
        if (k + 1 < cells_.size() && cells_[k + 1].entity == cell.entity) {
            compare(cls, kept, cell, cells_[++k]);
        } else if (cls.type().id == PARENT_ID) {
            continue;  // it is among the children
        } else if (cell.before) {
            add_removed(cell.entity, HistoryKind::removed, cls.type()).before = fields(cls, kept, cell);
        } else {
            add(cell.entity, HistoryKind::added, cls.type()).after = fields(cls, kept, cell);
        }
    }
}

void HistoryReader::compare(const CopiedClass& cls, Kept kept, const Cell& before, const Cell& after) {
    if (kept == Kept::encoded) {
        HistoryValue was = fields(cls, kept, before);
        HistoryValue is = fields(cls, kept, after);
        if (was == is) return;
        NumberedEntry& entry = add(before.entity, HistoryKind::changed, cls.type());
        entry.before = std::move(was);
        entry.after = std::move(is);
        return;
    }
    if (kept == Kept::nothing) return;
    const std::byte* old = before.values;
    const std::byte* now = after.values;
    for (const FieldRun& run : field_runs(cls.type())) {
        now += run.bytes();
        if (std::memcmp(old, now, run.bytes()) != 0) {  // not as numbers: NaN is equal to itself
            NumberedEntry& entry = add(before.entity, HistoryKind::changed, cls.type());
            entry.field = cls.type().fields[run.first].name;
            entry.before = value(cls, run, old);
            entry.after = value(cls, run, now);
        }
        old += 2 * run.bytes();
        now += run.bytes();
    }
}

void HistoryReader::read_children(Reader& from) {
    for (auto n = from.get<std::uint32_t>(); n > 0; --n) {
        const auto [index, before, after] = from.get<PlacementChange>();
        const auto add_move = [&](Entity e, Entity was, Entity is) {
            if (e == NONE || was == is || !wanted(e)) return;
            const ComponentType& type = registry::type(PARENT_ID);
            NumberedEntry& entry =
                is == NONE ? add_removed(e, HistoryKind::moved, type) : add(e, HistoryKind::moved, type);
            if (was != NONE) entry.before = {was};
            if (is != NONE) entry.after = {is};
        };
        if (before.child == after.child) {
            add_move(before.child, before.parent, after.parent);
        } else {
            add_move(before.child, before.parent, NONE);
            add_move(after.child, NONE, after.parent);
        }
    }
}

void HistoryReader::read_signals(Reader& from) {
    const CopiedClass& cls = classes_[from.get<std::uint32_t>()];
    for (auto n = from.get<std::uint32_t>(); n > 0; --n) {
        const Entity e = from.get<Entity>();
        if (wanted(e)) add(e, HistoryKind::signaled, cls.type());
    }
}

// It concerns the entries of the class, which are those since the last part of this kind.
void HistoryReader::read_notified(Reader& from) {
    const ComponentType& type = classes_[from.get<std::uint32_t>()].type();
    const auto n = from.get<std::uint32_t>();
    const std::byte* const systems = from.take(n * sizeof(std::uint32_t));
    const auto count = from.get<std::uint32_t>();
    const std::uint32_t same = count == 0 ? from.get<std::uint32_t>() : 0;
    pairs_.resize(count);
    if (count > 0) std::memcpy(pairs_.data(), from.take(count * sizeof(NotifiedBits)), count * sizeof(NotifiedBits));
    const auto precedes = [](const NotifiedBits& a, const NotifiedBits& b) { return a.entity < b.entity; };
    std::sort(pairs_.begin(), pairs_.end(), precedes);
    for (; first_ < to_->size(); ++first_) {
        NumberedEntry& entry = (*to_)[first_];
        if (entry.component != type.name) continue;
        std::uint32_t bits = same;
        if (count > 0) {
            const auto at = std::lower_bound(pairs_.begin(), pairs_.end(), NotifiedBits{entry.entity, 0}, precedes);
            if (at != pairs_.end() && at->entity == entry.entity) bits = at->bits;
        }
        for (std::uint32_t k = 0; k < n; ++k) {
            if ((bits >> k & 1u) != 0)
                entry.notified.push_back(names_[load<std::uint32_t>(systems + k * sizeof(std::uint32_t))]);
        }
    }
}

// --- values ---------------------------------------------------------------------------------------

HistoryValue HistoryReader::fields(const CopiedClass& cls, Kept kept, const Cell& cell) const {
    if (kept == Kept::encoded) {
        Reader from({cell.values, ~std::size_t{0} >> 1U});
        return encoded(take_encoded(from, cell.before ? Side::before : Side::after));
    }
    HistoryFields all;
    if (kept == Kept::fields) {
        const std::byte* from = cell.values;
        for (const FieldRun& run : field_runs(cls.type())) {
            all.emplace_back(cls.type().fields[run.first].name,
                             value(cls, run, from + (cell.before ? 0 : run.bytes())));
            from += 2 * run.bytes();
        }
    }
    return {std::move(all)};
}

}  // namespace crateful::internal
