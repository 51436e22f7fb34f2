#include "packet.hpp"

#include <algorithm>

#include "crateful/detail/message.hpp"
#include "format.hpp"

namespace crateful::internal {

std::uint32_t packet_checksum(std::span<const std::byte> bytes) noexcept {
    return static_cast<std::uint32_t>(checksum_of(bytes));
}

bool Acknowledgement::read(std::span<const std::byte> bytes) noexcept {
    std::uint32_t sum = 0;
    std::memcpy(&stream, bytes.data(), 4);
    std::memcpy(&number, bytes.data() + 4, 4);
    std::memcpy(&packets, bytes.data() + 8, 8);
    std::memcpy(&sum, bytes.data() + 16, 4);
    return sum == packet_checksum(bytes.first(16));
}

std::vector<std::byte> Acknowledgement::bytes() const {
    std::vector<std::byte> found(BYTES);
    std::memcpy(found.data(), &stream, 4);
    std::memcpy(found.data() + 4, &number, 4);
    std::memcpy(found.data() + 8, &packets, 8);
    const std::uint32_t sum = packet_checksum(std::span(found).first(16));
    std::memcpy(found.data() + 16, &sum, 4);
    return found;
}

// --- writing --------------------------------------------------------------------------------------

void PacketWriter::number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
    byte(static_cast<std::uint8_t>(value));
}

void PacketWriter::text(std::string_view text) {
    number(text.size());
    append(reinterpret_cast<const std::byte*>(text.data()), text.size());
}

// A distance is its quotient by 2^k in unary (that many ones, then a zero), then the k lowest bits. With a k that fits the mean
// distance, random indices need about 1.5 bits more than their information.
void PacketWriter::indices(std::span<const std::uint32_t> indices) {
    number(indices.size());
    if (indices.empty()) return;
    const std::uint64_t mean = (std::uint64_t{indices.back()} + 1) / indices.size();
    const int k = std::max(0, static_cast<int>(std::bit_width(mean)) - 1);
    byte(static_cast<std::uint8_t>(k));
    // At most this many, because the sum of the quotients is at most 2 for each index; and 8 that are written together.
    std::byte* at = grow((indices.size() * static_cast<std::size_t>(k + 3) + 7) / 8 + 8);
    std::uint64_t bits = 0;
    int filled = 0;
    const auto put = [&](std::uint64_t value, int n) {
        bits |= value << filled;
        filled += n;
        std::memcpy(at, &bits, sizeof bits);
        at += filled / 8;
        bits >>= filled / 8 * 8;
        filled %= 8;
    };
    std::uint32_t next = 0;
    for (const std::uint32_t index : indices) {
        const std::uint32_t distance = index - next;
        next = index + 1;
        std::uint32_t ones = distance >> k;
        for (; ones > 24; ones -= 24) put((1u << 24) - 1, 24);
        put((1u << ones) - 1, static_cast<int>(ones) + 1);
        put(distance & ((1u << k) - 1), k);
    }
    bytes_.resize(static_cast<std::size_t>(at - bytes_.data()) + (filled > 0 ? 1 : 0));
}

std::vector<std::byte> PacketWriter::finish() {
    const std::uint32_t sum = packet_checksum(bytes_);
    append(reinterpret_cast<const std::byte*>(&sum), sizeof sum);
    return {bytes_.begin(), bytes_.end()};
}

// --- reading --------------------------------------------------------------------------------------

PacketReader::PacketReader(std::span<const std::byte> bytes) : bytes_(bytes) {
    std::uint32_t sum = 0;
    if (bytes.size() < sizeof sum) fail("the bytes end too early");
    bytes_ = bytes.first(bytes.size() - sizeof sum);
    std::memcpy(&sum, bytes.data() + bytes_.size(), sizeof sum);
    if (sum != packet_checksum(bytes_)) fail("the checksum differs: they were changed");
}

void PacketReader::require(std::uint64_t n, std::size_t bits) const {
    if (n > std::uint64_t{bytes_.size() - at_} * 8 / bits) fail("the bytes end too early");
}

const std::byte* PacketReader::take(std::size_t n) {
    if (n > bytes_.size() - at_) fail("the bytes end too early");
    const std::byte* from = bytes_.data() + at_;
    at_ += n;
    return from;
}

std::uint8_t PacketReader::byte() { return static_cast<std::uint8_t>(*take(1)); }

std::uint64_t PacketReader::number(std::uint64_t most) {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        const std::uint8_t next = byte();
        if (shift == 63 && next > 1) fail("a number is too large");
        value |= std::uint64_t{next & 0x7Fu} << shift;
        if (next < 0x80) break;
    }
    if (value > most) fail("a number is too large");
    return value;
}

std::string_view PacketReader::text() {
    const auto size = static_cast<std::size_t>(number(bytes_.size()));
    return {reinterpret_cast<const char*>(take(size)), size};
}

std::size_t PacketReader::indices(std::uint32_t end, std::vector<std::uint32_t>& to) {
    const auto n = static_cast<std::size_t>(number(end));
    if (n == 0) return 0;
    const int k = byte();
    if (k > 22) fail("no list has such distances");
    require(n, static_cast<std::size_t>(k) + 1);
    const std::size_t before = to.size();
    to.resize(before + n);
    const std::byte* at = bytes_.data() + at_;
    const std::byte* const last = bytes_.data() + bytes_.size();
    std::uint64_t bits = 0;  // the next ones, of which `left` were read
    int left = 0;
    const auto fill = [&] {
        if (static_cast<std::size_t>(last - at) >= sizeof bits) {
            std::uint64_t word;
            std::memcpy(&word, at, sizeof word);
            bits |= word << left;
            at += static_cast<unsigned>(63 - left) / 8;
            left |= 56;
        } else {
            for (; left <= 56 && at != last; left += 8) bits |= static_cast<std::uint64_t>(*at++) << left;
        }
    };
    const auto skip = [&](int count) {
        if (count > left) fail("the bytes end too early");
        bits >>= count;
        left -= count;
    };
    constexpr int MOST_ONES = 16;  // that are read at once
    const std::uint64_t low = (std::uint64_t{1} << k) - 1;
    std::uint64_t next = 0;
    std::uint32_t* const found = to.data() + before;
    for (std::size_t i = 0; i < n; ++i) {
        if (left <= MOST_ONES + k) fill();
        std::uint64_t quotient = 0;
        int ones = std::countr_one(bits);
        for (; ones >= MOST_ONES; ones = std::countr_one(bits)) {
            quotient += MOST_ONES;
            if (quotient << k > end) fail("an index is too large");
            skip(MOST_ONES);
            if (left <= MOST_ONES + k) fill();
        }
        next += (quotient + static_cast<std::uint64_t>(ones)) << k | (bits >> (ones + 1) & low);
        skip(ones + 1 + k);
        if (next >= end) fail("an index is too large");
        found[i] = static_cast<std::uint32_t>(next++);
    }
    at_ = static_cast<std::size_t>(at - bytes_.data()) - static_cast<std::size_t>(left) / 8;
    if ((bits & ((1u << left % 8) - 1)) != 0) fail("the padding is not 0");
    return n;
}

void PacketReader::end() const {
    if (at_ != bytes_.size()) fail("there are more bytes than expected");
}

void PacketReader::fail(std::string_view what, std::string_view more, const std::byte* at) const {
    const auto byte = static_cast<double>(at == nullptr ? at_ : static_cast<std::size_t>(at - bytes_.data()));
    internal::fail(ErrorCode::bad_data, {"apply: ", what, more, " (byte ", number_text(byte), ")"});
}

}  // namespace crateful::internal
