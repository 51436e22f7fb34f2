// Which random operations are applied, so that a failure can be repeated, and which kinds of them there were.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>

namespace test::rules_model {

/// xorshift: the same numbers on every platform.
struct Random {
    std::uint64_t state;
    std::uint32_t operator()() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<std::uint32_t>(state >> 20);
    }
    int below(int n) { return n <= 0 ? 0 : static_cast<int>((*this)() % static_cast<std::uint32_t>(n)); }
    bool chance(int percent) { return below(100) < percent; }
};

/// What a callback of the test throws, to check which exception arrives (S7).
struct Thrown {
    int id;
};

/// Ends a run after the first difference.
struct Mismatch {};

/// Where callbacks apply operations: nowhere, or in every callback.
enum class Mode { flat, nested };

/// The state of one run with one seed. The environment variable CRATEFUL_LOG prints its operations.
struct Replay {
    std::uint64_t seed;
    Mode mode;
    std::uint64_t operation = 0;
    bool logs = std::getenv("CRATEFUL_LOG") != nullptr;
    bool failed = false;
    std::map<std::string, std::uint64_t> counts{};

    [[noreturn]] void fail(int world, const std::string& message) {
        if (!failed) {
            ADD_FAILURE() << "seed " << seed << ", mode " << (mode == Mode::nested ? "nested" : "flat")
                          << ", operation " << operation << ", ECS " << world << ": " << message;
        }
        failed = true;
        throw Mismatch{};
    }
};

}  // namespace test::rules_model
