// Which class made an entity dirty (rule D15).
#include <memory>
#include <string>

#include "world.hpp"

using namespace test;

namespace {

/// Tracks positions, watches three classes, and notes for which of them the entities are dirty.
struct Bars final : System<> {
    Bars() {
        require<Position>();
        watch<Position, Health>();
        watch_ancestors<Velocity>();
    }
    void update(double, Entities&, Dirty& dirty) override {
        if (asks) note(dirty);
    }
    void note(DirtySet& dirty) {
        moved = list(dirty.of<Position>());
        hurt = list(dirty.of<Health>());
        pushed = list(dirty.of<Velocity>());
    }
    static Ids list(DirtySet::Of of) {
        Ids ids;
        for (const Entity e : of) ids.push_back(e);
        return ids;
    }
    bool asks = true;
    Ids moved, hurt, pushed;
};

struct Causes : testing::Test {
    ECS ecs;
    Ids all = ecs.add_entities(5);
    Bars& bars;
    Causes() : bars(ecs.add_system<Bars>(0)) {
        for (const Entity e : all) ecs.add<Position>(e);
        for (const Entity e : all) ecs.add<Health>(e);
        ecs.update();
    }
};

}  // namespace

TEST_F(Causes, D15_entities_that_are_newly_tracked_count_for_every_class) {
    EXPECT_EQ(bars.moved, all);
    EXPECT_EQ(bars.hurt, all);
    EXPECT_EQ(bars.pushed, all);
    const Entity e = ecs.add_entity(Position{});
    const Ids more = ecs.add_entities(20);
    ecs.add<Position>(more, std::vector<Position>(more.size()));
    ecs.update();
    Ids expected{e};
    expected.insert(expected.end(), more.begin(), more.end());
    EXPECT_EQ(bars.moved, expected);
    EXPECT_EQ(bars.hurt, expected);
    EXPECT_EQ(bars.pushed, expected);
}

TEST_F(Causes, D15_entities_that_a_prefab_has_created_count_for_every_class) {
    const Ids made = ecs.prefab(Position{}).spawn(20);
    ecs.update();
    EXPECT_EQ(bars.hurt, made);
    EXPECT_EQ(bars.pushed, made);
}

TEST_F(Causes, D15_an_entity_counts_for_the_classes_that_signalled_however_they_did) {
    ecs.dirty<Position>(all[0]);
    ecs.modify<Health>(all[1], [](Health& health) { health.points = 1; });
    queue_mark(ecs, component_id<Position>(), all[1]);
    ecs.dirty<Health>(std::span(all).subspan(2, 2));
    ecs.remove<Health>(all[4]);
    ecs.update();
    EXPECT_EQ(bars.moved, (Ids{all[0], all[1]}));
    EXPECT_EQ(bars.hurt, (Ids{all[1], all[2], all[3], all[4]}));
    EXPECT_EQ(bars.pushed, Ids{});
    ecs.update();
    EXPECT_EQ(bars.moved, Ids{});
    EXPECT_EQ(bars.hurt, Ids{}) << "what an earlier run cleared does not count";
    ecs.dirty<Position>(all[4]);
    ecs.update();
    EXPECT_EQ(bars.moved, Ids{all[4]});
    EXPECT_EQ(bars.hurt, Ids{});
}

TEST_F(Causes, D15_iterating_it_counts_as_iterating_the_whole_set) {
    ecs.dirty<Position>(std::span(all));
    bars.asks = false;
    ecs.update();
    struct Late final : System<> {
        Late() { require<Position>(), watch<Position, Health>(); }
        void update(double, Entities&, Dirty& dirty) override {
            ecs().dirty<Position>(all[0]);
            ecs().dirty<Health>(all[1]);
            hurt = Bars::list(dirty.of<Health>());
        }
        Ids all, hurt;
    };
    auto& late = ecs.add_system<Late>(1);
    late.all = all;
    ecs.update();
    ecs.update();
    EXPECT_EQ(late.hurt, Ids{all[1]});
    EXPECT_TRUE(late.dirty_set().empty()) << "all[0] was passed over";
}

TEST_F(Causes, D15_what_was_in_the_set_before_the_first_call_counts_for_every_class) {
    Bars& late = ecs.add_system<Bars>(1);
    late.asks = false;
    ecs.update();
    ecs.dirty<Position>(all[2]);
    EXPECT_EQ(Bars::list(late.dirty_set().of<Health>()), Ids{all[2]});
    ecs.dirty<Position>(all[3]);
    EXPECT_EQ(Bars::list(late.dirty_set().of<Health>()), Ids{all[2]});
    EXPECT_EQ(Bars::list(late.dirty_set().of<Position>()), (Ids{all[2], all[3]}));
}

TEST_F(Causes, D15_many_that_are_newly_tracked_do_not_change_the_classes_of_others) {
    const Ids more = ecs.add_entities(60);
    ecs.add<Health>(more.back());
    ecs.add<Position>(more.back());
    for (const Entity e : all) ecs.remove_entity(e);
    ecs.update();
    ecs.dirty<Health>(more.back());
    ecs.prefab(Position{}).spawn(all);  // their indices are lower
    for (const Entity e : ecs.add_entities(80)) ecs.add<Position>(e);
    ecs.update();
    ASSERT_FALSE(bars.hurt.empty());
    EXPECT_EQ(bars.hurt.front(), more.back());
}

TEST_F(Causes, D15_D12_a_kept_entity_keeps_its_classes) {
    ecs.dirty<Position>(all[0]);
    bars.dirty_set().begin_run();
    bars.dirty_set().keep(all[0]);
    bars.dirty_set().end_run();
    EXPECT_EQ(Bars::list(bars.dirty_set().of<Position>()), Ids{all[0]});
    EXPECT_EQ(Bars::list(bars.dirty_set().of<Health>()), Ids{});
}

TEST_F(Causes, D15_D13_changes_of_ancestors_count_for_their_class_and_another_parent_for_all_that_are_watched_so) {
    ecs.add<Velocity>(all[0]);
    ecs.set_parent(all[1], all[0]);
    ecs.set_parent(all[2], all[1]);
    ecs.update();
    EXPECT_EQ(bars.pushed, (Ids{all[1], all[2]})) << "another parent";
    EXPECT_EQ(bars.moved, Ids{});
    ecs.dirty<Position>(all[1]);
    ecs.dirty<Velocity>(all[0]);
    ecs.dirty<Velocity>(all[0]);
    ecs.update();
    EXPECT_EQ(bars.pushed, (Ids{all[1], all[2]})) << "and not all[0] itself, for which the class is not watched";
    EXPECT_EQ(bars.moved, Ids{all[1]});
    ecs.remove<Velocity>(all[0]);
    ecs.update();
    EXPECT_EQ(bars.pushed, (Ids{all[1], all[2]}));
}

TEST_F(Causes, D15_D13_a_second_class_reaches_descendants_that_the_first_one_has_reached) {
    struct Both final : System<> {
        Both() { require<Position>(), watch_ancestors<Velocity, Health>(); }
        void update(double) override {}
    };
    auto& both = ecs.add_system<Both>(1);
    ecs.add<Velocity>(all[0]);
    ecs.set_parent(all[1], all[0]);
    static_cast<void>(both.dirty_set().of<Velocity>());
    ecs.update();
    ecs.dirty<Velocity>(all[0]);
    EXPECT_EQ(Bars::list(both.dirty_set().of<Health>()), Ids{});
    ecs.dirty<Health>(all[0]);
    EXPECT_EQ(Bars::list(both.dirty_set().of<Health>()), Ids{all[1]});
    EXPECT_EQ(Bars::list(both.dirty_set().of<Velocity>()), Ids{all[1]});
    EXPECT_EQ(Bars::list(both.dirty_set().top_down().of<Velocity>()), Ids{all[1]});
}

TEST_F(Causes, D15_a_class_that_is_not_watched_and_too_many_classes_are_errors) {
    EXPECT_ERROR(bars.dirty_set().of<Tag>(), ErrorCode::bad_argument);
    EXPECT_ERROR(bars.dirty_set().of(12345), ErrorCode::bad_argument);
    struct Many final : System<> {
        Many() { require<Position>(); }
        void update(double) override {}
        void watch_more(std::span<const ComponentId> ids) { use_ids_(internal::ComponentUse::watched, ids); }
    };
    for (const int n : {31, 32}) {
        ECS world;
        auto many = std::make_unique<Many>();
        std::vector<ComponentId> ids;
        for (int i = 0; i < n; ++i) ids.push_back(registry::add_object("Many" + std::to_string(i)));
        many->watch_more(ids);
        auto& added = world.add_system(0, std::move(many));
        if (n == 31) {
            EXPECT_EQ(Bars::list(added.dirty_set().of(ids.back())), Ids{});
        } else {
            EXPECT_ERROR(added.dirty_set().of(ids.back()), ErrorCode::bad_argument);
        }
    }
}
