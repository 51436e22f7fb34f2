#pragma once
#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include "crateful/ecs.hpp"

namespace crateful {
namespace internal {

/// The length of a run: how many of `entities` have their values in consecutive slots from `slot` on. Slots are
/// compared in blocks without an early exit, so that compilers can vectorise the comparison.
[[nodiscard]] inline std::size_t run_length(const Storage& storage, std::uint32_t slot,
                                            std::span<const Entity> entities) noexcept {
    const std::span<const Entity> own = storage.entities().subspan(slot);
    const std::size_t most = std::min(own.size(), entities.size());
    std::size_t n = 0;
    if (storage.policy() == Policy::linear) {
        while (n < most && storage.slot(entities[n]) == slot + n) ++n;
        return n;
    }
    constexpr std::size_t BLOCK = 32;
    for (; n + BLOCK <= most; n += BLOCK) {
        std::uint32_t difference = 0;
        for (std::size_t k = 0; k < BLOCK; ++k) {
            difference |= static_cast<std::uint32_t>(own[n + k]) ^ static_cast<std::uint32_t>(entities[n + k]);
        }
        if (difference != 0) break;
    }
    while (n < most && own[n] == entities[n]) ++n;
    return n;
}

}  // namespace internal

template <class... Ts, class Visit>
void ECS::each(Visit&& visit) {
    static_assert(sizeof...(Ts) > 0, "each: name the components to visit, as in each<Position, Velocity>");
    const std::tuple<TypedStorage<Ts>&...> storages{storage<Ts>()...};
    const std::array<const Storage*, sizeof...(Ts)> all{&std::get<TypedStorage<Ts>&>(storages)...};
    // Iterate over the smallest storage: it contains every entity that has all of the components.
    const Storage& rarest = **std::min_element(
        all.begin(), all.end(), [](const Storage* a, const Storage* b) { return a->count() < b->count(); });
    const std::span<const Entity> entities = rarest.entities();
    for (std::size_t i = 0; i < entities.size();) {
        std::array<std::uint32_t, sizeof...(Ts)> slots{};
        std::size_t n = entities.size() - i;
        for (std::size_t j = 0; j < all.size() && n > 0; ++j) {
            if (all[j] == &rarest && rarest.policy() == Policy::sparse) {
                slots[j] = static_cast<std::uint32_t>(i);  // its own slots
                continue;
            }
            slots[j] = all[j]->slot(entities[i]);
            n = slots[j] == Storage::ABSENT ? 0 : internal::run_length(*all[j], slots[j], entities.subspan(i, n));
        }
        [&]<std::size_t... J>(std::index_sequence<J...>) {
            const std::tuple<Ts*...> values{std::get<J>(storages).values().data() + slots[J]...};
            for (std::size_t k = 0; k < n; ++k) {
                if constexpr (std::is_invocable_v<Visit, Entity, Ts&...>)
                    visit(entities[i + k], std::get<J>(values)[k]...);
                else visit(std::get<J>(values)[k]...);
            }
        }(std::index_sequence_for<Ts...>{});
        i += std::max<std::size_t>(n, 1);
    }
}

}  // namespace crateful
