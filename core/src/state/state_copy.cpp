#include "state_copy.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "bytes.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/detail/prefetch.hpp"
#include "state_texts.hpp"
#include "time_state.hpp"

namespace crateful::internal {
namespace {

struct HandleChange {
    std::uint32_t index;
    Entity before;
    Entity after;
};
}  // namespace

std::size_t StateCopy::bytes() const noexcept {
    std::size_t sum = ComponentCopy::bytes() + handles_.capacity() * sizeof(Entity);
    for (const CopiedSystem& system : systems_) sum += system.tracked.bytes();
    for (const auto& text : texts_) sum += text.capacity();
    return sum;
}

// --- finding out what changed ---------------------------------------------------------------------

void StateCopy::sync(Record& record, double oldest) { sync(record, oldest, true); }
void StateCopy::begin() {
    Record ignored;
    sync(ignored, 0, false);
    free_found();
    std::vector<std::uint32_t>().swap(places_);
    for (auto& selected : selected_anew_) std::vector<std::uint32_t>().swap(selected);
}
void StateCopy::sync(Record& record, double oldest, bool keeps) {
    record_ = &record.bytes;
    const HostEvents events = host_ == nullptr ? HostEvents() : host_->events();
    state_.tracking().drain_marks();
    add_classes([&](ComponentClass& cls) {
        cls.storage->keep_changes();
        return best(cls);
    });
    find_systems(oldest);
    note_handles();
    for (std::size_t k = 0; k < classes().size(); ++k) {
        note_class(k, record);
        if (!keeps) record = {};  // of one class at a time
    }
    for (std::size_t k = 0; k < systems_.size(); ++k) note_tracked(k);
    note_texts(events);
}

// A system that was removed keeps its number as long as a frame with it is recorded, in front of the present one or behind it.
void StateCopy::find_systems(double oldest) {
    const bool changed = systems_version_ != state_.tracking().recorded_version();
    const std::vector<SystemBase*> now = changed ? state_.recorded_systems() : std::vector<SystemBase*>();
    for (CopiedSystem& copied : systems_) {
        const auto is_it = [&](const SystemBase* s) { return s->sequence() == copied.sequence; };
        if (changed && std::none_of(now.begin(), now.end(), is_it)) copied.system = nullptr;
    }
    for (SystemBase* system : now) {
        const auto is_it = [&](const CopiedSystem& s) { return s.sequence == system->sequence(); };
        if (std::any_of(systems_.begin(), systems_.end(), is_it)) continue;
        const auto is_free = [&](const CopiedSystem& s) { return s.system == nullptr && s.last < oldest; };
        auto at = std::find_if(systems_.begin(), systems_.end(), is_free);
        if (at == systems_.end()) {
            texts_.emplace_back();
            selected_anew_.emplace_back();
            at = systems_.emplace(at);
        }
        *at = {system, system->sequence()};
    }
    for (CopiedSystem& copied : systems_) {
        if (copied.system != nullptr) copied.last = std::max(copied.last, state_.times().frame);
    }
    systems_version_ = state_.tracking().recorded_version();
}

void StateCopy::note_class(std::size_t number, Record& record) {
    const CopiedClass& cls = classes()[number];
    ComponentCopy::sync(number, record);
    if (cls.kept == Kept::nothing && any()) {
        fail(ErrorCode::bad_argument,
             {"Rewind: ", cls.type().name,
              " cannot be recorded; describe its fields, or with a codec if it owns memory, or name it in `without`"});
    }
    if (moved().empty()) return;
    for (const SystemList* list : {&cls.cls->requiring, &cls.cls->filtering}) {
        for (const ListedSystem& listed : *list) {
            const auto at = std::find_if(systems_.begin(), systems_.end(),
                                         [&](const auto& s) { return s.system == listed.system; });
            if (at == systems_.end()) continue;
            auto& selected = selected_anew_[static_cast<std::size_t>(at - systems_.begin())];
            selected.insert(selected.end(), moved().begin(), moved().end());
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
    Writer to(*record_);
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

void StateCopy::note_tracked(std::size_t number) {
    std::vector<std::uint32_t>& selected = selected_anew_[number];
    CopiedSystem& copied = systems_[number];
    static const SparseSet none;
    const SparseSet& set = copied.system == nullptr ? none : copied.system->tracked();
    const EntityPool& pool = state_.tracking().pool;
    places_.clear();
    const bool existed = !texts_[SYSTEM + number].empty();
    if (existed != (copied.system != nullptr)) {
        selected.clear();
        places_.resize(std::max<std::size_t>(set.size(), copied.tracked.entities().size()));
        std::iota(places_.begin(), places_.end(), 0);
    }
    for (const std::uint32_t index : selected) {
        const Entity e = pool.at(index);
        const std::uint32_t slot = e == NONE ? SparseSet::ABSENT : set.slot(e);
        if (slot != SparseSet::ABSENT) places_.push_back(slot);
        const std::uint32_t before = copied.tracked.with_index(index);
        if (before != Places::NOWHERE) places_.push_back(before);
    }
    selected.clear();
    if (places_.empty()) return;
    Writer to(*record_);
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
    note(TIME, [&] {
        Writer to(now_);
        write_time(to, state_);
    });
    note(PENDING, [&] { Writer(now_).array(state_.pending_removals()); });
    note(EVENTS, [&] { now_ = write_waiting(state_, systems_, without(), events); });
    for (std::size_t k = 0; k < systems_.size(); ++k) {
        note(SYSTEM + k, [&] {
            if (systems_[k].system != nullptr) write_system(now_, *systems_[k].system);
        });
    }
}

void StateCopy::note_text(std::size_t number) {
    std::vector<std::byte>& text = texts_[number];
    if (text == now_) return;
    const auto differ = std::mismatch(text.begin(), text.end(), now_.begin(), now_.end());
    const auto same = static_cast<std::size_t>(differ.first - text.begin());
    Writer to(*record_);
    to.put(number_of(Part::text));
    for (const std::size_t n : {number, same, text.size() - same, now_.size() - same})
        to.put(static_cast<std::uint32_t>(n));
    to.array(std::span<const std::byte>(text).subspan(same));
    to.array(std::span<const std::byte>(now_).subspan(same));
    text.swap(now_);
}

// --- back and forth -------------------------------------------------------------------------------

void StateCopy::roll(std::span<const std::byte> record, Side side, Touched& touched) {
    touched.classes.resize(classes().size());
    touched.tracked.resize(systems_.size());
    touched.texts.resize(texts_.size());
    Reader from(record);
    while (!from.done()) {
        switch (from.get<Part>()) {
            case Part::values: {
                const auto number = from.get<std::uint32_t>();
                roll_values(from, side, touched.classes[number].values, classes()[number]);
                break;
            }
            case Part::places: {
                const auto number = from.get<std::uint32_t>();
                roll_places(from, side, touched.classes[number].places, classes()[number]);
                break;
            }
            case Part::handles: roll_handles(from, side, touched); break;
            case Part::tracked: roll_tracked(from, side, touched); break;
            case Part::children: roll_children(from, side, touched.children); break;
            case Part::text: roll_text(from, side, touched); break;
            case Part::signals:
            case Part::notified: break;  // only in a history
        }
    }
}

void StateCopy::roll_handles(Reader& from, Side side, Touched& touched) {
    for (auto n = from.get<std::uint32_t>(); n > 1; --n) {
        const auto change = from.get<HandleChange>();
        handles_[change.index] = side_of(change, side);
        touched.handles.push_back(change.index);
    }
    const auto before = from.get<EntityPool::Totals>();
    const auto after = from.get<EntityPool::Totals>();
    totals_ = side == Side::before ? before : after;
}

void StateCopy::roll_tracked(Reader& from, Side side, Touched& touched) {
    const auto number = from.get<std::uint32_t>();
    for (auto n = from.get<std::uint32_t>(); n > 0; --n) {
        const auto change = from.get<PlaceChange>();
        systems_[number].tracked.set(change.place, side_of(change, side));
        touched.tracked[number].push_back(change.place);
    }
}

void StateCopy::roll_text(Reader& from, Side side, Touched& touched) {
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
