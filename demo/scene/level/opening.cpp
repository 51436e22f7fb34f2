#include "level/opening.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <utility>

#include "draw/frames.hpp"
#include "random.hpp"

namespace crate_room {
namespace {

constexpr float NEAREST_CHARGE = 4;  // of a charge from the player, in tiles
constexpr float FARTHEST_CHARGE = 8.5f;
constexpr float CHAIN_RADIUS = 5.5f;        // preferred
constexpr std::size_t BURSTS = 50;          // preferred number of crates, but at most a third of the room's
constexpr std::size_t FEWEST_CHARGES = 10;  // preferred
constexpr std::size_t MOST_CHARGES = 28;
constexpr int BLAST_TILES = 1;  // from a charge to the crates that it makes burst, along each axis
constexpr int GUARD_TILES = 2;  // tiles from a charge to a guard
constexpr float FIRST_BLAST = 0.9f;
constexpr float LAST_BLAST = 4.3f;  // seconds; then the last crates burst
constexpr float RHYTHM = 0.8f;      // below 1 the explosions become more frequent

int apart(const Layout::Tile& a, const Layout::Tile& b) { return std::max(std::abs(a.x - b.x), std::abs(a.y - b.y)); }

/// A crate that can become a charge; its place is relative to the player, in tiles.
struct PossibleCharge {
    std::size_t crate;
    float x, y;
    float angle;                          // from the direction of the first charge, 0 to 2 pi
    std::vector<std::size_t> neighbours;  // the crates that its blast makes burst
};

std::vector<PossibleCharge> charges_in(const Layout& room, std::uint32_t seed) {
    constexpr float ROUND = 2 * std::numbers::pi_v<float>;
    const float first = ROUND * chance(seed + 40, 0);
    std::vector<PossibleCharge> found;
    std::vector<std::size_t> near;  // the crates that a charge could reach
    for (std::size_t i = 0; i < room.crates.size(); ++i) {
        const Layout::Tile& tile = room.crates[i];
        const auto x = static_cast<float>(tile.x - room.player_x);
        const auto y = static_cast<float>(tile.y - room.player_y);
        const float distance = std::hypot(x, y);
        if (distance < FARTHEST_CHARGE + 2 * BLAST_TILES) near.push_back(i);
        if (distance < NEAREST_CHARGE || distance > FARTHEST_CHARGE) continue;
        if (std::any_of(room.guards.begin(), room.guards.end(),
                        [&](const Layout::Tile& guard) { return apart(tile, guard) <= GUARD_TILES; }))
            continue;
        const float angle = std::atan2(y, x) - first;
        found.push_back({i, x, y, angle - ROUND * std::floor(angle / ROUND), {}});
    }
    for (PossibleCharge& candidate : found) {
        for (const std::size_t i : near) {
            if (apart(room.crates[i], room.crates[candidate.crate]) <= BLAST_TILES) candidate.neighbours.push_back(i);
        }
    }
    return found;
}

struct Chain {
    std::vector<const PossibleCharge*> charges;
    std::vector<std::size_t> bursting;  // crates, in ascending order
};

// At most one charge in each of the sectors around the player, near the charge before it.
Chain chain_of(const std::vector<PossibleCharge>& candidates, std::size_t sectors, std::uint32_t seed) {
    Chain chain;
    for (std::size_t sector = 0; sector < sectors; ++sector) {
        const PossibleCharge* chosen = nullptr;
        float least = 0;
        for (const PossibleCharge& c : candidates) {
            const auto of =
                static_cast<std::size_t>(c.angle / (2 * std::numbers::pi_v<float>)*static_cast<float>(sectors));
            if (std::min(of, sectors - 1) != sector) continue;
            // Many small explosions look better than few large ones.
            const auto further = std::count_if(c.neighbours.begin(), c.neighbours.end(), [&](std::size_t crate) {
                return !std::binary_search(chain.bursting.begin(), chain.bursting.end(), crate);
            });
            float cost = std::abs(std::hypot(c.x, c.y) - CHAIN_RADIUS) + 0.6f * static_cast<float>(further) +
                         chance(seed + 41, static_cast<std::uint32_t>(c.crate), static_cast<std::uint32_t>(sectors));
            if (!chain.charges.empty()) {
                const PossibleCharge& before = *chain.charges.back();
                cost += std::hypot(c.x - before.x, c.y - before.y) / 2;
            }
            if (chosen == nullptr || cost < least) chosen = &c, least = cost;
        }
        if (chosen == nullptr) continue;
        chain.charges.push_back(chosen);
        for (const std::size_t crate : chosen->neighbours) {
            const auto at = std::lower_bound(chain.bursting.begin(), chain.bursting.end(), crate);
            if (at == chain.bursting.end() || *at != crate) chain.bursting.insert(at, crate);
        }
    }
    return chain;
}

}  // namespace

void add_opening(Layout& room, std::uint32_t seed) {
    const std::vector<PossibleCharge> candidates = charges_in(room, seed);
    const auto wanted = static_cast<int>(std::min(BURSTS, room.crates.size() / 3));
    const auto misses = [&](const Chain& chain) { return std::abs(static_cast<int>(chain.bursting.size()) - wanted); };
    Chain chain;
    for (std::size_t sectors = FEWEST_CHARGES; sectors <= MOST_CHARGES; ++sectors) {
        Chain other = chain_of(candidates, sectors, seed);
        if (chain.charges.empty() || misses(other) <= misses(chain)) chain = std::move(other);
    }
    for (Layout::Tile& tile : room.crates) {
        const bool near = std::any_of(chain.charges.begin(), chain.charges.end(), [&](const PossibleCharge* charge) {
            return apart(tile, room.crates[charge->crate]) <= BLAST_TILES;
        });
        if (near && tile.kind == frames::POWDER) tile.kind = 0;
    }
    for (std::size_t i = 0; i < chain.charges.size(); ++i) {
        const auto steps = static_cast<float>(std::max<std::size_t>(1, chain.charges.size() - 1));
        const float seconds =
            FIRST_BLAST + (LAST_BLAST - FIRST_BLAST) * std::pow(static_cast<float>(i) / steps, RHYTHM);
        room.crates[chain.charges[i]->crate].kind = frames::POWDER;
        room.burning.push_back({chain.charges[i]->crate, seconds});
    }
}

}  // namespace crate_room
