#pragma once

namespace crateful::internal {

/// Counts the calls that are in progress and may call functions of the user (callbacks, destructors of components). Until the
/// outermost one ends, functions of systems may be on the stack, and lists of systems may be in use; so what was removed is
/// destroyed then.
class Operations {
public:
    /// Whether a callback may be running.
    [[nodiscard]] bool in_progress() const noexcept { return depth_ > 0; }
    void begin() noexcept { ++depth_; }
    void end() noexcept {
        if (--depth_ == 0 && cleanup_needed_) clean_up();
    }

    Operations() = default;
    Operations(const Operations&) = delete;
    Operations& operator=(const Operations&) = delete;
    virtual ~Operations() = default;

protected:
    /// Calls `clean_up` when the outermost operation ends.
    void request_cleanup() noexcept { cleanup_needed_ = true; }
    /// To be called at the beginning of `clean_up`; returns false if nothing was requested.
    [[nodiscard]] bool cleanup_requested() noexcept {
        const bool needed = cleanup_needed_;
        cleanup_needed_ = false;
        return needed;
    }
    virtual void clean_up() noexcept {}

private:
    int depth_ = 0;
    bool cleanup_needed_ = false;
};

/// An operation that ends with its scope.
class Operation {
public:
    explicit Operation(Operations& all) noexcept : all_(all) { all.begin(); }
    ~Operation() { all_.end(); }
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

private:
    Operations& all_;
};

}  // namespace crateful::internal
