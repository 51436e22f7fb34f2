#include "inspect.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <crateful/inspect.hpp>

#include "web.hpp"

namespace beast = boost::beast;
namespace net = boost::asio;
using net::use_awaitable;
using net::ip::tcp;

namespace {
/// Whether a page of this machine asks, or a program that is no browser. Any page that is open in a browser can connect to a port of this
/// machine; the browser says in this header where the page is from.
bool is_local(std::string_view origin) {
    if (origin.empty()) return true;
    const std::string_view host = origin.substr(std::min(origin.find("//"), origin.size() - 2) + 2);
    for (const std::string_view local : {"localhost", "127.0.0.1", "[::1]"})
        if (host.starts_with(local) && (host.size() == local.size() || host[local.size()] == ':')) return true;
    return false;
}

net::awaitable<void> answer(tcp::socket accepted, crateful::Inspector& inspector) {
    beast::tcp_stream stream(std::move(accepted));
    beast::flat_buffer buffer;
    Request request;
    co_await beast::http::async_read(stream, buffer, request, use_awaitable);
    const auto origin = request[beast::http::field::origin];
    if (!beast::websocket::is_upgrade(request) || !is_local({origin.data(), origin.size()}))
        co_return co_await refuse(stream, "only pages of this machine can inspect it, with a WebSocket");
    Socket socket(std::move(stream));
    co_await socket.async_accept(request, use_awaitable);
    for (;; buffer.clear()) {
        co_await socket.async_read(buffer, use_awaitable);
        const auto text = inspector.receive({static_cast<const char*>(buffer.data().data()), buffer.size()});
        if (text) co_await socket.async_write(net::buffer(*text), use_awaitable);
    }
}
}  // namespace

net::awaitable<void> serve_inspector(tcp::acceptor& acceptor, Yard& yard) {
    crateful::Inspector inspector(yard.game.ecs, {.step = [&](double) { yard.update(); }});
    for (;;) {
        tcp::socket socket = co_await acceptor.async_accept(use_awaitable);
        net::co_spawn(acceptor.get_executor(), answer(std::move(socket), inspector), net::detached);
    }
}
