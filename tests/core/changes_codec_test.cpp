// Values that only their class can read in changes: native classes with a codec, and objects of a host (rules N5, N6, N8).
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "crateful/changes.hpp"
#include "crateful/detail/change_steps.hpp"
#include "crateful/ecs.hpp"
#include "world.hpp"

namespace crateful::test_changes_codec {
namespace {

using Bytes = std::vector<std::byte>;
ECS* changed_by_functions = nullptr;  // which functions of the codec then try to change

struct Route {
    std::vector<int> stops;
    std::shared_ptr<ECS> at_end;  // whose deleter is called by the destructor

    Route() = default;
    explicit Route(std::vector<int> all) : stops(std::move(all)) {}
    Route(Route&&) noexcept = default;
    Route& operator=(Route&&) noexcept = default;
    ~Route() = default;
};

Bytes encode_route(const Route& route) {
    if (changed_by_functions != nullptr) static_cast<void>(changed_by_functions->add_entity());
    if (!route.stops.empty() && route.stops.front() == 99) throw std::runtime_error("cannot be encoded");
    Bytes bytes(route.stops.size() * sizeof(int));
    if (!bytes.empty()) std::memcpy(bytes.data(), route.stops.data(), bytes.size());
    return bytes;
}
Route decode_route(std::span<const std::byte> bytes) {
    if (changed_by_functions != nullptr) static_cast<void>(changed_by_functions->add_entity());
    if (bytes.size() % sizeof(int) != 0) throw std::runtime_error("odd");
    std::vector<int> stops(bytes.size() / sizeof(int));
    if (!bytes.empty()) std::memcpy(stops.data(), bytes.data(), bytes.size());
    if (!stops.empty() && stops.front() < 0) throw std::runtime_error("negative");
    return Route(std::move(stops));
}

struct Note {  // linear, and with a described field, too
    std::string text;
    float size = 1;
};
struct Mark {
    float x = 0;
};

void describe_all() {
    describe_component<Route>("changes_codec.Route").codec<encode_route, decode_route>();
    describe_component<Note>("changes_codec.Note")
        .field("size", &Note::size)
        .policy(Policy::linear)
        .codec<[](const Note& note) {
            const auto bytes = std::as_bytes(std::span(note.text));
            return Bytes(bytes.begin(), bytes.end());
        },
               [](std::span<const std::byte> bytes) {
                   return Note{std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), 2};
               }>();
    describe_component<Mark>("changes_codec.Mark").field("x", &Mark::x);
}

struct Watcher : System<> {
    std::vector<Entity> seen, added, removed;
    Watcher() {
        require<Route>();
        watch<Route>();
    }
    void update(double, Entities&, Dirty& dirty) override {
        for (const Entity e : dirty) seen.push_back(e);
    }
    void on_add(Aspect& aspect) override { added.push_back(aspect.entity()); }
    void on_remove(Aspect& aspect) override { removed.push_back(aspect.entity()); }
};

struct Pair {
    Pair() {
        describe_all();
        changes.emplace(from, ChangesOptions{{"changes_codec.Route", "changes_codec.Note", "changes_codec.Mark"}, {}});
        receiver.emplace(changes->receiver());
        replica.emplace(to);
        changed_by_functions = nullptr;
    }
    std::size_t send() {
        const auto bytes = receiver->take();
        replica->apply(bytes);
        return bytes.size();
    }
    [[nodiscard]] Entity copy(Entity e) const { return replica->entity(e); }
    ECS from;
    ECS to;
    std::optional<Changes> changes;
    std::optional<Receiver> receiver;
    std::optional<Replica> replica;
};

TEST(ChangesCodec, N5_N6_values_of_a_codec_are_sent_and_arrive) {
    Pair pair;
    auto& watcher = pair.to.add_system<Watcher>(0);
    const Entity e = pair.from.add_entity();
    pair.from.add<Route>(e, Route({1, 2}));
    pair.from.add<Note>(e, {"a note that owns memory, because it is long", 7});
    EXPECT_GT(pair.send(), 0u);
    const Entity copy = pair.copy(e);
    EXPECT_EQ(pair.to.get<Route>(copy).stops, (std::vector{1, 2}));
    EXPECT_EQ(pair.to.get<Note>(copy).text, "a note that owns memory, because it is long");
    EXPECT_EQ(pair.to.get<Note>(copy).size, 2) << "the codec says what it is";
    EXPECT_EQ(watcher.added, std::vector{copy});
    pair.to.update();
    watcher.seen.clear();

    EXPECT_EQ(pair.send(), 0u);
    pair.from.dirty<Route>(e);
    EXPECT_EQ(pair.send(), 0u) << "it is encoded as before";
    pair.from.modify<Route>(e, [](Route& route) { route.stops.push_back(3); });
    EXPECT_GT(pair.send(), 0u);
    EXPECT_EQ(pair.to.get<Route>(copy).stops, (std::vector{1, 2, 3}));
    pair.to.update();
    EXPECT_EQ(watcher.seen, std::vector{copy});
    EXPECT_EQ(watcher.added.size(), 1u);

    pair.from.remove<Route>(e);
    pair.send();
    EXPECT_EQ(watcher.removed, std::vector{copy});
    EXPECT_FALSE(pair.to.has<Route>(copy));
    pair.from.add<Route>(e, Route({1, 2, 3}));
    pair.send();
    EXPECT_EQ(pair.to.get<Route>(copy).stops, (std::vector{1, 2, 3}));
    pair.from.remove_entity(e);
    pair.from.remove_marked();
    pair.send();
    EXPECT_FALSE(pair.to.alive(copy));
}

TEST(ChangesCodec, N5_without_names_the_classes_with_a_codec_and_components_are_included) {
    describe_all();
    ECS from;
    const Entity e = from.add_entity();
    from.add<Route>(e, Route({4}));
    Changes changes(from);
    Receiver receiver = changes.receiver();
    ECS to;
    Replica replica(to);
    replica.apply(receiver.take());
    EXPECT_EQ(to.get<Route>(replica.entity(e)).stops, std::vector{4});
    EXPECT_TRUE(receiver.take().empty());
}

TEST(ChangesCodec, N5_an_index_that_is_used_again_has_the_new_value) {
    Pair pair;
    Entity e = pair.from.add_entity();
    pair.from.add<Route>(e, Route({1}));
    pair.send();
    for (int k = 0; k < 3; ++k) {
        const Entity before = pair.copy(e);
        pair.from.remove_entity(e);
        pair.from.remove_marked();
        e = pair.from.add_entity();
        pair.from.add<Route>(e, Route({1}));  // the same value
        pair.send();
        EXPECT_FALSE(pair.to.alive(before));
        EXPECT_EQ(pair.to.get<Route>(pair.copy(e)).stops, std::vector{1});
    }
}

TEST(ChangesCodec, N6_a_value_that_the_world_has_is_not_exchanged) {
    Pair pair;
    auto& watcher = pair.to.add_system<Watcher>(0);
    const Entity e = pair.from.add_entity();
    pair.from.add<Route>(e, Route({1}));
    pair.send();
    const Entity copy = pair.copy(e);
    pair.to.modify<Route>(copy, [](Route& route) { route.stops = {7}; });
    pair.to.update();
    watcher.seen.clear();
    pair.from.modify<Route>(e, [](Route& route) { route.stops = {7}; });
    pair.send();
    pair.to.update();
    EXPECT_TRUE(watcher.seen.empty());
    pair.to.remove<Route>(copy);
    pair.from.modify<Route>(e, [](Route& route) { route.stops = {8}; });
    pair.send();
    EXPECT_FALSE(pair.to.has<Route>(copy)) << "the program has removed it";
}

TEST(ChangesCodec, N5_what_a_codec_throws_reaches_the_caller_and_nothing_is_lost) {
    Pair pair;
    const Entity e = pair.from.add_entity();
    pair.from.add<Route>(e, Route({99}));
    pair.from.add<Mark>(e, {5});
    EXPECT_THROW(static_cast<void>(pair.receiver->take()), std::runtime_error);
    EXPECT_THROW(static_cast<void>(pair.receiver->take()), std::runtime_error);
    pair.from.modify<Route>(e, [](Route& route) { route.stops = {3}; });
    pair.send();
    EXPECT_EQ(pair.to.get<Route>(pair.copy(e)).stops, std::vector{3});
    EXPECT_EQ(pair.to.get<Mark>(pair.copy(e)).x, 5);
}

TEST(ChangesCodec, N6_N8_what_a_codec_throws_changes_nothing) {
    Pair pair;
    const Entity e = pair.from.add_entity();
    pair.from.add<Route>(e, Route({-1}));
    pair.from.add<Mark>(e, {5});
    const Bytes bytes = pair.receiver->take();
    EXPECT_THROW(pair.replica->apply(bytes), std::runtime_error);
    EXPECT_EQ(pair.to.count(), 0u);
    static_cast<void>(pair.to.add_entity());  // it is not locked
    EXPECT_THROW(pair.replica->apply(bytes), std::runtime_error);
    EXPECT_EQ(pair.copy(e), NONE);
}

TEST(ChangesCodec, N5_N6_functions_of_a_codec_cannot_change_the_world) {
    Pair pair;
    const Entity e = pair.from.add_entity();
    pair.from.add<Route>(e, Route({1}));
    changed_by_functions = &pair.from;
    EXPECT_ERROR(pair.receiver->take(), ErrorCode::bad_argument);
    changed_by_functions = nullptr;
    const Bytes bytes = pair.receiver->take();
    changed_by_functions = &pair.to;
    EXPECT_ERROR(pair.replica->apply(bytes), ErrorCode::bad_argument);
    changed_by_functions = nullptr;
    EXPECT_EQ(pair.to.count(), 0u);
    pair.replica->apply(bytes);
    changed_by_functions = &pair.to;
    EXPECT_ERROR(pair.replica->predict(pair.copy(e)), ErrorCode::bad_argument);
    changed_by_functions = nullptr;
    pair.replica->predict(pair.copy(e));
    pair.to.modify<Route>(pair.copy(e), [](Route& route) { route.stops = {7}; });
    changed_by_functions = &pair.to;
    EXPECT_ERROR(pair.replica->reset(), ErrorCode::bad_argument);
    changed_by_functions = nullptr;
    EXPECT_EQ(pair.to.get<Route>(pair.copy(e)).stops, std::vector{7});
}

TEST(ChangesCodec, N6_destructors_of_values_that_were_exchanged_may_use_the_world) {
    Pair pair;
    const Entity e = pair.from.add_entity();
    pair.from.add<Route>(e, Route({1}));
    pair.send();
    const Entity copy = pair.copy(e);
    const auto arm = [&] {
        pair.to.modify<Route>(copy, [&](Route& route) {
            route.at_end = std::shared_ptr<ECS>(&pair.to, [](ECS* ecs) { static_cast<void>(ecs->add_entity()); });
        });
    };
    arm();
    pair.from.modify<Route>(e, [](Route& route) { route.stops = {2}; });
    pair.send();
    EXPECT_EQ(pair.to.count(), 2u);
    pair.replica->predict(copy);
    arm();
    pair.to.modify<Route>(copy, [](Route& route) { route.stops = {3}; });
    pair.replica->reset();
    EXPECT_EQ(pair.to.get<Route>(copy).stops, std::vector{2});
    EXPECT_EQ(pair.to.count(), 3u);
}

TEST(ChangesCodec, N6_predicted_values_are_written_back) {
    Pair pair;
    auto& watcher = pair.to.add_system<Watcher>(0);
    const Entity e = pair.from.add_entity();
    pair.from.add<Route>(e, Route({1}));
    pair.from.add<Note>(e, {"received", 1});
    pair.send();
    const Entity copy = pair.copy(e);
    pair.to.update();
    pair.replica->predict(copy);
    watcher.seen.clear();
    pair.replica->reset();
    pair.to.update();
    EXPECT_TRUE(watcher.seen.empty()) << "nothing differs";
    pair.to.modify<Route>(copy, [](Route& route) { route.stops = {5}; });
    pair.to.remove<Note>(copy);
    pair.to.update();
    watcher.seen.clear();
    pair.replica->reset();
    EXPECT_EQ(pair.to.get<Route>(copy).stops, std::vector{1});
    EXPECT_EQ(pair.to.get<Note>(copy).text, "received");
    pair.to.update();
    EXPECT_EQ(watcher.seen, std::vector{copy});
    pair.from.modify<Route>(e, [](Route& route) { route.stops = {6}; });
    pair.from.remove<Note>(e);
    pair.send();
    pair.to.modify<Route>(copy, [](Route& route) { route.stops = {5}; });
    pair.replica->reset();
    EXPECT_EQ(pair.to.get<Route>(copy).stops, std::vector{6});
    EXPECT_FALSE(pair.to.has<Note>(copy));
    pair.replica->stop_predicting(copy);
    pair.to.modify<Route>(copy, [](Route& route) { route.stops = {5}; });
    pair.replica->reset();
    EXPECT_EQ(pair.to.get<Route>(copy).stops, std::vector{5});
}

struct Ender : System<> {  // ends all predictions when a Mark is added
    Replica* replica = nullptr;
    std::vector<Entity> all;
    Ender() { require<Mark>(); }
    void on_add(Aspect&) override {
        for (const Entity e : all) replica->stop_predicting(e);
    }
};

TEST(ChangesCodec, N6_callbacks_of_reset_may_end_predictions) {
    Pair pair;
    std::vector<Entity> copies;
    for (int k = 0; k < 3; ++k) {
        const Entity e = pair.from.add_entity();
        pair.from.add<Mark>(e, {1});
        pair.from.add<Route>(e, Route({k}));
        pair.send();
        copies.push_back(pair.copy(e));
        pair.replica->predict(copies.back());
        pair.to.remove<Mark>(copies.back());
    }
    auto& ender = pair.to.add_system<Ender>(0);
    ender.replica = &*pair.replica;
    ender.all = copies;
    pair.replica->reset();
    int marks = 0;
    for (const Entity e : copies) marks += pair.to.has<Mark>(e) ? 1 : 0;
    EXPECT_EQ(marks, 3) << "they were written before";
    for (const Entity e : copies) pair.to.remove<Mark>(e);
    pair.replica->reset();
    for (const Entity e : copies) EXPECT_FALSE(pair.to.has<Mark>(e));
}

TEST(ChangesCodec, N5_N6_random_values_arrive_at_each_receiver) {
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        Pair pair;
        ECS other;
        Replica part(other);
        Receiver near = pair.changes->receiver(Selection::selected);
        std::mt19937 random(seed);
        const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
        std::vector<Entity> all;
        std::map<Entity, bool> chosen;
        for (int step = 0; step < 400; ++step) {
            for (std::size_t k = below(6); k > 0; --k) {
                if (all.size() < 20 && below(4) == 0) all.push_back(pair.from.add_entity());
                if (all.empty()) continue;
                const Entity e = all[below(all.size())];
                switch (below(7)) {
                    case 0: pair.from.add<Route>(e, Route(std::vector<int>(below(4), 3))); break;
                    case 1: pair.from.add<Note>(e, {std::string(below(40), 'n'), 1}); break;
                    case 2: pair.from.remove<Route>(e); break;
                    case 3: pair.from.remove<Note>(e); break;
                    case 4: pair.from.add<Mark>(e, {static_cast<float>(below(3))}); break;
                    case 5: pair.from.remove_entity(e); break;
                    default:
                        if (chosen[e] = !chosen[e]; chosen[e]) near.select(e);
                        else near.deselect(e);
                }
                pair.from.remove_marked();
                std::erase_if(all, [&](Entity each) { return !pair.from.alive(each); });
            }
            const auto same = [&](ECS& to, const Replica& replica, Entity e) {
                const Entity copy = replica.entity(e);
                if (copy == NONE) return !(pair.from.has<Route>(e) || pair.from.has<Note>(e) || pair.from.has<Mark>(e));
                const Route* const a = pair.from.try_get<Route>(e);
                const Route* const b = to.try_get<Route>(copy);
                const Note* const x = pair.from.try_get<Note>(e);
                const Note* const y = to.try_get<Note>(copy);
                return (a == nullptr) == (b == nullptr) && (a == nullptr || a->stops == b->stops) &&
                       (x == nullptr) == (y == nullptr) && (x == nullptr || x->text == y->text);
            };
            if (below(2) == 0) {
                pair.send();
                for (const Entity e : all) ASSERT_TRUE(same(pair.to, *pair.replica, e)) << seed << " " << step;
            }
            if (below(3) == 0) {
                part.apply(near.take());
                for (const Entity e : all) {
                    ASSERT_TRUE(chosen[e] ? same(other, part, e) : part.entity(e) == NONE) << seed << " " << step;
                }
            }
        }
    }
}

// --- objects of a host --------------------------------------------------------------------------

ComponentId object_class(const char* name) {
    for (ComponentId id = 0; id < registry::count(); ++id) {
        if (registry::type(id).name == name) return id;
    }
    return registry::add_object(name);
}

/// A host whose objects are numbers.
struct HostPair {
    HostPair() {
        describe_all();
        changes.emplace(internal::changes_with_objects(from, {{"changes_codec.Object", "changes_codec.Mark"}, {}}));
        receiver.emplace(changes->receiver());
        replica.emplace(to);
    }
    Bytes take() {
        internal::TakeSteps steps(*receiver);
        const auto classes = steps.classes();
        for (std::size_t k = 0; k < classes.size(); ++k) {
            EXPECT_EQ(classes[k].id, id);
            std::vector<std::uint32_t> lengths;
            Bytes bytes;
            for (const Entity e : classes[k].entities) {
                lengths.push_back(2);
                bytes.push_back(std::byte{1});
                bytes.push_back(static_cast<std::byte>(objects.at(e)));
                ++encoded;
            }
            steps.set(k, lengths, bytes.data());
        }
        return steps.take(0);
    }
    const ComponentId id = object_class("changes_codec.Object");
    ECS from;
    ECS to;
    std::map<Entity, int> objects;
    std::map<Entity, int> copies;
    int encoded = 0;
    std::optional<Changes> changes;
    std::optional<Receiver> receiver;
    std::optional<Replica> replica;
};

TEST(ChangesCodec, N5_N6_a_host_encodes_and_sets_the_objects_of_its_classes) {
    HostPair pair;
    const Entity e = pair.from.add_entity();
    pair.objects[e] = 40;
    pair.from.by_id().add(e, pair.id, nullptr);
    pair.from.add<Mark>(e, {3});
    const Bytes bytes = pair.take();
    ASSERT_FALSE(bytes.empty());
    {
        internal::ApplySteps steps(*pair.replica, bytes);
        EXPECT_FALSE(steps.done());
        EXPECT_EQ(steps.sent_classes().size(), 3u);
        const auto classes = steps.classes();
        ASSERT_EQ(classes.size(), 1u);
        ASSERT_EQ(classes[0].values.size(), 1u);
        const auto& value = classes[0].values[0];
        EXPECT_EQ(value.index, index_of(e));
        EXPECT_EQ(value.local, NONE);
        EXPECT_EQ(value.n, 2u);
        EXPECT_EQ(value.first[1], std::byte{40});
        EXPECT_EQ(value.is_new, 1u);
        EXPECT_ERROR(pair.to.add_entity(), ErrorCode::bad_argument) << "it is locked";
        steps.exchange();
        pair.to.by_id().add(internal::entity_at(*pair.replica, value.index), pair.id, nullptr);
        steps.finish();
    }
    EXPECT_EQ(pair.to.get<Mark>(pair.replica->entity(e)).x, 3);
    EXPECT_TRUE(pair.take().empty());
    EXPECT_EQ(pair.encoded, 1);
    pair.from.by_id().dirty(e, pair.id);
    EXPECT_TRUE(pair.take().empty());
    EXPECT_EQ(pair.encoded, 2);
    pair.objects[e] = 41;
    pair.from.by_id().dirty(e, pair.id);
    const Bytes second = pair.take();
    {
        internal::ApplySteps abandoned(*pair.replica, second);  // the host's function has thrown
        EXPECT_EQ(abandoned.classes().at(0).values.at(0).local, pair.replica->entity(e));
        EXPECT_EQ(abandoned.classes().at(0).values.at(0).is_new, 0u);
    }
    static_cast<void>(pair.to.add_entity());
    internal::ApplySteps steps(*pair.replica, second);
    steps.exchange();
    steps.finish();
    EXPECT_TRUE(internal::ApplySteps(*pair.replica, second).done());
}

TEST(ChangesCodec, N6_cpp_alone_refuses_objects_of_a_host) {
    HostPair pair;
    const Entity e = pair.from.add_entity();
    pair.objects[e] = 40;
    pair.from.by_id().add(e, pair.id, nullptr);
    pair.from.add<Mark>(e, {3});
    EXPECT_ERROR(Changes(pair.from, {{"changes_codec.Object"}, {}}), ErrorCode::bad_argument);
    EXPECT_ERROR(pair.replica->apply(pair.take()), ErrorCode::bad_argument);
    EXPECT_EQ(pair.to.count(), 0u);
    Receiver receiver = Changes(pair.from).receiver();
    pair.replica->apply(receiver.take());
    EXPECT_TRUE(pair.to.has<Mark>(pair.replica->entity(e)));
    EXPECT_FALSE(pair.to.by_id().has(pair.replica->entity(e), pair.id));
}

}  // namespace
}  // namespace crateful::test_changes_codec
