#include "change_source.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "bytes.hpp"
#include "change_receiver.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/detail/prefetch.hpp"
#include "fields.hpp"

namespace crateful::internal {

TrackedClass::TrackedClass(Storage& s)
    : storage(&s), opaque(is_opaque(s.type())), runs(opaque ? std::vector<FieldRun>() : field_runs(s.type())) {
    stride = sizeof(std::uint32_t) * (1 + fields());
    for (const FieldRun& run : runs) {
        offsets.push_back(stride);
        stride += (run.bytes() + 3) / 4 * 4;
    }
}

ChangeSource::ChangeSource(ECS& of, const ChangesOptions& options, bool has_host) : state_(of) {
    for (Storage* s : chosen(options, has_host)) {
        TrackedClass cls(*s);
        require_different_names(s->type(), cls.runs);
        s->keep_changes();
        encodes_ = encodes_ || cls.opaque;
        classes_.push_back(std::move(cls));
    }
    state_.add_listener(*this);
}

ChangeSource::~ChangeSource() {
    if (ecs_exists_) state_.remove_listener(*this);
}

void ChangeSource::before_exchange(const StateExchange& exchange) noexcept {
    is_exchanged_ = true;
    for (ChangeReceiver* receiver : selecting_) receiver->before_exchange(exchange);
}

// Parent, then the others by name.
std::vector<Storage*> ChangeSource::chosen(const ChangesOptions& options, bool has_host) const {
    Tracking& tracking = state_.tracking();
    std::vector<Storage*> found{tracking.component_class(PARENT_ID).storage.get()};
    const auto contains = [](const std::vector<std::string>& list, std::string_view name) {
        return std::find(list.begin(), list.end(), name) != list.end();
    };
    const auto is_used = [&](std::string_view name) {
        const auto& all = tracking.classes();
        return std::any_of(all.begin(), all.end(), [&](const auto& c) { return c && c->storage->type().name == name; });
    };
    for (ComponentId id = 0; id < registry::count(); ++id) {
        const ComponentType& type = registry::type(id);
        const Storage* s = tracking.find_storage(id);
        const bool named = contains(options.components, type.name);
        const bool of_host = type.kind == ComponentKind::object;
        const bool readable = of_host ? has_host : is_opaque(type) || is_described(type);
        const bool used = options.components.empty() && readable && s != nullptr;
        if (id == PARENT_ID || contains(options.without, type.name) || !(named || used)) continue;
        if (named && tracking.find_class(id) == nullptr && is_used(type.name)) continue;  // it is another one
        if (!readable) {
            fail(ErrorCode::bad_argument,
                 {"Changes: ", type.name,
                  of_host ? " is a class of another language; send it there" : " has no fields that are described"});
        }
        if (type.name == registry::type(PARENT_ID).name)
            fail(ErrorCode::bad_argument,
                 {"Changes: ", type.name, " is the name of the class of the hierarchy; give yours another one"});
        found.push_back(tracking.component_class(id).storage.get());
    }
    for (const std::string& name : options.components) {
        const auto is = [&](const Storage* s) { return s->type().name == name; };
        if (!contains(options.without, name) && std::count_if(found.begin(), found.end(), is) == 0)
            fail(ErrorCode::bad_argument, {"Changes: there is no class ", name});
    }
    const bool names_parent = contains(options.components, registry::type(PARENT_ID).name);
    if (found.size() == 1 && found.front()->count() == 0 && !names_parent) {
        fail(
            ErrorCode::bad_argument,
            {"Changes: no class is left that can be sent; name classes in `components`, or create Changes when the ECS "
             "has used some"});
    }
    std::sort(found.begin() + 1, found.end(),
              [](const Storage* a, const Storage* b) { return a->type().name < b->type().name; });
    for (std::size_t k = 2; k < found.size(); ++k) {
        if (found[k]->type().name == found[k - 1]->type().name)
            fail(ErrorCode::bad_argument, {"Changes: two classes have the name ", found[k]->type().name});
    }
    return found;
}

// --- values that only their class can read --------------------------------------------------------

std::vector<EncodedChanges*> ChangeSource::prepare() {
    std::vector<EncodedChanges*> of_host;
    state_.tracking().drain_marks();
    for (TrackedClass& cls : classes_) {
        if (!cls.opaque) continue;
        EncodedChanges& to = cls.encoded;
        to = {.id = cls.storage->type().id};
        if (cls.read == 0) cls.storage->each([&](Entity e) { to.indices.push_back(index_of(e)); });
        to.time = cls.storage->changes()->read(cls.read, [&](std::uint32_t index) {
            to.indices.push_back(index);
            return true;
        });
        std::sort(to.indices.begin(), to.indices.end());
        to.indices.erase(std::unique(to.indices.begin(), to.indices.end()), to.indices.end());
        for (const std::uint32_t index : to.indices) {
            const Entity e = state_.tracking().pool.at(index);
            if (e != NONE && cls.storage->has(e)) to.entities.push_back(e);
        }
        if (cls.storage->type().codec == nullptr) {
            if (!to.entities.empty()) of_host.push_back(&to);
            continue;
        }
        auto& s = static_cast<NativeStorage&>(*cls.storage);
        for (const Entity e : to.entities) to.values.push_back(encoded_value(s, s.slot(e)));
    }
    return of_host;
}

// The values that `prepare` has listed; the components are those of that time.
void ChangeSource::note_encoded(TrackedClass& cls) {
    if (cls.records.empty()) return cls.encoded = {}, void();
    cls.read = cls.encoded.time;
    auto value = cls.encoded.values.begin();
    for (const std::uint32_t index : cls.encoded.indices) {
        EncodedValue& known = cls.known[index];
        if (note_presence(cls, index) == Storage::ABSENT) {
            EncodedValue().swap(known);
            continue;
        }
        std::byte* const to = cls.record(index);
        if (cls.presence_of(to) != (round_ << 1 | 1) && known == *value) {
            ++value;
            continue;
        }
        known.swap(*value++);
        *cls.rounds(to) = round_;
        changed(index, cls);
    }
    cls.encoded = {};
}

// --- collecting -----------------------------------------------------------------------------------

// Only what is in front of the first change can fail.
void ChangeSource::collect() {
    if (round_ == LAST_ROUND)
        fail(ErrorCode::bad_argument,
             {"take: the source has counted all rounds; create a new Changes and new replicas"});
    state_.tracking().drain_marks();
    make_room();
    ++round_;
    if (std::exchange(is_exchanged_, false)) exchanged_ = round_;
    for (TrackedClass& cls : classes_) {
        if (cls.opaque) {
            note_encoded(cls);
            continue;
        }
        if (cls.records.empty()) continue;
        batch_.clear();
        if (cls.read == 0) {  // at first, what is older than the list too
            cls.storage->each([&](Entity e) { batch_.push_back(index_of(e)); });
            note_batch(cls);
            batch_.clear();
        }
        cls.read = cls.storage->changes()->read(cls.read, [&](std::uint32_t index) {
            batch_.push_back(index);
            return true;
        });
        if (!batch_.empty()) note_batch(cls);
    }
    if (changed_.empty()) --round_;
    else log_changes();
}

void ChangeSource::make_room() {
    std::size_t n = 0;
    for (const TrackedClass& cls : classes_) n = std::max(n, cls.storage->changes()->size());
    if (n > entities_.size()) {
        n = std::max(n, entities_.size() * 2);
        batch_.reserve(n);
        slots_.reserve(n);
        changed_.reserve(n);
        log_.reserve(n * 2);
        entities_.resize(n);
    }
    for (TrackedClass& cls : classes_) {
        if (cls.records.empty() && cls.storage->count() == 0) continue;
        if (cls.opaque) cls.known.resize(entities_.size());
        cls.records.resize(entities_.size() * cls.stride);
    }
}

// The entities of `batch_`, whose components of the class changed: field by field, because a loop over one field is fast.
void ChangeSource::note_batch(TrackedClass& cls) {
    slots_.clear();
    const auto fetch_record = [&](std::size_t k) {
        const std::byte* const at = cls.record(batch_[k]);
        prefetch(&entities_[batch_[k]]);
        prefetch(at);
        prefetch(at + cls.stride - 4);
    };
    in_groups(batch_.size(), fetch_record, [&](std::size_t k) { slots_.push_back(note_presence(cls, batch_[k])); });
    for (std::size_t r = 0; r < cls.runs.size(); ++r) note_values(cls, r);
}

// Returns the slot of the component.
std::uint32_t ChangeSource::note_presence(TrackedClass& cls, std::uint32_t index) {
    KnownEntity& known = entities_[index];
    Entity e = known.handle;
    std::uint32_t slot = e == NONE ? Storage::ABSENT : cls.storage->slot(e);
    if (slot == Storage::ABSENT) {  // otherwise the entity is still alive
        e = state_.tracking().pool.at(index);
        if (known.handle != NONE && known.handle != e) forget(index);
        slot = e == NONE ? Storage::ABSENT : cls.storage->slot(e);
    }
    std::uint32_t& presence = cls.presence_of(cls.record(index));
    const bool exists = (presence & 1) != 0;
    if (exists == (slot != Storage::ABSENT)) return slot;
    changed(index, cls);
    presence = round_ << 1 | (exists ? 0 : 1);
    if (exists) {
        --known.components;
        return slot;
    }
    ++known.components;
    if (known.handle == NONE) {
        known.handle = e;
        known.created = round_;
    }
    return slot;
}

void ChangeSource::note_values(TrackedClass& cls, std::size_t r) {
    const FieldRun& run = cls.runs[r];
    const std::size_t bytes = run.bytes();
    const std::size_t stride = cls.storage->stride(run.first);
    const std::byte* const column = cls.storage->control().columns[run.first];
    // The number of a string can be that of another text meanwhile, and the position among the siblings is no value.
    const bool is_value = run.type != FieldType::string && !cls.is_parent();
    const std::uint32_t is_new = round_ << 1 | 1;
    for (std::size_t k = 0; k < batch_.size(); ++k) {
        if (slots_[k] == Storage::ABSENT) continue;
        std::byte* const to = cls.record(batch_[k]);
        const std::byte* const from = column + slots_[k] * stride;
        std::byte* const value = to + cls.offsets[r];
        if (is_value && cls.presence_of(to) != is_new && equal_words(value, from, bytes)) continue;
        copy_words(value, from, bytes);
        cls.rounds(to)[r] = round_;
        changed(batch_[k], cls);
    }
}

void ChangeSource::changed(std::uint32_t index) {
    KnownEntity& known = entities_[index];
    if (known.changed == round_) return;
    known.changed = round_;
    changed_.push_back(index);
}

// The entity was removed, or has no component any more.
void ChangeSource::forget(std::uint32_t index) {
    for (TrackedClass& cls : classes_) {
        if (cls.records.empty()) continue;
        std::uint32_t& presence = cls.presence_of(cls.record(index));
        if ((presence & 1) != 0) cls.changed = round_;
        presence = round_ << 1;
        if (cls.opaque) EncodedValue().swap(cls.known[index]);
    }
    changed(index);
    KnownEntity& known = entities_[index];
    known.before = known.handle;
    known.handle = NONE;
    known.components = 0;
    known.removed = round_;
}

// --- the log --------------------------------------------------------------------------------------

// Each entity has one entry that counts, so at least half of a full log does not.
void ChangeSource::log_changes() {
    for (const std::uint32_t index : changed_) {
        if (const KnownEntity& known = entities_[index]; known.components == 0 && known.handle != NONE) forget(index);
    }
    if (log_.size() + changed_.size() > entities_.size() * 2)
        std::erase_if(log_, [&](const Change& each) { return entities_[each.index].changed != each.round; });
    std::sort(changed_.begin(), changed_.end());
    for (const std::uint32_t index : changed_) log_.push_back({index, round_});
    changed_.clear();
}

std::span<const ChangeSource::Change> ChangeSource::changed_since(std::uint32_t round,
                                                                  std::vector<Change>& sorted) const {
    auto first = log_.end();
    while (first != log_.begin() && (first - 1)->round > round) --first;
    if (first == log_.end() || first->round == round_) return {first, log_.end()};
    sorted.assign(first, log_.end());
    std::erase_if(sorted, [&](const Change& each) { return known(each.index).changed != each.round; });
    std::sort(sorted.begin(), sorted.end(), [](const Change& a, const Change& b) { return a.index < b.index; });
    return sorted;
}

}  // namespace crateful::internal
