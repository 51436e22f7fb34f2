#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crateful/ecs.hpp"
#include "crateful/foreign_system.hpp"

namespace crateful {
namespace internal {

/// What follows each text in memory that JavaScript reads or writes: a byte that UTF-8 does not contain.
inline constexpr char END = '\xFF';

}  // namespace internal

/// An ECS as JavaScript holds it: `ecs.raw` in TypeScript. Functions of your own module receive it as `World&`:
///
///     emscripten::function("buildRoom(world, crates)", +[](crateful::World& w, int n) { build(w.ecs(), n); });
///
/// All members except `ecs()` are for the TypeScript package, which calls the functions in bindings/src/exports.cpp.
class World final : private Host {
public:
    /// Codes for errors that are not an `ErrorCode`.
    static constexpr int NATIVE_EXCEPTION = 100;   ///< a C++ system or handler threw
    static constexpr int FOREIGN_EXCEPTION = 101;  ///< JavaScript threw the value that `error_token` stands for

    /// `token` stands for the world in calls to JavaScript.
    explicit World(int token);
    ~World() override;

    /// The ECS, for C++.
    [[nodiscard]] ECS& ecs() noexcept { return ecs_; }
    /// The same, to read it.
    [[nodiscard]] const ECS& ecs() const noexcept { return ecs_; }
    /// What stands for the world in calls to JavaScript.
    [[nodiscard]] int token() const noexcept { return token_; }

    /// What JavaScript reads and writes in memory.
    struct Memory {
        World* world;                     ///< this object
        const void* empty_page;           ///< the page that sparse indices contain in place of pages without elements
        const void* empty_set;            ///< the control block of a set that is always empty
        const EntityPool::Control* pool;  ///< which entities are alive
        const Hierarchy::Control* hierarchy;              ///< parents and children
        const internal::Operations::Control* operations;  ///< whether callbacks are running
        const MarkQueue::Control* marks;                  ///< signals that the core has not processed yet
        const Clock::Times* times;                        ///< game time, wall time and others
        bool* paused;                                     ///< `ECS::paused()`
        bool* replaying;                                  ///< `ECS::replaying()`
        SlowMotion::Style* style;                         ///< of slow motion
        bool* profiling;                                  ///< `Profiler::enabled`
        int error_code = 0;                               ///< of the last call that failed
        int error_token = 0;            ///< the value that JavaScript threw in it, if the code is FOREIGN_EXCEPTION
        std::uint32_t awaits_time = 0;  ///< whether JavaScript has delayed events, so that it is notified of game time
    };
    /// What JavaScript reads and writes.
    [[nodiscard]] const Memory& memory() const noexcept { return memory_; }
    /// The text of the last error.
    [[nodiscard]] std::string error_message() const { return error_message_; }

    /// Calls `call`; returns 0, or `-1 - code` if it throws.
    template <class F>
    int guarded(F&& call) noexcept {
        try {
            call();
            return 0;
        } catch (...) {
            return keep_error();
        }
    }
    /// Throws the exception that is being handled as a JavaScript error; `world` is the one in which it was thrown, if any.
    [[noreturn]] static void throw_to_javascript(const World* world);
    /// Creates a system that is written in JavaScript; returns its address for `add_system`, or 0. `token` stands for
    /// the system in calls to JavaScript; `flags` are those of ForeignSystem.
    [[nodiscard]] std::uintptr_t make_system(int token, const std::string& name, int flags);
    /// Adds a system that `make_system` created.
    void add_system(double priority, ForeignSystem& system);

    /// Classes from which JavaScript creates entities.
    struct Prefab {
        double* row;                         ///< where JavaScript writes the values of one entity
        std::vector<double> values;          ///< one for each field
        std::vector<std::uint32_t> entries;  ///< twice the id of each class, plus HAS_OBJECT
        std::vector<ComponentId> ids;        ///< of the classes
        std::vector<std::size_t> first;      ///< for each class, how many fields are in front of its own in the row
        internal::PrefabClasses classes;     ///< creates the entities
    };
    /// Creates a prefab with these entries, which exists as long as this object.
    [[nodiscard]] Prefab& add_prefab(std::span<const std::uint32_t> entries);

    /// Declares the class to embind, for functions of users' modules.
    static void declare();

private:
    struct CurrentError {
        int code;
        int token;
        const char* message;
    };
    // The exception that is being handled.
    static CurrentError current_error() noexcept;
    // Describes it in the Memory; returns `-1 - code`.
    int keep_error() noexcept;
    void component_detached(Entity e, ComponentId component, bool final) override;
    void component_destroyed(Entity e, ComponentId component) override;
    void storage_changed(ComponentId component) noexcept override;
    void slots_change(Entity e, ComponentId component) noexcept override;
    void entity_destroyed(Entity e) override;
    void string_freed(std::uint32_t number) noexcept override;
    void time_advanced(double game_time) override;
    void cleared() override;

    ECS ecs_;
    int token_;
    Memory memory_;
    std::string error_message_;
    std::vector<std::unique_ptr<Prefab>> prefabs_;         // the one used last is the last
    std::vector<std::unique_ptr<ForeignSystem>> created_;  // created but not added yet
};

}  // namespace crateful
