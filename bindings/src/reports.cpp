#include "reports.hpp"

#include <bit>
#include <cstring>
#include <initializer_list>

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
    void add(std::initializer_list<std::string_view> row_names, std::initializer_list<double> row_numbers) {
        for (const std::string_view name : row_names) add_name(name);
        numbers.insert(numbers.end(), row_numbers);
        ++rows;
    }
    void add_name(std::string_view name) { names.append(name).push_back(internal::END); }
} table;

}  // namespace

const char* names() { return table.names.data(); }
const double* numbers() { return table.numbers.data(); }

// First row: name; id, policy, bytes. Then a row per field: name; type, the bytes of its default value, whether it continues a
// vector. Behind it a row per name of its values: name; ENUM_NAME. No rows if there is no such class.
int describe_native_class(const std::string& name) {
    table.clear();
    if (const ComponentType* type = registry::find_native(name)) {
        table.add({type->name}, {double(type->id), double(type->policy), double(type->value_bytes)});
        for (const Field& f : type->fields) {
            table.add({f.name}, {double(f.type), std::bit_cast<double>(*f.initial), double(f.continues)});
            for (const std::string& value : f.names) table.add({value}, {ENUM_NAME, 0, 0});
        }
    }
    return table.rows;
}

// The name, the names of the systems before which it runs, and of the systems after which it runs; address, priority, enabled, debug,
// interval, tracked, dirty, order of addition, and the lengths of these two lists.
int systems(World& w) {
    table.clear();
    for (SystemBase* s : w.ecs().systems()) {
        const auto& before = s->before_others();
        const auto& after = s->after_others();
        table.add({s->name()},
                  {double(reinterpret_cast<std::uintptr_t>(s)), s->priority(), double(s->enabled()), double(s->debug()),
                   s->interval(), double(s->tracked().size()), double(s->dirty_set().last_visited()),
                   double(s->sequence()), double(before.size()), double(after.size())});
        for (const auto* others : {&before, &after}) {
            for (const auto& other : *others) table.add_name(other.name);
        }
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
        table.add({r.name, r.advice}, {double(r.policy == Policy::linear), double(r.count), r.utilisation,
                                       double(r.bytes), double(r.other_bytes)});
    }
    return table.rows;
}

// Group, clock; average, last.
int profile(World& w) {
    table.clear();
    w.ecs().profiler.each_reading([](const std::string& group, const Profiler::Reading& clock) {
        table.add({group, clock.name}, {clock.average, clock.last});
    });
    return table.rows;
}

// Group, clock; start, duration.
int spans(World& w) {
    table.clear();
    for (const Profiler::Span& s : w.ecs().profiler.spans()) table.add({*s.group, *s.name}, {s.start, s.duration});
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
