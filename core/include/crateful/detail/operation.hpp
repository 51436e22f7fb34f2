#pragma once

namespace crateful {
class SystemBase;
}

namespace crateful::internal {

/// Counts the calls that are in progress and may call functions of the user (callbacks, destructors of components). Until the
/// outermost one ends, functions of systems may be on the stack, and lists of systems may be in use; so what was removed is
/// destroyed then.
class Operations {
public:
    /// How many can be in progress, each inside a callback of the one before (rule S17).
    static constexpr int LIMIT = 100;
    /// After the error for more, until fewer are in progress: an update, and a call in it.
    static constexpr int LEAST = 2;

    /// Whether a callback may be running.
    [[nodiscard]] bool in_progress() const noexcept { return state_.depth > 0; }
    /// Throws `too_deep` if no further operation can begin. For calls that begin one, before they change anything;
    /// `in_call` if the operation is a part of such a call.
    void require_room(bool in_call = false);
    /// The callback that is called next, for the message of that error; `system` is nullptr for a handler of events.
    void calls(const char* callback, const SystemBase* system) noexcept {
        state_.callback = callback;
        state_.system = system;
    }
    void begin() noexcept { ++state_.depth; }
    void end() noexcept {
        if (--state_.depth == 0 && cleanup_needed_) clean_up();
    }

    Operations() = default;
    Operations(const Operations&) = delete;
    Operations& operator=(const Operations&) = delete;
    virtual ~Operations() = default;

protected:
    /// No operation is in progress: those that had begun were abandoned, because JavaScript's stack was exhausted.
    void abandon() noexcept { state_ = {}; }
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
    friend class Operation;
    struct State {
        int depth = 0;
        const char* callback = "destructor";
        const SystemBase* system = nullptr;
    };
    State state_;
    int limit_ = LIMIT;
    bool cleanup_needed_ = false;
};

/// An operation that ends with its scope. Those that were abandoned inside it, because JavaScript's stack was exhausted, end too.
class Operation {
public:
    explicit Operation(Operations& all) noexcept;
    ~Operation();
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

private:
    Operations& all_;
    const Operations::State before_;
};

}  // namespace crateful::internal
