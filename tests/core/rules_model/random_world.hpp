// An ECS and its model, to which random operations are applied.
#pragma once
#include "system_operations.hpp"

namespace test::rules_model {

class RandomWorld : public SystemOperations {
public:
    RandomWorld(Replay& run, int id) : SystemOperations(run, id) { ecs->by_id().strings().slack(64); }

    void random_operation() override {
        ++replay.operation;
        use_strings();
        forget_removed();
        if (removing) adopt();
        if (!bulks.empty()) adopt_bulk();
        const int k = random.below(1000);  // permille
        if (k < 60) add_entity();
        else if (k < 130) spawn(random.below(10));
        else if (k < 180)
            remove_entity(random.chance(93) ? (removing ? random_usable() : random_entity()) : invalid_handle());
        else if (k < 190) remove_entities();
        else if (k < 350) {
            Entity e = random.chance(96) ? random_usable() : invalid_handle();
            const int c = random.below(OWN_CLASSES);
            add_component(e, c, random.below(3));
        } else if (k < 390) {
            exchange_components(random.chance(96) ? random_usable() : invalid_handle());
        } else if (k < 490) {
            Entity e = random.chance(96) ? random_usable() : invalid_handle();
            remove_component(e, random.below(OWN_CLASSES));
        } else if (k < 510) {
            if (!nested_operations && (!nested || !loops)) add_components();
        } else if (k < 525) {
            if (!nested_operations && (!nested || !loops)) remove_components();
        } else if (k < 570) {
            Entity e = random.chance(97) ? random_usable() : invalid_handle();
            modify_component(e, random.below(OWN_CLASSES));
        } else if (k < 600) {
            Entity e = random.chance(97) ? random_usable() : invalid_handle();
            signal_component(e, random.below(OWN_CLASSES));
        } else if (k < 610) signal_components(random.below(OWN_CLASSES));
        else if (k < 680) {
            Entity c = random.chance(97) ? random_usable() : invalid_handle(),
                   p = random.chance(15)   ? NONE
                       : random.chance(97) ? random_usable()
                                           : invalid_handle(),
                   b = NONE;
            if (p != NONE && lives(p) && random.chance(40) && !entity(p).children.empty())
                b = entity(p).children[random_index(entity(p).children)];
            else if (random.chance(5)) b = random_usable();
            set_parent(c, p, b);
        } else if (k < 700) change_in_query();
        else if (k < 725) read_entity();
        else if (k < 765) iterate();
        else if (k < 855) update();
        else if (k < 865) remove_marked();
        else if (k < 868) clear();
        else if (k < 878) aim();
        else if (k < 900) add_a_system();
        else if (k < 920) remove_a_system();
        else if (k < 945) toggle_a_system();
        else if (k < 985) use_events();
        else if (k < 990) keep_dirty();
        else if (k < 994) {
            paused = !paused && !random.chance(60);
            if (!updating) {
                ecs->set_paused(paused);
            } else paused = ecs->paused();
        } else if (k < 998) {
            if (!updating) {
                double f = 1 << random.below(3), d = (1 + random.below(5)) / 64.0;
                log("slow %g %g", f, d);
                ecs->slow_motion().request(f, d);
                slow_motions.push_back({f, d});
                if (random.chance(10)) {
                    slow_step = !slow_step;
                    ecs->slow_motion().style = slow_step ? SlowMotion::Style::step : SlowMotion::Style::scale;
                }
            }
        } else if (!nested_operations && calls.empty() && !loops) compare(true);
        forget_removed();
    }
    /// Applies an operation outside of callbacks, and compares.
    void step() {
        budget = 30;
        random_operation();
        if (!calls.empty() || nested_operations || loops) fail("harness");
        flush_delivery();
        compare(random.chance(15));
        lenient = false;
    }
    ~RandomWorld() override { tearing = true; }
};

}  // namespace test::rules_model
