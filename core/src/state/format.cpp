#include "format.hpp"

#include <algorithm>
#include <array>

#include "crateful/detail/message.hpp"

namespace crateful::internal {
namespace {
constexpr std::size_t LANES = 4;
constexpr std::size_t BLOCK = 8 * LANES;
}  // namespace

// --- the checksum ---------------------------------------------------------------------------------

// Sums, and sums of these, of 64-bit words, in four lanes that do not depend on each other: as fast as reading memory. As in
// Fletcher's checksum, the second sum depends on the order of the words.
std::uint64_t checksum_of(std::span<const std::byte> bytes) noexcept {
    std::array<std::uint64_t, LANES> first{};
    std::array<std::uint64_t, LANES> second{};
    const auto add = [&](const std::byte* from) {
        for (std::size_t k = 0; k < LANES; ++k) {
            std::uint64_t word;
            std::memcpy(&word, from + 8 * k, 8);
            second[k] += first[k] += word;
        }
    };
    const std::size_t whole = bytes.size() / BLOCK * BLOCK;
    for (std::size_t at = 0; at < whole; at += BLOCK) add(bytes.data() + at);
    std::array<std::byte, BLOCK> rest{};  // filled up with zeros
    std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(whole), bytes.end(), rest.begin());
    add(rest.data());
    std::uint64_t sum = bytes.size();
    for (std::size_t k = 0; k < LANES; ++k) {
        for (const std::uint64_t lane : {first[k], second[k]}) sum = (std::rotl(sum, 29) ^ lane) * 0x9E3779B97F4A7C15;
    }
    return sum ^ (sum >> 32);
}

// --- writing --------------------------------------------------------------------------------------

// Not inlined, because many functions write.
std::byte* Writer::grow(std::size_t n) {
    to_.resize(to_.size() + n);
    return last(n);
}

void Writer::text(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    array(std::as_bytes(std::span(text)));
}

void put_header(Writer& to) {
    to.put(MAGIC);
    to.put(FORMAT_VERSION);
    to.put(SNAPSHOT_FORMAT);
    static_cast<void>(to.grow(HEADER_BYTES - sizeof MAGIC - sizeof FORMAT_VERSION - sizeof SNAPSHOT_FORMAT));
}

void complete_header(std::vector<std::byte>& bytes) noexcept {
    const std::uint64_t size = bytes.size();
    std::memcpy(bytes.data() + 8, &size, 8);
    const std::uint64_t sum = checksum_of(std::span(bytes).subspan(HEADER_BYTES));
    std::memcpy(bytes.data() + 16, &sum, 8);
}

// --- reading --------------------------------------------------------------------------------------

std::uint16_t Reader::header() {
    if (get<std::uint32_t>() != MAGIC) fail("these are no bytes that Crateful has written");
    const auto version = get<std::uint16_t>();
    if (version == 0 || version > FORMAT_VERSION)
        fail("they have another version of the format: ", number_text(version));
    if (get<std::uint16_t>() != SNAPSHOT_FORMAT) fail("they are of another kind");
    const auto size = get<std::uint64_t>();
    if (size > bytes_.size()) fail("the bytes end too early");
    if (size < bytes_.size()) fail("there are more bytes than expected");
    if (get<std::uint64_t>() != checksum_of(bytes_.subspan(HEADER_BYTES)))
        fail("the checksum differs: they were changed");
    return version;
}

const std::byte* Reader::take(std::size_t n) {
    require(n, 1);
    at_ += n;
    return bytes_.data() + at_ - n;
}

void Reader::require(std::size_t n, std::size_t size) const {
    if (n > (bytes_.size() - at_) / size) fail("the bytes end too early");
}

std::string_view Reader::text() {
    const auto size = get<std::uint32_t>();
    return {reinterpret_cast<const char*>(take(size)), size};
}

void Reader::align() {
    while (at_ % ALIGNMENT != 0) {
        if (get<std::uint8_t>() != 0) fail("the padding is not 0");
    }
}

void Reader::fail(std::string_view what, std::string_view more, const std::byte* at) const {
    const auto byte = static_cast<double>(at == nullptr ? at_ : position(at));
    internal::fail(ErrorCode::bad_data, {call_, ": ", what, more, " (byte ", number_text(byte), ")"});
}

}  // namespace crateful::internal
