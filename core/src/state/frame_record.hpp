// What changed, as bytes in memory (rules N7, D14).
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <vector>

#include "crateful/detail/strings.hpp"
#include "format.hpp"
#include "reused.hpp"
#include "sibling_moves.hpp"

namespace crateful::internal {

/// What changed between two moments. One object is used for all records, so that its vectors need not grow again for each.
struct Record {
    std::vector<std::byte> bytes{};
    std::vector<String> strings{};  ///< those that it contains

    void clear() noexcept {
        empty_reused(bytes);
        empty_reused(strings);
    }
    /// The bytes, in as much memory as they need.
    [[nodiscard]] std::vector<std::byte> packed() const {
        std::vector<std::byte> copy(bytes.size());
        if (!bytes.empty())
            std::memcpy(copy.data(), bytes.data(),
                        bytes.size());  // the constructor with iterators copies each byte alone in WebAssembly
        return copy;
    }
};

/// A part of a record. All have the values before and after, so that they can be read in both directions.
enum class Part : std::uint32_t {
    values,    ///< a field of components that stay at their places, or all of what is encoded
    places,    ///< other entities at places of a storage, with all values that are kept
    handles,   ///< of entities, and the free ones
    tracked,   ///< what a system tracks
    children,  ///< entities with another parent or position among the siblings
    text,      ///< everything else: bytes that are compared as a whole
    signals,   ///< entities whose component of a class signalled, but has the same value
    notified   ///< the systems that became dirty by what is in front of it, of one class
};
/// A direction.
enum class Side : std::uint8_t { before, after };

/// The part of another entity at a place.
struct PlaceChange {
    std::uint32_t place;
    Entity before;
    Entity after;
};
/// The part of an entity with another parent, or among other siblings.
struct PlacementChange {
    std::uint32_t index;
    Placement before;
    Placement after;
};
template <class Change>
[[nodiscard]] auto side_of(const Change& change, Side side) noexcept {
    return side == Side::before ? change.before : change.after;
}
[[nodiscard]] constexpr std::uint32_t number_of(Part part) noexcept { return static_cast<std::uint32_t>(part); }

/// Appends a list whose length is known at its end.
class CountedList {
public:
    CountedList(std::vector<std::byte>& record, std::initializer_list<std::uint32_t> head)
        : record_(record), begin_(record.size()) {
        Writer to(record);
        for (const std::uint32_t number : head) to.put(number);
        count_at_ = record.size();
        to.put(std::uint32_t{0});
    }
    void add() noexcept { ++count_; }
    /// An empty list is removed.
    void finish() noexcept {
        if (count_ == 0) record_.resize(begin_);
        else std::memcpy(record_.data() + count_at_, &count_, sizeof count_);
    }

private:
    std::vector<std::byte>& record_;
    std::size_t begin_;
    std::size_t count_at_;
    std::uint32_t count_ = 0;
};

/// An encoded value.
inline void put_encoded(Writer& to, std::span<const std::byte> before, std::span<const std::byte> after) {
    to.put(static_cast<std::uint32_t>(before.size()));
    to.put(static_cast<std::uint32_t>(after.size()));
    to.array(before);
    to.array(after);
}
[[nodiscard]] inline std::span<const std::byte> take_encoded(Reader& from, Side side) noexcept {
    const auto before = from.get<std::uint32_t>();
    const auto after = from.get<std::uint32_t>();
    const std::byte* const cell = from.take(std::size_t{before} + after);
    return side == Side::before ? std::span(cell, before) : std::span(cell + before, after);
}

}  // namespace crateful::internal
