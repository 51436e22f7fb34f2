#pragma once
#include <cstddef>
#include <cstdint>

#include "crateful/entity.hpp"

// What JavaScript reads during snapshots (web/src/module/layout.ts).
namespace crateful {

/// The components of one class in the bytes.
struct StateClass {
    std::uint32_t id;        ///< of the class
    std::uint32_t n;         ///< how many components there are
    const Entity* entities;  ///< which have them
    // Of an object class:
    const std::uint32_t* lengths;  ///< of their values, in bytes
    const std::byte* bytes;        ///< of all values, one behind the other
    std::uint8_t* differs;         ///< for each value: 1, to be set to 0 if the ECS has it
};

/// A snapshot.
struct StateBytes {
    const std::byte* first;
    std::size_t n;
};

}  // namespace crateful
