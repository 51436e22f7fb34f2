#include "crateful/entity.hpp"

#include <ostream>

#include "crateful/detail/message.hpp"

namespace crateful {

std::string to_string(Entity e) {
    if (e == NONE) return "entity NONE";
    return internal::join({"entity ", internal::number_text(static_cast<std::uint32_t>(e)), " (index ",
                           internal::number_text(index_of(e)), ", generation ", internal::number_text(generation_of(e)),
                           ")"});
}

std::ostream& operator<<(std::ostream& to, Entity e) { return to << to_string(e); }

}  // namespace crateful
