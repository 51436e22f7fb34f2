#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "crateful/ecs.hpp"
#include "crateful/foreign_system.hpp"

namespace crateful {

/// An ECS and its interface for JavaScript: `ecs.raw` in TypeScript. Functions of your own module receive it as
/// `World&`:
///
///     emscripten::function("buildRoom(world, crates)", +[](crateful::World& w, int n) { build(w.ecs(), n); });
///
/// All members except `ecs()` are for the TypeScript package. Arguments and results are numbers and addresses; values
/// are passed in memory. No exception crosses the language boundary: a call that fails returns `-1 - code` (if it
/// returns an address, 0; an entity, NONE), and `error_code`, `error_token` and `error_message` describe the error.
class World final : private Host {
public:
    /// Codes for errors that are not an `ErrorCode`.
    static constexpr int NATIVE_EXCEPTION = 100;   ///< a C++ system or handler threw
    static constexpr int FOREIGN_EXCEPTION = 101;  ///< JavaScript threw the value that `error_token()` stands for

    /// `token` stands for the world in calls to JavaScript.
    explicit World(int token);
    ~World() override;

    [[nodiscard]] ECS& ecs() noexcept { return ecs_; }
    [[nodiscard]] const ECS& ecs() const noexcept { return ecs_; }

    // --- the error of the last call that failed ---
    [[nodiscard]] int error_code() const noexcept { return error_code_; }
    [[nodiscard]] int error_token() const noexcept { return error_token_; }
    [[nodiscard]] std::string error_message() const { return error_message_; }

    // --- memory ---
    /// Control block of the scratch memory: memory for the arguments of one call.
    struct Scratch {
        double* memory;  ///< aligned for every type of value
        std::size_t bytes;
    };
    /// Makes the scratch memory at least `bytes` bytes large; its contents may be lost.
    int reserve_scratch(std::size_t bytes);
    /// The address of the Scratch.
    [[nodiscard]] std::uintptr_t scratch_control() const noexcept;
    /// The address of the page that sparse indices contain in place of pages without elements.
    [[nodiscard]] std::uintptr_t empty_page() const noexcept;
    /// The address of the control block of a set that is always empty.
    [[nodiscard]] std::uintptr_t empty_set() const noexcept;
    /// The addresses of the EntityPool::Control and the MarkQueue::Control.
    [[nodiscard]] std::uintptr_t pool_control() noexcept;
    [[nodiscard]] std::uintptr_t marks_control() noexcept;
    /// The address of this object, for plain exports of the module.
    [[nodiscard]] std::uintptr_t self() const noexcept;
    /// The addresses of the Storage::Control of a class, and of its SparseSet (0 under the policy `linear`).
    [[nodiscard]] std::uintptr_t storage_control(ComponentId id);
    [[nodiscard]] std::uintptr_t storage_set(ComponentId id);
    /// Makes room for one more component, so that adding it moves no memory.
    int reserve(std::uint32_t e, ComponentId id);
    /// Creates an IterationPosition that is linked to a SparseSet; returns its address.
    [[nodiscard]] std::uintptr_t open_iteration(std::uintptr_t set);
    void close_iteration(std::uintptr_t set, std::uintptr_t position);

    // --- entities and components: `list` is the address of `n` entities ---
    [[nodiscard]] std::uint32_t add_entity();
    int add_entities(std::uintptr_t out, std::size_t n);
    int remove_entity(std::uint32_t e);
    int remove_entities(std::uintptr_t list, std::size_t n);
    int add_component(std::uint32_t e, ComponentId id, std::uintptr_t packed, int flags);
    /// `columns` contains `n` values for each field; each column starts at a multiple of 8 bytes. 0 sets the defaults.
    int add_components(std::uintptr_t list, std::size_t n, ComponentId id, std::uintptr_t columns, int flags);
    int remove_component(std::uint32_t e, ComponentId id);
    int remove_components(std::uintptr_t list, std::size_t n, ComponentId id);
    int mark_dirty(std::uintptr_t list, std::size_t n, ComponentId id);
    /// Drains the mark queue.
    int drain();
    /// Writes the slots of the components of `entities`, which must be alive, to `slots[0]`, `slots[stride]` and so on, up to
    /// the first entity that has none; returns the number of the others.
    std::uint32_t find_slots(ComponentId id, std::span<const Entity> entities, std::uint32_t* slots,
                             std::uint32_t stride) noexcept;
    /// The number of slots in a buffer.
    static constexpr std::uint32_t SLOT_BUFFER = 256;
    /// Creates a buffer for `find_slots` that exists as long as this object; returns its address, or 0 without memory.
    [[nodiscard]] std::uintptr_t new_slots() noexcept;
    /// Appends a mark of one slot to the mark queue.
    int append_mark(ComponentId id, std::uint32_t slot);
    /// Returns the number of removals of the component in progress. Unless `packed` is 0, copies to it the parked value
    /// that `onRemove` can read.
    int read_parked(std::uint32_t e, ComponentId id, std::uintptr_t packed);

    // --- systems ---
    /// Creates a system that is written in JavaScript; returns its address for the calls below, or 0. `token` stands
    /// for the system in calls to JavaScript; `flags` are those of ForeignSystem.
    [[nodiscard]] std::uintptr_t make_system(int token, const std::string& name, int flags);
    void require(std::uintptr_t system, ComponentId id);
    void watch(std::uintptr_t system, ComponentId id);
    /// The address of the ForeignSystem::Memory.
    [[nodiscard]] std::uintptr_t system_memory(std::uintptr_t system);
    int add_system(double priority, std::uintptr_t system);
    int remove_system(std::uintptr_t system);
    int set_enabled(std::uintptr_t system, bool on);

    // --- time ---
    /// Returns the effective delta in seconds, or `-1 - code`.
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

    /// Whether JavaScript has delayed events, so that it must be notified of game time.
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
    void component_detached(Entity e, ComponentId component, bool final) override;
    void component_destroyed(Entity e, ComponentId component) override;
    void storage_changed(ComponentId component) noexcept override;
    void slots_change(Entity e, ComponentId component) noexcept override;
    void entity_destroyed(Entity e) override;
    void time_advanced(double game_time) override;
    void cleared() override;
    // The position of an iteration in JavaScript, which counts the steps itself.
    struct ForeignPosition : IterationPosition {
        int world;
    };
    // Calls `call`; returns 0, or `-1 - code` if it throws.
    template <class F>
    int guarded(F&& call) noexcept {
        return guarded([](void* f) { (*static_cast<std::remove_reference_t<F>*>(f))(); }, std::addressof(call));
    }
    int guarded(void (*call)(void*), void* context) noexcept;

    ECS ecs_;
    int token_;
    int error_code_ = 0;
    int error_token_ = 0;
    std::string error_message_;
    std::vector<double> scratch_;
    Scratch scratch_control_{nullptr, 0};
    std::vector<std::unique_ptr<std::uint32_t[]>> slots_;
    bool awaits_time_ = false;
    std::vector<std::unique_ptr<ForeignSystem>> created_;  // created but not added yet
};

}  // namespace crateful
