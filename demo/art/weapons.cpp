// What figures hold: a picture for each direction in which it can point.
#include <cmath>

#include "draw/frames.hpp"
#include "paint.hpp"

namespace crate_room::paint {
namespace {

constexpr int SIZE = 32;
constexpr int HAND = 15;  // the column and row of the pixel in the figure's hand

/// Paints pixels by their distance from the hand along the weapon, and across it.
class Weapon {
public:
    explicit Weapon(int n) : cosine_(std::cos(angle_of(n))), sine_(std::sin(angle_of(n))) {}
    void put(float along, float across, Colour colour) {
        image_.put(static_cast<int>(std::lround(HAND + along * cosine_ - across * sine_)),
                   static_cast<int>(std::lround(HAND + along * sine_ + across * cosine_)), colour);
    }
    [[nodiscard]] Image outlined(Colour line) {
        image_.outline(line);
        return image_;
    }

private:
    static float angle_of(int n) { return turn(static_cast<float>(n) / frames::WEAPON_ANGLES); }
    float cosine_;
    float sine_;
    Image image_{SIZE, SIZE};
};

}  // namespace

Image hammer(int n) {
    Weapon weapon(n);
    for (float along = -2; along <= 8; along += 0.5f) weapon.put(along, 0, rgb(0x8A5A3A));
    for (float along = 7; along <= 12; along += 0.5f) {
        for (float across = -4; across <= 4; across += 0.5f) {
            weapon.put(along, across, across < -1.5f ? rgb(0xD6DCE6) : across < 2 ? rgb(0xA3ABBC) : rgb(0x6F778C));
        }
    }
    return weapon.outlined(rgb(0x1C1422));
}

Image sword(int n) {
    Weapon weapon(n);
    for (float along = 1; along <= 13; along += 0.25f) {
        weapon.put(along, 0.5f, rgb(0x8C95AD));
        if (along < 12) weapon.put(along, -0.5f, rgb(0xEEF2F8));
    }
    for (float across = -2.5f; across <= 2.5f; across += 0.25f) weapon.put(0.5f, across, rgb(0xC9A25A));
    weapon.put(-1, 0, rgb(0x6B3F5C));
    weapon.put(-2, 0, rgb(0xC9A25A));
    return weapon.outlined(rgb(0x150F20));
}

}  // namespace crate_room::paint
