#pragma once
#include "group.hpp"

namespace crate_room {

/// Keeps the group of players, so that other systems need not search for them. It only tracks; its update is empty.
class PlayerSelector final : public System<> {
public:
    explicit PlayerSelector(Group& players) : players_(players) { require<Player, Position>(); }
    void update(double) override {}
    void on_add(Aspect& player) override { players_.add(player); }
    void on_remove(Aspect& player) override { players_.remove(player); }

private:
    Group& players_;
};

}  // namespace crate_room
