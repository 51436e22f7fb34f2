#pragma once
#include "crateful/ecs.hpp"

namespace crateful {

// Brackets every call that may run callbacks. When the outermost one ends, nothing of a system can be
// on the stack any more: then removed systems are destroyed and the lists lose their holes.
class ECS::Operation {
public:
    explicit Operation(ECS& ecs) noexcept : ecs_(ecs) { ++ecs_.depth_; }
    ~Operation() {
        if (--ecs_.depth_ == 0) ecs_.compact();
    }
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

private:
    ECS& ecs_;
};

}  // namespace crateful
