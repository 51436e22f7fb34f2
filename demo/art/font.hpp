#pragma once
#include "image.hpp"

namespace crate_room::paint {

/// Character `n`, counted from the space, in white, with an empty column on its right.
[[nodiscard]] Image glyph(int n);

}  // namespace crate_room::paint
