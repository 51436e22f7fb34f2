// Taking and applying changes when allocations fail (rules N5, N6, X4).
#include <gtest/gtest.h>

#include <array>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "changes_world.hpp"
#include "crateful/ecs.hpp"
#include "failing_memory.hpp"

namespace crateful::test_changes {
namespace {

/// Entities with all kinds of components, and then all kinds of changes.
struct Story : Pair {
    std::vector<Entity> all;
    explicit Story(Channel channel = Channel::reliable) : Pair(channel) {
        for (int i = 0; i < 6; ++i) add(i);
        from.set_parent(all[1], all[0]);
        from.set_parent(all[2], all[0]);
        send();
    }
    void add(int i) {
        const Entity e = from.add_entity();
        from.add<Place>(e, {static_cast<float>(i), 1});
        from.add<Called>(e, {from.string("a name that is not short " + std::to_string(i))});
        from.add<Route>(e, {std::vector<std::uint8_t>(40, static_cast<std::uint8_t>(i))});
        if (i > 0) from.add<Chase>(e, {Link(all[0])});
        if (i > 1) from.add<Aim>(e, {all[1], {}});
        all.push_back(e);
    }
    void change() {
        for (int i = 6; i < 30; ++i) add(i);
        from.add<Life>(all[0], {1, true});
        from.add<Flag>(all[1]);
        from.remove<Place>(all[2]);
        from.remove<Route>(all[3]);
        from.modify<Route>(all[0], [](Route& route) { route.stops[7] = 200; });
        from.modify<Place>(all[3], [](Place& place) { place.y = 7; });
        from.modify<Aim>(all[4], [&](Aim& aim) { aim.at = all[20]; });
        from.set_parent(all[3], all[0], all[1]);
        from.set_parent(all[4], all[29]);
        from.set_parent(all[7], all[8]);
        from.remove_entity(all[1]);
        from.remove_entity(all[5]);
        from.remove_marked();
        std::erase_if(all, [&](Entity e) { return !from.alive(e); });
        for (int i = 30; i < 33; ++i) add(i);  // with the indices of those that were removed
    }
};

/// Calls it with one more allocation that succeeds each time, until it does not fail. Returns how often it failed.
template <class Call, class Verify>
int fail_each(bool once, const Call& call, const Verify& verify) {
    for (int n = 0;; ++n) {
        Story story;
        story.change();
        std::vector<std::byte> bytes;
        const bool failed = call(story, bytes, n, once);
        verify(story, bytes);
        if (!failed || testing::Test::HasFailure()) return n;
    }
}
template <class F>
bool fails(int n, bool once, F&& f) {
    bool failed = false;
    test::allocations_left = n;
    test::fails_once = once;
    try {
        f();
    } catch (const std::bad_alloc&) {
        failed = true;
    } catch (const Error&) {
        failed = true;
    }
    test::allocations_left = -1;
    test::fails_once = false;
    return failed;
}

struct Watching : System<> {
    std::set<Entity> seen;
    Watching() {
        require<Place>();
        watch<Place>();
    }
    void update(double, Entities&, Dirty& dirty) override {
        for (const Entity e : dirty) seen.insert(e);
    }
};

/// Its callbacks allocate nothing.
struct Calling : System<> {
    std::array<Entity, 100> known{};  // by index
    Calling() {
        known.fill(NONE);
        require<Place>(exclude<Flag>);
    }
    void on_add(Aspect& aspect) override { known.at(index_of(aspect.entity())) = aspect.entity(); }
    void on_remove(Aspect& aspect) override {
        EXPECT_EQ(known.at(index_of(aspect.entity())), aspect.entity());
        known.at(index_of(aspect.entity())) = NONE;
    }
    [[nodiscard]] bool right() {
        for (std::uint32_t i = 0; i < known.size(); ++i) {
            bool is_tracked = false;
            for (const Entity e : entities().ids()) is_tracked = is_tracked || (index_of(e) == i && known.at(i) == e);
            if (is_tracked != (known.at(i) != NONE)) return false;
        }
        return true;
    }
};

TEST(Replication, N5_X4_what_a_failing_take_has_not_returned_is_taken_later) {
    for (const bool once : {true, false}) {
        const int failures = fail_each(
            once,
            [](Story& story, std::vector<std::byte>& bytes, int n, bool only_one) {
                const bool failed = fails(n, only_one, [&] { bytes = story.receiver->take(); });
                EXPECT_EQ(failed, bytes.empty());
                return failed;
            },
            [](Story& story, std::vector<std::byte>& bytes) {
                if (bytes.empty()) bytes = story.receiver->take();
                story.replica->apply(bytes);
                EXPECT_TRUE(story.same(story.all));
                EXPECT_TRUE(story.receiver->take().empty());
            });
        EXPECT_GT(failures, 5);
    }
}

TEST(Replication, N6_X4_what_a_failing_apply_has_not_done_is_done_when_the_bytes_are_applied_again) {
    for (const bool once : {true, false}) {
        const int failures = fail_each(
            once,
            [](Story& story, std::vector<std::byte>& bytes, int n, bool only_one) {
                story.to.add_system<Watching>(0);
                story.to.add_system<Calling>(0);
                story.to.update();
                story.to.get_system<Watching>().seen.clear();
                bytes = story.receiver->take();
                return fails(n, only_one, [&] { story.replica->apply(bytes); });
            },
            [](Story& story, std::vector<std::byte>& bytes) {
                story.replica->apply(bytes);
                EXPECT_TRUE(story.same(story.all));
                story.to.update();
                EXPECT_TRUE(story.same(story.all));
                EXPECT_TRUE(story.to.get_system<Calling>().right());
                const std::set<Entity>& seen = story.to.get_system<Watching>().seen;
                EXPECT_TRUE(seen.contains(story.replica->entity(story.all[2]))) << "its component changed";
                EXPECT_TRUE(seen.contains(story.replica->entity(story.all[10]))) << "it was added";
                story.from.remove_entity(story.all[0]);
                story.from.remove_marked();
                std::erase_if(story.all, [&](Entity e) { return !story.from.alive(e); });
                story.send();
                EXPECT_TRUE(story.same(story.all)) << "the next changes arrive";
                EXPECT_EQ(story.to.count(), story.all.size()) << "and there are no others";
            });
        EXPECT_GT(failures, 20);
    }
}

TEST(Replication, N6_X4_an_entity_that_is_created_again_is_removed_first_when_the_bytes_are_applied_again) {
    for (int n = 0, failed = 1; failed > 0 && !testing::Test::HasFailure(); ++n) {
        failed = 0;
        Pair pair;
        const Entity e = pair.from.add_entity(Place{1, 2});
        pair.send();
        const Entity before = pair.replica->entity(e);
        pair.from.remove<Place>(e);  // it has no component of the classes for a time
        Receiver other = pair.changes->receiver();
        static_cast<void>(other.take());
        pair.from.add<Life>(e, {3, true});
        const std::vector<std::byte> bytes = pair.receiver->take();
        if (fails(n, true, [&] { pair.replica->apply(bytes); })) ++failed;
        pair.replica->apply(bytes);
        const Entity after = pair.replica->entity(e);
        EXPECT_NE(after, before) << n;
        EXPECT_FALSE(pair.to.alive(before)) << n;
        EXPECT_EQ(pair.replica->remote(after), e) << n;
        EXPECT_TRUE(pair.same({e})) << n;
        EXPECT_EQ(pair.to.count(), 1u) << n;
    }
}

TEST(Replication, N5_N6_X4_a_restart_that_fails_for_lack_of_memory_is_done_later) {
    for (const bool once : {true, false}) {
        int failures = 0;
        for (int n = 0, failed = 1; failed > 0 && !testing::Test::HasFailure(); ++n, failures += failed) {
            Story story;
            story.change();
            static_cast<void>(story.receiver->take());  // is lost
            story.to.add<Level>(story.replica->entity(story.all[0]), {3});
            story.to.set_parent(story.replica->entity(story.all[2]), story.replica->entity(story.all[3]));
            story.receiver->restart();
            failed = 0;
            std::vector<std::byte> bytes;
            if (fails(n, once, [&] { bytes = story.receiver->take(); })) ++failed;
            if (bytes.empty()) bytes = story.receiver->take();
            if (fails(n, once, [&] { story.replica->apply(bytes); })) ++failed;
            story.replica->apply(bytes);
            EXPECT_TRUE(story.same(story.all)) << n;
            EXPECT_TRUE(story.receiver->take().empty());
        }
        EXPECT_GT(failures, 20);
    }
}

TEST(LossyReplication, N5_N6_X4_what_fails_for_lack_of_memory_arrives_later) {
    for (const bool once : {true, false}) {
        for (int n = 0, failed = 1; failed > 0 && !testing::Test::HasFailure(); ++n) {
            Story story(Channel::lossy);
            const std::vector<std::byte> before = story.replica->acknowledgement();
            story.change();
            failed = 0;
            std::vector<std::byte> bytes;
            if (fails(n, once, [&] { bytes = story.receiver->take(); })) ++failed;
            if (fails(n, once, [&] { story.replica->apply(bytes); })) ++failed;
            if (fails(n, once, [&] { story.receiver->acknowledge(before); })) ++failed;
            const std::vector<std::byte> after = story.replica->acknowledgement();
            if (fails(n, once, [&] { story.receiver->acknowledge(after); })) ++failed;
            for (int k = 0; k < 100; ++k) {
                story.from.update();
                story.replica->apply(story.receiver->take());
                story.receiver->acknowledge(story.replica->acknowledgement());
            }
            EXPECT_TRUE(story.same(story.all)) << n;
            EXPECT_TRUE(story.receiver->take().empty());
        }
    }
}

}  // namespace
}  // namespace crateful::test_changes
