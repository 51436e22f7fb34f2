#pragma once
#include <string>
#include <utility>

#include "crateful/system.hpp"

namespace crateful::internal {

/// A system that is one function; `ECS::add_system(priority, name, function)` adds it.
template <class F>
class FunctionSystem final : public System<> {
public:
    FunctionSystem(std::string name, F function) : name_(std::move(name)), function_(std::move(function)) {
        require_none();
    }
    [[nodiscard]] std::string name() const override { return name_; }
    void update(double delta) override { function_(ecs(), delta); }

private:
    std::string name_;
    F function_;
};

}  // namespace crateful::internal
