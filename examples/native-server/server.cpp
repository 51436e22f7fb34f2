// The server of one yard: native_server PORT FOLDER [--inspect PORT]. The folder contains the page.
#include "inspect.hpp"
#include "store.hpp"
#include "web.hpp"
#include "yard.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <iostream>

namespace beast = boost::beast;
namespace net = boost::asio;
using net::use_awaitable;
using net::ip::tcp;
using namespace std::chrono_literals;

namespace {
constexpr auto SAVE = 100;                        // updates between two saves
const std::filesystem::path file = "saves/main";  // where the server in TypeScript saves its yard "main"

/// Whether a text of the address is not what a client says.
bool is_bad(const std::string& text) { return text.empty() || text.size() > 160; }

/// One connection: a request for a file, or a WebSocket. What is thrown ends it.
net::awaitable<void> serve(tcp::socket socket, Yard& yard, std::filesystem::path folder) {
    beast::tcp_stream stream(std::move(socket));
    stream.expires_after(10s);
    beast::flat_buffer buffer;
    Request request;
    co_await beast::http::async_read(stream, buffer, request, use_awaitable);
    if (!beast::websocket::is_upgrade(request)) co_return co_await send_file(stream, request, folder);

    const std::string_view address(request.target().data(), request.target().size());
    const std::string key = parameter(address, "key");
    const std::string name = parameter(address, "name");
    if (is_bad(parameter(address, "yard")) || is_bad(key) || is_bad(name))
        co_return co_await refuse(stream, "yard, key and name must be texts of 1 to 160 bytes");
    if (yard.is_full()) co_return co_await refuse(stream, "the yard is full");
    stream.expires_never();  // a WebSocket has a timer of its own
    stream.socket().set_option(tcp::no_delay(true));
    Socket joined(std::move(stream));
    joined.set_option(beast::websocket::stream_base::timeout{10s, 30s, true});
    joined.read_message_max(1024);
    joined.binary(true);
    co_await joined.async_accept(request, use_awaitable);
    co_await yard.play(std::move(joined), key, name);
}

net::awaitable<void> listen(tcp::acceptor& acceptor, Yard& yard, const std::filesystem::path& folder) {
    net::steady_timer timer(acceptor.get_executor());
    for (;;) {
        boost::system::error_code error;
        tcp::socket socket = co_await acceptor.async_accept(net::redirect_error(use_awaitable, error));
        if (!error) {
            net::co_spawn(acceptor.get_executor(), serve(std::move(socket), yard, folder), net::detached);
        } else {  // for example, too many connections
            timer.expires_after(1s);
            co_await timer.async_wait(use_awaitable);
        }
    }
}

net::awaitable<void> run(Yard& yard) {
    net::steady_timer timer(co_await net::this_coro::executor);
    for (int updates = 1;; ++updates) {
        timer.expires_at(std::max(timer.expiry() + 50ms, net::steady_timer::clock_type::now()));
        co_await timer.async_wait(use_awaitable);
        yard.update();
        if (updates % SAVE != 0) continue;
        try {
            save(file, yard.game.save());
        } catch (const std::exception& error) {  // for example, the disk is full: the players play on
            std::cerr << "the yard was not saved: " << error.what() << '\n';
        }
    }
}

void rethrow(std::exception_ptr error) {
    if (error) std::rethrow_exception(error);
}
}  // namespace

int main(int count, char** arguments) try {
    const bool inspect = count == 5 && arguments[3] == std::string_view("--inspect");
    if (count != 3 && !inspect) throw std::invalid_argument("usage: native_server PORT FOLDER [--inspect PORT]");
    const std::filesystem::path folder = arguments[2];
    net::io_context context;  // exists longer than the sockets of the clients
    Yard yard(load(file));
    const auto port = [](const char* text) { return static_cast<std::uint16_t>(std::stoi(text)); };
    tcp::acceptor acceptor(context, {tcp::v4(), port(arguments[1])});
    net::co_spawn(context, listen(acceptor, yard, folder), rethrow);
    net::co_spawn(context, run(yard), rethrow);
    net::signal_set signals(context, SIGINT, SIGTERM);
    signals.async_wait([&](boost::system::error_code, int) { context.stop(); });
    std::cout << "http://localhost:" << acceptor.local_endpoint().port() << std::endl;
    std::optional<tcp::acceptor> inspectors;
    if (inspect) {
        inspectors.emplace(context, tcp::endpoint(net::ip::address_v4::loopback(), port(arguments[4])));
        net::co_spawn(context, serve_inspector(*inspectors, yard), rethrow);
        std::cout << "inspect ws://127.0.0.1:" << inspectors->local_endpoint().port() << std::endl;
    }
    context.run();
    save(file, yard.game.save());
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
