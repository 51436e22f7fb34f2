#include "json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>
#include <type_traits>
#include <variant>

#include "crateful/detail/message.hpp"

namespace crateful::internal::inspector {

Json to_json(double value) {
    constexpr double WHOLE = 9007199254740992;  // up to 2⁵³, integers are written without a fraction
    if (!std::isfinite(value)) return text_of(value);
    if (value == std::trunc(value) && std::abs(value) <= WHOLE) return static_cast<std::int64_t>(value);
    return value;
}
Json to_json(Entity e) { return e == NONE ? Json() : Json(static_cast<std::uint32_t>(e)); }

Json to_json(const HistoryValue& value) {
    return std::visit(
        []<class T>(const T& is) -> Json {
            if constexpr (std::is_same_v<T, std::monostate>) {
                return nullptr;
            } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, Entity>) {
                return to_json(is);
            } else if constexpr (std::is_same_v<T, std::vector<double>>) {
                Json list = Json::array();
                for (const double each : is) list.push_back(to_json(each));
                return list;
            } else if constexpr (std::is_same_v<T, std::vector<std::byte>>) {
                return join({"[", std::to_string(is.size()), " bytes]"});
            } else if constexpr (std::is_same_v<T, HistoryFields>) {
                Json fields = Json::object();
                for (const auto& [name, each] : is) fields[name] = to_json(each);
                return fields;
            } else {
                return is;
            }
        },
        value.is);
}

std::optional<double> to_number(const Json& value) {
    if (value.is_number()) return value.get<double>();
    if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (value == "Infinity") return std::numeric_limits<double>::infinity();
    if (value == "-Infinity") return -std::numeric_limits<double>::infinity();
    return std::nullopt;
}

// --- texts ----------------------------------------------------------------------------------------

std::string text_of(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
    if (value == 0) return "0";
    char buffer[40];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, std::abs(value), std::chars_format::scientific).ptr;
    const std::string_view all(buffer, static_cast<std::size_t>(end - buffer));  // "1.25e+03"
    const std::size_t e = all.find('e');
    std::string digits(1, all[0]);
    if (e > 2) digits += all.substr(2, e - 2);
    int exponent = 0;
    for (const char c : all.substr(e + 2)) exponent = 10 * exponent + (c - '0');
    if (all[e + 1] == '-') exponent = -exponent;

    const int n = static_cast<int>(digits.size());
    std::string text = value < 0 ? "-" : "";
    if (exponent >= n - 1 && exponent < 21) {
        text.append(digits).append(static_cast<std::size_t>(exponent - n + 1), '0');
    } else if (exponent >= 0 && exponent < 21) {
        const std::size_t whole = static_cast<std::size_t>(exponent) + 1;
        text.append(digits, 0, whole).append(".").append(digits, whole);
    } else if (exponent >= -6 && exponent < 0) {
        text.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(digits);
    } else {
        text += digits[0];
        if (n > 1) text.append(".").append(digits, 1);
        text.append(exponent < 0 ? "e-" : "e+").append(std::to_string(std::abs(exponent)));
    }
    return text;
}

double number_of(std::string_view text) {
    constexpr double NO_NUMBER = std::numeric_limits<double>::quiet_NaN();
    std::string_view rest = text = trim(text);
    if (text.empty()) return 0;
    if (rest[0] == '+' || rest[0] == '-') rest.remove_prefix(1);
    if (rest == "Infinity") return (text[0] == '-' ? -1 : 1) * std::numeric_limits<double>::infinity();
    // What a stream reads more than JavaScript: "1e", hexadecimal numbers, "inf".
    const auto digits = [&] {
        const std::size_t before = rest.size();
        while (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') rest.remove_prefix(1);
        return before - rest.size();
    };
    std::size_t n = digits();
    if (rest.starts_with('.')) {
        rest.remove_prefix(1);
        n += digits();
    }
    if (n == 0) return NO_NUMBER;
    if (rest.starts_with('e') || rest.starts_with('E')) {
        rest.remove_prefix(1);
        if (rest.starts_with('+') || rest.starts_with('-')) rest.remove_prefix(1);
        if (digits() == 0) return NO_NUMBER;
    }
    if (!rest.empty()) return NO_NUMBER;
    std::istringstream in{std::string(text)};
    in.imbue(std::locale::classic());
    double value = 0;
    in >> value;  // one that is too large sets the failbit
    if (in.fail() && value != 0) return (value < 0 ? -1 : 1) * std::numeric_limits<double>::infinity();
    return value;
}

std::string show(const Json* value) {
    if (value == nullptr) return "undefined";
    switch (value->type()) {
        case Json::value_t::string: return in_quotes(value->get_ref<const std::string&>());
        case Json::value_t::array: return "an array";
        case Json::value_t::object: return "an object";
        case Json::value_t::boolean: return value->get<bool>() ? "true" : "false";
        case Json::value_t::null: return "null";
        default: return text_of(value->get<double>());
    }
}
std::string in_quotes(std::string_view text) { return dump(Json(text)); }
std::string dump(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string lower(std::string_view text) {
    std::string made(text);
    for (char& c : made) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return made;
}
std::string_view trim(std::string_view text) noexcept {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

std::string entity_text(Entity e) { return e == Entity{0} ? "the world" : crateful::to_string(e); }

const char* name_of(ErrorCode code) noexcept {
    switch (code) {
        case ErrorCode::stale_entity: return "STALE_ENTITY";
        case ErrorCode::missing_component: return "MISSING_COMPONENT";
        case ErrorCode::bad_system: return "BAD_SYSTEM";
        case ErrorCode::bad_argument: return "BAD_ARGUMENT";
        case ErrorCode::reentrant_update: return "REENTRANT_UPDATE";
        case ErrorCode::not_initialised: return "NOT_INITIALISED";
        case ErrorCode::disposed: return "DISPOSED";
        case ErrorCode::out_of_memory: return "OUT_OF_MEMORY";
        case ErrorCode::too_deep: return "TOO_DEEP";
        case ErrorCode::bad_data: return "BAD_DATA";
    }
    return "FAILED";
}

}  // namespace crateful::internal::inspector
