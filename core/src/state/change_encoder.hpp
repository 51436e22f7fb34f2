// The bytes of a packet of changes (rule N5, docs/format.md).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "change_source.hpp"
#include "packet.hpp"

namespace crateful::internal {

/// An entity that may have changed for a receiver.
struct Unit {
    std::uint32_t index;
    std::uint32_t since;  // the round of what the receiver knows
    bool knows;           // the entity that has this index now
    bool knew;            // another one with this index
    bool wanted;          // the receiver gets it
};

/// Which entities a receiver has, or will have.
class Recipient {
public:
    [[nodiscard]] virtual bool gets(Entity e) const noexcept = 0;

protected:
    ~Recipient() = default;
};

/// Writes packets. Its memory is used again for the next one.
class ChangeEncoder {
public:
    explicit ChangeEncoder(const ChangeSource& source) noexcept;
    /// The packet with this number, of what changed for entities with ascending indices; empty if nothing has.
    [[nodiscard]] std::vector<std::byte> encode(std::span<const Unit> units, const Recipient& to, std::uint64_t number);

private:
    /// Components of one class of which the same fields changed.
    struct Group {
        std::uint32_t cls;
        std::uint64_t fields;  // a bit for each; 0: they were removed
        std::size_t first;     // in `items_`
        std::size_t end;
    };
    struct Item {
        std::uint32_t index;
        std::uint64_t fields;
    };

    void find_entities(std::span<const Unit> units);
    void find_items(std::span<const Unit> units, std::uint32_t number);
    void add_relatives(const Recipient& to);
    void write_classes();
    void write_strings();
    void write_group(const Group& group);
    void write_parents(const Recipient& to);
    [[nodiscard]] String string_at(const TrackedClass& cls, std::size_t r, std::uint32_t index) const;
    [[nodiscard]] Hierarchy::Index node_of(std::uint32_t index) const;

    const ChangeSource& source_;
    const std::uint32_t stream_;  // a number that probably no other receiver has
    PacketWriter to_;
    std::vector<std::uint32_t> removed_;
    std::vector<std::uint32_t> created_;
    std::vector<std::uint32_t> moved_;  // entities with another parent
    std::vector<Item> items_;
    std::vector<Group> groups_;
    std::vector<std::uint32_t> indices_;
    std::unordered_map<std::uint32_t, std::uint32_t> strings_;  // their numbers in the packet
};

}  // namespace crateful::internal
