// Entities that are found by the value of a member (rule Q11).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "world.hpp"

using namespace test;

namespace crateful::test_index {

namespace {

enum class Team : std::uint8_t { red, blue, green };
struct Named {
    String name;
};
struct Unit : Named {
    Team team = Team::red;
    float speed = 0;
    bool awake = false;
    Entity target = NONE;
    std::int16_t level = 0;
    double exact = 0;
};

struct IndexTest : testing::Test {
    static void SetUpTestSuite() {
        describe_component<Unit>("test_index.Unit").field("name", &Unit::name).field("team", &Unit::team);
    }
    ECS ecs;
    Entity add(const std::string& name, Team team, float speed = 0) {
        Unit unit;
        unit.name = ecs.string(name);
        unit.team = team;
        unit.speed = speed;
        return ecs.add_entity(unit);
    }
};

template <class Range>
[[nodiscard]] Ids list(const Range& range) {
    Ids all;
    for (const Entity e : range) all.push_back(e);
    return all;
}

}  // namespace

TEST_F(IndexTest, Q11_get_finds_the_entities_with_a_value_in_the_order_of_their_indices) {
    const Entity a = add("a", Team::blue);
    const Entity b = add("b", Team::red);
    const Entity c = add("c", Team::blue);
    const auto teams = ecs.index(&Unit::team);
    EXPECT_EQ(list(teams.get(Team::blue)), (Ids{a, c}));
    EXPECT_EQ(list(teams.get(Team::green)), Ids{});
    EXPECT_EQ(teams.first(Team::blue), a);
    EXPECT_EQ(teams.first(Team::green), NONE);
    ecs.modify<Unit>(b, [](Unit& unit) { unit.team = Team::blue; });
    ecs.remove<Unit>(a);
    EXPECT_EQ(list(teams.get(Team::blue)), (Ids{b, c}));
    ecs.remove_entity(b);
    ecs.remove_marked();
    EXPECT_EQ(list(teams.get(Team::blue)), Ids{c});
    const Entity d = add("d", Team::blue);  // at the index of b
    EXPECT_EQ(list(teams.get(Team::blue)), (Ids{d, c}));
    ecs.clear();
    EXPECT_EQ(list(teams.get(Team::blue)), Ids{});
}

TEST_F(IndexTest, Q11_strings_are_found_by_their_text_which_is_not_stored) {
    const Entity guard = add("guard", Team::red);
    const Entity nameless = add("", Team::red);
    const auto names = ecs.index<Unit>(&Named::name);
    EXPECT_EQ(names.first("guard"), guard);
    EXPECT_EQ(names.first(""), nameless);
    EXPECT_EQ(names.first("nobody"), NONE);
    const String next = ecs.string("next");
    EXPECT_EQ(names.first("somebody else"), NONE);
    EXPECT_EQ(ecs.string("one more").number, next.number + 1) << "what was looked for has no number";
    ecs.modify<Unit>(guard, [&](Unit& unit) { unit.name = ecs.string("captain"); });
    EXPECT_EQ(names.first("guard"), NONE);
    EXPECT_EQ(names.first("captain"), guard);
}

TEST_F(IndexTest, Q11_numbers_nan_and_zero) {
    const Entity nan = add("", Team::red, std::nanf("1"));
    const Entity zero = add("", Team::red, -0.0F);
    const Entity infinite = add("", Team::red, std::numeric_limits<float>::infinity());
    const auto speeds = ecs.index(&Unit::speed);
    EXPECT_EQ(list(speeds.get(std::nanf("2"))), Ids{nan});
    EXPECT_EQ(list(speeds.get(0)), Ids{zero});
    EXPECT_EQ(list(speeds.get(-0.0F)), Ids{zero});
    EXPECT_EQ(list(speeds.get(std::numeric_limits<float>::infinity())), Ids{infinite});
    EXPECT_EQ(ecs.index(&Unit::awake).first(true), NONE);
    EXPECT_EQ(list(ecs.index(&Unit::target).get(NONE)), (Ids{nan, zero, infinite}));
    ecs.modify<Unit>(zero, [&](Unit& unit) { unit.target = nan, unit.level = -3, unit.exact = -1e300; });
    EXPECT_EQ(list(ecs.index(&Unit::target).get(nan)), Ids{zero});
    EXPECT_EQ(list(ecs.index(&Unit::level).get(-3)), Ids{zero});
    EXPECT_EQ(list(ecs.index(&Unit::exact).get(-1e300)), Ids{zero});
    EXPECT_EQ(list(ecs.index(&Unit::exact).get(0)), (Ids{nan, infinite}));
}

TEST_F(IndexTest, Q11_a_number_that_the_member_cannot_store_is_an_error) {
    const Entity e = add("", Team::red, 0.1F);
    ecs.modify<Unit>(e, [](Unit& unit) { unit.level = 44; });
    const auto levels = ecs.index<Unit>(&Unit::level);  // the class can be named
    const auto refused = [](auto&& call) {
        try {
            call();
            return std::string("nothing is thrown");
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::bad_argument);
            return std::string(error.what());
        }
    };
    const double too_large = 44 + std::pow(2.0, 8 * sizeof(Unit::level));
    EXPECT_EQ(refused([&] { static_cast<void>(levels.first(44.5)); }),
              "index: a field of test_index.Unit cannot store 44.5");
    EXPECT_NE(refused([&] { static_cast<void>(levels.first(too_large)); }).find("cannot store"), std::string::npos);
    EXPECT_NE(refused([&] { static_cast<void>(levels.get(std::nan(""))); }).find("cannot store"), std::string::npos);
    EXPECT_NE(refused([&] { static_cast<void>(ecs.index(&Unit::awake).get(2)); }).find("cannot store"),
              std::string::npos);
    EXPECT_EQ(levels.first(44.0), e);
    EXPECT_EQ(levels.first(std::uint64_t{44}), e);
    EXPECT_EQ(ecs.index(&Unit::speed).first(0.1), e) << "rounded to the member";
}

TEST_F(IndexTest, Q11_results_are_checked_when_it_is_their_turn) {
    const Entity a = add("", Team::blue);
    const Entity b = add("", Team::blue);
    const Entity c = add("", Team::blue);
    const auto teams = ecs.index(&Unit::team);
    Ids visited;
    for (const Entity e : teams.get(Team::blue)) {
        visited.push_back(e);
        if (e != a) continue;
        ecs.modify<Unit>(b, [](Unit& unit) { unit.team = Team::red; });
        add("", Team::blue);
        EXPECT_EQ(teams.get(Team::blue).entities().size(), 3u) << "nested";
    }
    EXPECT_EQ(visited, (Ids{a, c}));
    // Written without a signal: it counts when it has signalled, and what has the value no longer is left out.
    ecs.query<Unit>().each([&](Entity e, Unit& unit) {
        if (e == a) unit.team = Team::green;
    });
    EXPECT_EQ(teams.first(Team::green), NONE);
    EXPECT_EQ(teams.first(Team::blue), c);
    ecs.dirty<Unit>(a);
    EXPECT_EQ(teams.first(Team::green), a);
}

TEST_F(IndexTest, Q11_random_operations_agree_with_a_scan) {
    std::mt19937 random(11);
    Ids all;
    const auto levels = ecs.index(&Unit::level);
    for (int step = 0; step < 20000; ++step) {
        const auto level = static_cast<std::int16_t>(random() % 7);
        switch (random() % 6) {
            case 0:
            case 1: {
                Unit unit;
                unit.level = level;
                all.push_back(ecs.add_entity(unit));
                break;
            }
            case 2:
                if (!all.empty() && ecs.has<Unit>(all[random() % all.size()])) {
                    const Entity e = all[random() % all.size()];
                    if (ecs.has<Unit>(e)) ecs.modify<Unit>(e, [&](Unit& unit) { unit.level = level; });
                }
                break;
            case 3:
                if (!all.empty()) {
                    const std::size_t at = random() % all.size();
                    if (random() % 2 == 0) ecs.remove<Unit>(all[at]);
                    ecs.remove_entity(all[at]);
                    ecs.remove_marked();
                    all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
                }
                break;
            default: {
                Ids expected;
                for (auto [e, unit] : ecs.query<const Unit>()) {
                    if (unit.level == level) expected.push_back(e);
                }
                std::sort(expected.begin(), expected.end(),
                          [](Entity a, Entity b) { return index_of(a) < index_of(b); });
                ASSERT_EQ(list(levels.get(level)), expected) << step;
                ASSERT_EQ(levels.first(level), expected.empty() ? NONE : expected.front());
            }
        }
    }
}

TEST_F(IndexTest, Q11_memory_follows_the_entries_and_not_the_world) {
    const Ids all = ecs.add_entities(1'000'000);
    const auto teams = ecs.index(&Unit::team);
    for (std::size_t k = 0; k < 50; ++k) ecs.add(all[k * 20'000], Unit{});
    EXPECT_EQ(list(teams.get(Team::red)).size(), 50u);
    // Pages of 64 indices, of 12 bytes and two changes of 8 bytes each, and a list of the pages, beside those of the storage.
    EXPECT_LT(ecs.storage<Unit>().bytes(), 50u * 64 * (12 + 4 * 8) + 1'000'000 / 64 * 8 * 2 + 600'000);
}

TEST_F(IndexTest, Q11_a_string_that_is_not_described_is_an_error) {
    struct Undescribed {
        String name;
    };
    EXPECT_ERROR(static_cast<void>(ecs.index(&Undescribed::name)), ErrorCode::bad_argument);
}

}  // namespace crateful::test_index
