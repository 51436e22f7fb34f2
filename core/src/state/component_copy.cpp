#include "component_copy.hpp"

#include <algorithm>
#include <cstring>

#include "bytes.hpp"
#include "crateful/detail/prefetch.hpp"

namespace crateful::internal {

ComponentCopy::ComponentCopy(ECS& of, std::span<const std::string> without, RecordingHost* host, Name name)
    : User(StateAccess(of).tracking().strings),
      state_(of),
      host_(host),
      name_(name),
      without_(without.begin(), without.end()) {}

std::size_t ComponentCopy::bytes() const noexcept {
    std::size_t sum = hierarchy_.extent() * sizeof(Hierarchy::Node);
    for (const CopiedClass& cls : classes_) {
        sum += cls.places.bytes();
        for (const auto& values : cls.values) sum += values.capacity();
    }
    return sum;
}

std::vector<ChangeList::Time> ComponentCopy::times() const {
    std::vector<ChangeList::Time> times;
    for (const CopiedClass& cls : classes_) times.push_back(cls.read);
    return times;
}
void ComponentCopy::set_times(std::span<const ChangeList::Time> times) noexcept {
    for (std::size_t k = 0; k < classes_.size(); ++k) {
        classes_[k].read = k < times.size() ? times[k] : 0;
        classes_[k].version.reset();  // what is read again can have been removed before
    }
}

// --- what is kept ---------------------------------------------------------------------------------

Kept ComponentCopy::best(const ComponentClass& cls) const noexcept {
    const Storage& s = *cls.storage;
    if (is_opaque(s.type()))
        return s.type().kind == ComponentKind::object && host_ == nullptr ? Kept::nothing : Kept::encoded;
    return is_copyable(s) ? Kept::fields : Kept::nothing;
}

void ComponentCopy::keep(CopiedClass& cls, Kept kept) {
    cls.kept = kept;
    cls.runs = kept == Kept::fields ? field_runs(cls.type()) : std::vector<FieldRun>();
    cls.values.assign(cls.runs.size(), {});
    cls.room = 0;
    make_room(cls);
    const std::span<const Entity> entities = cls.places.entities();
    for (std::uint32_t slot = 0; slot < entities.size(); ++slot) {
        if (entities[slot] == NONE) continue;
        if (cls.opaque()) cls.values[slot] = encoded(cls, slot);
        for (std::size_t r = 0; r < cls.runs.size(); ++r)
            std::memcpy(cls.value(r, slot), cls.present_value(r, slot), cls.runs[r].bytes());
    }
}

void ComponentCopy::forget() {
    hierarchy_.clear();
    set_times({});
    for (CopiedClass& cls : classes_) {
        cls.places = Places(cls.storage().policy() == Policy::linear);
        keep(cls, Kept::nothing);
    }
}

void ComponentCopy::make_room(CopiedClass& cls) {
    const std::size_t extent = cls.storage().extent();
    if (extent <= cls.room) return;
    cls.room = std::max(extent, cls.room * 2);
    if (cls.opaque()) cls.values.resize(cls.room);
    for (std::size_t r = 0; r < cls.runs.size(); ++r) cls.values[r].resize(cls.room * cls.runs[r].bytes());
}

void ComponentCopy::mark_strings(Strings& all) noexcept {
    for (const CopiedClass& cls : classes_) {
        for (std::size_t r = 0; r < cls.runs.size(); ++r) {
            if (cls.runs[r].type != FieldType::string) continue;
            String s;
            for (std::size_t at = 0; at < cls.values[r].size(); at += sizeof s.number) {
                std::memcpy(&s.number, cls.values[r].data() + at, sizeof s.number);
                all.mark(s);
            }
        }
    }
}

// --- finding out what changed ---------------------------------------------------------------------

void ComponentCopy::sync(std::size_t number, Record& record) {
    CopiedClass& cls = classes_[number];
    Storage& s = cls.storage();
    const ChangeList::Time since = cls.read;
    find_batch(cls);
    slots_.clear();
    names_.clear();
    moved_.clear();
    if (batch_.empty()) return;
    const auto number_in_record = static_cast<std::uint32_t>(number);
    if (s.control().version != cls.version) {
        find_places(cls, since);
        if (!places_.empty()) note_places(cls, number_in_record, record);
    } else {
        find_slots(cls);
    }
    cls.version = s.control().version;
    if (name_ == Name::entity) {
        names_.resize(slots_.size());
        for (std::size_t k = 0; k < slots_.size(); ++k) names_[k] = s.entities()[slots_[k]];
        differed_.assign(slots_.size(), 0);
    }
    if (cls.opaque() && !slots_.empty()) note_opaque_values(cls, number_in_record, record);
    for (std::size_t r = 0; r < cls.runs.size() && !slots_.empty(); ++r) note_values(cls, number_in_record, r, record);
    if (s.type().id == PARENT_ID) note_children(record);
}

void ComponentCopy::free_found() noexcept {
    for (auto* list : {&batch_, &slots_, &places_, &moved_}) std::vector<std::uint32_t>().swap(*list);
    std::vector<Entity>().swap(names_);
    std::vector<std::uint8_t>().swap(differed_);
}

void ComponentCopy::find_batch(CopiedClass& cls) {
    const Storage& s = cls.storage();
    ChangeList& changes = *s.changes();
    const ChangeList::Time since = cls.read;
    batch_.clear();
    signals_since_ = cls.signals;
    reads_all_ = since == 0;
    if (since == 0) {  // the list may have begun later
        s.each([&](Entity e) { batch_.push_back(index_of(e)); });
        for (const Entity e : cls.places.entities()) {
            if (e != NONE) batch_.push_back(index_of(e));
        }
        std::sort(batch_.begin(), batch_.end());
        batch_.erase(std::unique(batch_.begin(), batch_.end()), batch_.end());
    }
    cls.read = changes.read(since, [&](std::uint32_t index) {
        if (since != 0) batch_.push_back(index);
        return since != 0;
    });
    cls.signals = cls.read;
}

// No component was added, removed or moved.
void ComponentCopy::find_slots(const CopiedClass& cls) {
    const Storage& s = cls.storage();
    slots_.resize(batch_.size());
    std::size_t n = 0;
    for (const std::uint32_t index : batch_) {
        if (is_compared(cls, index)) slots_[n++] = s.slot_at(index);
    }
    slots_.resize(n);
}

void ComponentCopy::find_places(const CopiedClass& cls, ChangeList::Time since) {
    const Storage& s = cls.storage();
    const EntityPool& pool = state_.tracking().pool;
    const ChangeList& changes = *s.changes();
    places_.clear();
    const auto fetch = [&](std::size_t k) { prefetch(pool.handles().data() + batch_[k]); };
    const auto find = [&](std::size_t k) {
        const std::uint32_t index = batch_[k];
        const Entity e = pool.at(index);
        const std::uint32_t slot = e == NONE ? Storage::ABSENT : s.slot(e);
        if (slot != Storage::ABSENT && cls.places.at(slot) == e) {
            if (!is_compared(cls, index)) return;
            slots_.push_back(slot);
            if (!changes.added_since(index, since)) return;
        } else {
            if (slot != Storage::ABSENT) places_.push_back(slot);
            const std::uint32_t before = cls.places.with_index(index);
            if (before != Places::NOWHERE) places_.push_back(before);
        }
        moved_.push_back(index);
    };
    in_groups(batch_.size(), fetch, find);
}

namespace {
void keep_string(const FieldRun& run, const std::byte* value, Record& record) {
    if (run.type != FieldType::string) return;
    String s;
    std::memcpy(&s.number, value, sizeof s.number);
    if (!s.empty()) record.strings.push_back(s);
}
}  // namespace

void ComponentCopy::note_places(CopiedClass& cls, std::uint32_t number, Record& record) {
    make_room(cls);
    Writer to(record.bytes);
    CountedList list(record.bytes, {number_of(Part::places), number, static_cast<std::uint32_t>(cls.kept)});
    cls.places.update(places_, StoredPlaces{cls.storage()}, [&](std::uint32_t place, Entity before, Entity after) {
        to.put(PlaceChange{place, before, after});
        list.add();
        note_value(cls, place, before, after, record);
    });
    list.finish();
}

// The value of a place that has another entity.
void ComponentCopy::note_value(CopiedClass& cls, std::uint32_t place, Entity before, Entity after, Record& record) {
    Writer to(record.bytes);
    std::vector<std::byte> kept;
    const bool keeps = name_ == Name::entity && keeps_values(cls, place, before, after, kept);
    if (cls.opaque()) {
        std::vector<std::byte> now;
        if (after != NONE) now = keeps ? std::move(kept) : encoded(cls, place);
        put_encoded(to, cls.values[place], now);
        cls.values[place] = std::move(now);
        return;
    }
    const std::byte* from = kept.data();
    for (std::size_t r = 0; r < cls.runs.size(); ++r) {
        const std::size_t size = cls.runs[r].bytes();
        std::byte* const copied = cls.value(r, place);
        std::byte* const cell = to.grow(2 * size);
        std::memcpy(cell, copied, size);
        if (before != NONE) keep_string(cls.runs[r], copied, record);
        if (after == NONE) {
            std::memset(copied, 0, size);
        } else {
            std::memcpy(copied, keeps ? from : cls.present_value(r, place), size);
            keep_string(cls.runs[r], copied, record);
        }
        std::memcpy(cell + size, copied, size);
        if (keeps) from += size;
    }
}

std::vector<std::byte> ComponentCopy::encoded(const CopiedClass& cls, std::uint32_t slot) const {
    const Storage& s = cls.storage();
    if (s.type().codec == nullptr) return host_->encode(s.type().id, s.entities()[slot]);
    const auto& native = static_cast<const NativeStorage&>(s);
    std::vector<std::byte> bytes = s.type().codec->encode(native.first() + slot * native.value_type().size);
    bytes.insert(bytes.begin(), std::byte{0});
    return bytes;
}

void ComponentCopy::note_opaque_values(CopiedClass& cls, std::uint32_t number, Record& record) {
    Writer to(record.bytes);
    CountedList list(record.bytes, {number_of(Part::values), number, 0});
    for (std::size_t k = 0; k < slots_.size(); ++k) {
        const std::uint32_t slot = slots_[k];
        std::vector<std::byte> now = encoded(cls, slot);
        if (now == cls.values[slot]) continue;
        if (name_ == Name::entity) {
            to.put(names_[k]);
            differed_[k] = 1;
        } else {
            to.put(slot);
        }
        put_encoded(to, cls.values[slot], now);
        cls.values[slot] = std::move(now);
        list.add();
    }
    list.finish();
}

// The cells are a slot or an entity, and two values.
void ComponentCopy::note_values(CopiedClass& cls, std::uint32_t number, std::size_t run, Record& record) {
    const std::size_t size = cls.runs[run].bytes();
    const std::size_t stride = cls.storage().stride(cls.runs[run].first);
    const std::byte* const column = cls.present_value(run, 0);
    std::byte* const copies = cls.values[run].data();
    CountedList list(record.bytes, {number_of(Part::values), number, static_cast<std::uint32_t>(run)});
    const std::size_t begin = record.bytes.size();
    record.bytes.resize(begin + slots_.size() * (sizeof(std::uint32_t) + 2 * size));
    std::byte* at = record.bytes.data() + begin;
    const bool is_string = cls.runs[run].type == FieldType::string;
    static_assert(sizeof(Entity) == sizeof(std::uint32_t));
    const void* const names = name_ == Name::slot ? static_cast<const void*>(slots_.data()) : names_.data();
    const auto note = [&](std::size_t k) {
        const std::uint32_t slot = slots_[k];
        const std::byte* const value = column + slot * stride;
        std::byte* const copied = copies + slot * size;
        if (equal_words(value, copied, size)) return;
        if (is_string) {
            keep_string(cls.runs[run], copied, record);
            keep_string(cls.runs[run], value, record);
        }
        if (name_ == Name::entity) differed_[k] = 1;
        std::memcpy(at, static_cast<const std::byte*>(names) + k * sizeof slot, sizeof slot);
        copy_words(at + sizeof slot, copied, size);
        copy_words(at + sizeof slot + size, value, size);
        copy_words(copied, value, size);
        at += sizeof slot + 2 * size;
        list.add();
    };
    const auto ahead = [&](std::size_t k) {
        prefetch(column + slots_[k] * stride);
        prefetch(copies + slots_[k] * size);
    };
    in_groups(slots_.size(), ahead, note);
    record.bytes.resize(static_cast<std::size_t>(at - record.bytes.data()));
    list.finish();
}

// All entities of the list that had or have a parent: only so, the others keep their order.
void ComponentCopy::note_children(Record& record) {
    const Hierarchy& now = state_.tracking().hierarchy;
    std::vector<PlacementChange> changes;
    std::vector<Entity> before;
    std::vector<Placement> after;
    // By index, because an entity may have come in place of another one.
    std::sort(batch_.begin(), batch_.end());
    for (const std::uint32_t index : batch_) {
        const Hierarchy::Index node = hierarchy_.find(Entity{index});
        PlacementChange change{index,
                               placement_of(hierarchy_, node == Hierarchy::NO_NODE ? NONE : hierarchy_[node].entity),
                               placement_of(now, state_.tracking().pool.at(index))};
        if (change.before.parent == NONE && change.after.parent == NONE) continue;
        changes.push_back(change);
        before.push_back(change.before.child);
        if (change.after.parent != NONE) after.push_back(change.after);
    }
    if (changes.empty()) return;
    Writer to(record.bytes);
    to.put(number_of(Part::children));
    to.put(static_cast<std::uint32_t>(changes.size()));
    to.array(std::span<const PlacementChange>(changes));
    move_siblings(hierarchy_, before, after, waiting_);
}

// --- what has changed without a signal ------------------------------------------------------------

std::vector<Unrecorded> ComponentCopy::unrecorded(std::size_t most) {
    const auto extent = [](const CopiedClass& cls) {
        return std::min<std::size_t>(cls.places.entities().size(), cls.storage().extent());
    };
    std::size_t all = 0;
    for (const CopiedClass& cls : classes_) all += cls.runs.size() * extent(cls);
    std::vector<Unrecorded> found;
    /// Checks a range of the values of all runs, one after the other; of each run it reports the first.
    const auto check = [&](std::size_t from, std::size_t to) {
        std::size_t begin = 0;  // of the run
        for (const CopiedClass& cls : classes_) {
            const std::span<const Entity> entities = cls.places.entities();
            for (std::size_t r = 0; r < cls.runs.size(); ++r, begin += extent(cls)) {
                const std::size_t size = cls.runs[r].bytes();
                const auto differs = [&](std::size_t slot) {
                    const std::byte* const present = cls.present_value(r, static_cast<std::uint32_t>(slot));
                    return entities[slot] != NONE &&
                           std::memcmp(cls.values[r].data() + slot * size, present, size) != 0;
                };
                std::size_t slot = std::max(from, begin) - begin;
                const std::size_t end = std::min(std::max(to, begin) - begin, extent(cls));
                while (slot < end && !differs(slot)) ++slot;
                if (slot < end)
                    found.push_back({cls.type().name, cls.type().fields[cls.runs[r].first].name, entities[slot]});
            }
        }
    };
    const std::size_t from = most < all && checked_ < all ? checked_ : 0;
    checked_ = from + std::min(most, all);
    check(from, checked_);
    if (checked_ > all) check(0, checked_ -= all);
    return found;
}

// --- back and forth -------------------------------------------------------------------------------

namespace {
void assign(std::vector<std::byte>& value, std::span<const std::byte> bytes) {
    value.assign(bytes.begin(), bytes.end());
}
}  // namespace

void ComponentCopy::roll_values(Reader& from, Side side, std::vector<std::uint32_t>& slots, CopiedClass& cls) {
    const auto run = from.get<std::uint32_t>();
    const auto n = from.get<std::uint32_t>();
    if (cls.opaque()) {
        for (std::uint32_t k = 0; k < n; ++k) {
            slots.push_back(from.get<std::uint32_t>());
            assign(cls.values[slots.back()], take_encoded(from, side));
        }
        return;
    }
    const std::size_t size = cls.runs[run].bytes();
    std::byte* const copies = cls.values[run].data();
    const std::size_t step = sizeof(std::uint32_t) + 2 * size;
    const std::byte* const cells = from.take(n * step);
    const std::size_t offset = sizeof(std::uint32_t) + (side == Side::before ? 0 : size);
    const std::size_t begin = slots.size();
    slots.resize(begin + n);
    in_groups(
        n,
        [&](std::size_t k) {
            std::memcpy(&slots[begin + k], cells + k * step, sizeof(std::uint32_t));
            prefetch(copies + slots[begin + k] * size);
        },
        [&](std::size_t k) { copy_words(copies + slots[begin + k] * size, cells + k * step + offset, size); });
}

void ComponentCopy::roll_places(Reader& from, Side side, std::vector<std::uint32_t>& places, CopiedClass& cls) {
    cls.version.reset();
    static_cast<void>(from.get<Kept>());
    for (auto n = from.get<std::uint32_t>(); n > 0; --n) {
        const auto change = from.get<PlaceChange>();
        cls.places.set(change.place, side_of(change, side));
        places.push_back(change.place);
        if (cls.opaque()) assign(cls.values[change.place], take_encoded(from, side));
        for (std::size_t r = 0; r < cls.runs.size(); ++r) {
            const std::size_t size = cls.runs[r].bytes();
            const std::byte* const cell = from.take(2 * size);
            std::memcpy(cls.value(r, change.place), side == Side::before ? cell : cell + size, size);
        }
    }
}

void ComponentCopy::roll_children(Reader& from, Side side, std::vector<std::uint32_t>& indices) {
    std::vector<Entity> now;
    std::vector<Placement> then;
    for (auto n = from.get<std::uint32_t>(); n > 0; --n) {
        const auto change = from.get<PlacementChange>();
        now.push_back((side == Side::before ? change.after : change.before).child);
        if (side_of(change, side).parent != NONE) then.push_back(side_of(change, side));
        indices.push_back(change.index);
    }
    move_siblings(hierarchy_, now, then, waiting_);
}

}  // namespace crateful::internal
