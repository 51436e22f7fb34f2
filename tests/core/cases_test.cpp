// The cases of rules: each combination of what docs/rules.md lists under "Cases". `npm test -- native` fails if one is missing.
#include <array>
#include <functional>
#include <string>
#include <tuple>

#include "world.hpp"

using namespace test;

namespace test::cases {
namespace {

enum class Kind { tag, sparse, linear, owning };
enum class Callbacks { none, on_add, on_remove, both };
enum class Addition { single, bulk, spawn };
enum class Removal { component, components, entity, clear, system };
constexpr std::array KIND_NAMES{"tag", "sparse", "linear", "owning"};
constexpr std::array CALLBACK_NAMES{"none", "on_add", "on_remove", "both"};
constexpr std::array ADDITION_NAMES{"single", "bulk", "spawn"};
constexpr std::array REMOVAL_NAMES{"component", "components", "entity", "clear", "system"};

[[nodiscard]] std::string name_of(Kind k) { return KIND_NAMES[static_cast<std::size_t>(k)]; }
[[nodiscard]] std::string name_of(Callbacks c) { return CALLBACK_NAMES[static_cast<std::size_t>(c)]; }
[[nodiscard]] std::string name_of(Addition a) { return ADDITION_NAMES[static_cast<std::size_t>(a)]; }
[[nodiscard]] std::string name_of(Removal r) { return REMOVAL_NAMES[static_cast<std::size_t>(r)]; }

/// Calls `call.operator()<T>(values…)` with the class of a kind, and its value for a number.
template <class Call>
void with_class(Kind kind, Call&& call) {
    switch (kind) {
        case Kind::tag: return call([](int) { return Tag{}; }, [](const Tag&) { return 7; });
        case Kind::sparse: return call([](int n) { return Health{n}; }, [](const Health& h) { return h.points; });
        case Kind::linear:
            return call([](int n) { return Indexed{static_cast<std::uint32_t>(n)}; },
                        [](const Indexed& i) { return static_cast<int>(i.value); });
        case Kind::owning:
            return call([](int n) { return Name{std::string(40, static_cast<char>('a' + n))}; },
                        [](const Name& name) { return name.text[0] - 'a'; });
    }
}

/// A class beside the one that a case is about.
struct Other {};

/// A system that requires and watches the class T, with some callbacks, which are counted.
template <class T, class Watched = T, class... Excluded>
struct Counting final : SystemBase {
    explicit Counting(Callbacks has) {
        use_<T>(internal::ComponentUse::required);
        use_<Watched>(internal::ComponentUse::watched);
        (use_<Excluded>(internal::ComponentUse::excluded), ...);
        const bool add = has == Callbacks::on_add || has == Callbacks::both;
        set_notifications_(add, has == Callbacks::on_remove || has == Callbacks::both);
    }
    void run_(double) override { at_run = copy(dirty_set().ids()); }
    void notify_add_(Entity) override { ++adds; }
    void notify_remove_(Entity) override {
        ++removes;
        if (at_remove) at_remove();
    }
    void notify_enabled_() override {}
    void notify_disabled_() override {}
    int adds = 0;
    int removes = 0;
    Ids at_run;
    std::function<void()> at_remove;
};

template <class T, class Make>
Ids add_entities(ECS& ecs, Addition addition, const Make& make) {
    Ids list(3);
    if (addition == Addition::spawn) {
        for (Entity& e : list) e = ecs.add_entity(make(7));
        return list;
    }
    ecs.add_entities(list);
    if (addition == Addition::bulk) ecs.add<T>(list, std::span<const T>(std::vector<T>{make(7)}));
    else
        for (const Entity e : list) ecs.add(e, make(7));
    return list;
}

template <class T>
void remove(ECS& ecs, Removal removal, std::span<const Entity> list, SystemBase& system) {
    switch (removal) {
        case Removal::component:
            for (const Entity e : list) ecs.remove<T>(e);
            break;
        case Removal::components: ecs.remove<T>(list); break;
        case Removal::entity:
            ecs.remove_entities(list);
            ecs.remove_marked();
            break;
        case Removal::clear: ecs.clear(); break;
        case Removal::system: ecs.remove_system(system);
    }
}

template <class... Cs>
class Cases : public testing::TestWithParam<std::tuple<Cs...>> {
public:
    static std::string name(const testing::TestParamInfo<std::tuple<Cs...>>& info) {
        return std::apply([](auto first, auto... more) { return (name_of(first) + ... + ("_" + name_of(more))); },
                          info.param);
    }
};
using KindAndRemoval = Cases<Kind, Removal>;
using KindAndAddition = Cases<Kind, Addition>;
class KindAndForm : public KindAndAddition {};
using KindFormAndCallbacks = Cases<Kind, Addition, Callbacks>;
using CallbacksAndRemoval = Cases<Callbacks, Removal>;
using EachCallbacks = Cases<Callbacks>;

const auto kinds = testing::Values(Kind::tag, Kind::sparse, Kind::linear, Kind::owning);
const auto all_callbacks = testing::Values(Callbacks::none, Callbacks::on_add, Callbacks::on_remove, Callbacks::both);
const auto additions = testing::Values(Addition::single, Addition::bulk, Addition::spawn);
const auto forms = testing::Values(Addition::single, Addition::bulk);
const auto removals =
    testing::Values(Removal::component, Removal::components, Removal::entity, Removal::clear, Removal::system);

}  // namespace

INSTANTIATE_TEST_SUITE_P(All, KindAndRemoval, testing::Combine(kinds, removals), KindAndRemoval::name);
INSTANTIATE_TEST_SUITE_P(All, KindAndAddition, testing::Combine(kinds, additions), KindAndAddition::name);
INSTANTIATE_TEST_SUITE_P(All, KindAndForm, testing::Combine(kinds, forms), KindAndForm::name);
INSTANTIATE_TEST_SUITE_P(All, KindFormAndCallbacks, testing::Combine(kinds, forms, all_callbacks),
                         KindFormAndCallbacks::name);
INSTANTIATE_TEST_SUITE_P(All, CallbacksAndRemoval, testing::Combine(all_callbacks, removals),
                         CallbacksAndRemoval::name);
INSTANTIATE_TEST_SUITE_P(All, EachCallbacks, testing::Combine(all_callbacks), EachCallbacks::name);

TEST_P(KindAndRemoval, A2_in_on_remove_the_component_can_be_read) {
    const auto removal = std::get<1>(GetParam());
    with_class(std::get<0>(GetParam()), [&](auto make, auto read) {
        using T = decltype(make(0));
        ECS ecs;
        auto& spy = ecs.add_system<Spy<Requires<T>>>(0);
        std::vector<int> seen;
        spy.at_remove = [&](Aspect& aspect) { seen.push_back(read(aspect.get<T>())); };
        const Ids list = add_entities<T>(ecs, Addition::single, make);
        remove<T>(ecs, removal, list, spy);
        EXPECT_EQ(seen, (std::vector<int>{7, 7, 7}));
    });
}

TEST_P(KindAndRemoval, D6_an_entity_that_stops_being_tracked_is_not_dirty) {
    const auto removal = std::get<1>(GetParam());
    with_class(std::get<0>(GetParam()), [&](auto make, auto) {
        using T = decltype(make(0));
        ECS ecs;
        auto& system = ecs.add_system<Counting<T>>(0, Callbacks::none);
        const Ids list = add_entities<T>(ecs, Addition::single, make);
        ecs.update();
        ecs.dirty<T>(list);
        EXPECT_EQ(system.dirty_set().size(), 3u);
        if (removal == Removal::system) return ecs.remove_system(system);
        remove<T>(ecs, removal, std::span(list).first(2), system);
        EXPECT_EQ(copy(system.dirty_set().ids()), removal == Removal::clear ? Ids{} : Ids{list[2]});
    });
}

TEST_P(KindAndAddition, D5_an_entity_that_becomes_tracked_is_dirty) {
    const auto addition = std::get<1>(GetParam());
    with_class(std::get<0>(GetParam()), [&](auto make, auto) {
        using T = decltype(make(0));
        ECS ecs;
        auto& system = ecs.add_system<Counting<T>>(0, Callbacks::none);
        const Ids list = add_entities<T>(ecs, addition, make);
        ecs.update();
        EXPECT_EQ(system.at_run, list);
    });
}

TEST_P(KindAndForm, C1_replacing_signals_and_calls_nothing) {
    const auto form = std::get<1>(GetParam());
    with_class(std::get<0>(GetParam()), [&](auto make, auto read) {
        using T = decltype(make(0));
        ECS ecs;
        auto& system = ecs.add_system<Counting<T>>(0, Callbacks::both);
        const Ids list = add_entities<T>(ecs, Addition::single, make);
        ecs.update();
        if (form == Addition::bulk) ecs.add<T>(list, std::span<const T>(std::vector<T>{make(8)}));
        else
            for (const Entity e : list) ecs.add(e, make(8));
        ecs.update();
        EXPECT_EQ(system.at_run, list);
        EXPECT_EQ(system.adds, 3);
        EXPECT_EQ(system.removes, 0);
        for (const Entity e : list) EXPECT_EQ(read(ecs.get<T>(e)), read(make(8)));
    });
}

TEST_P(KindFormAndCallbacks, D2_removing_a_watched_component_signals_for_who_still_tracks) {
    const Kind kind = std::get<0>(GetParam());
    const Addition form = std::get<1>(GetParam());
    const Callbacks has = std::get<2>(GetParam());
    const bool adds = has == Callbacks::on_add || has == Callbacks::both;
    with_class(kind, [&](auto make, auto) {
        using T = decltype(make(0));
        ECS ecs;
        auto& system = ecs.add_system<Counting<Other, T>>(0, has);
        const Ids list = add_entities<T>(ecs, Addition::single, make);
        for (const Entity e : list) ecs.add<Other>(e);
        ecs.update();
        const Ids changed{list[0], list[1]};
        remove<T>(ecs, form == Addition::bulk ? Removal::components : Removal::component, changed, system);
        ecs.update();
        EXPECT_EQ(system.at_run, changed);
        EXPECT_EQ(system.tracked().size(), 3u);
        EXPECT_EQ(system.adds, adds ? 3 : 0);
        EXPECT_EQ(system.removes, 0);
    });
}

TEST_P(KindFormAndCallbacks, S9_an_excluded_component_ends_the_tracking_while_it_exists) {
    const Kind kind = std::get<0>(GetParam());
    const Addition form = std::get<1>(GetParam());
    const Callbacks has = std::get<2>(GetParam());
    const bool adds = has == Callbacks::on_add || has == Callbacks::both;
    const bool removes = has == Callbacks::on_remove || has == Callbacks::both;
    with_class(kind, [&](auto make, auto) {
        using T = decltype(make(0));
        ECS ecs;
        auto& system = ecs.add_system<Counting<Other, Other, T>>(0, has);
        Ids list(3);
        for (Entity& e : list) e = ecs.add_entity(Other{});
        ecs.update();
        const Ids changed{list[0], list[1]};
        if (form == Addition::bulk) ecs.add<T>(changed, std::span<const T>(std::vector<T>{make(7)}));
        else
            for (const Entity e : changed) ecs.add(e, make(7));
        EXPECT_EQ(copy(system.tracked().entities()), Ids{list[2]});
        remove<T>(ecs, form == Addition::bulk ? Removal::components : Removal::component, changed, system);
        ecs.update();
        EXPECT_EQ(system.tracked().size(), 3u);
        EXPECT_EQ(system.at_run, changed);
        EXPECT_EQ(system.adds, adds ? 5 : 0);
        EXPECT_EQ(system.removes, removes ? 2 : 0);
    });
}

TEST_P(CallbacksAndRemoval, A3_on_remove_is_called_exactly_once_for_each_entity) {
    const auto has = std::get<0>(GetParam());
    const auto removal = std::get<1>(GetParam());
    ECS ecs;
    auto& system = ecs.add_system<Counting<Health>>(0, has);
    const Ids list = add_entities<Health>(ecs, Addition::single, [](int n) { return Health{n}; });
    const bool adds = has == Callbacks::on_add || has == Callbacks::both;
    const bool removes = has == Callbacks::on_remove || has == Callbacks::both;
    EXPECT_EQ(system.adds, adds ? 3 : 0);
    int removed = 0;
    system.at_remove = [&] { ++removed; };  // the system is destroyed when it is removed
    remove<Health>(ecs, removal, std::span(list).first(2), system);
    const bool all = removal == Removal::clear || removal == Removal::system;
    EXPECT_EQ(removed, !removes ? 0 : all ? 3 : 2);
    if (removal != Removal::system) {
        EXPECT_EQ(system.tracked().size(), all ? 0u : 1u);
    }
    ecs.clear();
    EXPECT_EQ(removed, removes ? 3 : 0);
}

TEST_P(EachCallbacks, E3_the_order_after_removals_does_not_depend_on_callbacks) {
    ECS ecs;
    auto& system = ecs.add_system<Counting<Health>>(0, std::get<0>(GetParam()));
    Ids list;
    for (int n = 0; n < 12; ++n) list.push_back(ecs.add_entity(Health{}, Name{}, Tag{}));
    for (const std::size_t i : {3u, 9u, 1u, 10u, 11u, 2u}) ecs.remove_entity(list[i]);
    ecs.update();
    const Ids expected{list[0], list[8], list[6], list[7], list[4], list[5]};
    EXPECT_EQ(copy(ecs.storage<Health>().entities()), expected);
    EXPECT_EQ(copy(ecs.storage<Name>().entities()), expected);
    EXPECT_EQ(copy(ecs.storage<Tag>().entities()), expected);
    EXPECT_EQ(copy(system.tracked().entities()), expected);
}

TEST_P(EachCallbacks, K1_what_callbacks_create_during_a_clear_is_removed_and_not_tracked) {
    const Callbacks has = std::get<0>(GetParam());
    ECS ecs;
    auto prefab = ecs.prefab(Health{});
    auto& system = ecs.add_system<Counting<Health>>(0, has);
    system.at_remove = [&] {
        if (system.removes > 100) return;
        ecs.add_entity(Health{});
        prefab.spawn();
        prefab.spawn(2);
        ecs.add<Health>(ecs.add_entity());
        ecs.add<Health>(ecs.add_entities(2), std::span<const Health>(std::vector<Health>(1)));
    };
    ecs.add_entity(Health{});
    ecs.clear();
    EXPECT_EQ(system.removes, has == Callbacks::on_remove || has == Callbacks::both ? 1 : 0);
    EXPECT_EQ(ecs.count(), 0u);
    EXPECT_EQ(system.tracked().size(), 0u);
}

}  // namespace test::cases
