// The functions of a query that call a function: each and change.
#include <limits>
#include <random>

#include "crateful/query.hpp"
#include "world.hpp"

using namespace test;

namespace {

/// Compared with `==`, which ignores a member.
struct Label {
    std::string text;
    int uses = 0;
    bool operator==(const Label& other) const { return text == other.text; }
};

/// A copy has the same number; an assignment of a copy keeps the old one.
struct KeptNumber {
    explicit KeptNumber(int n = 0) : number(n) {}
    KeptNumber(const KeptNumber&) = default;
    KeptNumber(KeptNumber&&) noexcept = default;
    KeptNumber& operator=(const KeptNumber&) { return *this; }
    KeptNumber& operator=(KeptNumber&&) noexcept = default;
    bool operator==(const KeptNumber& other) const { return number == other.number; }
    int number;
};
/// Can be copied, but an assignment does not compile, although std::is_copy_assignable says that it does.
struct Stops {
    struct Stop {
        const int place = 0;
    };
    std::vector<Stop> stops{};
    bool operator==(const Stops& other) const { return stops.size() == other.stops.size(); }
};

struct QueryChanges : testing::Test {
    ECS ecs;
    Ids all = ecs.add_entities(4);
    Recorder& positions = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(0);
    Recorder& others = ecs.add_system<Spy<Requires<Position>, Watches<Velocity, Label, Tag>>>(0);
    QueryChanges() {
        for (const Entity e : all)
            ecs.add<Position>(e, {1, 1}), ecs.add<Velocity>(e, {static_cast<float>(index_of(e) - index_of(all[0]))});
        ecs.add<Label>(all[1], {"crate", 0});
        ecs.add<Label>(all[2], {"a label that is too long to be stored in place", 0});
        ecs.update();
    }
};

/// The entities that `each` visits, sorted; checks that the values are those of the entities.
template <class... Ts, class... Filters>
Ids each_visits(ECS& ecs, Filters... filters) {
    Ids found;
    ecs.query<Ts...>(filters..., optional<Velocity>).each([&](Entity e, Ts&... values, Velocity* velocity) {
        found.push_back(e);
        EXPECT_TRUE((... && (&values == ecs.try_get<std::remove_const_t<Ts>>(e)))) << to_string(e);
        EXPECT_EQ(velocity, ecs.try_get<Velocity>(e));
    });
    std::sort(found.begin(), found.end());
    return found;
}
template <class... Ts, class... Filters>
Ids loop_visits(ECS& ecs, Filters... filters) {
    Ids found;
    for (const auto& row : ecs.query<Ts...>(filters...)) found.push_back(std::get<0>(row));
    std::sort(found.begin(), found.end());
    return found;
}

template <class T>
void add_to(ECS& ecs, Ids ids, std::size_t count, bool shuffled, std::mt19937& random) {
    Ids chosen = ids;
    std::shuffle(chosen.begin(), chosen.end(), random);
    chosen.resize(count);
    if (!shuffled) std::sort(chosen.begin(), chosen.end());
    for (const Entity e : chosen) ecs.add<T>(e);
}

}  // namespace

TEST(QueryEach, Q9_each_visits_the_entities_that_a_loop_visits_whatever_the_order_of_the_storages) {
    std::mt19937 random(1);
    for (const std::size_t n : {1u, 40u, 700u}) {
        for (const bool shuffled : {false, true}) {
            for (const std::size_t percent : {3u, 50u, 99u, 100u}) {
                ECS ecs;
                const Ids all = ecs.add_entities(n);
                const std::size_t count = n * percent / 100;
                add_to<Position>(ecs, all, n, shuffled, random);
                add_to<Health>(ecs, all, count, shuffled, random);
                add_to<Indexed>(ecs, all, count, shuffled, random);
                add_to<Velocity>(ecs, all, n / 2, shuffled, random);
                add_to<Tag>(ecs, all, n - count, shuffled, random);
                SCOPED_TRACE(std::to_string(n) + " " + std::to_string(percent));
                EXPECT_EQ((each_visits<Position, Health>(ecs)), (loop_visits<Position, Health>(ecs)));
                EXPECT_EQ((each_visits<Health, const Position, Indexed>(ecs)),
                          (loop_visits<Health, Position, Indexed>(ecs)));
                EXPECT_EQ(each_visits<Indexed>(ecs), loop_visits<Indexed>(ecs));
                EXPECT_EQ((each_visits<Indexed, Position>(ecs, any<Health>)),
                          (loop_visits<Indexed, Position>(ecs, any<Health>)));
                EXPECT_EQ(each_visits<Position>(ecs, exclude<Tag>), loop_visits<Position>(ecs, exclude<Tag>));
                EXPECT_EQ((each_visits<Position, Indexed>(ecs, exclude<Tag>, any<Health, Velocity>)),
                          (loop_visits<Position, Indexed>(ecs, exclude<Tag>, any<Health, Velocity>)));
            }
        }
    }
}

TEST_F(QueryChanges, Q9_each_does_not_signal) {
    ecs.query<Position, Velocity>().each([](Position& p, Velocity& v) { p.x = v.x = 9; });
    ecs.each<Position>([](Position& p) { p.y = 9; });
    for (auto [e, position] : ecs.query<Position>()) position.x = 10;
    EXPECT_EQ(ecs.get<Position>(all[3]).x, 10);
    EXPECT_TRUE(positions.dirty().empty());
    EXPECT_TRUE(others.dirty().empty());
}

TEST_F(QueryChanges, Q9_components_that_change_has_changed_signal) {
    ecs.query<Position, const Velocity>().change([](Position& p, const Velocity& v) { p.x = v.x < 2 ? 1 : v.x; });
    EXPECT_EQ(positions.dirty(), (Ids{all[2], all[3]}));
    EXPECT_TRUE(others.dirty().empty());
    ecs.query<const Position, Velocity>().change([&](Entity e, const Position&, Velocity& v) {
        if (e == all[0]) v.x = 5;
    });
    EXPECT_EQ(positions.dirty(), (Ids{all[2], all[3]}));
    EXPECT_EQ(others.dirty(), Ids{all[0]});
}

TEST_F(QueryChanges, Q9_change_compares_bytes) {
    ecs.query<Position>().change([&](Entity e, Position& p) {
        if (e == all[0]) p.x = std::numeric_limits<float>::quiet_NaN();
        if (e == all[1]) p.y = -p.y, p.y = -p.y;
    });
    EXPECT_EQ(positions.dirty(), Ids{all[0]});
    ecs.update();
    ecs.query<Position>().change(
        [&](Position& p) { p.x = p.x != p.x ? std::numeric_limits<float>::quiet_NaN() : p.x; });
    EXPECT_TRUE(positions.dirty().empty()) << "the same NaN is no change";
}

TEST_F(QueryChanges, Q9_change_compares_other_types_with_their_operator) {
    ecs.query<Label>().change([](Label& label) { ++label.uses; });
    EXPECT_TRUE(others.dirty().empty());
    ecs.query<Label>().change([](Label& label) { label.text += label.text.size() > 10 ? "!" : ""; });
    EXPECT_EQ(others.dirty(), Ids{all[2]});
    EXPECT_EQ(ecs.get<Label>(all[2]).uses, 1);
}

TEST_F(QueryChanges, C10_the_operator_decides_about_the_same_NaN_in_a_class_that_owns_memory) {
    struct Measured {
        std::string unit = "m";
        float value = std::numeric_limits<float>::quiet_NaN();
        bool operator==(const Measured&) const = default;
    };
    Recorder& measured = ecs.add_system<Spy<Requires<Position>, Watches<Measured>>>(0);
    ecs.add<Measured>(all[0], {});
    ecs.update();
    ecs.set<Measured>(all[0], {});
    EXPECT_EQ(measured.dirty(), Ids{all[0]});
    ecs.update();
    ecs.query<Measured>().change([](Measured&) {});
    EXPECT_EQ(measured.dirty(), Ids{all[0]});
}

TEST_F(QueryChanges, Q9_optional_components_signal_too_and_tags_do_not) {
    ecs.add<Tag>(all[1]);
    ecs.update();
    int labels = 0;
    ecs.query<const Position, Tag>(optional<Label>).change([](const Position&, Tag&, Label* label) {
        label->text = "x";
    });
    EXPECT_EQ(others.dirty(), Ids{all[1]});
    ecs.update();
    ecs.query<Position>(optional<Label>).change([&](Position&, const Label* label) {
        labels += label != nullptr ? 1 : 0;
    });
    ecs.query<Tag>().change([](Tag&) {});
    EXPECT_EQ(labels, 2);
    EXPECT_TRUE(others.dirty().empty());
    EXPECT_TRUE(positions.dirty().empty());
}

TEST_F(QueryChanges, Q9_change_compares_with_copies_and_assigns_nothing) {
    Recorder& copied = ecs.add_system<Spy<Requires<Position>, Watches<KeptNumber, Stops>>>(0);
    int n = 0;
    for (const Entity e : all) ecs.emplace<KeptNumber>(e, n++), ecs.add<Stops>(e, {});
    ecs.update();
    ecs.query<KeptNumber>().change([](KeptNumber&) {});
    EXPECT_TRUE(copied.dirty().empty());
    ecs.query<KeptNumber>().change([](KeptNumber& kept) { kept = KeptNumber(kept.number % 2); });
    EXPECT_EQ(copied.dirty(), Ids({all[2], all[3]}));
    ecs.update();
    ecs.query<Stops>().change([&](Entity e, Stops& path) { path.stops.resize(e == all[1] ? 1 : 0); });
    EXPECT_EQ(copied.dirty(), Ids{all[1]});
}

TEST_F(QueryChanges, Q9_components_changed_by_change_signal_after_the_marks_that_are_queued_already) {
    queue_mark(ecs, component_id<Position>(), all[3]);
    ecs.query<Position>().change([&](Entity e, Position& p) { p.x += e == all[0] ? 1.0f : 0.0f; });
    EXPECT_EQ(positions.dirty(), (Ids{all[3], all[0]}));
}

TEST_F(QueryChanges, Q9_a_change_that_throws_leaves_the_signals_of_earlier_entities) {
    const auto change_two = [&] {
        ecs.query<Position>().change([&](Entity e, Position& p) {
            p.x = 5;
            if (e == all[1]) throw Oops("thrown by change");
        });
    };
    EXPECT_THROW(change_two(), Oops);
    EXPECT_EQ(positions.dirty(), Ids{all[0]});
    EXPECT_EQ(ecs.get<Position>(all[2]).x, 1);
}

#ifndef NDEBUG
TEST_F(QueryChanges, X1_each_and_change_detect_added_and_removed_components_in_debug_builds) {
    const auto throwing = [&](auto query, auto change) {
        EXPECT_ERROR(query.each([&](auto&&...) { change(); }), ErrorCode::bad_argument);
    };
    const auto moving = ecs.query<Position>(exclude<Tag>, any<Velocity>, optional<Label>);
    throwing(moving, [&] { ecs.remove<Position>(all[3]); });
    throwing(moving, [&] { ecs.add<Tag>(all[3]); });
    throwing(moving, [&] { ecs.remove<Velocity>(all[3]); });
    throwing(moving, [&] { ecs.add<Label>(all[3]); });
    for (const Entity e : all) ecs.add<Indexed>(e);
    throwing(ecs.query<Indexed>(), [&] { ecs.remove<Indexed>(all[1]); });
    throwing(ecs.query<Indexed>(), [&] { ecs.add_entities(5000); });
    const auto change_all = [&] {
        ecs.query<Position>().change([&](auto&&...) { ecs.add<Position>(ecs.add_entity()); });
    };
    EXPECT_ERROR(change_all(), ErrorCode::bad_argument);
    try {
        change_all();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what())
                      .find("change: the function added, replaced, removed or sorted components of Position"),
                  std::string::npos)
            << error.what();
    }
}

TEST(QueryChange, Q9_a_function_that_makes_something_watch_the_query_is_an_error) {
    ECS ecs;
    for (int n = 0; n < 3; ++n) ecs.add_entity(Indexed{}, Velocity{});
    const auto change = [&](auto begin) { ecs.query<Indexed>().change([&](Entity, Indexed&) { begin(); }); };
    EXPECT_NO_THROW(change([&] { static_cast<void>(ecs.query<Velocity>().first()); }));
    bool watches = false;
    const auto watch = [&] {
        if (!std::exchange(watches, true)) ecs.add_system<Spy<Requires<Indexed>, Watches<Indexed>>>(0);
    };
    EXPECT_ERROR(change(watch), ErrorCode::bad_argument);
    EXPECT_NO_THROW(change(watch)) << "it watches already";
}

TEST_F(QueryChanges, X1_each_allows_changes_of_other_classes) {
    ecs.query<Position>().each([&](Entity e, Position&) {
        ecs.add<Health>(e);
        ecs.remove_entity(e);  // at the end of the update
        ecs.add_entity();
    });
    EXPECT_EQ(ecs.query<Health>().count(), 4u);
}
#endif

#ifndef NDEBUG
TEST(QueryEach, Q9_a_function_that_replaces_a_component_of_the_query_is_an_error) {
    ECS ecs;
    for (int n = 0; n < 3; ++n) ecs.add_entity(Position{}, Velocity{});
    EXPECT_ERROR((ecs.each<Position>([&](Entity e, Position&) { ecs.add(e, Position{1}); })), ErrorCode::bad_argument);
    EXPECT_ERROR((ecs.query<Position>().change([&](Entity e, Position&) { ecs.add(e, Position{1}); })),
                 ErrorCode::bad_argument);
    EXPECT_NO_THROW((ecs.each<Position>([&](Entity e, Position&) { ecs.add(e, Velocity{1}); })));
}
#endif
