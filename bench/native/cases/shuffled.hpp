#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "case.hpp"

namespace bench {

/// The entities with component A and those with component B: `n` each, in different random orders; half of them have
/// both. Of 1.5 `n` entities in total, as indices.
struct Shuffled {
    explicit Shuffled(std::uint32_t n);
    std::vector<std::uint32_t> with_a;
    std::vector<std::uint32_t> with_b;

    [[nodiscard]] std::size_t entities() const { return with_a.size() / 2 * 3; }
    [[nodiscard]] std::size_t matches() const { return with_a.size() / 2; }
};

/// One system adds B to A with `each`; all values of B are 1.
std::unique_ptr<Case> shuffled(crateful::ECS& ecs, std::uint32_t n);

}  // namespace bench
