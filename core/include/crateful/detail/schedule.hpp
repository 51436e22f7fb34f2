#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "crateful/detail/first_error.hpp"
#include "crateful/detail/tracking.hpp"
#include "crateful/detail/type_info.hpp"
#include "crateful/system.hpp"

namespace crateful::internal {

/// The systems of an ECS in the order in which they run (rules S1 to S4, S9 to S12, S14). Errors and effects are those of the
/// calls of ECS with the same names.
class Schedule {
public:
    explicit Schedule(Tracking& tracking) noexcept : tracking_(tracking) {}
    ~Schedule() = default;
    Schedule(const Schedule&) = delete;
    Schedule& operator=(const Schedule&) = delete;

    /// The ECS is destroyed: destroys the systems, without a call of their callbacks. Destructors may add others.
    void destroy_all();
    [[nodiscard]] bool empty() const noexcept { return systems_.empty(); }

    void add(ECS& ecs, double priority, std::unique_ptr<SystemBase> owned, const SystemClass& cls);
    void remove(SystemBase& system);
    void set_enabled(SystemBase& system, bool on, const char* call);
    [[nodiscard]] SystemBase& find(const void* class_id, std::string_view class_name) const;
    [[nodiscard]] SystemBase& find(std::string_view name) const;
    /// A copy, in running order.
    [[nodiscard]] std::vector<SystemBase*> systems() const;

    /// The systems that run in the update that begins now. Until `end_update`, removals are deferred. Valid until then.
    const std::vector<SystemBase*>& begin_update();
    void end_update(FirstError& error);
    [[nodiscard]] bool updating() const noexcept { return updating_; }
    /// Throws `bad_system` for a system that was not added to this ECS.
    void require_added(const SystemBase& system, const char* call) const;
    /// Systems that are added from now on run in a random order where neither priorities nor constraints decide. No system may be added yet.
    void shuffle(std::uint32_t seed) noexcept { seed_ = seed; }

private:
    template <class Fits>
    [[nodiscard]] SystemBase* first_added(Fits&& fits) const;
    static void require_valid(const SystemBase& system, double priority);
    [[nodiscard]] std::uint64_t turn_of(const SystemBase& system) const noexcept;
    [[nodiscard]] std::vector<SystemBase*> order_with(SystemBase* added) const;
    void arrange(const std::vector<SystemBase*>& order) noexcept;
    void name_clock(SystemBase& system);
    void remove_now(SystemBase& system, FirstError& error);

    Tracking& tracking_;
    std::vector<std::unique_ptr<SystemBase>> systems_;  // in running order
    std::vector<SystemBase*> frame_;                    // the systems of the running or last update
    bool frame_is_old_ = false;                         // `systems_` has changed since
    std::uint64_t next_sequence_ = 0;
    std::optional<std::uint32_t> seed_;  // of `shuffle`
    bool removals_pending_ = false;      // until the end of the update
    bool updating_ = false;
};

}  // namespace crateful::internal
