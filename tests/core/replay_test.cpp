// A program of many systems is restored at random moments, into worlds that are in another state, and plays the same inputs again
// (rule N3).
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "crateful/detail/recording.hpp"
#include "crateful/ecs.hpp"
#include "crateful/rewind.hpp"
#include "crateful/state.hpp"
#include "random_model.hpp"
#include "world.hpp"

namespace crateful::test_replay {
namespace {

using Bytes = std::vector<std::byte>;

struct Place {
    float x = 0;
    float y = 0;
};
struct Life {
    std::int32_t points = 3;
    std::int32_t changes = 0;
};
struct Sum {  // derived from others
    double value = 0;
};
struct Flag {};
struct Level {  // linear
    std::uint16_t value = 1;
};
struct Aim {
    Link target;
    Entity other = NONE;
};
struct Called {
    String name;
    std::uint8_t length = 0;
};
struct Game {  // of the world
    std::int32_t score = 0;
};
struct Hit {
    static constexpr std::string_view type_name = "replay.Hit";
    Entity target = NONE;
    std::int32_t points = 0;
};
struct Note {
    static constexpr std::string_view type_name = "replay.Note";
    static std::vector<std::byte> encode(const Note& note) {
        const auto bytes = std::as_bytes(std::span(note.text));
        return {bytes.begin(), bytes.end()};
    }
    static Note decode(std::span<const std::byte> bytes) {
        return {{reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
    }
    std::string text;
};

void describe_all() {
    describe_component<Place>("replay.Place").field("x", &Place::x).field("y", &Place::y);
    describe_component<Life>("replay.Life").field("points", &Life::points).field("changes", &Life::changes);
    describe_component<Sum>("replay.Sum").field("value", &Sum::value);
    describe_component<Flag>("replay.Flag");
    describe_component<Level>("replay.Level").field("value", &Level::value).policy(Policy::linear);
    describe_component<Aim>("replay.Aim").field("target", &Aim::target).field("other", &Aim::other);
    describe_component<Called>("replay.Called").field("name", &Called::name).field("length", &Called::length);
    describe_component<Game>("replay.Game").field("score", &Game::score);
}

/// Everything that a program can observe, as one number.
class Log {
public:
    void add(std::uint64_t value) { sum_ = (sum_ ^ value) * 0x9E3779B97F4A7C15u + (sum_ >> 31); }
    void add(Entity e) { add(static_cast<std::uint64_t>(e)); }
    [[nodiscard]] std::uint64_t sum() const { return sum_; }

private:
    std::uint64_t sum_ = 1;
};

// Creates aspects only in one state of the game, because the ECS then takes other ways.
void log_entities(ECS& ecs, Entities<Aspect>& entities, Log& log) {
    const bool with_aspects = ecs.get<Game>(ecs.world()).score % 8 == 0;
    if (with_aspects) {
        for (auto [e, aspect] : entities) log.add(aspect.entity());
    } else {
        for (const Entity e : entities.ids()) log.add(e);
    }
}

// Changes what it finds to be dirty each time, and is therefore exact.
struct Counter : System<> {
    explicit Counter(Log& to) : log(to) {
        require<Place, Life>();
        watch<Place>();
        exact();
    }
    void update(double delta, Entities& entities, Dirty& dirty) override {
        log.add(static_cast<std::uint64_t>(delta * 1e6));
        log_entities(ecs(), entities, log);
        for (const Entity e : dirty) {
            log.add(e);
            ecs().modify<Life>(e, [](Life& life) { ++life.changes; });
            if (ecs().get<Life>(e).changes % 3 == 0) dirty.keep(e);
            if (ecs().get<Life>(e).changes % 5 == 0) ecs().modify<Place>(e, [](Place& place) { place.x += 1; });
            if (ecs().get<Life>(e).changes > 40) ecs().remove_entity(e);
        }
    }
    Log& log;
};
// The same at intervals, in one state of the game, and for some causes only.
struct Slow : System<> {
    explicit Slow(Log& to) : log(to) {
        require<Life>(exclude<Flag>);
        watch<Life, Place>();
        only_when_dirty();
        interval(0.05);
        ordered();
        exact();
    }
    [[nodiscard]] bool when(const ECS& world) override { return world.get<Game>(world.world()).score % 4 != 0; }
    void update(double delta, Entities& entities, Dirty& dirty) override {
        log.add(static_cast<std::uint64_t>(delta * 1e6));
        log_entities(ecs(), entities, log);
        for (const Entity e : dirty.of<Place>()) {
            log.add(e);
            ecs().modify<Life>(e, [](Life& life) { ++life.points; });
            if (ecs().get<Life>(e).points % 7 == 0) break;
        }
    }
    Log& log;
};
struct Tree : System<> {
    explicit Tree(Log& to) : log(to) {
        require<Place>(any<Life, Level, Flag>);
        watch<Place, Level>();
        watch_ancestors<Place>();
        exact();
    }
    void update(double, Entities& entities, Dirty& dirty) override {
        log_entities(ecs(), entities, log);
        const std::int32_t score = ecs().get<Game>(ecs().world()).score;
        if (score % 3 == 0) {
            for (const Entity e : dirty.of<Place>()) log.add(e);
        } else if (score % 3 == 1) {
            for (const Entity e : dirty.top_down()) {
                log.add(e);
                if (static_cast<std::uint64_t>(e) % 5 == 0) dirty.keep(e);
            }
        } else {
            for (const Entity e : dirty) log.add(e);
        }
    }
    Log& log;
};
// Its aspects are created late, and whether there are any must make no difference.
struct Follow : System<> {
    explicit Follow(Log& to) : log(to) {
        require<Aim>();
        watch<Aim>();
        exact();
    }
    void update(double, Entities& entities, Dirty& dirty) override {
        log_entities(ecs(), entities, log);
        std::size_t n = 0;
        for (const Entity e : dirty) {
            log.add(e);
            if (++n % 4 == 0) dirty.keep(e);
        }
    }
    Log& log;
};
// Derives values, so it may find more to be dirty than necessary. It adds nothing, because the order in which it does that would differ.
struct Derive : System<> {
    Derive(Log& to, bool is_exact) : log(to) {
        require<Place, Sum>();
        watch<Place, Life>();
        exact(is_exact);
    }
    void update(double, Entities& entities, Dirty& dirty) override {
        for (auto [e, aspect] : entities) log.add(e);
        for (const Entity e : dirty) {
            const Life* life = ecs().try_get<Life>(e);
            ecs().set<Sum>(e, {ecs().get<Place>(e).x + (life != nullptr ? life->points : 0.0)});
        }
    }
    Log& log;
};
struct Listener : System<> {
    explicit Listener(Log& to) : log(to) { require_none(); }
    void update(double) override {
        std::size_t taken = 0;
        for (const Hit& hit : hits) {
            log.add(hit.target);
            if (ecs().has<Life>(hit.target)) {
                ecs().modify<Life>(hit.target, [&](Life& life) { life.points -= hit.points; });
                if (ecs().get<Life>(hit.target).points < -20) ecs().remove_entity(hit.target);
            }
            if (++taken % 3 == 0) break;
        }
        for (const Note& note : notes) log.add(note.text.size());
        if (notes.dropped() > 100000) notes.clear();
        if (taken == 2) ecs().events.dispatch(Hit{NONE, 1}, 0.07);
        if (taken == 1) ecs().events.dispatch(Note{"from the listener"}, 0.05);
    }
    Log& log;
    Inbox<Hit> hits{*this, 10};
    Inbox<Note> notes{*this};
};
struct Menu : System<> {  // runs also during a pause
    explicit Menu(Log& to) : System(false, true), log(to) {
        require<Called>();
        watch<Called>();
        exact();
    }
    void update(double, Entities&, Dirty& dirty) override {
        for (const Entity e : dirty) log.add(e);
        ecs().modify<Game>(ecs().world(), [](Game& game) { ++game.score; });
    }
    Log& log;
};

struct World {
    explicit World(bool all_exact) {
        describe_all();
        ecs.add(ecs.world(), Game{});
        ecs.events.collect<Hit>();
        ecs.events.subscribe<Note>([this](const Note& note) { log.add(note.text.size()); });
        ecs.add_system<Tree>(3, log);
        ecs.add_system<Counter>(1, log);
        ecs.add_system<Slow>(2, log);
        ecs.add_system<Derive>(4, log, all_exact);
        ecs.add_system<Listener>(0, log);
        ecs.add_system<Menu>(5, log);
        ecs.add_system<Follow>(1, log);
    }
    ECS ecs;
    Log log;
};

/// The inputs of one frame, chosen by a seed.
class Frame {
public:
    Frame(World& world, std::uint32_t seed) : world_(world), ecs_(world.ecs), random_(seed) {
        ecs_.by_id().pool().each([&](Entity e) {
            if (e != ecs_.world()) all_.push_back(e);
        });
    }
    void play() {
        change();
        ecs_.update(static_cast<double>(random_() % 4) * 0.01);
        observe();
    }
    void change() {
        for (auto n = pick(6); n > 0; --n) operation();
    }

private:
    std::uint32_t pick(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }
    float number(float one) { return std::array{one, 0.0F, -0.0F, std::numeric_limits<float>::quiet_NaN()}[pick(4)]; }
    Entity any() { return all_.empty() ? NONE : all_[pick(all_.size())]; }

    void operation() {
        const std::uint32_t what = pick(34);
        const Entity e = any();
        if (what < 4) return spawn();
        if (what >= 28) return of_the_world(what);
        if (e == NONE || !ecs_.alive(e)) return;
        switch (what) {
            case 4:
            case 5: ecs_.remove_entity(e); break;
            case 6: ecs_.add(e, Place{static_cast<float>(pick(9)), 2}); break;
            case 7: ecs_.add(e, Life{static_cast<std::int32_t>(pick(9)), 0}); break;
            case 8: ecs_.add(e, Flag{}); break;
            case 9: ecs_.add(e, Level{static_cast<std::uint16_t>(pick(99))}); break;
            case 10: ecs_.add(e, Aim{Link{any()}, any()}); break;
            case 11: ecs_.add(e, Called{ecs_.string("name " + std::to_string(pick(20))), 1}); break;
            case 12: ecs_.remove<Place>(e); break;
            case 13: ecs_.remove<Life>(e); break;
            case 14: ecs_.remove<Flag>(e); break;
            case 15: ecs_.remove<Level>(e); break;
            case 16: ecs_.remove<Aim>(e); break;
            case 17:
            case 18: set_parent(e, any()); break;
            case 19: ecs_.set_parent(e, NONE); break;
            case 20:
            case 21:
                if (ecs_.has<Place>(e)) ecs_.modify<Place>(e, [&](Place& place) { place.y = number(place.y + 1); });
                break;
            case 22:
                if (ecs_.has<Place>(e)) test::queue_mark(ecs_, component_id<Place>(), e);
                break;
            case 23: ecs_.events.dispatch(Hit{e, 1}, static_cast<double>(pick(4)) * 0.03); break;
            case 24: ecs_.events.dispatch(Note{std::string(pick(9), 'x')}, static_cast<double>(pick(3)) * 0.03); break;
            case 25: ecs_.sort<Life>([](const Life& a, const Life& b) { return a.points < b.points; }); break;
            case 26:
                if (ecs_.has<Level>(e)) ecs_.modify<Level>(e, [](Level& level) { ++level.value; });
                break;
            default:
                ecs_.query<Life, const Place>().change(
                    [](Life& life, const Place& p) { life.points += p.y > 3 ? 1 : 0; });
        }
    }
    void spawn() {
        const Entity e = ecs_.add_entity(Place{static_cast<float>(pick(9)), 1}, Life{}, Sum{});
        if (pick(2) == 0) set_parent(e, any());
        all_.push_back(e);
    }
    void set_parent(Entity e, Entity parent) {
        for (Entity at = parent; at != NONE; at = ecs_.parent(at)) {
            if (at == e) return;
        }
        if (parent != NONE) ecs_.set_parent(e, parent);
    }
    void of_the_world(std::uint32_t what) {
        const std::vector<SystemBase*> systems = ecs_.systems();
        switch (what) {
            case 28: ecs_.set_paused(pick(3) == 0); break;
            case 29: ecs_.clock().time_scale(static_cast<double>(pick(4)) / 2); break;
            case 30: ecs_.slow_motion().request(1 + pick(3), 0.1); break;
            case 31:
                ecs_.slow_motion().style = pick(2) == 0 ? SlowMotion::Style::step : SlowMotion::Style::scale;
                break;
            case 32: ecs_.toggle_system(*systems[pick(systems.size())]); break;
            default:
                if (pick(40) == 0) return clear();
                for (const Hit& hit : ecs_.events.inbox<Hit>()) world_.log.add(hit.target);
                ecs_.events.inbox<Hit>().clear();
        }
    }
    void clear() {
        ecs_.clear();
        all_.clear();
    }

    // The order of all iterations.
    void observe() {
        Log& log = world_.log;
        for (auto [e, place, life] : ecs_.query<Place, const Life>()) log.add(e);
        for (auto [e, level] : ecs_.query<Level>(exclude<Flag>)) log.add(e);
        for (auto [e, place] : ecs_.query<const Place>(order_by(&Place::x))) log.add(e);
        for (auto [e, called] : ecs_.query<const Called>(order_by(&Called::name, Direction::descending))) log.add(e);
        ecs_.by_id().pool().each([&](Entity e) {
            for (const Entity child : ecs_.children(e)) log.add(child);
            for (const Entity source : ecs_.linked<Aim>(e)) log.add(source);
        });
        for (SystemBase* system : ecs_.systems()) {
            for (const Entity e : system->tracked().entities()) log.add(e);
        }
    }

    World& world_;
    ECS& ecs_;
    std::mt19937 random_;
    std::vector<Entity> all_;
};

struct Seen {
    std::uint64_t log;
    Bytes state;
};

/// Plays frames with the seeds from `first` on; returns what was seen after each.
std::vector<Seen> play(World& world, std::uint32_t first, std::uint32_t frames) {
    std::vector<Seen> seen;
    for (std::uint32_t k = 0; k < frames; ++k) {
        world.log = {};
        Frame(world, first + k).play();
        seen.push_back({world.log.sum(), snapshot(world.ecs)});
    }
    return seen;
}

// Plays frames, restores a snapshot of before in some world, and plays them again. If all systems are exact, their state is the same
// too.
void replay(bool all_exact, int updates, std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto pick = [&random](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    auto now = std::make_unique<World>(all_exact);
    auto other = std::make_unique<World>(all_exact);  // in another state
    for (int played = 0; played < updates;) {
        const std::uint32_t before = pick(8);
        const std::uint32_t frames = pick(12);
        play(*now, seed, before);
        play(*other, seed + 7'777'777, pick(4));
        const Bytes saved = snapshot(now->ecs, {.systems = true});
        const std::vector<Seen> first = play(*now, seed + before, frames);
        const Bytes end = snapshot(now->ecs, {.systems = true});
        switch (pick(4)) {
            case 0: now = std::make_unique<World>(all_exact); break;
            case 1: std::swap(now, other); break;
            default: break;  // the same world
        }
        restore(now->ecs, saved);
        if (all_exact) {
            ASSERT_EQ(snapshot(now->ecs, {.systems = true}), saved) << "seed " << seed;
        }
        const std::vector<Seen> again = play(*now, seed + before, frames);
        for (std::uint32_t k = 0; k < frames; ++k) {
            ASSERT_EQ(again[k].log, first[k].log) << "seed " << seed << ", frame " << k << " of " << frames;
            ASSERT_EQ(again[k].state, first[k].state) << "seed " << seed << ", frame " << k << " of " << frames;
        }
        if (all_exact) {
            ASSERT_EQ(snapshot(now->ecs, {.systems = true}), end) << "seed " << seed;
        }
        seed += before + frames;
        played += static_cast<int>(before + 2 * frames) + 2;
    }
}

TEST(Replay, N3_the_same_inputs_give_the_same_world_and_the_same_order_of_iterations) {
    replay(false, static_cast<int>(test::times(15'000)), test::first_seed());
}

TEST(Replay, N3_and_the_same_state_of_systems_that_are_exact) {
    replay(true, static_cast<int>(test::times(15'000)), test::first_seed() + 1'000'000);
}

// Goes back and forth between the recorded frames, and plays some of them again.
void rewind(bool all_exact, int updates, std::uint32_t seed, std::size_t bytes) {
    std::mt19937 random(seed);
    const auto pick = [&random](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    World world(all_exact);
    Rewind frames(world.ecs, {.bytes = bytes});
    internal::Recording other(world.ecs, {});
    const auto state = [&] { return snapshot(world.ecs, {.systems = all_exact}); };
    std::map<double, Seen> seen{{0, {0, state()}}};  // by the number of the frame
    const auto play_to = [&](double end) {
        while (world.ecs.clock().frame() < end) {
            const double next = world.ecs.clock().frame() + 1;
            world.log = {};
            Frame(world, seed + static_cast<std::uint32_t>(next)).play();
            ASSERT_TRUE(other.unrecorded(1000).empty()) << "seed " << seed << ", frame " << next;
            const Seen now{world.log.sum(), state()};
            const auto [before, is_new] = seen.emplace(next, now);
            ASSERT_EQ(before->second.log, now.log) << "seed " << seed << ", frame " << next;
            ASSERT_EQ(before->second.state, now.state) << "seed " << seed << ", frame " << next;
        }
    };
    for (int played = 0; played < updates;) {
        const double now = world.ecs.clock().frame();
        ASSERT_NO_FATAL_FAILURE(play_to(now + pick(20)));
        if (pick(3) == 0) Frame(world, pick(1000)).change();  // is lost
        for (std::uint32_t n = pick(4) + 1; n > 0; --n) {
            const double oldest = frames.oldest();
            const double newest = frames.newest();
            ASSERT_LE(oldest, world.ecs.clock().frame());
            ASSERT_GE(newest, world.ecs.clock().frame());
            const double to = oldest + pick(static_cast<std::uint32_t>(newest - oldest) + 1);
            frames.to(to);
            ASSERT_EQ(world.ecs.clock().frame(), to);
            ASSERT_EQ(frames.oldest(), oldest);
            ASSERT_EQ(frames.newest(), newest);
            ASSERT_EQ(state(), seen.at(to).state) << "seed " << seed << ", frame " << to;
        }
        played += static_cast<int>(seen.rbegin()->first - now) + 20;
        if (seen.rbegin()->first > 2000) {  // another program
            return rewind(all_exact, updates - played, seed + 1000, bytes);
        }
    }
}

TEST(Replay, N7_frames_that_are_played_again_give_the_same_world_and_the_same_order_of_iterations) {
    rewind(false, static_cast<int>(test::times(15'000)), test::first_seed(), 30'000);
}

TEST(Replay, N7_systems_that_are_exact_are_dirty_as_in_the_frame_to_which_it_goes) {
    rewind(true, static_cast<int>(test::times(15'000)), test::first_seed() + 500'000, 1'000'000);
}

}  // namespace
}  // namespace crateful::test_replay
