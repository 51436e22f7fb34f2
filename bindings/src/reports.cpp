#include "reports.hpp"

#include <bit>
#include <cstring>
#include <span>

namespace crateful::reports {
namespace {

// The last report. It is read before the next one is made.
struct Table {
    std::string names;
    std::vector<double> numbers;
    int rows = 0;

    void clear() {
        names.clear();
        numbers.clear();
        rows = 0;
    }
    template <Shape SHAPE, std::size_t N, std::size_t M>
    void add(const std::string_view (&row_names)[N], const double (&row_numbers)[M]) {
        static_assert(N == SHAPE.names && M == SHAPE.numbers);
        append(row_names, row_numbers);
    }

private:
    void append(std::span<const std::string_view> row_names, std::span<const double> row_numbers) {
        for (const std::string_view name : row_names) names.append(name).push_back('\0');
        numbers.insert(numbers.end(), row_numbers.begin(), row_numbers.end());
        ++rows;
    }
} table;

}  // namespace

std::string names() { return table.names; }
const double* numbers() { return table.numbers.data(); }

// First row: name; id, policy, bytes. Then a row per field: name; type, the bytes of its default value, whether it continues a
// vector. Behind it a row per name of its values: name; ENUM_NAME. No rows if there is no such class.
int describe_native_class(const std::string& name) {
    table.clear();
    if (const ComponentType* type = registry::find_native(name)) {
        table.add<COMPONENT_CLASS>({type->name}, {double(type->id), double(type->policy), double(type->value_bytes)});
        for (const Field& f : type->fields) {
            table.add<COMPONENT_CLASS>({f.name},
                                       {double(f.type), std::bit_cast<double>(*f.initial), double(f.continues)});
            for (const std::string& value : f.names) table.add<COMPONENT_CLASS>({value}, {ENUM_NAME, 0, 0});
        }
    }
    return table.rows;
}

// Name, the classes before and after which it runs, each followed by a comma; address, priority, enabled, debug, interval,
// tracked, dirty.
int systems(World& w) {
    table.clear();
    const auto names = [](const auto& constraints) {
        std::string all;
        for (const auto& c : constraints) all.append(c.name).push_back(',');
        return all;
    };
    for (SystemBase* s : w.ecs().systems()) {
        table.add<SYSTEMS>(
            {s->name(), names(s->before_others()), names(s->after_others())},
            {double(reinterpret_cast<std::uintptr_t>(s)), s->priority(), double(s->enabled()), double(s->debug()),
             s->interval(), double(s->tracked().size()), double(s->dirty_set().last_visited()), double(s->sequence())});
    }
    return table.rows;
}

// Name, advice; linear, count, utilisation, bytes, bytes under the other policy.
int memory(World& w) {
    table.clear();
    for (ComponentId id = 0; id < registry::count(); ++id) {
        const Storage* s = w.ecs().by_id().find_storage(id);
        if (s == nullptr) continue;
        const StorageReport r = report(*s, w.ecs().count());
        table.add<MEMORY>({r.name, r.advice}, {double(r.policy == Policy::linear), double(r.count), r.utilisation,
                                               double(r.bytes), double(r.other_bytes)});
    }
    return table.rows;
}

// Group, clock; average, last.
int profile(World& w) {
    table.clear();
    w.ecs().profiler.each_reading([](const std::string& group, const Profiler::Reading& clock) {
        table.add<PROFILE>({group, clock.name}, {clock.average, clock.last});
    });
    return table.rows;
}

// Group, clock; start, duration.
int spans(World& w) {
    table.clear();
    for (const Profiler::Span& s : w.ecs().profiler.spans())
        table.add<SPANS>({*s.group, *s.name}, {s.start, s.duration});
    return table.rows;
}

std::vector<Field> parse_fields(std::string_view bytes) {
    std::vector<Field> fields;
    for (; bytes.size() >= FIELD_BYTES; bytes.remove_prefix(FIELD_BYTES)) {
        std::uint64_t initial = 0;
        std::memcpy(&initial, bytes.data() + 1, sizeof(initial));
        const auto type = static_cast<std::uint8_t>(bytes.front());
        fields.push_back({.name = {},
                          .type = static_cast<FieldType>(type & ~CONTINUES),
                          .initial = initial,
                          .continues = (type & CONTINUES) != 0});
    }
    return fields;
}

ComponentId add_stored_class(const std::string& name, int policy, const std::string& fields) {
    return registry::add_stored(name, parse_fields(fields), static_cast<Policy>(policy));
}

}  // namespace crateful::reports
