// Random changes, sent to three receivers (rules N5, N6).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "changes_world.hpp"
#include "crateful/changes.hpp"
#include "crateful/ecs.hpp"
#include "crateful/state.hpp"

namespace crateful::test_changes {
namespace {

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
        switch (below(8)) {
            case 7: pair.from.add<Route>(e, {std::vector<std::uint8_t>(below(4), 7)}); break;
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
        switch (below(8)) {
            case 7: pair.from.remove<Route>(e); break;
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
        std::erase_if(chosen, [&](Entity each) {
            if (pair.from.alive(each)) return false;
            selected.deselect(each);  // otherwise it is selected again if it is restored
            return true;
        });
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
