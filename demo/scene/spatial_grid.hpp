#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "components.hpp"
#include "random.hpp"

namespace crate_room {

/// Finds entities near a position. The plane is divided into square cells, and the cells are hashed into buckets. The
/// system SpatialHash keeps it up to date.
class SpatialGrid {
public:
    static constexpr float CELL = 2 * TILE;

    /// Where the grid stores an entity; the aspect of SpatialHash.
    struct Entry : Aspect {
        std::int32_t cell_x = 0;
        std::int32_t cell_y = 0;
    };

    /// O(entities in its bucket), except when the number of buckets grows.
    void insert(Entry& entry, const Position& at) { insert_into(cell_of(at.x), cell_of(at.y), entry); }
    /// Changes nothing unless the position is in another cell. O(entities in the buckets).
    void move(Entry& entry, const Position& to) {
        const std::int32_t x = cell_of(to.x);
        const std::int32_t y = cell_of(to.y);
        if (x == entry.cell_x && y == entry.cell_y) return;
        remove(entry);
        insert_into(x, y, entry);
    }
    /// O(entities in its bucket).
    void remove(Entry& entry);

    /// Calls `visit(entity)` for each entity whose cell intersects the box, by rows of cells from top to bottom, and in
    /// a cell by entity: the order does not depend on what was in the grid before. This may include entities outside of
    /// the box. Positions are those of the last update of SpatialHash. `visit` must not change the grid. O(cells of the
    /// box + entities in their buckets), however many entities there are elsewhere.
    template <class Visit>
    void each_near(float left, float top, float right, float bottom, Visit&& visit) const {
        const std::int32_t last_x = cell_of(right);
        const std::int32_t last_y = cell_of(bottom);
        for (std::int32_t y = cell_of(top); y <= last_y; ++y) {
            for (std::int32_t x = cell_of(left); x <= last_x; ++x) {
                for (const Item& item : buckets_[bucket(x, y)]) {
                    if (item.cell_x == x && item.cell_y == y) visit(item.entity);
                }
            }
        }
    }

    /// How many entities are in the cell around a point. O(entities in its bucket).
    [[nodiscard]] std::size_t count_at(float x, float y) const;

private:
    struct Item {
        std::int32_t cell_x;  // several cells share a bucket
        std::int32_t cell_y;
        Entity entity;
    };
    // Sorted by entity.
    using Bucket = std::vector<Item>;
    static constexpr std::size_t FEWEST_BUCKETS = 1u << 10;
    static constexpr std::size_t ENTRIES_PER_BUCKET = 2;  // at most, on average; a cell contains about four crates

    [[nodiscard]] static std::int32_t cell_of(float at) noexcept {
        return static_cast<std::int32_t>(std::floor(at / CELL));
    }
    [[nodiscard]] std::size_t bucket(std::int32_t x, std::int32_t y) const noexcept {
        return scramble(5, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)) & (buckets_.size() - 1);
    }
    void insert_into(std::int32_t x, std::int32_t y, Entry& entry);
    static void insert_into(Bucket& bucket, const Item& item);
    void double_buckets();

    std::vector<Bucket> buckets_{FEWEST_BUCKETS};  // the number is a power of two
    std::size_t count_ = 0;
};

}  // namespace crate_room
