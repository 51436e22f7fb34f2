#pragma once
#include "components.hpp"
#include "input.hpp"
#include "smash.hpp"

namespace crate_room {

/// Says which crate is under the pointer. A debug system: it works on while the room is paused.
class Inspector final : public crateful::System<> {
public:
    Inspector(const Input& input, const Smash& smash) : System(false, true), input_(input), smash_(smash) {
        require<Player>();
    }
    [[nodiscard]] std::string name() const override { return "Inspector"; }
    void on_clear() override { found_ = crateful::NONE; }

    void update(double, crateful::Entities<crateful::Aspect>&, crateful::DirtySet&) override {
        found_ = input_.pointing ? smash_.crate_at(input_.pointer_x, input_.pointer_y) : crateful::NONE;
        ++runs_;
    }

    /// A crate, or NONE.
    [[nodiscard]] crateful::Entity found() const { return ecs().alive(found_) ? found_ : crateful::NONE; }
    [[nodiscard]] std::uint32_t runs() const noexcept { return runs_; }

private:
    const Input& input_;
    const Smash& smash_;
    crateful::Entity found_ = crateful::NONE;
    std::uint32_t runs_ = 0;
};

}  // namespace crate_room
