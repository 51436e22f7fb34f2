// HTTP: the files of the page, and what is in the address of a request.
#pragma once
#include <utility>  // asio/awaitable.hpp of Boost 1.74 does not include it

#include <boost/asio/awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <filesystem>
#include <string>

using Request = boost::beast::http::request<boost::beast::http::empty_body>;

/// A parameter of the address, `/?name=value`, decoded; empty if it is missing.
std::string parameter(std::string_view address, std::string_view name);
/// Answers with a file of the folder, or that there is none.
boost::asio::awaitable<void> send_file(boost::beast::tcp_stream& stream, const Request& request,
                                       const std::filesystem::path& folder);
/// Answers that the request is refused.
boost::asio::awaitable<void> refuse(boost::beast::tcp_stream& stream, std::string why);
