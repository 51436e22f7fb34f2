// The packets of one receiver that are in flight: they can arrive, or be lost (rule N5).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "change_encoder.hpp"
#include "packet.hpp"

namespace crateful::internal {

/// What is in flight for an index of an entity. Packets are numbered from 1 on.
struct InFlight {
    std::uint32_t index = 0;
    std::uint32_t since = 0;         // the round of what was acknowledged
    std::uint32_t acknowledged = 0;  // the packet with it, or 0
    std::uint32_t present = 0;       // the last packet with an entity that has this index, or 0
    std::uint32_t absent = 0;        // the last packet with a removal only, or the first that creates it again, or 0
    std::uint32_t first = 0;         // the round of the first packet with `handle` that is not acknowledged
    Entity handle = NONE;            // the entity in `present`
    bool is_lost = false;            // the last packet was lost, so far as is known

    [[nodiscard]] std::uint32_t last() const noexcept { return std::max(present, absent); }
    /// The receiver may have got the entity in `present`.
    [[nodiscard]] bool may_have() const noexcept { return present > acknowledged; }
    /// The receiver may have lost what was acknowledged.
    [[nodiscard]] bool may_lack() const noexcept { return absent > acknowledged; }
    /// The last packet with this index says that it is absent, and may still arrive.
    [[nodiscard]] bool removes() const noexcept { return absent > present && may_lack() && !is_lost; }
};

/// Time is counted in updates of the ECS in which `take` is called: what is not acknowledged within a time that follows the delay of the
/// acknowledgements is lost, so far as is known, and its packet is kept, because an acknowledgement that comes later says that the delay is
/// longer. It may as well have waited for a later packet, because another acknowledgement was lost, or for a receiver that could not be
/// reached. So only the newest packet of an acknowledgement can lengthen the delay beyond this time, and at most to this time.
/// A receiver ignores what arrives behind a later packet, so everything up to one that has arrived has arrived, or is lost.
class Flights {
public:
    /// An index that a packet contains, and the entity that the receiver has there when it arrives, or NONE.
    struct Part {
        std::uint32_t index;
        Entity handle;
    };

    /// What is in flight for an index, or null. It is valid until something changes.
    [[nodiscard]] const InFlight* find(std::uint32_t index) const noexcept;
    /// `take` is called, after this update. Appends the indices to `lost` that must be sent again: none unless it is another update, so that
    /// a loop which takes until there is nothing ends. If it throws, only time has passed.
    void begin_take(double update, std::vector<std::uint32_t>& lost);
    /// A packet was sent, with parts by index. If it throws, nothing has changed.
    void add(std::uint32_t number, std::uint32_t round, std::span<const Unit> units, std::vector<Part> parts);
    /// Removes the packets up to the newest one that has arrived. Calls `arrived(Part, round)` for each part of one that has, which
    /// must not throw, and appends the indices to `lost` that must be sent again. If it throws, nothing has changed.
    template <class Arrived>
    void acknowledge(const Acknowledgement& what, std::vector<std::uint32_t>& lost, Arrived&& arrived) {
        std::size_t n = 0;
        std::size_t parts = 0;
        for (; n < packets_.size() && packets_[n].number <= what.number; ++n) parts += packets_[n].parts.size();
        lost.reserve(lost.size() + parts);
        const std::uint64_t most = longest_flight();
        for (; n > 0; --n) {
            Packet& packet = packets_.front();
            if (what.contains(packet.number)) {
                if (!packet.is_lost || packet.number == what.number) note_delay(std::min(clock_ - packet.time, most));
                for (const Part& part : packet.parts) {
                    arrive(packet, part);
                    arrived(part, packet.round);
                }
            } else {
                lose(packet, lost);
            }
            packets_.pop_front();
        }
        std::erase_if(indices_, [](const InFlight& each) { return each.last() <= each.acknowledged; });
    }

private:
    static constexpr std::size_t MOST_PACKETS = 1024;

    struct Packet {
        std::uint32_t number;
        std::uint32_t round;
        std::uint64_t time;
        std::vector<Part> parts;
        bool is_lost = false;  // it was not acknowledged in time
    };

    [[nodiscard]] InFlight& existing(std::uint32_t index) noexcept { return const_cast<InFlight&>(*find(index)); }
    void arrive(const Packet& packet, const Part& part) noexcept;
    void lose(Packet& packet, std::vector<std::uint32_t>& lost) noexcept;
    void note_delay(std::uint64_t delay) noexcept;
    /// How long a packet can be in flight.
    [[nodiscard]] std::uint64_t longest_flight() const noexcept { return delay_ + delay_ / 2 + 2; }

    std::vector<InFlight> indices_;  // by index
    std::deque<Packet> packets_;     // by number
    double update_ = -1;
    std::uint64_t clock_ = 0;
    std::uint64_t delay_ = 16;  // of acknowledgements
};

}  // namespace crateful::internal
