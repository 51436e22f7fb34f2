// The hero: a small figure in a red hood. Its hammer is in weapons.cpp.
#include "figure.hpp"
#include "paint.hpp"

namespace crate_room::paint {
namespace {

Colour hero_colour(char c) {
    switch (c) {
        case 'r': return rgb(0xD9483B);  // hood
        case 'R': return rgb(0xF2785A);
        case 'd': return rgb(0x9A2C38);
        case 's': return rgb(0xF3C79B);  // skin
        case 'S': return rgb(0xD79C78);
        case 'e': return rgb(0x2A1A2E);  // eyes
        case 'y': return rgb(0xF2C14E);  // scarf
        case 'Y': return rgb(0xC88F35);
        case 'w': return rgb(0x3FA39B);  // coat
        case 'W': return rgb(0x2C7679);
        case 'b': return rgb(0x5C3A2E);  // belt
        case 'p': return rgb(0x4B4468);  // trousers
        case 'g': return rgb(0x7A4E36);  // boots
        default: return rgb(0x1C1422);   // outline
    }
}

const Rows ROUND{"....kkkkk....", "..kkyyyyyYk..", ".kyyllWlDdYk.", ".kylllWlDddYk", "kyllllWlDdddk",
                 "kyllkkkkkdDYk", "kylWkhhjkdDYk", "kylWkhjjkdDYk", "kyllkkkkkdDYk", "kyllllWlDddYk",
                 ".kylllWlDdYk.", ".kYllWlDdYYk.", "..kkYYYYYkk..", "....kkkkk...."};
const Rows ROUND_ASIDE{".kkk..", "kyYlk.", "kylldk", "kylldk", "kyllkk", "kyllhk",
                       "kyllhk", "kyllkk", "kylldk", "kylldk", "kyYdk.", ".kkk.."};

// The shield: boards with an iron boss and a brass rim. On the hero's back it would hide the hood, so it is drawn only
// when it is raised.
void hero_shield(Image& image, Side side, bool raised, int) {
    if (!raised) return;
    const auto colour = [](char c) {
        switch (c) {
            case 'y': return rgb(0xF2C14E);
            case 'Y': return rgb(0xB57B30);
            case 'l': return rgb(0xC08850);
            case 'W': return rgb(0x7A472F);
            case 'D': return rgb(0x7A472F);
            case 'd': return rgb(0xA66A40);
            case 'h': return rgb(0xDDE3EC);
            case 'j': return rgb(0x8A92A6);
            default: return rgb(0x1C1422);
        }
    };
    if (side == Side::front) image.map(15, 18, ROUND, colour);
    if (side == Side::back) image.map(10, 7, ROUND, colour);
    if (side == Side::side) image.map(26, 16, ROUND_ASIDE, colour);
}

const Costume HERO_COSTUME{
    .colour_of = hero_colour,
    .height = 19,
    .neck = 9,
    .heads = {Rows{"....kkkkkk....", "...kRRRRrrk...", "..kRRrrrrrrk..", "..kRrrrrrrrk..", ".krrdddddddrk.",
                   ".krdssssssdrk.", ".krdsessesdrk.", ".krdsessesdrk.", "..krdsSSsdrk.."},
              Rows{"....kkkkkk....", "...kRRRRrrk...", "..kRRrrrrrrk..", "..kRrrrrrrrk..", ".kRrrrrrrrrdk.",
                   ".krrrrrrrrddk.", ".krrrrrrrrddk.", ".krrrrrrrdddk.", "..krrrrrdddk.."},
              Rows{"....kkkkkk....", "...kRRRRrrk...", "..kRRrrrrrrk..", "..kRrrrrrrrk..", "..krrrrdddsk..",
                   "..krrrdssssk..", "..krrrdssesk..", "..krrrdssesk..", "...krrddsssk.."}},
    .dazed = {"....kkkkkk....", "...kRRRRrrk...", "..kRRrrrrrrk..", "..kRrrrrrrrk..", ".krrdddddddrk.",
              ".krdssssssdrk.", ".krdssssssdrk.", ".krdeesseedrk.", "..krdssssdrk.."},
    .dazed_aside = {"....kkkkkk....", "...kRRRRrrk...", "..kRRrrrrrrk..", "..kRrrrrrrrk..", "..krrrrdddsk..",
                    "..krrrdssssk..", "..krrrdssssk..", "..krrrdseeek..", "...krrddsSsk.."},
    .trunks = {Rows{"...kyyyyyyk...", "..kwYyyyyYwk..", ".kwwwyYwwwWWk.", ".kskwwwwwWksk.", ".kskbbyybbksk.",
                    "..kkwwwwWWkk.."},
               Rows{"...kyyyyYYk...", "..kwwYyYYWWk..", ".kwwwyYwwwWWk.", ".kskwyYwwWksk.", ".kskbbbbbbksk.",
                    "..kkwwwwWWkk.."},
               Rows{"...kkyyyyyk...", "..kyYkwwwwk...", "...kkwwwwWk...", "...kwwsswWk...", "...kbbssybk...",
                    "...kwwwwWWk..."}},
    .flung = {Rows{".kk..kyyyyyyk..kk.", "ksskkwYyyyyYwkkssk", "ksswwwwyYwwwwWWssk", ".kkkkkwwwwwWkkkkk.",
                   ".....kbbyybbk.....", "....kkwwwwWWkk...."},
              Rows{".kk..kyyyyYYk..kk.", "ksskkwwYyYYWWkkssk", "ksswwwwyYwwwwWWssk", ".kkkkkwyYwwWkkkkk.",
                   ".....kbbbbbbk.....", "....kkwwwwWWkk...."},
              Rows{"....kyyyyykkk.....", "...kyYwwwwwwskk...", "..kyYkwwwwwWssk...", "...kkwwwwwWkkk....",
                   ".....kbbbbbk......", ".....kwwwwWWk....."}},
    .trail = rgb(0xFFF3D6),
    .shield = hero_shield,
    .shield_in_front = {true, false, true},
};

}  // namespace

Image hero(int n) { return figure(HERO_COSTUME, n); }

}  // namespace crate_room::paint
