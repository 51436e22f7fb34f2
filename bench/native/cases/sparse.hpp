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

/// Of `n` entities, `k` change in each step; a system that watches positions follows them.
struct Sparse {
    std::uint32_t n;
    std::uint32_t k;
    bool moving;  ///< each step's are the neighbours of the last one's; else always the same

    /// Which entity is the i-th to change in a step: they are spread over all, as in ../../cases/sparse.mjs.
    [[nodiscard]] std::uint32_t chosen(std::uint64_t step, std::uint32_t i) const {
        return static_cast<std::uint32_t>((std::uint64_t{i} * n / k + (moving ? step : 0)) % n);
    }
};

/// `changes`: a C++ system makes them, and `x` becomes the number of the step. Else somebody else does,
/// before each step, and proves the outcome.
std::unique_ptr<Case> sparse(crateful::ECS& ecs, const Sparse& params, bool changes);

}  // namespace bench
