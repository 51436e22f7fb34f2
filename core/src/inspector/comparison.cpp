#include "comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "values.hpp"

namespace crateful::internal::inspector {
namespace {

using Matcher = std::function<bool(const HistoryValue&)>;

[[nodiscard]] bool is_number_text(std::string_view text) {
    return !trim(text).empty() && (text == "NaN" || !std::isnan(number_of(text)));
}
[[nodiscard]] bool is_none(std::string_view text) {
    const std::string name = lower(text);
    return name == "none" || name == "null";
}
[[nodiscard]] bool is_entity_text(std::string_view text) {
    if (is_none(text)) return true;
    return text.size() > 1 && text[0] == '#' &&
           std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= '0' && c <= '9'; });
}
[[nodiscard]] std::string text_of(const HistoryValue& value) {
    return std::visit(
        []<class T>(const T& is) -> std::string {
            if constexpr (std::is_same_v<T, std::string>) return is;
            else if constexpr (std::is_same_v<T, bool>) return is ? "true" : "false";
            else if constexpr (std::is_same_v<T, double>) return inspector::text_of(is);
            else return {};
        },
        value.is);
}

/// References to entities.
[[nodiscard]] Matcher match_entity(std::string_view operation, std::string_view text) {
    const bool none = is_none(text);
    const double wanted = none ? 0 : number_of(text.substr(text.starts_with('#') ? 1 : 0));
    return [none, wanted, negated = operation == "!="](const HistoryValue& value) {
        const Entity e = std::get<Entity>(value.is);
        const bool equal =
            none ? e == NONE
                 : e != NONE && (wanted == static_cast<double>(static_cast<std::uint32_t>(e)) || wanted == index_of(e));
        return equal != negated;
    };
}

/// Values of any other type. A number that is NaN stands for a text that is none.
[[nodiscard]] Matcher match(std::string_view operation, std::string text, bool quoted) {
    const bool numeric = !quoted && is_number_text(text);
    const double number = numeric ? number_of(text) : 0;
    if (operation == "~") {
        return [part = lower(text)](const HistoryValue& value) {
            return lower(text_of(value)).find(part) != std::string::npos;
        };
    }
    if (operation == "=" || operation == "==" || operation == "!=") {
        return [=, negated = operation == "!="](const HistoryValue& value) {
            const auto* const n = std::get_if<double>(&value.is);
            const bool equal = n == nullptr ? text_of(value) == text
                                            : numeric && (*n == number || (std::isnan(*n) && std::isnan(number)));
            return equal != negated;
        };
    }
    if (!numeric && !quoted)
        refuse({"where: ", operation, " compares numbers, and \"texts\" in quotation marks, not ", text});
    return [=, sign = operation[0], or_equal = operation.size() > 1](const HistoryValue& value) {
        double order = std::numeric_limits<double>::quiet_NaN();
        if (!numeric) order = text_of(value).compare(text);
        else if (const auto* const n = std::get_if<double>(&value.is)) order = *n - number;
        return (sign == '<' ? order < 0 : order > 0) || (or_equal && order == 0);
    };
}

/// Throws `bad_argument` if no value of the field compares with the text.
void require_comparable(const Field& field, FieldType type, std::string_view name, std::string_view operation,
                        std::string_view given, std::string_view text) {
    if (!field.names.empty()) {
        if (operation != "~" && std::find(field.names.begin(), field.names.end(), given) == field.names.end()) {
            std::string all;
            for (const std::string& each : field.names) all.append(all.empty() ? "" : ", ").append(each);
            refuse({"where: ", name, " is ", all, ", not ", given});
        }
        if (operation != "=" && operation != "==" && operation != "!=" && operation != "~")
            refuse({"where: names have no order, so ", operation, " can't compare them"});
    } else if (type == FieldType::boolean) {
        if (given != "true" && given != "false") refuse({"where: ", name, " is true or false, not ", given});
    } else if (type != FieldType::string && !is_number_text(given) && !(refers(type) && is_entity_text(given))) {
        refuse({"where: ", name, " is a number, not ", text});
    }
}

[[nodiscard]] std::size_t element_of(const std::vector<std::string_view>& path, const FieldRun& run) {
    const std::string_view part = path[1];
    std::size_t element = part.size() == 1 ? std::string_view("xyzw").find(part) : std::string_view::npos;
    if (std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; })) {
        const double number = number_of(part);
        element = number < static_cast<double>(run.length) ? static_cast<std::size_t>(number) : run.length;
    }
    if (path.size() == 2 && element < run.length) return element;
    std::string before(path[0]);
    for (std::size_t k = 1; k + 1 < path.size(); ++k) before.append(".").append(path[k]);
    refuse({"where: ", before, " has no element ", path.back()});
}

}  // namespace

std::string_view unquoted(std::string_view text) noexcept {
    return text.starts_with('"') ? text.substr(1, text.size() - 2) : text;
}

Condition compare_field(const ECS& ecs, const KnownClass& cls, const std::vector<std::string_view>& path,
                        std::string_view operation, std::string_view value) {
    const bool quoted = value.starts_with('"');
    const std::string_view given = unquoted(value);
    const FieldRun* const run = cls.find(path[0]);
    if (run == nullptr) refuse({"where: ", cls.name, " has no field ", path[0], "; it has ", cls.field_names()});
    std::size_t element = 0;
    if (path.size() > 1) {
        element = element_of(path, *run);
    } else if (run->length > 1) {
        refuse({"where: ", cls.name, ".", path[0], " is a vector; name an element, as ", path[0], ".x or ", path[0],
                "[0]"});
    }
    const Field& field = cls.field(*run);
    require_comparable(field, run->type, path[0], operation, given, value);
    Matcher matches = refers(run->type) ? match_entity(operation, given)
                                        : match(operation, std::string(given), quoted || !field.names.empty());
    return [ecs = &ecs, cls = &cls, run, element, matches = std::move(matches)](Entity e) {
        return cls->has(e) && matches(read_element(*ecs, *cls, *run, element, cls->storage->slot(e)));
    };
}

}  // namespace crateful::internal::inspector
