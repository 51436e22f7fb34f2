// Which entity is at which place of a list (rule N7).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crateful/entity.hpp"

namespace crateful::internal {

/// A copy of a list of entities, in which each entity is at most once: the slots of a storage, or what a system tracks.
class Places {
public:
    static constexpr std::uint32_t NOWHERE = 0xFFFFFFFF;

    /// `by_index`: the place of each entity is its index, as in a linear storage.
    explicit Places(bool by_index = false) noexcept : by_index_(by_index) {}
    /// The entity at a place, or NONE.
    [[nodiscard]] Entity at(std::uint32_t place) const noexcept {
        return place < entities_.size() ? entities_[place] : NONE;
    }
    /// All, by place; NONE where there is none.
    [[nodiscard]] std::span<const Entity> entities() const noexcept { return entities_; }
    /// The place of an entity, or NOWHERE. O(1).
    [[nodiscard]] std::uint32_t find(Entity e) const noexcept {
        const std::uint32_t place = with_index(index_of(e));
        return place != NOWHERE && entities_[place] == e ? place : NOWHERE;
    }
    /// The place of the entity with this index, or NOWHERE. O(1).
    [[nodiscard]] std::uint32_t with_index(std::uint32_t index) const noexcept {
        const std::uint32_t place = by_index_ ? index : index < places_.size() ? places_[index] : NOWHERE;
        return place < entities_.size() && index_of(entities_[place]) == index ? place : NOWHERE;
    }
    void set(std::uint32_t place, Entity e) {
        if (place >= entities_.size()) entities_.resize(std::size_t{place} + 1, NONE);
        entities_[place] = e;
        if (e == NONE || by_index_) return;
        if (index_of(e) >= places_.size()) places_.resize(std::size_t{index_of(e)} * 2 + 1, NOWHERE);
        places_[index_of(e)] = place;
    }
    /// Bytes allocated.
    [[nodiscard]] std::size_t bytes() const noexcept {
        return entities_.capacity() * sizeof(Entity) + places_.capacity() * sizeof(std::uint32_t);
    }

    /// Copies what is at these places of `now`, which has `at`, and at all places from which an entity has moved to one of them. Calls
    /// `visit(place, before, after)` for each place with another entity. Lists are filled from their end, and their gaps from behind: an
    /// entity that stays moves only to a lower place, to which the path of such moves leads from one that was left by another. So it finds
    /// everything, if the places, before and now, of what left and came are among them. Empties `places`. O(places that changed).
    template <class Now, class Visit>
    void update(std::vector<std::uint32_t>& places, const Now& now, Visit&& visit) {
        while (!places.empty()) {
            const std::uint32_t place = places.back();
            places.pop_back();
            const Entity before = at(place);
            const Entity after = now.at(place);
            if (before == after) continue;
            const std::uint32_t from = find(after);
            visit(place, before, after);
            set(place, after);
            if (from != NOWHERE) places.push_back(from);
        }
    }

private:
    bool by_index_;
    std::vector<Entity> entities_;
    // The place of each entity by its index, if it is there; empty with `by_index`. So an entity that leaves needs no change here.
    std::vector<std::uint32_t> places_;
};

}  // namespace crateful::internal
