#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "crateful/detail/slot_table.hpp"
#include "crateful/storage.hpp"

namespace crateful::internal {

/// How many of the first `most` slots from `slot` on are filled, under `linear`.
[[nodiscard]] inline std::size_t filled_slots(std::span<const std::uint64_t> mask, std::size_t slot,
                                              std::size_t most) noexcept {
    std::size_t n = 0;
    while (n < most) {
        const std::size_t bit = (slot + n) % 64;
        const auto ones = static_cast<std::size_t>(std::countr_one(mask[(slot + n) / 64] >> bit));
        n += ones;
        if (ones < 64 - bit) break;
    }
    return (std::min)(n, most);
}

/// The length of a run: how many of `entities` have their values in consecutive slots from `slot` on. Slots are
/// compared in blocks without an early exit, so that compilers can vectorise the comparison.
[[nodiscard]] inline std::size_t run_length(const Storage& storage, std::size_t slot,
                                            std::span<const Entity> entities) noexcept {
    const std::span<const Entity> own = storage.entities().subspan(slot);
    const std::size_t most = (std::min)(own.size(), entities.size());
    constexpr std::size_t BLOCK = 32;
    std::size_t n = 0;
    for (; n + BLOCK <= most; n += BLOCK) {
        std::uint32_t difference = 0;
        for (std::size_t k = 0; k < BLOCK; ++k) {
            difference |= static_cast<std::uint32_t>(own[n + k]) ^ static_cast<std::uint32_t>(entities[n + k]);
        }
        if (difference != 0) break;
    }
    while (n < most && own[n] == entities[n]) ++n;
    return storage.policy() == Policy::sparse ? n : filled_slots(storage.mask(), slot, n);
}

/// Decides whether an iteration searches for a run. A search takes several times as long as a look-up, so after a few
/// short runs in succession, a block of entities is looked up one by one before the next search. The number of entities
/// that a search compares is limited: it is halved until it is twice the length of the last run. So all searches
/// together take O(entities), also if one storage is in the same order and another one is not.
class RunSearch {
public:
    explicit RunSearch(std::size_t entities) noexcept : limit_(entities) {}
    [[nodiscard]] bool promising() const noexcept { return short_runs_ < FEW; }
    /// How many entities to compare at most.
    [[nodiscard]] std::size_t limit() const noexcept { return limit_; }
    /// A search found a run of `n` entities.
    void found(std::size_t n) noexcept {
        limit_ = (std::max)(SMALLEST_LIMIT, (std::max)(2 * n, limit_ / 2));
        short_runs_ = n < SHORT ? short_runs_ + 1 : 0;
    }
    /// A block of entities was looked up one by one.
    void looked_up() noexcept { short_runs_ = FEW - 1; }

private:
    static constexpr std::size_t SHORT = 8;
    static constexpr std::size_t SMALLEST_LIMIT = 64;
    static constexpr unsigned FEW = 3;

    std::size_t limit_;
    unsigned short_runs_ = 0;  // in succession
};

/// The number of the storage to iterate over: the one with the fewest slots. It contains every entity that all contain.
template <std::size_t N>
[[nodiscard]] std::size_t smallest(const std::array<Storage*, N>& storages) noexcept {
    std::size_t found = 0;
    for (std::size_t j = 1; j < N; ++j) {
        if (storages[j]->extent() < storages[found]->extent()) found = j;
    }
    return found;
}

/// Whether an entity has no component of the `excluded` tables and, if there are any, one of the tables `any`.
/// `table` makes a table of an element.
template <class Excluded, class Any, class ToTable>
[[nodiscard]] bool passes(Entity e, const Excluded& excluded, const Any& any, const ToTable& table) noexcept {
    bool passes = any.empty();
    for (const auto& each : any) passes |= table(each).has(e);
    for (const auto& each : excluded) passes &= !table(each).has(e);
    return passes;
}

/// The tables of `exclude` and `any` of a query.
template <std::size_t EXCLUDED, std::size_t ANY>
class EntityFilter {
public:
    EntityFilter(const std::array<Storage*, EXCLUDED>& excluded, const std::array<Storage*, ANY>& any) noexcept {
        for (std::size_t k = 0; k < EXCLUDED; ++k) {
            excluded_[k] = SlotTable(*excluded[k]);
            active_ = active_ || excluded[k]->count() > 0;
        }
        for (std::size_t k = 0; k < ANY; ++k) any_[k] = SlotTable(*any[k]);
    }
    /// False if every entity passes.
    [[nodiscard]] bool active() const noexcept { return EXCLUDED + ANY > 0 && active_; }
    [[nodiscard]] bool passes(Entity e) const noexcept {
        return internal::passes(e, excluded_, any_, [](const SlotTable& table) { return table; });
    }

private:
    std::array<SlotTable, EXCLUDED> excluded_;
    std::array<SlotTable, ANY> any_;
    bool active_ = ANY > 0;
};

/// The look-ups for a block of entities. They have no branch that depends on whether an entity has a component, because
/// processors predict such branches badly.
template <std::size_t N>
class BlockOfEntities {
public:
    static constexpr std::size_t SIZE = 128;

    /// Looks `entities` up in all tables except number `own`, and returns how many have all components and pass.
    template <class Filter>
    std::size_t look_up(std::span<const Entity> entities, const std::array<SlotTable, N>& tables, std::size_t own,
                        const Filter& filter) noexcept {
        if (!filter.active()) return look_up_if(entities, tables, own, [](Entity) { return true; });
        return look_up_if(entities, tables, own, [filter](Entity e) { return filter.passes(e); });
    }
    /// The position, in the block, of the match number `k`.
    [[nodiscard]] std::size_t position(std::size_t k) const noexcept { return positions_[k]; }
    /// The slot, in a table other than `own`, of the match number `k`.
    [[nodiscard]] std::size_t slot(std::size_t table, std::size_t k) const noexcept { return slots_[table][k]; }

private:
    template <class Passes>
    std::size_t look_up_if(std::span<const Entity> entities, const std::array<SlotTable, N>& tables, std::size_t own,
                           const Passes& passes) noexcept {
        std::size_t count = 0;
        // A function for each `own`, because testing it once per entity takes as long as a look-up.
        [&]<std::size_t... J>(std::index_sequence<J...>) {
            const bool sparse = own < N && (... && (J == own || tables[J].sparse()));
            if (!sparse) count = find<N, false>(entities, tables, passes);
            else static_cast<void>((... || (J == own && (count = find<J, true>(entities, tables, passes), true))));
        }(std::make_index_sequence<N>{});
        return count;
    }
    template <std::size_t OWN, bool SPARSE, class Passes>
    std::size_t find(std::span<const Entity> entities, const std::array<SlotTable, N>& shared,
                     const Passes& shared_passes) noexcept {
        const std::array<SlotTable, N> tables = shared;  // in registers
        const Passes passes = shared_passes;
        std::size_t count = 0;
        for (std::size_t k = 0; k < entities.size(); ++k) {
            const auto slot = [&](std::size_t j) {
                return SPARSE ? tables[j].sparse_slot(entities[k]) : tables[j].slot(entities[k]);
            };
            bool all = passes(entities[k]);
            [&]<std::size_t... J>(std::index_sequence<J...>) {
                ((J == OWN || (all &= (slots_[J][count] = slot(J)) != Storage::ABSENT)), ...);
            }(std::make_index_sequence<N>{});
            positions_[count] = static_cast<std::uint8_t>(k);
            count += all ? 1 : 0;
        }
        return count;
    }

    std::array<std::uint8_t, SIZE> positions_;
    std::array<std::array<std::uint32_t, SIZE>, N> slots_;
};

/// Calls `visit(k)` for the position of each entity that passes. As in a block, no branch depends on the entity.
template <class Filter, class Visit>
void each_passing(std::span<const Entity> entities, const Filter& shared, const Visit& visit) {
    const Filter filter = shared;  // in registers
    constexpr std::size_t SIZE = 128;
    std::array<std::uint8_t, SIZE> passing;
    for (std::size_t from = 0; from < entities.size(); from += SIZE) {
        const auto block = entities.subspan(from, (std::min)(SIZE, entities.size() - from));
        std::size_t count = 0;
        for (std::size_t k = 0; k < block.size(); ++k) {
            passing[count] = static_cast<std::uint8_t>(k);
            count += filter.passes(block[k]) ? std::size_t{1} : 0;
        }
        for (std::size_t k = 0; k < count; ++k) visit(from + passing[k]);
    }
}

/// Calls `visit(entities, slots, k)` for every entity that all `storages` contain and that passes the filter. The entity
/// is `entities[k]`, and the slots of its components are `slots[j] + k`; so a run is a loop in which only `k` changes.
/// No component of these classes may be added or removed meanwhile.
///
/// A run is one loop over consecutive slots. Other entities are looked up in blocks, and then visited.
template <std::size_t N, class Filter, class Visit>
void each_match(const std::array<Storage*, N>& storages, const Filter& filter, const Visit visit) {
    using Slots = std::array<std::size_t, N>;
    using Block = BlockOfEntities<N>;
    constexpr auto all_classes = std::make_index_sequence<N>{};

    const std::size_t leader = smallest(storages);
    const std::span<const Entity> entities = storages[leader]->entities();
    // The storage whose slots are the positions in `entities`; under `linear`, some of these slots are not filled.
    const std::size_t own = storages[leader]->policy() == Policy::sparse ? leader : N;
    std::array<SlotTable, N> tables;
    for (std::size_t j = 0; j < N; ++j) tables[j] = SlotTable(*storages[j]);

    RunSearch search(entities.size());
    for (std::size_t i = 0; i < entities.size();) {
        if (!search.promising()) {
            Block block;
            const auto rest = entities.subspan(i, (std::min)(Block::SIZE, entities.size() - i));
            const std::size_t count = block.look_up(rest, tables, own, filter);
            for (std::size_t k = 0; k < count; ++k) {
                const std::size_t at = i + block.position(k);
                [&]<std::size_t... J>(std::index_sequence<J...>) {
                    visit(&entities[at], Slots{(J == own ? at : block.slot(J, k))...}, 0);
                }(all_classes);
            }
            search.looked_up();
            i += rest.size();
            continue;
        }
        std::size_t n = (std::min)(search.limit(), entities.size() - i);
        Slots slots{};
        const auto measure = [&](std::size_t j) {
            if (j == own) return void(slots[j] = i);
            slots[j] = tables[j].slot(entities[i]);
            n = slots[j] == Storage::ABSENT ? 0 : run_length(*storages[j], slots[j], entities.subspan(i, n));
        };
        [&]<std::size_t... J>(std::index_sequence<J...>) {
            static_cast<void>((... && (measure(J), n > 0)));
        }(all_classes);
        if (filter.active())
            each_passing(entities.subspan(i, n), filter, [&](std::size_t k) { visit(&entities[i], slots, k); });
        else
            for (std::size_t k = 0; k < n; ++k) visit(&entities[i], slots, k);
        search.found(n);
        i += std::max<std::size_t>(n, 1);
    }
}

}  // namespace crateful::internal
