#pragma once
#include <cstddef>
#include <utility>

namespace crateful::internal {

/// Sorts a short list that is mostly sorted; stable. std::sort would be several kilobytes of WebAssembly for each type of list.
template <class List, class Before>
void insertion_sort(List& list, Before&& before) {
    for (std::size_t i = 1; i < list.size(); ++i) {
        for (std::size_t k = i; k > 0 && before(list[k], list[k - 1]); --k) std::swap(list[k], list[k - 1]);
    }
}

}  // namespace crateful::internal
