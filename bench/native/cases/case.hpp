#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include <crateful/ecs.hpp>

namespace bench {

/// A workload in a world of its own: its entities and systems are there, and one step is one
/// `ecs.update()`. It has to go before its world.
class Case {
public:
    explicit Case(crateful::ECS& ecs) : ecs_(ecs) {}
    virtual ~Case() = default;
    Case(const Case&) = delete;
    Case& operator=(const Case&) = delete;

    /// Visits, or operations, in one step: what a time is divided by.
    [[nodiscard]] virtual std::size_t ops() const = 0;
    /// Throws unless the work of that many steps was really done.
    virtual void verify(std::size_t steps) const = 0;

protected:
    static void require(bool done, const std::string& what) {
        if (!done) throw std::runtime_error("not done: " + what);
    }
    crateful::ECS& ecs_;
};

/// A component of one number; each `I` is a class of its own.
template <int I>
struct Value {
    std::uint32_t value = 0;
};

/// Adds a system that requires `Cs` and calls `run(ecs)` in each frame.
template <class... Cs, class Run>
void add_system(crateful::ECS& ecs, double priority, Run run) {
    class Each final : public crateful::System<> {
    public:
        explicit Each(Run r) : run_(std::move(r)) { this->template require<Cs...>(); }
        void update(double, crateful::Entities<crateful::Aspect>&, crateful::DirtySet&) override { run_(ecs()); }

    private:
        Run run_;
    };
    ecs.add_system<Each>(priority, std::move(run));
}

}  // namespace bench
