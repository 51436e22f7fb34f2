#include "apply_target.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "../../core/src/state/packet.hpp"
#include "crateful/changes.hpp"
#include "crateful/ecs.hpp"
#include "crateful/state.hpp"

namespace crateful::fuzz_apply {
namespace {

enum class Mood : std::uint8_t { calm, glad, sad };
struct Body {
    float x = 0;
    std::array<std::int16_t, 3> levels{1, 2, 3};
    Mood mood = Mood::calm;
    bool awake = true;
    double hidden = 4;  // not described
};
struct Label {
    String name;
};
struct Follow {
    Link leader;
    std::array<Entity, 2> others{NONE, NONE};
};
struct Tag {};
struct Rank {  // linear
    std::uint16_t value = 4;
};
struct Sign {  // only its codec can read it
    std::string text;
    double hidden = 4;  // not part of it
};

std::vector<std::byte> encode_sign(const Sign& sign) {
    const auto bytes = std::as_bytes(std::span(sign.text));
    return {bytes.begin(), bytes.end()};
}
Sign decode_sign(std::span<const std::byte> bytes) {
    if (bytes.size() > 30) throw Error(ErrorCode::bad_data, "a sign is too long");
    return {std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())};
}

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "apply_target: %s\n", what);
    std::abort();
}

struct Watcher : System<> {
    Watcher() {
        require<Body>();
        watch<Body, Rank>();
        watch_ancestors<Body>();
    }
    void update(double, Entities&, Dirty& dirty) override {
        for (const Entity e : dirty.top_down()) seen += static_cast<std::size_t>(index_of(e));
    }
    std::size_t seen = 0;
};

void describe() {
    describe_component<Body>("fuzz.Body")
        .field("x", &Body::x)
        .field("levels", &Body::levels)
        .field("mood", &Body::mood)
        .names({"calm", "glad", "sad"})
        .field("awake", &Body::awake);
    describe_component<Label>("fuzz.Label").field("name", &Label::name);
    describe_component<Follow>("fuzz.Follow").field("leader", &Follow::leader).field("others", &Follow::others);
    describe_component<Tag>("fuzz.Tag");
    describe_component<Rank>("fuzz.Rank").field("value", &Rank::value).policy(Policy::linear);
    describe_component<Sign>("fuzz.Sign").codec<encode_sign, decode_sign>();
}

constexpr std::size_t LENGTH = 2;  // bytes in front of a packet

/// Calls `visit(packet)` for each; the last one can be shorter than its number says.
template <class Byte, class Visit>
void each_packet(std::span<Byte> bytes, Visit&& visit) {
    while (bytes.size() > LENGTH) {
        std::uint16_t size = 0;
        std::memcpy(&size, bytes.data(), LENGTH);
        bytes = bytes.subspan(LENGTH);
        const std::size_t n = std::min<std::size_t>(size, bytes.size());
        visit(bytes.first(n));
        bytes = bytes.subspan(n);
    }
}

// Reads all that applying has made.
void use(ECS& ecs, const Replica& replica) {
    std::size_t seen = 0;
    ecs.by_id().pool().each([&](Entity e) {
        if (const Entity remote = replica.remote(e); remote != NONE)
            require(replica.entity(remote) == e, "an entity of the sender has another copy");
        for (const Entity source : ecs.linked<Follow>(e)) seen += static_cast<std::size_t>(index_of(source));
        for (const Entity child : ecs.children(e)) require(ecs.parent(child) == e, "a child has another parent");
        if (const Label* label = ecs.try_get<Label>(e)) seen += ecs.text(label->name).size();
        if (const Body* body = ecs.try_get<Body>(e)) {
            require(body->mood <= Mood::sad, "an enum has no name");
            require(body->hidden == 4, "a member that is not described has changed");
        }
        if (const Sign* sign = ecs.try_get<Sign>(e)) {
            require(sign->text.size() <= 30, "a value was not decoded");
            require(sign->hidden == 4, "a member that is not encoded has changed");
        }
        if (const Follow* follow = ecs.try_get<Follow>(e))
            require(follow->leader == NONE || ecs.alive(follow->leader), "a link refers to what is not alive");
    });
    for (auto [e, rank] : ecs.query<const Rank>()) seen += rank.value;
    ecs.update(0.02);
}

}  // namespace

int apply_target(std::span<const std::byte> bytes) {
    describe();
    ECS ecs;
    ecs.add_system<Watcher>(1);
    const Entity own = ecs.add_entity(Body{}, Rank{}, Sign{"own"});
    Replica replica(ecs, {.limits = {.entities = 1024, .index = 4096}});
    int accepted = 0;
    each_packet(bytes, [&](std::span<const std::byte> packet) {
        const Bytes before = snapshot(ecs);
        try {
            replica.apply(packet);
        } catch (const Error& error) {
            require(error.code() == ErrorCode::bad_data || error.code() == ErrorCode::bad_argument, error.what());
            if (snapshot(ecs) != before) std::fprintf(stderr, "%s\n", error.what());
            require(snapshot(ecs) == before, "it was refused, and has changed the world");
            return;
        }
        ++accepted;
        require(ecs.alive(own) && ecs.has<Rank>(own), "an entity of the world itself has changed");
        use(ecs, replica);
        replica.reset();
        for (const Entity e : ecs.by_id().pool().handles()) {
            if (replica.remote(e) != NONE) replica.predict(e);
        }
    });
    ecs.clear();
    return accepted;
}

void repair(Bytes& bytes) {
    each_packet(std::span(bytes), [](std::span<std::byte> packet) {
        if (packet.size() < 4) return;
        const std::uint32_t sum = internal::packet_checksum(packet.first(packet.size() - 4));
        std::memcpy(packet.data() + packet.size() - 4, &sum, 4);
    });
}

void change_byte(std::span<std::byte> bytes, std::uint64_t random) {
    if (bytes.empty()) return;
    std::byte& at = bytes[static_cast<std::size_t>(random % bytes.size())];
    random /= bytes.size();
    constexpr std::array<std::uint8_t, 6> NUMBERS{0, 1, 2, 0x7F, 0x80, 0xFF};
    switch (random % 4) {
        case 0: at = static_cast<std::byte>(NUMBERS[static_cast<std::size_t>(random / 4 % NUMBERS.size())]); break;
        case 1: at = static_cast<std::byte>(static_cast<std::uint8_t>(at) + 1); break;
        case 2: at = static_cast<std::byte>(static_cast<std::uint8_t>(at) - 1); break;
        default: at ^= static_cast<std::byte>(1u << random / 4 % 8);
    }
}

std::vector<Bytes> seeds() {
    describe();
    std::vector<Bytes> found;
    struct Kind {
        int size;
        Channel channel = Channel::reliable;
        bool restarts = false;  // the last packet contains everything
    };
    for (const auto& [size, channel, restarts] :
         {Kind{2}, Kind{7}, Kind{15}, Kind{7, Channel::lossy}, Kind{9, Channel::reliable, true}}) {
        ECS ecs;
        Changes changes(ecs, {{"fuzz.Body", "fuzz.Label", "fuzz.Follow", "fuzz.Tag", "fuzz.Rank", "fuzz.Sign"}, {}});
        Receiver receiver = changes.receiver(Selection::all, channel);
        Bytes bytes;
        const auto take = [&] {
            const Bytes packet = receiver.take();
            const auto n = static_cast<std::uint16_t>(packet.size());
            const auto* length = reinterpret_cast<const std::byte*>(&n);
            bytes.insert(bytes.end(), length, length + LENGTH);
            bytes.insert(bytes.end(), packet.begin(), packet.end());
        };
        std::vector<Entity> all;
        for (int k = 0; k < size; ++k) {
            const auto at = static_cast<std::size_t>(k);
            all.push_back(ecs.add_entity());
            if (k % 2 == 0) ecs.add(all[at], Body{static_cast<float>(k), {}, static_cast<Mood>(k % 3), k % 4 == 0, 4});
            if (k % 3 == 0) ecs.add(all[at], Label{ecs.string(k % 6 == 0 ? "crate" : "box")});
            if (k % 3 == 1) ecs.add(all[at], Follow{Link{all[at / 2]}, {all[at / 3], NONE}});
            if (k % 4 == 3) ecs.set_parent(all[at], all[at / 2]);
            if (k % 5 == 1) ecs.add(all[at], Tag{});
            if (k % 2 == 1) ecs.add(all[at], Sign{k % 4 == 1 ? "" : "a sign"});
            if (k % 5 == 3) ecs.add(all[at], Rank{static_cast<std::uint16_t>(k)});
        }
        take();
        ecs.modify<Body>(all.front(), [](Body& body) { ++body.x; });
        ecs.add(ecs.world(), Rank{9});
        ecs.modify<Sign>(all[1], [](Sign& sign) { sign.text += " that has changed"; });
        ecs.set_parent(all.back(), all.front());
        take();
        ecs.remove_entity(all[all.size() / 2]);
        ecs.remove_marked();
        ecs.add_entity(Body{}, Follow{Link{all.front()}, {}});
        ecs.remove<Body>(all.front());
        if (ecs.alive(all[1])) ecs.remove<Sign>(all[1]);
        ecs.add(all.front(), Label{ecs.string("a new text")});
        if (restarts) receiver.restart();
        take();
        // The number of the receiver, which would be another one each time.
        each_packet(std::span(bytes), [](std::span<std::byte> packet) { std::memset(packet.data() + 2, 1, 4); });
        repair(bytes);
        found.push_back(std::move(bytes));
    }
    return found;
}

}  // namespace crateful::fuzz_apply
