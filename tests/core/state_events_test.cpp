// Events in snapshots (rules N1, N2, N4, N8).
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "crateful/detail/host_events.hpp"
#include "crateful/ecs.hpp"
#include "crateful/state.hpp"
#include "world.hpp"

namespace crateful::test_state_events {
namespace {

using Bytes = std::vector<std::byte>;

struct Hit {
    static constexpr std::string_view type_name = "events.Hit";
    Entity target = NONE;
    std::int32_t points = 0;
    bool operator==(const Hit&) const = default;
};
struct Over {  // empty
    static constexpr std::string_view type_name = "events.Over";
};
struct Note {
    static constexpr std::string_view type_name = "events.Note";
    static Bytes encode(const Note& note) {
        const auto bytes = std::as_bytes(std::span(note.text));
        return {bytes.begin(), bytes.end()};
    }
    static Note decode(std::span<const std::byte> bytes) {
        std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        if (text == "bad") throw std::runtime_error("a bad note");
        return {std::move(text)};
    }
    std::string text;
};
struct Nameless {
    int value = 0;
};
struct Twin {
    static constexpr std::string_view type_name = "events.Hit";
};

std::vector<std::string> texts(ECS& ecs) {
    std::vector<std::string> found;
    for (const Note& note : ecs.events.inbox<Note>()) found.push_back(note.text);
    return found;
}
using Texts = std::vector<std::string>;

TEST(StateEvents, N1_delayed_events_are_delivered_at_their_time_and_in_their_order) {
    ECS ecs;
    ecs.events.dispatch(Note{"second"}, 0.3);
    ecs.events.dispatch(Note{"third"}, 0.3);
    ecs.events.dispatch(Note{"first"}, 0.2);
    ecs.events.dispatch(Hit{Entity{0}, 7}, 0.3);
    ecs.events.dispatch(Over{}, 0.3);
    ecs.update(0.1);
    const Bytes saved = snapshot(ecs);
    ECS other;
    for (ECS* to : {&ecs, &other}) {
        to->events.dispatch(Note{"of another time"}, 0.01);
        restore(*to, saved);
        EXPECT_EQ(snapshot(*to), saved);
        to->events.collect<Note>();
        to->events.collect<Hit>();
        to->events.collect<Over>();
        to->update(0.09);
        EXPECT_EQ(texts(*to), Texts{});
        to->update(0.02);
        EXPECT_EQ(texts(*to), Texts{"first"});
        to->update(0.1);
        EXPECT_EQ(texts(*to), (Texts{"first", "second", "third"}));
        EXPECT_EQ(to->events.inbox<Hit>(), (std::vector<Hit>{{Entity{0}, 7}}));
        EXPECT_EQ(to->events.inbox<Over>().size(), 1u);
    }
}

TEST(StateEvents, N1_inboxes_outside_of_systems_contain_what_they_did) {
    ECS ecs;
    ecs.events.collect<Note>();
    std::vector<Hit>& hits = ecs.events.inbox<Hit>();
    ecs.events.dispatch(Note{"one"});
    ecs.events.dispatch(Note{""});
    const Bytes saved = snapshot(ecs);
    ecs.events.dispatch(Note{"later"});
    ecs.events.dispatch(Hit{});
    ecs.events.collect<Over>();
    restore(ecs, saved);
    EXPECT_EQ(texts(ecs), (Texts{"one", ""}));
    EXPECT_TRUE(hits.empty());  // the same list
    EXPECT_EQ(snapshot(ecs), saved);
    ECS other;
    restore(other, saved);
    EXPECT_EQ(texts(other), (Texts{"one", ""}));
    other.events.dispatch(Note{"next"});
    EXPECT_EQ(texts(other).size(), 3u);
}

struct Last {
    static constexpr std::string_view type_name = "events.Z";
};
struct First {
    static constexpr std::string_view type_name = "events.A";
};

TEST(StateEvents, N1_the_order_of_inboxes_in_the_bytes_is_that_of_names) {
    ECS ecs;
    ecs.events.collect<Last>();  // it becomes known first
    ecs.events.collect<First>();
    ecs.events.dispatch(Last{});
    ecs.events.dispatch(First{});
    const Bytes saved = snapshot(ecs);
    const std::string text(reinterpret_cast<const char*>(saved.data()), saved.size());
    EXPECT_LT(text.find("events.A"), text.find("events.Z"));
}

TEST(StateEvents, N1_an_event_without_a_name_is_an_error_unless_it_is_left_out) {
    ECS ecs;
    ecs.events.collect<Nameless>();
    static_cast<void>(snapshot(ecs));  // none waits
    ecs.events.dispatch(Nameless{4});
    try {
        static_cast<void>(snapshot(ecs));
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_argument);
        EXPECT_NE(std::string(error.what()).find("Nameless"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("without"), std::string::npos) << error.what();
    }
    ecs.events.inbox<Nameless>().clear();
    ecs.events.dispatch(Nameless{5}, 1);
    EXPECT_ERROR(snapshot(ecs), ErrorCode::bad_argument);
    static_cast<void>(snapshot(ecs, {.without = {"Nameless"}}));
}

TEST(StateEvents, N2_restoring_keeps_events_that_are_left_out) {
    ECS ecs;
    ecs.events.collect<Nameless>();
    ecs.events.collect<Note>();
    const Bytes saved = snapshot(ecs, {.without = {"Nameless", "events.Note"}});
    ecs.events.dispatch(Nameless{1});
    ecs.events.dispatch(Nameless{2}, 0.1);
    ecs.events.dispatch(Note{"stays"});
    ecs.events.dispatch(Hit{}, 0.1);
    restore(ecs, saved);
    EXPECT_EQ(ecs.events.inbox<Nameless>().size(), 1u);
    EXPECT_EQ(texts(ecs), Texts{"stays"});
    ecs.events.collect<Hit>();
    ecs.update(0.2);
    EXPECT_EQ(ecs.events.inbox<Nameless>().size(), 2u);
    EXPECT_TRUE(ecs.events.inbox<Hit>().empty());
}

TEST(StateEvents, N1_two_classes_of_one_name_are_an_error) {
    ECS ecs;
    ecs.events.dispatch(Hit{}, 1);
    restore(ecs, snapshot(ecs));
    ECS other;
    other.events.collect<Twin>();  // no event of it waits, but from now on nothing can be restored that has this name
    EXPECT_ERROR(snapshot(ecs), ErrorCode::bad_argument);
    EXPECT_NO_THROW(static_cast<void>(snapshot(ecs, {.without = {"events.Hit"}})));
}

struct Old {
    static constexpr std::string_view type_name = "events.Old";
    std::int32_t value = 3;
};
struct New {
    static constexpr std::string_view type_name = "events.New";
    std::int32_t value = 0;
};
struct Wide {
    static constexpr std::string_view type_name = "events.Wide";
    double value = 0;
};

TEST(StateEvents, N4_names_are_mapped_and_ignored) {
    ECS ecs;
    ecs.events.collect<New>();
    ecs.events.dispatch(Old{5}, 0.1);
    const Bytes saved = snapshot(ecs);
    restore(ecs, saved, {.rename = {{"events.Old", "events.New"}}});
    ecs.update(0.2);
    ASSERT_EQ(ecs.events.inbox<New>().size(), 1u);
    EXPECT_EQ(ecs.events.inbox<New>()[0].value, 5);
    const Bytes before = snapshot(ecs);
    EXPECT_ERROR(restore(ecs, saved, {.rename = {{"events.Old", "events.Unknown"}}}), ErrorCode::bad_argument);
    EXPECT_EQ(snapshot(ecs), before);
    restore(ecs, saved, {.ignore = {"events.Old"}});
    ecs.events.collect<Old>();
    ecs.update(0.2);
    EXPECT_TRUE(ecs.events.inbox<Old>().empty());
}

TEST(StateEvents, N8_an_event_of_another_size_and_a_decode_that_throws_change_nothing) {
    ECS ecs;
    const Entity e = ecs.add_entity();
    ecs.events.collect<Note>();
    ecs.events.collect<Wide>();
    ecs.events.dispatch(Old{5}, 0.1);
    const Bytes wide = snapshot(ecs);
    ecs.events.clear();
    ecs.events.dispatch(Note{"bad"});
    const Bytes bad = snapshot(ecs);
    ecs.remove_entity(e);
    const Bytes before = snapshot(ecs);
    EXPECT_ERROR(restore(ecs, wide, {.rename = {{"events.Old", "events.Wide"}}}), ErrorCode::bad_data);
    EXPECT_EQ(snapshot(ecs), before);
    EXPECT_THROW(restore(ecs, bad), std::runtime_error);
    EXPECT_EQ(snapshot(ecs), before);
}

TEST(StateEvents, N1_events_of_a_host_are_written_and_given_back) {
    ECS ecs;
    ecs.events.collect<Note>();
    ecs.events.dispatch(Note{"mine"});
    ecs.events.dispatch(Note{"late"}, 2);
    internal::HostEvents host;
    host.queued = {{"Smashed", 1, {std::byte{1}}}, {"Smashed", 2, {std::byte{0}}}};
    host.inboxes = {{"", "Blown", {{std::byte{0}}, {std::byte{1}, std::byte{7}}}}};
    const Bytes saved = internal::snapshot_with(ecs, {}, host);
    EXPECT_ERROR(restore(ecs, saved), ErrorCode::bad_argument);
    ecs.events.clear();
    const Bytes before = snapshot(ecs);
    const auto refuse = [](internal::HostEvents&) { throw std::runtime_error("refused"); };
    EXPECT_THROW(internal::restore_with(ecs, saved, {}, refuse), std::runtime_error);
    EXPECT_EQ(snapshot(ecs), before);

    internal::HostEvents found;
    internal::restore_with(ecs, saved, {.rename = {{"Blown", "Blasted"}}},
                           [&](internal::HostEvents& events) { found = std::move(events); });
    EXPECT_EQ(texts(ecs), Texts{"mine"});
    ASSERT_EQ(found.queued.size(), 2u);
    EXPECT_EQ(found.queued[0].name, "Smashed");
    EXPECT_EQ(found.queued[0].due, 1);
    EXPECT_EQ(found.queued[0].bytes, host.queued[0].bytes);
    EXPECT_EQ(found.queued[1].due, 2);
    ASSERT_EQ(found.inboxes.size(), 1u);
    EXPECT_EQ(found.inboxes[0].system, "");
    EXPECT_EQ(found.inboxes[0].name, "Blasted");
    EXPECT_EQ(found.inboxes[0].events, host.inboxes[0].events);
    EXPECT_EQ(saved[found.queued[0].position], std::byte{1});
    ASSERT_EQ(found.inboxes[0].positions.size(), 2u);
    EXPECT_EQ(saved[found.inboxes[0].positions[1] + 1], std::byte{7});
}

TEST(StateEvents, N8_an_event_of_a_host_that_is_neither_bytes_nor_JSON_is_damage) {
    for (const Bytes& wrong : {Bytes{}, Bytes{std::byte{2}}}) {
        internal::HostEvents queued;
        queued.queued = {{"Smashed", 1, wrong}};
        internal::HostEvents waiting;
        waiting.inboxes = {{"", "Blown", {wrong}}};
        for (const internal::HostEvents& host : {queued, waiting}) {
            ECS ecs;
            const Bytes saved = internal::snapshot_with(ecs, {}, host);
            bool accepted = false;
            EXPECT_ERROR(internal::restore_with(ecs, saved, {}, [&](internal::HostEvents&) { accepted = true; }),
                         ErrorCode::bad_data);
            EXPECT_FALSE(accepted);
        }
    }
}

TEST(StateEvents, N1_an_event_of_a_host_with_the_name_of_a_class_of_this_program_is_an_error) {
    ECS ecs;
    ecs.events.collect<Note>();
    internal::HostEvents queued;
    queued.queued = {{"events.Note", 1, {std::byte{1}}}};
    EXPECT_ERROR(internal::snapshot_with(ecs, {}, queued), ErrorCode::bad_argument);
    internal::HostEvents waiting;
    waiting.inboxes = {{"", "events.Note", {{std::byte{1}}}}};
    EXPECT_ERROR(internal::snapshot_with(ecs, {}, waiting), ErrorCode::bad_argument);
}

}  // namespace
}  // namespace crateful::test_state_events
