// Who is connected to the yard, and what is sent, as yard.ts of the page.
#pragma once
#include <utility>  // asio/awaitable.hpp of Boost 1.74 does not include it

#include <boost/asio/awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <crateful/changes.hpp>
#include <memory>

#include "game.hpp"

using Socket = boost::beast::websocket::stream<boost::beast::tcp_stream>;

/// The first byte of each binary message. What follows is the same as in the messages of Colyseus.
enum class Message : std::uint8_t { crateful, input, you, ping };

class Client;

class Yard {
public:
    explicit Yard(const std::optional<Bytes>& saved) : game(saved) {}
    /// Plays with a client that has joined, until its connection ends. One that sends anything invalid is disconnected.
    boost::asio::awaitable<void> play(Socket socket, std::string key, std::string name);
    /// One update, after which each client gets what has changed.
    void update();
    [[nodiscard]] bool is_full() const { return clients_.size() >= 60; }

    Game game;

private:
    void receive(Client& client, std::span<const std::byte> message);

    crateful::Changes changes_{game.ecs, {.components = sent}};
    std::vector<std::shared_ptr<Client>> clients_;
};
