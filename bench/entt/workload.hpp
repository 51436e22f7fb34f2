#pragma once
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace bench {

/// Something that is measured.
class Workload {
public:
    virtual ~Workload() = default;
    virtual void step() = 0;
    /// Throws unless the state is that after `steps` steps.
    virtual void verify(std::size_t steps) = 0;
    /// The number of visits or operations in one step, by which its time is divided.
    [[nodiscard]] virtual std::size_t ops() const { return 1; }
};

/// The same workload with Crateful and with EnTT.
struct Pair {
    const char* name;
    std::unique_ptr<Workload> crateful;
    std::unique_ptr<Workload> entt;
};

// Each of them is a file that is compiled alone: in one unit with all cases, GCC inlines less of EnTT.

/// Creating, removing, composing and reading 100,000 entities.
std::vector<Pair> structure();
/// Loops over two components that were added in different random orders.
std::vector<Pair> shuffled();
/// Few of many change, and are then processed.
Pair sparse_in_one_system();
/// Trees of which some move: the world positions of their entities are computed again.
Pair hierarchy();
/// Ten systems over 108,000 entities: agents walk, projectiles hit crates, and the sprites of what changed are updated. Both
/// sides must have the same result.
Pair simulation();

/// Calls `run` in each step; `check(steps)` returns whether the work was done.
template <class State, class Run, class Check>
class Of final : public Workload {
public:
    Of(std::unique_ptr<State> state, std::size_t ops, Run run, Check check)
        : state_(std::move(state)), ops_(ops), run_(run), check_(check) {}
    void step() override { run_(*state_); }
    void verify(std::size_t steps) override {
        if (!check_(*state_, steps)) throw std::runtime_error("not done: the work of a step");
    }
    [[nodiscard]] std::size_t ops() const override { return ops_; }

private:
    std::unique_ptr<State> state_;
    std::size_t ops_;
    Run run_;
    Check check_;
};
template <class State, class Run, class Check>
std::unique_ptr<Workload> workload(std::unique_ptr<State> state, std::size_t ops, Run run, Check check) {
    return std::make_unique<Of<State, Run, Check>>(std::move(state), ops, run, check);
}

}  // namespace bench
