// Writing snapshots (rule N1, docs/format.md).
#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>

#include "crateful/detail/insertion_sort.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/detail/state_steps.hpp"
#include "fields.hpp"
#include "format.hpp"
#include "state_access.hpp"
#include "systems.hpp"
#include "time_state.hpp"

namespace crateful {
namespace internal {

namespace {

const EncodedValues* find_values(std::span<const EncodedValues> values, const ComponentType& type) {
    const auto at = std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.id == type.id; });
    return at == values.end() ? nullptr : &*at;
}

// The classes with components that a snapshot contains, by name, so that equal states give equal bytes in every program.
std::vector<const Storage*> classes_of(const Tracking& tracking, const SnapshotOptions& options,
                                       std::span<const EncodedValues> values) {
    std::vector<const Storage*> found;
    if (std::find(options.without.begin(), options.without.end(), "Parent") != options.without.end())
        fail(ErrorCode::bad_argument, {"snapshot: without: Parent is a part of every snapshot"});
    for (const auto& cls : tracking.classes()) {
        if (!cls || cls->storage->count() == 0) continue;
        const ComponentType& type = cls->storage->type();
        if (std::find(options.without.begin(), options.without.end(), type.name) != options.without.end()) continue;
        const bool described = type.kind == ComponentKind::object ? find_values(values, type) != nullptr
                                                                  : is_opaque(type) || is_described(type);
        if (!described) {
            fail(ErrorCode::bad_argument,
                 {"snapshot: ", type.name, " has no fields that are described; describe it, or name it in `without`"});
        }
        found.push_back(cls->storage.get());
    }
    const auto by_name = [](const Storage* a, const Storage* b) { return a->type().name < b->type().name; };
    insertion_sort(found, by_name);
    for (const Storage* s : found) {
        if (s->type().name == "Parent" && s->type().id != PARENT_ID)
            fail(ErrorCode::bad_argument,
                 {"snapshot: Parent is the name of the class of the hierarchy; give yours another one"});
    }
    for (const Storage* s : found) {
        for (const auto& cls : tracking.classes()) {  // also those without components: a reader could take one of them
            if (cls && cls->storage.get() != s && cls->storage->type().name == s->type().name)
                fail(ErrorCode::bad_argument, {"snapshot: two classes have the name ", s->type().name});
        }
    }
    return found;
}

void write_class(Writer& to, const ComponentType& type) {
    const bool records = is_record(type);
    to.text(type.name);
    to.put(is_opaque(type) ? OPAQUE : static_cast<std::uint32_t>(records ? type.value_bytes : 0));
    const std::vector<FieldRun> runs = is_opaque(type) ? std::vector<FieldRun>() : field_runs(type);
    require_different_names(type, runs);
    to.put(static_cast<std::uint32_t>(runs.size()));
    for (const FieldRun& run : runs) {
        const Field& field = type.fields[run.first];
        to.text(field.name);
        to.put(static_cast<std::uint8_t>(field.type));
        to.put(static_cast<std::uint8_t>(run.length));
        to.put(static_cast<std::uint32_t>(records ? field.offset : 0));
        const std::size_t names = count_names(field);
        to.put(static_cast<std::uint32_t>(names));
        for (std::size_t k = 0; k < names; ++k) to.text(field.names[k]);
    }
}

/// The strings of a snapshot, numbered by their first occurrence; the empty one is 0.
class StringNumbers {
public:
    explicit StringNumbers(const Strings& all) : all_(all), numbers_(all.end()) {}
    std::uint32_t of(String s) {
        if (s.empty() || !all_.exists(s)) return 0;
        std::uint32_t& number = numbers_[s.number];
        if (number == 0) {
            texts_.push_back(all_.view(s));
            number = static_cast<std::uint32_t>(texts_.size());
        }
        return number;
    }
    void write(Writer& to) const {
        to.put(static_cast<std::uint32_t>(texts_.size()));
        for (const std::string_view text : texts_) to.text(text);
    }

private:
    const Strings& all_;
    std::vector<std::uint32_t> numbers_;  // by number in the ECS
    std::vector<std::string_view> texts_;
};

void write_opaque(Writer& to, const EncodedValues& values) {
    to.aligned(values.lengths);
    to.align();
    to.array(std::span(values.bytes, std::accumulate(values.lengths.begin(), values.lengths.end(), std::size_t{0})));
}

// Replaces `n` handles.
void map_values(std::byte* first, std::size_t stride, std::size_t n, const EntityMap& map) {
    for (std::size_t i = 0; i < n; ++i) map_handle(first + i * stride, map);
}

// The components of a native class with a codec.
void write_encoded(Writer& to, const Storage& s, const EntityMap& map) {
    std::vector<std::uint32_t> lengths;
    std::vector<std::byte> bytes;
    auto& native = static_cast<NativeStorage&>(const_cast<Storage&>(s));
    for (std::uint32_t slot = s.next_filled(0); slot < s.extent(); slot = s.next_filled(slot + 1)) {
        const std::vector<std::byte> value = map ? encoded_value(native, slot, map) : encoded_value(native, slot);
        lengths.push_back(static_cast<std::uint32_t>(value.size()));
        bytes.insert(bytes.end(), value.begin(), value.end());
    }
    write_opaque(to, {s.type().id, lengths, bytes.data()});
}

void write_components(Writer& to, const Storage& s, StringNumbers& strings, std::span<const EncodedValues> values,
                      const EntityMap& map) {
    const std::uint32_t n = s.count();
    to.put(n);
    to.align();
    std::byte* const entities = to.grow(sizeof(Entity) * n);
    s.each_range([&](std::size_t i, std::uint32_t slot, std::size_t count) {
        std::memcpy(entities + sizeof(Entity) * i, &s.entities()[slot], sizeof(Entity) * count);
    });
    if (map) map_values(entities, sizeof(Entity), n, map);
    if (s.type().codec != nullptr) return write_encoded(to, s, map);
    if (is_opaque(s.type())) return write_opaque(to, *find_values(values, s.type()));
    for (const FieldRun& run : field_runs(s.type())) {
        const Values all{s.control().columns[run.first], s.stride(run.first)};
        s.each_range([&](std::size_t, std::uint32_t slot, std::size_t count) {
            require_writable("snapshot", s.type(), run, {all.at(slot), all.stride}, count,
                             [&](std::size_t k) { return s.entities()[slot + k]; });
        });
    }
    const auto write = [&](const std::byte* from, std::size_t size, std::size_t stride) {
        to.align();
        std::byte* const out = to.grow(size * n);
        s.each_range([&](std::size_t i, std::uint32_t slot, std::size_t count) {
            copy_values(out + i * size, size, {from + slot * stride, stride}, size, count);
        });
    };
    if (is_record(s.type())) {
        const std::size_t size = s.type().value_bytes;
        write(static_cast<const NativeStorage&>(s).first(), size, s.stride(0));
        for (const FieldRun& run : field_runs(s.type())) {
            if (map && refers(run.type))
                map_values(to.last(size * n) + s.type().fields[run.first].offset, size, n, map);
        }
        return;
    }
    for (const FieldRun& run : field_runs(s.type())) {
        write(s.control().columns[run.first], run.bytes(), s.stride(run.first));
        if (map && refers(run.type)) map_values(to.last(run.bytes() * n), run.bytes(), n, map);
        if (run.type != FieldType::string || n == 0) continue;
        std::byte* const first = to.last(run.bytes() * n);
        for (std::uint32_t i = 0; i < n; ++i) {
            std::uint32_t number;
            std::memcpy(&number, first + 4 * i, 4);
            number = strings.of(String(number));
            std::memcpy(first + 4 * i, &number, 4);
        }
    }
}

std::size_t size_of_components(const std::vector<const Storage*>& classes) {
    std::size_t size = 0;
    for (const Storage* s : classes) size += s->count() * (s->type().value_bytes + sizeof(Entity)) + 1024;
    return size;
}

// Writes pieces. A run is a piece in which each entry is one more than the one before, as in a row of entities that were created, or
// removed, one after the other; the other pieces contain what is between runs. Only every 32nd entry is examined as the beginning of a run,
// so that this takes less time than copying: every run of 64 entries is found, shorter ones may not be.
void write_handles(Writer& to, std::span<const Entity> handles) {
    constexpr std::size_t SHORTEST = 32;
    const auto continues = [&](std::size_t i) {
        return static_cast<std::uint32_t>(handles[i]) == static_cast<std::uint32_t>(handles[i - 1]) + 1;
    };
    const auto head = [&](std::size_t n, bool is_run) {
        to.put(static_cast<std::uint32_t>(n << 1 | (is_run ? 1 : 0)));
    };
    std::size_t written = 0;
    const auto write_others = [&](std::size_t end) {
        if (end == written) return;
        head(end - written, false);
        to.array(handles.subspan(written, end - written));
    };
    for (std::size_t i = 0; i + SHORTEST <= handles.size();) {
        std::size_t end = i + 1;
        while (end < i + SHORTEST && continues(end)) ++end;
        if (end < i + SHORTEST) {
            i += SHORTEST;
            continue;
        }
        while (end < handles.size() && continues(end)) ++end;
        while (i > written && continues(i)) --i;
        write_others(i);
        head(end - i, true);
        to.put(handles[i]);
        i = written = end;
    }
    write_others(handles.size());
}

// Those of the pool, or new ones without free indices.
void write_entities(Writer& to, const EntityPool& pool, const EntityMap& map) {
    if (!map) {
        to.put(pool.control().slots);
        to.put(pool.first_free());
        return write_handles(to, pool.handles());
    }
    std::vector<Entity> handles;
    pool.each([&](Entity e) { handles.push_back(map(e)); });
    write_count(to, handles.size());
    to.put(EntityPool::END);
    write_handles(to, handles);
}

// The children of each parent, in their order; parents in the order of their indices.
std::vector<Entity> siblings(const Tracking& tracking) {
    std::vector<Entity> children;
    const Hierarchy& hierarchy = tracking.hierarchy;
    if (hierarchy.empty()) return children;
    tracking.pool.each([&](Entity e) {
        const Hierarchy::Index node = hierarchy.find(e);
        if (node == Hierarchy::NO_NODE) return;
        for (Hierarchy::Index at = hierarchy[node].first; at != Hierarchy::NO_NODE; at = hierarchy[at].next)
            children.push_back(hierarchy[at].entity);
    });
    return children;
}

}  // namespace

EntityMap compact_handles(const ECS& ecs) {
    const EntityPool& pool = StateAccess(const_cast<ECS&>(ecs)).tracking().pool;
    std::vector<Entity> handles(pool.control().slots, NONE);  // by index
    std::uint32_t next = 0;
    pool.each([&](Entity e) { handles[index_of(e)] = Entity{next++}; });
    return [&pool, handles = std::move(handles)](Entity e) { return pool.alive(e) ? handles[index_of(e)] : NONE; };
}

void write_mapped(Writer& to, std::span<const Entity> entities, const EntityMap& map) {
    to.aligned(entities);
    if (map) map_values(to.last(entities.size_bytes()), sizeof(Entity), entities.size(), map);
}

std::vector<std::byte> write_snapshot(const ECS& ecs, const SnapshotOptions& options,
                                      std::span<const EncodedValues> values, const HostEvents& host) {
    const StateAccess state(const_cast<ECS&>(ecs));
    if (options.systems) state.tracking().drain_marks();  // into the dirty sets
    const Tracking& tracking = state.tracking();
    const std::vector<const Storage*> classes = classes_of(tracking, options, values);
    const EntityMap map = options.compact ? compact_handles(ecs) : EntityMap();
    std::vector<std::byte> bytes;
    bytes.reserve(size_of_components(classes) + tracking.pool.control().slots * 8 + 4096);
    Writer to(bytes);
    put_header(to);
    write_time(to, state);
    write_entities(to, tracking.pool, map);
    write_count(to, state.pending_removals().size());
    write_mapped(to, state.pending_removals(), map);

    to.put(static_cast<std::uint32_t>(classes.size()));
    for (const Storage* s : classes) write_class(to, s->type());
    std::vector<std::string> without = options.without;
    insertion_sort(without, std::less<std::string>());
    to.put(static_cast<std::uint32_t>(without.size()));
    for (const std::string& name : without) to.text(name);
    StringNumbers strings(tracking.strings);
    for (const Storage* s : classes) write_components(to, *s, strings, values, map);

    const bool has_parents =
        std::any_of(classes.begin(), classes.end(), [](const Storage* s) { return s->type().id == PARENT_ID; });
    if (has_parents) write_mapped(to, siblings(tracking), map);
    strings.write(to);
    EventWriter events("snapshot", options.without, map);
    write_events(to, state, events, host);
    to.put(static_cast<std::uint8_t>(options.systems ? 1 : 0));
    if (options.systems) write_systems(to, state, events, host, map);
    complete_header(bytes);
    return bytes;
}

std::vector<std::byte> snapshot_with(const ECS& ecs, const SnapshotOptions& options, const HostEvents& host) {
    require_idle(ecs, "snapshot");
    const StateLock lock(const_cast<ECS&>(ecs));  // for functions that encode values
    return write_snapshot(ecs, options, {}, host);
}

}  // namespace internal

std::vector<std::byte> snapshot(const ECS& ecs, const SnapshotOptions& options) {
    return internal::snapshot_with(ecs, options, {});
}

}  // namespace crateful
