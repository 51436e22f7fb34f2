#pragma once
#include "crateful/ecs.hpp"

namespace crateful {

// Encloses every call that may run callbacks. While an operation is in progress, functions of systems may be on the
// stack, and lists of systems may be in use. So removed systems are destroyed, and lists compacted, when the outermost
// operation ends.
class ECS::Operation {
public:
    explicit Operation(ECS& ecs) noexcept : ecs_(ecs) { ++ecs_.depth_; }
    ~Operation() {
        if (--ecs_.depth_ == 0 && (ecs_.lists_have_gaps_ || !ecs_.removed_systems_.empty())) ecs_.compact();
    }
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

private:
    ECS& ecs_;
};

}  // namespace crateful
