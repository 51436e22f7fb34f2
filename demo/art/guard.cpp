// A guard: a sentry in steel and dark purple, with a crest on its helmet and a kite shield.
// It is taller than the hero and has wider shoulders; only the eyes of its face are visible. Its sword is in weapons.cpp.
#include "figure.hpp"
#include "paint.hpp"

namespace crate_room::paint {
namespace {

Colour guard_colour(char c) {
    switch (c) {
        case 'h': return rgb(0xC3CAD9);  // steel
        case 'H': return rgb(0x868EA6);
        case 'j': return rgb(0x565C78);
        case 'v': return rgb(0x17101F);  // visor
        case 'e': return rgb(0x7DF7D8);  // eyes
        case 'E': return rgb(0x2E8C86);
        case 'c': return rgb(0xE04F8E);  // crest
        case 'C': return rgb(0x96306F);
        case 'p': return rgb(0x8A5CB8);  // tabard
        case 'P': return rgb(0x5E3C8C);
        case 'q': return rgb(0x412A66);
        case 'w': return rgb(0xE9E4F4);  // its emblem
        case 'a': return rgb(0x9AA2B8);  // gauntlets
        case 'y': return rgb(0xC9A25A);  // belt
        case 'g': return rgb(0x6B7390);  // boots; its legs are purple too
        default: return rgb(0x150F20);   // outline
    }
}

const Rows KITE{".kkkkkkkkk.", "khhhhhhhhHk", "khppPwPPPjk", "khpPPwPPPjk", "khpwwwwwPjk",
                "khpPPwPPqjk", "khpPPwPPqjk", "khPPPwPqqjk", ".khPPwPqjk.", ".khPPwPqjk.",
                "..khPwqjk..", "...khwjk...", "....kjk....", ".....k....."};
const Rows KITE_CARRIED{".kkkkk.", "khhhhHk", "khpwPjk", "khpwPjk", "khwwwjk", "khpwPjk",
                        "khPwqjk", "khPwqjk", ".khwjk.", ".khwjk.", "..kjk..", "...k..."};
const Rows KITE_ASIDE{".kkk.", "khHPk", "khpPk", "khpwk", "khpwk", "khwwk", "khpwk",
                      "khPwk", "khPqk", "khPqk", ".khqk", ".khjk", "..kk."};

void guard_shield(Image& image, Side side, bool raised, int bob) {
    if (raised) {
        if (side == Side::front) image.map(17, 18, KITE, guard_colour);
        if (side == Side::back) image.map(9, 6, KITE, guard_colour);
        if (side == Side::side) image.map(28, 14, KITE_ASIDE, guard_colour);
    } else {
        if (side == Side::front) image.map(26, 18 + bob, KITE_CARRIED, guard_colour);
        if (side == Side::back) image.map(9, 17 + bob, KITE_CARRIED, guard_colour);
        if (side == Side::side) image.map(26, 16 + bob, KITE_ASIDE, guard_colour);
    }
}

const Costume GUARD_COSTUME{
    .colour_of = guard_colour,
    .height = 23,
    .neck = 12,
    .heads = {Rows{"......kk......", ".....kcCk.....", "....kkcCkk....", "..kkhhcCHHkk..", ".khhhhcCHHHjk.",
                   ".khhhHcCHHHjk.", ".khhHHHHHHjjk.", ".khvvvvvvvvjk.", ".khveevveevjk.", ".khHvvvvvvHjk.",
                   ".kkhHHvvHHjkk.", "..kkHHvvHjkk.."},
              Rows{"......kk......", ".....kcCk.....", "....kkcCkk....", "..kkhhcCHHkk..", ".khhhhcCHHHjk.",
                   ".khhhHcCHHHjk.", ".khhHHcCHHjjk.", ".khhHHcCHHjjk.", ".khHHHcCHHjjk.", ".khHHHkkHHjjk.",
                   ".kkHHHHHHjjkk.", "..kkjjjjjjkk.."},
              Rows{"..kkkkkk......", ".kccccccCkk...", "kcCCCkkkkkCk..", "kCCkhhhhHHkk..", "kCkhhhhhHHHjk.",
                   "kCkhhhHHHHHjk.", "kkkhhHHHHHjjk.", "..khHHHvvvvvk.", "..khHHHvvveek.", "..khHHHHvvvvk.",
                   "..kkHHHHHvvjk.", "...kkHHHHjjk.."}},
    .dazed = {"......kk......", ".....kcCk.....", "....kkcCkk....", "..kkhhcCHHkk..", ".khhhhcCHHHjk.",
              ".khhhHcCHHHjk.", ".khhHHHHHHjjk.", ".khvvvvvvvvjk.", ".khvEEvvEEvjk.", ".khHvvvvvvHjk.",
              ".kkhHHvvHHjkk.", "..kkHHvvHjkk.."},
    .dazed_aside = {"..kkkkkk......", ".kccccccCkk...", "kcCCCkkkkkCk..", "kCCkhhhhHHkk..", "kCkhhhhhHHHjk.",
                    "kCkhhhHHHHHjk.", "kkkhhHHHHHjjk.", "..khHHHvvvvvk.", "..khHHHvvvEEk.", "..khHHHHvvvvk.",
                    "..kkHHHHHvvjk.", "...kkHHHHjjk.."},
    .trunks = {Rows{"..kkkkPppPPqkkkk..", ".khhHkPppPPqkhHjk.", "khHHjkPpwwPqkhHHjk", "kjjjkkPwwwwqkkjjjk",
                    ".kakkqPpwwPPqkkak.", ".kakkyyyyyyyykkak.", "..kk.kPpPPPqk.kk.."},
               Rows{"..kkkqPPPPPPqkkk..", ".khhHPPpPPpPPhHjk.", "khHHjPPpPPpPPhHHjk", "kjjjkPPpPPpPqkjjjk",
                    ".kakkPPpPPpPqkkak.", ".kakkPPpPPpPqkkak.", "..kkkPqpPqpPqkkk.."},
               Rows{"...kkkkkkkkk..", "..kPkhhHHkPpk.", "..kPkhHHjkppk.", "..kqkjjjkkPPk.", "..kqPkaakPPPk.",
                    "..kqykaakyyyk.", "...kPPkkPPPk.."}},
    .flung = {Rows{".kk...kkPppPPqkk...kk.", "kaakhhHkPppPPqkhhjkaak", "kaahhHjkPpwwPqkhHHjaak",
                   ".kkkjjkkPwwwwqkkjjkkk.", "...kkkkqPpwwPPqkkkk...", "......kyyyyyyyyk......",
                   "......kPpPPPqqk......."},
              Rows{".kk...kqPPPPPPqk...kk.", "kaakhhHPPpPPpPPHhjkaak", "kaahhHjPPpPPpPPHHHjaak",
                   ".kkkjjkPPpPPpPqkjjkkk.", "...kkkkPPpPPpPqkkkk...", "......kPPpPPpPqk......",
                   "......kPqpPqpPqk......"},
              Rows{"....kkkkkkkk......", "...kPkhhHHHkkk....", "..kPPkhHHHHHaak...", "..kqPkjjjkkkaak...",
                   "..kqPPPPPPPqkk....", "...kyyyyyyyk......", "....kPPPPPqk......"}},
    .trail = rgb(0xDCCBFF),
    .shield = guard_shield,
    .shield_in_front = {true, false, false},
};

}  // namespace

Image guard(int n) { return figure(GUARD_COSTUME, n); }

}  // namespace crate_room::paint
