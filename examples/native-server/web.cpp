#include "web.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <map>

namespace beast = boost::beast;
namespace http = beast::http;
namespace net = boost::asio;

std::string parameter(std::string_view address, std::string_view name) {
    const auto begin = address.find('?');
    std::string_view query = begin == std::string_view::npos ? "" : address.substr(begin + 1);
    while (!query.empty()) {
        const std::string_view part = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(part.size() + 1, query.size()));
        if (!part.starts_with(name) || part.substr(name.size(), 1) != "=") continue;
        std::string value;
        for (std::size_t i = name.size() + 1; i < part.size(); ++i) {
            const bool is_hex = part[i] == '%' && i + 2 < part.size();
            if (is_hex)
                value += static_cast<char>(std::strtol(std::string(part.substr(i + 1, 2)).c_str(), nullptr, 16));
            else value += part[i] == '+' ? ' ' : part[i];
            if (is_hex) i += 2;
        }
        return value;
    }
    return "";
}

net::awaitable<void> send_file(beast::tcp_stream& stream, const Request& request, const std::filesystem::path& folder) {
    static const std::map<std::string, std::string> types{{".html", "text/html; charset=utf-8"},
                                                          {".js", "text/javascript"},
                                                          {".css", "text/css"},
                                                          {".wasm", "application/wasm"}};
    const std::string_view target(request.target().data(), request.target().size());
    const std::string_view path = target.substr(0, target.find('?'));
    const auto file = folder / ("./" + std::string(path == "/" ? "index.html" : path));
    const auto type = types.find(file.extension().string());
    http::response<http::file_body> response;
    beast::error_code error = http::error::bad_target;
    if (type != types.end() && path.find("..") == std::string_view::npos)
        response.body().open(file.c_str(), beast::file_mode::scan, error);
    if (error) co_return co_await refuse(stream, "there is no such file");
    response.set(http::field::content_type, type->second);
    response.keep_alive(false);
    response.prepare_payload();
    co_await http::async_write(stream, response, net::use_awaitable);
}

net::awaitable<void> refuse(beast::tcp_stream& stream, std::string why) {
    http::response<http::string_body> response(http::status::bad_request, 11, std::move(why));
    response.keep_alive(false);
    response.prepare_payload();
    co_await http::async_write(stream, response, net::use_awaitable);
}
