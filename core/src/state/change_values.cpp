// Writing the values of a packet (rule N6).
#include <algorithm>
#include <cstring>

#include "bytes.hpp"
#include "change_target.hpp"
#include "crateful/detail/slot_table.hpp"

namespace crateful::internal {

// Each step is a loop over all components of the group, which reads few arrays.
void ChangeTarget::write(const Group& group, FirstError& error) {
    if (group.fields == 0) return remove_components(group, error);
    if (group.cls->opaque) {
        if (!predicted_.empty()) attempt(error, [&] { keep(group); });
        return write_decoded(group, error);
    }
    const ComponentId id = group.cls->type->id;
    const Storage& s = ecs().storage(id);
    const std::span<const std::uint32_t> indices = packet_.of(group);
    const SlotTable table(s);
    slots_.resize(group.count);
    entities_.resize(group.count);
    for (std::size_t i = 0; i < group.count; ++i) {
        entities_[i] = sender_.copies[indices[i]].local;
        slots_[i] = table.sparse() ? table.sparse_slot_of_any(entities_[i]) : s.slot(entities_[i]);
    }
    differs_.assign(group.count, packet_.again ? 1 : 0);
    for (std::size_t f = 0; f < group.cls->fields.size(); ++f) {
        if (packet_.values[group.values + f].first != nullptr && group.cls->run_of[f] != NO_RUN)
            write_field(group, f, s);
    }
    std::size_t changed = 0;
    missing_.clear();
    for (std::uint32_t i = 0; i < group.count; ++i) {
        entities_[changed] = entities_[i];
        if (slots_[i] == Storage::ABSENT) missing_.push_back(i);
        else changed += differs_[i];
    }
    entities_.resize(changed);
    if (!predicted_.empty()) attempt(error, [&] { keep(group); });
    if (!entities_.empty()) attempt(error, [&] { state_.tracking().signal(entities_, id); });
    if (group.whole && !missing_.empty()) add_components(group, error);  // otherwise the program has removed them
}

// --- values that only their class can read --------------------------------------------------------

void ChangeTarget::decode(Group& group) {
    auto& s = static_cast<NativeStorage&>(ecs().storage(group.cls->type->id));
    const std::span<const std::uint32_t> indices = packet_.of(group);
    group.decoded = std::make_unique<ValueArray>(s.value_type());
    group.decoded->grow(group.count + 1);
    for (std::size_t i = 0; i < group.count; ++i) {
        EncodedBytes& value = packet_.encoded[group.values + i];
        const Entity e = remains(indices[i]);
        const std::uint32_t slot = e == NONE ? Storage::ABSENT : s.slot(e);
        if (slot != Storage::ABSENT && !packet_.again) {
            value.differs = !has_value(s, slot, value.bytes);
        }
        const Codec& codec = *s.type().codec;
        codec.decode(value.bytes.subspan(1), group.decoded->at(i));
        if (codec.mapper == nullptr) continue;
        codec.map(group.decoded->at(i), [&](Entity target) {
            note_target(indices[i], s.type().id, target);
            return arrival(target);
        });
    }
}

// The value of a component here, as its sender would send it.
ChangeTarget::SentValue ChangeTarget::sent_value(NativeStorage& s, std::uint32_t slot) const {
    SentValue value;
    value.bytes = encoded_value(s, slot, [&](Entity e) {
        const Entity handle = map_back(e);
        value.loses = value.loses || (handle == NONE && e != NONE);
        return handle;
    });
    return value;
}
bool ChangeTarget::has_value(NativeStorage& s, std::uint32_t slot, std::span<const std::byte> bytes) const {
    const SentValue present = sent_value(s, slot);
    return !present.loses && std::equal(present.bytes.begin(), present.bytes.end(), bytes.begin(), bytes.end());
}

// The old value is destroyed last. The last element of the array is unused.
void ChangeTarget::exchange(NativeStorage& s, std::uint32_t slot, const ValueArray& decoded, std::size_t i) {
    const ValueType& type = s.value_type();
    std::byte* const spare = decoded.at(decoded.size() - 1);
    type.move(spare, s.value(slot));
    type.move(s.value(slot), decoded.at(i));
    type.move(decoded.at(i), spare);
}

// Exchanges the values with those that were decoded. Those of object classes are set by the host.
void ChangeTarget::write_decoded(const Group& group, FirstError& error) {
    if (group.decoded == nullptr) return;
    const ComponentId id = group.cls->type->id;
    auto& s = static_cast<NativeStorage&>(ecs().storage(id));
    const std::span<const std::uint32_t> indices = packet_.of(group);
    entities_.clear();
    missing_.clear();
    for (std::uint32_t i = 0; i < group.count; ++i) {
        const Entity e = local_of(indices[i]);
        const std::uint32_t slot = e == NONE ? Storage::ABSENT : s.slot(e);
        if (e != NONE && slot == Storage::ABSENT) missing_.push_back(i);
        if (slot == Storage::ABSENT || !packet_.encoded[group.values + i].differs) continue;
        exchange(s, slot, *group.decoded, i);
        entities_.push_back(e);
    }
    if (!entities_.empty()) attempt(error, [&] { state_.tracking().signal(entities_, id); });
    if (!group.whole || missing_.empty()) return;
    entities_.clear();
    for (const std::uint32_t i : missing_) entities_.push_back(local_of(indices[i]));
    const bool done = error.guard([&] {
        ecs().add(entities_, id, [&](std::size_t i, Storage& to, std::uint32_t slot) {
            to.write_packed(slot, nullptr);  // for members that are not described
            exchange(s, slot, *group.decoded, missing_[i]);
        });
    });
    if (!done) require_added(id);
}

// --------------------------------------------------------------------------------------------------

void ChangeTarget::remove_components(const Group& group, FirstError& error) {
    const ComponentId id = group.cls->type->id;
    if (!predicted_.empty()) attempt(error, [&] { keep(group); });
    for (const std::uint32_t index : packet_.of(group)) {
        references_.forget(index, group.number);
        const Entity e = local_of(index);
        if (e == NONE) continue;  // the program has removed it
        error.guard([&] { static_cast<void>(ecs().remove(e, id)); });
        if (ecs().has(e, id)) sender_.incomplete = true;
    }
}

void ChangeTarget::write_field(const Group& group, std::size_t f, const Storage& s) {
    const FieldRun& run = group.cls->runs[group.cls->run_of[f]];
    if (refers(run.type)) refer(group, f);
    const std::size_t bytes = run.bytes();
    const std::size_t stride = s.stride(run.first);
    std::byte* const column = s.control().columns[run.first];
    const Values& values = packet_.values[group.values + f];
    for (std::size_t i = 0; i < group.count; ++i) {
        if (slots_[i] == Storage::ABSENT) continue;
        std::byte* const to = column + slots_[i] * stride;
        if (equal_words(to, values.at(i), bytes)) continue;
        copy_words(to, values.at(i), bytes);
        differs_[i] = 1;
    }
}

// Calls `visit(at, index, element)` for each reference in a field of a group. `at` is its address in `packet.converted`,
// `index` the index of the sender's entity.
template <class Visit>
void each_reference(const Packet& packet, const Group& group, std::size_t f, Visit&& visit) {
    const std::size_t length = group.cls->runs[group.cls->run_of[f]].length;
    auto* at = const_cast<std::byte*>(packet.values[group.values + f].first);
    for (const std::uint32_t index : packet.of(group)) {
        for (std::size_t k = 0; k < length; ++k, at += sizeof(Entity)) visit(at, index, k);
    }
}

// Whether a group contains references in a field.
bool has_references(const Packet& packet, const Group& group, std::size_t f) {
    if (packet.values[group.values + f].first == nullptr || group.cls->run_of[f] == NO_RUN) return false;
    return refers(group.cls->runs[group.cls->run_of[f]].type);
}

// Before entities are created: a field that refers to something else from now on is not set, with a signal, to one that arrives.
void ChangeTarget::note_references(FirstError& error) {
    for (const Group& group : packet_.groups) {
        if (group.fields == 0 || group.cls->opaque) continue;
        for (std::size_t f = 0; f < group.cls->fields.size(); ++f) {
            if (!has_references(packet_, group, f)) continue;
            each_reference(packet_, group, f, [&](const std::byte* at, std::uint32_t index, std::size_t k) {
                Entity target;
                std::memcpy(&target, at, sizeof target);
                attempt(error, [&] { references_.set({index, group.number, f, k}, target); });
            });
        }
    }
}

// The handles of the sender become those of the entities here.
void ChangeTarget::refer(const Group& group, std::size_t f) const {
    each_reference(packet_, group, f, [&](std::byte* at, std::uint32_t, std::size_t) {
        Entity target;
        std::memcpy(&target, at, sizeof target);
        target = entity(target);
        std::memcpy(at, &target, sizeof target);
    });
}

// All at once.
void ChangeTarget::add_components(const Group& group, FirstError& error) {
    const ComponentId id = group.cls->type->id;
    const std::span<const std::uint32_t> indices = packet_.of(group);
    entities_.clear();
    std::erase_if(missing_, [&](std::uint32_t i) {
        const Entity e = local_of(indices[i]);
        if (e != NONE) entities_.push_back(e);
        return e == NONE;
    });
    const bool done = error.guard([&] {
        ecs().add(entities_, id, [&](std::size_t i, Storage& s, std::uint32_t slot) {
            packed_ = group.cls->defaults;
            pack(group, missing_[i], packed_);
            s.write_packed(slot, packed_.data());
        });
    });
    if (!done) require_added(id);
}

// The components of `entities_` were added, or the packet must be applied again.
void ChangeTarget::require_added(ComponentId id) {
    for (const Entity e : entities_) {
        if (state_.tracking().pool.alive(e) && !ecs().has(e, id)) sender_.incomplete = true;
    }
}

// Sets the fields that the group contains.
void ChangeTarget::pack(const Group& group, std::size_t i, std::vector<std::byte>& packed) const {
    const RemoteClass& cls = *group.cls;
    for (std::size_t f = 0; f < cls.fields.size(); ++f) {
        const Values& values = packet_.values[group.values + f];
        if (values.first == nullptr || cls.run_of[f] == NO_RUN) continue;
        const FieldRun& run = cls.runs[cls.run_of[f]];
        const std::size_t size = size_of(run.type);
        for (std::size_t k = 0; k < run.length; ++k) {
            std::byte* const to = packed.data() + 8 * (run.first + k);
            std::memset(to, 0, 8);
            std::memcpy(to, values.at(i) + k * size, size);
        }
    }
}

}  // namespace crateful::internal
