// The last received values of entities that the program predicts (rule N6).
#include <algorithm>
#include <cstring>

#include "bytes.hpp"
#include "change_target.hpp"
#include "crateful/detail/copy_value.hpp"
#include "crateful/detail/message.hpp"

namespace crateful::internal {

// What it contains now is what was received.
void ChangeTarget::predict(Entity e) {
    const Entity handle = remote(e);
    if (handle == NONE)
        fail(ErrorCode::bad_argument, {"predict: ", describe(e), " is no entity that this replica has created"});
    const std::uint32_t index = index_of(handle);
    if (predicted_.contains(index)) return;
    Kept kept;
    for (std::uint32_t c = 1; c < sender_.classes.size(); ++c) {
        const ComponentType& type = *sender_.classes[c].type;
        const Storage* s = ecs().find_storage(type.id);
        const std::uint32_t slot = s == nullptr ? Storage::ABSENT : s->slot(e);
        if (slot == Storage::ABSENT) continue;
        std::vector<std::byte>& packed = kept.components[c];
        packed.resize(8 * type.fields.size());
        for (std::size_t k = 0; k < type.fields.size(); ++k)
            copy_value(packed.data() + 8 * k, s->control().columns[k] + slot * s->stride(k),
                       size_of(type.fields[k].type));
    }
    hold_strings(kept);
    predicted_.emplace(index, std::move(kept));
}

void ChangeTarget::stop_predicting(Entity e) noexcept {
    if (const Entity handle = remote(e); handle != NONE) predicted_.erase(index_of(handle));
}

// The strings exist as long as they are kept.
void ChangeTarget::hold_strings(Kept& kept) const {
    std::vector<String> strings;
    for (const auto& [c, packed] : kept.components) {
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
        if (group.fields == 0) {
            kept.components.erase(group.number);
        } else {
            std::vector<std::byte>& packed = kept.components[group.number];
            if (group.whole || packed.empty()) packed = group.cls->defaults;
            pack(group, static_cast<std::size_t>(at - indices.begin()), packed);
        }
        hold_strings(kept);
    }
}

void ChangeTarget::reset() {
    state_.require_idle("reset");
    FirstError error;
    std::vector<std::byte> packed;
    for (const auto& [index, kept] : predicted_) {
        const Entity e = local_of(index);
        for (const auto& [c, values] : kept.components) {
            if (!state_.tracking().pool.alive(e)) break;
            const ComponentId id = sender_.classes[c].type->id;
            packed = values;
            set_references(index, c, packed);

            const Storage& s = ecs().storage(id);
            const std::uint32_t slot = s.slot(e);
            if (slot == Storage::ABSENT) error.guard([&] { ecs().add(e, id, packed.data()); });
            else if (unpack(packed, s, slot)) error.guard([&] { state_.tracking().signal(e, id); });
        }
    }
    error.rethrow();
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
