#pragma once
#include <array>
#include <cstdint>
#include <string>

#include <crateful/ecs.hpp>

namespace fixture {

enum class Mood : std::uint8_t { calm, angry };

/// A struct of mixed types with padding: its columns have strides.
struct Body {
    double mass = 1;
    std::int8_t charge = 0;
    bool solid = false;
    crateful::Entity owner = crateful::NONE;
    float radius = 0.5F;
    std::uint16_t layer = 7;
    Mood mood = Mood::calm;
    std::int32_t secret = 4711;  // not described
};

/// A component with the policy linear.
struct Tile {
    std::uint32_t kind = 0;
    float height = 0;
};

/// A tag.
struct Frozen {};

/// Declared in TypeScript before the module is loaded; `Mismatch` with a different type.
struct Early {
    std::uint8_t hp = 0;
};
struct Mismatch {
    std::uint8_t hp = 0;
};

struct Vector {
    float x = 4, y = 5;
};
struct Layered {
    std::uint8_t layer = 3;
};
struct Placed : Layered {
    Vector place;
    std::array<std::int16_t, 2> speeds{8, 9};
};

enum class Stance : std::int32_t { idle, walk, attack };

/// Vectors, an enum with names, and arrays of other types.
struct Soldier {
    std::uint8_t rank = 1;
    float at[3] = {1, 2, 3};
    std::array<std::uint8_t, 4> colour{255, 128, 0, 9};
    Stance stance = Stance::walk;
    std::uint8_t weapon = 0;
    std::array<crateful::Entity, 2> targets{crateful::NONE, crateful::NONE};
    std::array<Stance, 2> orders{Stance::idle, Stance::attack};
};

/// Owns memory outside of the storage.
struct Label {
    std::string text = "unnamed";
    std::uint32_t length = 7;
};

/// Texts that the ECS keeps once.
struct Title {
    std::uint8_t rank = 0;
    crateful::String text;
    crateful::String note;
};

/// Refers to another entity, of which the core keeps the reverse.
struct Aim {
    double range = 0;
    crateful::Link target;
};

}  // namespace fixture
