// Calls the ECS, compares what was thrown, and nests operations in callbacks.
#pragma once
#include "comparison.hpp"

namespace test::rules_model {

class Calls : public Comparison {
public:
    using Comparison::Comparison;

    /// Performs the operation on the ECS. The model was changed before.
    template <class F>
    void run_call(Call& f, F&& call) {
        forget_removed();
        calls.push_back(&f);
        ++depth;
        std::optional<int> got;
        bool other = false;
        std::string what;
        try {
            call();
        } catch (const Thrown& b) {
            got = b.id;
        } catch (const Error& e) {
            other = true;
            what = e.what();
        } catch (const std::exception& e) {
            other = true;
            what = e.what();
        }
        --depth;
        calls.pop_back();
        if (other) fail(std::string("unexpected error in ") + f.kind + ": " + what);
        if (got != f.first_thrown)
            fail(std::string("S7: ") + f.kind + " threw " + (got ? std::to_string(*got) : "nothing") + ", expected " +
                 (f.first_thrown ? std::to_string(*f.first_thrown) : "nothing"));
        if (removing) adopt();
        if (!bulks.empty()) adopt_bulk();
        forget_removed();
    }
    /// The same for a call whose result is not compared.
    template <class F>
    void perform(const char* kind, F&& call, ModelSystem* about = nullptr) {
        Call f{kind, {}, about};
        run_call(f, call);
        compare(false);
    }
    template <class F>
    void expect_error(ErrorCode code, const char* kind, F&& call) {
        forget_removed();
        try {
            call();
        } catch (const Error& e) {
            if (e.code() != code) fail(std::string(kind) + " has another code: " + e.what());
            forget_removed();
            ++replay.counts["errors"];
            return;
        }
        fail(std::string(kind) + " did not throw");
    }
    template <class F>
    void expect_any_error(const char* kind, F&& call) {
        try {
            call();
        } catch (const Error&) {
            ++replay.counts["errors"];
            return;
        }
        fail(std::string(kind) + " did not throw");
    }
    /// Ends each callback.
    void maybe_throw(int percent) {
        if (random.chance(percent)) {
            int id = ++next_thrown;
            if (!calls.empty() && !calls.back()->first_thrown) calls.back()->first_thrown = id;
            log("throws %d", id);
            ++replay.counts["throws"];
            throw Thrown{id};
        }
    }
    /// Applies operations, unless there were enough of them inside the outermost one.
    void random_operations(int n) {
        while (n-- > 0 && budget > 0) {
            --budget;
            random_operation();
        }
    }
    /// The body of a callback that is not `update`.
    void callback(const char* what, ModelSystem& s, Entity e) {
        stop_if_failed();
        log("callback %s of %d on %u.%u", what, s.id, e == NONE ? 0 : index_of(e), e == NONE ? 0 : generation_of(e));
        ++replay.counts[what];
        if (updating && calls.size() && calls.back()->kind == std::string("update") && !systems_are_over) end_systems();
        if (removing && updating && s.pending && calls.back()->kind == std::string("update") && e != NONE && lives(e) &&
            !entity(e).dying)
            end_phase();
        if (nested && budget > 0 && random.chance(30)) {
            ++nested_operations;
            lenient = true;
            if (removing) adopt();
            forget_removed();
            random_operations(1 + random.below(3));
            forget_removed();
            --nested_operations;
        }
        maybe_throw(3);
    }
    template <class T>
    std::size_t random_index(const std::vector<T>& values) {
        return static_cast<std::size_t>(random.below(static_cast<int>(values.size())));
    }
    Entity random_entity() { return random.chance(6) ? Entity{0} : alive[random_index(alive)]; }
    Entity invalid_handle() {
        int k = random.below(10);
        if (k < 7 && !stale.empty()) return stale[random_index(stale)];
        if (k == 8) return make_entity(next_fresh_index + 3, 0);
        return k == 9 ? make_entity(0, 1) : NONE;
    }
    /// During a removal phase, operations use no entities that it removes.
    bool usable(Entity e) { return lives(e) && !(removing && entity(e).dying); }
    Entity random_usable() {
        for (int i = 0; i < 8; ++i) {
            Entity e = random_entity();
            if (usable(e)) return e;
        }
        return Entity{0};
    }
    std::vector<Entity> random_entities() {
        std::vector<Entity> v;
        int n = random.below(7);
        while (n-- > 0) {
            v.push_back(random_usable());
        }
        return v;
    }
    ModelSystem* random_system() {
        std::vector<ModelSystem*> c;
        for (auto* s : systems)
            if (!s->dead && !(s->pending && systems_are_over)) c.push_back(s);
        return c.empty() ? nullptr : c[random_index(c)];
    }
};

}  // namespace test::rules_model
