#include "spatial_grid.hpp"

#include <algorithm>

namespace crate_room {

void SpatialGrid::remove(Entry& entry) {
    auto& items = buckets_[bucket(entry.cell_x, entry.cell_y)];
    items[entry.slot] = items.back();
    items[entry.slot].entry->slot = entry.slot;
    items.pop_back();
    --count_;
}

std::size_t SpatialGrid::count_at(float x, float y) const {
    const std::int32_t cell_x = cell_of(x);
    const std::int32_t cell_y = cell_of(y);
    const auto& items = buckets_[bucket(cell_x, cell_y)];
    return static_cast<std::size_t>(std::count_if(
        items.begin(), items.end(), [&](const Item& item) { return item.cell_x == cell_x && item.cell_y == cell_y; }));
}

void SpatialGrid::insert_into(std::int32_t x, std::int32_t y, Entry& entry) {
    if (++count_ > ENTRIES_PER_BUCKET * buckets_.size()) double_buckets();
    auto& items = buckets_[bucket(x, y)];
    entry.cell_x = x;
    entry.cell_y = y;
    entry.slot = static_cast<std::uint32_t>(items.size());
    items.push_back({x, y, &entry});
}

void SpatialGrid::double_buckets() {
    std::vector<std::vector<Item>> before(buckets_.size() * 2);
    before.swap(buckets_);
    for (const auto& items : before) {
        for (const Item& item : items) {
            auto& larger = buckets_[bucket(item.cell_x, item.cell_y)];
            item.entry->slot = static_cast<std::uint32_t>(larger.size());
            larger.push_back(item);
        }
    }
}

}  // namespace crate_room
