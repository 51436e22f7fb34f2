#include "state_copy.hpp"

#include <algorithm>
#include <cstring>

#include "bytes.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/detail/prefetch.hpp"
#include "state_texts.hpp"

namespace crateful::internal {
namespace {

struct HandleChange {
    std::uint32_t index;
    Entity before;
    Entity after;
};
struct PlaceChange {
    std::uint32_t place;
    Entity before;
    Entity after;
};
struct PlacementChange {
    std::uint32_t index;
    Placement before;
    Placement after;
};
template <class Change>
[[nodiscard]] auto side_of(const Change& change, Side side) noexcept {
    return side == Side::before ? change.before : change.after;
}

// A list whose length is known at its end.
class CountedList {
public:
    CountedList(std::vector<std::byte>& record, std::initializer_list<std::uint32_t> head)
        : record_(record), begin_(record.size()) {
        RecordWriter to(record);
        for (const std::uint32_t number : head) to.put(number);
        count_at_ = record.size();
        to.put(std::uint32_t{0});
    }
    void add() noexcept { ++count_; }
    // An empty list is removed.
    void finish() noexcept {
        if (count_ == 0) record_.resize(begin_);
        else std::memcpy(record_.data() + count_at_, &count_, sizeof count_);
    }

private:
    std::vector<std::byte>& record_;
    std::size_t begin_;
    std::size_t count_at_;
    std::uint32_t count_ = 0;
};
void put_opaque(RecordWriter& to, std::span<const std::byte> before, std::span<const std::byte> after) {
    to.put(static_cast<std::uint32_t>(before.size()));
    to.put(static_cast<std::uint32_t>(after.size()));
    to.array(before);
    to.array(after);
}
void take_opaque(RecordReader& from, Side side, std::vector<std::byte>& value) {
    const auto before = from.get<std::uint32_t>();
    const auto after = from.get<std::uint32_t>();
    const std::byte* const cell = from.take(std::size_t{before} + after);
    if (side == Side::before) value.assign(cell, cell + before);
    else value.assign(cell + before, cell + before + after);
}
constexpr std::uint32_t number_of(Part part) noexcept { return static_cast<std::uint32_t>(part); }

}  // namespace

CopiedClass::CopiedClass(ComponentClass& of) : cls(&of) {
    if (!opaque()) runs = field_runs(type());
    values.resize(runs.size());
}

StateCopy::StateCopy(ECS& of, std::span<const std::string> without, RecordingHost* host)
    : state_(of), host_(host), without_(without.begin(), without.end()) {
    for (SystemBase* system : of.systems()) systems_.push_back({system});
    selected_anew_.resize(systems_.size());
    texts_.resize(DIRTY + systems_.size());
}

std::size_t StateCopy::bytes() const noexcept {
    std::size_t sum = handles_.capacity() * sizeof(Entity) + hierarchy_.extent() * sizeof(Hierarchy::Node);
    for (const CopiedClass& cls : classes_) {
        sum += cls.places.bytes();
        for (const auto& values : cls.values) sum += values.capacity();
    }
    for (const CopiedSystem& system : systems_) sum += system.tracked.bytes();
    for (const auto& text : texts_) sum += text.capacity();
    return sum;
}

std::vector<ChangeList::Time> StateCopy::times() const {
    std::vector<ChangeList::Time> times;
    for (const CopiedClass& cls : classes_) times.push_back(cls.read);
    return times;
}
void StateCopy::set_times(std::span<const ChangeList::Time> times) noexcept {
    for (std::size_t k = 0; k < classes_.size(); ++k) {
        classes_[k].read = k < times.size() ? times[k] : 0;
        classes_[k].version.reset();  // what is read again can have been removed before
    }
    destroyed_.reset();
}

// --- finding out what changed ---------------------------------------------------------------------

void StateCopy::sync(std::vector<std::byte>& record, std::vector<String>& strings) {
    record_ = &record;
    strings_ = &strings;
    const HostEvents events = host_ == nullptr ? HostEvents() : host_->events();
    state_.tracking().drain_marks();
    add_classes();
    note_handles();
    for (std::size_t k = 0; k < classes_.size(); ++k) note_class(k);
    for (std::size_t k = 0; k < systems_.size(); ++k) note_tracked(k);
    note_texts(events);
}

void StateCopy::add_classes() {
    const auto& all = state_.tracking().classes();
    const auto used =
        static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const auto& cls) { return cls != nullptr; }));
    if (used == classes_.size() + left_out_.size()) return;
    for (const auto& cls : all) {
        const auto is = [&](const CopiedClass& copied) { return copied.cls == cls.get(); };
        if (!cls || std::any_of(classes_.begin(), classes_.end(), is)) continue;
        if (std::find(without_.begin(), without_.end(), cls->storage->type().name) != without_.end()) {
            if (std::find(left_out_.begin(), left_out_.end(), cls.get()) == left_out_.end())
                left_out_.push_back(cls.get());
            continue;
        }
        CopiedClass& added = classes_.emplace_back(*cls);
        cls->storage->keep_changes();
        for (const SystemList* list : {&cls->requiring, &cls->filtering}) {
            for (const ListedSystem& listed : *list) {
                const auto at = std::find_if(systems_.begin(), systems_.end(),
                                             [&](const auto& s) { return s.system == listed.system; });
                if (at != systems_.end()) added.systems.push_back(static_cast<std::size_t>(at - systems_.begin()));
            }
        }
    }
}

void StateCopy::note_handles() {
    const EntityPool& pool = state_.tracking().pool;
    const EntityPool::Totals now = pool.totals();
    if (now == totals_ && pool.destroyed() == destroyed_) return;
    destroyed_ = pool.destroyed();
    const std::span<const Entity> handles = pool.handles();
    const std::size_t n = std::max(handles.size(), handles_.size());
    handles_.resize(n, NONE);
    RecordWriter to(*record_);
    CountedList list(*record_, {number_of(Part::handles)});
    constexpr std::size_t COMPARED = 64;
    for (std::size_t first = 0; first < handles.size(); first += COMPARED) {
        const std::size_t end = std::min(first + COMPARED, handles.size());
        if (equal_bytes(&handles_[first], &handles[first], (end - first) * sizeof(Entity))) continue;
        for (std::size_t i = first; i < end; ++i) {
            if (handles_[i] == handles[i]) continue;
            to.put(HandleChange{static_cast<std::uint32_t>(i), handles_[i], handles[i]});
            handles_[i] = handles[i];
            list.add();
        }
    }
    list.add();  // the totals, so that it is not removed
    list.finish();
    to.put(totals_);
    to.put(now);
    totals_ = now;
}

void StateCopy::note_class(std::size_t number) {
    CopiedClass& cls = classes_[number];
    Storage& s = cls.storage();
    batch_.clear();
    ChangeList& changes = *s.changes();
    const ChangeList::Time since = cls.read;
    if (since == 0) s.each([&](Entity e) { batch_.push_back(index_of(e)); });  // the list may have begun later
    cls.read = changes.read(since, [&](std::uint32_t index) {
        if (since != 0) batch_.push_back(index);
        return since != 0;
    });
    if (batch_.empty()) return;
    const bool possible = s.type().kind == ComponentKind::object
                              ? host_ != nullptr
                              : cls.opaque() || (is_described(s.type()) && !s.owns_memory());
    if (!possible) {
        fail(ErrorCode::bad_argument,
             {"Rewind: ", s.type().name,
              " cannot be recorded; describe its fields, or with a codec if it owns memory, or name it in `without`"});
    }
    slots_.clear();
    places_.clear();
    moved_.clear();
    if (s.control().version != cls.version) {
        find_places(cls, since);
        if (!places_.empty()) note_places(number);
    } else {
        find_slots(s);
    }
    cls.version = s.control().version;
    if (cls.opaque() && !slots_.empty()) note_opaque_values(cls, static_cast<std::uint32_t>(number));
    for (std::size_t r = 0; r < cls.runs.size() && !slots_.empty(); ++r) note_values(number, r);
    for (const std::size_t system : cls.systems) {
        auto& selected = selected_anew_[system];
        selected.insert(selected.end(), moved_.begin(), moved_.end());
    }
    if (s.type().id == PARENT_ID) note_children(batch_);
}

// No component was added, removed or moved.
void StateCopy::find_slots(const Storage& s) {
    slots_.resize(batch_.size());
    for (std::size_t k = 0; k < batch_.size(); ++k) slots_[k] = s.slot_at(batch_[k]);
}

void StateCopy::find_places(const CopiedClass& cls, ChangeList::Time since) {
    const Storage& s = cls.storage();
    const EntityPool& pool = state_.tracking().pool;
    const ChangeList& changes = *s.changes();
    const auto fetch = [&](std::size_t k) { prefetch(pool.handles().data() + batch_[k]); };
    const auto find = [&](std::size_t k) {
        const std::uint32_t index = batch_[k];
        const Entity e = pool.at(index);
        const std::uint32_t slot = e == NONE ? Storage::ABSENT : s.slot(e);
        if (slot != Storage::ABSENT && cls.places.at(slot) == e) {
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

void StateCopy::keep_string(const FieldRun& run, const std::byte* value) {
    if (run.type != FieldType::string) return;
    String s;
    std::memcpy(&s.number, value, sizeof s.number);
    if (!s.empty()) strings_->push_back(s);
}

void StateCopy::note_places(std::size_t number) {
    CopiedClass& cls = classes_[number];
    const Storage& s = cls.storage();
    if (s.extent() > cls.room) {
        cls.room = std::max<std::size_t>(s.extent(), cls.room * 2);
        if (cls.opaque()) cls.values.resize(cls.room);
        for (std::size_t r = 0; r < cls.runs.size(); ++r) cls.values[r].resize(cls.room * cls.runs[r].bytes());
    }
    RecordWriter to(*record_);
    CountedList list(*record_, {number_of(Part::places), static_cast<std::uint32_t>(number)});
    cls.places.update(places_, StoredPlaces{s}, [&](std::uint32_t place, Entity before, Entity after) {
        to.put(PlaceChange{place, before, after});
        list.add();
        note_value(cls, place, before, after);
    });
    list.finish();
}

// The value of a place that has another entity.
void StateCopy::note_value(CopiedClass& cls, std::uint32_t place, Entity before, Entity after) {
    RecordWriter to(*record_);
    if (cls.opaque()) {
        std::vector<std::byte> now;
        if (after != NONE) now = encoded(cls, place);
        put_opaque(to, cls.values[place], now);
        cls.values[place] = std::move(now);
        return;
    }
    for (std::size_t r = 0; r < cls.runs.size(); ++r) {
        const std::size_t size = cls.runs[r].bytes();
        std::byte* const copied = cls.value(r, place);
        std::byte* const cell = to.grow(2 * size);
        std::memcpy(cell, copied, size);
        if (before != NONE) keep_string(cls.runs[r], copied);
        if (after == NONE) {
            std::memset(copied, 0, size);
        } else {
            std::memcpy(copied, cls.present_value(r, place), size);
            keep_string(cls.runs[r], copied);
        }
        std::memcpy(cell + size, copied, size);
    }
}

std::vector<std::byte> StateCopy::encoded(const CopiedClass& cls, std::uint32_t slot) const {
    const Storage& s = cls.storage();
    if (s.type().codec == nullptr) return host_->encode(s.type().id, s.entities()[slot]);
    const auto& native = static_cast<const NativeStorage&>(s);
    std::vector<std::byte> bytes = s.type().codec->encode(native.first() + slot * native.value_type().size);
    bytes.insert(bytes.begin(), std::byte{0});
    return bytes;
}

void StateCopy::note_opaque_values(CopiedClass& cls, std::uint32_t number) {
    RecordWriter to(*record_);
    CountedList list(*record_, {number_of(Part::values), number, 0});
    for (const std::uint32_t slot : slots_) {
        std::vector<std::byte> now = encoded(cls, slot);
        if (now == cls.values[slot]) continue;
        to.put(slot);
        put_opaque(to, cls.values[slot], now);
        cls.values[slot] = std::move(now);
        list.add();
    }
    list.finish();
}

// The cells are a slot and two values.
void StateCopy::note_values(std::size_t number, std::size_t run) {
    CopiedClass& cls = classes_[number];
    const std::size_t size = cls.runs[run].bytes();
    const std::size_t stride = cls.storage().stride(cls.runs[run].first);
    const std::byte* const column = cls.present_value(run, 0);
    std::byte* const copies = cls.values[run].data();
    CountedList list(*record_,
                     {number_of(Part::values), static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(run)});
    const std::size_t begin = record_->size();
    record_->resize(begin + slots_.size() * (sizeof(std::uint32_t) + 2 * size));
    std::byte* at = record_->data() + begin;
    const bool is_string = cls.runs[run].type == FieldType::string;
    const auto note = [&](std::size_t k) {
        const std::uint32_t slot = slots_[k];
        const std::byte* const value = column + slot * stride;
        std::byte* const copied = copies + slot * size;
        if (equal_words(value, copied, size)) return;
        if (is_string) {
            keep_string(cls.runs[run], copied);
            keep_string(cls.runs[run], value);
        }
        std::memcpy(at, &slot, sizeof slot);
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
    record_->resize(static_cast<std::size_t>(at - record_->data()));
    list.finish();
}

// All entities of the list that had or have a parent: only so, the others keep their order.
void StateCopy::note_children(std::span<const std::uint32_t> indices) {
    const Hierarchy& now = state_.tracking().hierarchy;
    std::vector<PlacementChange> changes;
    std::vector<Entity> before;
    std::vector<Placement> after;
    // By index, because an entity may have come in place of another one.
    std::vector<std::uint32_t> sorted(indices.begin(), indices.end());
    std::sort(sorted.begin(), sorted.end());
    for (const std::uint32_t index : sorted) {
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
    RecordWriter to(*record_);
    to.put(number_of(Part::children));
    to.put(static_cast<std::uint32_t>(changes.size()));
    to.array(std::span<const PlacementChange>(changes));
    move_siblings(hierarchy_, before, after, waiting_);
}

void StateCopy::note_tracked(std::size_t number) {
    std::vector<std::uint32_t>& selected = selected_anew_[number];
    if (selected.empty()) return;
    CopiedSystem& copied = systems_[number];
    const SparseSet& set = copied.system->tracked();
    const EntityPool& pool = state_.tracking().pool;
    places_.clear();
    for (const std::uint32_t index : selected) {
        const Entity e = pool.at(index);
        const std::uint32_t slot = e == NONE ? SparseSet::ABSENT : set.slot(e);
        if (slot != SparseSet::ABSENT) places_.push_back(slot);
        const std::uint32_t before = copied.tracked.with_index(index);
        if (before != Places::NOWHERE) places_.push_back(before);
    }
    selected.clear();
    RecordWriter to(*record_);
    CountedList list(*record_, {number_of(Part::tracked), static_cast<std::uint32_t>(number)});
    copied.tracked.update(places_, TrackedPlaces{set}, [&](std::uint32_t place, Entity before, Entity after) {
        to.put(PlaceChange{place, before, after});
        list.add();
    });
    list.finish();
}

// --- texts ----------------------------------------------------------------------------------------

void StateCopy::note_texts(const HostEvents& events) {
    const auto note = [&](std::size_t number, auto&& write) {
        now_.clear();
        write();
        note_text(number);
    };
    note(TIME, [&] { write_time(now_, state_); });
    note(PENDING, [&] { RecordWriter(now_).array(state_.pending_removals()); });
    note(SYSTEMS, [&] {
        for (const CopiedSystem& copied : systems_) write_switches(now_, *copied.system);
    });
    note(EVENTS, [&] { now_ = write_waiting(state_, systems_, without_, events); });
    for (std::size_t k = 0; k < systems_.size(); ++k) {
        if (systems_[k].system->watches_any()) note(DIRTY + k, [&] { write_dirty(now_, *systems_[k].system); });
    }
}

void StateCopy::note_text(std::size_t number) {
    std::vector<std::byte>& text = texts_[number];
    if (text == now_) return;
    const auto differ = std::mismatch(text.begin(), text.end(), now_.begin(), now_.end());
    const auto same = static_cast<std::size_t>(differ.first - text.begin());
    RecordWriter to(*record_);
    to.put(number_of(Part::text));
    for (const std::size_t n : {number, same, text.size() - same, now_.size() - same})
        to.put(static_cast<std::uint32_t>(n));
    to.array(std::span<const std::byte>(text).subspan(same));
    to.array(std::span<const std::byte>(now_).subspan(same));
    text.swap(now_);
}

// --- what has changed without a signal ------------------------------------------------------------

std::vector<Unrecorded> StateCopy::unrecorded() const {
    std::vector<Unrecorded> found;
    for (const CopiedClass& cls : classes_) {
        std::span<const Entity> entities = cls.places.entities();
        entities = entities.first(std::min<std::size_t>(entities.size(), cls.storage().extent()));
        for (std::size_t r = 0; r < cls.runs.size(); ++r) {
            const std::size_t size = cls.runs[r].bytes();
            const auto differs = [&](std::uint32_t slot) {
                return entities[slot] != NONE &&
                       std::memcmp(cls.values[r].data() + slot * size, cls.present_value(r, slot), size) != 0;
            };
            std::uint32_t slot = 0;
            while (slot < entities.size() && !differs(slot)) ++slot;
            if (slot < entities.size())
                found.push_back({cls.type().name, cls.type().fields[cls.runs[r].first].name, entities[slot]});
        }
    }
    return found;
}

// --- back and forth -------------------------------------------------------------------------------

void StateCopy::roll(std::span<const std::byte> record, Side side, Touched& touched) {
    touched.classes.resize(classes_.size());
    touched.tracked.resize(systems_.size());
    touched.texts.resize(texts_.size());
    RecordReader from(record);
    while (!from.done()) {
        switch (from.get<Part>()) {
            case Part::values: roll_values(from, side, touched); break;
            case Part::places: roll_places(from, side, touched); break;
            case Part::handles: roll_handles(from, side, touched); break;
            case Part::tracked: roll_tracked(from, side, touched); break;
            case Part::children: roll_children(from, side, touched); break;
            case Part::text: roll_text(from, side, touched); break;
        }
    }
}

void StateCopy::roll_values(RecordReader& from, Side side, Touched& touched) {
    const auto number = from.get<std::uint32_t>();
    const auto run = from.get<std::uint32_t>();
    CopiedClass& cls = classes_[number];
    std::vector<std::uint32_t>& slots = touched.classes[number].values;
    const auto n = from.get<std::uint32_t>();
    if (cls.opaque()) {
        for (std::uint32_t k = 0; k < n; ++k) {
            slots.push_back(from.get<std::uint32_t>());
            take_opaque(from, side, cls.values[slots.back()]);
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

void StateCopy::roll_places(RecordReader& from, Side side, Touched& touched) {
    const auto number = from.get<std::uint32_t>();
    CopiedClass& cls = classes_[number];
    std::vector<std::uint32_t>& places = touched.classes[number].places;
    cls.version.reset();
    for (auto n = from.get<std::uint32_t>(); n > 0; --n) {
        const auto change = from.get<PlaceChange>();
        cls.places.set(change.place, side_of(change, side));
        places.push_back(change.place);
        if (cls.opaque()) take_opaque(from, side, cls.values[change.place]);
        for (std::size_t r = 0; r < cls.runs.size(); ++r) {
            const std::size_t size = cls.runs[r].bytes();
            const std::byte* const cell = from.take(2 * size);
            std::memcpy(cls.value(r, change.place), side == Side::before ? cell : cell + size, size);
        }
    }
}

void StateCopy::roll_handles(RecordReader& from, Side side, Touched& touched) {
    for (auto n = from.get<std::uint32_t>(); n > 1; --n) {
        const auto change = from.get<HandleChange>();
        handles_[change.index] = side_of(change, side);
        touched.handles.push_back(change.index);
    }
    const auto before = from.get<EntityPool::Totals>();
    const auto after = from.get<EntityPool::Totals>();
    totals_ = side == Side::before ? before : after;
}

void StateCopy::roll_tracked(RecordReader& from, Side side, Touched& touched) {
    const auto number = from.get<std::uint32_t>();
    for (auto n = from.get<std::uint32_t>(); n > 0; --n) {
        const auto change = from.get<PlaceChange>();
        systems_[number].tracked.set(change.place, side_of(change, side));
        touched.tracked[number].push_back(change.place);
    }
}

void StateCopy::roll_children(RecordReader& from, Side side, Touched& touched) {
    std::vector<Entity> now;
    std::vector<Placement> then;
    for (auto n = from.get<std::uint32_t>(); n > 0; --n) {
        const auto change = from.get<PlacementChange>();
        now.push_back((side == Side::before ? change.after : change.before).child);
        if (side_of(change, side).parent != NONE) then.push_back(side_of(change, side));
        touched.children.push_back(change.index);
    }
    move_siblings(hierarchy_, now, then, waiting_);
}

void StateCopy::roll_text(RecordReader& from, Side side, Touched& touched) {
    const auto number = from.get<std::uint32_t>();
    const auto same = from.get<std::uint32_t>();
    const auto before = from.get<std::uint32_t>();
    const auto after = from.get<std::uint32_t>();
    const std::byte* const cell = from.take(before + after);
    std::vector<std::byte>& text = texts_[number];
    text.resize(same);
    if (side == Side::before) text.insert(text.end(), cell, cell + before);
    else text.insert(text.end(), cell + before, cell + before + after);
    touched.texts[number] = true;
}

}  // namespace crateful::internal
