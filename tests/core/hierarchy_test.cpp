// Parents and children, and the dirty sets that follow from them (rules H1 to H4, D12, D13).
#include <algorithm>
#include <map>
#include <random>
#include <ranges>
#include <set>

#include "world.hpp"

using namespace test;

namespace {

/// Tracks positions; a position makes its entity and the descendants dirty, a velocity only the descendants.
struct Transforms final : Recorder {
    Transforms() {
        require<Position>();
        watch<Position>();
        watch_ancestors<Position, Velocity>();
    }
    Ids top_down() { return iterate(dirty_set().top_down()); }
};

/// Reads the health of parents, and watches the velocity of ancestors.
struct ReadsParents : Recorder {
    explicit ReadsParents(bool from_ancestors = true) {
        require<Position>(parent<const Health>);
        if (from_ancestors) watch_ancestors<Velocity>();
        else watch<Velocity>();
    }
};

[[nodiscard]] Ids children(ECS& ecs, Entity e) {
    Ids all;
    for (const Entity child : ecs.children(e)) all.push_back(child);
    return all;
}
[[nodiscard]] std::set<Entity> unordered(const Ids& ids) { return {ids.begin(), ids.end()}; }

struct Tree : testing::Test {
    ECS ecs;
    Ids all = ecs.add_entities(7);  // 0 with 1 and 2; 1 with 3 and 4; 4 with 5; 6 alone
    Tree() {
        for (const Entity e : all) ecs.add<Position>(e);
        for (const auto& [child, parent] : {std::pair{1, 0}, {2, 0}, {3, 1}, {4, 1}, {5, 4}}) set(child, parent);
    }
    void set(int child, int parent) { ecs.set_parent(at(child), at(parent)); }
    [[nodiscard]] Entity at(int i) const { return i < 0 ? NONE : all[static_cast<std::size_t>(i)]; }
    [[nodiscard]] Ids list(std::initializer_list<int> numbers) const {
        Ids ids;
        for (const int i : numbers) ids.push_back(at(i));
        return ids;
    }
    Transforms& add_clean() {
        auto& system = ecs.add_system<Transforms>(0);
        ecs.update();
        return system;
    }
};

}  // namespace

TEST_F(Tree, H1_an_entity_has_a_parent_and_children_in_their_order) {
    EXPECT_EQ(ecs.parent(at(4)), at(1));
    EXPECT_EQ(ecs.parent(at(0)), NONE);
    EXPECT_EQ(ecs.parent(at(6)), NONE);
    EXPECT_EQ(children(ecs, at(0)), list({1, 2}));
    EXPECT_EQ(children(ecs, at(6)), Ids{});
    ecs.set_parent(at(6), at(0), at(2));
    EXPECT_EQ(children(ecs, at(0)), list({1, 6, 2}));
    ecs.set_parent(at(1), at(0));
    EXPECT_EQ(children(ecs, at(0)), list({6, 2, 1})) << "without `before`, it becomes the last child";
    ecs.set_parent(at(2), at(0), at(6));
    EXPECT_EQ(children(ecs, at(0)), list({2, 6, 1}));
    ecs.set_parent(at(4), at(6));
    EXPECT_EQ(children(ecs, at(1)), list({3}));
    EXPECT_EQ(children(ecs, at(6)), list({4}));
    EXPECT_EQ(children(ecs, at(4)), list({5})) << "it keeps its children";
    ecs.set_parent(at(4), NONE);
    EXPECT_EQ(ecs.parent(at(4)), NONE);
    EXPECT_EQ(children(ecs, at(6)), Ids{});
    ecs.set_parent(at(4), NONE);
}

TEST_F(Tree, H1_E10_none_as_the_parent_of_the_world_has_no_effect) {
    ecs.set_parent(at(0), ecs.world());
    ecs.set_parent(ecs.world(), NONE);
    EXPECT_EQ(ecs.parent(ecs.world()), NONE);
    EXPECT_EQ(ecs.parent(at(0)), ecs.world());
    EXPECT_FALSE(ecs.has<Parent>(ecs.world()));
}

TEST_F(Tree, H1_an_error_changes_nothing) {
    const Entity stale = ecs.add_entity();
    ecs.remove_entity(stale);
    ecs.remove_marked();
    EXPECT_ERROR(ecs.set_parent(at(0), at(0)), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.set_parent(at(0), at(5)), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.set_parent(at(1), at(4)), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.set_parent(at(6), at(0), at(3)), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.set_parent(at(6), at(0), at(6)), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.set_parent(at(6), NONE, at(1)), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.set_parent(ecs.world(), at(0)), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.set_parent(stale, at(0)), ErrorCode::stale_entity);
    EXPECT_ERROR(ecs.set_parent(at(6), stale), ErrorCode::stale_entity);
    EXPECT_ERROR(ecs.set_parent(at(6), at(0), stale), ErrorCode::stale_entity);
    EXPECT_EQ(children(ecs, at(0)), list({1, 2}));
    EXPECT_EQ(children(ecs, at(1)), list({3, 4}));
    EXPECT_EQ(ecs.parent(at(6)), NONE);
    EXPECT_EQ(ecs.query<Parent>().count(), 5u);
}

TEST_F(Tree, H1_children_can_change_during_an_iteration) {
    Ids visited;
    for (const Entity child : ecs.children(at(1))) {
        visited.push_back(child);
        ecs.set_parent(child, NONE);
        if (child == at(3)) ecs.set_parent(at(6), at(1));
    }
    EXPECT_EQ(visited, list({3, 4})) << "a child that was added is not visited";
    EXPECT_EQ(children(ecs, at(1)), list({6}));
    ecs.set_parent(at(6), NONE);

    visited.clear();
    for (const Entity child : ecs.children(at(0))) {
        visited.push_back(child);
        if (child == at(1)) ecs.set_parent(at(2), at(1));
    }
    EXPECT_EQ(visited, list({1})) << "a child that was removed is not visited";
    static_assert(std::ranges::input_range<Children>);
    EXPECT_EQ(std::ranges::distance(ecs.children(at(1))), 1);

    for (const int i : {3, 4, 6}) set(i, 1);
    visited.clear();
    for (const Entity child : ecs.children(at(1))) {
        visited.push_back(child);
        ecs.set_parent(child, at(1));  // becomes the last one
        ecs.set_parent(ecs.add_entity(), at(1));
        if (child == at(3)) ecs.set_parent(at(6), NONE);  // was the last one
    }
    EXPECT_EQ(visited, list({2, 3, 4}));
    visited.clear();
    for (const Entity child : ecs.children(at(0))) {
        visited.push_back(child);
        if (child == at(1)) ecs.set_parent(child, NONE);
        ecs.set_parent(ecs.add_entity(), at(0));
    }
    EXPECT_EQ(visited, list({1})) << "the only one, which was removed";
    set(1, 0);
    const Ids many = children(ecs, at(1));
    for (const Entity e : many) {
        if (e != at(2)) ecs.set_parent(e, NONE);
    }
    for (const Entity child : ecs.children(at(1))) {
        EXPECT_EQ(child, at(2));
        ecs.clear();
    }
}

TEST_F(Tree, E2_a_range_of_children_is_empty_after_the_parent_was_removed) {
    ecs.set_parent(at(6), at(3));
    const Children range = ecs.children(at(3));
    ecs.remove_entity(at(3));
    ecs.remove_marked();
    for (const Entity parent : ecs.add_entities(2)) ecs.set_parent(ecs.add_entity(), parent);  // one has its index
    EXPECT_EQ(std::ranges::distance(range), 0);
}

TEST_F(Tree, H1_the_first_child_and_whether_there_is_one) {
    const Entity parent = ecs.add_entity();
    const Children range = ecs.children(parent);
    EXPECT_TRUE(range.empty());
    EXPECT_EQ(range.front(), NONE);
    const Entity last = ecs.add_entity();
    const Entity first = ecs.add_entity();
    ecs.set_parent(last, parent);
    ecs.set_parent(first, parent, last);
    EXPECT_FALSE(range.empty());
    EXPECT_EQ(range.front(), first);
    ecs.remove_entity(parent);
    ecs.remove_marked();
    EXPECT_TRUE(range.empty());
    EXPECT_TRUE(ecs.children(NONE).empty());
}

TEST_F(Tree, H2_removing_an_entity_removes_its_descendants_ancestors_first) {
    auto& spy = ecs.add_system<Spy<Requires<Position>>>(0);
    ecs.remove_entity(at(6));
    ecs.remove_entity(at(1));
    ecs.update();
    EXPECT_EQ(spy.removed, list({6, 1, 3, 4, 5}));
    EXPECT_EQ(children(ecs, at(0)), list({2}));
    EXPECT_EQ(ecs.count(), 2u);
}

TEST_F(Tree, H2_descendants_are_removed_without_callbacks_too) {
    ecs.remove_entity(at(0));
    ecs.remove_marked();
    EXPECT_EQ(ecs.count(), 1u);
    EXPECT_TRUE(ecs.alive(at(6)));
    EXPECT_EQ(ecs.query<Parent>().count(), 0u);
    const Ids again = ecs.add_entities(6);
    for (const Entity e : again) EXPECT_EQ(ecs.parent(e), NONE) << "nothing is left of the old entity of this index";
}

TEST_F(Tree, H2_an_entity_that_has_lost_its_parent_stays) {
    ecs.remove_entity(at(1));
    ecs.set_parent(at(4), at(6));
    ecs.update();
    EXPECT_FALSE(ecs.alive(at(3)));
    EXPECT_TRUE(ecs.alive(at(4)) && ecs.alive(at(5)));
    EXPECT_EQ(ecs.parent(at(4)), at(6));
}

TEST_F(Tree, H2_H3_a_child_of_a_removed_entity_has_Parent_and_is_removed_though_it_gets_another_parent) {
    auto& spy = ecs.add_system<Spy<Requires<Position>>>(0);
    int seen = 0;
    spy.at_remove = [&](Aspect& aspect) {
        if (aspect.entity() != at(3)) return;
        ++seen;
        EXPECT_TRUE(ecs.has<Parent>(at(3)));
        EXPECT_EQ(ecs.parent(at(3)), NONE);
        ecs.set_parent(at(4), at(6));
    };
    ecs.remove_entity(at(1));
    ecs.update();
    EXPECT_EQ(seen, 1);
    EXPECT_FALSE(ecs.alive(at(4)));
    EXPECT_TRUE(children(ecs, at(6)).empty());
}

TEST_F(Tree, H2_children_that_a_callback_adds_are_removed_too) {
    auto& spy = ecs.add_system<Spy<Requires<Position>>>(0);
    spy.at_remove = [&](Aspect& aspect) {
        if (aspect.entity() == at(1)) ecs.set_parent(at(6), at(1));
    };
    ecs.remove_entity(at(1));
    ecs.update();
    EXPECT_EQ(unordered(spy.removed), unordered(list({1, 3, 4, 5, 6})));
    EXPECT_EQ(ecs.count(), 2u);
}

TEST_F(Tree, H2_children_that_a_callback_adds_to_another_marked_entity_are_removed_too) {
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    const Entity first = ecs.add_entity(Health{});
    const Entity second = ecs.add_entity();  // no system is notified of its removal
    spy.at_remove = [&](Aspect&) { ecs.set_parent(at(0), second); };
    ecs.remove_entities(Ids{first, second});
    ecs.update();
    EXPECT_EQ(ecs.count(), 1u);
    EXPECT_TRUE(ecs.alive(at(6)));
}

TEST(Hierarchy, H2_an_entity_with_the_index_of_a_removed_one_keeps_its_children) {
    ECS ecs;
    auto& spy = ecs.add_system<Spy<Requires<Health>>>(0);
    const Entity child = ecs.add_entity();
    Ids marked;
    for (int i = 0; i < 3; ++i) marked.push_back(ecs.add_entity(Health{}));
    Entity parent = NONE;
    spy.at_remove = [&](Aspect& aspect) {
        if (aspect.entity() != marked[1]) return;
        parent = ecs.add_entity();
        ecs.set_parent(child, parent);
    };
    ecs.remove_entities(marked);
    ecs.update();
    EXPECT_EQ(index_of(parent), index_of(marked[0]));
    EXPECT_TRUE(ecs.alive(child));
    EXPECT_EQ(ecs.parent(child), parent);
}

TEST_F(Tree, H3_systems_require_and_watch_parents) {
    auto& spy = ecs.add_system<Spy<Requires<Parent>, Watches<Parent>>>(0);
    EXPECT_EQ(unordered(spy.tracking()), unordered(list({1, 2, 3, 4, 5})));
    ecs.update();
    ecs.set_parent(at(6), at(3));
    EXPECT_EQ(spy.added.back(), at(6));
    ecs.set_parent(at(4), at(0));
    EXPECT_EQ(spy.dirty(), list({6, 4}));
    EXPECT_EQ(ecs.get<Parent>(at(4)).entity(), at(0));
    ecs.update();
    ecs.set_parent(at(4), at(0), at(1));
    EXPECT_EQ(spy.dirty(), Ids{}) << "only the order of the children is another one";
    Entity seen = NONE;
    spy.at_remove = [&](Aspect& aspect) {
        seen = aspect.get<Parent>().entity();
        EXPECT_EQ(ecs.parent(aspect.entity()), NONE);
    };
    ecs.set_parent(at(4), NONE);
    EXPECT_EQ(seen, at(0));
}

TEST_F(Tree, H3_only_set_parent_writes_a_parent) {
    EXPECT_ERROR(ecs.by_id().add(at(6), PARENT_ID, nullptr), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.remove<Parent>(at(1)), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.remove<Parent>(all), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.add<Parent>(at(6)), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.set<Parent>(at(1), {}), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.modify<Parent>(at(1), [](Parent& parent) { parent = {}; }), ErrorCode::bad_argument);
    EXPECT_EQ(ecs.get<Parent>(at(1)).entity(), at(0));
    EXPECT_ERROR(ecs.add(std::span(std::as_const(all)), std::span<const Parent>(std::vector<Parent>(1))),
                 ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.add_entity(Parent{}), ErrorCode::bad_argument);
    EXPECT_ERROR(ecs.prefab(Parent{}).spawn(), ErrorCode::bad_argument);
    EXPECT_EQ(ecs.count(), 7u);
    EXPECT_FALSE(ecs.has<Parent>(at(6)));
}

TEST_F(Tree, H3_clear_removes_the_hierarchy) {
    ecs.clear();
    all = ecs.add_entities(7);
    for (const Entity e : all) EXPECT_EQ(ecs.parent(e), NONE);
    set(1, 0);
    EXPECT_EQ(children(ecs, at(0)), list({1}));
}

TEST(Hierarchy, H4_a_chain_of_100000_entities) {
    ECS ecs;
    auto& system = ecs.add_system<Transforms>(0);
    const Ids all = ecs.add_entities(100'000);
    for (const Entity e : all) ecs.add<Position>(e);
    for (std::size_t i = 1; i < all.size(); ++i) ecs.set_parent(all[i], all[i - 1]);
    ecs.update();
    for (auto e = all.rbegin(); e != all.rend(); ++e) ecs.dirty<Position>(*e);
    EXPECT_EQ(system.top_down(), all) << "a signal of each costs as much as one at the root";
    ecs.update();
    ecs.dirty<Position>(all[0]);
    EXPECT_EQ(system.dirty(), all);
    ecs.remove_entity(all[0]);
    ecs.update();
    EXPECT_EQ(ecs.count(), 0u);
}

TEST(Hierarchy, H1_a_subtree_of_10000_entities_moves_at_once) {
    ECS ecs;
    const Ids all = ecs.add_entities(10'002);
    for (std::size_t i = 1; i <= 10'000; ++i) ecs.set_parent(all[i], all[(i - 1) / 3]);
    ecs.set_parent(all[0], all[10'001]);
    EXPECT_EQ(ecs.parent(all[0]), all[10'001]);
    EXPECT_ERROR(ecs.set_parent(all[10'001], all[10'000]), ErrorCode::bad_argument);
}

// --- dirty sets -----------------------------------------------------------------------------------

TEST_F(Tree, D13_a_signal_makes_the_descendants_dirty) {
    auto& system = add_clean();
    ecs.dirty<Position>(at(1));
    EXPECT_EQ(system.dirty(), list({1, 3, 4, 5}));
    ecs.update();
    ecs.add<Velocity>(at(1));
    EXPECT_EQ(system.dirty(), list({3, 4, 5})) << "the class is not watched, so its own signal does not count";
    ecs.update();
    ecs.remove<Velocity>(at(1));
    EXPECT_EQ(system.dirty(), list({3, 4, 5}));
    ecs.update();
    ecs.dirty<Position>(list({5, 4, 0}));
    EXPECT_EQ(unordered(system.dirty()), unordered(list({0, 1, 2, 3, 4, 5})));
    EXPECT_EQ(system.top_down().front(), at(0));
}

TEST_F(Tree, D13_an_ancestor_need_not_be_tracked) {
    auto& system = add_clean();
    ecs.remove<Position>(at(1));
    ecs.remove<Position>(at(4));
    ecs.update();
    ecs.add<Velocity>(at(0));
    EXPECT_EQ(system.dirty(), list({3, 5, 2}));
}

TEST_F(Tree, D13_another_parent_makes_the_subtree_dirty) {
    auto& system = add_clean();
    ecs.set_parent(at(1), at(6));
    EXPECT_EQ(system.dirty(), list({1, 3, 4, 5}));
    ecs.update();
    ecs.set_parent(at(4), NONE);
    EXPECT_EQ(system.dirty(), list({4, 5}));
    ecs.update();
    ecs.set_parent(at(3), at(1));
    EXPECT_EQ(system.dirty(), Ids{}) << "it is its parent already";
}

TEST_F(Tree, D13_adding_and_removing_what_is_read_from_parents_makes_their_subtrees_dirty) {
    auto& reads_parents = ecs.add_system<ReadsParents>(0);
    auto& other = ecs.add_system<ReadsParents>(0, false);
    const auto expect_dirty = [&](std::initializer_list<int> numbers) {
        EXPECT_EQ(unordered(reads_parents.dirty()), unordered(list(numbers)));
        EXPECT_EQ(other.dirty(), Ids{}) << "it watches no class from ancestors";
        ecs.update();
    };
    ecs.update();
    ecs.add(at(1), Health{1});
    EXPECT_EQ(reads_parents.dirty(), list({3, 4, 5})) << "parents first";
    expect_dirty({3, 4, 5});
    ecs.add(at(1), Health{2});
    expect_dirty({});  // it was replaced
    ecs.add(at(2), Health{1});
    expect_dirty({});  // it has no children
    ecs.remove<Health>(at(1));
    expect_dirty({3, 4, 5});
    ecs.add(at(4), Health{}, Name{});
    expect_dirty({5});
    ecs.add(at(4), Health{}, Name{});
    expect_dirty({});
    ecs.remove<Name, Health>(at(4));
    expect_dirty({5});
    ecs.add<Health>(list({2, 6, 4, 1}), Health{});
    expect_dirty({3, 4, 5});
    ecs.add<Health>(list({4, 0, 1}), Health{});
    expect_dirty({1, 2, 3, 4, 5});
    ecs.remove<Health>(list({6, 4, 2}));
    expect_dirty({5});
    ecs.remove_system(reads_parents);
    ecs.remove<Health>(at(0));
}

TEST_F(Tree, D13_a_mark_in_the_queue_reaches_the_descendants) {
    auto& system = add_clean();
    queue_mark(ecs, component_id<Position>(), at(3));
    queue_mark(ecs, component_id<Position>(), at(4));
    EXPECT_EQ(system.dirty(), list({3, 4, 5}));
}

TEST_F(Tree, D13_the_next_run_starts_again) {
    auto& system = add_clean();
    for (int i = 0; i < 3; ++i) {
        ecs.dirty<Position>(at(0));
        ecs.dirty<Position>(at(0));
        EXPECT_EQ(system.dirty().size(), 6u);
        ecs.update();
        EXPECT_EQ(system.dirty_at_update.size(), 6u);
        EXPECT_EQ(system.dirty().size(), 0u);
    }
}

TEST_F(Tree, D13_a_system_that_changes_descendants_loses_no_change) {
    auto& system = add_clean();
    std::map<Entity, float> seen;
    system.at_update = [&](double, auto&, DirtySet& dirty) {
        for (const Entity e : dirty.top_down()) {
            const Entity parent = ecs.parent(e);
            const float above = parent == NONE ? 0 : seen[parent];
            seen[e] = above + ecs.get<Position>(e).x;
        }
    };
    for (const Entity e : all) ecs.modify<Position>(e, [](Position& p) { p.x = 1; });
    ecs.update();
    EXPECT_EQ(seen[at(5)], 4);
    ecs.modify<Position>(at(4), [](Position& p) { p.x = 10; });
    ecs.modify<Position>(at(0), [](Position& p) { p.x = 100; });
    ecs.update();
    EXPECT_EQ(seen[at(5)], 112);
}

TEST_F(Tree, D13_top_down_does_not_disturb_other_iterations) {
    auto& system = add_clean();
    for (const Entity e : list({5, 3, 4, 1, 0})) ecs.dirty<Position>(e);
    Ids visited;
    for (const Entity e : system.dirty_set()) {
        visited.push_back(e);
        if (visited.size() != 2) continue;
        EXPECT_EQ(unordered(system.top_down()).size(), 6u);
    }
    EXPECT_EQ(visited.size(), 6u);
    EXPECT_EQ(unordered(visited).size(), 6u);
    EXPECT_EQ(system.top_down().front(), at(0));
}

TEST_F(Tree, D13_top_down_sorts_what_became_dirty_earlier_in_the_run_too) {
    auto& system = add_clean();
    ecs.dirty<Position>(at(4));
    Ids order;
    system.at_update = [&](double, auto&, DirtySet&) {
        ecs.set_parent(at(1), at(6));
        ecs.dirty<Position>(at(6));
        order = system.top_down();
    };
    ecs.update();
    EXPECT_EQ(order.front(), at(6));
    EXPECT_EQ(unordered(order), unordered(list({6, 1, 3, 4, 5})));
    EXPECT_LT(std::ranges::find(order, at(1)), std::ranges::find(order, at(4)));
    EXPECT_EQ(system.dirty(), Ids{});
}

TEST_F(Tree, D13_a_sorted_set_of_a_system_that_watches_no_ancestors_is_sorted_again) {
    auto& spy = ecs.add_system<Spy<Requires<Position>, Watches<Position>>>(0);
    EXPECT_EQ(iterate(spy.dirty_set().top_down()).front(), at(0));
    ecs.set_parent(at(0), at(6));
    EXPECT_EQ(iterate(spy.dirty_set().top_down()).front(), at(6));
}

TEST_F(Tree, D13_a_system_that_was_removed_does_not_count) {
    auto& system = add_clean();
    ecs.remove_system(system);
    ecs.dirty<Position>(at(0));
    ecs.set_parent(at(1), at(6));
    auto& other = add_clean();
    ecs.dirty<Position>(at(6));
    EXPECT_EQ(other.dirty().size(), 5u);
}

TEST_F(Tree, D12_keep_keeps_the_entity_for_the_next_run) {
    auto& system = add_clean();
    system.at_update = [&](double, auto&, DirtySet& dirty) {
        for (const Entity e : dirty) {
            if (e == at(3)) dirty.keep(e), dirty.keep(e);
        }
    };
    ecs.dirty<Position>(list({3, 6}));
    ecs.update();
    EXPECT_EQ(system.dirty(), list({3}));
    system.at_update = nullptr;
    ecs.update();
    EXPECT_EQ(system.dirty(), Ids{});
    EXPECT_ERROR(system.dirty_set().keep(at(3)), ErrorCode::bad_argument);
    ecs.dirty<Position>(at(3));
    system.dirty_set().keep(at(3));
    ecs.update();
    EXPECT_EQ(system.dirty(), Ids{}) << "outside of a run, it is in the set for the next one in any case";
}

TEST_F(Tree, D12_an_entity_that_is_not_tracked_any_more_is_not_kept) {
    auto& system = add_clean();
    system.at_update = [&](double, auto&, DirtySet& dirty) {
        dirty.keep(at(3));
        ecs.remove<Position>(at(3));
        ecs.remove<Position>(at(6));
    };
    ecs.dirty<Position>(list({6, 3}));
    ecs.update();
    EXPECT_EQ(system.dirty(), Ids{});
}

TEST_F(Tree, D12_leaving_the_set_ends_the_keeping) {
    auto& system = add_clean();
    system.at_update = [&](double, auto&, DirtySet& dirty) {
        dirty.keep(at(3));
        ecs.remove<Position>(at(3));
        ecs.add<Position>(at(3));
        EXPECT_EQ(iterate(dirty), list({3})) << "it is dirty again, and visited";
    };
    ecs.dirty<Position>(at(3));
    ecs.update();
    system.at_update = nullptr;
    EXPECT_EQ(system.dirty(), Ids{});
}

TEST_F(Tree, D12_an_entity_that_is_tracked_again_is_kept_once) {
    auto& system = add_clean();
    system.at_update = [&](double, auto&, DirtySet& dirty) {
        dirty.keep(at(3));
        ecs.remove<Position>(at(3));
        ecs.add<Position>(at(3));
    };
    ecs.dirty<Position>(at(3));
    ecs.update();
    system.at_update = nullptr;
    EXPECT_EQ(system.dirty(), list({3}));
    ecs.update();
    EXPECT_EQ(system.dirty(), Ids{});
}

TEST_F(Tree, D12_a_run_that_throws_keeps_all_once) {
    auto& system = add_clean();
    system.at_update = [&](double, auto&, DirtySet& dirty) {
        dirty.keep(at(3));
        throw Oops("update");
    };
    ecs.dirty<Position>(at(3));
    EXPECT_THROW(ecs.update(), Oops);
    EXPECT_EQ(system.dirty(), list({3}));
    system.at_update = nullptr;
    ecs.update();
    EXPECT_EQ(system.dirty(), Ids{});
}

// --- a model --------------------------------------------------------------------------------------

TEST(Hierarchy, D13_random_operations_agree_with_a_model) {
    for (unsigned seed = 1; seed <= 30; ++seed) {
        std::mt19937 random(seed);
        ECS ecs;
        auto& system = ecs.add_system<Transforms>(0);
        auto& reads_parents = ecs.add_system<ReadsParents>(0);
        std::set<Entity> read_dirty;  // of `reads_parents`
        Ids all = ecs.add_entities(40);
        std::map<Entity, Entity> parents;
        std::map<Entity, Ids> lists;  // the children
        std::set<Entity> dirty;
        std::set<Entity> tracked;
        const auto pick = [&] { return all[random() % all.size()]; };
        const auto is_above = [&](Entity above, Entity e) {
            for (; e != NONE; e = parents.contains(e) ? parents[e] : NONE) {
                if (e == above) return true;
            }
            return false;
        };
        const auto reach = [&](std::set<Entity>& reached, Entity from, bool itself) {
            for (const Entity e : tracked) {
                if (is_above(from, e) && (itself || e != from)) reached.insert(e);
            }
        };
        const auto signal = [&](Entity from, bool itself) { reach(dirty, from, itself); };
        for (int step = 0; step < 1500; ++step) {
            const Entity e = pick();
            SCOPED_TRACE(std::to_string(seed) + " " + std::to_string(step));
            switch (random() % 14) {
                case 0:
                case 1:
                case 2: {
                    const Entity parent = random() % 4 == 0 ? NONE : pick();
                    if (parent != NONE && is_above(e, parent)) {
                        EXPECT_ERROR(ecs.set_parent(e, parent), ErrorCode::bad_argument);
                        break;
                    }
                    const Entity before = parent == NONE || lists[parent].empty() || random() % 2 == 0
                                              ? NONE
                                              : lists[parent][random() % lists[parent].size()];
                    if (before == e) break;
                    ecs.set_parent(e, parent, before);
                    const Entity old = parents.contains(e) ? parents[e] : NONE;
                    if (old != NONE) std::erase(lists[old], e);
                    if (parent == NONE) {
                        parents.erase(e);
                    } else {
                        parents[e] = parent;
                        Ids& list = lists[parent];
                        list.insert(std::find(list.begin(), list.end(), before), e);
                    }
                    if (old != parent) signal(e, true), reach(read_dirty, e, true);
                    break;
                }
                case 3:
                case 4:
                case 5:
                    if (ecs.has<Position>(e)) ecs.dirty<Position>(e), signal(e, true);
                    break;
                case 6:
                    if (!ecs.has<Position>(e)) tracked.insert(e), read_dirty.insert(e);
                    ecs.add<Position>(e);
                    signal(e, true);
                    break;
                case 7:
                    if (random() % 3 != 0 || !ecs.remove<Position>(e)) break;
                    tracked.erase(e);
                    dirty.erase(e);
                    read_dirty.erase(e);
                    signal(e, false);
                    break;
                case 8:
                    if (ecs.has<Velocity>(e)) ecs.remove<Velocity>(e);
                    else ecs.add<Velocity>(e);
                    signal(e, false);
                    reach(read_dirty, e, false);
                    break;
                case 12: {
                    const bool had = ecs.has<Health>(e);
                    const bool removes = had && random() % 2 == 0;
                    if (removes) ecs.remove<Health>(e);
                    else ecs.add<Health>(e);
                    if (removes || !had) reach(read_dirty, e, false);
                    break;
                }
                case 9: {
                    if (random() % 8 != 0) break;
                    ecs.remove_entity(e);
                    ecs.remove_marked();
                    for (Entity& other : all) {
                        if (!is_above(e, other)) continue;
                        tracked.erase(other);
                        dirty.erase(other);
                        read_dirty.erase(other);
                    }
                    for (Entity& other : all) {
                        if (ecs.alive(other)) continue;
                        const Entity dead = other;
                        other = ecs.add_entity();
                        for (auto& [parent, list] : lists) std::erase(list, dead);
                        parents.erase(dead);
                    }
                    break;
                }
                case 10: {
                    const Ids order = system.top_down();
                    for (std::size_t i = 0; i < order.size(); ++i) {
                        for (std::size_t k = 0; k < i; ++k) ASSERT_FALSE(is_above(order[i], order[k]));
                    }
                    break;
                }
                default:
                    if (random() % 3 != 0) break;
                    ecs.update();
                    dirty.clear();
                    read_dirty.clear();
            }
            ASSERT_EQ(unordered(reads_parents.dirty()), read_dirty);
            ASSERT_EQ(unordered(system.dirty()), dirty);
            ASSERT_EQ(system.dirty().size(), dirty.size());
            for (const Entity parent : all) ASSERT_EQ(children(ecs, parent), lists[parent]);
        }
    }
}

TEST(Hierarchy, D13_top_down_visits_parents_before_children_when_entities_stop_being_tracked_meanwhile) {
    // Whatever the order in which the entities became dirty, and whichever is removed at whichever step.
    for (std::size_t seed = 0; seed < 2000; ++seed) {
        ECS world;
        struct Inheriting final : System<> {
            Inheriting() {
                require<Position>();
                watch<Position>();
                watch_ancestors<Position>();
            }
            void update(double, Entities&, Dirty& dirty) override {
                // Those that become dirty because of the removal follow at the end.
                const Ids at_first = copy(dirty.top_down().ids());
                Ids visited;
                for (const Entity e : dirty.top_down()) {
                    const bool is_new = std::find(at_first.begin(), at_first.end(), e) == at_first.end();
                    for (const Entity before : visited)
                        EXPECT_TRUE(ecs().parent(before) != e || is_new) << to_string(e);
                    visited.push_back(e);
                    if (visited.size() == step) ecs().remove<Position>(removed);
                }
            }
            std::size_t step = 0;
            Entity removed = NONE;
        };
        auto& system = world.add_system<Inheriting>(0);
        const Ids all = world.add_entities(9);
        for (const Entity e : all) world.add<Position>(e);
        std::uint64_t random = seed * 0x9E3779B97F4A7C15u + 1;
        const auto pick = [&](std::size_t n) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            return static_cast<std::size_t>((random >> 33) % n);
        };
        for (std::size_t i = 1; i < all.size(); ++i) world.set_parent(all[i], all[pick(i)]);
        system.step = 0;
        world.update();
        for (int n = 0; n < 4; ++n) world.dirty<Position>(all[pick(all.size())]);
        system.step = 1 + pick(6);
        system.removed = all[pick(all.size())];
        world.update();
    }
}
