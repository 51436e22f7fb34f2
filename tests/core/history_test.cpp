// A history says who changed what, from which value, and which systems had to run because of it (rule D14).
#include "crateful/history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "crateful/changes.hpp"
#include "crateful/rewind.hpp"
#include "crateful/state.hpp"
#include "failing_memory.hpp"
#include "random_model.hpp"
#include "world.hpp"

namespace crateful::test_history {
namespace {

struct Place {
    float x = 0;
    double y = 0;
};
enum class Mood : std::uint8_t { idle, angry };
struct Unit {
    Mood mood = Mood::idle;
    bool awake = false;
    std::int32_t points = 0;
};
struct Body {
    std::array<float, 3> at{};
};
struct Called {
    String name;
};
struct Aim {
    Link target;
};
struct Route {
    std::string text;
    bool operator==(const Route&) const = default;
};
struct Level {
    std::uint16_t value = 0;
};
struct Hidden {
    std::string text;  // not described: nobody else can read it
    bool operator==(const Hidden&) const = default;
};
struct Tag {};

std::vector<std::byte> encode(const Route& route) {
    const auto bytes = std::as_bytes(std::span(route.text));
    return {bytes.begin(), bytes.end()};
}
Route decode(std::span<const std::byte> bytes) {
    return {std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())};
}

void describe_all() {
    describe_component<Place>("history.Place").field("x", &Place::x).field("y", &Place::y);
    describe_component<Unit>("history.Unit")
        .field("mood", &Unit::mood)
        .names({"idle", "angry"})
        .field("awake", &Unit::awake)
        .field("points", &Unit::points);
    describe_component<Body>("history.Body").field("at", &Body::at);
    describe_component<Called>("history.Called").field("name", &Called::name);
    describe_component<Aim>("history.Aim").field("target", &Aim::target);
    describe_component<Route>("history.Route").codec<encode, decode>();
    describe_component<Level>("history.Level").field("value", &Level::value).policy(Policy::linear);
    describe_component<Tag>("history.Tag");
}

/// Watches a class.
template <class T>
struct Watching final : System<> {
    explicit Watching(std::string own_name) : own(std::move(own_name)) {
        require<T>();
        watch<T>();
    }
    [[nodiscard]] std::string name() const override { return own; }
    void update(double) override {}
    std::string own;
};
/// Watches the places of ancestors.
struct Inheriting final : System<> {
    Inheriting() {
        require<Body>();
        watch_ancestors<Place>();
    }
    [[nodiscard]] std::string name() const override { return "Inheriting"; }
    void update(double) override {}
};

/// Changes other components when it starts and stops to track an entity.
struct Answering final : System<> {
    Answering() { require<Unit, Level>(); }
    [[nodiscard]] std::string name() const override { return "Answering"; }
    void on_add(Aspect& aspect) override {
        if (!quiet) ecs().set(aspect.entity(), Level{7});
    }
    void on_remove(Aspect& aspect) override {
        const Entity e = aspect.entity();
        if (!quiet && ecs().has<Place>(e)) ecs().modify<Place>(e, [](Place& place) { place.y += 10; });
    }
    void update(double) override {}
    bool quiet = false;  // while the state is exchanged, callbacks must not change it
};

std::string text_of(const HistoryValue& value) {
    std::ostringstream out;
    std::visit(
        [&]<class T>(const T& is) {
            if constexpr (std::is_same_v<T, std::monostate>) out << "nothing";
            else if constexpr (std::is_same_v<T, bool>) out << (is ? "true" : "false");
            else if constexpr (std::is_same_v<T, double>) out << is;
            else if constexpr (std::is_same_v<T, std::string>) out << '"' << is << '"';
            else if constexpr (std::is_same_v<T, Entity>)
                out << (is == NONE ? "none" : "entity " + std::to_string(index_of(is)));
            else if constexpr (std::is_same_v<T, std::vector<double>>) {
                out << '[';
                for (const double each : is) out << each << ' ';
                out << ']';
            } else if constexpr (std::is_same_v<T, std::vector<std::byte>>) {
                out << "bytes";
                for (const std::byte each : is) out << ' ' << static_cast<int>(each);
            } else {
                out << '{';
                for (const auto& [name, each] : is) out << name << ": " << text_of(each) << "; ";
                out << '}';
            }
        },
        value.is);
    return out.str();
}
std::string text_of(const HistoryEntry& entry) {
    static constexpr std::array KINDS{"added", "removed", "changed", "signaled", "moved"};
    std::string text = (entry.system.empty() ? "-" : entry.system) + " " + KINDS[static_cast<std::size_t>(entry.kind)] +
                       " " + entry.component.substr(entry.component.find('.') + 1);
    if (!entry.field.empty()) text += "." + entry.field;
    if (entry.kind != HistoryKind::added && entry.kind != HistoryKind::signaled) text += " " + text_of(entry.before);
    if (entry.kind != HistoryKind::removed && entry.kind != HistoryKind::signaled)
        text += " -> " + text_of(entry.after);
    if (!entry.notified.empty()) text += " >";
    for (const std::string& each : entry.notified) text += " " + each;
    return text;
}
using Texts = std::vector<std::string>;
Texts texts_of(const std::vector<HistoryEntry>& entries) {
    Texts texts;
    for (const HistoryEntry& each : entries) texts.push_back(text_of(each));
    return texts;
}

struct HistoryTest : testing::Test {
    HistoryTest() { describe_all(); }
    ECS ecs;
    /// What the next run of the system "Acting" does.
    std::function<void(ECS&)> act = [](ECS&) {};
    void add_acting() {
        ecs.add_system(10, "Acting", [this](ECS& of, double) { std::exchange(act, [](ECS&) {})(of); });
    }
    void watch_places() { ecs.add_system<Watching<Place>>(20, "Drawing"); }
};

TEST_F(HistoryTest, D14_an_entry_names_frame_system_field_values_and_who_became_dirty) {
    watch_places();
    add_acting();
    const Entity e = ecs.add_entity(Place{1, 2});
    ecs.update();
    History history(ecs);
    act = [&](ECS& of) { of.modify<Place>(e, [](Place& place) { place.x = 5; }); };
    ecs.update();
    ecs.update();
    const std::vector<HistoryEntry> why = history.why(e);
    ASSERT_EQ(texts_of(why), Texts{"Acting changed Place.x 1 -> 5 > Drawing"});
    EXPECT_EQ(why[0].frame, 2);
    EXPECT_EQ(why[0].entity, e);
    EXPECT_EQ(why[0].at, "");
    EXPECT_EQ(texts_of(history.by_system("Acting")), texts_of(why));
    EXPECT_TRUE(history.by_system("Drawing").empty());
    EXPECT_TRUE(history.by_system("").empty());
}

TEST_F(HistoryTest, D14_a_run_has_one_entry_for_each_field_and_the_newest_run_is_first) {
    watch_places();
    add_acting();
    const Entity e = ecs.add_entity(Place{});
    History history(ecs);
    for (int k = 1; k <= 2; ++k) {
        act = [&, k](ECS& of) {
            for (int n = 0; n < 3; ++n)
                of.modify<Place>(e, [&](Place& place) { place = {place.x + 1, place.y + static_cast<float>(k)}; });
        };
        ecs.update();
    }
    EXPECT_EQ(texts_of(history.why(e)),
              (Texts{"Acting changed Place.x 3 -> 6 > Drawing", "Acting changed Place.y 3 -> 9 > Drawing",
                     "Acting changed Place.x 0 -> 3 > Drawing", "Acting changed Place.y 0 -> 3 > Drawing"}));
}

TEST_F(HistoryTest, D14_what_is_changed_outside_of_systems_belongs_to_the_next_update_and_has_no_system) {
    watch_places();
    add_acting();
    const Entity e = ecs.add_entity(Place{});
    History history(ecs);
    ecs.set(e, Place{1, 0});
    EXPECT_EQ(texts_of(history.why(e)), Texts{"- changed Place.x 0 -> 1 > Drawing"});
    EXPECT_EQ(history.why(e)[0].frame, 1);
    ecs.events.subscribe<int>([&](int x) { ecs.set(e, Place{static_cast<float>(x), 0}); });
    ecs.events.dispatch(2, 0.001);
    act = [&](ECS& of) { of.set(e, Place{3, 0}); };
    ecs.update();
    ecs.set(e, Place{4, 0});
    ecs.update();
    EXPECT_EQ(texts_of(history.why(e)),
              (Texts{"- changed Place.x 3 -> 4 > Drawing", "Acting changed Place.x 2 -> 3 > Drawing",
                     "- changed Place.x 1 -> 2 > Drawing", "- changed Place.x 0 -> 1 > Drawing"}));
    EXPECT_EQ(history.why(e)[0].frame, 2);
    EXPECT_EQ(history.by_system("").size(), 3u);
}

TEST_F(HistoryTest, D14_a_class_that_no_system_watches_is_recorded_if_the_history_watches_it) {
    add_acting();
    watch_places();
    const Entity e = ecs.add_entity(Level{1});
    History history(ecs);
    ecs.set(e, Level{2});
    history.watch<Level>();
    ecs.set(e, Level{3});
    EXPECT_EQ(texts_of(history.why(e)), Texts{"- changed Level.value 2 -> 3"});
    act = [&](ECS& of) {
        history.watch<Unit>();
        of.modify<Level>(e, [](Level& level) { level.value = 4; });
        of.add(e, Unit{});
    };
    ecs.update();
    act = [&](ECS& of) { of.modify<Unit>(e, [](Unit& unit) { unit.points = 7; }); };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(e)), (Texts{"Acting changed Unit.points 0 -> 7", "Acting changed Level.value 3 -> 4",
                                               "Acting added Unit -> {mood: \"idle\"; awake: false; points: 0; }",
                                               "- changed Level.value 2 -> 3"}));
    auto other = std::make_unique<ECS>();
    History ended(*other);
    other.reset();
    EXPECT_NO_THROW(ended.watch<Level>());
}

TEST_F(HistoryTest, D14_a_handler_called_in_a_system_belongs_to_it_and_a_replica_to_none) {
    add_acting();
    const Entity e = ecs.add_entity(Place{});
    ecs.events.subscribe<int>([&](int x) { ecs.set(e, Place{static_cast<float>(x), 0}); });

    ECS copy;
    copy.add_system<Watching<Place>>(20, "Drawing");
    Changes changes(ecs);
    Receiver receiver = changes.receiver();
    Replica replica(copy);
    replica.apply(receiver.take());
    copy.update();
    watch_places();
    ecs.update();
    History history(ecs);
    History copied(copy);
    act = [](ECS& of) { of.events.dispatch(5); };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(e)), Texts{"Acting changed Place.x 0 -> 5 > Drawing"});
    replica.apply(receiver.take());
    const Entity local = replica.entity(e);
    EXPECT_EQ(texts_of(copied.why(local)), Texts{"- changed Place.x 0 -> 5 > Drawing"});
}

TEST_F(HistoryTest, D14_added_and_removed_components_have_all_their_fields) {
    watch_places();
    add_acting();
    const Entity e = ecs.add_entity();
    History history(ecs);
    act = [&](ECS& of) { of.add(e, Place{1, 2}); };
    ecs.update();
    act = [&](ECS& of) { of.add(e, Place{1, 3}); };
    ecs.update();
    act = [&](ECS& of) { of.remove<Place>(e); };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(e)),
              (Texts{"Acting removed Place {x: 1; y: 3; }", "Acting changed Place.y 2 -> 3 > Drawing",
                     "Acting added Place -> {x: 1; y: 2; } > Drawing"}));
}

TEST_F(HistoryTest, D14_an_entity_is_removed_by_the_system_that_marked_it_with_what_is_below_it) {
    watch_places();
    add_acting();
    const Entity parent = ecs.add_entity(Place{1, 0});
    const Entity child = ecs.add_entity(Place{2, 0});
    ecs.set_parent(child, parent);
    const Entity other = ecs.add_entity(Place{3, 0});
    const Entity grandchild = ecs.add_entity(Place{5, 0});
    ecs.set_parent(grandchild, child);
    ecs.update();
    History history(ecs);
    act = [&](ECS& of) { of.remove_entity(parent); };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(parent)), Texts{"Acting removed Place {x: 1; y: 0; }"});
    EXPECT_EQ(history.why(parent)[0].frame, 2);
    EXPECT_EQ(texts_of(history.why(child)),
              (Texts{"Acting moved Parent entity 1 -> nothing", "Acting removed Place {x: 2; y: 0; }"}));
    EXPECT_EQ(texts_of(history.why(grandchild)),
              (Texts{"Acting moved Parent entity 2 -> nothing", "Acting removed Place {x: 5; y: 0; }"}));
    EXPECT_EQ(history.by_system("Acting").size(), 5u);
    ecs.remove_entity(other);
    ecs.update();
    EXPECT_EQ(texts_of(history.why(other)), Texts{"- removed Place {x: 3; y: 0; }"});
    const Entity again = ecs.add_entity(Place{4, 0});  // with an index that was used before
    EXPECT_EQ(texts_of(history.why(again)), Texts{"- added Place -> {x: 4; y: 0; } > Drawing"});
    EXPECT_EQ(history.why(other).size(), 1u);
}

TEST_F(HistoryTest, D14_who_marked_an_entity_is_known_after_an_update_that_threw) {
    watch_places();
    add_acting();
    const Entity first = ecs.add_entity(Place{1, 0});
    const Entity second = ecs.add_entity(Place{2, 0});
    ecs.update();
    History history(ecs);
    act = [&](ECS& of) {
        of.remove_entity(first);
        throw std::runtime_error("as wanted");
    };
    EXPECT_THROW(ecs.update(), std::runtime_error);
    ecs.remove_marked();
    EXPECT_EQ(texts_of(history.why(first)), Texts{"Acting removed Place {x: 1; y: 0; }"});
    act = [&](ECS& of) { of.remove_entity(second); };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(second)), Texts{"Acting removed Place {x: 2; y: 0; }"});
}

TEST_F(HistoryTest, D14_what_happens_to_a_marked_entity_before_it_is_removed_has_its_own_system) {
    watch_places();
    add_acting();
    const Entity e = ecs.add_entity(Place{1, 0}, Tag{});
    ecs.update();
    History history(ecs);
    act = [&](ECS& of) {
        of.remove_entity(e);
        throw std::runtime_error("as wanted");
    };
    EXPECT_THROW(ecs.update(), std::runtime_error);
    ecs.set(e, Place{2, 0});
    ecs.remove<Tag>(e);
    ecs.update();
    Texts found = texts_of(history.why(e));
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found,
              (Texts{"- changed Place.x 1 -> 2 > Drawing", "- removed Tag {}", "Acting removed Place {x: 2; y: 0; }"}));
}

TEST_F(HistoryTest, D14_each_of_several_marks_has_its_own_system) {
    add_acting();
    const Entity parent = ecs.add_entity(Place{1, 0}), child = ecs.add_entity(Place{2, 0});
    ecs.set_parent(child, parent);
    ecs.update();
    History history(ecs);
    ecs.remove_entity(child);
    act = [&](ECS& of) { of.remove_entity(parent); };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(child)).back(), "- removed Place {}");
    EXPECT_EQ(texts_of(history.why(parent)), Texts{"Acting removed Place {}"});
}

TEST_F(HistoryTest, D14_marks_after_clear_have_their_own_system) {
    add_acting();
    ecs.add_system(5, "Earlier", [first = true](ECS& of, double) mutable {
        if (std::exchange(first, false)) of.remove_entity(Entity{1});
    });
    static_cast<void>(ecs.add_entity(Place{1, 0}));
    History history(ecs);
    Entity e = NONE;
    act = [&](ECS& of) {
        of.clear();
        e = of.add_entity(Place{2, 0});
        of.remove_entity(e);
    };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(e)), (Texts{"Acting removed Place {}", "Acting added Place -> {}"}));
}

TEST_F(HistoryTest, D14_a_system_that_runs_alone_has_changed_only_what_it_has) {
    watch_places();
    SystemBase& acting = ecs.add_system(10, "Acting", [this](ECS& of, double) { std::exchange(act, [](ECS&) {})(of); });
    const Entity e = ecs.add_entity(Place{1, 0});
    ecs.update();
    History history(ecs);
    ecs.set(e, Place{2, 0});
    act = [&](ECS& of) { of.set(e, Place{3, 0}); };
    ecs.run(acting, 0.1);
    EXPECT_EQ(texts_of(history.why(e)),
              (Texts{"Acting changed Place.x 2 -> 3 > Drawing", "- changed Place.x 1 -> 2 > Drawing"}));
}

TEST_F(HistoryTest, D14_components_that_only_move_in_their_storage_have_no_entry) {
    watch_places();
    add_acting();
    std::vector<Entity> all;
    for (int k = 0; k < 5; ++k) all.push_back(ecs.add_entity(Place{static_cast<float>(k), 0}));
    History history(ecs);
    act = [&](ECS& of) { of.remove<Place>(all[0]); };
    ecs.update();
    EXPECT_TRUE(history.why(all[4]).empty());
    act = [&](ECS& of) {
        of.remove<Place>(all[1]);
        of.modify<Place>(all[3], [](Place& place) { place.y = 7; });
    };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(all[3])), Texts{"Acting changed Place.y 0 -> 7 > Drawing"});
    ecs.sort<Place>([](const Place& a, const Place& b) { return a.x > b.x; });
    ecs.update();
    EXPECT_EQ(history.why(all[3]).size(), 1u);
}

TEST_F(HistoryTest, D14_a_signal_of_a_component_that_moves_in_its_storage_is_kept) {
    watch_places();
    ecs.add_system<Watching<Hidden>>(20, "Hidden");
    add_acting();
    std::vector<Entity> all;
    for (int k = 0; k < 5; ++k) all.push_back(ecs.add_entity(Place{static_cast<float>(k), 0}, Hidden{}));
    ecs.update();
    const auto sort = [&](ECS& of) { of.sort<Place>([](const Place& a, const Place& b) { return a.x > b.x; }); };
    const auto signal = [&](ECS& of) { of.dirty<Place>(all[4]); };
    const std::vector<std::function<void(ECS&)>> acts{
        [&](ECS& of) { signal(of), sort(of); },
        [&](ECS& of) { sort(of), signal(of); },
        [&](ECS& of) { of.remove<Place>(all[0]), signal(of); },
        [&](ECS& of) { signal(of), of.remove<Place>(all[1]); },
    };
    for (const auto& each : acts) {
        History history(ecs);
        act = each;
        ecs.update();
        EXPECT_EQ(texts_of(history.why(all[4])), Texts{"Acting signaled Place > Drawing"});
    }
    History history(ecs);
    act = [&](ECS& of) {
        of.dirty<Hidden>(all[4]);
        of.remove<Hidden>(all[2]);
    };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(all[4])), Texts{"Acting signaled Hidden > Hidden"});
    // A component of the world is moved by `clear`.
    ecs.add(ECS::world(), Place{1, 1});
    ecs.update();
    ecs.dirty<Place>(ECS::world());
    ecs.clear();
    EXPECT_EQ(texts_of(history.why(ECS::world())).front(), "- signaled Place > Drawing");
}

TEST_F(HistoryTest, D14_what_was_written_without_a_signal_is_found_with_the_next_one) {
    watch_places();
    add_acting();
    std::vector<Entity> all;
    for (int k = 0; k < 5; ++k) all.push_back(ecs.add_entity(Place{static_cast<float>(k), std::nanf("")}));
    History history(ecs);
    ecs.storage<Place>().at(ecs.storage<Place>().slot(all[4])).x = 44;
    for (const auto& moves : std::vector<std::function<void(ECS&)>>{
             [&](ECS& of) { of.remove<Place>(all[0]); },
             [&](ECS& of) { of.sort<Place>([](const Place& a, const Place& b) { return a.x > b.x; }); },
             [&](ECS& of) { of.sort<Place>([](const Place& a, const Place& b) { return a.x < b.x; }); }}) {
        act = moves;
        ecs.update();
        EXPECT_TRUE(history.why(all[4]).empty());
        EXPECT_TRUE(history.why(all[3]).empty());
    }
    act = [&](ECS& of) { of.dirty<Place>(all[4]); };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(all[4])), Texts{"Acting changed Place.x 4 -> 44 > Drawing"});
}

TEST_F(HistoryTest, D14_going_back_and_restoring_are_no_signals) {
    watch_places();
    const Entity e = ecs.add_entity(Place{1, 0}), other = ecs.add_entity(Place{1, 0});
    ecs.update();
    Rewind rewind(ecs);
    const std::vector<std::byte> saved = snapshot(ecs);
    const double frame = ecs.clock().frame();
    ecs.update();
    History history(ecs);
    for (const bool restores : {false, true}) {
        ecs.set(e, Place{2, 0});
        ecs.update();
        if (restores) restore(ecs, saved);
        else rewind.to(frame);
        EXPECT_EQ(texts_of(history.why(e)).front(), "- changed Place.x 2 -> 1 > Drawing");
        EXPECT_TRUE(history.why(other).empty());
        ecs.dirty<Place>(other);
        EXPECT_EQ(texts_of(history.why(other)), Texts{"- signaled Place > Drawing"});
        history = History(ecs);
    }
}

TEST_F(HistoryTest, D14_after_going_back_and_restoring_no_system_has_marked_an_entity) {
    add_acting();
    const Entity e = ecs.add_entity(Place{1, 0});
    ecs.update();
    Rewind rewind(ecs);
    const std::vector<std::byte> saved = snapshot(ecs);
    for (const bool restores : {false, true}) {
        restore(ecs, saved);
        ecs.update();
        History history(ecs);
        act = [&](ECS& of) {
            of.remove_entity(e);
            throw std::runtime_error("as wanted");  // so that the mark waits
        };
        EXPECT_THROW(ecs.update(), std::runtime_error);
        if (restores) restore(ecs, saved);
        else rewind.to(rewind.newest());
        ASSERT_TRUE(ecs.alive(e));
        ecs.remove_entity(e);
        ecs.update();
        EXPECT_EQ(texts_of(history.why(e)).front(), "- removed Place {}") << restores;
    }
}

TEST_F(HistoryTest, D14_another_parent_is_one_entry_also_if_parents_are_watched) {
    ecs.add_system<Watching<Parent>>(20, "Parents");
    const Entity p = ecs.add_entity(), q = ecs.add_entity(), e = ecs.add_entity(), sibling = ecs.add_entity();
    ecs.set_parent(e, p);
    ecs.set_parent(sibling, p);
    ecs.update();
    History history(ecs);
    ecs.set_parent(e, p);  // only its position among the children
    EXPECT_TRUE(history.why(e).empty());
    ecs.set_parent(e, q);
    EXPECT_EQ(texts_of(history.why(e)), Texts{"- moved Parent entity 1 -> entity 2 > Parents"});
}

/// Tracks places with a tag or a level, or without a hidden one.
template <bool accepts>
struct Filtering final : System<> {
    Filtering() {
        if constexpr (accepts) require<Place>(any<Tag, Level>);
        else require<Place>(exclude<Hidden>);
        watch<Place>();
    }
    [[nodiscard]] std::string name() const override { return accepts ? "Accepting" : "Excluding"; }
    void update(double, Entities&, Dirty& dirty) override {
        for (const Entity e : dirty) static_cast<void>(e), std::exchange(act, [] {})();
    }
    std::function<void()> act = [] {};
};

TEST_F(HistoryTest, D14_filters_decide_which_systems_start_to_track_the_entity) {
    auto& accepting = ecs.add_system<Filtering<true>>(20);
    ecs.add_system<Filtering<false>>(21);
    add_acting();
    const Entity e = ecs.add_entity(Place{}, Hidden{}), other = ecs.add_entity(Place{}, Tag{});
    ecs.update();
    History history(ecs);
    act = [&](ECS& of) { of.remove<Hidden>(e); };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(e)).front(),
              "Acting removed " + registry::type(component_id<Hidden>()).name + " {} > Excluding");
    act = [&](ECS& of) {
        of.dirty<Place>(other);
        of.add(other, Level{});
    };
    ecs.update();
    Texts found = texts_of(history.why(other));
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, (Texts{"Acting added Level -> {}", "Acting signaled Place > Accepting Excluding"}));
    ecs.dirty<Place>(other);
    accepting.act = [&] { ecs.add(e, Tag{}); };  // and visits it then
    ecs.update();
    EXPECT_EQ(texts_of(history.why(e)).front(), "Accepting added Tag -> {} > Accepting");
}

/// Watches parents, or parents of ancestors, and a class of ancestors.
template <bool ancestors>
struct Following final : System<> {
    Following() {
        require<Place>();
        if constexpr (ancestors) watch_ancestors<Parent>();
        else watch<Parent>();
        watch_ancestors<Unit>();
    }
    [[nodiscard]] std::string name() const override { return ancestors ? "Above" : "Own"; }
    void update(double) override {}
};

TEST_F(HistoryTest, D14_systems_that_watch_from_ancestors_become_dirty_by_another_parent) {
    ecs.add_system<Following<false>>(20);
    ecs.add_system<Following<true>>(21);
    const Entity p = ecs.add_entity(), q = ecs.add_entity(), e = ecs.add_entity(), child = ecs.add_entity(Place{});
    const Entity tracked = ecs.add_entity(Place{});
    ecs.set_parent(e, p);
    ecs.set_parent(tracked, p);
    ecs.set_parent(child, e);
    ecs.update();
    for (const Entity each : {e, tracked}) {
        History history(ecs);
        ecs.set_parent(each, q);
        ecs.update();
        EXPECT_EQ(texts_of(history.why(each)), Texts{"- moved Parent entity 1 -> entity 2 > Own Above"});
    }
}

/// Watches another class than those that it requires, or one of them from ancestors only.
template <class Watched, bool ancestors>
struct Starting final : System<> {
    Starting() {
        require<Place, Unit>();
        if constexpr (ancestors) watch_ancestors<Watched>();
        else watch<Watched>();
    }
    [[nodiscard]] std::string name() const override { return ancestors ? "Inheriting" : "Starting"; }
    void update(double) override {}
};

TEST_F(HistoryTest, D14_systems_that_start_to_track_the_entity_become_dirty) {
    ecs.add_system<Starting<Unit, false>>(20);
    ecs.add_system<Starting<Place, true>>(21);
    add_acting();
    const Entity e = ecs.add_entity(Unit{});
    ecs.update();
    History history(ecs);
    act = [&](ECS& of) { of.add(e, Place{1, 0}); };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(e)), Texts{"Acting added Place -> {x: 1; y: 0; } > Inheriting Starting"});
    act = [&](ECS& of) {
        of.remove<Place>(e);
        of.add(e, Place{1, 0});
    };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(e)).front(), "Acting signaled Place > Inheriting Starting");
}

TEST_F(HistoryTest, D14_of_a_class_that_nobody_watches_only_what_is_added_and_removed) {
    add_acting();
    const Entity e = ecs.add_entity(Place{1, 0});
    History history(ecs);
    act = [&](ECS& of) { of.modify<Place>(e, [](Place& place) { place.x = 2; }); };
    ecs.update();
    EXPECT_TRUE(history.why(e).empty());
    act = [&](ECS& of) {
        of.remove<Place>(e);
        of.add(e, Unit{});
    };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(e)), (Texts{"Acting removed Place {}", "Acting added Unit -> {}"}));
}

TEST_F(HistoryTest, D14_values_are_recorded_from_when_a_system_watches_the_class) {
    add_acting();
    const Entity e = ecs.add_entity(Place{1, 0});
    History history(ecs);
    ecs.update();
    auto& drawing = ecs.add_system<Watching<Place>>(20, "Drawing");
    act = [&](ECS& of) { of.modify<Place>(e, [](Place& place) { place.x = 2; }); };
    ecs.update();
    act = [&](ECS& of) { of.modify<Place>(e, [](Place& place) { place.x = 3; }); };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(e)),
              (Texts{"Acting changed Place.x 2 -> 3 > Drawing", "Acting changed Place.x 1 -> 2 > Drawing"}));
    ecs.remove_system(drawing);
    act = [&](ECS& of) { of.modify<Place>(e, [](Place& place) { place.x = 4; }); };
    ecs.update();
    EXPECT_EQ(history.why(e).size(), 2u);  // and the name of the system that was removed is still known
}

TEST_F(HistoryTest, D14_a_class_that_becomes_watched_while_a_system_runs_has_no_entries_without_values) {
    add_acting();
    const Entity e = ecs.add_entity(Place{1, 0});
    History history(ecs);
    ecs.update();
    act = [&](ECS& of) {
        history.watch<Place>();
        of.set(e, Place{2, 0});  // the value before is not known
    };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(e)), Texts{});
    act = [&](ECS& of) { of.set(e, Place{3, 0}); };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(e)), Texts{"Acting changed Place.x 2 -> 3"});
}

TEST_F(HistoryTest, D14_a_signal_without_another_value_says_who_had_to_run) {
    watch_places();
    add_acting();
    const Entity e = ecs.add_entity(Place{1, 0});
    ecs.update();
    History history(ecs);
    act = [&](ECS& of) { of.dirty<Place>(e); };
    ecs.update();
    act = [&](ECS& of) {
        of.modify<Place>(e, [](Place& place) { place.x = 2; });
        of.modify<Place>(e, [](Place& place) { place.x = 1; });
    };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(e)), (Texts{"Acting signaled Place > Drawing", "Acting signaled Place > Drawing"}));
}

TEST_F(HistoryTest, D14_another_parent_makes_those_dirty_that_watch_ancestors) {
    ecs.add_system<Inheriting>(30);
    add_acting();
    const Entity a = ecs.add_entity(Place{1, 0});
    const Entity b = ecs.add_entity(Place{2, 0});
    const Entity leaf = ecs.add_entity(Body{});
    ecs.update();
    History history(ecs);
    act = [&](ECS& of) { of.set_parent(leaf, a); };
    ecs.update();
    act = [&](ECS& of) { of.set_parent(leaf, b); };
    ecs.update();
    act = [&](ECS& of) { of.modify<Place>(b, [](Place& place) { place.x = 9; }); };
    ecs.update();
    act = [&](ECS& of) { of.modify<Place>(a, [](Place& place) { place.x = 9; }); };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(leaf)), (Texts{"Acting moved Parent entity 1 -> entity 2 > Inheriting",
                                                  "Acting moved Parent nothing -> entity 1 > Inheriting"}));
    EXPECT_EQ(texts_of(history.why(b)), Texts{"Acting changed Place.x 2 -> 9 > Inheriting"});
    EXPECT_EQ(texts_of(history.why(a)), Texts{"Acting changed Place.x 1 -> 9"});
}

TEST_F(HistoryTest, D14_adding_and_removing_what_is_read_from_parents_makes_those_dirty_that_read_it) {
    struct Reader final : System<> {
        Reader() {
            require<Body>(parent<Place>);
            watch_ancestors<Tag>();
        }
        [[nodiscard]] std::string name() const override { return "Reader"; }
        void update(double) override {}
    };
    ecs.add_system<Reader>(30);
    watch_places();
    add_acting();
    const Entity above = ecs.add_entity(Body{});
    const Entity leaf = ecs.add_entity(Body{});
    const Entity single = ecs.add_entity(Body{});
    ecs.set_parent(leaf, above);
    ecs.update();
    History history(ecs);
    act = [&](ECS& of) {
        for (const Entity each : {above, single}) of.add(each, Place{1, 0});
    };
    ecs.update();
    act = [&](ECS& of) { of.modify<Place>(above, [](Place& place) { place.x = 2; }); };
    ecs.update();
    act = [&](ECS& of) { of.remove<Place>(above); };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(above)),
              (Texts{"Acting removed Place {x: 2; y: 0; } > Reader", "Acting changed Place.x 1 -> 2 > Drawing",
                     "Acting added Place -> {x: 1; y: 0; } > Drawing Reader"}));
    EXPECT_EQ(texts_of(history.why(single)), Texts{"Acting added Place -> {x: 1; y: 0; } > Drawing"});
}

TEST_F(HistoryTest, D14_only_systems_that_track_the_entity_become_dirty) {
    struct Both final : System<> {
        Both() {
            require<Place, Tag>();
            watch<Place>();
        }
        [[nodiscard]] std::string name() const override { return "Both"; }
        void update(double) override {}
    };
    watch_places();
    ecs.add_system<Both>(30);
    add_acting();
    const Entity e = ecs.add_entity(Place{1, 0});
    const Entity tagged = ecs.add_entity(Place{1, 0}, Tag{});
    ecs.update();
    History history(ecs);
    act = [&](ECS& of) {
        for (const Entity each : {e, tagged}) of.modify<Place>(each, [](Place& place) { place.x = 2; });
    };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(e)), Texts{"Acting changed Place.x 1 -> 2 > Drawing"});
    EXPECT_EQ(texts_of(history.why(tagged)), Texts{"Acting changed Place.x 1 -> 2 > Drawing Both"});
    act = [&](ECS& of) { of.add(e, Tag{}); };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(e)).front(), "Acting added Tag -> {} > Both");
}

TEST_F(HistoryTest, D14_values_of_all_kinds) {
    ecs.add_system<Watching<Unit>>(20, "Units");
    ecs.add_system<Watching<Body>>(20, "Bodies");
    ecs.add_system<Watching<Called>>(20, "Names");
    ecs.add_system<Watching<Aim>>(20, "Aims");
    ecs.add_system<Watching<Route>>(20, "Routes");
    ecs.add_system<Watching<Level>>(20, "Levels");
    ecs.add_system<Watching<Hidden>>(20, "Hidden");
    add_acting();
    const Entity e = ecs.add_entity(Unit{}, Body{}, Called{ecs.string("a")}, Aim{}, Route{"a"}, Level{}, Hidden{});
    History history(ecs);
    act = [&](ECS& of) {
        of.set(e, Unit{Mood::angry, true, -3});
        of.set(e, Body{{1, 2, 3}});
        of.set(e, Called{of.string("b")});
        of.set(e, Aim{{e}});
        of.set(e, Route{"b"});
        of.set(e, Level{65535});
        of.set(e, Hidden{"b"});
    };
    ecs.update();
    Texts found = texts_of(history.why(e));
    std::sort(found.begin(), found.end());
    EXPECT_EQ(
        found,
        (Texts{"Acting changed Aim.target none -> entity 1 > Aims",
               "Acting changed Body.at [0 0 0 ] -> [1 2 3 ] > Bodies",
               "Acting changed Called.name \"a\" -> \"b\" > Names", "Acting changed Level.value 0 -> 65535 > Levels",
               "Acting changed Route bytes 97 -> bytes 98 > Routes", "Acting changed Unit.awake false -> true > Units",
               "Acting changed Unit.mood \"idle\" -> \"angry\" > Units", "Acting changed Unit.points 0 -> -3 > Units",
               "Acting signaled " + registry::type(component_id<Hidden>()).name + " > Hidden"}));
}

TEST_F(HistoryTest, D14_old_texts_stay_readable) {
    ecs.add_system<Watching<Called>>(20, "Names");
    add_acting();
    const Entity e = ecs.add_entity(Called{ecs.string("first")});
    History history(ecs);
    Rewind rewind(ecs);  // several users of strings
    ecs.by_id().strings().slack(0);
    for (int k = 0; k < 50; ++k) {
        act = [&](ECS& of) { of.set(e, Called{of.string("text " + std::to_string(k))}); };
        ecs.update();
    }
    const Texts found = texts_of(history.why(e));
    ASSERT_EQ(found.size(), 50u);
    EXPECT_EQ(found.back(), "Acting changed Called.name \"first\" -> \"text 0\" > Names");
    EXPECT_EQ(found[10], "Acting changed Called.name \"text 38\" -> \"text 39\" > Names");
}

TEST_F(HistoryTest, D14_strings_of_no_copy_are_freed_although_several_record) {
    ecs.add_system<Watching<Called>>(20, "Names");
    add_acting();
    const Entity e = ecs.add_entity(Called{ecs.string("first")});
    History history(ecs, {.bytes = 2000});
    Rewind first(ecs, {.bytes = 2000});
    Rewind second(ecs, {.bytes = 2000});
    internal::Strings& strings = ecs.by_id().strings();
    strings.slack(0);
    for (int k = 0; k < 500; ++k) {
        act = [&](ECS& of) { of.set(e, Called{of.string("text " + std::to_string(k))}); };
        ecs.update();
    }
    EXPECT_LT(strings.end(), 100u);  // numbers are used again
}

TEST_F(HistoryTest, D14_the_ring_is_limited_in_bytes) {
    watch_places();
    add_acting();
    const Entity e = ecs.add_entity(Place{});
    History history(ecs, {.bytes = 3000});
    for (int k = 0; k < 1000; ++k) {
        act = [&](ECS& of) { of.set(e, Place{static_cast<float>(k + 1), 0}); };
        ecs.update();
    }
    const Texts found = texts_of(history.why(e));
    EXPECT_GT(found.size(), 5u);
    EXPECT_LT(found.size(), 100u);
    EXPECT_EQ(found.front(), "Acting changed Place.x 999 -> 1000 > Drawing");
    History none(ecs, {.bytes = 0});
    act = [&](ECS& of) { of.set(e, Place{}); };
    ecs.update();
    EXPECT_TRUE(none.why(e).empty());
}

TEST_F(HistoryTest, D14_it_survives_rewinding_and_restoring) {
    watch_places();
    add_acting();
    const Entity e = ecs.add_entity(Place{1, 0});
    const Entity other = ecs.add_entity(Place{1, 0});
    History history(ecs);
    Rewind rewind(ecs);
    ecs.update();
    const std::vector<std::byte> saved = snapshot(ecs);
    act = [&](ECS& of) {
        of.set(e, Place{2, 0});
        of.remove_entity(other);
    };
    ecs.update();
    rewind.to(1);
    EXPECT_EQ(texts_of(history.why(e)),
              (Texts{"- changed Place.x 2 -> 1 > Drawing", "Acting changed Place.x 1 -> 2 > Drawing"}));
    EXPECT_EQ(texts_of(history.why(other)),
              (Texts{"- added Place -> {x: 1; y: 0; } > Drawing", "Acting removed Place {x: 1; y: 0; }"}));
    act = [&](ECS& of) { of.set(e, Place{3, 0}); };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(e)).front(), "Acting changed Place.x 1 -> 3 > Drawing");
    restore(ecs, saved);
    EXPECT_EQ(texts_of(history.why(e)).front(), "- changed Place.x 3 -> 1 > Drawing");
    act = [&](ECS& of) { of.set(other, Place{8, 0}); };
    ecs.update();
    EXPECT_EQ(texts_of(history.why(other)).front(), "Acting changed Place.x 1 -> 8 > Drawing");
}

TEST_F(HistoryTest, D14_what_a_system_changed_before_it_threw_is_recorded) {
    watch_places();
    add_acting();
    const Entity e = ecs.add_entity(Place{});
    History history(ecs);
    act = [&](ECS& of) {
        of.set(e, Place{1, 0});
        throw std::runtime_error("as wanted");
    };
    EXPECT_THROW(ecs.update(), std::runtime_error);
    EXPECT_EQ(texts_of(history.why(e)), Texts{"Acting changed Place.x 0 -> 1 > Drawing"});
}

TEST_F(HistoryTest, D14_several_record_independently_and_end_before_and_after_the_ecs) {
    auto world = std::make_unique<ECS>();
    world->add_system<Watching<Place>>(20, "Drawing");
    const Entity e = world->add_entity(Place{});
    auto first = std::make_unique<History>(*world);
    world->set(e, Place{1, 0});
    world->update();
    History second(*world);
    world->set(e, Place{2, 0});
    world->update();
    EXPECT_EQ(first->why(e).size(), 2u);
    EXPECT_EQ(second.why(e).size(), 1u);
    first.reset();
    world->set(e, Place{3, 0});
    world->update();
    History moved = std::move(second);
    EXPECT_EQ(moved.why(e).size(), 2u);
    world.reset();
}

TEST_F(HistoryTest, D14_it_begins_outside_of_updates_and_answers_also_inside) {
    watch_places();
    add_acting();
    const Entity e = ecs.add_entity(Place{});
    History history(ecs);
    std::size_t inside = 0;
    act = [&](ECS& of) {
        of.set(e, Place{1, 0});
        EXPECT_ERROR(History(of), ErrorCode::reentrant_update);
        inside = history.why(e).size();  // without what has not ended
    };
    ecs.update();
    EXPECT_EQ(inside, 0u);
    EXPECT_EQ(history.why(e).size(), 1u);
}

TEST_F(HistoryTest, D14_when_memory_was_missing_it_begins_again) {
    watch_places();
    add_acting();
    const Entity e = ecs.add_entity(Place{});
    History history(ecs);
    for (int allowed = 0; allowed < 12; ++allowed) {
        const float x = static_cast<float>(allowed + 1);
        ecs.modify<Place>(e, [&](Place& place) { place.x = x; });
        test::allocations_left = allowed;
        try {
            ecs.update();
        } catch (const std::bad_alloc&) {
        }
        test::allocations_left = -1;
        ecs.update();
        act = [&](ECS& of) { of.modify<Place>(e, [](Place& place) { place.y += 1; }); };
        ecs.update();
        const Texts found = texts_of(history.why(e));
        ASSERT_FALSE(found.empty());
        ASSERT_EQ(found.front(), "Acting changed Place.y " + std::to_string(allowed) + " -> " +
                                     std::to_string(allowed + 1) + " > Drawing");
    }
}

// One allocation fails, or all that follow.
void expect_undamaged(bool once) {
    describe_all();
    bool fails = true;
    int allowed = 0;
    for (; fails; ++allowed) {
        ECS ecs;
        std::function<void()> act = [] {};
        ecs.add_system(10, "Acting", [&](ECS&, double) { std::exchange(act, [] {})(); });
        ecs.add_system<Watching<Place>>(20, "Drawing");
        ecs.add_system<Watching<Route>>(20, "Routes");
        std::vector<Entity> all;
        for (int k = 0; k < 6; ++k)
            all.push_back(
                ecs.add_entity(Place{static_cast<float>(k), 0}, Route{"longer than what fits into a string"}));
        ecs.set_parent(all[1], all[0]);
        ecs.update();
        History history(ecs);
        act = [&] {
            ecs.remove<Route>(all[2]);
            ecs.set(all[3], Route{"another one, which is also longer"});
            ecs.set_parent(all[1], all[4]);
            ecs.remove_entity(all[0]);
        };
        test::fails_once = once;
        test::allocations_left = allowed;
        try {
            ecs.update();
        } catch (const std::bad_alloc&) {
        }
        fails = test::allocations_left <= 0;
        test::allocations_left = -1;
        test::fails_once = false;
        ecs.update();
        act = [&] {
            ecs.set(all[5], Place{50, 0});
            ecs.remove<Route>(all[4]);
        };
        ecs.update();
        EXPECT_EQ(texts_of(history.why(all[5])).front(), "Acting changed Place.x 5 -> 50 > Drawing");
        EXPECT_EQ(history.why(all[4]).front().kind, HistoryKind::removed);
    }
    EXPECT_GT(allowed, 20);
}
TEST(HistoryMemory, D14_no_allocation_that_fails_damages_it) {
    expect_undamaged(true);
    expect_undamaged(false);
}

TEST(HistoryMemory, D14_an_allocation_that_fails_when_a_class_is_watched_damages_nothing) {
    describe_all();
    bool fails = true;
    for (int allowed = 0; fails; ++allowed) {
        ECS ecs;
        ecs.add_system<Watching<Place>>(20, "Drawing");
        const Entity e = ecs.add_entity(Place{}, Level{1}, Route{"longer than what fits into a string"});
        ecs.update();
        History history(ecs);
        test::allocations_left = allowed;
        try {
            history.watch<Level>();
            history.watch<Route>();
        } catch (const std::bad_alloc&) {
        }
        fails = test::allocations_left <= 0;
        test::allocations_left = -1;
        ecs.set(e, Place{7, 0});
        history.watch<Level>();
        history.watch<Route>();
        ecs.set(e, Level{2});
        ecs.set(e, Route{"short"});
        const Texts why = texts_of(history.why(e));
        ASSERT_GE(why.size(), 2u);
        EXPECT_EQ(std::count(why.begin(), why.end(), "- changed Level.value 1 -> 2"), 1) << allowed;
        EXPECT_EQ(std::count_if(why.begin(), why.end(),
                                [](const std::string& each) { return each.starts_with("- changed Route"); }),
                  1);
    }
}

/// Adds the first component of a class of this ECS while a system runs.
TEST(HistoryMemory, D14_an_allocation_that_fails_when_a_class_is_used_first_damages_nothing) {
    describe_all();
    bool fails = true;
    for (int allowed = 0; fails; ++allowed) {
        ECS ecs;
        std::function<void()> act = [] {};
        ecs.add_system(10, "Acting", [&](ECS&, double) { std::exchange(act, [] {})(); });
        const Entity e = ecs.add_entity(Place{});
        ecs.update();
        History history(ecs);
        act = [&] {
            test::allocations_left = allowed;
            ecs.add(e, Level{1});
        };
        try {
            ecs.update();
        } catch (const std::bad_alloc&) {
        }
        fails = test::allocations_left <= 0;
        test::allocations_left = -1;
        if (!ecs.has<Level>(e)) ecs.add(e, Level{1});
        ecs.update();
        history.watch<Level>();
        act = [&] { ecs.set(e, Level{2}); };
        ecs.update();
        EXPECT_EQ(texts_of(history.why(e)).front(), "Acting changed Level.value 1 -> 2") << allowed;
    }
}

/// Its codec throws for a text.
struct Fragile {
    std::string text;
    bool operator==(const Fragile&) const = default;
};
std::vector<std::byte> encode_fragile(const Fragile& value) {
    if (value.text == "broken") throw std::runtime_error("on purpose");
    return std::vector<std::byte>(value.text.size());
}
Fragile decode_fragile(std::span<const std::byte> bytes) { return {std::string(bytes.size(), 'x')}; }

TEST_F(HistoryTest, D14_a_value_whose_codec_throws_is_not_known_and_all_others_are) {
    describe_component<Fragile>("history.Fragile").codec<encode_fragile, decode_fragile>();
    watch_places();
    add_acting();
    const Entity e = ecs.add_entity(Place{1, 0}, Fragile{"broken"});
    History history(ecs);
    history.watch<Fragile>();
    act = [&](ECS& of) {
        of.set(e, Place{2, 0});
        of.set(e, Fragile{"whole"});
    };
    ecs.update();
    act = [&](ECS& of) { of.set(e, Fragile{"broken"}); };
    ecs.update();
    const std::vector<HistoryEntry> why = history.why(e);
    const auto fragile = [](const HistoryEntry& each) {
        return each.kind == HistoryKind::changed && each.component == "history.Fragile";
    };
    EXPECT_EQ(std::count_if(why.begin(), why.end(), fragile), 2);
    const Texts texts = texts_of(why);
    EXPECT_EQ(std::count(texts.begin(), texts.end(), "Acting changed Place.x 1 -> 2 > Drawing"), 1);
}

// --- random changes -------------------------------------------------------------------------------

/// What can be seen of the components of one entity: the fields of each class, as texts.
using Fields = std::map<std::string, std::string>;
using View = std::map<std::pair<Entity, std::string>, Fields>;

struct RandomWorld {
    explicit RandomWorld(std::uint32_t seed) : random(seed), by_history(seed % 2 == 1) {
        describe_all();
        ecs.add_system<Watching<Place>>(50, "Places");
        ecs.add_system<Watching<Unit>>(50, "Units");
        if (!by_history) {
            ecs.add_system<Watching<Called>>(50, "Names");
            ecs.add_system<Watching<Level>>(50, "Levels");
            ecs.add_system<Watching<Route>>(50, "Routes");
        }
        ecs.add_system<Watching<Tag>>(50, "Tags");
        answering = &ecs.add_system<Answering>(60);
        ecs.add_system<Inheriting>(50);
        for (const char* name : {"A", "B", "C"}) {
            ecs.add_system(10, name, [this, name](ECS&, double) {
                const View before = view();
                running = name;
                for (std::size_t k = below(4); k > 0; --k) operate();
                running.clear();
                runs[name] = {before, view()};
                for (const auto* each : {&runs[name].first, &runs[name].second}) {
                    for (const auto& [key, fields] : *each) notified[name][key] = dirty_by(key.first, key.second);
                }
            });
        }
    }
    std::size_t below(std::size_t n) { return random() % n; }
    Entity any() { return alive.empty() ? NONE : alive[below(alive.size())]; }
    template <class T>
    void change(Entity e, T value) {
        switch (below(5)) {
            case 0: ecs.remove<T>(e); break;
            case 1: ecs.add(e, value); break;
            case 2:
                if (ecs.has<T>(e)) ecs.dirty<T>(e);
                break;
            default: ecs.set(e, value); break;
        }
    }
    void operate() {
        std::erase_if(alive, [&](Entity e) { return !ecs.alive(e); });
        const Entity e = any();
        const auto small = static_cast<float>(below(3));
        switch (e == NONE ? 0 : below(14)) {
            case 0: alive.push_back(below(2) == 0 ? ecs.add_entity() : ecs.add_entity(Place{small, 0}, Unit{})); break;
            case 1:
                if (ecs.remove_entity(e)) marked[e] = running;
                break;
            case 2: change(e, Place{small, static_cast<double>(below(2))}); break;
            case 3: change(e, Unit{static_cast<Mood>(below(2)), below(2) == 0, static_cast<int>(below(3))}); break;
            case 4: change(e, Called{ecs.string("name " + std::to_string(below(3)))}); break;
            case 5: change(e, Level{static_cast<std::uint16_t>(below(3))}); break;
            case 6: change(e, Body{{small, 0, 0}}); break;
            case 7:
                if (ecs.has<Tag>(e)) ecs.remove<Tag>(e);
                else ecs.add(e, Tag{});
                break;
            case 8: {
                const Entity parent = below(3) == 0 ? NONE : any();
                for (Entity up = parent; up != NONE; up = ecs.parent(up)) {
                    if (up == e) return;
                }
                ecs.set_parent(e, parent);
                break;
            }
            case 9: change(e, Route{"route " + std::to_string(below(3))}); break;
            case 10: {
                const std::vector<Entity> some = several();
                ecs.add<Place>(some, Place{small, 1});
                if (below(2) == 0) ecs.remove<Unit>(some);
                break;
            }
            case 11: {
                const auto units = ecs.prefab(Unit{Mood::angry, true, 4}, Level{2}, Tag{});
                for (const Entity made : units.spawn(1 + below(3))) alive.push_back(made);
                break;
            }
            case 12: ecs.remove_entities(several()); break;
            default: ecs.sort<Place>([](const Place& a, const Place& b) { return a.x < b.x; }); break;
        }
    }
    /// Different entities that exist.
    std::vector<Entity> several() {
        std::set<Entity> some;
        for (std::size_t k = below(4); k > 0; --k) some.insert(any());
        return {some.begin(), some.end()};
    }
    View view() {
        std::set<Entity> existing;
        const auto collect = [&](Entity e) { existing.insert(e); };
        ecs.storage<Place>().each(collect);
        ecs.storage<Unit>().each(collect);
        ecs.storage<Called>().each(collect);
        ecs.storage<Level>().each(collect);
        ecs.storage<Body>().each(collect);
        ecs.storage<Route>().each(collect);
        ecs.storage<Tag>().each(collect);
        ecs.by_id().storage(PARENT_ID).each(collect);
        View all;
        for (const Entity e : existing) {
            const auto number = [](auto n) { return text_of(HistoryValue{static_cast<double>(n)}); };
            if (const auto* place = ecs.try_get<Place>(e))
                all[{e, "Place"}] = {{"x", number(place->x)}, {"y", number(place->y)}};
            if (const auto* unit = ecs.try_get<Unit>(e))
                all[{e, "Unit"}] = {{"mood", unit->mood == Mood::idle ? "\"idle\"" : "\"angry\""},
                                    {"awake", unit->awake ? "true" : "false"},
                                    {"points", number(unit->points)}};
            if (const auto* called = ecs.try_get<Called>(e))
                all[{e, "Called"}] = {{"name", "\"" + std::string(ecs.text(called->name)) + "\""}};
            if (const auto* level = ecs.try_get<Level>(e)) all[{e, "Level"}] = {{"value", number(level->value)}};
            if (const auto* route = ecs.try_get<Route>(e))
                all[{e, "Route"}] = {{"", text_of(HistoryValue{encode(*route)})}};
            if (ecs.has<Body>(e)) all[{e, "Body"}] = {};
            if (ecs.has<Tag>(e)) all[{e, "Tag"}] = {};
            if (ecs.parent(e) != NONE) all[{e, "Parent"}] = {{"", text_of(HistoryValue{ecs.parent(e)})}};
        }
        return all;
    }
    bool below_has_body(Entity e) {
        for (const Entity child : ecs.children(e)) {
            if (ecs.has<Body>(child) || below_has_body(child)) return true;
        }
        return false;
    }
    /// The systems that a change of a component, which can be removed by it, makes dirty.
    std::set<std::string> dirty_by(Entity e, const std::string& cls) {
        static const std::map<std::string, std::string> WATCHING{{"Place", "Places"}, {"Unit", "Units"},
                                                                 {"Called", "Names"}, {"Level", "Levels"},
                                                                 {"Tag", "Tags"},     {"Route", "Routes"}};
        std::set<std::string> systems;
        const bool unwatched = by_history && (cls == "Called" || cls == "Level" || cls == "Route");
        if (const auto at = WATCHING.find(cls); at != WATCHING.end() && !unwatched && classes_of(e).contains(cls))
            systems.insert(at->second);
        if (cls == "Body" && ecs.has<Body>(e)) systems.insert("Inheriting");
        if (cls == "Parent" && ecs.has<Body>(e)) systems.insert("Inheriting");
        if ((cls == "Place" || cls == "Parent") && below_has_body(e)) systems.insert("Inheriting");
        return systems;
    }
    std::set<std::string> classes_of(Entity e) {
        std::set<std::string> classes;
        if (ecs.has<Place>(e)) classes.insert("Place");
        if (ecs.has<Unit>(e)) classes.insert("Unit");
        if (ecs.has<Called>(e)) classes.insert("Called");
        if (ecs.has<Level>(e)) classes.insert("Level");
        if (ecs.has<Tag>(e)) classes.insert("Tag");
        if (ecs.has<Route>(e)) classes.insert("Route");
        return classes;
    }

    /// A history of the world, which records all classes.
    History recorded() {
        History history(ecs);
        if (by_history) {
            history.watch<Called>();
            history.watch<Level>();
            history.watch<Route>();
        }
        return history;
    }

    ECS ecs;
    std::mt19937 random;
    bool by_history;  // the history watches some classes, and no system
    std::vector<Entity> alive;
    Answering* answering = nullptr;
    std::map<std::string, std::map<std::pair<Entity, std::string>, std::set<std::string>>> notified;  // by system
    std::map<std::string, std::pair<View, View>> runs;  // before and after, by system
    std::string running;
    std::map<Entity, std::string> marked;  // by whom
};

using Differences = std::multiset<std::string>;
Differences differences(const View& before, const View& after) {
    Differences found;
    std::set<std::pair<Entity, std::string>> all;
    for (const auto& [key, fields] : before) all.insert(key);
    for (const auto& [key, fields] : after) all.insert(key);
    for (const auto& key : all) {
        const std::string what = std::to_string(static_cast<std::uint32_t>(key.first)) + " " + key.second;
        const auto was = before.find(key);
        const auto is = after.find(key);
        if (key.second == "Parent") {
            const std::string from = was == before.end() ? "nothing" : was->second.at("");
            const std::string to = is == after.end() ? "nothing" : is->second.at("");
            if (from != to) found.insert(what + " " + from + " -> " + to);
            continue;
        }
        if (was == before.end()) {
            found.insert(what + " added");
        } else if (is == after.end()) {
            found.insert(what + " removed");
        } else {
            for (const auto& [field, value] : is->second) {
                if (was->second.at(field) != value)
                    found.insert(what + (field.empty() ? "" : "." + field) + " " + was->second.at(field) + " -> " +
                                 value);
            }
        }
    }
    return found;
}
Differences found_by(const std::vector<HistoryEntry>& entries, double frame) {
    Differences found;
    for (const HistoryEntry& entry : entries) {
        if (entry.frame != frame || entry.kind == HistoryKind::signaled) continue;
        std::string what = std::to_string(static_cast<std::uint32_t>(entry.entity)) + " " +
                           entry.component.substr(entry.component.find('.') + 1);
        if (entry.kind == HistoryKind::added) what += " added";
        else if (entry.kind == HistoryKind::removed) what += " removed";
        else
            what += (entry.field.empty() ? "" : "." + entry.field) + " " + text_of(entry.before) + " -> " +
                    text_of(entry.after);
        found.insert(what);
    }
    return found;
}

TEST(HistoryModel, D14_the_entries_are_the_differences_between_before_and_after_each_run) {
    for (std::uint32_t n = 0; n < test::times(15); ++n) {
        const std::uint32_t seed = test::first_seed() + n;
        RandomWorld world(seed);
        for (int k = 0; k < 10; ++k) world.operate();
        world.ecs.update();
        History history = world.recorded();
        View last = world.view();
        std::unique_ptr<Rewind> rewind;
        if (seed % 3 == 0) rewind = std::make_unique<Rewind>(world.ecs);
        for (int step = 0; step < 40; ++step) {
            for (std::size_t k = world.below(3); k > 0; --k) world.operate();
            if (rewind && world.below(5) == 0) {
                world.answering->quiet = true;
                rewind->to(std::max(rewind->oldest(), rewind->newest() - static_cast<double>(world.below(6))));
                world.answering->quiet = false;
                history = world.recorded();  // so that each number of a frame is there once
                last = world.view();
                world.alive.clear();
                for (const auto& [key, fields] : last) {
                    if (world.alive.empty() || world.alive.back() != key.first) world.alive.push_back(key.first);
                }
                world.marked.clear();
            }
            const double frame = world.ecs.clock().frame() + 1;
            const View outside = world.view();
            world.runs.clear();
            world.notified.clear();
            world.ecs.update();
            const View now = world.view();
            const Differences end = differences(world.runs.at("C").second, now);
            Differences all = differences(last, outside);
            Differences found = found_by(history.by_system(""), frame);
            for (const auto& [name, run] : world.runs) {
                const Differences changed = differences(run.first, run.second);
                const Differences is = found_by(history.by_system(name), frame);
                Differences removed;
                std::set_difference(is.begin(), is.end(), changed.begin(), changed.end(),
                                    std::inserter(removed, removed.end()));
                ASSERT_EQ(removed.size() + changed.size(), is.size())
                    << "seed " << seed << " step " << step << ": " << ::testing::PrintToString(changed)
                    << ::testing::PrintToString(is);
                ASSERT_TRUE(std::includes(end.begin(), end.end(), removed.begin(), removed.end()));
                all.insert(changed.begin(), changed.end());
                found.insert(is.begin(), is.end());
                for (const HistoryEntry& entry : history.by_system(name)) {
                    if (entry.frame != frame || (!world.ecs.alive(entry.entity) && entry.kind != HistoryKind::changed))
                        continue;
                    const std::string cls = entry.component.substr(entry.component.find('.') + 1);
                    const std::set<std::string> are(entry.notified.begin(), entry.notified.end());
                    ASSERT_EQ(are, (world.notified[name][{entry.entity, cls}]))
                        << "seed " << seed << " step " << step << ": " << text_of(entry);
                }
                for (const auto& [e, by] : world.marked) {
                    if (by != name || world.ecs.alive(e)) continue;
                    const std::string start = std::to_string(static_cast<std::uint32_t>(e)) + " ";
                    const auto own = [&](const std::string& each) { return each.starts_with(start); };
                    ASSERT_EQ(std::count_if(end.begin(), end.end(), own),
                              std::count_if(removed.begin(), removed.end(), own));
                }
            }
            all.insert(end.begin(), end.end());
            ASSERT_EQ(all, found) << "seed " << seed << " step " << step;
            std::erase_if(world.marked, [&](const auto& each) { return !world.ecs.alive(each.first); });
            last = now;
        }
    }
}

}  // namespace
}  // namespace crateful::test_history
