// Strings: texts that the ECS keeps once, and the collection of unused ones (rule C13, and D2, Q10 for fields of this type).
#include <cstddef>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "world.hpp"

using namespace test;

namespace {

using namespace std::string_literals;

struct Title {
    String text{};
    float weight = 0;
    String other{};
    bool operator==(const Title&) const = default;
};
struct Linear {
    String text;
};
struct Owning {
    std::string plain;
    String text;
};
struct UndescribedText {
    String text;
};
[[maybe_unused]] const bool strings_described = [] {
    describe_component<Title>("Title").field("text", &Title::text).field("other", &Title::other);
    describe_component<Linear>("StringLinear").field("text", &Linear::text).policy(Policy::linear);
    describe_component<Owning>("StringOwning").field("text", &Owning::text);
    return true;
}();
static_assert(std::is_trivially_copyable_v<String> && sizeof(String) == 4 && String{} == String{});

struct StringRules : testing::Test {
    ECS ecs;
    Entity e = ecs.add_entity();
    int added = 0;

    [[nodiscard]] std::string text(String s) const { return std::string(ecs.text(s)); }
    [[nodiscard]] bool exists(String s) const { return const_cast<ECS&>(ecs).by_id().strings().exists(s); }
    /// From now on, what nothing uses is freed whenever a string is added, except the last `n`.
    void collect_always(std::uint32_t n = 0) { ecs.by_id().strings().slack(n); }
    /// Frees what nothing uses.
    void collect() {
        collect_always();
        static_cast<void>(ecs.string("filler " + std::to_string(++added)));
    }
};
using TitleWatcher = Spy<Requires<Title>, Watches<Title>>;

}  // namespace

TEST_F(StringRules, C13_equal_texts_are_one_string_and_the_empty_text_is_number_0) {
    const String boss = ecs.string("boss");
    EXPECT_EQ(boss, ecs.string("bo"s + "ss"));
    EXPECT_FALSE(boss == ecs.string("Boss"));
    EXPECT_EQ(text(boss), "boss");
    EXPECT_EQ(ecs.string("").number, 0u);
    EXPECT_TRUE(String{}.empty());
    EXPECT_EQ(text(String{}), "");
}

TEST_F(StringRules, C13_a_text_may_contain_any_bytes) {
    for (const std::string& bytes :
         {"a\0b"s, "\0"s, "a"s, "a\0"s, "\xff\xfe"s, "\xf0\x9f\x98\x80"s, std::string(100'000, 'x')})
        EXPECT_EQ(text(ecs.string(bytes)), bytes);
    EXPECT_FALSE(ecs.string("a\0"s) == ecs.string("a"));
}

TEST_F(StringRules, C13_M3_two_worlds_have_separate_tables) {
    ECS other;
    static_cast<void>(other.string("first there"));
    const String here = ecs.string("here");
    EXPECT_EQ(text(here), "here");
    EXPECT_EQ(other.text(here), "first there");
    EXPECT_ERROR(ecs.text(String(here.number + 1)), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.text(String(~0u)), ErrorCode::bad_argument);
}

TEST_F(StringRules, C13_a_text_stays_at_its_address_as_long_as_a_component_contains_it) {
    ecs.add<Title>(e, {.text = ecs.string("kept")});
    const std::string_view kept = ecs.text(ecs.get<Title>(e).text);
    for (int i = 0; i < 20'000; ++i) static_cast<void>(ecs.string("s" + std::to_string(i)));
    EXPECT_EQ(kept, "kept");
    EXPECT_EQ(kept.data(), ecs.text(ecs.get<Title>(e).text).data());
}

TEST_F(StringRules, C13_what_components_of_every_storage_contain_is_kept_and_the_rest_is_freed) {
    const ComponentId stored =
        registry::add_stored("StringStored", {{"n", FieldType::u8}, {"text", FieldType::string}}, Policy::sparse);
    const Ids all = ecs.add_entities(4);
    ecs.add<Title>(all[0], {.text = ecs.string("a"), .weight = 1, .other = ecs.string("b")});
    ecs.add<Linear>(all[1], {ecs.string("c")});
    ecs.add<Owning>(all[2], {std::string(100, 'x'), ecs.string("d")});
    const String in_stored = ecs.string("e");
    const std::uint64_t packed[] = {0, in_stored.number};
    ecs.by_id().add(all[3], stored, reinterpret_cast<const std::byte*>(packed));
    const String unused = ecs.string("unused");
    collect();
    EXPECT_FALSE(exists(unused));
    EXPECT_EQ(text(ecs.get<Title>(all[0]).text) + text(ecs.get<Title>(all[0]).other), "ab");
    EXPECT_EQ(text(ecs.get<Linear>(all[1]).text), "c");
    EXPECT_EQ(text(ecs.get<Owning>(all[2]).text), "d");
    EXPECT_EQ(text(in_stored), "e");
    const String c = ecs.get<Linear>(all[1]).text;
    for (const Entity each : all) ecs.remove_entity(each);
    ecs.update();
    collect();
    EXPECT_FALSE(exists(c));
    EXPECT_FALSE(exists(in_stored));
}

TEST_F(StringRules, C13_memory_stays_flat_without_any_update) {
    const Ids all = ecs.add_entities(1000);
    for (const Entity each : all) ecs.add<Title>(each);
    for (int i = 0; i < 100'000; ++i)
        ecs.set<Title>(all[static_cast<std::size_t>(i) % 1000], {.text = ecs.string("text " + std::to_string(i))});
    EXPECT_LT(ecs.by_id().strings().end(), 5000u);
    for (std::size_t i = 0; i < 1000; ++i)
        EXPECT_EQ(text(ecs.get<Title>(all[i]).text), "text " + std::to_string(99'000 + i));
}

TEST_F(StringRules, C13_memory_stays_flat_with_updates) {
    int n = 0;
    ecs.add_system(0, "Write", [&](ECS& world, double) {
        for (auto [entity, title] : world.query<Title>()) title.text = world.string("text " + std::to_string(++n));
    });
    for (const Entity each : ecs.add_entities(1000)) ecs.add<Title>(each);
    for (int i = 0; i < 100; ++i) ecs.update();
    EXPECT_LT(ecs.by_id().strings().end(), 6000u);
}

TEST_F(StringRules, C13_E9_D2_texts_of_a_megabyte_are_like_others) {
    const auto text_of = [](char c) { return std::string(1 << 20, c); };
    auto& watcher = ecs.add_system<TitleWatcher>(0);
    std::size_t dirty = 0;
    watcher.at_update = [&](double, auto&, auto& set) { dirty = set.size(); };
    const auto prefab = ecs.prefab(Title{.text = ecs.string(text_of('p'))});
    const Entity spawned = prefab.spawn(Title{.text = ecs.string(text_of('o')), .other = ecs.string(text_of('p'))});
    ecs.add<Title>(e, {.text = ecs.string(text_of('a')), .other = ecs.string(text_of('b'))});
    ecs.update();
    EXPECT_EQ(dirty, 2u);
    ecs.set<Title>(e, {.text = ecs.string(text_of('a')), .other = ecs.string(text_of('b'))});
    ecs.update();
    EXPECT_EQ(dirty, 0u);
    collect();
    EXPECT_EQ(text(ecs.get<Title>(e).text), text_of('a'));
    EXPECT_EQ(text(ecs.get<Title>(spawned).text), text_of('o'));
    EXPECT_EQ(ecs.get<Title>(spawned).other, ecs.get<Title>(prefab.spawn()).text);
    EXPECT_FALSE(ecs.string(text_of('a')) == ecs.string(text_of('a') + "a"));
}

TEST_F(StringRules, C13_memory_stays_flat_over_texts_of_a_megabyte) {
    ecs.add<Title>(e);
    for (const Entity each : ecs.add_entities(10'000))
        ecs.add<Title>(each, {.text = ecs.string(std::to_string(int(each)))});
    const std::uint32_t before = ecs.by_id().strings().end();
    for (int i = 0; i < 200; ++i)
        ecs.set<Title>(e, {.text = ecs.string(std::string(1 << 20, 'x') + std::to_string(i))});
    EXPECT_LE(ecs.by_id().strings().end(), before + 25);
    EXPECT_EQ(ecs.text(ecs.get<Title>(e).text).substr(1 << 20), "199");
}

TEST_F(StringRules, C13_a_string_is_valid_until_long_texts_were_added_of_which_each_counts_more_than_once) {
    collect_always(1023);
    int n = 0;
    const auto add = [&](std::size_t size) {
        static_cast<void>(ecs.string(std::string(size, 'x') + std::to_string(++n)));
    };
    const String first = ecs.string("first");
    for (int i = 0; i < 511; ++i) add(16 << 10);  // as two others
    EXPECT_TRUE(exists(first));
    add(16 << 10);
    EXPECT_FALSE(exists(first));
    const String other = ecs.string("other");
    for (int i = 0; i < 15; ++i) add(4 << 20);  // as 64, whatever their length
    EXPECT_TRUE(exists(other));
    add(4 << 20);
    EXPECT_FALSE(exists(other));
}

TEST_F(StringRules, C13_nothing_is_freed_while_a_callback_runs) {
    collect_always();
    std::string found;
    auto& spy = ecs.add_system<TitleWatcher>(0);
    spy.at_update = [&](double, auto&, auto&) {
        const String held = ecs.string("held");
        for (int i = 0; i < 5000; ++i) static_cast<void>(ecs.string(std::to_string(i)));
        found = text(held);
    };
    ecs.update();
    EXPECT_EQ(found, "held");
    EXPECT_LT(ecs.by_id().strings().end(), 6000u);
    EXPECT_EQ(ecs.string("held").number != 0, true);
    spy.at_update = nullptr;
    ecs.update();
    for (std::uint32_t n = 1; n < 4000; ++n) EXPECT_FALSE(exists(String(n))) << n;
}

TEST_F(StringRules, C13_what_on_remove_reads_is_kept_until_it_returns) {
    collect_always();
    std::string found;
    auto& spy = ecs.add_system<Spy<Requires<Title>>>(0);
    spy.at_remove = [&](const Aspect& aspect) {
        for (int i = 0; i < 100; ++i) static_cast<void>(ecs.string(std::to_string(i)));
        found = text(aspect.get<Title>().text);
    };
    ecs.add<Title>(e, {.text = ecs.string("removed")});
    ecs.remove<Title>(e);
    EXPECT_EQ(found, "removed");
}

TEST_F(StringRules, C13_a_string_that_nothing_contains_is_valid_until_1024_others_were_added) {
    const auto keep = [&] { ecs.add<Title>(e, {.text = ecs.string("x")}); };
    keep();
    const String held = ecs.string("held");
    for (int i = 0; i < 1024; ++i) static_cast<void>(ecs.string("others " + std::to_string(i)));
    EXPECT_EQ(text(held), "held");
    for (int i = 0; i < 10'000; ++i) static_cast<void>(ecs.string("more " + std::to_string(i)));
    EXPECT_FALSE(exists(held) && text(held) == "held");
}

TEST_F(StringRules, C13_components_of_several_strings_can_be_created_in_one_expression) {
    collect_always(4);
    for (int i = 0; i < 100; ++i) {
        ecs.add<Title>(e, {.text = ecs.string("a" + std::to_string(i)), .other = ecs.string("b" + std::to_string(i))});
        EXPECT_EQ(text(ecs.get<Title>(e).text) + text(ecs.get<Title>(e).other),
                  "a" + std::to_string(i) + "b" + std::to_string(i));
    }
}

TEST_F(StringRules, C13_X3_a_text_can_be_given_back_to_the_call_that_frees_it) {
    collect_always();
    std::string_view unused = ecs.text(ecs.string("an unused text"));
    for (int i = 0; i < 5; ++i) {
        const String part = ecs.string(unused.substr(1));
        EXPECT_EQ(text(part), "an unused text"s.substr(static_cast<std::size_t>(i) + 1));
        unused = ecs.text(part);
    }
}

TEST_F(StringRules, C13_D2_change_notices_a_text_that_is_freed_meanwhile) {
    collect_always();
    auto& spy = ecs.add_system<TitleWatcher>(0);
    ecs.add<Title>(e, {.text = ecs.string("before")});
    ecs.update();
    ecs.query<Title>().change([&](Title& title) {
        title.text = {};
        for (int i = 0; i < 20; ++i) title.text = ecs.string("after " + std::to_string(i));
    });
    EXPECT_EQ(spy.dirty_set().size(), 1u);
    ecs.update();
    ecs.query<Title>().change([&](Title& title) { title.text = ecs.string("after 19"); });
    EXPECT_EQ(spy.dirty_set().size(), 0u);
    ecs.set<Title>(e, {.text = ecs.string("after 19")});
    EXPECT_EQ(spy.dirty_set().size(), 0u);
    ecs.set<Title>(e, {.text = ecs.string("another")});
    EXPECT_EQ(spy.dirty_set().size(), 1u);
}

TEST_F(StringRules, C13_C7_a_default_text_is_kept_and_applies_in_every_world) {
    const ComponentId id = registry::add_stored(
        "StringDefault",
        {{.name = "n", .type = FieldType::u8}, {.name = "text", .type = FieldType::string, .names = {"crate"}}});
    ECS other;
    static_cast<void>(other.string("shifts the numbers"));
    for (ECS* world : {&ecs, &other}) {
        static_cast<void>(world->by_id().storage(id));
        world->by_id().strings().slack(0);
        for (int i = 0; i < 10; ++i) static_cast<void>(world->string("filler " + std::to_string(i)));
        const Entity made = world->add_entity();
        world->by_id().add(made, id, nullptr);
        String s;
        std::memcpy(&s, world->by_id().storage(id).word(1, 0), sizeof(s));
        EXPECT_EQ(world->text(s), "crate");
    }
}

TEST_F(StringRules, C13_E9_E12_what_prefabs_and_their_children_contain_is_kept_as_long_as_a_copy_exists) {
    String inner, outer;
    {
        std::optional<Prefab<Title>> copy;
        {
            auto ship = ecs.prefab(Title{.text = outer = ecs.string("ship")});
            {
                const auto turret = ecs.prefab(Title{.text = inner = ecs.string("turret")});
                ship.child(turret);
            }
            copy = ship;
        }
        collect();
        const Entity made = copy->spawn();
        EXPECT_EQ(text(ecs.get<Title>(made).text), "ship");
        EXPECT_EQ(text(ecs.get<Title>(*ecs.children(made).begin()).text), "turret");
        const Entity other = copy->spawn(Title{.text = ecs.string("override")});
        collect();
        EXPECT_EQ(text(ecs.get<Title>(other).text), "override");
        ecs.clear();
        collect();
        EXPECT_EQ(text(inner) + text(outer), "turretship");
    }
    collect();
    EXPECT_FALSE(exists(inner));
    EXPECT_FALSE(exists(outer));
}

TEST_F(StringRules, C13_E9_prefabs_may_end_after_their_ecs_and_in_any_order) {
    auto world = std::make_unique<ECS>();
    std::vector<Prefab<Title>> all;
    for (const char* name : {"a", "b", "c"}) all.push_back(world->prefab(Title{.text = world->string(name)}));
    all.erase(all.begin() + 1);
    world.reset();
    all.erase(all.begin());
    all.clear();
}

TEST_F(StringRules, Q10_C13_strings_are_sorted_by_their_bytes) {
    const std::vector<std::string> texts{"b", "a", "", "a\0b"s, "a\0"s, "\xc3\xa4", "ab", "Z", "\xf0\x9f\x98\x80", "b"};
    std::multimap<std::string, Entity> expected;
    for (const std::string& t : texts) expected.emplace(t, ecs.add_entity(Title{.text = ecs.string(t)}));
    Ids up, down;
    for (const auto& [t, entity] : expected) up.push_back(entity);
    EXPECT_EQ(ecs.query<Title>(order_by(&Title::text)).ids(), up);
    for (auto it = expected.rbegin(); it != expected.rend(); ++it) down.push_back(it->second);
    std::swap(down[2], down[3]);  // the two "b" stay in the order of their indices
    EXPECT_EQ(ecs.query<Title>(order_by(&Title::text, Direction::descending)).ids(), down);
}

TEST_F(StringRules, Q10_C13_an_order_stays_correct_when_texts_are_freed_and_their_numbers_are_used_again) {
    collect_always(2);
    std::minstd_rand engine(7);
    const auto random = [&] { return static_cast<std::uint32_t>(engine() >> 4); };
    const Ids all = ecs.add_entities(300);
    const auto text_of = [&](std::uint32_t n) { return std::string(n % 3, 'a') + std::to_string(n); };
    for (const Entity each : all) ecs.add<Title>(each, {.text = ecs.string(text_of(random() % 1000))});
    for (const Direction direction : {Direction::ascending, Direction::descending}) {
        const auto sorted = ecs.query<const Title>(order_by(&Title::text, direction));
        for (int round = 0; round < 300; ++round) {
            for (std::uint32_t n = random() % 6; n > 0; --n) {
                const Entity changed = all[random() % all.size()];
                if (random() % 8 == 0) ecs.remove<Title>(changed);
                else if (random() % 8 == 0)
                    ecs.storage<Title>().values()[0].text = ecs.string(text_of(random() % 1000));
                else ecs.set<Title>(changed, {.text = ecs.string(text_of(random() % 1000))});
            }
            ecs.dirty<Title>(ecs.storage<Title>().entities()[0]);
            std::vector<std::pair<std::string, std::uint32_t>> found;
            for (auto [entity, title] : sorted) found.emplace_back(text(title.text), index_of(entity));
            ASSERT_EQ(found.size(), ecs.storage<Title>().count());
            for (std::size_t i = 1; i < found.size(); ++i) {
                if (direction == Direction::ascending || found[i - 1].first == found[i].first)
                    ASSERT_LT(found[i - 1], found[i]);
                else ASSERT_GT(found[i - 1].first, found[i].first);
            }
        }
    }
}

TEST_F(StringRules, Q10_C13_sorting_by_a_string_that_is_not_described_is_an_error) {
    EXPECT_ERROR(ecs.query<UndescribedText>(order_by(&UndescribedText::text)), ErrorCode::bad_argument);
}

TEST_F(StringRules, Q10_C13_a_number_that_no_string_has_is_sorted_as_the_empty_string) {
    ecs.add<Title>(e, {.text = String(0xFFFF'FFF0u)});
    const Entity other = ecs.add_entity(Title{.text = ecs.string("a")});
    EXPECT_EQ(ecs.query<Title>(order_by(&Title::text)).ids(), (Ids{e, other}));
    EXPECT_ERROR(ecs.text(ecs.get<Title>(e).text), ErrorCode::bad_argument);
    collect();
}

TEST_F(StringRules, C13_random_operations_agree_with_a_model_at_every_collection) {
    for (const std::uint32_t slack : {2u, 50u}) {
        ECS world;
        world.by_id().strings().slack(slack);
        std::minstd_rand engine(slack);
        const auto random = [&] { return static_cast<std::uint32_t>(engine() >> 4); };
        std::map<Entity, std::pair<std::string, std::string>> model;
        const auto random_text = [&] { return std::string(random() % 40, static_cast<char>('a' + random() % 26)); };
        for (int i = 0; i < 20'000; ++i) {
            const std::uint32_t what = random() % 20;
            const auto at = model.empty()
                                ? model.end()
                                : std::next(model.begin(), static_cast<std::ptrdiff_t>(random() % model.size()));
            if (what < 3 || at == model.end()) {
                const auto a = random_text(), b = random_text();
                model[world.add_entity(Title{world.string(a), 0, world.string(b)})] = {a, b};
            } else if (what < 5) {
                if (random() % 2 == 0) world.remove<Title>(at->first);
                else world.remove_entity(at->first);
                model.erase(at);
            } else if (what == 5) {
                world.update();
            } else if (what == 6 && random() % 50 == 0) {
                world.clear();
                model.clear();
            } else {
                const auto a = random_text();
                world.modify<Title>(at->first, [&](Title& title) { title.text = world.string(a); });
                at->second.first = a;
            }
            if (i % 100 != 0) continue;
            for (const auto& [entity, texts] : model) {
                const Title& title = world.get<Title>(entity);
                ASSERT_EQ(world.text(title.text), texts.first);
                ASSERT_EQ(world.text(title.other), texts.second);
            }
        }
    }
}
