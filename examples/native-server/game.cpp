#include "game.hpp"

#include <crateful/state.hpp>
#include <stdexcept>

using crateful::Entity;

namespace {
constexpr int CRATES = 60;
constexpr int COINS = 12;
constexpr unsigned BEHIND = 4;        // inputs that a player may make up for after a delay
constexpr std::size_t WAITING = 60;   // inputs of a player that can wait
constexpr double ABSENT = 10 / STEP;  // updates until an absent player is removed

/// Who plays a player: never sent, but saved, so that players find theirs when the server was restarted.
struct Seat {
    crateful::String key;
    std::uint32_t absent = 0;
};

/// A player gets the coins that it touches, which then are elsewhere.
class Collect : public crateful::System<> {
public:
    explicit Collect(Game& game) : game_(game) {
        require<Place, Player>();
        watch<Place>();
    }
    void update(double /*delta*/, Entities& /*players*/, Dirty& moved) override {
        for (const Entity player : moved) {
            for (auto [coin, place, tag] : ecs().query<const Place, const Coin>()) {
                if (!touches(ecs().get<Place>(player), place)) continue;
                ecs().set<Place>(coin, game_.free_place());
                ecs().modify<Player>(player, [](Player& it) { ++it.score; });
            }
        }
    }

private:
    Game& game_;
};
}  // namespace

Game::Game(const std::optional<Bytes>& saved) {
    describe_components();
    crateful::describe_component<Seat>("Seat").field("key", &Seat::key).field("absent", &Seat::absent);
    ecs.add_system(0, "Move", [this](crateful::ECS&, double) { move_players(); });
    ecs.add_system<Collect>(1, *this);
    ecs.add_system(2, "Leave", [this](crateful::ECS&, double) { remove_absent(); });
    if (saved) {
        crateful::restore(ecs, *saved);
        return;
    }
    for (int i = 0; i < CRATES; ++i) ecs.add_entity(free_place(), Crate{});
    for (int i = 0; i < COINS; ++i) ecs.add_entity(free_place(), Coin{});
}
Bytes Game::save() const { return crateful::snapshot(ecs); }

Entity Game::join(const std::string& key, const std::string& name) {
    Entity player = crateful::NONE;
    for (auto [entity, seat] : ecs.query<const Seat>())
        if (ecs.text(seat.key) == key) player = entity;
    if (player == crateful::NONE) {
        const auto hue = static_cast<std::uint16_t>(random(360));
        player = ecs.add_entity(free_place(), Player{ecs.string(name), hue}, Seat{ecs.string(key)});
    }
    inputs_[player] = {.waiting = {}, .received = ecs.get<Player>(player).inputs};
    return player;
}
void Game::leave(Entity player) { inputs_.erase(player); }

void Game::receive(Entity player, std::span<const std::byte> bytes) {
    if (bytes.size() != 5) throw std::range_error("an input has 5 bytes");
    const auto found = inputs_.find(player);
    if (found == inputs_.end()) return;
    Inputs& inputs = found->second;
    const std::uint32_t number = read_u32(bytes);
    if (number <= inputs.received) return;  // sent again after a reconnection
    if (number != inputs.received + 1) throw std::range_error("inputs are missing");
    if (inputs.waiting.size() == WAITING) throw std::range_error("too many inputs");
    inputs.received = number;
    inputs.waiting.push_back({number, std::to_integer<unsigned>(bytes[4])});
}

void Game::update() { ecs.update(STEP); }
void Game::move_players() {
    for (auto& [player, inputs] : inputs_)
        if (ecs.has<Place, Player>(player)) process(player, inputs);  // not what an inspector has removed
}
void Game::remove_absent() {
    for (auto [entity, seat] : ecs.query<Seat>()) {
        seat.absent = inputs_.contains(entity) ? 0 : seat.absent + 1;
        if (seat.absent > ABSENT) ecs.remove_entity(entity);
    }
}
void Game::process(Entity e, Inputs& inputs) {
    inputs.credit = std::min(inputs.credit + 1, BEHIND);
    for (; inputs.credit > 0 && !inputs.waiting.empty(); --inputs.credit, inputs.waiting.pop_front()) {
        const auto [number, keys] = inputs.waiting.front();
        move(ecs, e, keys);
        ecs.modify<Player>(e, [number = number](Player& player) { player.inputs = number; });
    }
}

Place Game::free_place() {
    for (;;) {
        const double x = random(WIDTH);
        const double y = random(HEIGHT);
        if (is_free(ecs, x, y)) return {static_cast<float>(x), static_cast<float>(y)};
    }
}
