// Making an ECS equal to a copy of an earlier or later state of it (rule N7).
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "state_copy.hpp"
#include "state_exchange.hpp"

namespace crateful::internal {

/// Costs O(what was touched).
class CopyExchange : public StateExchange {
public:
    /// Lists the values that may differ, and decodes those of native classes with a codec.
    CopyExchange(ECS& of, StateCopy& to, Touched& touched, bool has_host);

private:
    [[nodiscard]] bool selects_later(const SystemBase& system, std::uint32_t index) const noexcept override {
        return selects(system, signature(index));
    }
    [[nodiscard]] const std::uint32_t* signature(std::uint32_t index) const noexcept;

    void plan_class(std::size_t number);
    void plan_opaque(ClassPlan& plan, std::size_t number);
    void plan_systems(bool has_host);

    void compare() override;
    void compare_entities();
    void compare_class(std::size_t k);
    void reserve() override;
    void reserve_hierarchy();

    void exchange_entities() override;
    void exchange_order(StorageChange& change) override;
    void exchange_hierarchy() override;
    void exchange_tracked() override;

    StateCopy& copy_;
    Touched& touched_;
    std::vector<std::size_t> numbers_;                // in the copy, of the classes of the plan
    std::deque<std::vector<std::byte>> memory_;       // of opaque values
    std::deque<std::vector<std::uint32_t>> lengths_;  // of these
    std::deque<std::vector<Entity>> entities_;        // that have them
    std::vector<std::uint32_t> candidates_;           // sorted: the indices whose entity may be different
    std::vector<std::uint32_t> signatures_;           // of these, afterwards
    std::vector<Entity> moved_;
    std::vector<Placement> placements_;
    std::vector<const Placement*> waiting_;
};

}  // namespace crateful::internal
