// Random changes, sent to three receivers (rules N5, N6).
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "changes_random.hpp"
#include "changes_world.hpp"
#include "crateful/changes.hpp"
#include "crateful/ecs.hpp"
#include "random_model.hpp"

namespace crateful::test_changes {
namespace {

/// What callbacks see: of `on_remove` all must be as before `apply`, of `on_add` as after it.
struct Seen {
    std::function<View()> look;
    std::size_t calls = 0;  // of `on_remove`; a picture takes long
    std::vector<View> removing{};
    std::vector<View> adding{};
    bool is_applying = true;  // otherwise the program of the replica changes it, and `on_remove` is called afterwards
};

/// Notes what its callbacks see, and that they are called for what it tracks.
template <class C, class... Filters>
struct Observes : System<> {
    explicit Observes(Seen& to, Filters... filters) : seen(to) { require<C>(filters...); }
    void on_add(Aspect& aspect) override {
        EXPECT_TRUE(ecs().template has<C>(aspect.entity()));
        EXPECT_TRUE(known.insert(aspect.entity()).second);
        if (seen.is_applying && seen.adding.empty()) seen.adding.push_back(seen.look());  // the others see the same
    }
    void on_remove(Aspect& aspect) override {
        EXPECT_EQ(known.erase(aspect.entity()), 1u);
        if (!seen.is_applying) return;
        EXPECT_TRUE(ecs().template has<C>(aspect.entity()));
        if (seen.calls++ % 4 == 0) seen.removing.push_back(seen.look());
    }
    void update(double /*delta*/, Entities& entities) override { EXPECT_EQ(entities.size(), known.size()); }
    Seen& seen;
    std::set<Entity> known{};
};

/// What only the replica's program has done.
void change_copy(ECS& to, Entity e, Entity other, RandomWorld& world) {
    switch (world.below(6)) {
        case 0: to.add<Flag>(e, {}); break;
        case 1: to.add<Route>(e, {{1, 2}}); break;
        case 2: to.remove<Place>(e); break;
        case 3: to.remove<Level>(e); break;
        case 4:
            if (to.has<Life>(e)) to.modify<Life>(e, [](Life& life) { life.points = -1; });
            break;
        default:
            if (e != other && e != to.world()) {
                try {
                    to.set_parent(e, other);
                } catch (const Error&) {  // a cycle
                }
            }
    }
}

/// An entity of the replica's program, with some components, which is to become one of the sender.
Entity add_own(ECS& to, RandomWorld& world) {
    const Entity own = to.add_entity();
    if (world.below(2) == 0) to.add<Place>(own, {5, 5});
    if (world.below(2) == 0) to.add<Life>(own, {5, true});
    if (world.below(2) == 0) to.add<Route>(own, {{5}});
    if (world.below(2) == 0) to.add<Flag>(own, {});
    if (world.below(3) == 0) to.add<Chase>(own, {Link(own)});
    return own;
}

// The values of an entity that nothing else changes.
std::string values_of(ECS& ecs, Entity e) {
    std::string text;
    if (const auto* c = ecs.try_get<Place>(e)) text += "P" + std::to_string(c->x) + "," + std::to_string(c->y);
    if (const auto* c = ecs.try_get<Life>(e)) text += "L" + std::to_string(c->points);
    if (const auto* c = ecs.try_get<Called>(e)) text += "S" + std::string(ecs.text(c->name));
    if (const auto* c = ecs.try_get<Route>(e)) text += "R" + std::to_string(c->stops.size());
    return text + (ecs.has<Flag>(e) ? "F" : "") + (ecs.has<Aim>(e) ? "A" : "");
}
struct Kept {
    Entity local;
    std::string values;
};

void run_model(std::uint32_t seed, int steps) {
    Pair pair;
    RandomWorld world(pair.from, seed);
    Receiver selected = pair.changes->receiver(Selection::selected);
    ECS other;
    Replica part(other);
    Receiver slow = pair.changes->receiver();
    ECS third;
    Replica late(third);
    std::set<Entity> chosen;
    std::map<Entity, Kept> kept;   // some of these
    std::map<Entity, Entity> own;  // entities of the replica's program that are to become these of the sender
    Seen seen;
    pair.to.add_system<Observes<Place>>(0, seen);
    pair.to.add_system<Observes<Life, Exclude<Flag>>>(1, seen, exclude<Flag>);
    pair.to.add_system<Observes<Parent>>(2, seen);
    pair.to.add_system<Observes<Route, Exclude<Parent>>>(-1, seen, exclude<Parent>);
    std::vector<Entity> before;  // what has arrived so far
    for (int step = 0; step < steps; ++step) {
        world.step();
        const std::vector<Entity>& all = world.all();
        std::erase_if(chosen, [&](Entity each) { return !world.stayed(each); });
        std::vector<Entity> ended;
        for (const auto& [e, how] : kept) {
            if (!chosen.contains(e)) ended.push_back(e);
        }
        for (const Entity e : ended) kept.erase(e);
        for (std::size_t k = world.below(4); k > 0; --k) {
            const Entity e = world.any();
            if (chosen.insert(e).second || (kept.contains(e) && world.below(2) == 0)) {
                selected.select(e);
                kept.erase(e);
            } else if (world.below(2) == 0) {
                selected.deselect(e, Deselection::keep);
                if (part.entity(e) == NONE) chosen.erase(e);  // it is forgotten
                else kept.try_emplace(e, Kept{part.entity(e), values_of(other, part.entity(e))});
            } else {
                selected.deselect(e);
                chosen.erase(e);
                kept.erase(e);
            }
        }
        seen = {[&, before] {
                    std::vector<Entity> there = before;
                    for (const Entity e : all) there.push_back(pair.replica->entity(e));
                    return view_of(pair.to, there, [&](Entity e) { return pair.replica->remote(e); });
                },
                0,
                {},
                {}};
        std::map<Entity, Entity> handles;
        if (world.below(20) == 0) {
            for (const Entity e : all) {
                if (world.stayed(e) && pair.replica->entity(e) != NONE) handles[e] = pair.replica->entity(e);
            }
            seen.is_applying = false;
            for (std::size_t k = world.below(4); k > 0 && !before.empty(); --k)
                change_copy(pair.to, before[world.below(before.size())], before[world.below(before.size())], world);
            seen.is_applying = true;
            if (world.below(2) == 0) static_cast<void>(pair.receiver->take());  // is lost
            pair.receiver->restart();
            if (world.below(2) == 0) static_cast<void>(selected.take());
            selected.restart();
            for (const auto& [e, how] : kept) {
                ended.push_back(e);
                chosen.erase(e);
            }
            kept.clear();
        }
        seen.is_applying = false;
        std::erase_if(own, [&](const auto& each) {
            const bool is_over = !world.stayed(each.first) || world.below(20) == 0;
            if (!is_over) return false;  // otherwise it can never arrive, or the program does not wait for it
            std::vector<Entity> below;
            for (const Entity child : pair.to.children(each.second)) below.push_back(child);
            for (const Entity child : below) pair.to.set_parent(child, NONE);  // which can have arrived
            pair.to.remove_entity(each.second);
            return true;
        });
        pair.to.remove_marked();
        if (const Entity e = world.any();
            e != pair.from.world() && pair.replica->entity(e) == NONE && !own.contains(e)) {
            own[e] = add_own(pair.to, world);
            if (world.below(2) == 0 && !before.empty()) {
                const Entity parent = before[world.below(before.size())];
                if (pair.to.alive(parent)) pair.to.set_parent(own[e], parent);
            }
            if (world.below(3) == 0 && own.size() > 1) {  // below another one that is to arrive
                try {
                    pair.to.set_parent(own[e], own.begin()->second);
                } catch (const Error&) {
                }
            }
            pair.replica->adopt(own[e], e);
        }
        seen.is_applying = true;
        const View was = seen.look();
        pair.send();
        std::erase_if(own, [&](const auto& each) {
            const Entity now = pair.replica->entity(each.first);
            EXPECT_TRUE(now == NONE || now == each.second) << "seed " << seed << " step " << step;
            return now != NONE;
        });
        for (const auto& [e, local] : handles) {
            const Entity now = pair.replica->entity(e);
            ASSERT_TRUE(now == NONE || now == local) << "seed " << seed << " step " << step;
        }
        const View is = seen.look();
        for (const View& view : seen.removing)
            ASSERT_EQ(view.entities, was.entities) << "seed " << seed << " step " << step;
        for (const View& view : seen.adding)
            ASSERT_EQ(view.entities, is.entities) << "seed " << seed << " step " << step;
        if (world.below(8) == 0) pair.to.update();
        before.clear();
        for (const Entity e : all) {
            if (pair.replica->entity(e) != NONE) before.push_back(pair.replica->entity(e));
        }
        if (const auto bytes = selected.take(); !bytes.empty()) part.apply(bytes);
        for (const Entity e : ended) {
            ASSERT_TRUE(part.entity(e) == NONE || chosen.contains(e)) << "seed " << seed << " step " << step;
        }
        std::set<Entity> left_out;
        std::erase_if(kept, [&](const auto& each) {
            const Entity e = each.first;
            const bool is_sent = pair.from.has<Place>(e) || pair.from.has<Life>(e) || pair.from.has<Aim>(e) ||
                                 pair.from.has<Chase>(e) || pair.from.has<Called>(e) || pair.from.has<Flag>(e) ||
                                 pair.from.has<Route>(e) || pair.from.has<Level>(e) || pair.from.parent(e) != NONE;
            if (is_sent) return false;
            EXPECT_EQ(part.entity(e), NONE) << "seed " << seed << " step " << step;
            chosen.erase(e);
            return true;
        });
        for (const auto& [e, how] : kept) {
            left_out.insert(e);
            ASSERT_EQ(part.entity(e), how.local) << "seed " << seed << " step " << step;
            ASSERT_EQ(values_of(other, how.local), how.values) << "seed " << seed << " step " << step;
        }
        if (world.below(30) == 0) slow.restart();
        if (world.below(4) == 0) {
            if (const auto bytes = slow.take(world.below(2) == 0 ? 0 : world.below(300) + 600); !bytes.empty())
                late.apply(bytes);
        }
        const auto itself = [&](Entity e) { return pair.replica->entity(e) == NONE ? NONE : e; };
        std::vector<Entity> here;
        for (const Entity e : all) {
            if (pair.replica->entity(e) != NONE) here.push_back(pair.replica->entity(e));
        }
        const View sent = view_of(pair.from, all, itself);
        const View arrived = view_of(pair.to, here, [&](Entity e) { return pair.replica->remote(e); });
        ASSERT_EQ(sent.entities, arrived.entities) << "seed " << seed << " step " << step;
        ASSERT_EQ(pair.to.count() - own.size(), here.size() - (pair.replica->entity(pair.to.world()) == NONE ? 0 : 1));
        const auto in_part = [&](Entity e) { return part.entity(e) == NONE || !chosen.contains(e) ? NONE : e; };
        here.clear();
        for (const Entity e : chosen) {
            if (part.entity(e) != NONE) here.push_back(part.entity(e));
        }
        const View chosen_there =
            view_of(pair.from, std::vector<Entity>(chosen.begin(), chosen.end()), in_part, left_out);
        const View chosen_here = view_of(other, here, [&](Entity e) { return part.remote(e); }, left_out);
        ASSERT_EQ(chosen_there.entities, chosen_here.entities) << "seed " << seed << " step " << step;
    }
    for (auto bytes = slow.take(5000); !bytes.empty(); bytes = slow.take(5000)) late.apply(bytes);
    const std::vector<Entity>& all = world.all();
    std::vector<Entity> here;
    for (const Entity e : all) {
        if (late.entity(e) != NONE) here.push_back(late.entity(e));
    }
    const View sent = view_of(pair.from, all, [&](Entity e) { return late.entity(e) == NONE ? NONE : e; });
    const View arrived = view_of(third, here, [&](Entity e) { return late.remote(e); });
    ASSERT_EQ(sent.entities, arrived.entities) << "seed " << seed;
}

TEST(Replication, N5_N6_random_changes_arrive_at_each_receiver) {
    for (std::uint32_t n = 0; n < test::times(20); ++n) ASSERT_NO_FATAL_FAILURE(run_model(test::first_seed() + n, 300));
}

}  // namespace
}  // namespace crateful::test_changes
