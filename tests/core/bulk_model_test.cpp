// Random changes of many entities at once, and of single ones, in a world of systems without callbacks, compared with sets.
// (model_test.cpp compares worlds with callbacks, where the order of single steps matters.)
#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "world.hpp"

using namespace test;

namespace test::bulk {
namespace {

struct Left {
    int value = 0;
};
struct Right {
    std::string text;
};
struct Even {
    int value = 0;
};
constexpr int LEFT = 0, RIGHT = 1, EVEN = 2;

using EntitySet = std::set<Entity>;

/// A system that watches Left and Even, and what its sets have to be.
struct Watching final : System<> {
    Watching(std::vector<int> required_classes, bool keeps_order) : classes(std::move(required_classes)) {
        for (const int c : classes) {
            if (c == LEFT) require<Left>();
            else if (c == RIGHT) require<Right>();
            else require<Even>();
        }
        watch<Left, Even>();
        ordered(keeps_order);
    }
    void update(double, Entities& entities, Dirty& dirty) override {
        const EntitySet changed(dirty.ids().begin(), dirty.ids().end());
        EXPECT_EQ(changed.size(), dirty.size()) << "an entity is there twice";
        EXPECT_EQ(changed, expected_dirty);
        EXPECT_EQ(EntitySet(entities.ids().begin(), entities.ids().end()), expected_tracked);
        EXPECT_EQ(entities.size(), expected_tracked.size());
        expected_dirty.clear();
    }
    std::vector<int> classes;
    EntitySet expected_tracked;
    EntitySet expected_dirty;
};

class Comparison {
public:
    explicit Comparison(std::uint32_t seed) : random_(seed) {
        describe_component<Even>("BulkEven").policy(Policy::linear);
        add_system({LEFT}, false);
        add_system({LEFT, RIGHT}, true);
        add_system({EVEN, LEFT, RIGHT}, false);
        add_system({RIGHT}, false);
    }
    void step() {
        switch (pick(10)) {
            case 0: return spawn();
            case 1: return add<Left>(LEFT, [](int v) { return Left{v}; });
            case 2: return add<Right>(RIGHT, [](int v) { return Right{text(v)}; });
            case 3: return add<Even>(EVEN, [](int v) { return Even{v}; });
            case 4: return remove<Left>(LEFT);
            case 5: return remove<Right>(RIGHT);
            case 6: return remove<Even>(EVEN);
            case 7: return remove_entities();
            case 8: return modify();
            default: return pick(10) == 0 ? clear() : update();
        }
    }

private:
    static std::string text(int value) { return std::to_string(value) + ", in a text that is on the heap"; }
    std::size_t pick(std::size_t n) { return random_() % n; }
    /// All entities, or some of them, in any order.
    std::vector<Entity> some() {
        std::vector<Entity> chosen;
        for (const auto& [e, values] : values_) chosen.push_back(e);
        if (pick(2) == 0) std::shuffle(chosen.begin(), chosen.end(), random_);
        if (pick(3) != 0) chosen.resize(pick(chosen.size() + 1));
        return chosen;
    }
    void add_system(std::vector<int> classes, bool keeps_order) {
        systems_.push_back(&ecs_.add_system<Watching>(0, std::move(classes), keeps_order));
    }
    /// The entity got or lost a component of the class, or it changed.
    void changed(Entity e, int c) {
        for (Watching* s : systems_) {
            const auto has = [&](int id) { return values_[e].contains(id); };
            const bool before = s->expected_tracked.contains(e);
            if (!std::all_of(s->classes.begin(), s->classes.end(), has)) {
                s->expected_tracked.erase(e);
                s->expected_dirty.erase(e);
            } else if (s->expected_tracked.insert(e); !before || c != RIGHT) {
                s->expected_dirty.insert(e);
            }
        }
    }
    void set(Entity e, int c, int value) {
        values_[e][c] = value;
        changed(e, c);
    }
    void spawn() {
        std::vector<Entity> made(pick(20));
        const int value = static_cast<int>(pick(100));
        auto prefab = ecs_.prefab(Left{value}, Even{value});
        if (pick(2) == 0) prefab.spawn(std::span<Entity>(made));
        else {
            for (Entity& e : made) e = pick(2) == 0 ? prefab.spawn() : ecs_.add_entity(Even{value}, Left{value});
        }
        for (const Entity e : made) set(e, LEFT, value), set(e, EVEN, value);
        values_[ecs_.add_entity()];
    }
    template <class T, class Make>
    void add(int c, Make make) {
        std::vector<Entity> to = some();
        if (pick(4) == 0 && !to.empty()) to.push_back(to.front());
        std::vector<T> values;
        for (std::size_t i = 0; i < to.size(); ++i) values.push_back(make(static_cast<int>(i)));
        if (pick(3) == 0) {
            for (std::size_t i = 0; i < to.size(); ++i) ecs_.add(to[i], values[i]);
        } else {
            ecs_.add<T>(std::span<const Entity>(to), std::span<const T>(values));
        }
        for (std::size_t i = 0; i < to.size(); ++i) set(to[i], c, static_cast<int>(i));
    }
    template <class T>
    void remove(int c) {
        std::vector<Entity> from = some();
        if (pick(4) == 0 && !from.empty()) from.push_back(from.front());
        std::size_t removed = 0;
        if (pick(3) == 0) {
            for (const Entity e : from) removed += ecs_.remove<T>(e) ? 1 : 0;
        } else {
            removed = ecs_.remove<T>(std::span<const Entity>(from));
        }
        for (const Entity e : from) {
            if (values_[e].erase(c) == 0) continue;
            changed(e, c);
            --removed;
        }
        EXPECT_EQ(removed, 0u);
    }
    void remove_entities() {
        const std::vector<Entity> gone = some();
        ecs_.remove_entities(gone);
        ecs_.remove_entities(gone);
        ecs_.update();
        for (const Entity e : gone) {
            values_.erase(e);
            for (Watching* s : systems_) s->expected_tracked.erase(e), s->expected_dirty.erase(e);
        }
        compare();
    }
    void modify() {
        for (const Entity e : some()) {
            if (!values_[e].contains(LEFT)) continue;
            ecs_.modify<Left>(e, [](Left& left) { left.value += 1; });
            set(e, LEFT, values_[e][LEFT] + 1);
        }
    }
    void clear() {
        ecs_.clear();
        values_.clear();
        for (Watching* s : systems_) s->expected_tracked.clear(), s->expected_dirty.clear();
        compare();
    }
    void update() {
        ecs_.update();
        compare();
    }
    void compare() {
        EXPECT_EQ(ecs_.count(), values_.size());
        std::array<std::size_t, 3> counts{};
        for (const auto& [e, values] : values_) {
            const Left* left = ecs_.try_get<Left>(e);
            const Right* right = ecs_.try_get<Right>(e);
            const Even* even = ecs_.try_get<Even>(e);
            EXPECT_EQ(left != nullptr, values.contains(LEFT));
            EXPECT_EQ(right != nullptr, values.contains(RIGHT));
            EXPECT_EQ(even != nullptr, values.contains(EVEN));
            if (left != nullptr) {
                EXPECT_EQ(left->value, values.at(LEFT));
            }
            if (right != nullptr) {
                EXPECT_EQ(right->text, text(values.at(RIGHT)));
            }
            if (even != nullptr) {
                EXPECT_EQ(even->value, values.at(EVEN));
            }
            for (const auto& [c, value] : values) ++counts[static_cast<std::size_t>(c)];
        }
        EXPECT_EQ(ecs_.storage<Left>().count(), counts[LEFT]);
        EXPECT_EQ(ecs_.storage<Right>().count(), counts[RIGHT]);
        EXPECT_EQ(ecs_.storage<Even>().count(), counts[EVEN]);
    }

    std::mt19937 random_;
    ECS ecs_;
    std::vector<Watching*> systems_;
    std::map<Entity, std::map<int, int>> values_;
};

TEST(BulkModel, E7_E9_D5_D6_random_changes_of_many_entities_agree_with_sets) {
    for (std::uint32_t seed = 1; seed <= 20 && !HasFailure(); ++seed) {
        Comparison comparison(seed);
        for (int i = 0; i < 150 && !HasFailure(); ++i) comparison.step();
    }
}

}  // namespace
}  // namespace test::bulk
