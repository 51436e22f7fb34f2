#pragma once
#include <utility>

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
    [[nodiscard]] bool in_progress() const noexcept { return control_.depth > 0; }
    /// For calls that change something, before they do: throws `too_deep` if no further operation can begin, and `bad_argument` while
    /// changes are locked. One comparison.
    void require_possible(const char* call) {
        if (control_.depth >= limit_) refuse(call);
    }
    /// The same for calls that begin no operation.
    void require_unlocked(const char* call) {
        if (limit_ == LOCKED) refuse(call);
    }
    /// Only whether a further operation can begin: for handlers of events, and with `in_call` for a part of a call that was possible.
    void require_room(bool in_call = false);
    /// Whether changes are locked: callbacks must not change the ECS, because its state is being encoded or restored (rule N2).
    void lock(bool on) noexcept { limit_ = on ? LOCKED : LIMIT; }
    /// A callback of this system runs, which must not change the ECS (rule S18); nullptr: that has ended. Returns what it replaces.
    const SystemBase* observe(const SystemBase* observer) noexcept {
        if (observer_ == nullptr && observer != nullptr) limit_before_ = std::exchange(limit_, LOCKED);
        if (observer_ != nullptr && observer == nullptr) limit_ = limit_before_;
        return std::exchange(observer_, observer);
    }
    /// The observer whose callback runs, or nullptr.
    [[nodiscard]] const SystemBase* observer() const noexcept { return observer_; }
    /// For calls that signal or dispatch.
    void require_unobserved(const char* call) const {
        if (observer_ != nullptr) refuse_observer(call);
    }
    /// The callback that is called next, for the message of that error; `system` is nullptr for a handler of events.
    void calls(const char* callback, const SystemBase* system) noexcept { caller_ = {callback, system}; }
    /// Read by language bindings in memory.
    struct Control {
        /// How many are in progress.
        int depth = 0;
        /// At this depth, each system tracks exactly the entities that it selects. At a greater depth, a system may not know of a change yet.
        int settled = 0;
    };
    [[nodiscard]] const Control& control() const noexcept { return control_; }
    /// The systems know of all changes that the operations in progress have made until now.
    void settled() noexcept { control_.settled = control_.depth; }
    void begin() noexcept { ++control_.depth; }
    void end() noexcept {
        --control_.depth;
        ended();
    }

    Operations() = default;
    Operations(const Operations&) = delete;
    Operations& operator=(const Operations&) = delete;
    virtual ~Operations() = default;

protected:
    /// No operation is in progress: those that had begun were abandoned, because JavaScript's stack was exhausted.
    void abandon() noexcept {
        control_ = {};
        caller_ = {};
        observe(nullptr);
    }
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
    static constexpr int LOCKED = 0;  // in place of a limit
    [[noreturn]] void refuse(const char* call);
    [[noreturn]] void refuse_depth();
    [[noreturn]] void refuse_observer(const char* call) const;
    void ended() noexcept {
        if (control_.settled > control_.depth) control_.settled = control_.depth;
        if (limit_ != LIMIT || cleanup_needed_) settle();
    }
    void settle() noexcept;
    struct Caller {
        const char* callback = "destructor";
        const SystemBase* system = nullptr;
    };
    Control control_;
    Caller caller_;
    const SystemBase* observer_ = nullptr;
    int limit_ = LIMIT;
    int limit_before_ = LIMIT;  // of `observe`
    bool cleanup_needed_ = false;
};

/// While it exists, a callback of a system runs, which must not change the ECS if the system is an observer (rule S18). Only without
/// NDEBUG: then a program finds its mistake in tests.
class Observed {
public:
#ifdef NDEBUG
    Observed(Operations& /*all*/, const SystemBase* /*observer*/) noexcept {}
#else
    Observed(Operations& all, const SystemBase* observer) noexcept
        : all_(observer == nullptr ? nullptr : &all), before_(observer == nullptr ? nullptr : all.observe(observer)) {}
    ~Observed() {
        if (all_ != nullptr) all_->observe(before_);
    }
    Observed(const Observed&) = delete;
    Observed& operator=(const Observed&) = delete;

private:
    Operations* all_;
    const SystemBase* before_;
#endif
};

/// An operation that ends with its scope. Those that were abandoned inside it, because JavaScript's stack was exhausted, end too.
class Operation {
public:
    explicit Operation(Operations& all) noexcept : all_(all), depth_(all.control_.depth), caller_(all.caller_) {
        all.begin();
    }
    ~Operation();
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

private:
    Operations& all_;
    const int depth_;
    const Operations::Caller caller_;
};

}  // namespace crateful::internal
