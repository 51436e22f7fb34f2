#pragma once
#include <algorithm>
#include <vector>

#include "geometry.hpp"

namespace crate_room {

/// Entities of one kind, for systems that search among them. The system that tracks these entities calls `add` and
/// `remove`. All of them have a Position.
class Group {
public:
    void add(const Aspect& member) { members_.push_back(&member); }
    void remove(const Aspect& member) {
        const auto at = std::find(members_.begin(), members_.end(), &member);
        *at = members_.back();
        members_.pop_back();
    }

    /// Any member, or NONE.
    [[nodiscard]] Entity any() const { return members_.empty() ? NONE : members_.front()->entity(); }
    /// The nearest member without a component Dead, or NONE. O(members).
    [[nodiscard]] Entity nearest(const Position& from) const {
        Entity found = NONE;
        float least = 0;
        for (const Aspect* member : members_) {
            if (member->has<Dead>()) continue;
            const float d = distance(from, member->get<Position>());
            if (found == NONE || d < least) found = member->entity(), least = d;
        }
        return found;
    }

private:
    std::vector<const Aspect*> members_;
};

}  // namespace crate_room
