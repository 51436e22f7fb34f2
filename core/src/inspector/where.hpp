// Conditions by which entities are searched: `Enemy !Dead Health.hp < 10 @Mover`.
#pragma once
#include <string_view>

#include "entities.hpp"

namespace crateful::internal::inspector {

/// The condition that a text describes; none if it is empty. Throws `bad_argument` with the position of a mistake. It may be used as long
/// as the classes and systems exist.
[[nodiscard]] Condition parse_where(std::string_view text, const ECS& ecs, const Classes& classes,
                                    const Systems& systems);

}  // namespace crateful::internal::inspector
