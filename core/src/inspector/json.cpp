#include "json.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <variant>

#include "crateful/detail/message.hpp"

namespace crateful::internal::inspector {

Json to_json(double value) {
    constexpr double WHOLE = 9007199254740992;  // up to 2⁵³, integers are written without a fraction
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
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

std::string show(const Json* value) {
    if (value == nullptr) return "undefined";
    switch (value->type()) {
        case Json::value_t::string: return in_quotes(value->get_ref<const std::string&>());
        case Json::value_t::array: return "an array";
        case Json::value_t::object: return "an object";
        case Json::value_t::boolean: return value->get<bool>() ? "true" : "false";
        case Json::value_t::null: return "null";
        default: return dump(*value);
    }
}
std::string in_quotes(std::string_view text) { return dump(Json(text)); }
std::string dump(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

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
