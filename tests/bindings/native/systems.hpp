#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "components.hpp"

namespace fixture {

/// What a C++ system was told, for tests to read.
struct Log {
    std::vector<std::string> lines;
    void add(const std::string& line) { lines.push_back(line); }
};
Log& log_of(const crateful::ECS& ecs);

struct WeightAspect : crateful::Aspect {
    double last_mass = 0;
};

/// Watches a native component, remembers its mass, and logs all it hears.
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

/// Changes native components with `modify`, by raw writes, or by going over the entities.
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

/// Asks for memory by the megabyte in its update.
class Hoarder final : public crateful::System<> {
public:
    Hoarder();

private:
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) override;
    std::vector<std::vector<char>> hoard_;
};

}  // namespace fixture
