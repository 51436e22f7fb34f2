#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "crateful/detail/mark_queue.hpp"
#include "crateful/detail/order.hpp"
#include "crateful/detail/write_watch.hpp"
#include "crateful/entity.hpp"

namespace crateful {

/// The order in which `order_by` sorts.
enum class Direction : bool { ascending, descending };

/// See `order_by`.
template <class T, class M>
struct OrderBy {
    M T::* member;
    Direction direction;
};

/// A parameter of `ECS::query`: its rows are in the order of a member, those with equal values in the order of the indices of their
/// entities (rule Q10): `ecs.query<Sprite, const Position>(order_by(&Sprite::depth))`. The member is a number, bool, enum or Entity.
/// NaN is the last one, -0 equals 0.
template <class T, class M>
[[nodiscard]] constexpr OrderBy<T, M> order_by(M T::* member, Direction direction = Direction::ascending) noexcept {
    return {member, direction};
}

namespace internal {
template <class F>
inline constexpr bool is_order = false;
template <class T, class M>
inline constexpr bool is_order<OrderBy<T, M>> = true;
}  // namespace internal

/// A query with an order, as `ECS::query` returns it with `order_by` (rule Q10): a `std::ranges::input_range` of the rows of
/// `Query`. The order is brought up to date when an iteration begins, at the cost of the components that changed since the last one:
/// they were added or removed, or they signalled. A change during an iteration counts for the next one. A step passes over entities of the order that the query does not select, so a query with a
/// rare class is better sorted by a field of that class.
template <class Query>
class OrderedQuery {
public:
    using Row = typename Query::Row;

    /// See `ECS::query`.
    OrderedQuery(const Query& query, MarkDrain& drain, internal::Order& order) noexcept
        : query_(query), drain_(&drain), order_(&order) {}

    /// An iteration over the rows. It continues correctly after any change of the ECS.
    class Iterator {
    public:
        using iterator_concept = std::input_iterator_tag;
        using difference_type = std::ptrdiff_t;
        using value_type = Row;

        /// See `OrderedQuery::begin`.
        Iterator(const Query& query, internal::Order& order)
            : query_(query),
              storage_(order.field().storage),
              list_(order.list()),
              since_(order.time()),
              version_(storage_->control().version) {
            find();
        }
        [[nodiscard]] Row operator*() const noexcept { return Query::row(entity(), found_); }
        /// The entity of the row.
        [[nodiscard]] Entity entity() const noexcept { return (*list_)[at_]; }
        Iterator& operator++() {
            ++at_;
            find();
            return *this;
        }
        void operator++(int) { ++*this; }
        [[nodiscard]] bool operator==(std::default_sentinel_t) const noexcept { return at_ == list_->size(); }

    private:
        // Entities are looked up ahead, so that processors wait for memory less often: ever more of them, as long as nothing changes.
        static constexpr std::size_t MOST_AHEAD = 64;

        void find() {
            watch_.end();
            for (; at_ < list_->size(); ++at_) {
                const bool changed = query_.versions() != versions_;
                if (changed || at_ >= ahead_end_) look_ahead(changed);
                const auto& slots = slots_[at_ % MOST_AHEAD];
                if (slots[0] == Storage::ABSENT) continue;
                found_ = query_.at_slots(entity(), slots);
                return query_.watch_row(watch_, "for over a query", entity());
            }
        }
        // Not inlined, so that loops keep more in registers.
        [[gnu::noinline]] void look_ahead(bool changed) {
            ahead_ = changed ? 1 : (std::min)(2 * ahead_, MOST_AHEAD);
            versions_ = query_.versions();
            ahead_end_ = (std::min)({at_ + ahead_, list_->size(), at_ - at_ % MOST_AHEAD + MOST_AHEAD});
            std::array<Entity, MOST_AHEAD> listed;
            const Entity* entities = list_->data() + at_;
            const std::size_t n = ahead_end_ - at_;
            if (storage_->control().version != version_) {  // otherwise all are listed
                std::transform(entities, entities + n, listed.begin(),
                               [&](Entity e) { return is_listed(e) ? e : NONE; });
                entities = listed.data();
            }
            query_.find_slots(entities, n, &slots_[at_ % MOST_AHEAD]);
        }
        // Whether the entity has had the component since the iteration began.
        [[nodiscard]] bool is_listed(Entity e) const noexcept {
            return storage_->has(e) && !storage_->changes()->added_since(index_of(e), since_);
        }

        Query query_;
        const Storage* storage_;
        internal::Order::List list_;
        internal::ChangeList::Time since_;
        std::uint32_t version_;  // of the storage when the iteration began
        std::size_t at_ = 0;
        typename Query::Found found_;
        // What was found for the entities from `at_` to `ahead_end_`, at these versions: that of number `i` is at `i % MOST_AHEAD`.
        std::array<typename Query::Slots, MOST_AHEAD> slots_;
        std::size_t ahead_end_ = 0;
        std::size_t ahead_ = 1;
        std::uint32_t versions_ = query_.versions();
        internal::WriteWatch watch_;
    };
    /// O(what changed * log(entities)), or O(entities) if many have changed; a step is O(classes).
    [[nodiscard]] Iterator begin() const {
        drain_->drain_marks();
        return Iterator(query_, *order_);
    }
    /// See `begin()`.
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

    /// Calls `visit(Ts&..., Os*...)` or `visit(Entity, Ts&..., Os*...)` for every row. It does not signal. Any change is allowed.
    template <class Visit>
    void each(Visit&& visit) const {
        for (const Row& row : *this) {
            std::apply(
                [&](Entity e, auto&&... values) {
                    if constexpr (std::is_invocable_v<Visit&, Entity, decltype(values)...>) visit(e, values...);
                    else visit(values...);
                },
                row);
        }
    }
    /// The same, and the components that `change` has changed signal, as in `Query::change`; what that allows is allowed here.
    template <class Change>
    void change(Change&& change) const {
        static_assert(!Query::CHANGES_NOTHING, "change: all components of the query are const; use each");
        query_.require_unobserved();
        const auto held = query_.hold_strings();
        for (const Row& row : *this) {
            // Also after a step, in which other entities can have got components.
            const auto check = query_.structure_check("change");
            std::apply([&](Entity e, auto&&... values) { query_.change_one(change, check, e, values...); }, row);
        }
    }
    /// See `Query::of`: rows in the order of `entities`.
    template <class Range>
    [[nodiscard]] auto of(Range&& entities) const {
        return query_.of(std::forward<Range>(entities));
    }
    /// See `Query::has`.
    [[nodiscard]] bool has(Entity e) const noexcept { return query_.has(e); }
    /// See `Query::at`.
    [[nodiscard]] std::optional<Row> at(Entity e) const noexcept { return query_.at(e); }
    /// The first row in the order, if there is any.
    [[nodiscard]] std::optional<Row> first() const {
        const Iterator iterator = begin();
        if (iterator == end()) return std::nullopt;
        return *iterator;
    }
    /// See `Query::count`.
    [[nodiscard]] std::size_t count() const noexcept { return query_.count(); }
    /// A copy of the list of entities, in the order.
    [[nodiscard]] std::vector<Entity> ids() const {
        std::vector<Entity> all;
        for (auto row = begin(); row != end(); ++row) all.push_back(row.entity());
        return all;
    }

private:
    Query query_;
    MarkDrain* drain_;
    internal::Order* order_;
};

}  // namespace crateful
