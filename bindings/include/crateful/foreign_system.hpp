#pragma once
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crateful/system.hpp"

namespace crateful {

/// Thrown when JavaScript threw; `token` stands for the value.
class ForeignError final : public std::exception {
public:
    /// The token was issued by JavaScript.
    explicit ForeignError(int token) noexcept : token_(token) {}
    /// What stands for the value that was thrown.
    [[nodiscard]] int token() const noexcept { return token_; }
    /// The same for all values: JavaScript throws the value itself again.
    [[nodiscard]] const char* what() const noexcept override { return "a JavaScript callback threw"; }

private:
    int token_;
};

/// A system that is written in JavaScript. It calls only what the JavaScript class overrides, so a system that
/// overrides nothing but `update` costs one call per frame.
class ForeignSystem final : public SystemBase {
public:
    /// Options, combined with `|`.
    enum Flags : int {
        disabled = 1,
        debug = 2,
        when_dirty = 4,        ///< `onlyWhenDirty`
        notifies_add = 8,      ///< overrides `makeAspect` or `onAdd`
        notifies_remove = 16,  ///< overrides `onRemove`
        keeps_order = 32,      ///< `ordered`
        uses_none = 64,        ///< has no entities
        conditional = 128,     ///< overrides `when`
        is_exact = 256,        ///< `exact`
        drops_skipped = 512,   ///< has an inbox that is emptied when an update skips the system
        observes = 1024,       ///< `observer`
    };
    /// The addresses of what JavaScript reads and writes in memory.
    struct Memory {
        SparseSet* tracked;          ///< the tracked entities
        SparseSet* dirty;            ///< the dirty set
        IterationPosition* visited;  ///< the visited prefix of the dirty set
        std::uint32_t*
            notifies_remove;  ///< set to 1 by JavaScript when it creates an aspect, which must be removed later
        std::uint32_t* const* causes;  ///< why the entities of the dirty set are there, by entity index
    };

    /// The tokens stand for the world and the system in calls to JavaScript. `names` contains the name and, behind it, the names of the
    /// systems before which and after which it runs.
    ForeignSystem(int world, int token, std::string names, int flags);
    ~ForeignSystem() override;
    [[nodiscard]] std::string name() const override { return names_.substr(0, name_bytes_); }
    void init() override;
    void on_clear() override;
    bool when(const ECS& ecs) override;
    /// `lists` contains, each after its length: the number of bytes of the name, of the names before which and of those after which it
    /// runs; the ids of the classes for each `ComponentUse`; and the addresses of the systems before which and after which it runs.
    void describe(double interval, const std::uint32_t* lists);
    /// It is at this address as long as the system exists.
    [[nodiscard]] const Memory& memory() const noexcept { return memory_; }

private:
    void run_(double delta) override;
    void notify_add_(Entity e) override;
    void notify_remove_(Entity e) override;
    void notify_enabled_() override;
    void notify_disabled_() override;
    void skipped_() override;

    int world_;
    int token_;
    std::string names_;
    std::size_t name_bytes_ = 0;
    Memory memory_;
};

}  // namespace crateful
