#pragma once
#include <string>
#include <utility>

#include "crateful/function_options.hpp"
#include "crateful/system.hpp"

namespace crateful::internal {

/// A system that is one function; `ECS::add_system(priority, name, function)` adds it.
template <class F>
class FunctionSystem : public System<> {
public:
    FunctionSystem(std::string name, F function, bool disabled = false, bool while_paused = false)
        : System(disabled, while_paused), name_(std::move(name)), function_(std::move(function)) {
        require_none();
    }
    [[nodiscard]] std::string name() const override { return name_; }
    void update(double delta) override { function_(ecs(), delta); }

private:
    std::string name_;
    F function_;
};

/// The same with options. Another class, so that the ECS asks no condition of the others.
template <class F>
class FunctionWithOptions final : public FunctionSystem<F> {
public:
    FunctionWithOptions(std::string name, F function, FunctionOptions options)
        : FunctionSystem<F>(std::move(name), std::move(function), options.disabled, options.while_paused),
          options_(std::move(options)) {
        this->interval(options_.interval);
        this->observer(options_.observer);
        for (const std::string& other : options_.before) this->before(other);
        for (const std::string& other : options_.after) this->after(other);
    }
    [[nodiscard]] bool when(const ECS& ecs) override { return !options_.when || options_.when(ecs); }

private:
    FunctionOptions options_;  // which contains the names of the constraints
};

}  // namespace crateful::internal
