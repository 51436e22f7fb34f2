// Plays the corpus through, and a fixed number of changes of each file, without libFuzzer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "restore_target.hpp"

namespace crateful::fuzz {
namespace {

std::vector<Bytes> corpus() {
    std::vector<std::filesystem::path> paths;
    for (const auto& file : std::filesystem::directory_iterator(CRATEFUL_CORPUS)) paths.push_back(file.path());
    std::sort(paths.begin(), paths.end());
    std::vector<Bytes> all;
    for (const auto& path : paths) {
        std::ifstream file(path, std::ios::binary);
        const std::string text((std::istreambuf_iterator<char>(file)), {});
        const auto bytes = std::as_bytes(std::span(text));
        all.emplace_back(bytes.begin(), bytes.end());
    }
    return all;
}

int runs() {
    const char* chosen = std::getenv("CRATEFUL_FUZZ_RUNS");
    return chosen != nullptr ? std::atoi(chosen) : 200;
}

TEST(RestoreFuzz, N8_snapshots_of_the_world_are_accepted) {
    const char* folder = std::getenv("CRATEFUL_FUZZ_SEEDS");  // writes them there
    int number = 0;
    for (const Bytes& seed : seeds()) {
        EXPECT_TRUE(restore_target(seed));
        if (folder == nullptr) continue;
        std::ofstream file(std::filesystem::path(folder) / ("seed" + std::to_string(number++)), std::ios::binary);
        file.write(reinterpret_cast<const char*>(seed.data()), static_cast<std::streamsize>(seed.size()));
    }
}

TEST(RestoreFuzz, N8_what_is_refused_changes_nothing_and_what_is_accepted_is_a_world) {
    const std::vector<Bytes> all = corpus();
    ASSERT_FALSE(all.empty());
    int accepted = 0;
    for (const Bytes& file : all) accepted += restore_target(file) ? 1 : 0;
    std::mt19937_64 random(1);
    for (const Bytes& file : all) {
        for (int k = 0; k < runs(); ++k) {
            Bytes changed = file;
            for (std::uint64_t n = random() % 3 + 1; n > 0; --n) change_number(changed, random());
            if (random() % 8 == 0) changed.resize(random() % (changed.size() + 1));
            if (random() % 16 != 0) repair(changed);
            accepted += restore_target(changed) ? 1 : 0;
        }
    }
    EXPECT_GT(accepted, static_cast<int>(all.size()));  // otherwise the changes stop at the header
}

}  // namespace
}  // namespace crateful::fuzz
