#pragma once
#include <cstdint>
#include <memory>

#include "sparse.hpp"
#include "workload.hpp"

namespace bench {

// Workloads of native/cases, written with EnTT as its documentation recommends.

/// A view, and its `each`.
std::unique_ptr<Workload> entt_shuffled(std::uint32_t n);
/// `patch`, a reactive storage, and its view.
std::unique_ptr<Workload> entt_sparse(const Sparse& params);

}  // namespace bench
