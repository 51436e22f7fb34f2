#include "crateful/entity.hpp"

namespace crateful {

std::string describe(Entity e) {
    if (e == NONE) return "entity NONE";
    return "entity " + std::to_string(static_cast<std::uint32_t>(e)) + " (index " + std::to_string(index_of(e)) +
           ", generation " + std::to_string(generation_of(e)) + ")";
}

}  // namespace crateful
