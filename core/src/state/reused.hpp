// Lists that are used again for each frame or packet.
#pragma once
#include <cstddef>
#include <vector>

namespace crateful::internal {

/// Empties the list. Its memory is kept, unless it is large and the list had few elements: the first frame and the first packet contain
/// everything, and the others what has changed.
template <class T>
void empty_reused(std::vector<T>& list) noexcept {
    constexpr std::size_t LARGE = std::size_t{1} << 16;
    constexpr std::size_t FEW = 16;
    if (list.capacity() * sizeof(T) > LARGE && list.size() < list.capacity() / FEW) std::vector<T>().swap(list);
    list.clear();
}

}  // namespace crateful::internal
