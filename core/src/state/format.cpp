#include "format.hpp"

#include "crateful/detail/message.hpp"

namespace crateful::internal {

// --- XXH64: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md -----------------------

namespace {
constexpr std::uint64_t P1 = 0x9E3779B185EBCA87, P2 = 0xC2B2AE3D27D4EB4F, P3 = 0x165667B19E3779F9,
                        P4 = 0x85EBCA77C2B2AE63, P5 = 0x27D4EB2F165667C5;

template <class T>
T load(const std::byte* at) noexcept {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}
std::uint64_t round(std::uint64_t lane, std::uint64_t input) noexcept {
    return std::rotl(lane + input * P2, 31) * P1;
}
}  // namespace

std::uint64_t hash_of(std::span<const std::byte> bytes) noexcept {
    const std::byte* at = bytes.data();
    std::size_t left = bytes.size();
    std::uint64_t hash = P5;
    if (left >= 32) {
        std::uint64_t a = P1 + P2, b = P2, c = 0, d = 0 - P1;
        for (; left >= 32; left -= 32, at += 32) {
            a = round(a, load<std::uint64_t>(at));
            b = round(b, load<std::uint64_t>(at + 8));
            c = round(c, load<std::uint64_t>(at + 16));
            d = round(d, load<std::uint64_t>(at + 24));
        }
        hash = std::rotl(a, 1) + std::rotl(b, 7) + std::rotl(c, 12) + std::rotl(d, 18);
        for (const std::uint64_t lane : {a, b, c, d}) hash = (hash ^ round(0, lane)) * P1 + P4;
    }
    hash += bytes.size();
    for (; left >= 8; left -= 8, at += 8) hash = std::rotl(hash ^ round(0, load<std::uint64_t>(at)), 27) * P1 + P4;
    if (left >= 4) {
        hash = std::rotl(hash ^ (load<std::uint32_t>(at) * P1), 23) * P2 + P3;
        left -= 4;
        at += 4;
    }
    for (; left > 0; --left, ++at) hash = std::rotl(hash ^ (static_cast<std::uint64_t>(*at) * P5), 11) * P1;
    hash = (hash ^ (hash >> 33)) * P2;
    hash = (hash ^ (hash >> 29)) * P3;
    return hash ^ (hash >> 32);
}

// --- writing --------------------------------------------------------------------------------------

Writer::Writer(Format format) {
    put(MAGIC);
    put(FORMAT_VERSION);
    put(static_cast<std::uint16_t>(format));
    static_cast<void>(grow(HEADER_BYTES - bytes_.size()));
}

void Writer::text(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    if (!text.empty()) std::memcpy(grow(text.size()), text.data(), text.size());
}

std::vector<std::byte> Writer::finish() {
    const std::uint64_t size = bytes_.size();
    std::memcpy(bytes_.data() + 8, &size, 8);
    const std::uint64_t hash = hash_of(std::span(bytes_).subspan(HEADER_BYTES));
    std::memcpy(bytes_.data() + 16, &hash, 8);
    return std::move(bytes_);
}

// --- reading --------------------------------------------------------------------------------------

Reader::Reader(std::span<const std::byte> bytes, Format format, const char* call) : bytes_(bytes), call_(call) {
    if (get<std::uint32_t>() != MAGIC) fail("these are no bytes that Crateful has written");
    const auto version = get<std::uint16_t>();
    if (version != FORMAT_VERSION) fail("they have another version of the format: ", number_text(version));
    if (get<std::uint16_t>() != static_cast<std::uint16_t>(format)) fail("they are of another kind");
    const auto size = get<std::uint64_t>();
    if (size > bytes.size()) fail("the bytes end too early");
    if (size < bytes.size()) fail("there are more bytes than expected");
    if (get<std::uint64_t>() != hash_of(bytes.subspan(HEADER_BYTES))) fail("the checksum differs: they were changed");
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

void Reader::fail(std::string_view what, std::string_view more) const {
    internal::fail(ErrorCode::bad_data,
                   {call_, ": ", what, more, " (byte ", number_text(static_cast<double>(at_)), ")"});
}

}  // namespace crateful::internal
