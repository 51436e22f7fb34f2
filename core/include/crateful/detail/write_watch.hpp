#pragma once
#include <memory>
#include <span>

#include "crateful/detail/frame_listener.hpp"
#include "crateful/entity.hpp"

namespace crateful {
class ECS;
class Storage;
}  // namespace crateful

namespace crateful::internal {

/// A component that a row refers to, and that can be written.
struct WritableComponent {
    const Storage* storage;
    Entity entity;
};

/// Finds, in builds without NDEBUG, components that a loop writes without a signal although a system watches them, and reports the first
/// one of each class on stderr. Others contain it, too, so that programs can be linked from both.
class WriteWatch {
public:
    WriteWatch() noexcept = default;
    WriteWatch(const WriteWatch&) noexcept {}  // the copy of an iterator watches nothing until its next step
    WriteWatch& operator=(const WriteWatch&) noexcept { return *this; }
    ~WriteWatch() { end(); }
    /// The loop visits a row with these components. `call` is for the message.
    void begin(ECS& ecs, const char* call, std::span<const WritableComponent> components) noexcept;
    /// It has visited the row.
    void end() noexcept {
        if (row_ != nullptr) compare();
    }

private:
    struct Row;
    void compare() noexcept;
    Row* row_ = nullptr;
};

}  // namespace crateful::internal
