#pragma once
#include <cstdint>
#include <memory>

#include "case.hpp"

namespace bench {

struct Position {
    float x = 0;
    float y = 0;
};
struct Sprite {
    float x = 0;
    float y = 0;
    std::uint32_t frame = 0;
};

/// Of `n` entities, the positions of `k` change in each step. A system that watches them copies each to a sprite.
struct Sparse {
    std::uint32_t n;
    std::uint32_t k;
    bool moving;  ///< in each step, the next neighbours of those of the last step; otherwise always the same

    /// The index of the i-th entity to change in a step. They are evenly spread, as in ../cases/sparse.mjs.
    [[nodiscard]] std::uint32_t chosen(std::uint64_t step, std::uint32_t i) const {
        return static_cast<std::uint32_t>((std::uint64_t{i} * n / k + (moving ? step : 0)) % n);
    }
};

/// With `changes`, a C++ system changes the positions: `x` becomes the number of the step. Otherwise the caller changes
/// them before each step, and verifies the result.
std::unique_ptr<Case> sparse(crateful::ECS& ecs, const Sparse& params, bool changes);

}  // namespace bench
