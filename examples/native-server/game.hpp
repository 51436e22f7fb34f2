// The simulation of a yard, as game.ts of the page: the server decides everything here. It knows nothing of connections.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "rules.hpp"

using Bytes = std::vector<std::byte>;

/// The number at the beginning of 4 bytes or more, in the order of bytes of this machine, which is that of the page.
inline std::uint32_t read_u32(std::span<const std::byte> bytes) {
    std::uint32_t number;
    std::memcpy(&number, bytes.data(), sizeof number);
    return number;
}

class Game {
public:
    /// A new yard, or one that was saved: by this program or by that in TypeScript.
    explicit Game(const std::optional<Bytes>& saved);
    [[nodiscard]] Bytes save() const;

    /// The player with this key: the one that is here already, or a new one.
    crateful::Entity join(const std::string& key, const std::string& name);
    /// The player stays for a while, so that it can come back.
    void leave(crateful::Entity player);
    /// A client may say what it pressed, and nothing else. Throws a `std::range_error` for anything else.
    void receive(crateful::Entity player, std::span<const std::byte> bytes);
    void update();
    /// Where there is no crate.
    Place free_place();

    crateful::ECS ecs;

private:
    /// The inputs of a player that is here.
    struct Inputs {
        struct Input {
            std::uint32_t number;
            unsigned keys;
        };
        std::deque<Input> waiting;
        std::uint32_t received;  ///< the number of the last one that was received
        unsigned credit = 1;     ///< how many may be processed: one more with each update
    };
    void move_players();
    void remove_absent();
    void process(crateful::Entity e, Inputs& inputs);
    double random(double below) { return std::uniform_real_distribution(0., below)(random_); }

    std::map<crateful::Entity, Inputs> inputs_;
    std::mt19937 random_{std::random_device{}()};
};
