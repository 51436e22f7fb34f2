// Changes and replicas (rules N5, N6).
#include "crateful/changes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "crateful/ecs.hpp"
#include "crateful/state.hpp"

namespace crateful::test_changes {
namespace {

struct Place {
    float x = 0;
    float y = 0;
};
struct Life {
    std::int32_t points = 3;
    bool hurt = false;
};
struct Aim {
    Entity at = NONE;
    std::array<float, 3> way{};
};
struct Chase {
    Link prey;
};
struct Called {
    String name;
};
struct Flag {};
struct Level {  // linear
    std::uint16_t number = 4;
};

void describe_all() {
    describe_component<Place>("changes.Place").field("x", &Place::x).field("y", &Place::y);
    describe_component<Life>("changes.Life").field("points", &Life::points).field("hurt", &Life::hurt);
    describe_component<Aim>("changes.Aim").field("at", &Aim::at).field("way", &Aim::way);
    describe_component<Chase>("changes.Chase").field("prey", &Chase::prey);
    describe_component<Called>("changes.Called").field("name", &Called::name);
    describe_component<Flag>("changes.Flag");
    describe_component<Level>("changes.Level").field("number", &Level::number).policy(Policy::linear);
}
const ChangesOptions EVERYTHING{{"changes.Place", "changes.Life", "changes.Aim", "changes.Chase", "changes.Called",
                                 "changes.Flag", "changes.Level"},
                                {}};

/// A source, one receiver and a replica in another ECS.
struct Pair {
    Pair() {
        describe_all();
        changes.emplace(from, EVERYTHING);
        receiver.emplace(changes->receiver());
        replica.emplace(to);
    }
    std::size_t send() {
        const auto bytes = receiver->take();
        if (!bytes.empty()) replica->apply(bytes);
        return bytes.size();
    }
    ECS from;
    ECS to;
    std::optional<Changes> changes;
    std::optional<Receiver> receiver;
    std::optional<Replica> replica;
};

struct Watch : System<> {
    std::vector<Entity> seen;
    Watch() {
        require<Place>();
        watch<Place>();
    }
    void update(double, Entities&, Dirty& dirty) override {
        for (const Entity e : dirty) seen.push_back(e);
    }
};

TEST(Replication, N5_N6_what_is_created_changed_and_removed_arrives) {
    Pair pair;
    const Entity e = pair.from.add_entity();
    pair.from.add<Place>(e, {1, 2});
    pair.from.add<Life>(e, {7, true});
    EXPECT_GT(pair.send(), 0u);
    const Entity copy = pair.replica->entity(e);
    ASSERT_NE(copy, NONE);
    EXPECT_EQ(pair.to.get<Place>(copy).y, 2);
    EXPECT_EQ(pair.to.get<Life>(copy).points, 7);
    EXPECT_TRUE(pair.to.get<Life>(copy).hurt);
    EXPECT_EQ(pair.replica->remote(copy), e);

    EXPECT_EQ(pair.send(), 0u) << "nothing has changed";
    pair.from.modify<Place>(e, [](Place& place) { place.x = 9; });
    pair.from.remove<Life>(e);
    pair.send();
    EXPECT_EQ(pair.to.get<Place>(copy).x, 9);
    EXPECT_FALSE(pair.to.has<Life>(copy));

    pair.from.remove_entity(e);
    pair.from.update();
    pair.send();
    EXPECT_FALSE(pair.to.alive(copy));
    EXPECT_EQ(pair.replica->entity(e), NONE);
}

TEST(Replication, N5_what_exists_before_the_source_is_sent_first) {
    describe_all();
    ECS from;
    const Entity e = from.add_entity();
    from.add<Place>(e, {1, 2});
    Changes changes(from);
    Receiver receiver = changes.receiver();
    ECS to;
    Replica replica(to);
    replica.apply(receiver.take());
    EXPECT_EQ(to.get<Place>(replica.entity(e)).y, 2);
    EXPECT_TRUE(receiver.take().empty());
}

TEST(Replication, N6_only_what_differs_is_dirty) {
    Pair pair;
    auto& watch = pair.to.add_system<Watch>(0);
    std::vector<Entity> all;
    for (int i = 0; i < 10; ++i) {
        all.push_back(pair.from.add_entity());
        pair.from.add<Place>(all.back(), {1, 1});
    }
    pair.send();
    pair.to.update();
    EXPECT_EQ(watch.seen.size(), 10u);
    watch.seen.clear();
    pair.from.modify<Place>(all[3], [](Place& place) { place.x = 5; });
    pair.from.dirty<Place>(all[4]);
    pair.send();
    pair.to.update();
    EXPECT_EQ(watch.seen, std::vector<Entity>{pair.replica->entity(all[3])});
}

TEST(Replication, N6_references_are_mapped_and_wait_for_their_target) {
    Pair pair;
    const Entity target = pair.from.add_entity();
    const Entity e = pair.from.add_entity();
    pair.from.add<Aim>(e, {target, {1, 2, 3}});
    pair.from.add<Chase>(e, {Link(target)});
    pair.from.set_parent(e, target);
    pair.send();
    const Entity copy = pair.replica->entity(e);
    EXPECT_EQ(pair.to.get<Aim>(copy).at, NONE) << "the target has no component, so it was not sent";
    EXPECT_EQ(pair.to.parent(copy), NONE);
    pair.from.add<Flag>(target);
    pair.send();
    const Entity to = pair.replica->entity(target);
    EXPECT_EQ(pair.to.get<Aim>(copy).at, to);
    EXPECT_EQ(Entity(pair.to.get<Chase>(copy).prey), to);
    EXPECT_EQ(pair.to.parent(copy), to);
    EXPECT_EQ(pair.to.linked<Chase>(to).entities().size(), 1u);
    pair.from.remove<Flag>(target);
    pair.send();
    EXPECT_EQ(pair.to.get<Aim>(copy).at, NONE);
    EXPECT_EQ(pair.to.parent(copy), NONE);
}

TEST(Replication, N6_siblings_keep_their_order) {
    Pair pair;
    const Entity top = pair.from.add_entity();
    pair.from.add<Flag>(top);
    std::vector<Entity> children;
    for (int i = 0; i < 5; ++i) {
        children.push_back(pair.from.add_entity());
        pair.from.set_parent(children.back(), top, i == 0 ? NONE : children.front());
    }
    const auto same = [&] {
        std::vector<Entity> here;
        for (const Entity e : pair.to.children(pair.replica->entity(top))) here.push_back(pair.replica->remote(e));
        std::vector<Entity> there;
        for (const Entity e : pair.from.children(top)) there.push_back(e);
        EXPECT_EQ(here, there);
    };
    pair.send();
    same();
    pair.from.set_parent(children[1], top, children[4]);
    pair.from.set_parent(children[4], top);
    pair.send();
    same();
}

TEST(Replication, N5_a_receiver_gets_the_entities_that_are_selected) {
    Pair pair;
    Receiver near = pair.changes->receiver(Selection::selected);
    Replica replica(pair.to);
    std::vector<Entity> all;
    for (int i = 0; i < 4; ++i) {
        all.push_back(pair.from.add_entity());
        pair.from.add<Place>(all.back(), {static_cast<float>(i), 0});
    }
    EXPECT_TRUE(near.take().empty());
    near.select(all[1]);
    replica.apply(near.take());
    EXPECT_EQ(pair.to.count(), 1u);
    const Entity copy = replica.entity(all[1]);
    EXPECT_EQ(pair.to.get<Place>(copy).x, 1);
    pair.from.modify<Place>(all[2], [](Place& place) { place.x = 5; });
    EXPECT_TRUE(near.take().empty());
    near.select(all[2]);
    near.deselect(all[1]);
    replica.apply(near.take());
    EXPECT_FALSE(pair.to.alive(copy));
    EXPECT_EQ(pair.to.get<Place>(replica.entity(all[2])).x, 5);
    near.select(all[1]);
    replica.apply(near.take());
    EXPECT_NE(replica.entity(all[1]), NONE) << "entering again is a new creation";
    EXPECT_NE(replica.entity(all[1]), copy);
    EXPECT_THROW(pair.receiver->select(all[1]), Error);
}

TEST(Replication, N5_what_does_not_fit_stays_for_the_next_call) {
    Pair pair;
    std::vector<Entity> all;
    for (int i = 0; i < 100; ++i) {
        all.push_back(pair.from.add_entity());
        pair.from.add<Place>(all.back(), {static_cast<float>(i), 0});
    }
    int packets = 0;
    for (auto bytes = pair.receiver->take(300); !bytes.empty(); bytes = pair.receiver->take(300), ++packets) {
        EXPECT_LE(bytes.size(), 300u);
        pair.replica->apply(bytes);
        if (packets == 1) {
            pair.from.remove_entity(all[99]);
            pair.from.update();
            pair.from.modify<Place>(all[0], [](Place& place) { place.x = -1; });
        }
    }
    EXPECT_GT(packets, 3);
    for (std::size_t i = 0; i < 99; ++i)
        EXPECT_EQ(pair.to.get<Place>(pair.replica->entity(all[i])).x, pair.from.get<Place>(all[i]).x);
    EXPECT_EQ(pair.to.count(), 99u);
    pair.from.modify<Place>(all[0], [](Place& place) { place.x = 8; });
    EXPECT_THROW(static_cast<void>(pair.receiver->take(10)), Error);
    EXPECT_GT(pair.send(), 0u);
    EXPECT_EQ(pair.to.get<Place>(pair.replica->entity(all[0])).x, 8);
}

TEST(Replication, N8_bytes_that_are_damaged_or_not_the_next_ones_change_nothing) {
    Pair pair;
    const Entity e = pair.from.add_entity();
    pair.from.add<Place>(e, {1, 2});
    pair.from.add<Called>(e, {pair.from.string("Ann")});
    const auto first = pair.receiver->take();
    pair.from.modify<Place>(e, [](Place& place) { place.x = 3; });
    const auto second = pair.receiver->take();
    EXPECT_THROW(pair.replica->apply(second), Error);
    for (std::size_t at = 0; at < first.size(); ++at) {
        for (const int bit : {0, 3, 7}) {
            auto damaged = first;
            damaged[at] ^= static_cast<std::byte>(1 << bit);
            EXPECT_THROW(pair.replica->apply(damaged), Error);
        }
        if (at > 0) {
            EXPECT_THROW(pair.replica->apply(std::span(first).first(at)), Error);
        }
    }
    EXPECT_EQ(pair.to.count(), 0u);
    pair.replica->apply(first);
    pair.replica->apply(first);
    pair.replica->apply(second);
    pair.replica->apply(first);
    EXPECT_EQ(pair.to.count(), 1u);
    EXPECT_EQ(pair.to.get<Place>(pair.replica->entity(e)).x, 3);
    EXPECT_EQ(pair.to.text(pair.to.get<Called>(pair.replica->entity(e)).name), "Ann");
}

TEST(Replication, N5_one_field_of_each_of_100_entities_takes_5_and_a_half_bytes) {
    Pair pair;
    std::vector<Entity> all = pair.from.add_entities(100'000);
    for (const Entity e : all) pair.from.add<Place>(e, {1, 1});
    pair.send();
    std::mt19937 random(5);
    std::set<std::size_t> chosen;
    while (chosen.size() < 100) chosen.insert(random() % all.size());
    for (const std::size_t i : chosen)
        pair.from.modify<Place>(all[i], [&](Place& place) { place.x = static_cast<float>(random()) / 3; });
    EXPECT_LE(pair.send(), 580u);
    for (const std::size_t i : chosen) {
        pair.from.modify<Place>(all[i], [&](Place& place) {
            place.x = static_cast<float>(random()) / 3;
            place.y = static_cast<float>(random()) / 3;
        });
    }
    EXPECT_LE(pair.send(), 980u);
}

/// What of an ECS is compared, in terms of the sender's handles.
struct View {
    std::map<std::uint32_t, std::string> entities;
    bool operator==(const View&) const = default;
};
template <class Known>
View view_of(ECS& ecs, const std::vector<Entity>& all, Known&& remote) {
    View view;
    for (const Entity e : all) {
        if (!ecs.alive(e)) continue;
        std::string text;
        const auto name = [&](Entity other) {
            if (other == NONE || !ecs.alive(other)) return std::string("-");
            const Entity known = remote(other);
            return known == NONE ? std::string("-") : std::to_string(static_cast<std::uint32_t>(known));
        };
        if (const auto* c = ecs.try_get<Place>(e)) text += "P" + std::to_string(c->x) + "," + std::to_string(c->y);
        if (const auto* c = ecs.try_get<Life>(e)) text += "L" + std::to_string(c->points) + (c->hurt ? "h" : "");
        if (const auto* c = ecs.try_get<Aim>(e)) text += "A" + name(c->at) + "," + std::to_string(c->way[1]);
        if (const auto* c = ecs.try_get<Chase>(e)) text += "C" + name(c->prey);
        if (const auto* c = ecs.try_get<Called>(e)) text += "S" + std::string(ecs.text(c->name));
        if (ecs.has<Flag>(e)) text += "F";
        if (const auto* c = ecs.try_get<Level>(e)) text += "V" + std::to_string(c->number);
        text += "^" + name(ecs.parent(e)) + ":";
        for (const Entity child : ecs.children(e)) text += name(child) + " ";
        if (const Entity known = remote(e); known != NONE) view.entities[static_cast<std::uint32_t>(known)] = text;
    }
    return view;
}

void run_model(std::uint32_t seed, int steps) {
    Pair pair;
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    std::vector<Entity> all{pair.from.world()};
    Receiver selected = pair.changes->receiver(Selection::selected);
    ECS other;
    Replica part(other);
    Receiver slow = pair.changes->receiver();
    ECS third;
    Replica late(third);
    std::set<Entity> chosen;
    const auto any = [&] { return all[below(all.size())]; };
    const auto add = [&](Entity e) {
        switch (below(7)) {
            case 0: pair.from.add<Place>(e, {static_cast<float>(below(5)), 1}); break;
            case 1: pair.from.add<Life>(e, {static_cast<std::int32_t>(below(5)), below(2) == 0}); break;
            case 2: pair.from.add<Aim>(e, {any(), {0, static_cast<float>(below(3)), 0}}); break;
            case 3: pair.from.add<Chase>(e, {Link(any())}); break;
            case 4: pair.from.add<Called>(e, {pair.from.string("n" + std::to_string(below(50)))}); break;
            case 5: pair.from.add<Flag>(e, {}); break;
            default: pair.from.add<Level>(e, {static_cast<std::uint16_t>(below(9))}); break;
        }
    };
    const auto remove = [&](Entity e) {
        switch (below(7)) {
            case 0: pair.from.remove<Place>(e); break;
            case 1: pair.from.remove<Life>(e); break;
            case 2: pair.from.remove<Aim>(e); break;
            case 3: pair.from.remove<Chase>(e); break;
            case 4: pair.from.remove<Called>(e); break;
            case 5: pair.from.remove<Flag>(e); break;
            default: pair.from.remove<Level>(e); break;
        }
    };
    std::vector<std::byte> saved;
    for (int step = 0; step < steps; ++step) {
        for (std::size_t k = below(12); k > 0; --k) {
            const Entity e = any();
            switch (below(12)) {
                case 0:
                case 1:
                    if (all.size() < 40) all.push_back(pair.from.add_entity());
                    break;
                case 2:
                case 3:
                case 4: add(e); break;
                case 5: remove(e); break;
                case 6:
                    if (pair.from.has<Place>(e))
                        pair.from.modify<Place>(e, [&](Place& p) { p.y = static_cast<float>(below(4)); });
                    break;
                case 7:
                    if (pair.from.has<Aim>(e))
                        pair.from.modify<Aim>(e, [&](Aim& a) { a.at = below(3) == 0 ? NONE : any(); });
                    break;
                case 8:
                case 9: {
                    const Entity parent = below(4) == 0 ? NONE : any();
                    Entity before = NONE;
                    if (parent != NONE && below(2) == 0) {
                        for (const Entity child : pair.from.children(parent)) before = child;
                    }
                    try {
                        pair.from.set_parent(e, parent, before);
                    } catch (const Error&) {
                    }
                    break;
                }
                case 10:
                    if (e != pair.from.world()) {
                        pair.from.remove_entity(e);
                        pair.from.remove_marked();
                    }
                    break;
                default:
                    if (below(20) == 0) pair.from.clear();
                    break;
            }
            std::erase_if(all, [&](Entity each) { return !pair.from.alive(each); });
        }
        if (below(30) == 0) saved = snapshot(pair.from);
        if (below(60) == 0 && !saved.empty()) {
            restore(pair.from, saved);
            for (std::uint32_t i = 0; i < 200; ++i) {
                const Entity e = pair.from.by_id().pool().at(i);
                if (e != NONE && std::find(all.begin(), all.end(), e) == all.end()) all.push_back(e);
            }
            std::erase_if(all, [&](Entity each) { return !pair.from.alive(each); });
        }
        std::erase_if(chosen, [&](Entity each) { return !pair.from.alive(each); });
        for (std::size_t k = below(3); k > 0; --k) {
            const Entity e = any();
            if (chosen.insert(e).second) {
                selected.select(e);
            } else {
                selected.deselect(e);
                chosen.erase(e);
            }
        }
        pair.send();
        if (const auto bytes = selected.take(); !bytes.empty()) part.apply(bytes);
        if (below(4) == 0) {
            if (const auto bytes = slow.take(below(2) == 0 ? 0 : 2000); !bytes.empty()) late.apply(bytes);
        }
        const auto itself = [&](Entity e) { return pair.replica->entity(e) == NONE ? NONE : e; };
        std::vector<Entity> here;
        for (const Entity e : all) {
            if (pair.replica->entity(e) != NONE) here.push_back(pair.replica->entity(e));
        }
        const View sent = view_of(pair.from, all, itself);
        const View arrived = view_of(pair.to, here, [&](Entity e) { return pair.replica->remote(e); });
        ASSERT_EQ(sent.entities, arrived.entities) << "seed " << seed << " step " << step;
        ASSERT_EQ(pair.to.count(), here.size() - (pair.replica->entity(pair.to.world()) == NONE ? 0 : 1));
        const auto in_part = [&](Entity e) { return part.entity(e) == NONE || !chosen.contains(e) ? NONE : e; };
        here.clear();
        for (const Entity e : chosen) {
            if (part.entity(e) != NONE) here.push_back(part.entity(e));
        }
        const View chosen_there = view_of(pair.from, std::vector<Entity>(chosen.begin(), chosen.end()), in_part);
        View chosen_here = view_of(other, here, [&](Entity e) { return part.remote(e); });
        for (auto& [handle, text] : chosen_here.entities) text.erase(text.find(':'));
        View expected = chosen_there;
        for (auto& [handle, text] : expected.entities) text.erase(text.find(':'));
        ASSERT_EQ(expected.entities, chosen_here.entities) << "seed " << seed << " step " << step;
    }
    for (auto bytes = slow.take(5000); !bytes.empty(); bytes = slow.take(5000)) late.apply(bytes);
    std::vector<Entity> here;
    for (const Entity e : all) {
        if (late.entity(e) != NONE) here.push_back(late.entity(e));
    }
    const View sent = view_of(pair.from, all, [&](Entity e) { return late.entity(e) == NONE ? NONE : e; });
    const View arrived = view_of(third, here, [&](Entity e) { return late.remote(e); });
    ASSERT_EQ(sent.entities, arrived.entities) << "seed " << seed;
}

TEST(Replication, N5_N6_random_changes_arrive_at_each_receiver) {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) ASSERT_NO_FATAL_FAILURE(run_model(seed, 300));
}

}  // namespace
}  // namespace crateful::test_changes
