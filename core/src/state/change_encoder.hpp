// The bytes of a packet of changes (rule N5, docs/format.md).
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "change_source.hpp"
#include "packet.hpp"

namespace crateful::internal {

/// An entity that may have changed for a receiver.
struct Unit {
    static constexpr std::uint32_t NEVER = 0x8000'0000;
    std::uint32_t index = 0;
    std::uint32_t since = 0;     // the round of what the receiver knows
    std::uint32_t from = NEVER;  // it may have components that were removed after this round
    bool knows = false;          // the entity that has this index now
    bool knew = false;           // another one with this index, or one that may be this one
    bool wanted = false;         // the receiver gets it
    bool missed = false;         // it was not wanted meanwhile: packets placed its siblings without it
};

/// Where a receiver has an entity that is not in the packet.
enum class Whereabouts : std::uint8_t {
    absent,     // a later packet creates it
    stale,      // perhaps not at its place in the hierarchy, to which a later packet moves it
    in_flight,  // it is absent, stale or settled: a packet that moves it there can arrive before this one
    settled,
};

/// Which entities a receiver has, or will have.
class Recipient {
public:
    [[nodiscard]] virtual bool gets(Entity e) const noexcept = 0;
    /// Of an entity that it gets.
    [[nodiscard]] virtual Whereabouts whereabouts(Entity e) const noexcept = 0;

protected:
    ~Recipient() = default;
};

/// What a packet begins with.
struct PacketHead {
    std::uint64_t number;
    bool is_lossy;     // of a lossy channel
    bool has_classes;  // the reader may not know them
    bool is_whole;     // nothing else is on the way, so that all entities that are not in the packet are settled
    std::optional<IndexRange> restart_range{};  // all entities with these indices are in the packet
};

/// Writes packets. Its memory is used again for the next one.
class ChangeEncoder {
public:
    explicit ChangeEncoder(const ChangeSource& source) noexcept;
    /// A packet of what changed for entities with ascending indices; empty if nothing has.
    [[nodiscard]] std::vector<std::byte> encode(std::span<const Unit> units, const Recipient& to,
                                                const PacketHead& head);
    [[nodiscard]] std::uint32_t stream() const noexcept { return stream_; }

private:
    /// Components of one class of which the same fields changed.
    struct Group {
        std::uint32_t cls;
        std::uint64_t fields;  // a bit for each, by `bit_of_field`; 0: they were removed
        std::size_t first;     // in `items_`
        std::size_t end;
    };
    struct Item {
        std::uint32_t index;
        std::uint64_t fields;
    };

    void find_entities();
    [[nodiscard]] bool may_contain(const TrackedClass& cls) const noexcept;
    void find_items(std::uint32_t number);
    [[nodiscard]] Whereabouts whereabouts(Entity e) const;
    void add_relatives();
    void add_neighbors(Entity of);
    void add_relative(Entity e);
    void write_classes();
    void write_strings();
    void write_group(const Group& group);
    void write_parents();
    [[nodiscard]] String string_at(const TrackedClass& cls, std::size_t r, std::uint32_t index) const;
    [[nodiscard]] Hierarchy::Index node_of(std::uint32_t index) const;

    const ChangeSource& source_;
    const std::uint32_t stream_;  // a number that probably no other receiver has
    PacketWriter to_;
    // The packet that is written:
    std::span<const Unit> units_;
    const Recipient* recipient_ = nullptr;
    bool is_whole_ = true;
    std::uint32_t from_ = 0;    // what changed in this round, or before it, is known of all entities
    bool has_unknown_ = false;  // there are entities that the receiver does not know
    std::vector<std::uint32_t> removed_;
    std::vector<std::uint32_t> created_;
    std::vector<std::uint32_t> moved_;  // entities with another place in the hierarchy
    std::unordered_set<std::uint32_t> relatives_;
    std::vector<Item> items_;
    std::vector<Group> groups_;
    std::vector<std::uint32_t> indices_;
    std::unordered_map<std::uint32_t, std::uint32_t> strings_;  // their numbers in the packet
};

}  // namespace crateful::internal
