#include "fields.hpp"

#include <algorithm>
#include <cstring>

#include "crateful/detail/message.hpp"

namespace crateful::internal {
namespace {

bool is_numeric(FieldType type) { return type <= FieldType::u32; }

}  // namespace

StoredField read_field(Reader& from) {
    StoredField field;
    field.name = from.text();
    const auto type = from.get<std::uint8_t>();
    if (type > static_cast<std::uint8_t>(FieldType::string)) from.fail("no field has this type");
    field.type = static_cast<FieldType>(type);
    field.length = from.get<std::uint8_t>();
    field.offset = from.get<std::uint32_t>();
    const auto names = from.get<std::uint32_t>();
    from.require(names, 4);
    for (std::uint32_t k = 0; k < names; ++k) field.names.push_back(from.text());
    if (const std::string_view damage = field.damage(); !damage.empty()) from.fail(damage);
    return field;
}

std::string_view StoredField::damage() const noexcept {
    if (length == 0 || length > (is_numeric(type) ? 64u : 1u)) return "no field has this length";
    const bool may_have_names = is_numeric(type) && type > FieldType::f64 && length == 1;
    return names.empty() || may_have_names ? "" : "no field of this type has names";
}

std::size_t find_damage(const StoredField& stored, Values values, std::size_t n) noexcept {
    return find_wrong_value(stored.type, count_values(stored.type, stored.names.size()), values, n);
}

void require_different_names(const ComponentType& type, std::span<const FieldRun> runs) {
    for (std::size_t r = 0; r < runs.size(); ++r) {
        for (std::size_t other = 0; other < r; ++other) {
            const Field& field = type.fields[runs[r].first];
            if (type.fields[runs[other].first].name == field.name) fail_field_name(type, field);
        }
    }
}

std::size_t count_names(const Field& field) noexcept {
    return field.type == FieldType::string ? 0 : field.names.size();  // that of a string is its default
}

void fail_unwritable(const char* call, const ComponentType& type, const FieldRun& run, const std::byte* value,
                     Entity e) {
    const Field& field = type.fields[run.first];
    const bool is_bool = run.type == FieldType::boolean;
    fail(ErrorCode::bad_argument, {call, ": ", type.name, ".", field.name, " of ", to_string(e), " is ",
                                   number_text(load_number(run.type, value)),
                                   is_bool ? "; a bool is 0 or 1" : "; its names have the numbers from 0 to ",
                                   is_bool ? "" : number_text(static_cast<double>(count_names(field) - 1))});
}

bool same_values(const StoredField& stored, const FieldRun& run, const Field& field) {
    return stored.type == run.type && stored.length == run.length &&
           std::equal(stored.names.begin(), stored.names.end(), field.names.begin(), field.names.end());
}

std::vector<std::byte> convert(const StoredField& stored, Values values, std::size_t n, std::string_view owner,
                               const FieldRun& run, const Field& field, const char* call, bool ignore_unknown) {
    const auto refuse = [&](std::string_view why, std::string_view more = {}) {
        const bool is_sent = std::string_view(call) == "apply";
        fail(ErrorCode::bad_argument, {call, ": ", owner, ".", field.name, ": ", why, more,
                                       is_sent ? "; is the sender another version of the program?" : ""});
    };
    const bool same_kind = (is_numeric(stored.type) && is_numeric(run.type)) ||
                           (refers(stored.type) && refers(run.type)) || stored.type == run.type;
    if (!same_kind) refuse("the bytes have a value of another kind");
    if (stored.length > run.length) refuse("the bytes have a longer vector");

    std::vector<double> numbers(stored.names.size());  // of an enum: by the number in the bytes, that of the name now
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        const auto at = std::find(field.names.begin(), field.names.end(), stored.names[k]);
        numbers[k] = at == field.names.end() ? -1 : static_cast<double>(at - field.names.begin());
        if (field.names.empty()) numbers[k] = static_cast<double>(k);
    }
    const std::size_t size = size_of(run.type);
    std::vector<std::byte> converted(n * run.bytes() + 1);  // never empty, so that there is a pointer
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < run.length; ++k) {
            std::byte* to = converted.data() + i * run.bytes() + k * size;
            if (k >= stored.length) {  // the vector has become longer
                std::memset(to, 0, size);
                continue;
            }
            double value = load_number(stored.type, values.at(i) + k * size_of(stored.type));
            if (!numbers.empty()) {
                const double number = numbers[static_cast<std::size_t>(value)];
                if (number < 0 && ignore_unknown) {
                    const std::uint64_t initial = *field.initial;
                    std::memcpy(to, &initial, size);
                    continue;
                }
                if (number < 0) refuse("the class has no value ", stored.names[static_cast<std::size_t>(value)]);
                value = number;
            } else if (!field.names.empty() && !(value >= 0 && value < static_cast<double>(field.names.size()))) {
                refuse("no name has the number ", number_text(value));
            }
            if (!store_number(run.type, value, to)) refuse("the field cannot store ", number_text(value));
        }
    }
    return converted;
}

}  // namespace crateful::internal
