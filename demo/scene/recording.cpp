#include "recording.hpp"

namespace crate_room {

void Recording::start(const Level::Place& first) {
    first_ = first;
    frames_.clear();
    position_ = 0;
    replaying_ = false;
}

void Recording::rewind() noexcept {
    position_ = 0;
    replaying_ = !frames_.empty();
}

void Recording::stop() noexcept {
    if (!replaying_) return;
    frames_.resize(position_);
    replaying_ = false;
}

void Recording::begin_frame(double& delta, Input& input) {
    if (replaying_) {
        delta = frames_[position_].delta;
        input = frames_[position_].input;
    }
    pending_ = input;
}

void Recording::end_frame(double effective_delta) {
    if (effective_delta <= 0) return;
    if (replaying_) {
        ++position_;
        replaying_ = position_ < frames_.size();
    } else if (frames_.size() < LONGEST) {
        frames_.push_back({effective_delta, pending_});
    }
}

}  // namespace crate_room
