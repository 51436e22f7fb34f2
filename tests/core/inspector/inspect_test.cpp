// A native program answers the inspector (rule I1): what tests/cpp/native_inspector.test.ts does not reach.
#include "crateful/inspect.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {
double now = 0;  // milliseconds
}  // namespace
double crateful::steady_milliseconds() noexcept { return now += 0.25; }

namespace crateful::test_inspect {
namespace {

using Json = nlohmann::json;

struct Place {
    float x = 0;
    std::array<float, 3> at{};
};
struct Called {
    String name;
};
struct Life {
    std::uint8_t hp = 10;
};
struct Tag {};
struct Hidden {
    std::string text = "not described";
};
struct Route {
    std::vector<std::byte> bytes;
    int hops = 0;
};
struct Late {
    std::string text;
};
struct Owners {
    Entity owner[2] = {NONE, NONE};
    std::int8_t level = -3;
};
struct Hit {
    int points = 0;
};
struct Named {
    static constexpr std::string_view type_name = "Named";
    int points = 0;
};

struct Mover : System<> {
    Mover() {
        require<Place>();
        watch<Place>();
    }
    void update(double delta, Entities& entities) override {
        for (const auto [entity, aspect] : entities)
            ecs().modify<Place>(entity, [&](Place& place) { place.x += static_cast<float>(delta); });
    }
};

void describe() {
    describe_component<Place>("Place").field("x", &Place::x).field("at", &Place::at);
    describe_component<Called>("Called").field("name", &Called::name);
    describe_component<Life>("Life").field("hp", &Life::hp);
    describe_component<Tag>("Tag");
    describe_component<Route>("Route")
        .field("hops", &Route::hops)
        .codec<[](const Route& r) { return r.bytes; },
               [](std::span<const std::byte> b) { return Route{{b.begin(), b.end()}}; }>();
    describe_component<Owners>("Owners").field("owner", &Owners::owner).field("level", &Owners::level);
}

class InspectTest : public testing::Test {
protected:
    InspectTest() { describe(); }
    Json ask(const Json& request) { return Json::parse(inspector.answer(request.dump())); }
    /// What is wrong with a request.
    std::string problem(const Json& request) {
        const Json answer = ask(request);
        if (!answer.contains("error")) return "nothing: " + answer.dump();
        return answer["error"]["code"].get<std::string>() + ": " + answer["error"]["message"].get<std::string>();
    }
    /// The component of an entity, by the names of its fields.
    Json fields(Entity e, std::string_view component) {
        Json found = Json::object();
        const Json answer = ask({{"ask", "entity"}, {"entity", static_cast<std::uint32_t>(e)}});
        for (const Json& each : answer["details"]) {
            if (each["name"] != component) continue;
            for (const Json& field : each["fields"]) found[field["name"].get<std::string>()] = field["value"];
        }
        return found;
    }

    ECS ecs;
    Inspector inspector{ecs};
};

TEST_F(InspectTest, I1_a_class_that_is_not_described_has_a_name_and_no_fields) {
    const Entity e = ecs.add_entity(Hidden{}, Route{.bytes = {}, .hops = 3}, Owners{.owner = {Entity{0}, NONE}});
    const auto named = [&](std::string_view name) {
        const Json answer = ask({{"ask", "classes"}});
        for (const Json& each : answer["classes"]) {
            if (each["name"] == name) return each;
        }
        return Json();
    };
    EXPECT_EQ(named("Hidden")["fields"], Json::array());
    EXPECT_EQ(named("Hidden")["count"], 1);
    EXPECT_EQ(fields(e, "Hidden"), Json::object());
    EXPECT_EQ(fields(e, "Route"), (Json{{"hops", 3}}));
    EXPECT_EQ(fields(e, "Owners"), (Json{{"owner0", 0}, {"owner1", nullptr}, {"level", -3}}));
    EXPECT_EQ(problem({{"do", "set"}, {"entity", 1}, {"component", "Hidden"}, {"field", "text"}, {"value", "x"}}),
              "BAD_ARGUMENT: set: Hidden has no field \"text\"; it has none");
    ask({{"do", "remove"}, {"entity", 1}, {"component", "Hidden"}});
    EXPECT_FALSE(ecs.has<Hidden>(e));
    ask({{"do", "add"}, {"entity", 1}, {"component", "Hidden"}});
    EXPECT_EQ(ecs.get<Hidden>(e).text, "not described");
}

TEST_F(InspectTest, I1_a_component_that_is_added_has_the_defaults_of_its_other_fields) {
    const ComponentId stored = registry::add_stored(
        "InspectStored", {{.name = "a", .type = FieldType::u8, .initial = 7}, {.name = "b", .type = FieldType::f64}});
    const ComponentId object = registry::add_object("InspectObject");
    const Entity e = ecs.add_entity();
    ask({{"do", "add"}, {"entity", 1}, {"component", "InspectStored"}, {"values", {{"b", 2}}}});
    ask({{"do", "add"}, {"entity", 1}, {"component", "Owners"}, {"values", {{"owner1", 1}}}});
    EXPECT_EQ(fields(e, "InspectStored"), (Json{{"a", 7}, {"b", 2}}));
    EXPECT_EQ(fields(e, "Owners"), (Json{{"owner0", nullptr}, {"owner1", 1}, {"level", -3}}));
    ask({{"do", "add"}, {"entity", 1}, {"component", "InspectObject"}});
    EXPECT_TRUE(ecs.by_id().has(e, stored) && ecs.by_id().has(e, object));
}

TEST_F(InspectTest, I1_set_signals_if_the_value_differs_and_a_link_follows) {
    struct Cable {
        Link to;
    };
    describe_component<Cable>("Cable").field("to", &Cable::to);
    struct Watcher : System<> {
        Watcher() {
            require<Place>();
            watch<Place, Cable>();
        }
        void update(double, Entities&, Dirty& dirty) override { last = dirty.size(); }
        std::uint32_t last = 0;
    };
    const Entity e = ecs.add_entity(Place{}, Cable{});
    const Entity other = ecs.add_entity();
    Watcher& watcher = ecs.add_system<Watcher>(0);
    const auto set = [&](const char* component, const char* field, const Json& value) {
        ask({{"do", "set"}, {"entity", 1}, {"component", component}, {"field", field}, {"value", value}});
        ecs.update();
        return watcher.last;
    };
    ecs.update();
    EXPECT_EQ(set("Place", "x", 3), 1u);
    EXPECT_EQ(set("Place", "x", 3), 0u);
    EXPECT_EQ(set("Place", "at", {1, 2, 3}), 1u);
    EXPECT_EQ(set("Cable", "to", 2), 1u);
    ecs.modify<Place>(e, [](Place& place) { place.at[1] = 0; });
    ecs.update();
    EXPECT_EQ(set("Place", "at", {1, -0.0, 3}), 0u);
    EXPECT_FALSE(std::signbit(ecs.get<Place>(e).at[1]));  // D2: it would be a change without a signal
    EXPECT_EQ(set("Place", "x", -0.0), 1u);
    EXPECT_TRUE(std::signbit(ecs.get<Place>(e).x));
    EXPECT_EQ(set("Place", "x", "NaN"), 1u);
    EXPECT_EQ(set("Place", "x", "NaN"), 0u);
    std::vector<Entity> found;
    for (const Entity each : ecs.linked<Cable>(other)) found.push_back(each);
    EXPECT_EQ(found, std::vector{e});
}

TEST_F(InspectTest, I1_step_runs_one_frame_of_the_program_and_pauses) {
    std::vector<double> deltas;
    Inspector own(ecs, {.step = [&](double delta) {
                      deltas.push_back(delta);
                      EXPECT_FALSE(ecs.paused());
                      if (deltas.size() == 2) throw std::runtime_error("the program has thrown");
                      ecs.update(delta);
                      ecs.update(delta);
                  }});
    EXPECT_EQ(own.answer(R"({"do":"step","delta":0.5})"), R"({"done":true,"frame":2})");
    EXPECT_EQ(own.answer(R"({"do":"step"})"), R"({"error":{"code":"FAILED","message":"the program has thrown"}})");
    EXPECT_TRUE(ecs.paused());
    EXPECT_EQ(deltas, (std::vector{0.5, 1.0 / 60}));
}

TEST_F(InspectTest, I1_a_step_that_was_refused_does_not_pause) {
    ecs.update(1.5e308);
    EXPECT_EQ(Json::parse(inspector.answer(R"({"do":"step","delta":1.5e308})"))["error"]["code"], "BAD_ARGUMENT");
    EXPECT_FALSE(ecs.paused());
    ecs.add_system(0, "Bad", [](ECS&, double) { throw std::runtime_error("it is bad"); });
    EXPECT_EQ(Json::parse(inspector.answer(R"({"do":"step"})"))["error"]["code"], "FAILED");
    EXPECT_TRUE(ecs.paused());
}

TEST_F(InspectTest, I1_inside_of_an_update_nothing_runs_and_questions_are_answered) {
    std::string answers;
    ecs.add_system(0, "Asker", [&](ECS&, double) {
        answers = inspector.answer(
            R"([{"do":"step"},{"do":"pause"},{"do":"run","system":"Asker"},{"do":"record","on":true},{"ask":"entities","count":0},{"do":"enable","system":"Asker"}])");
    });
    ecs.update();
    const Json found = Json::parse(answers);
    EXPECT_EQ(found[0]["error"]["code"], "REENTRANT_UPDATE");
    EXPECT_EQ(found[2]["error"]["code"], "REENTRANT_UPDATE");
    EXPECT_EQ(found[3]["error"]["code"], "REENTRANT_UPDATE");
    EXPECT_EQ(found[4]["total"], 1);
    EXPECT_EQ(found[5], (Json{{"done", true}}));
    EXPECT_EQ(ask({{"ask", "world"}})["recording"], false);
}

TEST_F(InspectTest, I1_what_is_thrown_that_is_no_exception_is_an_answer) {
    ecs.add_system(0, "Bad", [](ECS&, double) { throw 3; });
    EXPECT_EQ(problem({{"do", "step"}}),
              "FAILED: a function of the program has thrown something that is no std::exception");
}

TEST_F(InspectTest, I1_a_column_has_what_conditions_compare) {
    ecs.add_system<Mover>(0);
    const Entity a =
        ecs.add_entity(Place{1, {2, 3, 4}}, Called{ecs.string("boss")}, Owners{.owner = {Entity{0}, NONE}});
    const Entity b = ecs.add_entity(Place{std::numeric_limits<float>::infinity()}, Called{});
    const auto column = [&](const Json& members) {
        Json request{{"ask", "column"}};
        request.update(members);
        return ask(request);
    };
    ASSERT_EQ(static_cast<std::uint32_t>(b), 2u);
    EXPECT_EQ(column(Json::object()), (Json{{"entities", {0, 1, 2}}}));
    EXPECT_EQ(column({{"labels", true}}), (Json{{"entities", {0, 1, 2}}, {"values", {nullptr, "boss", nullptr}}}));
    EXPECT_EQ(column({{"component", "Owners"}}), (Json{{"entities", {1}}}));
    EXPECT_EQ(column({{"component", "Owners"}, {"path", {"owner0"}}}), (Json{{"entities", {1}}, {"values", {0}}}));
    EXPECT_EQ(column({{"component", "Place"}, {"path", {"x"}}}),
              (Json{{"entities", {1, 2}}, {"values", {1, "Infinity"}}}));
    EXPECT_EQ(column({{"component", "Place"}, {"path", {"at", 2}}}), (Json{{"entities", {1, 2}}, {"values", {4, 0}}}));
    EXPECT_EQ(column({{"component", "Place"}, {"path", {"at"}}})["values"][0], (Json{2, 3, 4}));
    EXPECT_EQ(column({{"system", "Mover"}}), (Json{{"entities", {1, 2}}}));
    ecs.remove<Place>(a);
    EXPECT_EQ(column({{"system", "Mover"}}), (Json{{"entities", {2}}}));
    const auto wrong = [&](const Json& members) {
        Json request{{"ask", "column"}};
        request.update(members);
        return problem(request);
    };
    EXPECT_EQ(wrong({{"component", "Nothing"}}), "BAD_ARGUMENT: column: there is no component class \"Nothing\"");
    EXPECT_EQ(wrong({{"system", "Nobody"}}), "BAD_SYSTEM: column: there is no system Nobody");
    EXPECT_EQ(wrong({{"component", "Place"}, {"path", "x"}}),
              "BAD_ARGUMENT: column: path must be a list of names, not \"x\"");
    EXPECT_EQ(wrong({{"component", "Place"}, {"path", {"y"}}}),
              "BAD_ARGUMENT: column: Place has no field \"y\"; it has x, at");
    EXPECT_EQ(wrong({{"component", "Place"}, {"path", {"at", 3}}}), "BAD_ARGUMENT: column: Place.at has no element 3");
    EXPECT_EQ(problem({{"ask", "entities"}, {"where", "Place"}}).substr(0, 45),
              "BAD_ARGUMENT: entities: where is evaluated by");
}

// --- measuring ------------------------------------------------------------------------------------

TEST_F(InspectTest, I1_events_are_counted_while_they_are_measured_and_those_of_C_have_no_value) {
    const auto end = ecs.events.subscribe<Hit>([&](const Hit& hit) {
        if (hit.points == 2) ecs.events.dispatch(Named{});
    });
    ecs.events.dispatch(Hit{1});
    ask({{"do", "measure"}, {"on", true}});
    ecs.events.dispatch(Hit{2});
    ecs.update();
    ecs.events.dispatch(Hit{3}, 5);
    const Json answer = ask({{"ask", "events"}});
    EXPECT_EQ(answer["events"], (Json{{{"frame", 0}, {"name", "Named"}}, {{"frame", 0}, {"name", "Hit"}}}));
    EXPECT_EQ(answer["delayed"][0]["name"], "Hit");
    for (const Json& each : answer["names"]) EXPECT_EQ(each["count"], 1) << each;
    ask({{"do", "measure"}, {"on", false}});
    ecs.events.dispatch(Hit{4});
    EXPECT_EQ(ask({{"ask", "events"}, {"count", 1}})["events"].size(), 1u);
    end();
    EXPECT_EQ(ask({{"ask", "events"}})["names"].size(), 2u);
}

TEST_F(InspectTest, I1_measuring_ends_when_nothing_was_asked_for_10_seconds) {
    ask({{"do", "measure"}, {"on", true}});
    for (int i = 0; i < 5; ++i) {
        now += 9'000;
        ecs.update();
        EXPECT_TRUE(ecs.profiler.enabled);
        ask({{"ask", "world"}});
    }
    now += 11'000;
    ecs.update();
    EXPECT_FALSE(ecs.profiler.enabled);
    EXPECT_EQ(ask({{"ask", "world"}})["measures"], false);
    EXPECT_EQ(ask({{"ask", "frames"}})["frames"].size(), 5u);
}

TEST_F(InspectTest, I1_two_inspectors_measure_and_the_profiler_of_the_program_stays_on) {
    ecs.profiler.enabled = true;
    std::optional<Inspector> second(std::in_place, ecs);
    EXPECT_EQ(second->answer(R"({"do":"measure","on":true})"), R"({"done":true})");
    ask({{"do", "measure"}, {"on", true}});
    ecs.events.dispatch(Hit{});
    ecs.update();
    EXPECT_EQ(Json::parse(second->answer(R"({"ask":"events"})"))["events"].size(), 1u);
    second.reset();
    ecs.events.dispatch(Hit{});
    ecs.update();
    EXPECT_EQ(ask({{"ask", "events"}})["events"].size(), 2u);
    EXPECT_EQ(ask({{"ask", "frames"}, {"since", 1}})["frames"].size(), 1u);
    ask({{"do", "measure"}, {"on", false}});
    EXPECT_TRUE(ecs.profiler.enabled);
}

TEST(Inspect, I1_an_inspector_may_exist_longer_than_its_ECS) {
    std::vector<Inspector> inspectors;
    {
        ECS ecs;
        inspectors.emplace_back(ecs);
        Inspector moved = std::move(inspectors[0]);
        EXPECT_EQ(moved.answer(R"([{"do":"measure","on":true},{"do":"record","on":true}])").find("error"),
                  std::string::npos);
        ecs.update();
        inspectors[0] = std::move(moved);
    }
    inspectors.clear();
}

// --- recording ------------------------------------------------------------------------------------

TEST_F(InspectTest, I1_recording_names_what_it_leaves_out_also_what_is_used_later) {
    ecs.add_system<Mover>(0);
    const Entity e = ecs.add_entity(Place{}, Hidden{});
    const Json done = ask({{"do", "record"}, {"on", true}, {"bytes", 1e6}});
    EXPECT_NE(done["without"].dump().find("\"Hidden\""), std::string::npos);
    for (int i = 0; i < 3; ++i) ecs.update(1);
    EXPECT_EQ(ask({{"ask", "world"}})["rewind"], (Json{{"oldest", 0}, {"newest", 3}}));
    EXPECT_EQ(ask({{"do", "rewind"}, {"frame", 1}}), (Json{{"done", true}, {"frame", 1}}));
    EXPECT_EQ(ecs.get<Place>(e).x, 1);
    EXPECT_TRUE(ecs.has<Hidden>(e) && ecs.paused());
    ecs.set_paused(false);
    ecs.add<Late>(e);
    ecs.update(1);
    EXPECT_FALSE(ask({{"ask", "world"}}).contains("problem"));
    ecs.update(1);
    EXPECT_EQ(ask({{"ask", "world"}})["rewind"]["newest"], 3);
    EXPECT_NE(ask({{"do", "record"}, {"on", true}})["without"].dump().find("\"Late\""), std::string::npos);
    EXPECT_EQ(ask({{"do", "record"}, {"on", false}}), (Json{{"done", true}}));
    EXPECT_FALSE(ask({{"ask", "world"}}).contains("rewind"));
}

TEST_F(InspectTest, I1_what_the_program_records_is_used_and_stays) {
    ecs.add_system<Mover>(0);
    const Entity e = ecs.add_entity(Place{});
    History history(ecs);
    Rewind rewind(ecs);
    Inspector own(ecs, {.history = &history, .rewind = &rewind});
    ecs.update(1);
    const Json why = Json::parse(own.answer(R"({"ask":"why","entity":1,"system":"Mover"})"));
    EXPECT_EQ(why["total"], 1);
    EXPECT_EQ(why["changes"][0]["after"], 1);
    ecs.add(e, Life{1});
    const auto recorded = [&] {
        std::vector<std::string> names;
        const Json answer = Json::parse(own.answer(R"({"ask":"classes"})"));
        for (const Json& each : answer["classes"]) {
            if (each.contains("recorded")) names.push_back(each["name"]);
        }
        return names;
    };
    EXPECT_EQ(recorded(), std::vector<std::string>());
    EXPECT_EQ(own.answer(R"({"do":"watch","component":"Life"})"), R"({"done":true})");
    EXPECT_EQ(own.answer(R"({"do":"record","on":false})"), R"({"done":true})");
    EXPECT_EQ(recorded(), std::vector<std::string>{"Life"});
    const Json world = Json::parse(own.answer(R"({"ask":"world"})"));
    EXPECT_EQ(world["rewind"]["newest"], 1);
    EXPECT_EQ(world["recording"], false);
    ecs.add<Late>(e);  // which nothing records
    ecs.update(1);
    EXPECT_NE(Json::parse(own.answer(R"({"ask":"world"})"))["problem"].dump().find("Late"), std::string::npos);
}

TEST_F(InspectTest, I1_a_value_that_only_its_class_reads_is_its_number_of_bytes) {
    struct Watcher : System<> {
        Watcher() {
            require<Route>();
            watch<Route>();
        }
        void update(double, Entities&, Dirty&) override {}
    };
    ecs.add_system<Watcher>(0);
    const Entity e = ecs.add_entity(Route{.bytes = {std::byte{1}}});
    ask({{"do", "record"}, {"on", true}});
    ecs.update();
    ecs.modify<Route>(e, [](Route& route) { route.bytes.resize(3); });
    ecs.update();
    const Json change = ask({{"ask", "why"}, {"entity", 1}})["changes"][0];
    EXPECT_EQ(change["kind"], "changed");
    EXPECT_EQ(change["before"], "[1 bytes]") << change;
    EXPECT_EQ(change["after"], "[3 bytes]");
    EXPECT_FALSE(change.contains("field"));
}

// --- messages -------------------------------------------------------------------------------------

TEST_F(InspectTest, I1_receive_answers_messages_with_a_number_and_leaves_others_to_the_program) {
    EXPECT_EQ(inspector.receive(R"({"crateful":7,"request":{"do":"pause"}})"),
              R"({"crateful":7,"answer":{"done":true}})");
    EXPECT_EQ(inspector.receive(R"({"crateful":1.5,"request":[{"do":"resume"},{}]})")->substr(0, 41),
              R"({"crateful":1.5,"answer":[{"done":true},{)");
    EXPECT_NE(inspector.receive(R"({"crateful":7,"request":3})")->find("\"error\""), std::string::npos);
    for (const char* other : {"", "hello", "3", "[]", "{}", R"({"crateful":7})", R"({"crateful":7,"answer":{}})",
                              R"({"crateful":"7","request":{"do":"pause"}})", R"([{"crateful":7,"request":3}])",
                              R"({"request":{"do":"pause"}})", "\x01\x02"})
        EXPECT_EQ(inspector.receive(other), std::nullopt) << other;
    EXPECT_FALSE(ecs.paused());
}

TEST_F(InspectTest, I1_a_text_that_is_no_UTF_8_is_an_answer_that_is) {
    ecs.add_entity(Called{ecs.string("\xff\xfe boss")});
    const std::string answer = inspector.answer(R"({"ask":"entities"})");
    EXPECT_NE(answer.find("\xef\xbf\xbd boss"), std::string::npos) << answer;
    EXPECT_EQ(Json::parse(answer)["total"], 2);
    EXPECT_EQ(inspector.answer("{\"ask\":\"\xff\"}"),
              R"({"error":{"code":"BAD_ARGUMENT","message":"inspect: the request is no JSON"}})");
}

TEST_F(InspectTest, I1_deep_requests_and_deep_hierarchies_are_answered) {
    std::string deep = R"({"do":"set","entity":1,"component":"Place","field":"x","value":)";
    constexpr std::size_t LEVELS = 200'000;
    deep.append(LEVELS, '[').append(LEVELS, ']').append("}");
    Entity above = ecs.add_entity(Place{});
    EXPECT_NE(inspector.answer(deep).find("takes a number, not an array"), std::string::npos);
    EXPECT_NE(inspector.answer(std::string(LEVELS, '[')).find("no JSON"), std::string::npos);
    std::string lists;
    lists.append(LEVELS, '[').append(LEVELS, ']');
    EXPECT_NE(inspector.answer(lists).find("not an array"), std::string::npos);
    std::string expanded = R"({"ask":"entities","count":1,"expanded":[1)";
    for (int i = 2; i < 20'000; ++i) {
        const Entity below = ecs.add_entity();
        ecs.set_parent(below, above);
        above = below;
        expanded.append(",").append(std::to_string(i));
    }
    EXPECT_EQ(Json::parse(inspector.answer(expanded + "]}"))["total"], 20'000);
}

/// A random change of a text.
void mutate(std::string& text, std::mt19937& random) {
    constexpr std::string_view PARTS[] = {"{",  "}",       "[",       "]",    "\"",         ",",      ":",     "1", "-",
                                          "e9", ".",       "null",    "true", "#",          "!",      "@",     "~", "<",
                                          " ",  "\\u00e4", "\\ud800", "\xc3", "4294967295", "entity", "Place", "x"};
    const auto at = random() % (text.size() + 1);
    switch (random() % 4) {
        case 0: text.insert(at, PARTS[random() % std::size(PARTS)]); break;
        case 1: text.erase(at, random() % 4); break;
        case 2: text.insert(at, text.substr(random() % (text.size() + 1), random() % 20)); break;
        default:
            if (at < text.size()) text[at] = static_cast<char>(random());
    }
}

TEST_F(InspectTest, I1_whatever_is_asked_has_an_answer_that_is_JSON) {
    const std::vector<std::string> seeds{
        R"({"ask":"world"})",
        R"([{"ask":"systems"},{"ask":"classes"},{"ask":"memory"},{"ask":"events","count":3},{"ask":"frames","since":1}])",
        R"({"ask":"entities","of":[2,1,4294967295],"from":0,"count":5})",
        R"({"ask":"entities","expanded":[1,2]})",
        R"([{"ask":"column"},{"ask":"column","system":"Mover"},{"ask":"column","component":"Life"}])",
        R"([{"ask":"column","component":"Place","path":["at",1]},{"ask":"column","component":"Called","path":["name"]}])",
        R"({"ask":"children","entity":1})",
        R"({"ask":"entity","index":1})",
        R"({"ask":"why","entity":1,"system":"Mover","component":"Place","field":"x"})",
        R"({"ask":"by","system":"Mover"})",
        R"({"do":"set","entity":1,"component":"Place","field":"at","value":[1,2,"NaN"]})",
        R"({"do":"set","entity":2,"component":"Called","field":"name","value":"a\u0000b"})",
        R"({"do":"set","entity":2,"component":"Parent","field":"entity","value":1})",
        R"({"do":"add","entity":1,"component":"Owners","values":{"owner1":1,"level":-128}})",
        R"({"do":"remove","entity":1,"component":"Place"})",
        R"([{"do":"pause"},{"do":"run","system":"Mover","delta":1e308},{"do":"step","delta":0.1},{"do":"resume"}])",
        R"([{"do":"measure","on":true},{"do":"record","on":true,"bytes":100000},{"do":"rewind","frame":2}])",
        R"([{"do":"disable","system":"Mover"},{"do":"enable","system":"Mover"},{"do":"destroy","entity":3}])",
    };
    ecs.add_system<Mover>(0);
    const Entity boss = ecs.add_entity(Place{}, Called{ecs.string("boss")}, Life{}, Tag{});
    ecs.set_parent(ecs.add_entity(Place{}, Called{}), boss);
    std::mt19937 random(1);
    std::size_t answered = 0;
    for (int i = 0; i < 5'000; ++i) {
        std::string text = seeds[random() % seeds.size()];
        for (auto n = random() % 5; n > 0; --n) mutate(text, random);
        const std::string answer = inspector.answer(text);
        ASSERT_TRUE(Json::accept(answer)) << text << '\n' << answer;
        answered += answer.find("no JSON") == std::string::npos ? 1 : 0;
        const auto message = inspector.receive(R"({"crateful":1,"request":)" + text + "}");
        ASSERT_TRUE(!message || Json::accept(*message)) << text;
        if (i % 100 == 0) ecs.update();
        if (ecs.count() < 2) ecs.add_entity(Place{});
    }
    EXPECT_GT(answered, 1'000u);
}

}  // namespace
}  // namespace crateful::test_inspect
