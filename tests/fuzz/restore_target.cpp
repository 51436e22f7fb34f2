#include "restore_target.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "../../core/src/state/format.hpp"
#include "crateful/ecs.hpp"
#include "crateful/state.hpp"

namespace crateful::fuzz {
namespace {

struct Place {  // a record
    float x = 0;
    std::int32_t y = 0;
};
enum class Mood : std::uint8_t { calm, glad, sad };
struct Mind {  // not a record: an enum, a bool, a vector, a member that is not described
    Mood mood = Mood::calm;
    bool awake = true;
    std::array<std::int16_t, 3> levels{1, 2, 3};
    double hidden = 4;
};
struct Called {
    String name;
    std::uint8_t number = 7;
};
struct Chase {
    Link prey;
    Entity friendly = NONE;
};
struct Flag {};
struct Level {  // linear
    std::uint16_t value = 4;
};
struct Hit {
    static constexpr std::string_view type_name = "Hit";
    Entity target = NONE;
    float points = 0;
};
struct Note {
    static constexpr std::string_view type_name = "Note";
    static std::vector<std::byte> encode(const Note& note) {
        const auto bytes = std::as_bytes(std::span(note.text));
        return {bytes.begin(), bytes.end()};
    }
    static Note decode(std::span<const std::byte> bytes) {
        if (bytes.size() > 64) throw Error(ErrorCode::bad_data, "Note: the text is too long");
        return {{reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
    }
    std::string text;
};

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "restore_target: %s\n", what);
    std::abort();
}

struct Mover : System<> {
    Mover() {
        require<Place>(exclude<Flag>);
        watch<Place, Mind>();
        watch_ancestors<Place>();
        ordered();
    }
    void update(double, Entities& entities, Dirty& dirty) override {
        for (const Entity e : dirty.of<Mind>()) seen += static_cast<std::size_t>(index_of(e));
        for (const Entity e : dirty.top_down()) seen += static_cast<std::size_t>(index_of(e));
        for (auto [e, aspect] : entities) seen += static_cast<std::size_t>(index_of(e));
    }
    std::size_t seen = 0;
};
struct Listener : System<> {
    Listener() {
        require<Mind>();
        watch<Mind>();
        only_when_dirty();
        interval(0.02);
        exact();
    }
    void update(double) override {
        for (const Hit& hit : hits) seen += ecs().alive(hit.target) ? 1u : 0u;
        for (const Note& note : notes) seen += note.text.size();
    }
    std::size_t seen = 0;
    Inbox<Hit> hits{*this, 20};
    Inbox<Note> notes{*this};
};

void describe() {
    describe_component<Place>("Place").field("x", &Place::x).field("y", &Place::y);
    describe_component<Mind>("Mind")
        .field("mood", &Mind::mood)
        .names({"calm", "glad", "sad"})
        .field("awake", &Mind::awake)
        .field("levels", &Mind::levels);
    describe_component<Called>("Called").field("name", &Called::name).field("number", &Called::number);
    describe_component<Chase>("Chase").field("prey", &Chase::prey).field("friendly", &Chase::friendly);
    describe_component<Flag>("Flag");
    describe_component<Level>("Level").field("value", &Level::value).policy(Policy::linear);
}
ComponentId column_class() {
    static const ComponentId id = registry::add_stored(
        "Columns", {{"at", FieldType::f32}, {"", FieldType::f32, 0, {}, true}, {"n", FieldType::i8}});
    return id;
}

struct World {
    World() {
        describe();
        ecs.add_system<Mover>(1);
        ecs.add_system<Listener>(2);
        ecs.events.collect<Hit>();
        ecs.events.collect<Note>();
    }
    void fill(int size) {
        std::vector<Entity> all;
        for (int k = 0; k < size; ++k) {
            all.push_back(ecs.add_entity(Place{static_cast<float>(k), k}));
            const Entity e = all.back();
            const auto at = static_cast<std::size_t>(k);
            if (k % 2 == 0) ecs.add(e, Mind{static_cast<Mood>(k % 3), k % 4 == 0, {}, 4});
            if (k % 3 == 0) ecs.add(e, Called{ecs.string(k % 6 == 0 ? "crate" : "box"), 9});
            if (k % 3 == 1) ecs.add(e, Chase{Link{all[at / 2]}, all[at / 3]});
            if (k % 4 == 3) ecs.set_parent(e, all[at / 2]);
            if (k % 5 == 2) ecs.add(e, Flag{});
            if (k % 5 == 3) ecs.add(e, Level{static_cast<std::uint16_t>(k)});
            const std::array<std::uint64_t, 3> packed{1, 2, 3};
            if (k % 4 == 1) ecs.by_id().add(e, column_class(), reinterpret_cast<const std::byte*>(packed.data()));
        }
        ecs.events.dispatch(Note{"now"});
        ecs.events.dispatch(Note{"later"}, 3);
        ecs.events.dispatch(Hit{all.front(), 2}, 3);
        ecs.update(0.01);
        ecs.events.dispatch(Hit{all.back(), 1});
        ecs.modify<Place>(all.front(), [](Place& place) { ++place.x; });
        ecs.modify<Mind>(all.front(), [](Mind& mind) { mind.awake = false; });
        ecs.add(ecs.world(), Level{9});
        ecs.remove_entity(all.back());
        ecs.remove_entity(all[all.size() / 2]);
        ecs.remove_marked();
        ecs.add_entity(Place{});
        ecs.remove_entity(all.front());
        ecs.slow_motion().request(2, 5);
    }
    ECS ecs;
};

constexpr std::size_t LIMIT = 4096;

Bytes state_of(ECS& ecs) { return snapshot(ecs, {.systems = true}); }

void update(ECS& ecs) {
    try {
        ecs.update(0.02);
    } catch (const Error& error) {  // with the time scale of the bytes, a time would become infinite
        require(error.code() == ErrorCode::bad_argument, error.what());
    }
}

// Reads all that restoring has made.
void use(ECS& ecs) {
    std::size_t seen = 0;
    ecs.by_id().pool().each([&](Entity e) {
        require(ecs.alive(e), "an entity is not alive");
        for (const Entity source : ecs.linked<Chase>(e)) seen += static_cast<std::size_t>(index_of(source));
        for (const Entity child : ecs.children(e)) require(ecs.parent(child) == e, "a child has another parent");
        if (const Called* called = ecs.try_get<Called>(e)) seen += ecs.text(called->name).size();
        if (const Mind* mind = ecs.try_get<Mind>(e)) require(mind->mood <= Mood::sad, "an enum has no name");
    });
    for (auto [e, place] : ecs.query<const Place>(order_by(&Place::x))) seen += static_cast<std::size_t>(place.y != 0);
    for (auto [e, level] : ecs.query<const Level>()) seen += level.value;
    for (int k = 0; k < 3; ++k) update(ecs);
    const auto placed = ecs.storage<Place>().entities();
    for (const Entity e : std::vector<Entity>(placed.begin(), placed.end())) {
        if (e != ecs.world()) ecs.remove_entity(e);
    }
    ecs.remove_marked();
    ecs.add_entity(Place{}, Mind{});
    update(ecs);
}

}  // namespace

bool restore_target(std::span<const std::byte> bytes) {
    World world;
    world.fill(6);
    const Bytes before = state_of(world.ecs);
    const RestoreOptions options{.ignore = {"Gone"}, .limits = {.entities = LIMIT, .index = LIMIT, .bytes = 1 << 20}};
    try {
        restore(world.ecs, bytes, options);
    } catch (const Error& error) {
        require(error.code() == ErrorCode::bad_data || error.code() == ErrorCode::bad_argument, error.what());
        require(state_of(world.ecs) == before, "it was refused, and has changed the world");
        return false;
    }
    const Bytes state = state_of(world.ecs);
    World other;
    restore(other.ecs, state, options);
    restore(other.ecs, state, options);
    require(snapshot(other.ecs) == snapshot(world.ecs), "the snapshot of the world gives another world");
    use(world.ecs);
    restore(world.ecs, state, options);
    require(snapshot(other.ecs) == snapshot(world.ecs), "restoring the same bytes again gives another world");
    return true;
}

void repair(Bytes& bytes) {
    if (bytes.size() < internal::HEADER_BYTES) return;
    const std::uint64_t size = bytes.size();
    std::memcpy(bytes.data() + 8, &size, 8);
    const std::uint64_t sum = internal::checksum_of(std::span(bytes).subspan(internal::HEADER_BYTES));
    std::memcpy(bytes.data() + 16, &sum, 8);
}

void change_number(std::span<std::byte> bytes, std::uint64_t random) {
    if (bytes.size() <= internal::HEADER_BYTES + 8) return;
    const auto next = [&random](std::uint64_t n) {
        const std::uint64_t value = random % n;
        random /= n;
        return value;
    };
    const std::size_t at =
        internal::HEADER_BYTES + static_cast<std::size_t>(next(bytes.size() - internal::HEADER_BYTES - 8));
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, 4);
    constexpr std::array<std::uint32_t, 8> NUMBERS{0, 1, 2, 0x3FFFFF, 0x400000, 0x7FFFFFFF, 0xFFFFFFFF, 0x7FF00000};
    switch (next(6)) {
        case 0: value = NUMBERS[static_cast<std::size_t>(next(NUMBERS.size()))]; break;
        case 1: value += static_cast<std::uint32_t>(1 + next(3)); break;
        case 2: value -= static_cast<std::uint32_t>(1 + next(3)); break;
        case 3: value ^= 1u << next(32); break;
        case 4: value = static_cast<std::uint32_t>(next(16)); break;
        default: {  // the same number as elsewhere
            const std::size_t from = static_cast<std::size_t>(next(bytes.size() - 4));
            std::memcpy(&value, bytes.data() + from, 4);
        }
    }
    const bool one_byte = next(4) == 0;
    std::memcpy(bytes.data() + at, &value, one_byte ? 1 : 4);
}

std::vector<Bytes> seeds() {
    std::vector<Bytes> all;
    for (const int size : {2, 6, 13}) {
        World world;
        world.fill(size);
        all.push_back(snapshot(world.ecs));
        world.ecs.modify<Place>(world.ecs.storage<Place>().entities()[0], [](Place& place) { place.y = -1; });
        all.push_back(state_of(world.ecs));
    }
    return all;
}

}  // namespace crateful::fuzz
