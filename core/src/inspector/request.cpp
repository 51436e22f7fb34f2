#include "request.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "crateful/detail/message.hpp"

namespace crateful::internal::inspector {
namespace {

constexpr std::size_t MOST_ROWS = 1000;
constexpr std::array<std::string_view, 12> ASKS{"world",  "systems", "classes", "entities", "column", "children",
                                                "entity", "why",     "by",      "memory",   "events", "frames"};
constexpr std::array<std::string_view, 14> DOES{"set",    "add", "remove", "destroy", "enable", "disable", "pause",
                                                "resume", "run", "step",   "measure", "record", "watch",   "rewind"};

[[nodiscard]] std::string list(std::span<const std::string_view> names) {
    std::string all;
    for (const std::string_view name : names) {
        if (name.empty()) continue;
        if (!all.empty()) all += ' ';
        all += name;
    }
    return all;
}

}  // namespace

void refuse(std::initializer_list<std::string_view> message) { fail(ErrorCode::bad_argument, message); }

std::optional<Entity> handle_of(const Json& value) {
    if (!value.is_number()) return std::nullopt;
    const auto number = value.get<double>();
    if (!(number >= 0 && number <= std::numeric_limits<std::uint32_t>::max()) || number != std::trunc(number))
        return std::nullopt;
    return Entity{static_cast<std::uint32_t>(number)};
}

Request::Request(const Json& json) : json_(json) {
    if (!json.is_object()) refuse({"inspect: a request is an object with \"ask\" or \"do\", not ", show(&json)});
    const Json* const order = find("do");
    const Json* const name = order != nullptr ? order : find("ask");
    const std::span<const std::string_view> known = order != nullptr ? std::span<const std::string_view>(DOES) : ASKS;
    if (name != nullptr && name->is_string()) name_ = &name->get_ref<const std::string&>();
    if (name_ == nullptr || name_->empty() || std::find(known.begin(), known.end(), *name_) == known.end()) {
        refuse({"inspect: ", order != nullptr ? "do" : "ask", " must be one of: ", list(known), ", not ", show(name)});
    }
}

const Json* Request::find(const char* member) const {
    const auto at = json_.find(member);
    return at == json_.end() ? nullptr : &*at;
}
std::string Request::what(const char* member) const { return join({name(), ": ", member}); }

std::optional<std::string> Request::text(const char* member) const {
    const Json* const value = find(member);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string()) refuse({what(member), " must be a string, not ", show(value)});
    return value->get<std::string>();
}
std::string Request::required_text(const char* member) const {
    std::optional<std::string> value = text(member);
    if (!value) refuse({what(member), " is missing"});
    return *std::move(value);
}
std::optional<double> Request::number(const char* member) const {
    const Json* const value = find(member);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number()) refuse({what(member), " must be a number, not ", show(value)});
    return value->get<double>();
}
double Request::required_number(const char* member) const {
    const std::optional<double> value = number(member);
    if (!value) refuse({what(member), " is missing"});
    return *value;
}
std::optional<bool> Request::flag(const char* member) const {
    const Json* const value = find(member);
    if (value == nullptr) return std::nullopt;
    if (!value->is_boolean()) refuse({what(member), " must be a boolean, not ", show(value)});
    return value->get<bool>();
}
bool Request::required_flag(const char* member) const {
    const std::optional<bool> value = flag(member);
    if (!value) refuse({what(member), " is missing"});
    return *value;
}

Request::Whole Request::whole(const char* member, double otherwise) const {
    const Json* const value = find(member);
    const double number = value == nullptr ? otherwise : value->is_number() ? value->get<double>() : -1;
    if (!(number >= 0) || number != std::trunc(number))
        refuse({member, " must be a whole number that is not negative, not ", show(value)});
    return {number, static_cast<std::size_t>((std::min)(number, static_cast<double>(MOST_ROWS)))};
}
std::optional<std::vector<Entity>> Request::handles(const char* member) const {
    const Json* const value = find(member);
    if (value == nullptr) return std::nullopt;
    if (!value->is_array()) refuse({what(member), " must be a list, not ", show(value)});
    std::vector<Entity> all;
    for (const Json& each : *value) {
        if (const std::optional<Entity> e = handle_of(each)) all.push_back(*e);
    }
    return all;
}
Page Request::page() const {
    const double from = whole("from", 0).value;
    return {from, count()};
}
std::optional<double> Request::amount(const char* member) const {
    const Json* const value = find(member);
    if (value == nullptr) return std::nullopt;
    const double amount = value->is_number() ? value->get<double>() : -1;
    if (!(amount >= 0 && amount <= (std::numeric_limits<double>::max)()))
        refuse({what(member), " must be a finite, non-negative number, not ", show(value)});
    return amount;
}
double Request::delta() const { return amount("delta").value_or(1.0 / 60); }

Entity Request::entity(const char* member) const {
    const Json* const value = find(member);
    if (value == nullptr || !value->is_number()) refuse({name(), ": the entity must be a number, not ", show(value)});
    if (const std::optional<Entity> e = handle_of(*value)) return *e;
    fail(ErrorCode::stale_entity, {name(), ": entity ", show(value), " is not alive"});
}
Entity Request::living(const ECS& ecs, const char* member) const {
    const Entity e = entity(member);
    if (!ecs.alive(e)) fail(ErrorCode::stale_entity, {name(), ": ", entity_text(e), " is not alive"});
    return e;
}

}  // namespace crateful::internal::inspector
