#include "systems/audio.hpp"

#include <algorithm>

namespace crate_room {
namespace {

constexpr float HEARD = 420;               // pixels
constexpr std::uint8_t AT_ONCE = 3;        // of one kind
constexpr std::size_t LONGEST_QUEUE = 32;  // nobody may be listening

}  // namespace

Audio::Audio(PlayerSelector& players) : players_(players) { require<Player, Position>(); }

void Audio::update(double, crateful::Entities<crateful::Aspect>&, crateful::DirtySet&) {
    auto& noises = ecs().events.inbox<Noise>();
    if (noises.empty()) return;
    if (const crateful::Entity player = players_.any(); player != crateful::NONE) {
        const Position ear = ecs().get<Position>(player);
        const auto far = [&](const Noise& n) { return distance(ear, {n.x, n.y}); };
        std::stable_sort(noises.begin(), noises.end(), [&](const Noise& a, const Noise& b) { return far(a) < far(b); });
        std::array<std::uint8_t, static_cast<std::size_t>(Sound::count)> played{};
        for (const Noise& noise : noises) {
            const float share = 1 - far(noise) / HEARD;
            auto& count = played[static_cast<std::size_t>(noise.sound)];
            if (share <= 0 || count == AT_ONCE || queue_.size() == LONGEST_QUEUE) continue;
            ++count;
            queue_.push_back({noise.sound, share * share, std::clamp((noise.x - ear.x) / HEARD, -1.0f, 1.0f)});
        }
    }
    noises.clear();
}

}  // namespace crate_room
