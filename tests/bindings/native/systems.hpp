#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "components.hpp"

namespace fixture {

/// The callbacks that a C++ system received, for tests to read.
struct Log {
    std::vector<std::string> lines;
    void add(const std::string& line) { lines.push_back(line); }
};
Log& log_of(const crateful::ECS& ecs);

struct WeightAspect : crateful::Aspect {
    double last_mass = 0;
};

/// Watches a native component, keeps its mass in its aspects, and logs each callback.
class Weigher final : public crateful::System<WeightAspect> {
public:
    Weigher();

private:
    void init() override;
    void update(double delta, crateful::Entities<WeightAspect>& entities, crateful::DirtySet& dirty) override;
    void on_add(WeightAspect& aspect) override;
    void on_remove(WeightAspect& aspect) override;
    void on_clear() override;
};

/// Changes native components of its entities with `modify`, or with raw writes if `silent`.
class Grower final : public crateful::System<> {
public:
    bool silent = false;
    Grower();

private:
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) override;
};

/// Throws in every update.
class Thrower final : public crateful::System<> {
public:
    Thrower();

private:
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) override;
};

/// Allocates 32 MiB in each update.
class Hoarder final : public crateful::System<> {
public:
    Hoarder();

private:
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) override;
    std::vector<std::vector<char>> hoard_;
};

}  // namespace fixture
