#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "sparse.hpp"

namespace bench {

/// A workload of native/cases, written with EnTT as its documentation recommends.
class EnttCase {
public:
    virtual ~EnttCase() = default;
    virtual void step() = 0;
    /// Throws unless the state is that after `steps` steps.
    virtual void verify(std::size_t steps) = 0;
};

/// A view, and its `each`.
std::unique_ptr<EnttCase> entt_shuffled(std::uint32_t n);
/// `patch`, a reactive storage, and its view.
std::unique_ptr<EnttCase> entt_sparse(const Sparse& params);

}  // namespace bench
