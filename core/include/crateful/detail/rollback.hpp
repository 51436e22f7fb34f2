#pragma once
#include <utility>

namespace crateful::internal {

/// Calls a function when the scope is left, in whatever way.
template <class Call>
class AtEnd {
public:
    explicit AtEnd(Call call) noexcept : call_(std::move(call)) {}
    ~AtEnd() { call_(); }
    AtEnd(const AtEnd&) = delete;
    AtEnd& operator=(const AtEnd&) = delete;

private:
    Call call_;
};

/// Calls a function when the scope is left by an exception: unless `cancel` was called. It compiles with and without
/// exceptions, in contrast to `catch`.
template <class Undo>
class Rollback {
public:
    explicit Rollback(Undo undo) noexcept : undo_(std::move(undo)) {}
    ~Rollback() {
        if (active_) undo_();
    }
    Rollback(const Rollback&) = delete;
    Rollback& operator=(const Rollback&) = delete;
    /// What could throw has been done.
    void cancel() noexcept { active_ = false; }

private:
    Undo undo_;
    bool active_ = true;
};

}  // namespace crateful::internal
