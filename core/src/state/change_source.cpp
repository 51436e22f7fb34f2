#include "change_source.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "crateful/detail/message.hpp"

namespace crateful::internal {

ChangeSource::ChangeSource(ECS& of, const ChangesOptions& options) : state_(of) {
    for (Storage* s : chosen(options)) {
        std::vector<FieldRun> runs = field_runs(s->type());
        if (runs.size() > TrackedClass::MOST_FIELDS) {
            fail(ErrorCode::bad_argument,
                 {"Changes: ", s->type().name, " has more than 63 fields; name it in `without`"});
        }
        s->keep_changes();
        classes_.emplace_back(*s, std::move(runs));
    }
}

// Parent, then the others by name.
std::vector<Storage*> ChangeSource::chosen(const ChangesOptions& options) const {
    Tracking& tracking = state_.tracking();
    std::vector<Storage*> found{tracking.component_class(PARENT_ID).storage.get()};
    const auto contains = [](const std::vector<std::string>& list, std::string_view name) {
        return std::find(list.begin(), list.end(), name) != list.end();
    };
    for (ComponentId id = 0; id < registry::count(); ++id) {
        const ComponentType& type = registry::type(id);
        const Storage* s = tracking.find_storage(id);
        const bool named = contains(options.components, type.name);
        const bool used = options.components.empty() && is_described(type) && s != nullptr && s->count() > 0;
        if (id == PARENT_ID || contains(options.without, type.name) || !(named || used)) continue;
        if (!is_described(type))
            fail(ErrorCode::bad_argument, {"Changes: ", type.name, " has no fields that are described"});
        found.push_back(tracking.component_class(id).storage.get());
    }
    for (const std::string& name : options.components) {
        const auto is = [&](const Storage* s) { return s->type().name == name; };
        if (!contains(options.without, name) && std::count_if(found.begin(), found.end(), is) == 0)
            fail(ErrorCode::bad_argument, {"Changes: there is no class ", name});
    }
    std::sort(found.begin() + 1, found.end(),
              [](const Storage* a, const Storage* b) { return a->type().name < b->type().name; });
    for (std::size_t k = 2; k < found.size(); ++k) {
        if (found[k]->type().name == found[k - 1]->type().name)
            fail(ErrorCode::bad_argument, {"Changes: two classes have the name ", found[k]->type().name});
    }
    return found;
}

void ChangeSource::collect() {
    state_.tracking().drain_marks();
    for (const TrackedClass& cls : classes_) make_room(cls.storage->changes()->size());
    const std::uint32_t before = round_++;
    bool any = false;
    for (TrackedClass& cls : classes_) {
        const auto visit = [&](std::uint32_t index) {
            any = note(cls, index) || any;
            return true;
        };
        // At first, what is older than the list too.
        if (cls.read == 0) cls.storage->each([&](Entity e) { visit(index_of(e)); });
        cls.read = cls.storage->changes()->read(cls.read, visit);
    }
    while (emptied_ != KnownEntity::END) {
        const std::uint32_t index = emptied_;
        emptied_ = std::exchange(known_[index].next, KnownEntity::NOT_LISTED);
        // Others can have been added.
        if (known_[index].components == 0 && known_[index].handle != NONE) forget(index);
    }
    if (!any) round_ = before;
}

// Returns whether anything differs.
bool ChangeSource::note(TrackedClass& cls, std::uint32_t index) {
    const Entity e = state_.tracking().pool.at(index);
    KnownEntity& entity = known_[index];
    if (entity.handle != NONE && entity.handle != e) forget(index);
    const std::uint32_t slot = e == NONE ? Storage::ABSENT : cls.storage->slot(e);
    std::uint32_t* const times = cls.times(index);
    bool differs = entity.removed == round_;
    if (slot != Storage::ABSENT) {
        const bool is_new = times[TrackedClass::ADDED] == 0;
        if (is_new) {
            if (entity.handle == NONE) {
                entity.handle = e;
                entity.created = round_;
            }
            times[TrackedClass::ADDED] = round_;
            ++entity.components;
        }
        differs = note_values(cls, index, slot, is_new) || is_new || differs;
    } else if (times[TrackedClass::ADDED] != 0) {
        times[TrackedClass::ADDED] = 0;
        times[TrackedClass::REMOVED] = round_;
        if (--entity.components == 0 && entity.next == KnownEntity::NOT_LISTED)
            entity.next = std::exchange(emptied_, index);
        differs = true;
    }
    if (differs) {
        entity.changed = round_;
        list_.add(index);
    }
    return differs;
}

// Returns whether a field differs. All of a new component do.
bool ChangeSource::note_values(TrackedClass& cls, std::uint32_t index, std::uint32_t slot, bool is_new) const {
    bool differs = false;
    for (std::size_t r = 0; r < cls.runs.size(); ++r) {
        const std::size_t bytes = cls.runs[r].bytes();
        std::byte* to = cls.value(index) + cls.offsets[r];
        const std::byte* from = cls.field(r, slot);
        // The number of a string can be that of another text meanwhile, and the place among the siblings is no value.
        const bool is_value = cls.runs[r].type != FieldType::string && !cls.is_parent();
        if (!is_new && is_value && std::memcmp(to, from, bytes) == 0) continue;
        std::memcpy(to, from, bytes);
        cls.times(index)[TrackedClass::FIELDS + r] = round_;
        differs = true;
    }
    return differs;
}

// The entity was removed, or has no component any more.
void ChangeSource::forget(std::uint32_t index) {
    KnownEntity& entity = known_[index];
    for (TrackedClass& cls : classes_) cls.times(index)[TrackedClass::ADDED] = 0;
    entity.handle = NONE;
    entity.components = 0;
    entity.removed = entity.changed = round_;
    list_.add(index);
}

void ChangeSource::make_room(std::size_t n) {
    if (n <= known_.size()) return;
    list_.reserve(n);
    for (TrackedClass& cls : classes_) {
        cls.values.resize(list_.size() * cls.record);
        cls.rounds.resize(list_.size() * (TrackedClass::FIELDS + cls.runs.size()));
    }
    known_.resize(list_.size());
}

}  // namespace crateful::internal
