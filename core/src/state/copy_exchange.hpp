// Making an ECS equal to a copy of an earlier or later state of it (rule N7).
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "crateful/detail/value_array.hpp"
#include "state_copy.hpp"
#include "state_exchange.hpp"

namespace crateful::internal {

/// First `prepare`, which can fail and changes nothing that can be seen; then `exchange`. Costs O(what was touched).
class CopyExchange final : StateExchange {
public:
    CopyExchange(ECS& of, StateCopy& to, Touched& touched)
        : StateExchange(of), copy_(to), touched_(touched), time_(read_time(to.text(StateCopy::TIME))) {}

    /// Throws `bad_argument` if an iteration over what changes is in progress, and `std::bad_alloc`.
    void prepare();
    /// Calls `on_remove`, exchanges everything, and calls `on_add`.
    void exchange(FirstError& error);

private:
    /// What changes in one storage.
    struct Change {
        CopiedClass* cls;
        std::vector<Entity> erased{};
        std::vector<Entity> added{};
        std::vector<std::uint32_t> written{};  // slots afterwards
        std::vector<std::uint32_t>* places = nullptr;
    };

    [[nodiscard]] Entity later(std::uint32_t index) const noexcept override {
        const Entity e = copy_.handle(index);
        return index_of(e) == index ? e : NONE;
    }
    [[nodiscard]] bool selects_later(const SystemBase& system, std::uint32_t index) const noexcept override;
    [[nodiscard]] const std::uint32_t* signature(std::uint32_t index) const noexcept;

    void find_different();
    void compare(std::size_t number);
    [[nodiscard]] bool equal(const CopiedClass& cls, std::uint32_t present, std::uint32_t slot) const noexcept;
    void require_possible(const Change& change) const;
    void plan_systems();
    void reserve();

    void exchange_entities();
    void exchange_places(const Change& change);
    void exchange_values(const Change& change);
    void exchange_hierarchy();
    void exchange_time();
    void exchange_tracked();

    StateCopy& copy_;
    Touched& touched_;
    TimeState time_;
    std::vector<std::uint32_t> candidates_;  // sorted: the indices whose entity may be different
    std::vector<std::uint32_t> signatures_;  // of these, afterwards
    std::vector<Change> changes_;
    std::vector<SystemPlan> plans_;
    EventsPlan events_;
    std::vector<Entity> pending_;
    std::vector<Entity> moved_;
    std::vector<Placement> placements_;
    std::vector<const Placement*> waiting_;
};

}  // namespace crateful::internal
