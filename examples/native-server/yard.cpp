#include "yard.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <iostream>
#include <stdexcept>

namespace net = boost::asio;
using boost::beast::websocket::close_reason;

namespace {
constexpr boost::beast::websocket::close_code REFUSED{4000};  // the page does not connect again
constexpr std::size_t PINGS = 8;                              // answers that can wait
}  // namespace

/// One connection.
class Client : public std::enable_shared_from_this<Client> {
public:
    Client(Socket made, crateful::Changes& changes, crateful::Entity e)
        : socket(std::move(made)),
          receiver(changes.receiver(crateful::Selection::all, crateful::Channel::lossy)),
          player(e) {}

    void send(Message type, std::span<const std::byte> bytes) {
        Bytes& message = waiting_.emplace_back(1, std::byte(type));
        message.insert(message.end(), bytes.begin(), bytes.end());
        if (waiting_.size() == 1) write();
    }
    /// How many messages were not sent yet.
    [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
    /// The player is played from elsewhere now, for example after its page was opened again.
    void move_away() {
        player = crateful::NONE;
        const auto done = [self = shared_from_this()](boost::system::error_code) {};
        socket.async_close(close_reason(REFUSED, "This player is played from elsewhere."), done);
    }

    Socket socket;
    crateful::Receiver receiver;
    crateful::Entity player;

private:
    void write() {
        const auto done = [self = shared_from_this()](boost::system::error_code error, std::size_t) {
            self->waiting_.pop_front();
            if (!error && !self->waiting_.empty()) self->write();
        };
        socket.async_write(net::buffer(waiting_.front()), done);
    }
    std::deque<Bytes> waiting_;
};

net::awaitable<void> Yard::play(Socket socket, std::string key, std::string name) {
    const crateful::Entity player = game.join(key, name);
    for (const auto& other : clients_)
        if (other->player == player) other->move_away();
    const auto client = std::make_shared<Client>(std::move(socket), changes_, player);
    clients_.push_back(client);
    client->send(Message::you, std::as_bytes(std::span(&player, 1)));

    std::string refused;
    try {
        for (boost::beast::flat_buffer buffer;; buffer.clear()) {
            co_await client->socket.async_read(buffer, net::use_awaitable);
            if (client->socket.got_text()) throw std::range_error("a text");
            receive(*client, {static_cast<const std::byte*>(buffer.data().data()), buffer.size()});
        }
    } catch (const boost::system::system_error& error) {  // the connection has ended
        if (error.code() == boost::beast::websocket::error::message_too_big) refused = error.what();
    } catch (const std::runtime_error& error) {  // of the game, or a crateful::Error
        refused = error.what();
    }
    std::erase(clients_, client);
    if (client->player != crateful::NONE) game.leave(client->player);
    if (refused.empty()) co_return;
    std::cerr << "the client of entity " << static_cast<unsigned>(player) << " is disconnected: " << refused << '\n';
    boost::system::error_code ignored;
    co_await client->socket.async_close(close_reason(REFUSED, "message refused"),
                                        net::redirect_error(net::use_awaitable, ignored));
}

void Yard::receive(Client& client, std::span<const std::byte> message) {
    if (message.empty()) throw std::range_error("a message without a type");
    const auto bytes = message.subspan(1);
    switch (Message(message[0])) {
        case Message::crateful: return client.receiver.acknowledge(bytes);
        case Message::input: return game.receive(client.player, bytes);
        case Message::ping:
            if (bytes.size() > 8) throw std::range_error("a ping has at most 8 bytes");
            if (client.waiting() < PINGS) client.send(Message::ping, bytes);
            return;
        default: throw std::range_error("a message of an unknown type");
    }
}

void Yard::update() {
    game.update();
    for (const auto& client : clients_) {
        if (client->waiting() > 0) continue;  // its connection is slow: it gets the newest values later
        const Bytes bytes = client->receiver.take();
        if (!bytes.empty()) client->send(Message::crateful, bytes);
    }
}
