// Random operations in two ECS, compared with a model that was written from docs/rules.md alone, without knowledge of
// the implementation. CRATEFUL_LOG prints the operations. To repeat a failure, set CRATEFUL_SEED to its seed, and --gtest_filter to its
// test.
#include "random_model.hpp"
#include "rules_model/random_world.hpp"

namespace test::rules_model {
namespace {

/// Applies operations to two ECS, which share nothing (M3), until one differs from its model.
void run_seed(Replay& replay, std::uint64_t operations) {
    RandomWorld first(replay, 0);
    RandomWorld second(replay, 1);
    Random choice{replay.seed + 12345};
    for (int i = 0; i < 9; ++i) choice();
    try {
        while (replay.operation < operations) (choice.chance(80) ? first : second).step();
        first.compare(true);
        second.compare(true);
    } catch (const Mismatch&) {
    }
}

void run_seeds(Mode mode) {
    describe_component<Linear>("RulesModelLinear").policy(Policy::linear);
    describe_component<LinearList>("RulesModelLinearList").policy(Policy::linear);
    describe_component<LinearTag>("RulesModelLinearTag").policy(Policy::linear);
    describe_component<Named>("RulesModelNamed").field("text", &Named::text).field("x", &Named::x);
    describe_component<Aiming>("RulesModelAiming").field("target", &Aiming::target);
    constexpr std::uint64_t SEEDS = 12;
    const std::uint64_t operations = times(3'000);
    std::map<std::string, std::uint64_t> counts;
    for (std::uint64_t n = 0; n < SEEDS && !testing::Test::HasFailure(); ++n) {
        Replay replay{first_seed() + n, mode};
        run_seed(replay, operations);
        for (const auto& [kind, count] : replay.counts) counts[kind] += count;
    }
    if (testing::Test::HasFailure() || operations < 3'000) return;
    for (const char* kind : {"init", "runs", "on_add", "on_remove", "on_clear", "on_enabled", "on_disabled", "handler",
                             "throws", "loops", "top_down", "clear", "errors", "bad systems", "links", "sorted"}) {
        EXPECT_GT(counts[kind], 0u) << kind << " did not occur";
    }
}

TEST(RulesModel, X1_random_operations_agree_with_the_rules) { run_seeds(Mode::flat); }

TEST(RulesModel, S6_random_operations_in_callbacks_agree_with_the_rules) { run_seeds(Mode::nested); }

}  // namespace
}  // namespace test::rules_model
