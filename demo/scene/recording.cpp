#include "recording.hpp"

#include <array>
#include <cstring>
#include <stdexcept>

namespace crate_room {
namespace {

using RecordedFrame = RecordedFrames::Frame;

// A frame in a snapshot: the delta, four numbers, and a byte with the buttons.
constexpr std::array NUMBERS{&Input::move_x, &Input::move_y, &Input::pointer_x, &Input::pointer_y};
constexpr std::array BUTTONS{&Input::strike, &Input::defend, &Input::aimed,   &Input::shield_aimed,
                             &Input::pick,   &Input::calm,   &Input::pointing};
constexpr std::size_t FRAME_BYTES = sizeof(double) + NUMBERS.size() * sizeof(float) + 1;

}  // namespace

void Recording::start(const Place& first) {
    ecs_.add<Run>(ecs_.world(), {.first = first});
    discard_later_frames();
}

void Recording::rewind() {
    if (!replaying()) discard_later_frames();
    ecs_.modify<Run>(ecs_.world(), [&](Run& run) { run.frames = 0, run.replaying = !frames().empty(); });
}

void Recording::stop() {
    if (!replaying()) return;
    discard_later_frames();
    ecs_.modify<Run>(ecs_.world(), [](Run& run) { run.replaying = false; });
}

void Recording::begin_frame(double& delta, Input& input) {
    if (replaying()) {
        delta = frames()[position()].delta;
        input = frames()[position()].input;
    }
    pending_ = input;
}

void Recording::end_frame(double effective_delta) {
    if (effective_delta <= 0 || (!replaying() && full())) return;
    if (!replaying()) {
        discard_later_frames();
        ecs_.modify<RecordedFrames>(ecs_.world(),
                                    [&](auto& all) { all.frames.push_back({effective_delta, pending_}); });
    }
    ecs_.modify<Run>(ecs_.world(), [&](Run& run) {
        ++run.frames;
        run.replaying = run.replaying && run.frames < frames().size();
    });
}

const Run& Recording::run() const { return ecs_.get<Run>(ecs_.world()); }
const std::vector<RecordedFrame>& Recording::frames() const { return ecs_.get<RecordedFrames>(ecs_.world()).frames; }
void Recording::discard_later_frames() {
    if (frames().size() == position()) return;
    ecs_.modify<RecordedFrames>(ecs_.world(), [&](RecordedFrames& all) { all.frames.resize(position()); });
}

std::vector<std::byte> encode_frames(const RecordedFrames& recorded) {
    std::vector<std::byte> bytes(recorded.frames.size() * FRAME_BYTES);
    std::byte* to = bytes.data();
    const auto write = [&](const auto& value) {
        std::memcpy(to, &value, sizeof value);
        to += sizeof value;
    };
    for (const auto& [delta, input] : recorded.frames) {
        write(delta);
        for (const auto number : NUMBERS) write(input.*number);
        std::uint8_t buttons = 0;
        for (std::size_t i = 0; i < BUTTONS.size(); ++i)
            buttons = static_cast<std::uint8_t>(buttons | int{input.*BUTTONS[i]} << i);
        write(buttons);
    }
    return bytes;
}

RecordedFrames decode_frames(std::span<const std::byte> bytes) {
    if (bytes.size() % FRAME_BYTES != 0) throw std::runtime_error("RecordedFrames: the bytes are no frames");
    RecordedFrames recorded{std::vector<RecordedFrame>(bytes.size() / FRAME_BYTES)};
    const std::byte* from = bytes.data();
    const auto read = [&](auto& value) {
        std::memcpy(&value, from, sizeof value);
        from += sizeof value;
    };
    for (auto& [delta, input] : recorded.frames) {
        read(delta);
        for (const auto number : NUMBERS) read(input.*number);
        std::uint8_t buttons = 0;
        read(buttons);
        for (std::size_t i = 0; i < BUTTONS.size(); ++i) input.*BUTTONS[i] = (buttons >> i & 1) != 0;
    }
    return recorded;
}

}  // namespace crate_room
