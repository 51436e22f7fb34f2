#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "crateful/detail/before.hpp"
#include "crateful/detail/each.hpp"
#include "crateful/detail/prefab_classes.hpp"
#include "crateful/detail/prefetch.hpp"
#include "crateful/detail/slot_table.hpp"
#include "crateful/detail/structure_check.hpp"
#include "crateful/detail/type_info.hpp"
#include "crateful/detail/write_watch.hpp"
#include "crateful/ecs.hpp"
#include "crateful/filters.hpp"

namespace crateful {

/// The entities that have certain components (rules H5, Q1, Q5, Q7, Q9), as `ECS::query` returns it:
///
///     for (auto [entity, position, velocity] : ecs.query<Position, const Velocity>(exclude<Frozen>)) { … }
///
/// It contains only pointers: it can be copied, is always up to date, and is valid as long as the ECS. Its functions
/// visit the entities of the rarest required class, in the order of its storage. They never signal, except `change`.
///
/// A query is a `std::ranges::input_range` of rows. In a loop over it every change is allowed: an entity that is
/// selected throughout is visited exactly once, one that is no longer selected is not visited, and neither is one that was
/// created meanwhile (rules T4, Q4). Loops over the same query can be nested.
template <class... Ts, class... Os, class... Xs, class... As, class... Ps>
class Query<Require<Ts...>, Optional<Os...>, Exclude<Xs...>, Any<As...>, OfParent<Ps...>> {
    static_assert((... && !std::is_reference_v<Ts>) && (... && !std::is_reference_v<Os>) &&
                      (... && !std::is_reference_v<Ps>),
                  "query: name the classes without &: query<Position, const Velocity>; rows contain references");
    static_assert(sizeof...(Ts) > 0, "query: name the components that are required, as in query<Position, Velocity>");
    static_assert((... && !internal::is_one_of<std::remove_const_t<Xs>, std::remove_const_t<Ts>...>),
                  "query: a class is both required and excluded, so no entity is selected");
    static constexpr std::size_t N = sizeof...(Ts);
    static constexpr std::size_t OTHERS = sizeof...(Os) + sizeof...(Ps);
    static constexpr bool CHANGES_NOTHING =
        (... && std::is_const_v<Ts>) && (... && std::is_const_v<Os>) && (... && std::is_const_v<Ps>);
    using World = std::conditional_t<CHANGES_NOTHING, const ECS, ECS>;
    using Found = std::tuple<Ts*..., Os*..., Ps*...>;
    template <std::size_t K>
    using OtherClass = std::remove_pointer_t<std::tuple_element_t<K, std::tuple<Os*..., Ps*...>>>;

public:
    /// An entity with a reference to each required component, a pointer to each optional one, which is nullptr if
    /// the entity does not have it, and one to each component of its parent, which is nullptr if there is no parent or it
    /// lacks the component (rule H5). Writing to a component does not signal (rule D2). Valid until components of these
    /// classes are added or removed.
    using Row = std::tuple<Entity, Ts&..., Os*..., Ps*...>;

    /// See `ECS::query`. O(classes).
    explicit Query(World& ecs)
        : ecs_(&ecs),
          required_{storage<Ts>(ecs)...},
          others_{storage<Os>(ecs)..., storage<Ps>(ecs)...},
          excluded_{storage<Xs>(ecs)...},
          any_{storage<As>(ecs)...} {}

    class Iterator;
    template <class Range>
    class RowsOf;

    /// O(1); a step is O(classes), plus one for each entity that is skipped.
    [[nodiscard]] Iterator begin() const { return Iterator(*this); }
    /// See `begin()`.
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

    /// Rows for these entities only, in their order; entities that the query does not select are skipped, also those
    /// that are not alive. `entities` is a range of `Entity`, or an `Entities` of a system; a temporary one is moved
    /// into the result, another one must exist as long. Iterating `query.of(dirty)` counts as iterating `dirty`
    /// (rule D7). Every change is allowed during the loop that is allowed during one over `entities`. O(classes) per
    /// entity.
    template <class Range>
        requires requires(Range& range) { std::ranges::begin(range); }
    [[nodiscard]] RowsOf<Range> of(Range&& entities) const {
        return RowsOf<Range>(*this, std::forward<Range>(entities));
    }

    /// Calls `visit(Ts&..., Os*..., Ps*...)` or `visit(Entity, Ts&..., Os*..., Ps*...)` for every entity. This is the fastest loop over
    /// components: a run, in which the storages contain the same entities in the same order, is one loop over plain
    /// arrays, which compilers can vectorise (in WebAssembly with -msimd128). It does not signal.
    ///
    /// `visit` must not add, replace or remove components of the classes of the query; where one of these has the policy
    /// `linear`, it must not add entities either. Builds without NDEBUG check this after each visit and throw
    /// `bad_argument`; in others the behaviour is undefined. O(entities of the rarest required class).
    template <class Visit>
    void each(Visit&& visit) const {
        const auto check = structure_check("each");
        for_each([&](Entity e, Ts&... values, Os*... others, Ps*... above) {
            internal::WriteWatch watch;
            watch_row(watch, "each", e);
            call(visit, e, values..., others..., above...);
            check();
        });
    }
    /// The same, and the components that `change` has changed signal, immediately after its call. Constant components
    /// and tags cannot change. The others are copied before the call and compared after it, as by `ECS::set`: one with memory of
    /// its own, such as a vector, allocates for each entity; where that takes too long, use `each` and `ECS::dirty`. What
    /// differs in a component of the parent signals for the parent. If nothing watches any of the classes, it
    /// costs the same as `each`, and `change` must not make something watch one; builds without NDEBUG check this too. If `change`
    /// throws, the components of that entity do not signal.
    template <class Change>
    void change(Change&& change) const {
        static_assert(!CHANGES_NOTHING, "change: all components of the query are const; use each");
        require_unobserved();
        const auto check = structure_check("change");
        if (!watched()) {
            for_each([&](Entity e, Ts&... values, Os*... others, Ps*... above) {
                call(change, e, values..., others..., above...);
                check();
                check_unwatched();
            });
            return;
        }
        const auto held = hold_strings();
        for_each([&](Entity e, Ts&... values, Os*... others, Ps*... above) {
            change_one(change, check, e, values..., others..., above...);
        });
    }

    /// Whether the query selects the entity. False for any value that is no entity. O(classes).
    [[nodiscard]] bool has(Entity e) const noexcept { return at(e).has_value(); }
    /// The row of one entity, if the query selects it. O(classes).
    [[nodiscard]] std::optional<Row> at(Entity e) const noexcept {
        Found found;
        if (!ecs_->alive(e) || !find(e, found)) return std::nullopt;
        return row(e, found);
    }
    /// The first row, if there is any. O(classes), plus one for each entity that is skipped.
    [[nodiscard]] std::optional<Row> first() const noexcept {
        const Iterator iterator = begin();
        if (iterator == end()) return std::nullopt;
        return *iterator;
    }
    /// How many entities the query selects. O(1) for one required class without `exclude` and `any`, otherwise
    /// O(entities of the rarest required class).
    [[nodiscard]] std::size_t count() const noexcept {
        if constexpr (N == 1 && sizeof...(Xs) + sizeof...(As) == 0) {
            return required_[0]->count();
        } else {
            std::size_t n = 0;
            for_each([&](Entity, const Ts&..., Os*..., Ps*...) { ++n; });
            return n;
        }
    }
    /// A copy of the list of entities. O(entities of the rarest required class).
    [[nodiscard]] std::vector<Entity> ids() const {
        std::vector<Entity> all;
        for_each([&](Entity e, const Ts&..., Os*..., Ps*...) { all.push_back(e); });
        return all;
    }

private:
    template <class>
    friend class OrderedQuery;
    [[nodiscard]] auto filter() const noexcept {
        return internal::EntityFilter<sizeof...(Xs), sizeof...(As)>(excluded_, any_);
    }

    // Creates the storage if it does not exist, also if the ECS is const: an empty storage changes nothing else.
    template <class T>
    [[nodiscard]] static Storage* storage(const ECS& ecs) {
        return &const_cast<ECS&>(ecs).structure_.storage(component_id<std::remove_const_t<T>>());
    }
    template <class T>
    [[nodiscard]] static T* values(Storage& storage) noexcept {
        return static_cast<TypedStorage<std::remove_const_t<T>>&>(storage).values().data();
    }
    template <class T>
    [[nodiscard]] static T* value_or_null(T* values, std::uint32_t slot) noexcept {
        return slot == Storage::ABSENT ? nullptr : values + slot;
    }
    // The parent, if rows contain components of it.
    [[nodiscard]] static Entity parent_of(const World& ecs, Entity e) noexcept {
        if constexpr (sizeof...(Ps) == 0) return NONE;
        else return ecs.structure_.tracking.hierarchy.parent(e);
    }
    // The entity that has the component of pointer number `K`: that of the row, or its parent.
    template <std::size_t K>
    [[nodiscard]] static Entity owner(Entity e, Entity above) noexcept {
        return K < sizeof...(Os) ? e : above;
    }
    [[nodiscard]] static Row row(Entity e, const Found& found) noexcept {
        return [&]<std::size_t... J, std::size_t... K>(std::index_sequence<J...>, std::index_sequence<K...>) {
            return Row(e, *std::get<J>(found)..., std::get<N + K>(found)...);
        }(std::index_sequence_for<Ts...>{}, std::make_index_sequence<OTHERS>{});
    }

    // Finds the components of `e`, which must be alive; returns false if the query does not select it. If the slot of
    // `e` in the storage number `known` is known, it is `slot`. Inlined into loops, which take three times as long otherwise.
    [[gnu::always_inline]] bool find(Entity e, Found& found, std::size_t known = N,
                                     std::uint32_t slot = 0) const noexcept {
        return find(e, found, known, slot, std::index_sequence_for<Ts...>{});
    }
    template <std::size_t... J>
    [[gnu::always_inline]] bool find(Entity e, Found& found, std::size_t known, std::uint32_t slot,
                                     std::index_sequence<J...>) const noexcept {
        const auto table = [](const Storage* s) { return internal::SlotTable(*s); };
        Slots slots;
        if (!(... && ((slots[J] = J == known ? slot : table(required_[J]).slot(e)) != Storage::ABSENT))) return false;
        if (!internal::passes(e, excluded_, any_, table)) return false;
        found = at_slots(e, slots);
        return true;
    }
    // The components of `e`, which are in these slots of the required storages.
    using Slots = std::array<std::uint32_t, N>;
    [[nodiscard]] Found at_slots(Entity e, const Slots& slots) const noexcept {
        return [&]<std::size_t... J, std::size_t... K>(std::index_sequence<J...>, std::index_sequence<K...>) {
            [[maybe_unused]] const Entity above = parent_of(*ecs_, e);
            return Found(values<Ts>(*required_[J]) + slots[J]...,
                         value_or_null(values<OtherClass<K>>(*others_[K]),
                                       internal::SlotTable(*others_[K]).slot(owner<K>(e, above)))...);
        }(std::index_sequence_for<Ts...>{}, std::make_index_sequence<OTHERS>{});
    }
    // The slots of `n` entities, which must be alive; the first one is ABSENT if the query does not select the entity. Their
    // components are read soon.
    void find_slots(const Entity* entities, std::size_t n, Slots* slots) const noexcept {
        [&]<std::size_t... J>(std::index_sequence<J...>) {
            const std::array<internal::SlotTable, N> tables{internal::SlotTable(*required_[J])...};
            const std::tuple<Ts*...> arrays{values<Ts>(*required_[J])...};
            const auto find = [=](auto slot) {
                for (std::size_t i = 0; i < n; ++i) {
                    Slots found{slot(tables[J], entities[i])...};
                    const int all = (... & static_cast<int>(found[J] != Storage::ABSENT));  // without branches
                    if (all == 0) found[0] = Storage::ABSENT;
                    else (..., internal::prefetch(std::get<J>(arrays) + found[J]));
                    slots[i] = found;
                }
            };
            if ((... && tables[J].sparse()))
                find([](const internal::SlotTable& t, Entity e) { return t.sparse_slot(e); });
            else find([](const internal::SlotTable& t, Entity e) { return t.slot(e); });
        }(std::index_sequence_for<Ts...>{});
        const auto passing = filter();
        if (!passing.active()) return;
        for (std::size_t i = 0; i < n; ++i) {
            if (!passing.passes(entities[i])) slots[i][0] = Storage::ABSENT;
        }
    }
    // Changes if an entity gets or loses a component that decides whether the query selects it.
    [[nodiscard]] std::uint32_t versions() const noexcept {
        std::uint32_t sum = 0;
        for (const Storage* s : required_) sum += s->control().version;
        for (const Storage* s : excluded_) sum += s->control().version;
        for (const Storage* s : any_) sum += s->control().version;
        return sum;
    }

    // Calls `visit(Entity, Ts&..., Os*..., Ps*...)` for every entity; no component of the classes may be added or removed.
    template <class Visit>
    void for_each(const Visit& visit) const {
        [&]<std::size_t... J, std::size_t... K>(std::index_sequence<J...>, std::index_sequence<K...>) {
            const std::tuple<Ts*...> arrays{values<Ts>(*required_[J])...};
            [[maybe_unused]] const std::tuple<Os*..., Ps*...> other_arrays{values<OtherClass<K>>(*others_[K])...};
            [[maybe_unused]] const std::array<internal::SlotTable, OTHERS> tables{internal::SlotTable(*others_[K])...};
            [[maybe_unused]] const World* const ecs = ecs_;
            internal::each_match(
                required_, filter(),
                [=, &visit](const Entity* e, const std::array<std::size_t, N>& slots, std::size_t k) {
                    [[maybe_unused]] const Entity above = parent_of(*ecs, e[k]);
                    visit(e[k], (std::get<J>(arrays) + slots[J])[k]...,
                          value_or_null(std::get<K>(other_arrays), tables[K].slot(owner<K>(e[k], above)))...);
                });
        }(std::index_sequence_for<Ts...>{}, std::make_index_sequence<OTHERS>{});
    }
    template <class F>
    static void call(F& f, Entity e, Ts&... required, Os*... others, Ps*... above) {
        if constexpr (std::is_invocable_v<F&, Entity, Ts&..., Os*..., Ps*...>) f(e, required..., others..., above...);
        else f(required..., others..., above...);
    }
    // The copies that `change_one` makes contain the numbers of strings.
    [[nodiscard]] auto hold_strings() const { return internal::Strings::Hold(ecs_->tracking().strings); }
    // Calls `change` for one entity; what differs afterwards signals.
    template <class Change, class Check>
    void change_one(Change& change, const Check& check, Entity e, Ts&... values, Os*... others, Ps*... above) const {
        [[maybe_unused]] const Entity parent = parent_of(*ecs_, e);  // `change` may give it another one
        const std::tuple before{internal::Before<Ts>(&values)..., internal::Before<Os>(others)...};
        [[maybe_unused]] const std::tuple before_above{internal::Before<Ps>(above)...};
        call(change, e, values..., others..., above...);
        check();
        [&]<std::size_t... J, std::size_t... K>(std::index_sequence<J...>, std::index_sequence<K...>) {
            (signal_if(std::get<J>(before).differs(&values), e, *required_[J]), ...);
            (signal_if(std::get<N + K>(before).differs(others), e, *others_[K]), ...);
        }(std::index_sequence_for<Ts...>{}, std::index_sequence_for<Os...>{});
        [&]<std::size_t... K>(std::index_sequence<K...>) {
            (signal_if(std::get<K>(before_above).differs(above), parent, *others_[sizeof...(Os) + K]), ...);
        }(std::index_sequence_for<Ps...>{});
    }
    [[nodiscard]] auto structure_check(const char* call) const noexcept {
        constexpr std::size_t CLASSES = N + OTHERS + sizeof...(Xs) + sizeof...(As);
        std::array<const Storage*, CLASSES> all{};
        const Storage** to = std::copy(required_.begin(), required_.end(), all.data());
        to = std::copy(others_.begin(), others_.end(), to);
        to = std::copy(excluded_.begin(), excluded_.end(), to);
        std::copy(any_.begin(), any_.end(), to);
        constexpr std::array<std::string_view, CLASSES> NAMES{
            internal::class_name<std::remove_const_t<Ts>>()..., internal::class_name<std::remove_const_t<Os>>()...,
            internal::class_name<std::remove_const_t<Ps>>()..., internal::class_name<std::remove_const_t<Xs>>()...,
            internal::class_name<std::remove_const_t<As>>()...};
        return internal::StructureCheck<CLASSES>(call, all, NAMES);
    }

    [[nodiscard]] bool watched() const noexcept {
        const auto is_watched = [](const Storage* s) { return s->control().watchers > 0; };
        return std::any_of(required_.begin(), required_.end(), is_watched) ||
               std::any_of(others_.begin(), others_.end(), is_watched);
    }
    // The loop `call` visits the row of the entity.
    void watch_row([[maybe_unused]] internal::WriteWatch& watch, [[maybe_unused]] const char* call,
                   [[maybe_unused]] Entity e) const noexcept {
#ifndef NDEBUG
        if constexpr (!CHANGES_NOTHING) {
            [[maybe_unused]] const Entity above = parent_of(*ecs_, e);
            std::array<internal::WritableComponent, N + OTHERS> components{};
            std::size_t n = 0;
            const auto add = [&]<class T>(std::type_identity<T>, const Storage* s, Entity of) {
                if (!std::is_const_v<T> && of != NONE) components[n++] = {s, of};
            };
            [&]<std::size_t... J, std::size_t... K>(std::index_sequence<J...>, std::index_sequence<K...>) {
                (add(std::type_identity<Ts>{}, required_[J], e), ...);
                (add(std::type_identity<OtherClass<K>>{}, others_[K], owner<K>(e, above)), ...);
            }(std::index_sequence_for<Ts...>{}, std::make_index_sequence<OTHERS>{});
            watch.begin(*ecs_, call, std::span(components).first(n));
        }
#endif
    }
    void require_unobserved() const { ecs_->tracking().require_unobserved("change"); }
    // In `change`, if nothing watched the classes when it began.
    void check_unwatched() const {
#ifndef NDEBUG
        if (watched())
            internal::fail(ErrorCode::bad_argument,
                           {"change: the function made something watch a component of the query (a system, an order "
                            "or a recording); do this before the loop"});
#endif
    }
    void signal_if(bool changed, Entity e, const Storage& storage) const {
        if (changed) ecs_->tracking().signal(e, storage.type().id);
    }

    World* ecs_;
    std::array<Storage*, N> required_;
    std::array<Storage*, OTHERS> others_;  // of the optional components, then of those of the parent
    std::array<Storage*, sizeof...(Xs)> excluded_;
    std::array<Storage*, sizeof...(As)> any_;
};

/// An iteration over a query. It continues correctly after any change of the ECS.
template <class... Ts, class... Os, class... Xs, class... As, class... Ps>
class Query<Require<Ts...>, Optional<Os...>, Exclude<Xs...>, Any<As...>, OfParent<Ps...>>::Iterator {
public:
    using iterator_concept = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = Row;

    /// See `Query::begin`.
    explicit Iterator(const Query& query) noexcept
        : query_(query), leader_(internal::smallest(query.required_)), iteration_(query.required_[leader_]->iterate()) {
        ++*this;
    }
    [[nodiscard]] Row operator*() const noexcept { return row(current_, found_); }
    /// The entity of the row.
    [[nodiscard]] Entity entity() const noexcept { return current_; }
    [[gnu::always_inline]] Iterator& operator++() noexcept {
        watch_.end();
        const Storage& leader = *query_.required_[leader_];
        const bool sparse = leader.policy() == Policy::sparse;
        std::uint32_t slot = 0;
        do {
            if (sparse) {
                done_ = !iteration_.next(current_);
                slot = iteration_.visited() - 1;
            } else {
                done_ = !leader.next_slot(iteration_.position(), slot);
                if (!done_) current_ = leader.entities()[slot];
            }
        } while (!done_ && !query_.find(current_, found_, sparse ? leader_ : N, slot));
        if (!done_) query_.watch_row(watch_, "for over a query", current_);
        return *this;
    }
    void operator++(int) noexcept { ++*this; }
    [[nodiscard]] bool operator==(std::default_sentinel_t) const noexcept { return done_; }

private:
    Query query_;
    std::size_t leader_;
    SparseSet::Iteration iteration_;  // over the entities of the leader
    Entity current_ = NONE;
    Found found_;
    bool done_ = false;
    internal::WriteWatch watch_;
};

/// The rows of `Query::of`: a `std::ranges::input_range`.
template <class... Ts, class... Os, class... Xs, class... As, class... Ps>
template <class Range>
class Query<Require<Ts...>, Optional<Os...>, Exclude<Xs...>, Any<As...>, OfParent<Ps...>>::RowsOf {
public:
    /// See `Query::of`.
    RowsOf(const Query& query, Range&& entities) : query_(query), entities_(std::forward<Range>(entities)) {}

    /// An iteration over the rows, as `begin()` starts it.
    class Iterator {
    public:
        using iterator_concept = std::input_iterator_tag;
        using difference_type = std::ptrdiff_t;
        using value_type = Row;

        /// See `RowsOf::begin`.
        explicit Iterator(RowsOf& rows)
            : query_(rows.query_),
              at_(std::ranges::begin(std::get<0>(rows.entities_))),
              end_(std::ranges::end(std::get<0>(rows.entities_))) {
            find();
        }
        [[nodiscard]] Row operator*() const noexcept { return row(current_, found_); }
        /// The entity of the row.
        [[nodiscard]] Entity entity() const noexcept { return current_; }
        Iterator& operator++() {
            ++at_;
            find();
            return *this;
        }
        void operator++(int) { ++*this; }
        [[nodiscard]] bool operator==(std::default_sentinel_t) const { return at_ == end_; }

    private:
        void find() {
            watch_.end();
            // The iterators of dirty sets, of `Entities` and of queries have `entity()`; these entities are alive.
            constexpr bool ALIVE = requires(const decltype(at_)& at) { at.entity(); };
            for (; at_ != end_; ++at_) {
                if constexpr (ALIVE) current_ = at_.entity();
                else current_ = *at_;
                if ((ALIVE || query_.ecs_->alive(current_)) && query_.find(current_, found_))
                    return query_.watch_row(watch_, "for over query.of", current_);
            }
        }
        using Entities = std::remove_reference_t<Range>;

        Query query_;
        decltype(std::ranges::begin(std::declval<Entities&>())) at_;
        decltype(std::ranges::end(std::declval<Entities&>())) end_;
        Entity current_ = NONE;
        Found found_;
        internal::WriteWatch watch_;
    };
    /// Begins at the first entity. The iterator refers to this object.
    [[nodiscard]] Iterator begin() { return Iterator(*this); }
    /// See `begin()`.
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

private:
    Query query_;
    std::tuple<Range> entities_;  // not Range itself: GCC 13 warns of temporary objects with references
};

}  // namespace crateful
