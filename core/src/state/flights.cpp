#include "flights.hpp"

namespace crateful::internal {

const InFlight* Flights::find(std::uint32_t index) const noexcept {
    const auto less = [](const InFlight& each, std::uint32_t than) { return each.index < than; };
    const auto at = std::lower_bound(indices_.begin(), indices_.end(), index, less);
    return at != indices_.end() && at->index == index ? &*at : nullptr;
}

void Flights::begin_take(double update, std::vector<std::uint32_t>& lost) {
    if (update == update_) return;
    update_ = update;
    ++clock_;
    const std::uint64_t most = longest_flight();
    std::size_t n = 0;
    std::size_t parts = 0;
    const auto is_late = [&] {
        return n < packets_.size() && (packets_[n].time + most < clock_ || packets_.size() - n > MOST_PACKETS);
    };
    for (; is_late(); ++n) parts += packets_[n].is_lost ? 0 : packets_[n].parts.size();
    lost.reserve(lost.size() + parts);
    for (std::size_t k = 0; k < n; ++k) lose(packets_[k], lost);
    while (packets_.size() > MOST_PACKETS) packets_.pop_front();
}

void Flights::add(std::uint32_t number, std::uint32_t round, std::span<const Unit> units, std::vector<Part> parts) {
    std::vector<InFlight> indices;
    indices.reserve(indices_.size() + parts.size());
    auto at = indices_.begin();
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const auto [index, handle] = parts[k];
        while (at != indices_.end() && at->index < index) indices.push_back(*at++);
        const bool is_known = at != indices_.end() && at->index == index;
        InFlight& to = indices.emplace_back(is_known ? *at++ : InFlight{.index = index, .since = units[k].since});
        to.is_lost = false;
        // An entity is created again until one of these packets has arrived, because its siblings were placed without it.
        if (handle == NONE || (units[k].knew && (units[k].missed || !to.may_lack()))) to.absent = number;
        if (handle == NONE) continue;
        if (!to.may_have() || to.handle != handle) to.first = round;
        to.handle = handle;
        to.present = number;
    }
    indices.insert(indices.end(), at, indices_.end());
    packets_.push_back({number, round, clock_, std::move(parts)});
    indices_ = std::move(indices);
}

void Flights::arrive(const Packet& packet, const Part& part) noexcept {
    InFlight& each = existing(part.index);
    each.since = packet.round;
    each.acknowledged = packet.number;
}

void Flights::lose(Packet& packet, std::vector<std::uint32_t>& lost) noexcept {
    if (packet.is_lost) return;
    packet.is_lost = true;
    for (const Part& part : packet.parts) {
        InFlight& each = existing(part.index);
        if (each.last() != packet.number) continue;
        each.is_lost = true;
        lost.push_back(part.index);
    }
}

// Longer delays count at once, shorter ones slowly.
void Flights::note_delay(std::uint64_t delay) noexcept {
    if (delay > delay_) delay_ = delay;
    else delay_ -= (delay_ - delay + 7) / 8;
}

}  // namespace crateful::internal
