#pragma once
#include <vector>

#include "contacts.hpp"
#include "spatial_grid.hpp"

namespace crate_room {

/// The entities that an attack has touched; it damages each of them at most once.
struct Hits : Aspect {
    std::vector<Entity> touched;
};

/// Event: a figure of that team was damaged.
struct FigureHurt {
    Team team;
};

/// Applies the damage of attacks that were not blocked: crates shake or burst, figures are pushed back or die.
class Attacks final : public System<Hits> {
public:
    Attacks(const Contacts& contacts, const SpatialGrid& grid) : contacts_(contacts), grid_(grid) {
        require<Attack, Position>();
    }
    /// The class has another name than the component Attack; the page and its address show the system as "Attack".
    [[nodiscard]] std::string name() const override { return "Attack"; }
    void update(double delta, Entities& entities) override;

private:
    void hit_crate(Entity crate, const Attack& attack);
    void hit_figure(Entity figure, const Hits& attack);

    const Contacts& contacts_;
    const SpatialGrid& grid_;
};

}  // namespace crate_room
