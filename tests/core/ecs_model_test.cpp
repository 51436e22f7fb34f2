// Compares an ECS with a model of the rules; see model_comparison.hpp.
#include "model_comparison.hpp"

namespace test::model {

/// A system with callbacks that update the model.
class ModelComparison::ReportingSystem final : public System<> {
public:
    ReportingSystem(ModelComparison& model, ModelSystem& system) : model_(model), system_(system) {
        for (const std::size_t c : system.required) use_ids(Use::required, std::array{classes()[c]});
        for (const std::size_t c : system.watched) use_ids(Use::watched, std::array{classes()[c]});
    }

private:
    void init() override {
        model_.random_operations();
        model_.maybe_throw();
    }
    void update(double, Entities& entities, DirtySet& dirty) override { model_.on_update(system_, entities, dirty); }
    void on_add(Aspect& aspect) override { model_.on_add(system_, aspect); }
    void on_remove(Aspect& aspect) override { model_.on_remove(system_, aspect); }
    void on_clear() override {
        if (model_.clearing_) model_.model_clear();  // the first call: all entities were removed
        model_.random_operations();
        model_.maybe_throw();
    }
    void on_enabled(Entities&) override { model_.random_operations(); }
    void on_disabled(Entities&) override { model_.maybe_throw(); }

    ModelComparison& model_;
    ModelSystem& system_;
};

void ModelComparison::add_system() {
    if (systems_.size() > 6) return;
    systems_.push_back(std::make_unique<ModelSystem>());
    ModelSystem& system = *systems_.back();
    system.added = true;
    system.required.insert(pick(CLASSES));
    if (chance(2)) system.required.insert(pick(CLASSES));
    for (std::size_t c = 0; c < CLASSES; ++c) {
        if (chance(2)) system.watched.insert(c);
    }
    auto reporting = std::make_unique<ReportingSystem>(*this, system);
    system.real = reporting.get();
    call([&] { ecs_.add_system(pick(4), std::move(reporting)); });
}

// Every required component can be read through the aspect, with the value it has or had last (A2).
void ModelComparison::read_all(const ModelSystem& system, const Aspect& aspect) {
    const Entity e = aspect.entity();
    ModelEntity& entity = entities_[e];
    for (const std::size_t c : system.required) {
        const int value = entity.last[c];
        if (c == 0) {
            EXPECT_EQ(aspect.get<Plain>().value, value);
        }
        if (c == 1) {
            EXPECT_EQ(aspect.get<Linear>().value, value);
        }
        if (c == 2) {
            EXPECT_EQ(aspect.get<Owning>().value, text(value));
        }
        if (c != 3 || ecs_.by_id().has(e, classes()[c])) continue;
        const int at = ecs_.by_id().find_parked(e, classes()[c]);
        ASSERT_GE(at, 0);
        for (const int k : {0, 1}) {
            int parked = -1;
            ecs_.by_id()
                .storage(classes()[c])
                .read_parked(static_cast<std::size_t>(at), static_cast<std::size_t>(k),
                             reinterpret_cast<std::byte*>(&parked));
            EXPECT_EQ(parked, value + k);
        }
    }
}

// --- iterating: visits exactly once what is in the set throughout, and nothing that was removed (T4, D7)

void ModelComparison::walk_storage(std::size_t c) {
    ModelSystem::Walk walk;
    Storage& s = ecs_.by_id().storage(classes()[c]);
    for (const auto& [e, entity] : entities_) {
        if (s.has(e)) walk.remaining.insert(e);
    }
    storage_walks_[c].push_back(&walk);
    bool complete = true;
    s.each([&](Entity e) {
        EXPECT_TRUE(s.has(e));
        EXPECT_TRUE(walk.visited.insert(e).second) << "visited twice";
        EXPECT_EQ(walk.remaining.erase(e), 1u) << "visited an element that was added meanwhile";
        random_operations();
        complete = !chance(30);
        return complete;
    });
    std::erase_if(walk.remaining, [&](Entity e) { return !ecs_.alive(e); });
    EXPECT_TRUE(!complete || walk.remaining.empty()) << "an entity was skipped";
    std::erase(storage_walks_[c], &walk);
}

void ModelComparison::walk_dirty(ModelSystem& system, DirtySet& dirty) {
    ModelSystem::Walk walk;
    for (const ModelSystem::Entry& entry : system.dirty) walk.remaining.insert(entry.entity);
    system.dirty_walks.push_back(&walk);
    bool complete = true;
    for (const Entity e : dirty) {
        const auto entry =
            std::find_if(system.dirty.begin(), system.dirty.end(), [&](auto& d) { return d.entity == e; });
        if (entry == system.dirty.end()) {
            ADD_FAILURE() << "visited an entity that is not dirty";
            continue;
        }
        entry->visited = true;
        EXPECT_TRUE(walk.visited.insert(e).second) << "visited twice";
        walk.remaining.erase(e);
        random_operations();
        complete = !chance(20);
        if (!complete) break;
    }
    EXPECT_TRUE(!complete || walk.remaining.empty()) << "an entity was skipped";
    std::erase(system.dirty_walks, &walk);
}

void ModelComparison::walk_entities(ModelSystem& system, Entities<Aspect>& entities) {
    ModelSystem::Walk walk{system.tracked, {}};
    system.walks.push_back(&walk);
    bool complete = true;
    for (const auto pair : entities) {
        const Entity e = pair.first;
        EXPECT_EQ(pair.second.entity(), e);
        EXPECT_TRUE(system.tracked.contains(e));
        EXPECT_TRUE(walk.visited.insert(e).second) << "visited twice";
        EXPECT_EQ(walk.remaining.erase(e), 1u) << "visited an entity that was added meanwhile";
        if (chance(4) && walk.visited.size() < 60) walk_entities_inside(system, entities);
        random_operations();
        complete = !chance(20) && walk.visited.size() < 200;
        if (!complete) break;
    }
    EXPECT_TRUE(!complete || walk.remaining.empty()) << "an entity was skipped";
    std::erase(system.walks, &walk);
}

}  // namespace test::model

namespace {
class Model : public testing::TestWithParam<std::uint32_t> {};
}  // namespace

TEST_P(Model, S6_the_ecs_and_the_model_are_equal_after_every_step) {
    test::model::ModelComparison model(GetParam());
    for (int step = 0; step < 1500 && !HasFailure(); ++step) {
        SCOPED_TRACE(step);
        model.step();
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Model, testing::Range(1u, 11u));
