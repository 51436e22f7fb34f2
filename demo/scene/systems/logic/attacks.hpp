#pragma once
#include <string_view>

#include "contacts.hpp"
#include "spatial_grid.hpp"

namespace crate_room {

/// Event: a figure of that team was damaged.
struct FigureHurt {
    static constexpr std::string_view type_name = "FigureHurt";
    Team team;
};

/// Applies the damage of attacks that were not blocked: crates shake or burst, figures are pushed back or die.
class Attacks final : public System<> {
public:
    Attacks(const Contacts& contacts, const SpatialGrid& grid) : contacts_(contacts), grid_(grid) {
        require<Attack, Hits, Position>();
    }
    /// The class has another name than the component Attack; the page and its address show the system as "Attack".
    [[nodiscard]] std::string name() const override { return "Attack"; }
    void update(double delta, Entities& entities) override;

private:
    void hit_crate(Entity crate, const Attack& attack);
    void hit_figure(Entity figure, const Attack& attack, const Position& of_attack);

    const Contacts& contacts_;
    const SpatialGrid& grid_;
};

}  // namespace crate_room
