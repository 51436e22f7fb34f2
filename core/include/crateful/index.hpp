#pragma once
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

#include "crateful/detail/mark_queue.hpp"
#include "crateful/detail/order.hpp"
#include "crateful/detail/strings.hpp"
#include "crateful/entity.hpp"
#include "crateful/found_entities.hpp"
#include "crateful/string.hpp"

namespace crateful {

/// Finds entities by the value of a member, as `ECS::index` returns it (rule Q11). It is brought up to date when it is asked, at the cost
/// of the components that changed since then: they were added or removed, or they signalled. NaN equals itself, -0 equals 0. It contains
/// only pointers, and is valid as long as the ECS. Two threads cannot ask at the same time.
template <class M>
class Index {
    /// A text for a `String`, which then need not exist.
    using Value = std::conditional_t<std::is_same_v<M, String>, std::string_view, M>;

public:
    /// See `ECS::index`.
    Index(MarkDrain& drain, internal::Strings& strings, internal::Order& order) noexcept
        : drain_(&drain), strings_(&strings), order_(&order) {}

    /// The entities whose member has this value, in the order of their indices. A number is rounded to a floating-point member; throws
    /// `bad_argument` for one that another member cannot store. O(changes * log(entities) + result).
    template <class V = Value>
    [[nodiscard]] FoundEntities get(const V& value) const {
        const auto [key, found] = find(stored(value));
        return {internal::Order::has_key, order_, 0, key, {found.begin(), found.end()}};
    }
    /// The first of them, or NONE. Throws likewise.
    template <class V = Value>
    [[nodiscard]] Entity first(const V& value) const {
        const auto [key, found] = find(stored(value));
        for (const Entity e : found) {
            if (internal::Order::has_key(order_, 0, key, e)) return e;
        }
        return NONE;
    }

private:
    template <class V>
    [[nodiscard]] Value stored(const V& value) const {
        if constexpr (std::is_same_v<V, Value> || !std::is_arithmetic_v<M>) {
            return value;
        } else {
            static_assert(std::is_arithmetic_v<V>, "the value must be of the type of the member, or a number");
            const auto number = static_cast<double>(value);
            if constexpr (std::is_integral_v<M>) {
                using Limits = std::numeric_limits<M>;
                const bool fits =
                    number >= static_cast<double>((Limits::min)()) && number <= static_cast<double>((Limits::max)());
                if (!fits || static_cast<double>(static_cast<M>(number)) != number) order_->fail_to_store(number);
            }
            return static_cast<Value>(number);
        }
    }
    [[nodiscard]] internal::Order::Found find(const Value& value) const {
        drain_->drain_marks();
        if constexpr (!std::is_same_v<M, String>) {
            return order_->find(&value);
        } else {
            const std::optional<String> known = strings_->find(value);
            return known ? order_->find(&*known) : internal::Order::Found{};
        }
    }

    MarkDrain* drain_;
    internal::Strings* strings_;
    internal::Order* order_;
};

}  // namespace crateful
