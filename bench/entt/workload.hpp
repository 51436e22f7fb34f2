#pragma once
#include <cstddef>

namespace bench {

/// Something that is measured.
class Workload {
public:
    virtual ~Workload() = default;
    virtual void step() = 0;
    /// Throws unless the state is that after `steps` steps.
    virtual void verify(std::size_t steps) = 0;
    /// The number of visits or operations in one step, by which its time is divided.
    [[nodiscard]] virtual std::size_t ops() const = 0;
};

}  // namespace bench
