// A request, and its members.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crateful/ecs.hpp"
#include "json.hpp"

namespace crateful::internal::inspector {

/// Throws `bad_argument`.
[[noreturn]] void refuse(std::initializer_list<std::string_view> message);

/// The part of a list for which a request asks.
struct Page {
    double from = 0;
    std::size_t count = 0;
    /// Whether the element with this number is part of it, if it has so many already.
    [[nodiscard]] bool takes(std::size_t number, std::size_t taken) const noexcept {
        return static_cast<double>(number) >= from && taken < count;
    }
};

/// An object with `ask` or `do`. Each call throws `bad_argument` for a member of a wrong type.
class Request {
public:
    /// Throws `bad_argument` if it is none.
    explicit Request(const Json& json);

    /// What it asks for, or is to be done.
    [[nodiscard]] const std::string& name() const noexcept { return *name_; }
    /// A member, or nullptr.
    [[nodiscard]] const Json* find(const char* member) const;

    [[nodiscard]] std::optional<std::string> text(const char* member) const;
    [[nodiscard]] std::string required_text(const char* member) const;
    [[nodiscard]] std::optional<double> number(const char* member) const;
    [[nodiscard]] double required_number(const char* member) const;
    [[nodiscard]] std::optional<bool> flag(const char* member) const;
    [[nodiscard]] bool required_flag(const char* member) const;
    /// A list of entities, without what are none.
    [[nodiscard]] std::optional<std::vector<Entity>> handles(const char* member) const;
    /// `from` and `count`.
    [[nodiscard]] Page page() const;
    /// `count` of it.
    [[nodiscard]] std::size_t count() const { return whole("count", 100).count; }
    /// A number that is finite and not negative.
    [[nodiscard]] std::optional<double> amount(const char* member) const;
    /// `delta`, in seconds.
    [[nodiscard]] double delta() const;
    /// An entity. Throws `stale_entity` if no entity has ever this handle.
    [[nodiscard]] Entity entity(const char* member = "entity") const;
    /// The same, which must be alive.
    [[nodiscard]] Entity living(const ECS& ecs, const char* member = "entity") const;

private:
    struct Whole {
        double value;
        std::size_t count;
    };
    [[nodiscard]] Whole whole(const char* member, double otherwise) const;
    [[nodiscard]] std::string what(const char* member) const;

    const Json& json_;
    const std::string* name_ = nullptr;
};

/// The handle that is this number; nullopt if none is.
[[nodiscard]] std::optional<Entity> handle_of(const Json& value);

}  // namespace crateful::internal::inspector
