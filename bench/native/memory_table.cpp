#include "memory_table.hpp"

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include <crateful/ecs.hpp>

namespace bench {
namespace {

using namespace crateful;

constexpr std::size_t ENTITIES = 1000;

StorageReport report_of(ComponentId id, std::size_t count) {
    ECS ecs;
    const std::vector<Entity> all = ecs.add_entities(ENTITIES);
    std::vector<Entity> some;  // evenly spread, including the last one
    for (std::size_t i = 1; i <= count; ++i) some.push_back(all[i * ENTITIES / count - 1]);
    ecs.by_id().add(some, id, [](std::size_t, Storage& s, std::uint32_t slot) { s.write_packed(slot, nullptr); });
    return ecs.memory_report().front();
}

ComponentId component_of(std::size_t bytes, Policy policy) {
    std::vector<Field> fields;
    for (std::size_t at = 0; at < bytes; at += 8) fields.push_back({std::to_string(at), FieldType::f64});
    return registry::add_stored(std::to_string(bytes) + " bytes", fields, policy);
}

}  // namespace

void print_memory_table(std::ostream& out) {
    const char* separator = "[";
    for (std::size_t bytes = 8; bytes <= 128; bytes += 8) {
        const ComponentId sparse_class = component_of(bytes, Policy::sparse);
        const ComponentId linear_class = component_of(bytes, Policy::linear);
        for (std::size_t tenths = 1; tenths <= 10; ++tenths) {
            const StorageReport sparse = report_of(sparse_class, ENTITIES * tenths / 10);
            const StorageReport linear = report_of(linear_class, ENTITIES * tenths / 10);
            // `other_bytes` is the result of the formula for the other policy.
            out << separator << "\n  {\"bytes\": " << bytes << ", \"utilisation\": " << sparse.utilisation
                << ", \"linear\": " << sparse.other_bytes << ", \"sparse\": " << linear.other_bytes
                << ", \"linearAllocated\": " << linear.bytes << ", \"sparseAllocated\": " << sparse.bytes
                << ", \"adviceIfSparse\": \"" << sparse.advice << "\", \"adviceIfLinear\": \"" << linear.advice
                << "\"}";
            separator = ",";
        }
    }
    out << "\n]\n";
}

}  // namespace bench
