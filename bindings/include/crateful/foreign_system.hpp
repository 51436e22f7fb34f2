#pragma once
#include <cstdint>
#include <exception>
#include <string>

#include "crateful/system.hpp"

namespace crateful {

/// JavaScript threw; the value waits there under `token`.
class ForeignError final : public std::exception {
public:
    explicit ForeignError(int token) noexcept : token_(token) {}
    [[nodiscard]] int token() const noexcept { return token_; }
    [[nodiscard]] const char* what() const noexcept override { return "a JavaScript callback threw"; }

private:
    int token_;
};

/// Stands for a system written in JavaScript: passes on what it overrides, and nothing else, so that a
/// plain system costs one call a frame.
class ForeignSystem final : public SystemBase {
public:
    enum Flags : int {
        disabled = 1,
        debug = 2,
        when_dirty = 4,     ///< `onlyWhenDirty`
        hears_entered = 8,  ///< overrides `makeAspect` or `onAdd`
        hears_left = 16,    ///< overrides `onRemove`
    };
    /// Addresses for JavaScript, which reads the sets straight from memory.
    struct Memory {
        SparseSet* tracked;
        SparseSet* dirty;
        Cursor* seen;
        std::uint32_t* hears_left;  ///< set by JavaScript: leaving must be told, as it holds aspects
    };

    ForeignSystem(int world, int token, std::string name, int flags);
    ~ForeignSystem() override;
    [[nodiscard]] std::string name() const override { return name_; }
    void init() override;
    void on_clear() override;
    void require_class(ComponentId id) { require_ids({id}); }
    void watch_class(ComponentId id) { watch_ids({id}); }
    [[nodiscard]] const Memory& memory() const noexcept { return memory_; }

private:
    void run(double delta) override;
    void entered(Entity e) override;
    void left(Entity e) override;
    void was_enabled() override;
    void was_disabled() override;

    int world_;
    int token_;
    std::string name_;
    Memory memory_;
};

}  // namespace crateful
