// Adding, removing and enabling systems (rules S1 to S4).
#include <algorithm>
#include <limits>
#include <set>

#include "world.hpp"

using namespace test;

namespace {

using Plain = Spy<Requires<Position>>;
struct Other final : System<> {
    Other() { require<Position>(); }
    void update(double) override {}
};
struct Base : System<> {
    Base() { require<Position>(); }
    void update(double) override {}
};

/// A Setup that appends `name` to the log in each update.
Recorder::Setup writes(std::string& log, std::string name) {
    return [&log, name](Recorder& r) { r.at_update = [&log, name](double, auto&, auto&) { log += name; }; };
}

}  // namespace

TEST(Systems, S1_systems_run_by_ascending_priority_and_then_in_the_order_of_addition) {
    ECS ecs;
    std::string log;
    for (const auto& [priority, name] : std::vector<std::pair<double, std::string>>{
             {1, "d"}, {-2.5, "a"}, {1, "e"}, {0.5, "c"}, {1e300, "g"}, {-0.0, "b"}, {1, "f"}}) {
        ecs.add_system<Plain>(priority, writes(log, name));
    }
    ecs.update();
    EXPECT_EQ(log, "abcdefg");
}

TEST(Systems, S1_the_callbacks_for_one_change_are_called_in_running_order) {
    ECS ecs;
    std::string log;
    for (const auto& [priority, name] :
         std::vector<std::pair<double, char>>{{1, 'c'}, {0, 'a'}, {1, 'd'}, {0.5, 'b'}}) {
        ecs.add_system<Plain>(priority, [&log, n = name](Recorder& r) { r.at_add = [&log, n](Aspect&) { log += n; }; });
    }
    ecs.add<Position>(ecs.add_entity());
    EXPECT_EQ(log, "abcd");
}

TEST(Systems, S1_with_a_seed_systems_run_in_a_random_order_where_neither_priorities_nor_constraints_decide) {
    const auto play = [](std::uint32_t seed, bool removes) {
        ECS ecs;
        std::string log;
        ecs.by_id().shuffle(seed);
        const auto add = [&](double priority, const std::string& name, std::vector<std::string> after = {}) {
            return &ecs.add_system(priority, name, [&log, name](ECS&, double) { log += name; },
                                   {.after = std::move(after)});
        };
        add(1, "y");
        for (const char* name : {"a", "b", "c"}) add(0, name);
        SystemBase* removed = add(0, "x");
        add(0, "d", {"b"});
        add(-1, "f");
        if (removes) ecs.remove_system(*removed);
        ecs.update();
        ecs.update();
        const std::size_t half = log.size() / 2;
        EXPECT_EQ(log.substr(0, half), log.substr(half)) << "the order stays";
        return log.substr(0, half);
    };
    std::set<std::string> orders;
    std::set<char> last;
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        std::string order = play(seed, false);
        EXPECT_EQ(play(seed, false), order);
        EXPECT_EQ(order.size(), 7u);
        EXPECT_EQ(order.front(), 'f');
        EXPECT_EQ(order.back(), 'y');
        EXPECT_LT(order.find('b'), order.find('d'));
        last.insert(order[5]);
        orders.insert(order);
        order.erase(order.find('x'), 1);
        EXPECT_EQ(play(seed, true), order) << "the order of the others";
    }
    EXPECT_GT(orders.size(), 30u);
    EXPECT_EQ(last, (std::set<char>{'a', 'c', 'd', 'x'}));
}

TEST(Systems, S2_systems_that_cannot_be_added_are_errors) {
    ECS ecs;
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()}) {
        EXPECT_ERROR(ecs.add_system<Plain>(bad), ErrorCode::bad_system);
    }
    EXPECT_ERROR((ecs.add_system<Spy<Requires<>>>(0)), ErrorCode::bad_system);
    EXPECT_ERROR(ecs.add_system(0, std::unique_ptr<Plain>()), ErrorCode::bad_system);
    EXPECT_TRUE(ecs.systems().empty());
}

TEST(Systems, S2_D11_a_system_that_could_never_run_is_an_error_that_says_what_to_do) {
    struct Deaf final : System<> {
        explicit Deaf(bool listens) {
            require<Position>();
            only_when_dirty();
            if (listens) watch_ancestors<Position>();
        }
        void update(double) override {}
    };
    struct Empty final : System<> {
        void update(double) override {}
    };
    ECS ecs;
    const auto message = [](auto call) -> std::string {
        try {
            call();
            return "no error";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::bad_system);
            return error.what();
        }
    };
    EXPECT_EQ(message([&] { ecs.add_system<Deaf>(0, false); }),
              "add_system: system Deaf is only_when_dirty, but it watches no class and has no Inbox, so it would never "
              "run; call watch<…>()");
    EXPECT_EQ(message([&] { ecs.add_system<Empty>(0); }),
              "add_system: system Empty must require at least one component class; if it uses no entities, call "
              "require_none()");
    EXPECT_TRUE(ecs.systems().empty());
    ecs.add_system<Deaf>(0, true);
}

TEST(Systems, S2_get_system_returns_the_first_added_system_of_a_class) {
    ECS ecs;
    EXPECT_ERROR(ecs.get_system<Plain>(), ErrorCode::bad_system);
    auto& first = ecs.add_system<Plain>(10);
    auto& second = ecs.add_system<Plain>(0);
    EXPECT_EQ(&ecs.get_system<Plain>(), &first);
    ecs.remove_system(first);
    EXPECT_EQ(&ecs.get_system<Plain>(), &second);
    EXPECT_ERROR(ecs.get_system<Other>(), ErrorCode::bad_system);
}

TEST(Systems, S2_get_system_finds_the_exact_class_only) {
    struct Derived final : Base {};
    ECS ecs;
    auto& derived = ecs.add_system<Derived>(0);
    EXPECT_EQ(&ecs.get_system<Derived>(), &derived);
    EXPECT_ERROR(ecs.get_system<Base>(), ErrorCode::bad_system);
    EXPECT_ERROR(ecs.get_system<SystemBase>(), ErrorCode::bad_system);
    const auto& base = ecs.add_system(0, std::make_unique<Base>());
    EXPECT_EQ(&ecs.get_system<Base>(), &base);
}

TEST(Systems, S14_a_system_can_be_found_by_its_name) {
    struct Named final : Base {
        [[nodiscard]] std::string name() const override { return "the named one"; }
    };
    ECS ecs;
    EXPECT_ERROR(ecs.get_system("Base"), ErrorCode::bad_system);
    auto& first = ecs.add_system<Base>(10);
    ecs.add_system<Base>(0);
    auto& named = ecs.add_system<Named>(0);
    EXPECT_EQ(&ecs.get_system("Base"), &first);
    EXPECT_EQ(&ecs.get_system("the named one"), &named);
    EXPECT_ERROR(ecs.get_system("Named"), ErrorCode::bad_system);
}

TEST(Systems, S14_tracked_entities_are_in_tracking_order_and_ordered_systems_keep_it) {
    struct Ordered final : Base {
        Ordered() { ordered(); }
    };
    ECS ecs;
    auto& plain = ecs.add_system<Base>(0);
    auto& ordered = ecs.add_system<Ordered>(0);
    const Ids all = ecs.add_entities(7);
    const Ids order = {all[3], all[0], all[6], all[1], all[4], all[5], all[2]};
    for (const Entity e : order) ecs.add<Position>(e);
    EXPECT_EQ(copy(plain.tracked().entities()), order);
    EXPECT_EQ(copy(ordered.tracked().entities()), order);
    ecs.remove<Position>(order[1]);
    EXPECT_EQ(copy(plain.tracked().entities()), (Ids{order[0], order[6], order[2], order[3], order[4], order[5]}));
    EXPECT_EQ(copy(ordered.tracked().entities()), (Ids{order[0], order[2], order[3], order[4], order[5], order[6]}));
    ecs.remove_entities(Ids{order[2], order[6]});
    ecs.update();
    ecs.add<Position>(order[1]);
    EXPECT_EQ(copy(ordered.tracked().entities()), (Ids{order[0], order[3], order[4], order[5], order[1]}));
    ecs.by_id().remove(Ids{order[3], order[5]}, component_id<Position>());
    EXPECT_EQ(copy(ordered.tracked().entities()), (Ids{order[0], order[4], order[1]}));
}

TEST(Systems, S14_the_dirty_set_of_an_ordered_system_keeps_the_order_of_first_signals) {
    struct Ordered final : System<> {
        Ordered() {
            require<Position>();
            watch<Position>();
            ordered();
        }
        void update(double) override {}
    };
    ECS ecs;
    auto& system = ecs.add_system<Ordered>(0);
    Ids all(6);
    for (Entity& e : all) e = ecs.add_entity(Position{});
    ecs.update();
    for (const std::size_t i : {4u, 2u, 5u, 1u, 3u}) ecs.dirty<Position>(all[i]);
    ecs.remove<Position>(all[2]);
    ecs.dirty<Position>(all[4]);
    ecs.remove_entities(Ids{all[0], all[5]});
    ecs.remove_marked();
    EXPECT_EQ(copy(system.dirty_set().ids()), (Ids{all[4], all[1], all[3]}));
}

TEST(Systems, S2_systems_of_another_ecs_and_removed_systems_are_errors) {
    ECS one;
    ECS two;
    auto& foreign = two.add_system<Plain>(0);
    EXPECT_ERROR(one.remove_system(foreign), ErrorCode::bad_system);
    EXPECT_ERROR(one.enable_system(foreign), ErrorCode::bad_system);
    EXPECT_ERROR(one.disable_system(foreign), ErrorCode::bad_system);
    EXPECT_ERROR(one.toggle_system(foreign), ErrorCode::bad_system);
    Plain never_added;
    EXPECT_ERROR(one.remove_system(never_added), ErrorCode::bad_system);
    EXPECT_TRUE(foreign.enabled());

    foreign.at_remove = [&](Aspect&) { EXPECT_ERROR(two.remove_system(foreign), ErrorCode::bad_system); };
    two.add<Position>(two.add_entity());
    two.remove_system(foreign);
}

TEST(Systems, S3_init_is_called_once_and_then_on_add_for_each_entity_that_matches) {
    ECS ecs;
    const Ids all = ecs.add_entities(4);
    for (const std::size_t i : {1u, 3u}) ecs.add<Position>(all[i]);
    auto& spy = ecs.add_system<Plain>(7, [&](Recorder& r) {
        r.at_init = [&] {
            EXPECT_EQ(&r.ecs(), &ecs);
            EXPECT_EQ(r.priority(), 7);
            EXPECT_TRUE(r.added.empty());
            EXPECT_EQ(&ecs.get_system<Plain>(), &r);
        };
    });
    EXPECT_EQ(spy.inits, 1);
    EXPECT_EQ(spy.added, (Ids{all[1], all[3]}));
    ecs.update();
    EXPECT_EQ(spy.inits, 1);
}

TEST(Systems, S3_on_add_is_called_once_for_an_entity_created_in_init) {
    ECS ecs;
    ecs.add<Position>(ecs.add_entity());
    auto& spy = ecs.add_system<Plain>(0, [&](Recorder& r) {
        r.at_init = [&] { ecs.add<Position>(ecs.add_entity()); };
        r.at_add = [&](Aspect&) {
            if (r.added.size() < 5) ecs.add<Position>(ecs.add_entity());
        };
    });
    EXPECT_EQ(spy.added.size(), 6u);
    EXPECT_EQ(iterate(spy.entities()).size(), 6u);
}

TEST(Systems, S3_removing_a_system_calls_on_remove_for_each_tracked_entity) {
    ECS ecs;
    Ids removed;
    auto& spy = ecs.add_system<Plain>(0, [&](Recorder& r) {
        r.at_remove = [&](Aspect& a) { removed.push_back(a.entity()); };
        r.at_update = [](double, auto&, auto&) { ADD_FAILURE() << "it was removed"; };
    });
    const Ids all = ecs.add_entities(3);
    for (const Entity e : all) ecs.add<Position>(e);
    ecs.remove_system(spy);
    EXPECT_TRUE(ecs.systems().empty());
    ecs.update();
    ecs.clear();
    std::sort(removed.begin(), removed.end());
    EXPECT_EQ(removed, all);
}

TEST(Systems, S3_a_system_does_not_start_to_track_entities_during_its_removal) {
    ECS ecs;
    int adds = 0;
    auto& spy = ecs.add_system<Plain>(0, [&](Recorder& r) {
        r.at_add = [&](Aspect&) { ++adds; };
        r.at_remove = [&](Aspect&) { ecs.add<Position>(ecs.add_entity()); };
    });
    for (const Entity e : ecs.add_entities(3)) ecs.add<Position>(e);
    ecs.remove_system(spy);
    EXPECT_EQ(adds, 3);
    EXPECT_EQ(ecs.count(), 6u);
}

TEST(Systems, S3_a_system_added_during_an_update_runs_from_the_next) {
    ECS ecs;
    auto& spy = ecs.add_system<Plain>(0);
    Recorder* late = nullptr;
    ecs.add<Position>(ecs.add_entity());
    spy.at_update = [&](double, auto&, auto&) {
        if (late != nullptr) return;
        late = &ecs.add_system<Plain>(5);
        EXPECT_EQ(late->inits, 1);
        EXPECT_EQ(late->added.size(), 1u);
    };
    ecs.update();
    EXPECT_EQ(late->updates, 0);
    ecs.update();
    EXPECT_EQ(late->updates, 1);
}

TEST(Systems, S3_a_system_added_by_a_delayed_event_at_the_start_of_an_update_runs_from_the_next) {
    ECS ecs;
    Recorder* late = nullptr;
    ecs.events.subscribe<Ping>([&](const Ping&) { late = &ecs.add_system<Plain>(5); });
    ecs.events.dispatch(Ping{}, 0.5);
    ecs.update(1);
    ASSERT_NE(late, nullptr);
    EXPECT_EQ(late->updates, 0);
    ecs.update(1);
    EXPECT_EQ(late->updates, 1);
}

TEST(Systems, S3_a_system_removed_during_an_update_runs_and_tracks_until_the_update_ends) {
    ECS ecs;
    std::string log;
    auto& first = ecs.add_system<Plain>(0);
    auto& removed_system = ecs.add_system<Plain>(1, [&](Recorder& r) {
        r.at_update = [&](double, auto&, auto&) { log += "update "; };
        r.at_add = [&](Aspect&) { log += "add "; };
        r.at_remove = [&](Aspect&) { log += "remove "; };
    });
    first.at_update = [&](double, auto&, auto&) {
        ecs.remove_system(removed_system);
        ecs.add<Position>(ecs.add_entity());
    };
    ecs.update();
    EXPECT_EQ(log, "add update remove ");
    EXPECT_EQ(ecs.systems().size(), 1u);
    first.at_update = nullptr;
    ecs.update();
    EXPECT_EQ(log, "add update remove ");
}

TEST(Systems, S3_a_system_can_remove_itself_and_others_in_any_callback) {
    ECS ecs;
    auto& one = ecs.add_system<Plain>(0);
    auto& two = ecs.add_system<Plain>(1);
    auto& three = ecs.add_system<Plain>(2);
    one.at_update = [&](double, auto&, auto&) { ecs.remove_system(one); };
    ecs.update();
    EXPECT_EQ(ecs.systems(), (std::vector<SystemBase*>{&two, &three}));
    two.at_add = [&](Aspect&) {
        ecs.remove_system(two);
        ecs.remove_system(three);
    };
    ecs.add<Position>(ecs.add_entity());
    EXPECT_TRUE(ecs.systems().empty());
    ecs.add<Position>(ecs.add_entity());
    ecs.update();
}

TEST(Systems, S3_systems_can_be_removed_in_on_remove_of_the_removal_phase) {
    ECS ecs;
    auto& one = ecs.add_system<Plain>(0);
    auto& two = ecs.add_system<Plain>(1);
    Ids removed;
    two.at_remove = [&](Aspect& a) { removed.push_back(a.entity()); };
    one.at_remove = [&](Aspect&) {
        one.at_remove = nullptr;
        ecs.remove_system(two);
    };
    const Ids all = ecs.add_entities(3);
    for (const Entity e : all) ecs.add<Position>(e);
    ecs.remove_entities(std::span(all).first(2));
    ecs.update();
    EXPECT_EQ(removed, all);
    EXPECT_EQ(ecs.systems(), std::vector<SystemBase*>{&one});
}

TEST(Systems, S3_a_system_added_in_on_remove_tracks_the_remaining_entities) {
    ECS ecs;
    auto& spy = ecs.add_system<Plain>(5);
    Recorder* late = nullptr;
    spy.at_remove = [&](Aspect&) { late = &ecs.add_system<Plain>(0); };
    const Ids all = ecs.add_entities(2);
    for (const Entity e : all) ecs.add<Position>(e);
    ecs.remove<Position>(all[0]);
    EXPECT_EQ(late->tracking(), Ids{all[1]});
    EXPECT_TRUE(late->removed.empty());
}

TEST(Systems, S3_a_system_that_removes_itself_in_init_tracks_nothing) {
    ECS ecs;
    ecs.add<Position>(ecs.add_entity());
    ecs.add_system<Plain>(0, [&](Recorder& r) {
        r.at_init = [&] { ecs.remove_system(r); };
        r.at_add = [](Aspect&) { ADD_FAILURE() << "it was removed"; };
    });
    EXPECT_TRUE(ecs.systems().empty());
    ecs.update();
}

TEST(Systems, S3_the_destructor_of_a_system_can_call_the_ecs) {
    struct Last final : System<> {
        explicit Last(int& n) : left(n) { require<Position>(); }
        ~Last() override {
            left = static_cast<int>(ecs().count());
            ecs().add<Position>(ecs().add_entity());
        }
        void update(double, Entities&, DirtySet&) override { ecs().remove_system(*this); }
        int& left;
    };
    ECS ecs;
    int left = -1;
    ecs.add_system<Last>(0, left);
    ecs.add<Position>(ecs.add_entity());
    ecs.update();
    EXPECT_EQ(left, 1);
    EXPECT_EQ(ecs.count(), 2u);
}

TEST(Systems, S4_a_disabled_system_tracks_and_keeps_its_dirty_set_but_is_not_updated) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(0, true);
    const Ids all = ecs.add_entities(2);
    for (const Entity e : all) ecs.add<Position>(e);
    ecs.update();
    ecs.remove<Position>(all[0]);
    EXPECT_EQ(spy.updates, 0);
    EXPECT_EQ(spy.added, all);
    EXPECT_EQ(spy.removed, Ids{all[0]});
    ecs.enable_system(spy);
    ecs.update();
    EXPECT_EQ(spy.dirty_at_update, Ids{all[1]});
}

TEST(Systems, S4_on_enabled_and_on_disabled_are_called_only_if_the_state_changes) {
    ECS ecs;
    std::string log;
    auto& spy = ecs.add_system<Plain>(0);
    ecs.add<Position>(ecs.add_entity());
    spy.at_enabled = [&](Entities<Aspect>& entities) {
        log += "on" + std::to_string(entities.size()) + (spy.enabled() ? " " : "?");
    };
    spy.at_disabled = [&](Entities<Aspect>& entities) {
        log += "off" + std::to_string(entities.size()) + (spy.enabled() ? "?" : " ");
    };
    ecs.enable_system(spy);
    ecs.disable_system(spy);
    ecs.disable_system(spy);
    ecs.toggle_system(spy);
    ecs.enable_system(spy);
    ecs.toggle_system(spy);
    EXPECT_EQ(log, "off1 on1 off1 ");
    EXPECT_FALSE(spy.enabled());
}

TEST(Systems, S4_enabling_and_disabling_within_a_frame_takes_effect_immediately) {
    ECS ecs;
    auto& first = ecs.add_system<Plain>(0);
    auto& off = ecs.add_system<Plain>(1);
    auto& on = ecs.add_system<Plain>(2, true);
    first.at_update = [&](double, auto&, auto&) {
        ecs.disable_system(off);
        ecs.enable_system(on);
    };
    ecs.update();
    EXPECT_EQ(off.updates, 0);
    EXPECT_EQ(on.updates, 1);
}

TEST(Systems, S10_removing_a_system_restores_the_order_of_the_others) {
    struct A final : System<> {
        A() { require<Position>(); }
        void update(double) override {}
        void on_add(Aspect&) override { log->push_back(1); }
        std::vector<int>* log = nullptr;
    };
    struct B final : System<> {
        B() { require<Position>(); }
        void update(double) override {}
        void on_add(Aspect&) override { log->push_back(2); }
        std::vector<int>* log = nullptr;
    };
    struct C final : System<> {
        C() {
            require<Position>();
            before<A>();
            after<B>();
        }
        void update(double) override {}
    };
    ECS ecs;
    std::vector<int> log;
    auto& a = ecs.add_system<A>(0);
    auto& b = ecs.add_system<B>(0);
    a.log = b.log = &log;
    auto& c = ecs.add_system<C>(0);
    EXPECT_EQ(ecs.systems(), (std::vector<SystemBase*>{&b, &c, &a}));
    ecs.add_entity(Position{});
    ecs.remove_system(c);
    EXPECT_EQ(ecs.systems(), (std::vector<SystemBase*>{&a, &b}));
    ecs.add_entity(Position{});
    EXPECT_EQ(log, (std::vector<int>{2, 1, 1, 2}));
}

TEST(Systems, S3_a_system_whose_init_throws_stays_added) {
    using Watching = Spy<Requires<Position>>;
    ECS ecs;
    const Entity e = ecs.add_entity(Position{});
    EXPECT_THROW(
        ecs.add_system<Watching>(0, Recorder::Setup([](Recorder& r) { r.at_init = [] { throw Oops("init"); }; })),
        Oops);
    auto& system = ecs.get_system<Watching>();
    EXPECT_EQ(system.added, Ids{e});
    ecs.update();
    EXPECT_EQ(system.updates, 1);
}

TEST(Systems, S3_a_system_that_is_removed_twice_during_an_update_runs_and_is_removed_at_its_end) {
    ECS ecs;
    auto& first = ecs.add_system<Spy<Requires<Position>>>(0);
    auto& second = ecs.add_system<Spy<Requires<Velocity>>>(1);
    first.at_update = [&](double, auto&, auto&) {
        ecs.remove_system(second);
        EXPECT_NO_THROW(ecs.remove_system(second));
        EXPECT_EQ(&ecs.get_system<Spy<Requires<Velocity>>>(), &second);
        ecs.add_entity(Velocity{});
    };
    int updates = 0;
    second.at_update = [&](double, auto&, auto&) { ++updates; };
    ecs.update();
    EXPECT_EQ(updates, 1);
    EXPECT_EQ(ecs.systems().size(), 1u);
}

TEST(Systems, S12_a_function_can_be_a_system) {
    ECS ecs;
    const Entity e = ecs.add_entity(Position{1, 0});
    std::string order;
    ecs.add_system(2, "Report", [&](ECS&, double) { order += "report "; });
    SystemBase& move = ecs.add_system(1, "Move", [&order](ECS& world, double delta) {
        order += "move ";
        world.each<Position>([&](Position& position) { position.x += static_cast<float>(delta); });
    });
    ecs.update(0.5);
    EXPECT_EQ(order, "move report ");
    EXPECT_EQ(ecs.get<Position>(e).x, 1.5F);
    EXPECT_EQ(&ecs.get_system("Move"), &move);
    ecs.disable_system(move);
    ecs.update(0.5);
    EXPECT_EQ(order, "move report report ");
    ecs.remove_system(move);
    EXPECT_EQ(ecs.systems().size(), 1u);
}

TEST(Systems, S12_a_function_that_is_a_system_has_options) {
    ECS ecs;
    std::string order;
    const auto log = [&order](const char* text) {
        return
            [&order, text](ECS&, double delta) { order += text + std::to_string(static_cast<int>(delta * 100)) + " "; };
    };
    bool open = false;
    ecs.add_system(0, "Last", log("last"), {.after = {"Rare", "First"}});
    ecs.add_system(0, "Rare", log("rare"), {.interval = 0.75, .when = [&](const ECS&) { return open; }});
    ecs.add_system(0, "First", log("first"), {.before = {std::string("Ra") + "re"}, .while_paused = true});
    SystemBase& off = ecs.add_system(0, "Off", log("off"), {.disabled = true});
    ecs.update(0.5);
    ecs.update(0.5);  // the interval allows a run, and the condition does not
    EXPECT_EQ(order, "first50 last50 first50 last50 ");
    order.clear();
    open = true;
    ecs.update(0.5);
    EXPECT_EQ(order, "first50 rare150 last50 ");
    order.clear();
    ecs.set_paused(true);
    ecs.update(0.5);
    EXPECT_EQ(order, "first0 ");
    ecs.set_paused(false);
    order.clear();
    ecs.enable_system(off);
    ecs.update(0.25);
    EXPECT_EQ(order, "first25 last25 off25 ");
    EXPECT_EQ(off.name(), "Off");
}

TEST(Systems, S10_S11_S12_impossible_options_of_a_function_are_errors) {
    ECS ecs;
    const auto nothing = [](ECS&, double) {};
    ecs.add_system(1, "Draw", nothing);
    EXPECT_ERROR(ecs.add_system(0, "Wrong", nothing, {.interval = -1}), ErrorCode::bad_system);
    EXPECT_ERROR(ecs.add_system(0, "Wrong", nothing, {.after = {"Draw"}}), ErrorCode::bad_system);
    EXPECT_EQ(ecs.systems().size(), 1u);
}
