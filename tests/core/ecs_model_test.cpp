// Random operations against a model of the rules; see model_twins.hpp.
#include "model_twins.hpp"

namespace test::model {

/// A system that reports to the model.
class Twins::Player final : public System<> {
public:
    Player(Twins& twins, Seat& seat) : twins_(twins), seat_(seat) {
        for (const std::size_t c : seat.required) require_ids({classes()[c]});
        for (const std::size_t c : seat.watched) watch_ids({classes()[c]});
    }

private:
    void init() override {
        twins_.mischief();
        twins_.maybe_throw();
    }
    void update(double, Entities& entities, DirtySet& dirty) override { twins_.ran(seat_, entities, dirty); }
    void on_add(Aspect& aspect) override { twins_.entered(seat_, aspect); }
    void on_remove(Aspect& aspect) override { twins_.left(seat_, aspect); }
    void on_clear() override {
        if (twins_.clearing_) twins_.model_clear();  // by now all are gone
        twins_.mischief();
        twins_.maybe_throw();
    }
    void on_enabled(Entities&) override { twins_.mischief(); }
    void on_disabled(Entities&) override { twins_.maybe_throw(); }

    Twins& twins_;
    Seat& seat_;
};

void Twins::add_system() {
    if (seats_.size() > 6) return;
    seats_.push_back(std::make_unique<Seat>());
    Seat& seat = *seats_.back();
    seat.fresh = true;
    seat.required.insert(pick(CLASSES));
    if (chance(2)) seat.required.insert(pick(CLASSES));
    for (std::size_t c = 0; c < CLASSES; ++c) {
        if (chance(2)) seat.watched.insert(c);
    }
    auto player = std::make_unique<Player>(*this, seat);
    seat.system = player.get();
    call([&] { ecs_.add_system(pick(4), std::move(player)); });
}

// Every required component can be read through the aspect, with the value it has or had last (A2).
void Twins::read_all(const Seat& seat, const Aspect& aspect) {
    const Entity e = aspect.entity();
    Life& life = lives_[e];
    for (const std::size_t c : seat.required) {
        const int value = life.last[c];
        if (c == 0) {
            EXPECT_EQ(aspect.get<Plain>().value, value);
        }
        if (c == 1) {
            EXPECT_EQ(aspect.get<Linear>().value, value);
        }
        if (c == 2) {
            EXPECT_EQ(aspect.get<Owning>().value, text(value));
        }
        if (c != 3 || ecs_.has_component(e, classes()[c])) continue;
        const int at = ecs_.find_parked(e, classes()[c]);
        int parked = -1;
        ASSERT_GE(at, 0);
        ecs_.storage(classes()[c]).read_parked(static_cast<std::size_t>(at), 0, reinterpret_cast<std::byte*>(&parked));
        EXPECT_EQ(parked, value);
    }
}

// --- iterating: what stays throughout is visited exactly once, what went is not (T4, D7) ------------

void Twins::walk_storage(std::size_t c) {
    Seat::Walk walk;
    Storage& s = ecs_.storage(classes()[c]);
    for (const auto& [e, life] : lives_) {
        if (s.has(e)) walk.owed.insert(e);
    }
    storage_walks_[c].push_back(&walk);
    bool whole = true;
    s.each([&](Entity e) {
        EXPECT_TRUE(s.has(e));
        EXPECT_TRUE(walk.visited.insert(e).second) << "visited twice";
        walk.owed.erase(e);
        mischief();
        whole = !chance(30);
        return whole;
    });
    std::erase_if(walk.owed, [&](Entity e) { return !ecs_.alive(e); });
    EXPECT_TRUE(!whole || walk.owed.empty()) << "somebody was skipped";
    std::erase(storage_walks_[c], &walk);
}

void Twins::walk_dirty(Seat& seat, DirtySet& dirty) {
    Seat::Walk walk;
    for (const Seat::Entry& entry : seat.dirty) walk.owed.insert(entry.entity);
    seat.dirty_walks.push_back(&walk);
    bool whole = true;
    for (const Entity e : dirty) {
        const auto entry = std::find_if(seat.dirty.begin(), seat.dirty.end(), [&](auto& d) { return d.entity == e; });
        if (entry == seat.dirty.end()) {
            ADD_FAILURE() << "visited what is not dirty";
            continue;
        }
        entry->seen = true;
        EXPECT_TRUE(walk.visited.insert(e).second) << "visited twice";
        walk.owed.erase(e);
        mischief();
        whole = !chance(20);
        if (!whole) break;
    }
    EXPECT_TRUE(!whole || walk.owed.empty()) << "somebody was skipped";
    std::erase(seat.dirty_walks, &walk);
}

void Twins::walk_entities(Seat& seat, Entities<Aspect>& entities) {
    Seat::Walk walk{seat.tracked, {}};
    seat.walks.push_back(&walk);
    bool whole = true;
    for (const auto pair : entities) {
        const Entity e = pair.first;
        EXPECT_EQ(pair.second.entity(), e);
        EXPECT_TRUE(seat.tracked.contains(e));
        EXPECT_TRUE(walk.visited.insert(e).second) << "visited twice";
        walk.owed.erase(e);
        if (chance(4) && walk.visited.size() < 60) walk_entities_inside(seat, entities);
        mischief();
        whole = !chance(20) && walk.visited.size() < 200;
        if (!whole) break;
    }
    EXPECT_TRUE(!whole || walk.owed.empty()) << "somebody was skipped";
    std::erase(seat.walks, &walk);
}

}  // namespace test::model

namespace {
class Model : public testing::TestWithParam<std::uint32_t> {};
}  // namespace

TEST_P(Model, S6_world_and_model_agree_after_every_step) {
    test::model::Twins twins(GetParam());
    for (int step = 0; step < 1500 && !HasFailure(); ++step) {
        SCOPED_TRACE(step);
        twins.step();
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Model, testing::Range(1u, 11u));
