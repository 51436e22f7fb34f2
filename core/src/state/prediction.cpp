// The last received values of entities that the program predicts (rule N6).
#include <algorithm>
#include <cstring>
#include <optional>

#include "bytes.hpp"
#include "change_target.hpp"
#include "crateful/detail/copy_value.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/detail/rollback.hpp"

namespace crateful::internal {

// What it contains now is what was received.
bool ChangeTarget::predict(Entity e) {
    state_.tracking().require_unlocked("predict");
    require_same_state("predict");
    const Entity handle = remote(e);
    if (handle == NONE)
        fail(ErrorCode::bad_argument, {"predict: ", to_string(e), " is no entity that this replica has created"});
    const std::uint32_t index = index_of(handle);
    if (predicted_.contains(index)) return false;
    Kept kept;
    for (std::uint32_t c = 1; c < sender_.classes.size(); ++c) {
        if (sender_.classes[c].type == nullptr) continue;
        const ComponentType& type = *sender_.classes[c].type;
        Storage* s = ecs().find_storage(type.id);
        const std::uint32_t slot = s == nullptr ? Storage::ABSENT : s->slot(e);
        if (slot == Storage::ABSENT || type.kind == ComponentKind::object) continue;
        if (type.codec != nullptr) {
            const StateLock lock(state_.ecs);
            kept.components[c] = sent_value(static_cast<NativeStorage&>(*s), slot).bytes;
            continue;
        }
        std::vector<std::byte>& packed = kept.components[c];
        packed.resize(8 * type.fields.size());
        for (std::size_t k = 0; k < type.fields.size(); ++k)
            copy_value(packed.data() + 8 * k, s->control().columns[k] + slot * s->stride(k),
                       size_of(type.fields[k].type));
    }
    hold_strings(kept);
    predicted_.emplace(index, std::move(kept));
    return true;
}

void ChangeTarget::predict_object(Entity e, ComponentId id, std::span<const std::byte> value) {
    const auto at = predicted_.find(index_of(remote(e)));
    for (std::uint32_t c = 1; at != predicted_.end() && c < sender_.classes.size(); ++c) {
        const ComponentType* type = sender_.classes[c].type;
        if (type != nullptr && type->id == id) at->second.components[c].assign(value.begin(), value.end());
    }
}

void ChangeTarget::stop_predicting(Entity e) noexcept {
    // The world also while it is not sent.
    if (const Entity handle = e == Structure::WORLD ? e : remote(e); handle != NONE) predicted_.erase(index_of(handle));
}

// The strings exist as long as they are kept.
void ChangeTarget::hold_strings(Kept& kept) const {
    std::vector<String> strings;
    for (const auto& [c, packed] : kept.components) {
        if (sender_.classes[c].opaque) continue;
        const std::vector<Field>& fields = sender_.classes[c].type->fields;
        for (std::size_t k = 0; k < fields.size(); ++k) {
            if (fields[k].type != FieldType::string) continue;
            String s;
            std::memcpy(&s.number, packed.data() + 8 * k, sizeof s.number);
            strings.push_back(s);
        }
    }
    if (strings.empty()) kept.strings.reset();
    else kept.strings = std::make_unique<Strings::Kept>(state_.tracking().strings, std::move(strings));
}

void ChangeTarget::keep(const Group& group) {
    const std::span<const std::uint32_t> indices = packet_.of(group);
    for (auto& [index, kept] : predicted_) {
        const auto at = std::lower_bound(indices.begin(), indices.end(), index);
        if (at == indices.end() || *at != index) continue;
        const auto i = static_cast<std::size_t>(at - indices.begin());
        if (group.fields == 0) {
            kept.components.erase(group.number);
        } else if (group.cls->opaque) {
            const std::span<const std::byte> value = packet_.encoded[group.values + i].bytes;
            kept.components[group.number].assign(value.begin(), value.end());
        } else {
            std::vector<std::byte>& packed = kept.components[group.number];
            if (group.whole || packed.empty()) packed = group.cls->defaults;
            pack(group, i, packed);
        }
        hold_strings(kept);
    }
}

std::vector<ChangeTarget::KeptValue> ChangeTarget::kept_objects() const {
    std::vector<KeptValue> found;
    for (const auto& [index, kept] : predicted_) {
        for (const auto& [c, bytes] : kept.components) {
            if (sender_.classes[c].type->kind == ComponentKind::object) found.push_back({index, c, bytes});
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const KeptValue& a, const KeptValue& b) { return a.cls < b.cls; });
    return found;
}

// Decodes values before anything is changed.
std::vector<ChangeTarget::Decoded> ChangeTarget::decode_kept() {
    std::vector<Decoded> all;
    std::optional<StateLock> lock;
    for (const auto& [index, kept] : predicted_) {
        for (const auto& [c, bytes] : kept.components) {
            all.push_back({index, c, nullptr});
            const ComponentType& type = *sender_.classes[c].type;
            if (type.codec == nullptr) continue;
            if (!lock) lock.emplace(state_.ecs);
            auto& s = static_cast<NativeStorage&>(ecs().storage(type.id));
            const Entity e = local_of(index);
            const std::uint32_t slot = e == NONE ? Storage::ABSENT : s.slot(e);
            if (slot != Storage::ABSENT && has_value(s, slot, bytes)) continue;
            all.back().value = std::make_unique<ValueArray>(s.value_type());
            all.back().value->grow(2);
            type.codec->decode(std::span(bytes).subspan(1), all.back().value->at(0));
            if (type.codec->mapper == nullptr) continue;
            type.codec->map(all.back().value->at(0), [this](Entity target) { return entity(target); });
        }
    }
    return all;
}

void ChangeTarget::reset() {
    state_.require_idle("reset");  // first: a call in a callback must not end the call outside
    const AtEnd end([&] { cancel(); });
    exchange_kept();
    finish();
}

void ChangeTarget::exchange_kept() {
    state_.require_idle("reset");
    require_same_state("reset");
    std::vector<std::byte> packed;
    const std::vector<Decoded> all = decode_kept();
    reading_ = std::make_unique<Reading>(state_.tracking().strings);
    reading_->tracking = std::make_unique<TrackingChange>(state_.ecs);
    for (const auto& [index, c, value] : all)
        reading_->tracking->note(local_of(index), sender_.classes[c].type->id, true);
    reading_->tracking->prepare();
    FirstError& error = reading_->error;
    reading_->tracking->begin(error);
    for (const auto& [index, c, value] : all) {
        const auto kept = predicted_.find(index);
        const Entity e = local_of(index);
        if (kept == predicted_.end() || e == NONE) continue;  // the program has removed it
        const RemoteClass& cls = sender_.classes[c];
        const ComponentId id = cls.type->id;
        if (cls.opaque) {
            if (value != nullptr) write_decoded(e, id, *value, error);
            continue;
        }
        const auto values = kept->second.components.find(c);
        if (values == kept->second.components.end()) continue;
        packed = values->second;
        set_references(index, c, packed);

        const Storage& s = ecs().storage(id);
        const std::uint32_t slot = s.slot(e);
        if (slot == Storage::ABSENT) error.guard([&] { ecs().add(e, id, packed.data()); });
        else if (unpack(packed, s, slot)) error.guard([&] { state_.tracking().signal(e, id); });
    }
}

void ChangeTarget::write_decoded(Entity e, ComponentId id, const ValueArray& value, FirstError& error) {
    auto& s = static_cast<NativeStorage&>(ecs().storage(id));
    if (const std::uint32_t slot = s.slot(e); slot != Storage::ABSENT) {
        exchange(s, slot, value, 0);
        error.guard([&] { state_.tracking().signal(e, id); });
        return;
    }
    error.guard([&] {
        ecs().add(std::span(&e, 1), id, [&](std::size_t, Storage& to, std::uint32_t slot) {
            to.write_packed(slot, nullptr);
            exchange(s, slot, value, 0);
        });
    });
}

// Fields that refer to entities contain what has arrived meanwhile.
void ChangeTarget::set_references(std::uint32_t index, std::uint32_t c, std::vector<std::byte>& packed) const {
    const RemoteClass& cls = sender_.classes[c];
    for (std::size_t f = 0; f < cls.fields.size(); ++f) {
        if (cls.run_of[f] == NO_RUN || !refers(cls.runs[cls.run_of[f]].type)) continue;
        const FieldRun& run = cls.runs[cls.run_of[f]];
        for (std::size_t k = 0; k < run.length; ++k) {
            const Entity target = entity(references_.target({index, c, f, k}));
            std::memcpy(packed.data() + 8 * (run.first + k), &target, sizeof target);
        }
    }
}

// Returns whether a value differs.
bool ChangeTarget::unpack(const std::vector<std::byte>& packed, const Storage& s, std::uint32_t slot) {
    bool differs = false;
    for (std::size_t k = 0; k < s.type().fields.size(); ++k) {
        const std::size_t size = size_of(s.type().fields[k].type);
        std::byte* const to = s.control().columns[k] + slot * s.stride(k);
        if (equal_words(to, packed.data() + 8 * k, size)) continue;
        copy_value(to, packed.data() + 8 * k, size);
        differs = true;
    }
    return differs;
}

}  // namespace crateful::internal
