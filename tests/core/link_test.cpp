// Links: references of which the ECS keeps the reverse (rule C15, and D2 for what signals).
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "crateful/detail/change_list.hpp"
#include "crateful/rewind.hpp"
#include "crateful/state.hpp"
#include "world.hpp"

using namespace test;

namespace {

struct Targeting {
    Link target;
    float weight = 0;
    bool operator==(const Targeting&) const = default;
};
struct Cable {
    std::int32_t length = 3;
    Link from;
    Link to;
    bool operator==(const Cable&) const = default;
};
struct Undescribed {
    Link target;
};
[[maybe_unused]] const bool links_described = [] {
    describe_component<Targeting>("Targeting").field("target", &Targeting::target).field("weight", &Targeting::weight);
    describe_component<Cable>("Cable")
        .field("length", &Cable::length)
        .field("from", &Cable::from)
        .field("to", &Cable::to);
    return true;
}();

template <class Range>
Ids collected(Range&& range) {
    Ids all;
    for (const Entity e : range) all.push_back(e);
    return all;
}
using AimWatcher = Spy<Requires<Targeting>, Watches<Targeting>>;

struct Links : testing::Test {
    ECS ecs;
    Ids all = ecs.add_entities(8);
    Ids linked(Entity e) { return collected(ecs.linked<Targeting>(e)); }
};

}  // namespace

TEST_F(Links, C15_linked_lists_the_entities_that_refer_to_one_in_the_order_of_their_indices) {
    for (const std::size_t k : {5u, 2u, 7u, 3u}) ecs.add<Targeting>(all[k], {.target = all[0]});
    ecs.add<Targeting>(all[4], {.target = all[1]});
    EXPECT_EQ(linked(all[0]), (Ids{all[2], all[3], all[5], all[7]}));
    EXPECT_EQ(linked(all[1]), Ids{all[4]});
    EXPECT_EQ(linked(all[2]), Ids{});
    EXPECT_EQ(ecs.get<Targeting>(all[4]).target, all[1]);
}

// A handle can be issued again after restoring (rule N3), and going back to a frame brings an entity back.
TEST_F(Links, C15_N2_N7_it_lists_a_link_that_was_set_while_its_entity_did_not_exist) {
    for (const bool restores : {false, true}) {
        ECS world;
        Rewind rewind(world);
        const auto empty = snapshot(world);
        const Entity target = world.add_entity();
        const Entity source = world.add_entity(Targeting{.target = target});
        world.update();
        const auto before = snapshot(world);
        world.remove_entity(target);
        world.update();
        world.set<Targeting>(source, {.target = target});  // what it was
        EXPECT_EQ(collected(world.linked<Targeting>(target)), Ids{});
        world.update();
        if (restores) restore(world, before);
        else rewind.to(1);
        EXPECT_EQ(collected(world.linked<Targeting>(target)), Ids{source});

        if (restores) restore(world, empty);
        else rewind.to(0);
        world.add(world.world(), Targeting{.target = target});
        EXPECT_EQ(collected(world.linked<Targeting>(target)), Ids{});
        ASSERT_EQ(world.add_entity(), target);
        EXPECT_EQ(collected(world.linked<Targeting>(target)), Ids{world.world()});
        world.remove_entity(target);
        world.update();
        EXPECT_EQ(world.get<Targeting>(world.world()).target, NONE);
    }
}

TEST_F(Links, C15_it_lists_a_link_whose_entity_gets_an_index_that_was_not_used_before) {
    const Entity later = id(5000);
    ecs.add<Targeting>(all[0], {.target = later});
    ecs.add<Targeting>(all[1], {.target = all[2]});
    EXPECT_EQ(linked(later), Ids{});
    const Ids more = ecs.add_entities(6000);
    ASSERT_TRUE(ecs.alive(later));
    EXPECT_EQ(linked(later), Ids{all[0]});
    EXPECT_EQ(linked(all[2]), Ids{all[1]});
    ecs.remove_entity(later);
    ecs.update();
    EXPECT_EQ(ecs.get<Targeting>(all[0]).target, NONE);
}

TEST_F(Links, C15_it_follows_every_change_that_signals) {
    ecs.add<Targeting>(all[2], {.target = all[0]});
    ecs.add<Targeting>(all[2], {.target = all[1]});  // a replacement
    EXPECT_EQ(linked(all[0]), Ids{});
    EXPECT_EQ(linked(all[1]), Ids{all[2]});
    ecs.set<Targeting>(all[2], {.target = all[0]});
    EXPECT_EQ(linked(all[0]), Ids{all[2]});
    ecs.modify<Targeting>(all[2], [&](Targeting& t) { t.target = all[3]; });
    EXPECT_EQ(linked(all[3]), Ids{all[2]});
    ecs.query<Targeting>().change([&](Entity, Targeting& t) { t.target = all[4]; });
    EXPECT_EQ(linked(all[4]), Ids{all[2]});
    ecs.storage<Targeting>().at(0).target = all[5];
    EXPECT_EQ(linked(all[4]), Ids{}) << "a write without a signal is missed, but the result is not wrong";
    EXPECT_EQ(linked(all[5]), Ids{});
    ecs.dirty<Targeting>(all[2]);
    EXPECT_EQ(linked(all[5]), Ids{all[2]});
    ecs.storage<Targeting>().at(0).target = all[6];
    queue_mark(ecs, component_id<Targeting>(), all[2]);
    EXPECT_EQ(linked(all[6]), Ids{all[2]});
    ecs.remove<Targeting>(all[2]);
    EXPECT_EQ(linked(all[6]), Ids{});
}

TEST_F(Links, C15_D2_when_an_entity_is_removed_what_refers_to_it_becomes_none_and_signals) {
    auto& watcher = ecs.add_system<AimWatcher>(0);
    for (const std::size_t k : {2u, 3u, 4u}) ecs.add<Targeting>(all[k], {.target = all[k == 4 ? 1 : 0]});
    ecs.update();
    ecs.remove_entity(all[0]);
    ecs.update();
    EXPECT_EQ(watcher.dirty(), (Ids{all[2], all[3]})) << "they are notified for the next run";
    EXPECT_EQ(ecs.get<Targeting>(all[2]).target, NONE);
    EXPECT_EQ(ecs.get<Targeting>(all[3]).target, NONE);
    EXPECT_EQ(ecs.get<Targeting>(all[4]).target, all[1]);
    EXPECT_EQ(linked(all[0]), Ids{});
}

TEST_F(Links, C15_links_to_one_entity_signal_in_the_order_of_indices_over_all_fields_and_classes) {
    for (const Entity e : all) ecs.add<Position>(e);
    auto& watcher = ecs.add_system<Spy<Requires<Position>, Watches<Cable, Targeting>>>(0);
    const Entity target = all[7];
    ecs.add<Cable>(all[1], {3, Link{}, target});
    ecs.add<Cable>(all[2], {3, target, Link{}});
    ecs.add<Targeting>(all[0], {.target = target});
    ecs.add<Targeting>(all[3], {.target = target});
    ecs.add<Cable>(all[4], {3, target, target});
    ecs.add<Cable>(all[5], {3, all[6], Link{}});
    ecs.update();
    ecs.remove_entity(target);
    ecs.remove_marked();
    EXPECT_EQ(watcher.dirty(), (Ids{all[0], all[1], all[2], all[3], all[4]}));
    EXPECT_EQ(ecs.get<Cable>(all[4]), (Cable{}));
    EXPECT_EQ(ecs.get<Cable>(all[5]).from, all[6]);
}

TEST_F(Links, C15_E3_links_to_several_entities_signal_in_the_order_in_which_these_are_removed) {
    for (const Entity e : all) ecs.add<Position>(e);
    auto& watcher = ecs.add_system<Spy<Requires<Position>, Watches<Cable, Targeting>>>(0);
    ecs.add<Targeting>(all[0], {.target = all[6]});
    ecs.add<Cable>(all[1], {3, Link{}, all[7]});
    ecs.add<Targeting>(all[2], {.target = all[7]});
    ecs.add<Cable>(all[3], {3, all[6], Link{}});
    ecs.update();
    ecs.remove_entity(all[7]);
    ecs.remove_entity(all[6]);
    ecs.remove_marked();
    EXPECT_EQ(watcher.dirty(), (Ids{all[1], all[2], all[0], all[3]}));
}

TEST_F(Links, C15_on_remove_of_the_target_finds_what_refers_to_it) {
    auto& spy = ecs.add_system<Spy<Requires<Position>>>(0);
    Ids found;
    spy.at_remove = [&](Aspect& a) { found = linked(a.entity()); };
    ecs.add<Position>(all[0]);
    ecs.add<Targeting>(all[2], {.target = all[0]});
    ecs.remove_entity(all[0]);
    ecs.update();
    EXPECT_EQ(found, Ids{all[2]});
    EXPECT_EQ(ecs.get<Targeting>(all[2]).target, NONE);
}

TEST_F(Links, C15_descendants_that_are_removed_too_and_entities_that_refer_to_each_other) {
    ecs.set_parent(all[1], all[0]);
    ecs.add<Targeting>(all[2], {.target = all[1]});
    ecs.add<Targeting>(all[1], {.target = all[0]});
    ecs.add<Targeting>(all[0], {.target = all[0]});  // itself
    EXPECT_EQ(linked(all[0]), (Ids{all[0], all[1]}));
    ecs.remove_entity(all[0]);
    ecs.remove_marked();
    EXPECT_EQ(ecs.get<Targeting>(all[2]).target, NONE);
    EXPECT_EQ(ecs.storage<Targeting>().count(), 1u);
}

TEST_F(Links, C15_clear_resets_the_links_of_the_world) {
    auto& watcher = ecs.add_system<AimWatcher>(0);
    ecs.add<Targeting>(ECS::world(), {.target = all[0]});
    ecs.add<Cable>(ECS::world(), {.from = ECS::world(), .to = all[1]});
    EXPECT_EQ(linked(all[0]), Ids{ECS::world()});
    ecs.update();
    ecs.clear();
    EXPECT_EQ(ecs.get<Targeting>(ECS::world()).target, NONE);
    EXPECT_EQ(ecs.get<Cable>(ECS::world()).from, ECS::world());
    EXPECT_EQ(ecs.get<Cable>(ECS::world()).to, NONE);
    EXPECT_EQ(watcher.dirty(), Ids{ECS::world()});
    EXPECT_EQ(collected(ecs.linked(&Cable::from, ECS::world())), Ids{ECS::world()});
    const Entity again = ecs.add_entity();
    EXPECT_EQ(linked(again), Ids{});
}

TEST_F(Links, C15_K1_clear_leaves_a_link_of_the_world_to_an_entity_that_was_removed_before) {
    auto& watcher = ecs.add_system<AimWatcher>(0);
    const Entity dead = all[0];
    ecs.remove_entity(dead);
    ecs.remove_marked();
    ecs.add<Targeting>(ECS::world(), {.target = dead});
    ecs.update();
    ecs.clear();
    EXPECT_EQ(ecs.get<Targeting>(ECS::world()).target, dead);
    EXPECT_EQ(watcher.dirty(), Ids{});
}

TEST_F(Links, C15_K1_clear_resets_a_link_of_the_world_to_an_entity_that_a_callback_has_created) {
    auto& spy = ecs.add_system<Spy<Requires<Position>>>(0);
    ecs.add<Position>(all[0]);
    ecs.add<Targeting>(ECS::world());
    spy.at_remove = [&](Aspect&) {
        ecs.modify<Targeting>(ECS::world(), [&](Targeting& t) { t.target = ecs.add_entity(); });
    };
    ecs.clear();
    EXPECT_EQ(ecs.get<Targeting>(ECS::world()).target, NONE);
}

TEST_F(Links, C15_N1_N2_a_snapshot_contains_a_link_to_an_entity_that_does_not_exist) {
    const Entity dead = all[7];
    ecs.remove_entity(dead);
    ecs.remove_marked();
    ecs.add<Targeting>(all[2], {.target = dead});
    ecs.add<Targeting>(ECS::world(), {.target = dead});
    const std::vector<std::byte> saved = snapshot(ecs);
    ECS other;
    static_cast<void>(other.storage<Targeting>());
    restore(other, saved);
    EXPECT_EQ(other.get<Targeting>(all[2]).target, dead);
    EXPECT_EQ(other.get<Targeting>(ECS::world()).target, dead);
    EXPECT_EQ(snapshot(other), saved);
}

TEST_F(Links, C15_a_handle_that_is_used_again_has_no_links_of_the_one_before) {
    ecs.add<Targeting>(all[2], {.target = all[7]});
    EXPECT_EQ(linked(all[7]), Ids{all[2]});
    ecs.remove_entity(all[7]);
    ecs.remove_marked();
    ecs.storage<Targeting>().at(0).target = all[7];  // stale
    ecs.dirty<Targeting>(all[2]);
    const Entity again = ecs.add_entity();
    ASSERT_EQ(index_of(again), index_of(all[7]));
    EXPECT_EQ(linked(again), Ids{});
    EXPECT_EQ(linked(all[7]), Ids{}) << "a stale handle has none (rule E5)";
    EXPECT_EQ(linked(NONE), Ids{});
}

TEST_F(Links, C15_several_link_fields_are_named) {
    ecs.add<Cable>(all[2], {.from = all[0], .to = all[1]});
    ecs.add<Cable>(all[3], {.from = all[1], .to = all[1]});
    EXPECT_EQ(collected(ecs.linked(&Cable::from, all[1])), Ids{all[3]});
    EXPECT_EQ(collected(ecs.linked(&Cable::to, all[1])), (Ids{all[2], all[3]}));
    EXPECT_ERROR(ecs.linked<Cable>(all[0]), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.linked<Position>(all[0]), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.linked(&Undescribed::target, all[0]), ErrorCode::bad_argument);
    ecs.remove_entity(all[1]);
    ecs.remove_marked();
    EXPECT_EQ(ecs.get<Cable>(all[3]), (Cable{}));
    EXPECT_EQ(ecs.get<Cable>(all[2]).from, all[0]);
}

TEST_F(Links, C15_a_field_is_found_by_its_name_also_an_element_of_an_array) {
    struct Bridge {
        std::array<Link, 2> ends{};
    };
    describe_component<Bridge>("Bridge").field("ends", &Bridge::ends);
    ecs.add<Bridge>(all[2], {{all[0], all[1]}});
    ecs.add<Bridge>(all[3], {{all[1], all[0]}});
    const ECS& constant = ecs;
    EXPECT_EQ(collected(constant.linked<Bridge>("ends0", all[0])), Ids{all[2]});
    EXPECT_EQ(collected(constant.linked<Bridge>("ends1", all[0])), Ids{all[3]});
    ecs.add<Cable>(all[4], {.from = all[0], .to = all[1]});
    EXPECT_EQ(collected(constant.linked<Cable>("to", all[1])), Ids{all[4]});
    EXPECT_EQ(collected(constant.linked(&Cable::from, all[0])), Ids{all[4]});
    for (const char* wrong : {"ends", "length", ""}) {
        EXPECT_ERROR(constant.linked<Bridge>(wrong, all[0]), ErrorCode::bad_argument);
        EXPECT_ERROR(constant.linked<Cable>(wrong, all[0]), ErrorCode::bad_argument);
    }
}

TEST_F(Links, C15_X1_the_message_for_a_class_without_a_description_says_how_to_describe_it) {
    try {
        static_cast<void>(ecs.linked<Undescribed>(all[0]));
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what())
                      .find("describe_component<Undescribed>(\"Undescribed\").field(\"name\", &Undescribed::name)"),
                  std::string::npos)
            << error.what();
    }
}

TEST_F(Links, C15_T4_any_change_is_allowed_while_linked_is_iterated) {
    for (const std::size_t k : {2u, 3u, 4u, 5u}) ecs.add<Targeting>(all[k], {.target = all[0]});
    Ids visited;
    for (const Entity e : ecs.linked<Targeting>(all[0])) {
        visited.push_back(e);
        if (e == all[2]) ecs.remove<Targeting>(all[3]);
        if (e == all[2]) ecs.set<Targeting>(all[4], {.target = all[1]});
        ecs.add<Targeting>(all[6], {.target = all[0]});
    }
    EXPECT_EQ(visited, (Ids{all[2], all[5]}));
}

TEST_F(Links, C15_what_refers_to_the_entity_at_the_beginning_and_again_when_it_is_its_turn_is_visited) {
    for (const std::size_t k : {2u, 3u, 4u}) ecs.add<Targeting>(all[k], {.target = all[0]});
    Ids visited;
    for (const Entity e : ecs.linked<Targeting>(all[0])) {
        visited.push_back(e);
        if (e != all[2]) continue;
        ecs.remove<Targeting>(all[3]);
        ecs.add<Targeting>(all[3], {.target = all[0]});
        ecs.set<Targeting>(all[4], {.target = NONE});
        ecs.set<Targeting>(all[4], {.target = all[0]});
    }
    EXPECT_EQ(visited, (Ids{all[2], all[3], all[4]}));
}

TEST(LinkIndex, C15_a_random_sequence_of_changes_equals_a_search_of_all_components) {
    for (const Policy policy : {Policy::sparse, Policy::linear}) {
        ECS ecs;
        const ComponentId id = registry::add_stored("Stored", {{"a", FieldType::u8}, {"to", FieldType::link}}, policy);
        const DynamicEcs by_id = ecs.by_id();
        std::mt19937 random(policy == Policy::linear ? 7 : 8);
        const auto number = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
        Ids living;
        std::map<Entity, Entity> model;
        for (int step = 0; step < 20'000; ++step) {
            const std::size_t what = number(10);
            const auto any = [&] { return living.empty() ? ECS::world() : living[number(living.size())]; };
            std::array<std::uint64_t, 2> packed{1, static_cast<std::uint32_t>(any())};
            const Entity e = any();
            if (what < 3 && living.size() < 60) living.push_back(ecs.add_entity());
            else if (what < 6) {
                by_id.add(e, id, reinterpret_cast<const std::byte*>(packed.data()));
                model[e] = Entity{static_cast<std::uint32_t>(packed[1])};
            } else if (what < 7) {
                by_id.remove(e, id);
                model.erase(e);
            } else if (what < 8 && e != ECS::world()) {
                Ids gone{e, any(), any()};
                std::erase(gone, ECS::world());
                ecs.remove_entities(gone);
                ecs.remove_marked();
                for (const Entity g : gone) {
                    std::erase(living, g);
                    model.erase(g);
                    for (auto& [source, target] : model)
                        if (target == g) target = NONE;
                }
            } else if (what < 9 && model.contains(e)) {  // as a setter of a language binding
                const Storage& s = by_id.storage(id);
                const Entity to = any();
                std::memcpy(s.control().columns[1] + s.slot(e) * sizeof(to), &to, sizeof(to));
                queue_mark(ecs, id, e);
                model[e] = to;
            } else if (step % 997 == 0) {
                ecs.clear();
                living.clear();
                std::erase_if(model, [](const auto& entry) { return entry.first != ECS::world(); });
                for (auto& [source, target] : model)
                    if (target != source) target = NONE;
            }
            const Entity target = any();
            Ids expected;
            for (const auto& [source, to] : model)
                if (to == target) expected.push_back(source);
            std::sort(expected.begin(), expected.end(), [](Entity a, Entity b) { return index_of(a) < index_of(b); });
            ASSERT_EQ(by_id.linked(id, 1, target), expected) << "step " << step;
            const Storage& s = by_id.storage(id);
            for (const auto& [source, to] : model) {
                Entity stored = NONE;
                std::memcpy(&stored, s.control().columns[1] + s.slot(source) * sizeof(to), sizeof(to));
                ASSERT_EQ(stored, to) << "step " << step;
            }
        }
    }
}

namespace {
std::vector<std::uint32_t> read(internal::ChangeList& changes, internal::ChangeList::Time& since) {
    std::vector<std::uint32_t> all;
    since = changes.read(since, [&](std::uint32_t index) {
        all.push_back(index);
        return true;
    });
    return all;
}
}  // namespace

TEST(ChangeList, C15_each_reader_reads_what_changed_since_it_last_read_the_last_change_first) {
    internal::ChangeList changes;
    for (std::uint32_t index = 0; index < 10; ++index) changes.reserve(index);
    internal::ChangeList::Time first = 0;
    internal::ChangeList::Time second = 0;
    for (const std::uint32_t index : {3u, 5u, 3u, 0u}) changes.add(index);
    EXPECT_EQ(read(changes, first), (std::vector<std::uint32_t>{0, 5, 3}));
    EXPECT_EQ(read(changes, first), std::vector<std::uint32_t>{});
    changes.add(5);
    EXPECT_EQ(read(changes, second), (std::vector<std::uint32_t>{5, 0, 3}));
    EXPECT_EQ(read(changes, first), std::vector<std::uint32_t>{5});
    EXPECT_EQ(read(changes, second), std::vector<std::uint32_t>{});
}

TEST(ChangeList, C15_a_reader_that_was_silent_for_an_era_reads_everything) {
    internal::ChangeList changes(std::uint32_t{0} - 2);
    for (std::uint32_t index = 0; index < 10; ++index) changes.reserve(index);
    internal::ChangeList::Time silent = 2;  // the second time of all
    internal::ChangeList::Time other = 0;
    for (const std::uint32_t index : {5u, 6u, 7u, 8u}) {
        changes.add(index);
        read(changes, other);
    }
    EXPECT_TRUE(changes.added_since(5, silent));
    EXPECT_EQ(read(changes, silent), (std::vector<std::uint32_t>{8, 7, 6, 5}));
    EXPECT_EQ(read(changes, silent), std::vector<std::uint32_t>{});
    EXPECT_FALSE(changes.added_since(5, silent));
}

// Random readers compare what they read with a model, also when old entries are dropped, and when the times begin anew.
TEST(ChangeList, C15_random_readers) {
    using internal::ChangeList;
    for (const std::uint32_t start : {std::uint32_t{1}, std::uint32_t{0} - 300}) {
        ChangeList changes(start);
        std::mt19937 random(start);
        std::uint32_t size = 8;
        for (std::uint32_t index = 0; index < size; ++index) changes.reserve(index);
        struct Reader {
            ChangeList::Time since = 0;
            std::vector<std::uint32_t> model{};  // the last change last
            std::set<std::uint32_t> signaled{};
        };
        std::vector<Reader> readers(4);
        for (int step = 0; step < 20'000; ++step) {
            if (random() % 2000 == 0) {
                for (const std::uint32_t before = size; size < 2 * before; ++size) changes.reserve(size);
            }
            const auto index = static_cast<std::uint32_t>(random()) % size;
            const auto kind = static_cast<ChangeList::Kind>(random() % 3);
            changes.add(index, kind);
            for (Reader& reader : readers) {
                if (kind != ChangeList::Kind::place) reader.signaled.insert(index);
                if (std::find(reader.model.begin(), reader.model.end(), index) == reader.model.end())
                    reader.model.push_back(index);
            }
            for (Reader& reader : readers) {
                if (random() % (8 * (1 + static_cast<std::size_t>(&reader - readers.data()))) != 0) continue;
                const ChangeList::Time before = reader.since;
                std::vector<std::uint32_t> all = read(changes, reader.since);
                std::sort(all.begin(), all.end());
                std::sort(reader.model.begin(), reader.model.end());
                // When an era begins, one reads everything.
                const bool anew = reader.since >> 32U != before >> 32U;
                ASSERT_TRUE(anew ? std::includes(all.begin(), all.end(), reader.model.begin(), reader.model.end())
                                 : all == reader.model)
                    << "step " << step;
                for (const std::uint32_t each : reader.model) {
                    const bool known = !anew && before != 0;
                    ASSERT_TRUE(!known || changes.signaled_since(each, before) == reader.signaled.contains(each));
                }
                reader.model.clear();
                reader.signaled.clear();
            }
        }
    }
}
