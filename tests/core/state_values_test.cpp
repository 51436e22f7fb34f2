// What is written can be read, and forged values are damage (rules N1, N4, N5, N8).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "../../core/src/state/format.hpp"
#include "../../core/src/state/packet.hpp"
#include "crateful/changes.hpp"
#include "crateful/detail/dynamic_ecs.hpp"
#include "crateful/ecs.hpp"
#include "crateful/rewind.hpp"
#include "crateful/state.hpp"
#include "world.hpp"

namespace crateful::test_state_values {
namespace {

using Bytes = std::vector<std::byte>;

enum class Mood : std::uint8_t { calm, angry, afraid };     // "afraid" has no name
enum class Rank : std::int32_t { none, captain, admiral };  // "admiral" has no name
struct Mind {                                               // with gaps between the members
    Mood mood = Mood::calm;
    Rank rank = Rank::none;
};
struct Brave {  // a record of the format
    Mood mood = Mood::calm;
};
struct Level {  // linear
    Mood mood = Mood::calm;
};
struct Flags {
    std::uint8_t first = 0;  // described as a bool
};

void describe_all() {
    describe_component<Mind>("values.Mind")
        .field("mood", &Mind::mood)
        .names({"calm", "angry"})
        .field("rank", &Mind::rank)
        .names({"none", "captain"});
    describe_component<Brave>("values.Brave").field("mood", &Brave::mood).names({"calm", "angry"});
    describe_component<Level>("values.Level")
        .field("mood", &Level::mood)
        .names({"calm", "angry"})
        .policy(Policy::linear);
}

// A stored class, as other languages add them.
ComponentId stored_class() {
    static const ComponentId id = registry::add_stored(
        "values.Stored",
        {{"on", FieldType::boolean}, {"mood", FieldType::u16, 0, {}, false, {"calm", "angry"}}, {"x", FieldType::u8}});
    return id;
}

/// A component of one class, whose field `field` gets values without a name.
struct Kind {
    std::string name;
    std::string field;
    std::function<ComponentId()> id;
    std::size_t number;  // of the field
};
const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all{
        {"values.Mind", "mood", [] { return component_id<Mind>(); }, 0},
        {"values.Mind", "rank", [] { return component_id<Mind>(); }, 1},
        {"values.Brave", "mood", [] { return component_id<Brave>(); }, 0},
        {"values.Level", "mood", [] { return component_id<Level>(); }, 0},
        {"values.Stored", "on", stored_class, 0},
        {"values.Stored", "mood", stored_class, 1},
    };
    return all;
}
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name << '.' << kind.field; }

std::string message_of(ErrorCode code, const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        EXPECT_EQ(static_cast<int>(error.code()), static_cast<int>(code)) << error.what();
        return error.what();
    }
    return "nothing was thrown";
}

class Values : public testing::TestWithParam<Kind> {
protected:
    Values() {
        describe_all();
        ecs.by_id().add(before, id, nullptr);
        ecs.by_id().add(e, id, nullptr);
    }
    // Without a signal, as in a column.
    void set(ECS& in, Entity of, std::uint8_t value) const {
        Storage& s = in.by_id().storage(id);
        *(s.control().columns[GetParam().number] + s.slot(of) * s.stride(GetParam().number)) = std::byte{value};
    }
    [[nodiscard]] int get(ECS& in, Entity of) const {
        Storage& s = in.by_id().storage(id);
        return static_cast<int>(*(s.control().columns[GetParam().number] + s.slot(of) * s.stride(GetParam().number)));
    }
    [[nodiscard]] std::string wrong(const char* call) const {
        const Kind& kind = GetParam();
        return std::string(call) + ": " + kind.name + "." + kind.field + " of " + to_string(e) + " is 2; " +
               (kind.field == "on" ? "a bool is 0 or 1" : "its names have the numbers from 0 to 1");
    }
    const ComponentId id = GetParam().id();
    ECS ecs;
    const Entity before = ecs.add_entity();
    const Entity e = ecs.add_entity();
};

TEST_P(Values, N1_X1_a_snapshot_of_a_value_that_cannot_be_read_is_an_error_that_names_it) {
    set(ecs, e, 2);
    EXPECT_EQ(message_of(ErrorCode::bad_argument, [&] { static_cast<void>(snapshot(ecs)); }), wrong("snapshot"));
    EXPECT_NO_THROW(static_cast<void>(snapshot(ecs, {.without = {GetParam().name}})));
    set(ecs, e, 1);
    const Bytes bytes = snapshot(ecs);
    ECS other;
    restore(other, bytes);
    EXPECT_EQ(get(other, e), 1);
    EXPECT_EQ(snapshot(other), bytes);
}

TEST_P(Values, N1_the_value_of_a_component_that_was_removed_does_not_count) {
    set(ecs, e, 2);
    ecs.by_id().remove(e, id);
    EXPECT_NO_THROW(static_cast<void>(snapshot(ecs)));
    ecs.by_id().add(e, id, nullptr);
    EXPECT_NO_THROW(static_cast<void>(snapshot(ecs)));
}

TEST_P(Values, N5_taking_a_value_that_cannot_be_read_is_an_error_and_nothing_is_lost) {
    for (const Channel channel : {Channel::reliable, Channel::lossy}) {
        Changes changes(ecs, {.components = {GetParam().name}});
        Receiver receiver = changes.receiver(Selection::all, channel);
        ECS copy;
        Replica replica(copy);
        replica.apply(receiver.take());
        ecs.update();
        set(ecs, before, 1);
        set(ecs, e, 2);
        for (const Entity each : {before, e}) ecs.by_id().dirty(each, id);
        for (int k = 0; k < 2; ++k) {
            EXPECT_EQ(message_of(ErrorCode::bad_argument, [&] { static_cast<void>(receiver.take()); }), wrong("take"));
            ecs.update();
        }
        EXPECT_EQ(get(copy, replica.entity(before)), 0);
        set(ecs, e, 1);
        ecs.by_id().dirty(e, id);
        replica.apply(receiver.take());
        EXPECT_EQ(get(copy, replica.entity(before)), 1);
        EXPECT_EQ(get(copy, replica.entity(e)), 1);
        set(ecs, e, 0);
        set(ecs, before, 0);
        for (const Entity each : {before, e}) ecs.by_id().dirty(each, id);
        replica.apply(receiver.take());
        EXPECT_EQ(get(copy, replica.entity(e)), 0);
    }
}

TEST_P(Values, N5_a_receiver_that_does_not_get_the_entity_is_not_concerned) {
    Changes changes(ecs, {.components = {GetParam().name}});
    Receiver receiver = changes.receiver(Selection::selected);
    receiver.select(before);
    set(ecs, e, 2);
    ecs.by_id().dirty(e, id);
    ECS copy;
    Replica replica(copy);
    replica.apply(receiver.take());
    EXPECT_NE(replica.entity(before), NONE);
    receiver.select(e);
    EXPECT_EQ(message_of(ErrorCode::bad_argument, [&] { static_cast<void>(receiver.take()); }), wrong("take"));
}

TEST_P(Values, N7_what_a_recording_contains_can_be_gone_to) {
    Rewind rewind(ecs);
    set(ecs, e, 2);
    ecs.by_id().dirty(e, id);
    ecs.update();
    set(ecs, e, 1);
    ecs.by_id().dirty(e, id);
    ecs.update();
    rewind.to(rewind.newest() - 1);
    EXPECT_EQ(get(ecs, e), 2);
    rewind.to(rewind.newest());
    EXPECT_EQ(get(ecs, e), 1);
}

// The position of the first of two bytes 1 that are `distance` bytes apart, and behind which is no other one.
std::size_t last_pair(const Bytes& bytes, std::size_t distance, std::size_t end) {
    std::size_t found = 0;
    for (std::size_t k = 24; k + distance < end; ++k) {
        if (bytes[k] == std::byte{1} && bytes[k + distance] == std::byte{1}) found = k;
    }
    return found;
}

// Bytes whose writer is another program.
TEST_P(Values, N8_a_forged_value_is_damage_with_its_position) {
    const Storage& s = ecs.by_id().storage(id);
    const std::size_t size = size_of(s.type().fields[GetParam().number].type);
    set(ecs, before, 1);
    set(ecs, e, 1);
    const auto position = [](std::size_t at) {
        return " (byte " + internal::number_text(static_cast<double>(at)) + ")";
    };
    const std::string what = "no bool or enum has this value: " + GetParam().field;
    Bytes bytes = snapshot(ecs);
    const std::size_t at = last_pair(bytes, size, bytes.size()) + size;  // the second component
    bytes[at] = std::byte{9};
    const std::uint64_t sum = internal::checksum_of(std::span(bytes).subspan(24));
    std::memcpy(bytes.data() + 16, &sum, 8);
    ECS other;
    EXPECT_EQ(message_of(ErrorCode::bad_data, [&] { restore(other, bytes); }), "restore: " + what + position(at));
    EXPECT_EQ(message_of(ErrorCode::bad_data, [&] { restore(ecs, bytes); }), "restore: " + what + position(at));
    EXPECT_EQ(message_of(ErrorCode::bad_data, [&] { restore(other, bytes, {.ignore = {GetParam().name}}); }),
              "restore: " + what + position(at));
    EXPECT_EQ(other.count(), 0u);
    EXPECT_EQ(get(ecs, e), 1);

    Changes changes(ecs, {.components = {GetParam().name}});
    Receiver receiver = changes.receiver();
    Bytes packet = receiver.take();
    const std::size_t in_packet = last_pair(packet, size, packet.size() - 4) + size;
    packet[in_packet] = std::byte{9};
    const std::uint32_t short_sum = internal::packet_checksum(std::span(packet).first(packet.size() - 4));
    std::memcpy(packet.data() + packet.size() - 4, &short_sum, 4);
    Replica replica(other);
    EXPECT_EQ(message_of(ErrorCode::bad_data, [&] { replica.apply(packet); }), "apply: " + what + position(in_packet));
    EXPECT_EQ(other.count(), 0u);
}

// The offset in the bytes of the description of a field, behind its name.
std::size_t behind(const Bytes& bytes, std::string_view text) {
    const auto name = std::as_bytes(std::span(text));
    const auto at = std::search(bytes.begin(), bytes.end(), name.begin(), name.end());
    return static_cast<std::size_t>(at - bytes.begin()) + text.size();
}

struct Described {
    std::uint8_t level = 1;
    bool on = true;
    String text;
};

TEST(Damage, N8_a_description_that_no_writer_writes_is_damage) {
    describe_component<Described>("values.Described")
        .field("level", &Described::level)
        .names({"one", "two"})
        .field("switched", &Described::on)
        .field("caption", &Described::text);
    ECS ecs;
    ecs.add_entity(Described{});
    const Bytes bytes = snapshot(ecs);
    Changes changes(ecs);
    const Bytes packet = changes.receiver().take();
    // The type of a field is behind its name, and then its length.
    const std::vector<std::tuple<std::string, std::size_t, std::uint8_t>> forged{
        {"level", 0, 0}, {"level", 0, 8}, {"level", 1, 2}, {"switched", 1, 2}, {"caption", 1, 2}};
    for (const auto& [name, offset, value] : forged) {
        Bytes changed = bytes;
        changed[behind(bytes, name) + offset] = std::byte{value};
        const std::uint64_t sum = internal::checksum_of(std::span(changed).subspan(24));
        std::memcpy(changed.data() + 16, &sum, 8);
        ECS other;
        EXPECT_ERROR(restore(other, changed), ErrorCode::bad_data) << name;

        Bytes sent = packet;
        sent[behind(packet, name) + offset] = std::byte{value};
        const std::uint32_t short_sum = internal::packet_checksum(std::span(sent).first(sent.size() - 4));
        std::memcpy(sent.data() + sent.size() - 4, &short_sum, 4);
        Replica replica(other);
        EXPECT_ERROR(replica.apply(sent), ErrorCode::bad_data) << name;
    }
}

TEST(Damage, N4_a_number_that_has_no_name_in_this_program_does_not_fit) {
    const ComponentId plain = registry::add_stored("values.Plain", {{"level", FieldType::u8}});
    const ComponentId named =
        registry::add_stored("values.Named", {{"level", FieldType::u8, 0, {}, false, {"a", "b"}}});
    ECS ecs;
    const Entity e = ecs.add_entity();
    ecs.by_id().add(e, plain, nullptr);
    const RestoreOptions options{.rename = {{"values.Plain", "values.Named"}}};
    for (const std::uint8_t value : std::initializer_list<std::uint8_t>{0, 1, 2}) {
        *ecs.by_id().storage(plain).control().columns[0] = std::byte{value};
        const Bytes bytes = snapshot(ecs);
        ECS other;
        if (value == 2) {
            EXPECT_ERROR(restore(other, bytes, options), ErrorCode::bad_argument);
            continue;
        }
        restore(other, bytes, options);
        EXPECT_EQ(*other.by_id().storage(named).control().columns[0], std::byte{value});
    }
}

TEST(Writing, N1_N5_a_class_with_two_fields_of_one_name_is_not_written) {
    const ComponentId twice = registry::add_stored("values.Twice", {{"x", FieldType::f32},
                                                                    {"", FieldType::f32, 0, {}, true},
                                                                    {"", FieldType::f32, 0, {}, true},
                                                                    {"x", FieldType::u8}});
    ECS ecs;
    ecs.by_id().add(ecs.add_entity(), twice, nullptr);
    EXPECT_ERROR(snapshot(ecs), ErrorCode::bad_argument);
    EXPECT_ERROR(Changes(ecs, {.components = {"values.Twice"}}), ErrorCode::bad_argument);
    EXPECT_NO_THROW(static_cast<void>(snapshot(ecs, {.without = {"values.Twice"}})));
}

TEST(Writing, N1_a_class_with_the_name_of_another_one_that_the_ECS_uses_is_not_written) {
    const ComponentId first = registry::add_stored("values.Same", {{"x", FieldType::f32}});
    const ComponentId second = registry::add_stored("values.Same", {{"y", FieldType::u8}});
    ECS ecs;
    ecs.by_id().add(ecs.add_entity(), first, nullptr);
    EXPECT_NO_THROW(static_cast<void>(snapshot(ecs)));
    static_cast<void>(ecs.by_id().storage(second));  // without components
    EXPECT_ERROR(snapshot(ecs), ErrorCode::bad_argument);
    EXPECT_NO_THROW(static_cast<void>(snapshot(ecs, {.without = {"values.Same"}})));
}

INSTANTIATE_TEST_SUITE_P(, Values, testing::ValuesIn(kinds()));

}  // namespace
}  // namespace crateful::test_state_values
