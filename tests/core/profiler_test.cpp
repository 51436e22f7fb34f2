#include "crateful/profiler.hpp"

#include "world.hpp"

using namespace test;

namespace {

const Profiler::Group* find(const std::vector<Profiler::Group>& groups, std::string_view name) {
    for (const auto& group : groups) {
        if (group.name == name) return &group;
    }
    return nullptr;
}
std::vector<std::string> clocks(const ECS& ecs, std::string_view group) {
    std::vector<std::string> names;
    const auto report = ecs.profiler.report();
    if (const auto* found = find(report, group)) {
        for (const auto& clock : found->clocks) names.push_back(clock.name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

struct Walker final : System<> {
    Walker() { require<Position>(); }
    void update(double) override {}
};

}  // namespace

TEST(Profiler, P1_a_profiler_that_is_off_measures_nothing) {
    ECS ecs;
    ecs.add_system<Walker>(0);
    ecs.profiler.record("user", "clock", 0, 5);
    {
        const auto scope = ecs.profiler.measure("user", "other");
    }
    ecs.update();
    EXPECT_FALSE(ecs.profiler.enabled);
    EXPECT_TRUE(ecs.profiler.report().empty());
    EXPECT_TRUE(ecs.profiler.spans().empty());
}

TEST(Profiler, P1_the_average_is_that_of_the_frames_in_which_the_clock_ran) {
    Profiler profiler;
    profiler.enabled = true;
    profiler.record("g", "a", 0, 2);
    profiler.record("g", "a", 5, 2);  // twice in one frame
    profiler.end_frame();
    profiler.end_frame();  // it did not run in this one
    profiler.record("g", "a", 9, 8);
    EXPECT_DOUBLE_EQ(profiler.report()[0].clocks[0].average, 4) << "the frame has not ended";
    profiler.end_frame();
    EXPECT_DOUBLE_EQ(profiler.report()[0].clocks[0].average, 6);
    EXPECT_DOUBLE_EQ(profiler.report()[0].clocks[0].last, 8);
}

TEST(Profiler, P1_averages_include_the_last_frames_only) {
    Profiler profiler;
    profiler.enabled = true;
    for (int i = 0; i < 100; ++i) {
        profiler.record("g", "a", 0, 1000);
        profiler.end_frame();
    }
    for (std::size_t i = 0; i < Profiler::WINDOW / 2; ++i) {
        profiler.record("g", "a", 0, 0);
        profiler.end_frame();
    }
    EXPECT_DOUBLE_EQ(profiler.report()[0].clocks[0].average, 500);
}

TEST(Profiler, P1_groups_are_in_the_order_of_first_use_and_clocks_are_sorted_by_average) {
    Profiler profiler;
    profiler.enabled = true;
    profiler.record("late", "x", 0, 1);
    profiler.record("early", "small", 0, 1);
    profiler.record("early", "big", 0, 3);
    profiler.record("early", "middle", 0, 2);
    profiler.end_frame();
    const auto groups = profiler.report();
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[0].name, "late");
    ASSERT_EQ(groups[1].clocks.size(), 3u);
    EXPECT_EQ(groups[1].clocks[0].name, "big");
    EXPECT_EQ(groups[1].clocks[1].name, "middle");
    EXPECT_EQ(groups[1].clocks[2].name, "small");
}

TEST(Profiler, P1_the_update_and_each_system_are_measured) {
    ECS ecs;
    ecs.profiler.enabled = true;
    ecs.add_system<Walker>(0);
    ecs.add_system<Walker>(1);
    {
        const auto render = ecs.profiler.measure("Overall", "render");
    }
    ecs.update();
    EXPECT_EQ(clocks(ecs, "Overall"), (std::vector<std::string>{"render", "update"}));
    EXPECT_EQ(clocks(ecs, "Systems"), (std::vector<std::string>{"Walker", "Walker #2"}));
}

TEST(Profiler, P1_two_systems_of_a_class_have_separate_clocks) {
    ECS ecs;
    auto& first = ecs.add_system<Walker>(0);
    ecs.add_system<Walker>(1);
    ecs.remove_system(first);
    ecs.add_system<Walker>(2);
    ecs.profiler.enabled = true;
    ecs.update();
    EXPECT_EQ(clocks(ecs, "Systems").size(), 2u);
}

TEST(Profiler, P1_a_system_that_does_not_run_has_no_reading) {
    ECS ecs;
    ecs.profiler.enabled = true;
    ecs.add_system<Spy<Requires<Position>>>(0, true);
    ecs.update();
    EXPECT_TRUE(clocks(ecs, "Systems").empty());
}

TEST(Profiler, P1_a_system_that_throws_is_measured) {
    ECS ecs;
    ecs.profiler.enabled = true;
    auto& spy = ecs.add_system<Spy<Requires<Position>>>(0);
    spy.at_update = [](double, auto&, auto&) { throw Oops("update"); };
    EXPECT_THROW(ecs.update(), Oops);
    EXPECT_EQ(clocks(ecs, "Systems").size(), 1u);
    EXPECT_EQ(clocks(ecs, "Overall"), std::vector<std::string>{"update"});
}

TEST(Profiler, P2_spans_are_the_measurements_of_the_last_finished_frame) {
    Profiler profiler;
    profiler.enabled = true;
    profiler.record("g", "a", 10, 1);
    EXPECT_TRUE(profiler.spans().empty());
    profiler.record("g", "b", 11, 2);
    profiler.end_frame();
    profiler.record("g", "c", 20, 1);
    for (int i = 0; i < 50; ++i) profiler.record("many", std::to_string(i), 0, 0);
    ASSERT_EQ(profiler.spans().size(), 2u);
    EXPECT_EQ(*profiler.spans()[0].group, "g");
    EXPECT_EQ(*profiler.spans()[1].name, "b") << "names stay valid when clocks are added";
    EXPECT_EQ(profiler.spans()[1].start, 11);
    EXPECT_EQ(profiler.spans()[1].duration, 2);
}

TEST(Profiler, P2_the_spans_of_an_update_nest) {
    ECS ecs;
    ecs.profiler.enabled = true;
    ecs.add_system<Walker>(0);
    ecs.update();
    ecs.update();
    const auto& spans = ecs.profiler.spans();
    ASSERT_EQ(spans.size(), 2u);
    const auto& system = spans[0];
    const auto& update = spans[1];
    EXPECT_EQ(*system.name, "Walker");
    EXPECT_EQ(*update.name, "update");
    EXPECT_LE(update.start, system.start);
    EXPECT_GE(update.start + update.duration, system.start + system.duration);
}

TEST(Profiler, P1_clear_deletes_all_measurements_also_those_of_the_current_frame) {
    Profiler profiler;
    profiler.enabled = true;
    profiler.record("g", "a", 0, 1);
    profiler.end_frame();
    profiler.record("g", "a", 0, 1);
    profiler.clear();
    EXPECT_TRUE(profiler.report().empty());
    EXPECT_TRUE(profiler.spans().empty());
    profiler.end_frame();
    EXPECT_TRUE(profiler.report().empty());
    profiler.record("g", "a", 0, 3);
    profiler.end_frame();
    EXPECT_DOUBLE_EQ(profiler.report()[0].clocks[0].average, 3);
}

TEST(Profiler, P1_a_scope_can_end_after_the_profiler_was_switched_off_and_cleared) {
    Profiler profiler;
    profiler.enabled = true;
    {
        const auto scope = profiler.measure("g", "a");
        profiler.enabled = false;
        profiler.clear();
    }
    profiler.enabled = true;
    profiler.end_frame();
    EXPECT_EQ(profiler.report().size(), 1u);
}

TEST(Profiler, P1_measurements_before_switching_off_do_not_count_in_a_later_frame) {
    Profiler profiler;
    profiler.enabled = true;
    profiler.record("g", "a", 0, 100);
    profiler.enabled = false;
    profiler.end_frame();
    profiler.enabled = true;
    profiler.record("g", "a", 1000, 1);
    profiler.end_frame();
    EXPECT_EQ(profiler.spans().size(), 1u);
    EXPECT_DOUBLE_EQ(profiler.report()[0].clocks[0].last, 1);
}
