#include "spatial_grid.hpp"

#include <algorithm>

namespace crate_room {

void SpatialGrid::remove(Entry& entry) {
    std::erase_if(buckets_[bucket(entry.cell_x, entry.cell_y)],
                  [e = entry.entity()](const Item& item) { return item.entity == e; });
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
    entry.cell_x = x;
    entry.cell_y = y;
    insert_into(buckets_[bucket(x, y)], {x, y, entry.entity()});
}

void SpatialGrid::insert_into(Bucket& bucket, const Item& item) {
    const auto before = [](const Item& a, const Item& b) { return a.entity < b.entity; };
    bucket.insert(std::upper_bound(bucket.begin(), bucket.end(), item, before), item);
}

void SpatialGrid::double_buckets() {
    std::vector<Bucket> before(buckets_.size() * 2);
    before.swap(buckets_);
    for (const Bucket& items : before) {
        for (const Item& item : items) insert_into(buckets_[bucket(item.cell_x, item.cell_y)], item);
    }
}

}  // namespace crate_room
