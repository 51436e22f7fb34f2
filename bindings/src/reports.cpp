#include "reports.hpp"

#include <initializer_list>
#include <string_view>
#include <vector>

namespace crateful::reports {
namespace {

// The last report made; it is read before the next one is asked for.
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
        for (const std::string_view name : row_names) names.append(name).push_back('\0');
        numbers.insert(numbers.end(), row_numbers);
        ++rows;
    }
} table;

}  // namespace

std::string names() { return table.names; }
std::uintptr_t numbers() { return reinterpret_cast<std::uintptr_t>(table.numbers.data()); }

// First: name; id, policy, bytes. Then a field each: name; type, 0, 0. No row: no such class.
int describe_native_class(const std::string& name) {
    table.clear();
    if (const ComponentType* type = registry::find_native(name)) {
        table.add({type->name}, {double(type->id), double(type->policy), double(type->value_bytes)});
        for (const Field& f : type->fields) table.add({f.name}, {double(f.type), 0, 0});
    }
    return table.rows;
}

// Name; priority, enabled, debug, tracked, dirty.
int systems(World& w) {
    table.clear();
    for (SystemBase* s : w.ecs().systems()) {
        table.add({s->name()}, {s->priority(), double(s->enabled()), double(s->debug()), double(s->tracked().size()),
                                double(s->dirty_set().last_visited())});
    }
    return table.rows;
}

// Name, advice; linear, count, utilisation, bytes, bytes under the other policy.
int memory(World& w) {
    table.clear();
    for (const StorageReport& r : w.ecs().memory_report()) {
        table.add({r.name, r.advice}, {double(r.policy == Policy::linear), double(r.count), r.utilisation,
                                       double(r.bytes), double(r.other_bytes)});
    }
    return table.rows;
}

// Group, clock; average, last.
int profile(World& w) {
    table.clear();
    for (const Profiler::Group& g : w.ecs().profiler.report()) {
        for (const Profiler::Reading& c : g.clocks) table.add({g.name, c.name}, {c.average, c.last});
    }
    return table.rows;
}

// Group, clock; start, duration.
int spans(World& w) {
    table.clear();
    for (const Profiler::Span& s : w.ecs().profiler.spans()) table.add({*s.group, *s.name}, {s.start, s.duration});
    return table.rows;
}

ComponentId add_stored_class(const std::string& name, int policy, const std::string& types) {
    std::vector<Field> fields;
    for (const char type : types) fields.push_back({.name = {}, .type = static_cast<FieldType>(type - '0')});
    return registry::add_stored(name, std::move(fields), static_cast<Policy>(policy));
}

}  // namespace crateful::reports
