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
    return std::min(n, most);
}

/// The length of a run: how many of `entities` have their values in consecutive slots from `slot` on. Slots are
/// compared in blocks without an early exit, so that compilers can vectorise the comparison.
[[nodiscard]] inline std::size_t run_length(const Storage& storage, std::size_t slot,
                                            std::span<const Entity> entities) noexcept {
    const std::span<const Entity> own = storage.entities().subspan(slot);
    const std::size_t most = std::min(own.size(), entities.size());
    constexpr std::size_t BLOCK = 32;
    std::size_t n = own.data() == entities.data() ? most : 0;
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
/// short runs in succession, a block of entities is looked up one by one before the next search. A search compares at
/// most twice as many entities as the last run had. So all searches together take O(entities), also if one storage is
/// in the same order and another one is not.
class RunSearch {
public:
    [[nodiscard]] bool promising() const noexcept { return short_runs_ < FEW; }
    /// How many entities to compare at most.
    [[nodiscard]] std::size_t limit() const noexcept { return limit_; }
    /// A search found a run of `n` entities.
    void found(std::size_t n) noexcept {
        limit_ = std::max(SMALLEST_LIMIT, 2 * n);
        short_runs_ = n < SHORT ? short_runs_ + 1 : 0;
    }
    /// A block of entities was looked up one by one.
    void looked_up() noexcept { short_runs_ = FEW - 1; }

private:
    static constexpr std::size_t SHORT = 8;
    static constexpr std::size_t SMALLEST_LIMIT = 64;
    static constexpr unsigned FEW = 3;

    std::size_t limit_ = SIZE_MAX;
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

/// Calls `visit(Entity, slots)` for every entity that all `storages` contain and for which `passes(Entity)` is true;
/// `slots` are those of its components. No component of these classes may be added or removed meanwhile. `filtered` is
/// false if `passes` is true for all entities.
///
/// A run is one loop over consecutive slots. Other entities are looked up in blocks: first the slots of a block are
/// found, without a branch that depends on whether an entity has the components, then the entities are visited.
template <std::size_t N, class Passes, class Visit>
void each_match(const std::array<Storage*, N>& storages, bool filtered, const Passes& passes, const Visit& visit) {
    using Slots = std::array<std::size_t, N>;
    struct Match {
        Entity entity;
        std::array<std::uint32_t, N> slots;
    };
    constexpr std::size_t BLOCK = 128;
    constexpr auto each_class = std::make_index_sequence<N>{};

    const std::size_t leader = smallest(storages);
    const std::span<const Entity> entities = storages[leader]->entities();
    // The storage whose slots are the positions in `entities`; under `linear`, some of these slots are not filled.
    const std::size_t own = storages[leader]->policy() == Policy::sparse ? leader : N;
    std::array<SlotTable, N> tables;
    for (std::size_t j = 0; j < N; ++j) tables[j] = SlotTable(*storages[j]);

    std::array<Match, BLOCK> matches;
    RunSearch search;
    for (std::size_t i = 0; i < entities.size();) {
        if (!search.promising()) {
            const std::size_t end = std::min(i + BLOCK, entities.size());
            std::size_t count = 0;
            for (; i < end; ++i) {
                const Entity e = entities[i];
                Match& match = matches[count];
                match.entity = e;
                bool all = true;
                [&]<std::size_t... J>(std::index_sequence<J...>) {
                    ((match.slots[J] = J == own ? static_cast<std::uint32_t>(i) : tables[J].slot(e)), ...);
                    all = (... & static_cast<unsigned>(match.slots[J] != Storage::ABSENT)) != 0;
                }(each_class);
                if (filtered) all &= passes(e);
                count += all ? 1 : 0;
            }
            for (std::size_t k = 0; k < count; ++k) {
                [&]<std::size_t... J>(std::index_sequence<J...>) {
                    visit(matches[k].entity, Slots{matches[k].slots[J]...});
                }(each_class);
            }
            search.looked_up();
            continue;
        }
        std::size_t n = std::min(search.limit(), entities.size() - i);
        if (filtered) {
            std::size_t passing = 0;
            while (passing < n && passes(entities[i + passing])) ++passing;
            n = passing;
        }
        Slots slots{};
        for (std::size_t j = 0; j < N && n > 0; ++j) {
            slots[j] = i;
            if (j == own) continue;
            slots[j] = tables[j].slot(entities[i]);
            n = slots[j] == Storage::ABSENT ? 0 : run_length(*storages[j], slots[j], entities.subspan(i, n));
        }
        [&]<std::size_t... J>(std::index_sequence<J...>) {
            for (std::size_t k = 0; k < n; ++k) visit(entities[i + k], Slots{slots[J] + k...});
        }(each_class);
        search.found(n);
        i += std::max<std::size_t>(n, 1);
    }
}

}  // namespace crateful::internal
