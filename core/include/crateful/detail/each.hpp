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

/// What `exclude` and `any` of a query say.
struct EntityFilter {
    std::span<const SlotTable> excluded;
    std::span<const SlotTable> any;
    bool active;  ///< false if every entity passes

    [[nodiscard]] bool passes(Entity e) const noexcept {
        bool passes = any.empty();
        for (const SlotTable& table : any) passes |= table.has(e);
        for (const SlotTable& table : excluded) passes &= !table.has(e);
        return passes;
    }
};

/// The look-ups for a block of entities. They have no branch that depends on whether an entity has a component, because
/// processors predict such branches badly.
template <std::size_t N>
class BlockOfEntities {
public:
    static constexpr std::size_t SIZE = 128;

    /// Looks `entities` up in all tables except number `own`, and returns how many have all components and pass.
    std::size_t look_up(std::span<const Entity> entities, const std::array<SlotTable, N>& tables, std::size_t own,
                        const EntityFilter& filter) noexcept {
        std::size_t count = 0;
        // A function for each `own`, because testing it once per entity takes as long as a look-up.
        [&]<std::size_t... J>(std::index_sequence<J...>) {
            const bool sparse = own < N && (... && (J == own || tables[J].sparse()));
            if (!sparse) count = find<N, false>(entities, tables);
            else static_cast<void>((... || (J == own && (count = find<J, true>(entities, tables), true))));
        }(std::make_index_sequence<N>{});
        return filter.active ? remove_filtered(entities, filter, count) : count;
    }
    /// The position, in the block, of the match number `k`.
    [[nodiscard]] std::size_t position(std::size_t k) const noexcept { return positions_[k]; }
    /// The slot, in a table other than `own`, of the match number `k`.
    [[nodiscard]] std::size_t slot(std::size_t table, std::size_t k) const noexcept { return slots_[table][k]; }

private:
    template <std::size_t OWN, bool SPARSE>
    std::size_t find(std::span<const Entity> entities, const std::array<SlotTable, N>& shared) noexcept {
        const std::array<SlotTable, N> tables = shared;  // in registers
        std::size_t count = 0;
        for (std::size_t k = 0; k < entities.size(); ++k) {
            const auto slot = [&](std::size_t j) {
                return SPARSE ? tables[j].sparse_slot(entities[k]) : tables[j].slot(entities[k]);
            };
            bool all = true;
            [&]<std::size_t... J>(std::index_sequence<J...>) {
                ((J == OWN || (all &= (slots_[J][count] = slot(J)) != Storage::ABSENT)), ...);
            }(std::make_index_sequence<N>{});
            positions_[count] = static_cast<std::uint8_t>(k);
            count += all ? 1 : 0;
        }
        return count;
    }
    std::size_t remove_filtered(std::span<const Entity> entities, const EntityFilter& filter, std::size_t n) noexcept {
        std::size_t count = 0;
        for (std::size_t k = 0; k < n; ++k) {
            positions_[count] = positions_[k];
            for (auto& slots : slots_) slots[count] = slots[k];
            count += filter.passes(entities[positions_[count]]) ? 1 : 0;
        }
        return count;
    }

    std::array<std::uint8_t, SIZE> positions_;
    std::array<std::array<std::uint32_t, SIZE>, N> slots_;
};

/// Calls `visit(entities, slots, k)` for every entity that all `storages` contain and that passes the filter. The entity
/// is `entities[k]`, and the slots of its components are `slots[j] + k`; so a run is a loop in which only `k` changes.
/// No component of these classes may be added or removed meanwhile.
///
/// A run is one loop over consecutive slots. Other entities are looked up in blocks, and then visited.
template <std::size_t N, class Visit>
void each_match(const std::array<Storage*, N>& storages, const EntityFilter& filter, const Visit visit) {
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
        if (filter.active) {
            std::size_t passing = 0;
            while (passing < n && filter.passes(entities[i + passing])) ++passing;
            n = passing;
        }
        Slots slots{};
        const auto measure = [&](std::size_t j) {
            if (j == own) return void(slots[j] = i);
            slots[j] = tables[j].slot(entities[i]);
            n = slots[j] == Storage::ABSENT ? 0 : run_length(*storages[j], slots[j], entities.subspan(i, n));
        };
        [&]<std::size_t... J>(std::index_sequence<J...>) {
            static_cast<void>((... && (measure(J), n > 0)));
        }(all_classes);
        for (std::size_t k = 0; k < n; ++k) visit(&entities[i], slots, k);
        search.found(n);
        i += std::max<std::size_t>(n, 1);
    }
}

}  // namespace crateful::internal
