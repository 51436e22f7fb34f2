// Random operations that add, remove, enable and disable systems.
#pragma once
#include "observed_system.hpp"

namespace test::rules_model {

class SystemOperations : public Frames {
public:
    using Frames::Frames;

    Settings random_settings() {
        Settings c;
        auto one = [&] { return 1u << (random.chance(12) ? PARENT : random.below(OWN_CLASSES)); };
        c.required = one();
        if (random.chance(40)) c.required |= one();
        if (random.chance(30)) c.excluded = one() & ~c.required;
        if (random.chance(30)) c.accepted = (one() | one()) & ~c.excluded;
        if (random.chance(60)) c.watched = one() | (random.chance(50) ? c.required : one());
        if (random.chance(35)) c.ancestors = one() | one();
        c.ordered = random.chance(30);
        c.only_when_dirty = random.chance(25) && (c.watched | c.ancestors) != 0;
        c.disabled = random.chance(15);
        c.debug = random.chance(15);
        if (random.chance(25) && !c.debug) c.interval = (1 + random.below(5)) / 64.0;
        c.priority = random.below(3);
        c.hooks = random.below(4);
        c.name = random.below(4);
        if (random.chance(25)) {
            int n = random.below(4);
            if (n != c.name) c.before.push_back(n);
        }
        if (random.chance(25)) {
            int n = random.below(4);
            if (n != c.name) c.after.push_back(n);
        }
        if (c.excluded & (c.required | c.accepted)) c.bad = true;
        if (random.chance(3)) {
            c.excluded = c.required;
            c.bad = true;
        }
        return c;
    }
    bool impossible(const Settings& c) {
        std::vector<const Settings*> v{&c};
        for (auto* s : systems) v.push_back(&s->settings);
        std::size_t n = v.size();
        for (auto* a : v)
            for (auto* b : v)
                if (a != b && precedes(*a, *b) && a->priority > b->priority) return true;
        std::vector<bool> done(n);
        for (std::size_t k = 0; k < n; ++k) {
            bool found = false;
            for (std::size_t i = 0; i < n && !found; ++i) {
                if (done[i]) continue;
                bool ok = true;
                for (std::size_t j = 0; j < n; ++j)
                    if (!done[j] && j != i && v[j]->priority == v[i]->priority && precedes(*v[j], *v[i])) ok = false;
                if (ok) {
                    done[i] = true;
                    found = true;
                }
            }
            if (!found) return true;
        }
        return false;
    }
    void remove_a_system() {
        ModelSystem* s = random_system();
        if (!s || removing || clearing) return;
        if (!updating) {
            for (Iteration* o : iterations)
                if (o->system == s) return;
            if (s->running) return;
        }
        for (Call* f : calls)
            if (f->about == s) return;
        if (nested_operations && !s->tracking) return;
        log("remove_system %d", s->id);
        if (updating) {
            if (s->pending && random.chance(50)) return;
            s->pending = true;
            perform("remove_system", [&] { ecs->remove_system(*s->real); });
            return;
        }
        s->dead = true;
        systems.erase(std::find(systems.begin(), systems.end(), s));
        s->tracked.clear();
        s->dirty.clear();
        perform("remove_system", [&] { ecs->remove_system(*s->real); }, s);
    }
    void toggle_a_system() {
        ModelSystem* s = random_system();
        if (!s) return;
        for (Call* f : calls)
            if (f->about == s) return;
        int k = random.below(3);
        log("toggle %d kind %d", s->id, k);
        const bool to = k == 2 ? !s->enabled : k == 0;
        const int want = to == s->enabled ? 0 : to ? 1 : 2;
        s->enabled = to;
        if (updating) toggled.insert(s->id);
        toggled_system = s;
        got_toggle = 0;
        Call f{"toggle", {}};
        run_call(f, [&] {
            if (k == 0) ecs->enable_system(*s->real);
            else if (k == 1) ecs->disable_system(*s->real);
            else ecs->toggle_system(*s->real);
        });
        if (!nested && got_toggle != want) fail("S4: on_enabled/on_disabled");
        compare(false);
    }
    template <int K>
    void insert(ModelSystem& m) {
        auto p = std::make_unique<ObservedSystem<K>>(*this, m);
        m.real = p.get();
        ecs->add_system(m.settings.priority, std::move(p));
    }
    void add_a_system() {
        if (systems.size() >= 7 || removing || clearing || (updating && systems_are_over)) return;
        auto owned = std::make_unique<ModelSystem>();
        ModelSystem& m = *owned;
        m.settings = random_settings();
        m.id = next_system++;
        m.enabled = !m.settings.disabled;
        all_systems.push_back(std::move(owned));
        auto call = [&] {
            if (m.settings.hooks == 0) insert<0>(m);
            else if (m.settings.hooks == 1) insert<1>(m);
            else if (m.settings.hooks == 2) insert<2>(m);
            else insert<3>(m);
        };
        log("add_system %d req %x exc %x any %x watch %x anc %x ord %d owd %d dis %d dbg %d int %g prio %g hooks %d "
            "name %d",
            m.id, m.settings.required, m.settings.excluded, m.settings.accepted, m.settings.watched,
            m.settings.ancestors, m.settings.ordered, m.settings.only_when_dirty, m.settings.disabled, m.settings.debug,
            m.settings.interval, m.settings.priority, m.settings.hooks, m.settings.name);
        if (m.settings.bad || impossible(m.settings)) {
            m.dead = true;
            expect_error(ErrorCode::bad_system, "add_system", call);
            ++replay.counts["bad systems"];
            compare(false);
            return;
        }
        systems.push_back(&m);
        Call f{"add_system", {}, &m};
        run_call(f, call);
        if (!m.tracking) fail("S3: init was not called");
        compare(false);
        if (all_systems.size() > 400 && calls.empty() && !loops && !nested_operations) {
            frame_systems.clear();
            std::erase_if(all_systems, [](auto& p) { return p->dead && p->destroyed; });
        }
    }
};

}  // namespace test::rules_model
