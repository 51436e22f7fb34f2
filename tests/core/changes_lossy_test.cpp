// Changes over a channel that loses, doubles and delays packets (rules N5, N6).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <vector>

#include "../../core/src/state/packet.hpp"
#include "changes_random.hpp"
#include "changes_world.hpp"
#include "crateful/changes.hpp"
#include "crateful/ecs.hpp"
#include "random_model.hpp"

namespace crateful::test_changes_lossy {
namespace {

using namespace test_changes;
using Bytes = std::vector<std::byte>;

/// A source, and a replica behind a lossy channel.
struct Lossy : Pair {
    Lossy() : Pair(Channel::lossy) {}
    Bytes take() {
        from.update();
        return receiver->take();
    }
    void arrive(const Bytes& bytes) {
        replica->apply(bytes);
        receiver->acknowledge(replica->acknowledgement());
    }
};

/// Gives an acknowledgement the checksum that its bytes have.
void repair(Bytes& bytes) {
    const std::uint32_t sum = internal::packet_checksum(std::span(bytes).first(16));
    std::memcpy(bytes.data() + 16, &sum, 4);
}

template <class F>
ErrorCode code_of(F&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.code();
    }
    return ErrorCode{};
}

TEST(LossyReplication, N5_what_was_lost_is_sent_again_when_later_bytes_have_arrived) {
    Lossy game;
    const Entity a = game.from.add_entity();
    game.from.add<Place>(a, {1, 2});
    static_cast<void>(game.take());  // lost
    const Entity b = game.from.add_entity();
    game.from.add<Place>(b, {3, 4});
    game.arrive(game.take());
    EXPECT_EQ(game.replica->entity(a), NONE);
    EXPECT_NE(game.replica->entity(b), NONE);
    game.arrive(game.take());
    ASSERT_NE(game.replica->entity(a), NONE);
    EXPECT_EQ(game.to.get<Place>(game.replica->entity(a)).y, 2);
    EXPECT_TRUE(game.take().empty());
}

TEST(LossyReplication, N5_what_is_in_flight_is_not_sent_again) {
    Lossy game;
    const Entity a = game.from.add_entity();
    game.from.add<Place>(a, {1, 2});
    const Bytes first = game.take();
    EXPECT_TRUE(game.take().empty());
    EXPECT_TRUE(game.take().empty());
    game.arrive(first);
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(game.take().empty());
}

TEST(LossyReplication, N5_a_change_is_sent_with_all_fields_that_were_not_acknowledged) {
    Lossy game;
    const Entity a = game.from.add_entity();
    game.from.add<Place>(a, {1, 2});
    game.arrive(game.take());
    game.from.modify<Place>(a, [](Place& p) { p.x = 5; });
    static_cast<void>(game.take());  // lost
    game.from.modify<Place>(a, [](Place& p) { p.y = 6; });
    game.arrive(game.take());
    EXPECT_EQ(game.to.get<Place>(game.replica->entity(a)).x, 5);
    EXPECT_EQ(game.to.get<Place>(game.replica->entity(a)).y, 6);
    EXPECT_TRUE(game.take().empty());
}

TEST(LossyReplication, N5_without_acknowledgements_everything_is_sent_again_later) {
    Lossy game;
    const Entity a = game.from.add_entity();
    game.from.add<Place>(a, {1, 2});
    static_cast<void>(game.take());  // lost
    Bytes again;
    int calls = 0;
    for (; again.empty() && calls < 1000; ++calls) again = game.take();
    ASSERT_FALSE(again.empty());
    EXPECT_GT(calls, 10);
    game.arrive(again);
    EXPECT_NE(game.replica->entity(a), NONE);
}

TEST(LossyReplication, N5_the_time_until_something_is_lost_follows_the_delay_of_the_acknowledgements) {
    Lossy game;
    const Entity a = game.from.add_entity();
    game.from.add<Place>(a, {});
    for (int k = 0; k < 200; ++k) {
        game.from.modify<Place>(a, [&](Place& p) { p.x = static_cast<float>(k + 1); });
        game.arrive(game.take());
    }
    game.from.modify<Place>(a, [](Place& p) { p.y = 7; });
    static_cast<void>(game.take());  // lost
    int calls = 1;
    while (game.take().empty()) ++calls;
    EXPECT_LT(calls, 6);
}

/// Loses one packet, and returns how many updates later it is sent again.
int updates_until_sent_again(Lossy& game) {
    const Entity e = game.from.add_entity();
    game.from.add<Place>(e, {1, 2});
    static_cast<void>(game.take());
    int updates = 1;
    Bytes again = game.take();
    for (; again.empty() && updates < 100'000; ++updates) again = game.take();
    game.arrive(again);
    EXPECT_NE(game.replica->entity(e), NONE);
    return updates;
}

TEST(LossyReplication, N5_acknowledgements_that_were_lost_are_no_longer_delay) {
    Lossy first;
    const int usual = updates_until_sent_again(first);
    Lossy game;
    game.from.add<Place>(game.from.add_entity(), {1, 2});
    for (int k = 0; k < 3600; ++k) {
        const Bytes bytes = game.take();
        if (!bytes.empty()) game.replica->apply(bytes);  // the acknowledgement is lost
    }
    Bytes bytes = game.take();
    while (bytes.empty()) bytes = game.take();
    game.arrive(bytes);
    EXPECT_LE(updates_until_sent_again(game), usual);
}

TEST(LossyReplication, N5_one_acknowledgement_that_is_very_late_is_forgotten_soon) {
    Lossy first;
    const int usual = updates_until_sent_again(first);
    Lossy game;
    game.from.add<Place>(game.from.add_entity(), {1, 2});
    game.replica->apply(game.take());
    const Bytes late = game.replica->acknowledgement();
    for (int k = 0; k < 3600; ++k) static_cast<void>(game.take());  // lost
    game.receiver->acknowledge(late);
    game.from.add<Place>(game.from.add_entity(), {3, 4});
    game.arrive(game.take());
    EXPECT_LT(updates_until_sent_again(game), 2 * usual);
}

TEST(LossyReplication, N5_a_removal_in_flight_is_not_sent_again_if_what_was_removed_changes) {
    Lossy game;
    Receiver near = game.changes->receiver(Selection::selected, Channel::lossy);
    Replica replica(game.to);
    const auto take = [&] {
        game.from.update();
        return near.take();
    };
    const Entity a = game.from.add_entity();
    game.from.add<Place>(a, {1, 2});
    near.select(a);
    replica.apply(take());
    near.acknowledge(replica.acknowledgement());
    near.deselect(a);
    ASSERT_FALSE(take().empty());  // lost
    game.from.modify<Place>(a, [](Place& p) { p.x = 5; });
    EXPECT_TRUE(take().empty());
    near.deselect(a);
    EXPECT_TRUE(take().empty());
    game.from.remove_entity(a);
    EXPECT_TRUE(take().empty());
    Bytes again;
    for (int k = 0; again.empty() && k < 1000; ++k) again = take();
    replica.apply(again);
    EXPECT_EQ(replica.entity(a), NONE);
}

TEST(LossyReplication, N5_a_removal_in_flight_is_not_sent_again_if_another_entity_was_there_meanwhile) {
    Lossy game;
    const Entity a = game.from.add_entity();
    game.from.add<Place>(a, {1, 2});
    game.arrive(game.take());
    game.from.remove_entity(a);
    const Bytes removed = game.take();
    ASSERT_FALSE(removed.empty());
    const Entity b = game.from.add_entity();
    ASSERT_EQ(index_of(b), index_of(a));
    game.from.add<Place>(b, {3, 4});
    Receiver other = game.changes->receiver();
    static_cast<void>(other.take());  // finds out that b exists
    game.from.remove_entity(b);
    EXPECT_TRUE(game.take().empty());
    game.arrive(removed);
    EXPECT_EQ(game.to.count(), 0u);
    EXPECT_TRUE(game.take().empty());
}

TEST(LossyReplication, N5_selecting_again_what_is_in_flight_sends_nothing) {
    Lossy game;
    Receiver near = game.changes->receiver(Selection::selected, Channel::lossy);
    const Entity a = game.from.add_entity();
    game.from.add<Place>(a, {1, 2});
    near.select(a);
    game.from.update();
    ASSERT_FALSE(near.take().empty());
    for (int k = 0; k < 5; ++k) {
        near.select(a);
        game.from.update();
        EXPECT_TRUE(near.take().empty());
    }
}

TEST(LossyReplication, N5_any_delay_of_the_acknowledgements_is_learned) {
    for (const std::size_t delay : {10u, 27u, 60u, 200u}) {
        Lossy game;
        for (int k = 0; k < 20; ++k) game.from.add<Place>(game.from.add_entity(), {1, 2});
        std::vector<Bytes> waiting;
        std::size_t sent = 0;
        for (std::size_t k = 0; k < 10 * delay; ++k) {
            const Bytes bytes = game.take();
            if (k > 5 * delay) sent += bytes.size();
            game.replica->apply(bytes);
            waiting.push_back(game.replica->acknowledgement());
            if (k >= delay) game.receiver->acknowledge(waiting[k - delay]);
        }
        EXPECT_EQ(sent, 0u) << delay;
    }
}

TEST(LossyReplication, N5_of_a_new_entity_that_always_changes_only_changes_are_sent_after_the_delay) {
    for (const std::size_t delay : {1u, 3u, 10u}) {
        Lossy game;
        const Entity e = game.from.add_entity();
        game.from.add<Place>(e, {1, 2});
        game.from.add<Called>(e, {game.from.string("a name that is sent with the entity only")});
        std::vector<Bytes> waiting;
        std::size_t last = 0;
        for (std::size_t k = 0; k < 5 * delay; ++k) {
            game.from.modify<Place>(e, [](Place& p) { p.x += 1; });
            const Bytes bytes = game.take();
            last = bytes.size();
            game.replica->apply(bytes);
            waiting.push_back(game.replica->acknowledgement());
            if (k >= delay) game.receiver->acknowledge(waiting[k - delay]);
        }
        EXPECT_LT(last, 40u) << delay;  // without the name
    }
}

TEST(LossyReplication, N5_taking_until_there_is_nothing_ends) {
    Lossy game;
    for (int k = 0; k < 25'000; ++k) game.from.add<Place>(game.from.add_entity(), {1, static_cast<float>(k)});
    int packets = 0;
    for (Bytes bytes = game.receiver->take(500); !bytes.empty(); bytes = game.receiver->take(500)) {
        game.replica->apply(bytes);
        ASSERT_LT(++packets, 10'000);
    }
    EXPECT_GT(packets, 1'024);
    EXPECT_EQ(game.to.count(), 25'000u);
}

TEST(LossyReplication, N6_late_and_doubled_bytes_have_no_effect) {
    Lossy game;
    const Entity a = game.from.add_entity();
    game.from.add<Place>(a, {1, 2});
    const Bytes created = game.take();
    game.arrive(created);
    game.from.modify<Place>(a, [](Place& p) { p.x = 3; });
    const Bytes changed = game.take();
    game.from.remove_entity(a);
    game.from.remove_marked();
    const Bytes removed = game.take();
    game.arrive(removed);
    EXPECT_EQ(game.replica->entity(a), NONE);
    game.arrive(changed);
    game.arrive(created);
    game.arrive(removed);
    EXPECT_EQ(game.replica->entity(a), NONE);
    EXPECT_EQ(game.to.count(), 0u);
    EXPECT_TRUE(game.take().empty());
}

TEST(LossyReplication, N6_an_entity_that_is_created_again_stays_the_same_and_loses_what_was_removed) {
    Lossy game;
    const Entity a = game.from.add_entity();
    game.from.add<Place>(a, {1, 2});
    game.from.add<Flag>(a, {});
    game.replica->apply(game.take());  // the acknowledgement is lost
    const Entity here = game.replica->entity(a);
    game.to.add<Life>(here, {});  // its own
    game.from.remove<Flag>(a);
    game.from.modify<Place>(a, [](Place& p) { p.x = 9; });
    game.arrive(game.take());
    EXPECT_EQ(game.replica->entity(a), here);
    EXPECT_FALSE(game.to.has<Flag>(here));
    EXPECT_TRUE(game.to.has<Life>(here));
    EXPECT_EQ(game.to.get<Place>(here).x, 9);
}

TEST(LossyReplication, N5_acknowledgements_are_checked) {
    Lossy game;
    Receiver other = game.changes->receiver(Selection::all, Channel::lossy);
    Receiver reliable = game.changes->receiver();
    const Entity a = game.from.add_entity();
    game.from.add<Place>(a, {1, 2});
    EXPECT_TRUE(game.replica->acknowledgement().empty());
    game.replica->apply(game.take());
    const Bytes good = game.replica->acknowledgement();
    ASSERT_EQ(good.size(), 20u);
    static_cast<void>(other.take());
    EXPECT_EQ(code_of([&] { other.acknowledge(good); }), ErrorCode::bad_data);
    EXPECT_EQ(code_of([&] { reliable.acknowledge(good); }), ErrorCode::bad_argument);
    EXPECT_NO_THROW(game.receiver->acknowledge({})) << "nothing has arrived";
    for (const std::size_t at : {4u, 8u}) {  // the newest packet, and another one, that were not sent
        Bytes bad = good;
        bad[at] = std::byte{3};
        EXPECT_EQ(code_of([&] { game.receiver->acknowledge(bad); }), ErrorCode::bad_data);
        repair(bad);
        EXPECT_EQ(code_of([&] { game.receiver->acknowledge(bad); }), ErrorCode::bad_data);
    }
    game.receiver->acknowledge(good);
    game.receiver->acknowledge(good);
    EXPECT_TRUE(game.take().empty());
}

TEST(LossyReplication, N5_N8_forged_acknowledgements_are_refused_or_have_no_other_effect) {
    std::mt19937 random(1);
    for (int round = 0; round < 50; ++round) {
        Lossy game;
        for (int k = 0; k < 100; ++k) {
            const Entity e = game.from.add_entity();
            game.from.add<Place>(e, {1, static_cast<float>(k)});
            const Bytes bytes = game.take();
            if (k % 3 != 0) game.replica->apply(bytes);
            Bytes forged = game.replica->acknowledgement();
            if (forged.empty()) continue;
            for (std::size_t n = random() % 4; n > 0; --n)
                forged[4 + random() % 12] = static_cast<std::byte>(random() % 3 == 0 ? random() : random() % 8);
            repair(forged);
            try {
                game.receiver->acknowledge(forged);
            } catch (const Error& error) {
                ASSERT_EQ(error.code(), ErrorCode::bad_data);
            }
        }
    }
}

TEST(LossyReplication, N6_bytes_of_both_kinds_of_channels_cannot_be_mixed) {
    Lossy game;
    Receiver reliable = game.changes->receiver();
    game.from.add<Place>(game.from.add_entity(), {1, 2});
    game.arrive(game.take());
    EXPECT_EQ(code_of([&] { game.replica->apply(reliable.take()); }), ErrorCode::bad_data);
}

// --- a model --------------------------------------------------------------------------------------

/// Loses and doubles a fifth of what it gets, and delays the rest.
class Link {
public:
    explicit Link(std::uint32_t seed) : random_(seed) {}
    void send(Bytes bytes) {
        if (bytes.empty() || below(5) == 0) return;
        const std::size_t due = time_ + below(6);
        if (below(5) == 0) waiting_.push_back({due + below(6), bytes});
        waiting_.push_back({due, std::move(bytes)});
    }
    template <class Arrive>
    void pass(Arrive&& arrive) {
        ++time_;
        for (std::size_t k = 0; k < waiting_.size();) {
            if (waiting_[k].due > time_) {
                ++k;
                continue;
            }
            const Bytes bytes = std::move(waiting_[k].bytes);
            waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(k));
            arrive(bytes);
        }
    }

private:
    struct Waiting {
        std::size_t due;
        Bytes bytes;
    };
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
    std::mt19937 random_;
    std::size_t time_ = 0;
    std::vector<Waiting> waiting_;
};

/// A receiver and its replica, with a link in each direction.
struct Client {
    Client(Changes& changes, Selection selection, std::size_t most, std::uint32_t seed)
        : receiver(changes.receiver(selection, Channel::lossy)),
          replica(ecs),
          limit(most),
          there(seed),
          back(seed + 1) {}
    void step() {  // after an update of the sender
        there.send(receiver.take(limit));
        there.pass([&](const Bytes& bytes) { replica.apply(bytes); });
        back.send(replica.acknowledgement());
        back.pass([&](const Bytes& bytes) { receiver.acknowledge(bytes); });
    }
    ECS ecs;
    Receiver receiver;
    Replica replica;
    std::size_t limit;
    Link there;
    Link back;
};

View view_at(Client& client, const std::vector<Entity>& all, const std::set<Entity>& kept = {}) {
    std::vector<Entity> here;
    for (const Entity e : all) {
        if (client.replica.entity(e) != NONE) here.push_back(client.replica.entity(e));
    }
    return view_of(client.ecs, here, [&](Entity e) { return client.replica.remote(e); }, kept);
}

void run_model(std::uint32_t seed, int steps) {
    describe_all();
    ECS from;
    Changes changes(from, EVERYTHING);
    RandomWorld world(from, seed);
    Client whole(changes, Selection::all, 0, seed);
    Client small(changes, Selection::all, 900, seed + 10);
    Client some(changes, Selection::selected, seed % 2 == 0 ? 0 : 900, seed + 20);
    std::set<Entity> chosen;
    std::set<Entity> kept;  // some of these; the receiver has forgotten those that had not arrived
    for (int step = 0; step < steps; ++step) {
        world.step();
        std::erase_if(chosen, [&](Entity each) { return !world.stayed(each); });
        std::erase_if(kept, [&](Entity each) { return !world.stayed(each); });
        for (std::size_t k = world.below(4); k > 0; --k) {
            const Entity e = world.any();
            if (chosen.insert(e).second || (kept.contains(e) && world.below(2) == 0)) {
                some.receiver.select(e);
                kept.erase(e);
            } else if (world.below(2) == 0) {
                some.receiver.deselect(e, Deselection::keep);
                kept.insert(e);
            } else {
                some.receiver.deselect(e);
                chosen.erase(e);
                kept.erase(e);
            }
        }
        if (step % 80 == 79) {
            for (const Entity e : kept) some.receiver.select(e);
            kept.clear();
        }
        from.update();
        for (Client* client : {&whole, &small, &some}) client->step();
        if (step % 40 != 39) continue;
        for (int k = 0; k < 400; ++k) {
            from.update();
            for (Client* client : {&whole, &small, &some}) client->step();
        }
        const std::vector<Entity>& all = world.all();
        for (Client* client : {&whole, &small}) {
            const auto itself = [&](Entity e) { return client->replica.entity(e) == NONE ? NONE : e; };
            ASSERT_EQ(view_of(from, all, itself).entities, view_at(*client, all).entities)
                << "seed " << seed << " step " << step;
            ASSERT_EQ(whole.ecs.count(), client->ecs.count()) << "seed " << seed << " step " << step;
        }
        const auto itself = [&](Entity e) { return some.replica.entity(e) == NONE || !chosen.contains(e) ? NONE : e; };
        const std::vector<Entity> selected(chosen.begin(), chosen.end());
        ASSERT_EQ(view_of(from, selected, itself, kept).entities, view_at(some, all, kept).entities)
            << "seed " << seed << " step " << step;
    }
}

TEST(LossyReplication, N5_N6_random_changes_arrive_over_a_lossy_channel) {
    for (std::uint32_t n = 0; n < test::times(20); ++n) ASSERT_NO_FATAL_FAILURE(run_model(test::first_seed() + n, 200));
}

}  // namespace
}  // namespace crateful::test_changes_lossy
