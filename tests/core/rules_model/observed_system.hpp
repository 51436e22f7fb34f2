// Systems whose callbacks compare themselves with the model, and operate on the ECS.
#pragma once
#include "frames.hpp"

namespace test::rules_model {

template <int HOOKS>
class ObservedBase : public System<> {
public:
    Frames& world;
    ModelSystem& model;
    ObservedBase(Frames& the_world, ModelSystem& the_model)
        : System<>(the_model.settings.disabled, the_model.settings.debug), world(the_world), model(the_model) {
        auto put = [&](internal::ComponentUse use, unsigned mask) {
            std::vector<ComponentId> v;
            for (int c = 0; c < CLASSES; ++c)
                if (mask >> c & 1) v.push_back(id_of_class(c));
            use_ids_(use, v);
        };
        put(internal::ComponentUse::required, model.settings.required);
        put(internal::ComponentUse::excluded, model.settings.excluded);
        put(internal::ComponentUse::accepted, model.settings.accepted);
        put(internal::ComponentUse::watched, model.settings.watched);
        put(internal::ComponentUse::ancestors, model.settings.ancestors);
        if (model.settings.ordered) ordered();
        if (model.settings.only_when_dirty) only_when_dirty();
        if (model.settings.interval > 0) interval(model.settings.interval);
        for (int n : model.settings.before) before(SYSTEM_NAMES[n]);
        for (int n : model.settings.after) after(SYSTEM_NAMES[n]);
        model.loop_entities = [this](std::function<bool(Entity)> f) {
            for (auto i = entities().begin(); i != entities().end(); ++i) {
                if (!f(i.entity())) break;
            }
        };
        model.check_aspects = [this] {
            for (auto [e, a] : entities()) {
                if (a.entity() != e) world.fail("A1: an aspect of another entity");
                if (&entities().get(e) != &a) world.fail("A1: get returns another aspect");
            }
        };
    }
    ~ObservedBase() override {
        model.destroyed = true;
        model.real = nullptr;
    }
    std::string name() const override { return SYSTEM_NAMES[model.settings.name]; }
    void init() override {
        if (world.tearing) return;
        struct StartTracking {  // after init, also if it throws (S3)
            ModelSystem& model;
            Frames& world;
            ~StartTracking() {
                model.tracking = true;
                for (Entity e : world.alive)
                    if (world.match(model, e) && !model.tracks(e) && (!world.removing || !world.entity(e).dying)) {
                        model.tracked.push_back(e);
                        if (model.watching()) world.mark_dirty(model, e);
                    }
                model.reorder = model.any_order = model.dirty_reorder = true;
            }
        } start{model, world};
        world.callback("init", model, NONE);
    }
    void on_clear() override {
        if (world.tearing) return;
        if (!world.in_on_clear) {
            world.in_on_clear = true;
            if (world.nested) world.adopt();
            world.wipe();
        }
        if (world.ecs->count() != world.alive.size() - 1) world.fail("K1: entities in on_clear");
        world.callback("on_clear", model, NONE);
    }
    void on_enabled(Entities&) override {
        if (&model == world.toggled_system) world.got_toggle |= 1;
        world.callback("on_enabled", model, NONE);
    }
    void on_disabled(Entities&) override {
        if (&model == world.toggled_system) world.got_toggle |= 2;
        world.callback("on_disabled", model, NONE);
    }
    void update(double delta, Entities& es, Dirty& d) override {
        if (&es != &entities()) world.fail("update: other entities");
        if (world.random.chance(20)) model.check_aspects();
        world.do_update(model, delta, d);
    }
    void added(Aspect& a) {
        if (world.tearing) return;
        if (!entities().contains(a.entity())) world.fail("A2: on_add and not in entities");
        if (&entities().get(a.entity()) != &a) world.fail("A1: on_add of another aspect than get returns");
        if (HOOKS == 3 && !model.aspects.insert(bits(a.entity())).second)
            world.fail("A3: on_add twice without on_remove");
        reads(a);
        world.callback("on_add", model, a.entity());
    }
    void removed(Aspect& a) {
        if (world.tearing) return;
        if (entities().contains(a.entity())) world.fail("A2: on_remove and still in entities");
        if (HOOKS == 3) {
            if (!model.aspects.erase(bits(a.entity()))) world.fail("A3: on_remove without on_add");
        }
        reads(a);
        world.callback("on_remove", model, a.entity());
    }
    void reads(Aspect& a) {
        for (int c = 0; c < OWN_CLASSES; ++c)
            if (model.settings.required >> c & 1)
                with_class(c, [&]<class X>() {
                    if (!a.has<X>()) world.fail("A2: the aspect lacks a required component");
                    if (Values<X>::get(a.get<X>()) < 0) world.fail("A2: the value of a component");
                    if (!a.try_get<X>()) world.fail("A4: try_get of an aspect");
                });
        if ((model.settings.required >> PARENT & 1) && !a.has<Parent>()) world.fail("A2: the aspect lacks its Parent");
    }
};

/// A system with on_add (bit 0 of HOOKS) and on_remove (bit 1): the core skips work for systems without them.
template <int HOOKS>
class ObservedSystem;
template <>
class ObservedSystem<0> final : public ObservedBase<0> {
public:
    using ObservedBase::ObservedBase;
};
template <>
class ObservedSystem<1> final : public ObservedBase<1> {
public:
    using ObservedBase::ObservedBase;
    void on_add(Aspect& a) override { added(a); }
};
template <>
class ObservedSystem<2> final : public ObservedBase<2> {
public:
    using ObservedBase::ObservedBase;
    void on_remove(Aspect& a) override { removed(a); }
};
template <>
class ObservedSystem<3> final : public ObservedBase<3> {
public:
    using ObservedBase::ObservedBase;
    void on_add(Aspect& a) override { added(a); }
    void on_remove(Aspect& a) override { removed(a); }
};

}  // namespace test::rules_model
