#include "systems/spatial_hash.hpp"

#include <algorithm>

namespace crate_room {

SpatialHash::SpatialHash(const Tracking& tracking) : FollowsChanges(tracking) {
    require<Position>();
    watch<Position>();
}

void SpatialHash::update(double, crateful::Entities<Spot>& entities, crateful::DirtySet& dirty) {
    each_changed(entities, dirty, [&](Spot& spot) {
        const auto& position = spot.get<Position>();
        const std::int32_t x = cell_of(position.x);
        const std::int32_t y = cell_of(position.y);
        if (x == spot.cell_x && y == spot.cell_y) return;
        take(spot);
        put(spot, x, y);
    });
}

void SpatialHash::on_add(Spot& spot) {
    const auto& position = spot.get<Position>();
    put(spot, cell_of(position.x), cell_of(position.y));
}

void SpatialHash::on_remove(Spot& spot) { take(spot); }

std::size_t SpatialHash::count_at(float x, float y) const {
    const std::int32_t cell_x = cell_of(x);
    const std::int32_t cell_y = cell_of(y);
    const auto& entries = buckets_[bucket(cell_x, cell_y)];
    return static_cast<std::size_t>(std::count_if(
        entries.begin(), entries.end(), [&](const Entry& e) { return e.cell_x == cell_x && e.cell_y == cell_y; }));
}

void SpatialHash::grow() {
    std::vector<std::vector<Entry>> before(buckets_.size() * 2);
    before.swap(buckets_);
    for (const auto& entries : before) {
        for (const Entry& entry : entries) {
            auto& bigger = buckets_[bucket(entry.cell_x, entry.cell_y)];
            entry.spot->place = static_cast<std::uint32_t>(bigger.size());
            bigger.push_back(entry);
        }
    }
}

void SpatialHash::put(Spot& spot, std::int32_t x, std::int32_t y) {
    if (++count_ > ENTRIES_A_BUCKET * buckets_.size()) grow();
    auto& entries = buckets_[bucket(x, y)];
    spot.cell_x = x;
    spot.cell_y = y;
    spot.place = static_cast<std::uint32_t>(entries.size());
    entries.push_back({x, y, &spot});
}

void SpatialHash::take(Spot& spot) {
    auto& entries = buckets_[bucket(spot.cell_x, spot.cell_y)];
    entries[spot.place] = entries.back();
    entries[spot.place].spot->place = spot.place;
    entries.pop_back();
    --count_;
}

}  // namespace crate_room
