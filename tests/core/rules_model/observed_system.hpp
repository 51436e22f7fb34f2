// Systems whose callbacks compare themselves with the model, and operate on the ECS.
#pragma once
#include "frames.hpp"

namespace test::rules_model {

template <int HOOKS>
class ObservedBase : public System<> {
public:
    Frames& w;
    ModelSystem& m;
    ObservedBase(Frames& world, ModelSystem& model)
        : System<>(model.settings.disabled, model.settings.debug), w(world), m(model) {
        auto put = [&](Use use, unsigned mask) {
            std::vector<ComponentId> v;
            for (int c = 0; c < CLASSES; ++c)
                if (mask >> c & 1) v.push_back(id_of_class(c));
            use_ids(use, v);
        };
        put(Use::required, m.settings.required);
        put(Use::excluded, m.settings.excluded);
        put(Use::accepted, m.settings.accepted);
        put(Use::watched, m.settings.watched);
        put(Use::ancestors, m.settings.ancestors);
        if (m.settings.ordered) ordered();
        if (m.settings.only_when_dirty) only_when_dirty();
        if (m.settings.interval > 0) interval(m.settings.interval);
        for (int n : m.settings.before) before(SYSTEM_NAMES[n]);
        for (int n : m.settings.after) after(SYSTEM_NAMES[n]);
        m.loop_entities = [this](std::function<bool(Entity)> f) {
            for (auto i = entities().begin(); i != entities().end(); ++i) {
                if (!f(i.entity())) break;
            }
        };
        m.check_aspects = [this] {
            for (auto [e, a] : entities()) {
                if (a.entity() != e) w.fail("A1: entity of aspect");
                if (&entities().get(e) != &a) w.fail("A1");
            }
        };
    }
    ~ObservedBase() override {
        m.destroyed = true;
        m.real = nullptr;
    }
    std::string name() const override { return SYSTEM_NAMES[m.settings.name]; }
    void init() override {
        if (w.tearing) return;
        struct StartTracking {  // after init, also if it throws (S3)
            ModelSystem& m;
            Frames& w;
            ~StartTracking() {
                m.tracking = true;
                for (Entity e : w.alive)
                    if (w.match(m, e) && !m.tracks(e) && (!w.removing || !w.entity(e).dying)) {
                        m.tracked.push_back(e);
                        if (m.watching()) w.mark_dirty(m, e);
                    }
                m.reorder = m.any_order = m.dirty_reorder = true;
            }
        } start{m, w};
        w.callback("init", m, NONE);
    }
    void on_clear() override {
        if (w.tearing) return;
        if (!w.in_on_clear) {
            w.in_on_clear = true;
            if (w.nested) w.adopt();
            w.wipe();
        }
        if (w.ecs->count() != w.alive.size() - 1) w.fail("K1: entities in on_clear");
        w.callback("on_clear", m, NONE);
    }
    void on_enabled(Entities&) override {
        if (&m == w.toggled_system) w.got_toggle |= 1;
        w.callback("on_enabled", m, NONE);
    }
    void on_disabled(Entities&) override {
        if (&m == w.toggled_system) w.got_toggle |= 2;
        w.callback("on_disabled", m, NONE);
    }
    void update(double delta, Entities& es, Dirty& d) override {
        if (&es != &entities()) w.fail("entities");
        if (w.random.chance(20)) m.check_aspects();
        w.do_update(m, delta, d);
    }
    void added(Aspect& a) {
        if (w.tearing) return;
        if (!entities().contains(a.entity())) w.fail("A2: on_add and not in entities");
        if (&entities().get(a.entity()) != &a) w.fail("A1: on_add");
        if (HOOKS == 3 && !m.aspects.insert(bits(a.entity())).second) w.fail("A3: on_add twice without on_remove");
        reads(a);
        w.callback("on_add", m, a.entity());
    }
    void removed(Aspect& a) {
        if (w.tearing) return;
        if (entities().contains(a.entity())) w.fail("A2: on_remove and still in entities");
        if (HOOKS == 3) {
            if (!m.aspects.erase(bits(a.entity()))) w.fail("A3: on_remove without on_add");
        }
        reads(a);
        w.callback("on_remove", m, a.entity());
    }
    void reads(Aspect& a) {
        for (int c = 0; c < OWN_CLASSES; ++c)
            if (m.settings.required >> c & 1)
                with_class(c, [&]<class X>() {
                    if (!a.has<X>()) w.fail("A2: the aspect lacks a required component");
                    if (Values<X>::get(a.get<X>()) < 0) w.fail("A2: the value of a component");
                    if (!a.try_get<X>()) w.fail("try_get");
                    return 0;
                });
        if ((m.settings.required >> PARENT & 1) && !a.has<Parent>()) w.fail("A2: Parent");
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
