#include "systems/presentation/audio.hpp"

#include <algorithm>

namespace crate_room {
namespace {

constexpr float AUDIBLE = 420;             // pixels
constexpr std::uint8_t PER_KIND = 3;       // sounds of one kind in one frame
constexpr std::size_t LONGEST_QUEUE = 32;  // if nothing calls take(), the queue must not grow further

}  // namespace

Audio::Audio(const Group& players) : players_(players) { require<Player, Position>(); }

void Audio::update(double) {
    auto& noises = ecs().events.inbox<Noise>();
    if (noises.empty()) return;
    if (const Entity player = players_.any(); player != NONE) {
        const Position ear = ecs().get<Position>(player);
        const auto far = [&](const Noise& n) { return distance(ear, {n.x, n.y}); };
        std::stable_sort(noises.begin(), noises.end(), [&](const Noise& a, const Noise& b) { return far(a) < far(b); });
        std::array<std::uint8_t, static_cast<std::size_t>(Sound::count)> played{};
        for (const Noise& noise : noises) {
            const float share = 1 - far(noise) / AUDIBLE;
            auto& count = played[static_cast<std::size_t>(noise.sound)];
            if (share <= 0 || count == PER_KIND || queue_.size() == LONGEST_QUEUE) continue;
            ++count;
            queue_.push_back({noise.sound, share * share, std::clamp((noise.x - ear.x) / AUDIBLE, -1.0f, 1.0f)});
        }
    }
    noises.clear();
}

}  // namespace crate_room
