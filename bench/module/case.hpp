#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include <crateful/ecs.hpp>

namespace bench {

/// A workload in an ECS of its own. The constructor adds its entities and systems; one step is one `ecs.update()`. It
/// must be destroyed before the ECS.
class Case {
public:
    explicit Case(crateful::ECS& ecs) : ecs_(ecs) {}
    virtual ~Case() = default;
    Case(const Case&) = delete;
    Case& operator=(const Case&) = delete;

    /// The number of visits or operations in one step, by which its time is divided.
    [[nodiscard]] virtual std::size_t ops() const = 0;
    /// Throws unless the state is that after `steps` steps.
    virtual void verify(std::size_t steps) const = 0;

protected:
    static void require(bool done, const std::string& what) {
        if (!done) throw std::runtime_error("not done: " + what);
    }
    crateful::ECS& ecs_;
};

/// A component with one number; each `I` is another class.
template <int I>
struct Value {
    std::uint32_t value = 0;
};

/// Adds a system that requires `Cs` and calls `run(ecs)` in each frame.
template <class... Cs, class Run>
void add_system(crateful::ECS& ecs, double priority, Run run) {
    class CallingSystem final : public crateful::System<> {
    public:
        explicit CallingSystem(Run r) : run_(std::move(r)) { this->template require<Cs...>(); }
        void update(double) override { run_(ecs()); }

    private:
        Run run_;
    };
    ecs.add_system<CallingSystem>(priority, std::move(run));
}

}  // namespace bench
