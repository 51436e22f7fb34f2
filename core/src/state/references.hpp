// References between the entities of a sender (rule N6).
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "crateful/detail/rollback.hpp"
#include "crateful/entity.hpp"

namespace crateful::internal {

/// Which fields of the sender's components refer to which of its entities, whether these are there or not. All calls are
/// O(log references) for each reference.
class References {
public:
    /// A field of a component of the sender.
    struct Place {
        std::uint32_t index;
        std::uint32_t cls;
        std::size_t field;
        std::size_t element;
    };

    [[nodiscard]] bool empty() const noexcept { return targets_.empty(); }
    /// The field refers to `target`, or to nothing. If it throws, it refers to nothing.
    void set(const Place& place, Entity target) {
        const std::uint64_t key = key_of(place);
        const auto at = targets_.find(key);
        if (at != targets_.end()) {
            if (at->second == target) return;
            sources_.erase({at->second, key});
            targets_.erase(at);
        }
        if (target == NONE) return;
        sources_.emplace(target, key);
        Rollback rollback([&] { sources_.erase({target, key}); });
        targets_.emplace(key, target);
        rollback.cancel();
    }
    /// What the field refers to, or NONE.
    [[nodiscard]] Entity target(const Place& place) const noexcept {
        const auto at = targets_.find(key_of(place));
        return at == targets_.end() ? NONE : at->second;
    }
    /// The component does not exist any more; without a class, all of the entity's.
    void forget(std::uint32_t index) noexcept { forget(key_of({index, 0, 0, 0}), key_of({index + 1, 0, 0, 0})); }
    void forget(std::uint32_t index, std::uint32_t cls) noexcept {
        forget(key_of({index, cls, 0, 0}), key_of({index, cls + 1, 0, 0}));
    }
    /// Calls `visit(Place)` for each field that refers to `target`. It must not change the references.
    template <class Visit>
    void each(Entity target, Visit&& visit) const {
        for (auto at = sources_.lower_bound({target, 0}); at != sources_.end() && at->first == target; ++at)
            visit(place_of(at->second));
    }

private:
    static std::uint64_t key_of(const Place& place) noexcept {
        return std::uint64_t{place.index} << 38 | std::uint64_t{place.cls} << 22 | std::uint64_t{place.field} << 6 |
               place.element;
    }
    static Place place_of(std::uint64_t key) noexcept {
        return {static_cast<std::uint32_t>(key >> 38), static_cast<std::uint32_t>(key >> 22 & 0xFFFF),
                static_cast<std::size_t>(key >> 6 & 0xFFFF), static_cast<std::size_t>(key & 63)};
    }
    void forget(std::uint64_t first, std::uint64_t end) noexcept {
        for (auto at = targets_.lower_bound(first); at != targets_.end() && at->first < end; at = targets_.erase(at))
            sources_.erase({at->second, at->first});
    }

    std::map<std::uint64_t, Entity> targets_;             // by place
    std::set<std::pair<Entity, std::uint64_t>> sources_;  // by target
};

}  // namespace crateful::internal
