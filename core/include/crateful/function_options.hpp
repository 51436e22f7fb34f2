#pragma once
#include <functional>
#include <string>
#include <vector>

namespace crateful {

class ECS;

/// How a function runs as a system (rule S12): `ecs.add_system(10, "Spawn", spawn, {.interval = 0.5, .after = {"Move"}})`. The fields
/// are named in this order.
struct FunctionOptions {
    double interval = 0;                ///< the least game time between two runs, in seconds (rule S11)
    std::vector<std::string> before{};  ///< names of systems of the same priority before which it runs (rule S10)
    std::vector<std::string> after{};   ///< names of those after which it runs
    std::function<bool(const ECS&)>
        when{};                 ///< whether it runs in this frame; asked when all else allows it (rule S15)
    bool while_paused = false;  ///< whether it also runs while the ECS is paused, with the delta 0 (rule S5)
    bool disabled = false;      ///< whether it starts disabled (rule S4)
    bool observer = false;      ///< whether it only shows the world (rule S18)
};

}  // namespace crateful
