// Making an ECS equal to a copy of an earlier or later state of it (rule N7).
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "state_copy.hpp"
#include "state_exchange.hpp"
#include "storage_change.hpp"

namespace crateful::internal {

/// First `read`, `prepare`, which can fail and change nothing that can be seen; then `exchange` and `finish`. They cost O(what was
/// touched).
class CopyExchange final : StateExchange {
public:
    CopyExchange(ECS& of, StateCopy& to, Touched& touched, bool has_host)
        : StateExchange(of, to.handles()), copy_(to), touched_(touched), has_host_(has_host), time_(time_of(to)) {}

    /// Lists the values that may differ, and decodes those of native classes with a codec.
    void read();
    /// These.
    [[nodiscard]] std::vector<StateSteps::Class> classes() { return classes_of(plans_); }
    [[nodiscard]] EventsPlan& events() noexcept { return events_; }
    /// Throws `bad_argument` if an iteration over what changes is in progress, and `std::bad_alloc`.
    void prepare();
    /// Calls `on_remove`, and exchanges everything except the values of object classes.
    void exchange(FirstError& error);
    /// Calls `on_add`.
    void finish(FirstError& error);

private:
    [[nodiscard]] static TimeState time_of(const StateCopy& copy) {
        Reader from(copy.text(StateCopy::TIME));
        return read_time(from);
    }
    [[nodiscard]] bool selects_later(const SystemBase& system, std::uint32_t index) const noexcept override {
        return selects(system, signature(index));
    }
    [[nodiscard]] const std::uint32_t* signature(std::uint32_t index) const noexcept;

    void plan_class(std::size_t number);
    void plan_opaque(ClassPlan& plan, std::size_t number);
    void plan_systems();
    void find_different();
    void compare(std::size_t number);
    void compare_left_out(ComponentClass& cls);
    void reserve();
    void reserve_hierarchy();

    void exchange_entities();
    void exchange_places(Storage& s, std::size_t number);
    void exchange_hierarchy();
    void exchange_tracked();

    StateCopy& copy_;
    Touched& touched_;
    bool has_host_;
    TimeState time_;
    std::vector<ClassPlan> plans_;  // of the touched classes; their numbers are in `numbers_`
    std::vector<std::size_t> numbers_;
    std::deque<std::vector<std::byte>> memory_;       // of opaque values
    std::deque<std::vector<std::uint32_t>> lengths_;  // of these
    std::deque<std::vector<Entity>> entities_;        // that have them
    std::vector<std::uint32_t> candidates_;           // sorted: the indices whose entity may be different
    std::vector<std::uint32_t> signatures_;           // of these, afterwards
    std::vector<StorageChange> changes_;              // the first ones as `plans_`
    std::vector<SystemPlan> systems_later_;
    EventsPlan events_;
    std::vector<Entity> pending_;
    std::vector<Entity> moved_;
    std::vector<Placement> placements_;
    std::vector<const Placement*> waiting_;
};

}  // namespace crateful::internal
