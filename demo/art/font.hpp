#pragma once
#include "image.hpp"

namespace crate_room::paint {

/// Character `n` from the space on, white, with a column of space at its right.
[[nodiscard]] Image glyph(int n);

}  // namespace crate_room::paint
