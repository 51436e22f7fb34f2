// Plays what was found, and a fixed number of changes of valid packets, through, without libFuzzer.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>

#include "apply_target.hpp"

namespace crateful::fuzz_apply {
namespace {

TEST(ApplyFuzz, N8_packets_of_a_sender_are_accepted) {
    const char* folder = std::getenv("CRATEFUL_FUZZ_APPLY_SEEDS");  // writes them there
    int number = 0;
    for (const Bytes& seed : seeds()) {
        EXPECT_EQ(apply_target(seed), 3);
        if (folder == nullptr) continue;
        std::ofstream file(std::filesystem::path(folder) / ("seed" + std::to_string(number++)), std::ios::binary);
        file.write(reinterpret_cast<const char*>(seed.data()), static_cast<std::streamsize>(seed.size()));
    }
}

TEST(ApplyFuzz, N8_what_was_found_keeps_the_promises) {
    int files = 0;
    for (const auto& each : std::filesystem::directory_iterator(CRATEFUL_APPLY_CORPUS)) {
        std::ifstream file(each.path(), std::ios::binary);
        const std::string text((std::istreambuf_iterator<char>(file)), {});
        static_cast<void>(apply_target(std::as_bytes(std::span(text))));
        ++files;
    }
    EXPECT_GT(files, 0);
}

TEST(ApplyFuzz, N8_packets_that_are_refused_change_nothing_and_others_leave_a_world_that_works) {
    const char* chosen = std::getenv("CRATEFUL_FUZZ_RUNS");
    const int runs = chosen != nullptr ? std::atoi(chosen) : 500;
    std::mt19937_64 random(1);
    int accepted = 0;
    for (const Bytes& seed : seeds()) {
        for (int k = 0; k < runs; ++k) {
            Bytes changed = seed;
            for (std::uint64_t n = random() % 3 + 1; n > 0; --n) change_byte(changed, random());
            if (random() % 8 == 0) changed.resize(random() % (changed.size() + 1));
            if (random() % 16 != 0) repair(changed);
            accepted += apply_target(changed);
        }
    }
    EXPECT_GT(accepted, runs);  // otherwise the changes stop at the header
}

}  // namespace
}  // namespace crateful::fuzz_apply
