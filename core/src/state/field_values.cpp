#include "field_values.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace crateful::internal {
namespace {

template <class Visit>
auto with_type(FieldType type, Visit&& visit) {
    switch (type) {
        case FieldType::f32: return visit(float{});
        case FieldType::f64: return visit(double{});
        case FieldType::i8: return visit(std::int8_t{});
        case FieldType::i16: return visit(std::int16_t{});
        case FieldType::i32: return visit(std::int32_t{});
        case FieldType::u8:
        case FieldType::boolean: return visit(std::uint8_t{});
        case FieldType::u16: return visit(std::uint16_t{});
        case FieldType::u32:
        case FieldType::entity:
        case FieldType::link:
        case FieldType::string: break;
    }
    return visit(std::uint32_t{});
}

}  // namespace

double load_number(FieldType type, const std::byte* from) noexcept {
    return with_type(type, [&]<class T>(T value) {
        std::memcpy(&value, from, sizeof value);
        return static_cast<double>(value);
    });
}

bool store_number(FieldType type, double value, std::byte* to) noexcept {
    return with_type(type, [&]<class T>(T stored) {
        if constexpr (std::is_integral_v<T>) {
            if (!(value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max())) return false;
            stored = static_cast<T>(value);
            if (static_cast<double>(stored) != value) return false;
        } else {
            stored = static_cast<T>(value);  // rounded
            if (std::isinf(static_cast<double>(stored)) && !std::isinf(value)) return false;
        }
        std::memcpy(to, &stored, sizeof stored);
        return true;
    });
}

std::size_t find_wrong_value(FieldType type, std::size_t count, Values values, std::size_t n) noexcept {
    if (count == 0) return n;
    return with_type(type, [&]<class T>(T value) {
        std::size_t i = 0;
        if constexpr (std::is_integral_v<T>) {
            for (; i < n; ++i) {
                std::memcpy(&value, values.at(i), sizeof value);
                if (static_cast<std::size_t>(value) >= count) break;  // also if it is negative
            }
        }
        return i;
    });
}

HistoryValue field_value(const Strings& strings, const Field& field, const FieldRun& run, const std::byte* from) {
    if (run.length > 1) {
        std::vector<double> elements;
        for (std::size_t k = 0; k < run.length; ++k)
            elements.push_back(load_number(run.type, from + k * size_of(run.type)));
        return {elements};
    }
    const double n = load_number(run.type, from);
    switch (run.type) {
        case FieldType::boolean: return {n != 0};
        case FieldType::entity:
        case FieldType::link: return {Entity{static_cast<std::uint32_t>(n)}};
        case FieldType::string: {
            String s;
            s.number = static_cast<std::uint32_t>(n);
            return {std::string(strings.view(s))};
        }
        default: break;
    }
    if (n >= 0 && n < static_cast<double>(field.names.size())) return {field.names[static_cast<std::size_t>(n)]};
    return {n};
}

}  // namespace crateful::internal
