#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "crateful/ecs.hpp"
#include "crateful/foreign_system.hpp"

namespace crateful {

/// One world as JavaScript holds it: `ecs.raw` in TypeScript, `World&` in a function of your own module:
///
///     emscripten::function("buildRoom(world, crates)", +[](crateful::World& w, int n) { build(w.ecs(), n); });
///
/// Its other members are for the TypeScript package. Numbers and addresses cross, values travel as
/// memory; no exception crosses: a call that fails returns `-1 - code` or, where a pointer or an entity
/// is due, 0 or NONE, and `error_*` tell the rest.
class World final : private Host {
public:
    /// What crosses when something failed that is no `ErrorCode`.
    static constexpr int NATIVE_EXCEPTION = 100;   ///< a C++ system or handler threw
    static constexpr int FOREIGN_EXCEPTION = 101;  ///< JavaScript threw; `error_token()` names what

    explicit World(int token);
    ~World() override;

    [[nodiscard]] ECS& ecs() noexcept { return ecs_; }
    [[nodiscard]] const ECS& ecs() const noexcept { return ecs_; }

    // --- failure ---
    [[nodiscard]] int error_code() const noexcept { return error_code_; }
    [[nodiscard]] int error_token() const noexcept { return error_token_; }
    [[nodiscard]] std::string error_message() const { return error_message_; }

    // --- memory ---
    /// Memory for arguments.
    struct Scratch {
        double* memory;  // doubles for their alignment
        std::size_t bytes;
    };
    /// Makes sure that there are at least `bytes` of scratch memory.
    int reserve_scratch(std::size_t bytes);
    /// Address of the Scratch.
    [[nodiscard]] std::uintptr_t scratch_control() const noexcept;
    /// What stands in a sparse index for each page that holds nothing.
    [[nodiscard]] std::uintptr_t empty_page() const noexcept;
    /// The control block of a set that is empty for ever.
    [[nodiscard]] std::uintptr_t empty_set() const noexcept;
    /// Addresses: EntityPool::Control, MarkQueue::Control.
    [[nodiscard]] std::uintptr_t pool_control() const noexcept;
    [[nodiscard]] std::uintptr_t marks_control() noexcept;
    /// Address of a class's Storage::Control and of the SparseSet behind it (0 under `linear`).
    [[nodiscard]] std::uintptr_t storage_control(ComponentId id);
    [[nodiscard]] std::uintptr_t storage_set(ComponentId id);
    /// Makes room for one more component, so that an object can be made to show it beforehand.
    int reserve(std::uint32_t e, ComponentId id);
    /// A cursor linked to a SparseSet; its position is the first word.
    [[nodiscard]] std::uintptr_t open_cursor(std::uintptr_t set);
    void close_cursor(std::uintptr_t set, std::uintptr_t cursor);

    // --- entities and components; lists are in memory ---
    [[nodiscard]] std::uint32_t add_entity();
    int add_entities(std::uintptr_t out, std::size_t n);
    int remove_entity(std::uint32_t e);
    int remove_entities(std::uintptr_t list, std::size_t n);
    int add_component(std::uint32_t e, ComponentId id, std::uintptr_t row, int flags);
    /// `columns`: for each field `n` values, each column starting at a multiple of 8 bytes; 0: defaults.
    int add_components(std::uintptr_t list, std::size_t n, ComponentId id, std::uintptr_t columns, int flags);
    int remove_component(std::uint32_t e, ComponentId id);
    int remove_components(std::uintptr_t list, std::size_t n, ComponentId id);
    int mark_dirty(std::uintptr_t list, std::size_t n, ComponentId id);
    int drain();
    /// How many removals of the component are under way; copies to `row`, unless that is 0, what
    /// `onRemove` may read of the latest.
    int read_parked(std::uint32_t e, ComponentId id, std::uintptr_t row) const;

    // --- systems ---
    /// A system in JavaScript: an address for the calls below. `flags` as in ForeignSystem.
    [[nodiscard]] std::uintptr_t make_system(int token, const std::string& name, int flags);
    void require(std::uintptr_t system, ComponentId id);
    void watch(std::uintptr_t system, ComponentId id);
    /// Address of four words: SparseSet tracked, SparseSet dirty, Cursor seen, address of the flag "hears who leaves".
    [[nodiscard]] std::uintptr_t system_memory(std::uintptr_t system);
    int add_system(double priority, std::uintptr_t system);
    int remove_system(std::uintptr_t system);
    int set_enabled(std::uintptr_t system, bool on);

    // --- time ---
    /// The effective delta, or `-1 - code`.
    double update(double wall_delta);
    int clear();
    int slow_motion(double factor, double duration);
    [[nodiscard]] double slow_motion_factor() const { return ecs_.slow_motion().factor(); }
    [[nodiscard]] bool steps() const { return ecs_.slow_motion().style == SlowMotion::Style::step; }
    void set_steps(bool on) { ecs_.slow_motion().style = on ? SlowMotion::Style::step : SlowMotion::Style::scale; }
    void end_slow_motion() { ecs_.slow_motion().clear(); }
    [[nodiscard]] bool paused() const { return ecs_.paused(); }
    void set_paused(bool on) { ecs_.set_paused(on); }
    [[nodiscard]] double game_time() const { return ecs_.game_time(); }
    [[nodiscard]] double wall_time() const { return ecs_.wall_time(); }

    /// Whether JavaScript has delayed events and wants to hear of game time.
    [[nodiscard]] bool awaits_time() const { return awaits_time_; }
    void set_awaits_time(bool on) { awaits_time_ = on; }

    // --- profiler ---
    [[nodiscard]] bool profiling() const { return ecs_.profiler.enabled; }
    void set_profiling(bool on) { ecs_.profiler.enabled = on; }
    void record(const std::string& group, const std::string& name, double start, double duration) {
        ecs_.profiler.record(group, name, start, duration);
    }
    void forget_profile() { ecs_.profiler.clear(); }

private:
    void component_leaves(Entity e, ComponentId component, bool final) override;
    void component_gone(Entity e, ComponentId component) override;
    void entity_gone(Entity e) override;
    void time_advanced(double game_time) override;
    void cleared() override;
    template <class F>
    int guarded(F&& call) noexcept;

    ECS ecs_;
    int token_;
    int error_code_ = 0;
    int error_token_ = 0;
    std::string error_message_;
    std::vector<double> scratch_;
    Scratch scratch_control_{nullptr, 0};
    bool awaits_time_ = false;
    std::vector<std::unique_ptr<ForeignSystem>> made_;  // not yet added
};

}  // namespace crateful
