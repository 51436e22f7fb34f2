#pragma once
#include <cstddef>
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

    /// The entities whose member has this value, in the order of their indices. O(changes * log(entities) + result).
    [[nodiscard]] FoundEntities get(const Value& value) const {
        const auto [key, found] = find(value);
        return {internal::Order::has_key, order_, 0, key, {found.begin(), found.end()}};
    }
    /// The first of them, or NONE.
    [[nodiscard]] Entity first(const Value& value) const {
        const auto [key, found] = find(value);
        for (const Entity e : found) {
            if (internal::Order::has_key(order_, 0, key, e)) return e;
        }
        return NONE;
    }

private:
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
