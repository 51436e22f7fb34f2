// Updates, removal phases and clear().
#pragma once
#include "event_operations.hpp"

namespace test::rules_model {

class Frames : public EventOperations {
public:
    using EventOperations::EventOperations;

    double effective_delta() { return ecs->game_time() - game_before; }
    bool should_run(ModelSystem& s, bool& unsure) {
        unsure = false;
        if (!s.enabled) return false;
        double d = effective_delta();
        if (d == 0 && !s.settings.debug) return false;
        if (s.settings.interval > 0) {
            if (s.elapsed_unsure || toggled.count(s.id)) {
                unsure = true;
            } else if (s.elapsed < s.settings.interval) return false;
        }
        if (s.settings.only_when_dirty) {
            if (s.dirty.empty()) return false;
            if (s.unsure.size() == s.dirty.size() || lenient) unsure = true;
        }
        return true;
    }
    void pass_time(ModelSystem& s) {
        if (s.settings.interval > 0) {
            if (toggled.count(s.id)) s.elapsed_unsure = true;
            if (s.enabled) s.elapsed += effective_delta();
        }
    }
    void skip_until(ModelSystem* next) {
        while (frame_position < frame_systems.size() && frame_systems[frame_position] != next) {
            ModelSystem& s = *frame_systems[frame_position++];
            pass_time(s);
            bool unsure = false;
            if (!update_threw && should_run(s, unsure) && !unsure)
                fail("S5: system " + std::to_string(s.id) + " did not run");
            if (s.settings.interval > 0) toggled.erase(s.id);
        }
        if (next != nullptr && frame_position == frame_systems.size())
            fail("system " + std::to_string(next->id) + " runs out of order, twice, or was added in this update");
    }
    void begin_run(ModelSystem& s, double delta) {
        know_game_time();
        if (due_now && calls.size() == 1) flush_delivery(true);
        skip_until(&s);
        ++frame_position;
        pass_time(s);
        bool unsure = false;
        if (!should_run(s, unsure) && !unsure) fail("S5: system " + std::to_string(s.id) + " should not run");
        double want = s.settings.interval > 0 ? s.elapsed : effective_delta();
        if (!(s.elapsed_unsure && s.settings.interval > 0) && delta != want)
            fail("delta of system " + std::to_string(s.id) + " is " + std::to_string(delta) + " expected " +
                 std::to_string(want));
        compare(false);
        s.running = true;
        s.snapshot.clear();
        s.visited.clear();
        s.kept.clear();
        s.snapshot_unsure.clear();
        for (Entity e : s.dirty) s.snapshot.insert(bits(e));
        log("runs %d dirty %s", s.id, text(s.dirty).c_str());
        ++replay.counts["runs"];
    }
    void end_run(ModelSystem& s, bool threw) {
        s.running = false;
        if (threw) {
            log("run throws");
            return;
        }
        s.elapsed = 0;
        s.elapsed_unsure = false;
        std::vector<Entity> d;
        for (Entity e : s.dirty)
            if (!(s.snapshot.count(bits(e)) || s.visited.count(bits(e))) || s.kept.count(bits(e))) {
                d.push_back(e);
                if (s.snapshot_unsure.count(bits(e))) s.unsure.insert(bits(e));
            } else s.unsure.erase(bits(e));
        if (!s.kept.empty()) s.dirty_reorder = true;
        s.dirty = d;
        log("ran %d dirty %s", s.id, text(s.dirty).c_str());
    }
    void end_phase() override {
        adopt();
        removing = false;
        for (Entity e : alive)
            if (entity(e).dying) {
                if (entity(e).pending && !update_threw)
                    fail("E3: pending entity is alive after the removal phase: " + to_string(e));
                entity(e).dying = false;
            }
        phase_over = true;
    }
    void end_systems() override {
        phase_over = false;
        know_game_time();
        if (calls.size() == 1) flush_delivery(true);
        systems_are_over = true;
        skip_until(nullptr);  // after an exception, only time passes
        if (!update_threw) {
            removing = nested;
            for (Entity e : pending_removals) mark_dying(e);
            if (nested) lenient = true;
        }
    }
    void do_update(ModelSystem& s, double delta, DirtySet& dirty) {
        stop_if_failed();
        begin_run(s, delta);
        try {
            if (&dirty != &s.real->dirty_set()) fail("update: another dirty set");
            if (budget > 0 && random.chance(50)) {
                random_operations(random.below(6));
            }
            if (budget > 0 && random.chance(40)) {
                Iteration o;
                o.system = &s;
                if (random.chance(40)) top_down(s);
                loop_dirty(o, dirty);
            }
            if (random.chance(20)) keep_dirty();
            compare(false);
            maybe_throw(4);
        } catch (...) {
            update_threw = true;
            end_run(s, true);
            throw;
        }
        end_run(s, false);
    }
    /// The delta of the next frame, or -1 if it is 0 or `wall` (M2, style `step`).
    double expected_delta() {
        if (paused) return 0;
        if (slow_motions.empty()) return wall;
        double want = wall;
        double f = 1;
        for (auto& r : slow_motions) f = std::max(f, r.factor);
        if (!slow_step) want = wall / f;
        else want = -1;
        for (auto& r : slow_motions) r.remaining -= wall;
        std::erase_if(slow_motions, [](auto& r) { return r.remaining <= 0; });
        return want;
    }
    void remove_pending_systems() {
        std::vector<ModelSystem*> gone;
        for (auto* s : systems)
            if (s->pending) gone.push_back(s);
        for (auto* s : gone) {
            if (update_threw && !s->destroyed) {
                ++replay.counts["throw: removed system stays"];
                continue;
            }
            s->dead = true;
            s->tracked.clear();
            s->dirty.clear();
            systems.erase(std::find(systems.begin(), systems.end(), s));
        }
        if (!gone.empty()) frame_systems.clear();
    }
    void update() {
        if (!calls.empty() || nested_operations || loops) {
            log("update (reentrant)");
            bool in_callback = !calls.empty();
            if (in_callback) expect_error(ErrorCode::reentrant_update, "update", [&] { ecs->update(1.0 / 64); });
            if (in_callback) expect_error(ErrorCode::reentrant_update, "remove_marked", [&] { ecs->remove_marked(); });
            return;
        }
        wall = random.chance(10) ? 0 : (1 + random.below(4)) / 64.0;
        log("update %g", wall);
        ++replay.counts["update"];
        double want = expected_delta();
        game_before = ecs->game_time();
        wall_time += wall;
        frame_systems = {};
        for (auto* r : ecs->systems())
            for (auto* s : systems)
                if (s->real == r) frame_systems.push_back(s);
        frame_position = 0;
        systems_are_over = false;
        updating = true;
        update_threw = false;
        toggled.clear();
        if (want >= 0) game_time = game_before + want;
        due_now = want >= 0;
        auto handlers_before = handlers;
        double got = -1;
        Call f{"update", {}};
        forget_removed();
        calls.push_back(&f);
        ++depth;
        std::optional<int> ex;
        try {
            got = ecs->update(wall);
        } catch (const Thrown& b) {
            ex = b.id;
        } catch (const std::exception& x) {
            fail(std::string("update: ") + x.what());
        }
        --depth;
        if (!systems_are_over) end_systems();
        calls.pop_back();
        updating = false;
        if (ex != f.first_thrown) fail("S7: update threw another exception than the first");
        if (want < 0) {
            game_time = ecs->game_time();
            double d = game_time - game_before;
            if (d != 0 && d != wall) fail("M2: the delta of a frame with style step");
            want = d;
        }
        if (!ex && got != want)
            fail("M1: update returned " + std::to_string(got) + " expected " + std::to_string(want));
        for (auto& q : queue)
            if (q.due <= game_time && !cleared_events && !handlers.empty() && handlers == handlers_before)
                fail("V1: a delayed event was not delivered");
        flush_delivery();
        if (nested && removing) {
            end_phase();
            if (!update_threw && !pending_removals.empty()) fail("E3: there are pending removals after an update");
        } else if (!update_threw && !phase_over) model_remove_marked();
        remove_pending_systems();
        cleared_events = false;
        forget_removed();
        compare(false);
        lenient = false;
    }
    void remove_marked() {
        if (!calls.empty()) return;
        if (nested_operations) return;
        log("remove_marked");
        Call f{"remove_marked", {}};
        if (nested) {
            lenient = true;
            removing = true;
            for (Entity e : pending_removals) mark_dying(e);
        }
        run_call(f, [&] { ecs->remove_marked(); });
        if (nested) {
            adopt();
            removing = false;
            for (Entity e : alive) {
                if (entity(e).dying && entity(e).pending) fail("E11: a pending entity is alive");
                entity(e).dying = false;
            }
        } else {
            forget_removed();
            model_remove_marked();
        }
        compare(false);
    }
    void wipe() {
        std::vector<Entity> list = alive;
        bool old = lenient;
        lenient = true;
        for (Entity e : list)
            if (e != Entity{0}) model_destroy(e);
        lenient = old;
        adopt_orders();
        entity(Entity{0}).children.clear();
        pending_removals.clear();
        freed_in_any_order = freed.size();
        removing = false;
        queue.clear();
        cleared_events = true;
        inbox.clear();
        for (auto& h : handlers)
            if (h->transient) h->active = false;
        std::erase_if(handlers, [](auto& h) { return !h->active; });
    }
    void clear() {
        if (clearing) {
            log("clear (no effect)");
            ecs->clear();
            return;
        }
        if (removing) return;
        log("clear");
        ++replay.counts["clear"];
        Call f{"clear", {}};
        clearing = true;
        in_on_clear = false;
        if (nested) {
            removing = true;
            lenient = true;
        }
        for (Entity e : alive)
            if (e != Entity{0}) entity(e).dying = true;
        forget_removed();
        calls.push_back(&f);
        ++depth;
        std::optional<int> ex;
        try {
            ecs->clear();
        } catch (const Thrown& b) {
            ex = b.id;
        } catch (const std::exception& x) {
            fail(std::string("clear: ") + x.what());
        }
        --depth;
        calls.pop_back();
        if (!in_on_clear) wipe();
        clearing = false;
        in_on_clear = false;
        for (Entity e : alive) entity(e).dying = false;
        if (ex != f.first_thrown) fail("S7: clear threw another exception");
        forget_removed();
        compare(true);
    }
};

}  // namespace test::rules_model
