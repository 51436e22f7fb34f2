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
        : socket(std::move(made)), player(e), receiver_(changes.receiver()) {}

    void send(Message type, std::span<const std::byte> bytes) {
        Bytes& message = waiting_.emplace_back(1, std::byte(type));
        message.insert(message.end(), bytes.begin(), bytes.end());
        if (waiting_.size() == 1) write();
    }
    /// Sends what has changed; if the connection is slow, the newest values later.
    void send_changes() {
        if (!waiting_.empty()) return;
        const Bytes bytes = receiver_.take();
        if (bytes.empty()) return;
        send(Message::crateful, bytes);
        ++sent_;
    }
    /// How many messages it has applied. Only a server whose clients can reconnect needs that, to send the others again.
    void acknowledge(std::span<const std::byte> bytes) {
        if (bytes.size() != 4) throw std::range_error("an acknowledgement has 4 bytes");
        if (read_u32(bytes) > sent_) throw std::range_error("it acknowledges what was not sent");
    }
    /// Sends it back, unless too many answers wait.
    void answer(std::span<const std::byte> ping) {
        if (ping.size() > 8) throw std::range_error("a ping has at most 8 bytes");
        if (waiting_.size() < PINGS) send(Message::ping, ping);
    }
    /// The player is played from elsewhere now, for example after its page was opened again.
    void move_away() {
        player = crateful::NONE;
        const auto done = [self = shared_from_this()](boost::system::error_code) {};
        socket.async_close(close_reason(REFUSED, "This player is played from elsewhere."), done);
    }

    Socket socket;
    crateful::Entity player;

private:
    void write() {
        const auto done = [self = shared_from_this()](boost::system::error_code error, std::size_t) {
            self->waiting_.pop_front();
            if (!error && !self->waiting_.empty()) self->write();
        };
        socket.async_write(net::buffer(waiting_.front()), done);
    }
    crateful::Receiver receiver_;
    std::uint32_t sent_ = 0;
    std::deque<Bytes> waiting_;
};

net::awaitable<void> Yard::play(Socket socket, std::string key, std::string name) {
    boost::system::error_code ignored;
    if (is_full()) {  // others have joined since it has asked
        co_await socket.async_close(close_reason(boost::beast::websocket::close_code::try_again_later),
                                    net::redirect_error(net::use_awaitable, ignored));
        co_return;
    }
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
    } catch (const std::runtime_error& error) {
        refused = error.what();
    }
    std::erase(clients_, client);
    if (client->player == crateful::NONE) co_return;  // it is played from elsewhere
    game.leave(player);
    if (refused.empty()) co_return;
    std::cerr << "the client of entity " << static_cast<unsigned>(player) << " is disconnected: " << refused << '\n';
    co_await client->socket.async_close(close_reason(REFUSED, "refused: the log of the server says why"),
                                        net::redirect_error(net::use_awaitable, ignored));
}

void Yard::receive(Client& client, std::span<const std::byte> message) {
    if (message.empty()) throw std::range_error("a message without a type");
    const auto bytes = message.subspan(1);
    switch (Message(message[0])) {
        case Message::crateful: return client.acknowledge(bytes);
        case Message::input: return game.receive(client.player, bytes);
        case Message::ping: return client.answer(bytes);
        default: throw std::range_error("a message of an unknown type");
    }
}

void Yard::update() {
    game.update();
    for (const auto& client : clients_) client->send_changes();
}
