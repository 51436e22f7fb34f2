// The inspector of a page of this machine: for development only.
#pragma once
#include <utility>  // asio/awaitable.hpp of Boost 1.74 does not include it

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "yard.hpp"

/// Answers inspectors that connect with a WebSocket.
boost::asio::awaitable<void> serve_inspector(boost::asio::ip::tcp::acceptor& acceptor, Yard& yard);
