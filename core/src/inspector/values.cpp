#include "values.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "../state/field_values.hpp"
#include "crateful/detail/message.hpp"

namespace crateful::internal::inspector {
namespace {

constexpr std::size_t PACKED = 8;  // bytes of each field in packed values

[[nodiscard]] const char* name_of(FieldType type) noexcept {
    switch (type) {
        case FieldType::f32: return "f32";
        case FieldType::f64: return "f64";
        case FieldType::i8: return "i8";
        case FieldType::u8: return "u8";
        case FieldType::i16: return "i16";
        case FieldType::u16: return "u16";
        case FieldType::i32: return "i32";
        case FieldType::u32: return "u32";
        case FieldType::boolean: return "bool";
        case FieldType::entity: return "entity";
        case FieldType::link: return "link";
        case FieldType::string: return "string";
    }
    return "";
}
[[nodiscard]] std::string type_of(const KnownClass& cls, const FieldRun& run) {
    if (!cls.field(run).names.empty()) return "enum";
    if (run.length == 1) return name_of(run.type);
    return join({name_of(run.type), "x", std::to_string(run.length)});
}

/// Where the value of an element is.
[[nodiscard]] std::byte* address(const KnownClass& cls, std::size_t field, std::uint32_t slot) noexcept {
    return cls.storage->control().columns[field] + slot * cls.storage->stride(field);
}

/// Writes values of JSON to a field, if it can store them.
class FieldWriter {
public:
    FieldWriter(ECS& ecs, const KnownClass& cls, const FieldRun& run, const std::string& call)
        : ecs_(ecs), cls_(cls), run_(run), field_(cls.field(run)), call_(call) {}

    /// The elements of a value; one, if the field is no vector. Throws `bad_argument`.
    [[nodiscard]] std::vector<const Json*> elements(const Json& value) const {
        if (run_.length == 1) return {&value};
        if (!value.is_array()) take("a list of ", std::to_string(run_.length), " numbers", show(&value));
        if (value.size() != run_.length)
            take("a list of ", std::to_string(run_.length), " numbers", std::to_string(value.size()));
        std::vector<const Json*> all;
        for (const Json& each : value) all.push_back(&each);
        return all;
    }
    /// Stores an element in `PACKED` bytes. Throws `bad_argument`.
    void store(const Json& value, std::byte* to) const {
        if (!store_number(run_.type, number(value), to))
            refuse({call_, ": ", cls_.name, ".", field_.name, " is ", name_of(run_.type), ", which can't store ",
                    show(&value)});
    }

private:
    [[nodiscard]] double number(const Json& value) const {
        if (!field_.names.empty()) return position(value);
        if (run_.type == FieldType::boolean) {
            if (!value.is_boolean()) take("a boolean", show(&value));
            return value.get<bool>() ? 1 : 0;
        }
        if (run_.type == FieldType::string) {
            if (!value.is_string()) take("a string", show(&value));
            return ecs_.string(value.get_ref<const std::string&>()).number;
        }
        if (refers(run_.type)) {
            const std::optional<Entity> e = value.is_null() ? NONE : handle_of(value);
            if (!e) take("an entity", show(&value));
            return static_cast<std::uint32_t>(*e);
        }
        const std::optional<double> number = to_number(value);
        if (!number) take("a number", show(&value));
        return *number;
    }
    [[nodiscard]] double position(const Json& value) const {
        const auto& names = field_.names;
        if (value.is_string()) {
            const auto at = std::find(names.begin(), names.end(), value.get_ref<const std::string&>());
            if (at != names.end()) return static_cast<double>(at - names.begin());
        }
        std::string all;
        for (const std::string& name : names) all.append(all.empty() ? "" : ", ").append(in_quotes(name));
        refuse({"field ", field_.name, " takes ", all, ", not ", show(&value)});
    }
    [[noreturn]] void take(std::string_view wanted, std::string_view value) const { take(wanted, "", "", value); }
    [[noreturn]] void take(std::string_view a, std::string_view b, std::string_view c, std::string_view value) const {
        refuse({"field ", field_.name, " (", type_of(cls_, run_), ") takes ", a, b, c, ", not ", value});
    }

    ECS& ecs_;
    const KnownClass& cls_;
    const FieldRun& run_;
    const Field& field_;
    const std::string& call_;
};

}  // namespace

const char* name_of(ComponentKind kind) noexcept {
    return kind == ComponentKind::stored ? "stored" : kind == ComponentKind::native ? "native" : "object";
}

Json describe_field(const KnownClass& cls, const FieldRun& run) {
    const Field& field = cls.field(run);
    Json described{{"name", field.name}, {"type", type_of(cls, run)}};
    if (!field.names.empty()) described["names"] = field.names;
    return described;
}

const FieldRun& require_field(const KnownClass& cls, std::string_view call, const Json* name) {
    const FieldRun* run = nullptr;
    if (name != nullptr && name->is_string()) run = cls.find(name->get_ref<const std::string&>());
    if (run == nullptr) refuse({call, ": ", cls.name, " has no field ", show(name), "; it has ", cls.field_names()});
    return *run;
}
std::size_t require_element(const KnownClass& cls, const FieldRun& run, std::string_view call, const Json& element) {
    const double number = element.is_number() ? element.get<double>() : -1;
    if (!(number >= 0 && number < static_cast<double>(run.length)) || number != std::trunc(number))
        refuse({call, ": ", cls.name, ".", cls.field(run).name, " has no element ", show(&element)});
    return static_cast<std::size_t>(number);
}

HistoryValue read_field(const ECS& ecs, const KnownClass& cls, const FieldRun& run, std::uint32_t slot) {
    const Strings& strings = const_cast<ECS&>(ecs).by_id().strings();
    return field_value(strings, cls.field(run), run, address(cls, run.first, slot));
}
HistoryValue read_element(const ECS& ecs, const KnownClass& cls, const FieldRun& run, std::size_t element,
                          std::uint32_t slot) {
    const Strings& strings = const_cast<ECS&>(ecs).by_id().strings();
    return field_value(strings, cls.field(run), {run.first + element, 1, run.type},
                       address(cls, run.first + element, slot));
}

Json assign(ECS& ecs, const KnownClass& cls, Entity e, const Request& request) {
    const Json& value = *request.find("value");
    const std::optional<double> element = request.number("element");
    if (!cls.has(e)) fail(ErrorCode::missing_component, {request.name(), ": ", entity_text(e), " has no ", cls.name});
    const FieldRun& run = require_field(cls, request.name(), request.find("field"));
    const FieldWriter writer(ecs, cls, run, request.name());
    std::size_t first = 0;
    std::vector<const Json*> given;
    if (element) {
        first = require_element(cls, run, request.name(), *request.find("element"));
        given = {&value};
    } else {
        given = writer.elements(value);
    }
    std::vector<std::byte> values(given.size() * PACKED);
    for (std::size_t k = 0; k < given.size(); ++k) writer.store(*given[k], &values[k * PACKED]);

    StateAccess(ecs).tracking().require_unlocked("set");
    const std::uint32_t slot = cls.storage->slot(e);
    bool differs = false;
    for (std::size_t k = 0; k < given.size(); ++k) {
        std::byte* const to = address(cls, run.first + first + k, slot);
        const double before = load_number(run.type, to);
        const double after = load_number(run.type, &values[k * PACKED]);
        if (before == after || (std::isnan(before) && std::isnan(after))) continue;  // -0 is not stored over 0
        std::memcpy(to, &values[k * PACKED], size_of(run.type));
        differs = true;
    }
    if (differs) ecs.by_id().dirty(e, cls.type->id);
    return to_json(read_field(ecs, cls, run, cls.storage->slot(e)));
}

void add_component(ECS& ecs, const KnownClass& cls, const Request& request) {
    const Json* const values = request.find("values");
    if (values != nullptr && !values->is_object()) {
        refuse(
            {request.name(), ": the values of ", cls.name, " must be an object with its fields, not ", show(values)});
    }
    const Entity e = request.living(ecs);
    const ComponentId id = cls.type->id;
    if (values == nullptr || values->empty()) return ecs.by_id().add(e, id, nullptr);
    Storage& storage = ecs.by_id().storage(id);
    std::vector<std::byte> packed((cls.type->fields.size() + 1) * PACKED);
    for (std::size_t k = 0; k < cls.type->fields.size(); ++k) {
        const Field& field = cls.type->fields[k];
        if (cls.type->kind == ComponentKind::stored) {
            std::memcpy(&packed[k * PACKED], static_cast<ColumnStorage&>(storage).initial(k), PACKED);
        } else {
            const std::uint64_t initial =
                field.initial.value_or(refers(field.type) ? static_cast<std::uint32_t>(NONE) : 0);
            std::memcpy(&packed[k * PACKED], &initial, PACKED);
        }
    }
    for (const auto& [name, value] : values->items()) {
        const Json quoted_name = name;
        const FieldRun& run = require_field(cls, request.name(), &quoted_name);
        const FieldWriter writer(ecs, cls, run, request.name());
        std::size_t k = run.first;
        for (const Json* each : writer.elements(value)) writer.store(*each, &packed[k++ * PACKED]);
    }
    ecs.by_id().add(e, id, packed.data());
}

}  // namespace crateful::internal::inspector
