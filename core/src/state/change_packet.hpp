// A packet of changes that was read and checked (rules N6, N8).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "crateful/changes.hpp"
#include "crateful/detail/value_array.hpp"
#include "fields.hpp"
#include "packet.hpp"
#include "state_access.hpp"

namespace crateful::internal {

/// In place of a number.
inline constexpr std::size_t NO_RUN = ~std::size_t{0};

/// A class of the sender.
struct RemoteClass {
    std::string_view name{};
    const ComponentType* type = nullptr;  // nullptr: it is passed over
    bool opaque = false;                  // its only field contains values that only the class can read
    std::vector<StoredField> fields{};
    std::vector<FieldRun> runs{};       // of the class here
    std::vector<std::size_t> run_of{};  // by field of the sender
    std::vector<std::byte> defaults{};  // packed
};
/// Values of some fields for some components.
struct Group {
    const RemoteClass* cls;
    std::uint32_t number;  // of the class
    bool whole;            // the components were added
    std::uint64_t fields;  // by `bit_of_field`; 0: the components were removed
    std::size_t first;     // in `indices`
    std::size_t count;
    std::size_t values;                     // in `values`, or of an opaque class in `encoded`
    std::unique_ptr<ValueArray> decoded{};  // of a native class with a codec: its values, and one more
};
/// A value that only its class can read.
struct EncodedBytes {
    std::span<const std::byte> bytes;  // the first one says what follows
    std::uint32_t position = 0;        // of the first one in the packet, for messages
    bool differs = true;               // the component here has another value, or does not exist
};
struct Move {
    std::uint32_t child;
    Entity parent;
    Entity before;
};
/// A packet that was read and checked. It refers to the bytes. Its memory is used again for the next one.
struct Packet {
    std::uint32_t stream = 0;  // which receiver has returned it
    std::uint64_t number = 0;
    bool is_lossy = false;                      // of a lossy channel
    bool again = false;                         // a part of it was applied
    std::optional<IndexRange> restart_range{};  // it contains all entities with these indices
    double frame = 0;
    std::vector<RemoteClass> classes{};  // if it contains them, and the replica does not know them
    std::vector<std::uint32_t> removed{};
    std::vector<std::uint32_t> created{};
    std::vector<Entity> handles{};  // of those that were created
    std::vector<Group> groups{};
    std::vector<std::uint32_t> indices{};  // of the groups
    std::vector<EncodedBytes> encoded{};
    std::vector<Values> values{};  // of a group, by field of the sender, in the type of the field here
    std::vector<std::vector<std::byte>> converted{};  // the memory of some of them
    std::vector<Move> moves{};

    void clear() noexcept {
        classes.clear();
        removed.clear();
        created.clear();
        handles.clear();
        groups.clear();
        indices.clear();
        encoded.clear();
        values.clear();
        converted.clear();
        moves.clear();
        restart_range.reset();
    }
    /// Whether a replica may have the entities that are created, which stay then.
    [[nodiscard]] bool creates_again() const noexcept { return is_lossy || again || restart_range.has_value(); }
    /// Whether it creates, removes or moves entities or components.
    [[nodiscard]] bool has_structure() const noexcept {
        const auto adds_or_removes = [](const Group& group) { return group.whole || group.fields == 0; };
        return !removed.empty() || !created.empty() || !moves.empty() ||
               std::any_of(groups.begin(), groups.end(), adds_or_removes);
    }
    /// The position in `handles` of the entity that is created with this index, or the number of these.
    [[nodiscard]] std::size_t created_at(std::uint32_t index) const noexcept {
        const auto at = std::lower_bound(created.begin(), created.end(), index);
        return at != created.end() && *at == index ? static_cast<std::size_t>(at - created.begin()) : created.size();
    }
    [[nodiscard]] std::span<const std::uint32_t> of(const Group& group) const noexcept {
        return std::span(indices).subspan(group.first, group.count);
    }
};

/// An entity of the sender, by its index.
struct Copy {
    Entity remote = NONE;  // NONE if it has none
    Entity local = NONE;
    bool leaves = false;  // there was no memory to remove it
};
/// What a replica knows of its sender.
struct Sender {
    std::vector<RemoteClass> classes{};
    std::vector<Copy> copies{};
    std::size_t entities = 0;
    std::uint32_t stream = 0;
    std::uint64_t next = 0;  // the number of the packet that is applied next; on a lossy channel, the lowest one
    bool is_lossy = false;
    std::uint64_t arrived = 0;  // on a lossy channel, bit k: the packet `next` - 1 - k was applied
    bool incomplete = false;    // a part of the last one was not applied, for lack of memory: it can be applied again
};

/// Reads the classes of a sender, also of object classes of another language with `has_host`. Throws as `read_changes`.
[[nodiscard]] std::vector<RemoteClass> read_classes(PacketReader& from, const Tracking& tracking,
                                                    const ReplicaOptions& options, bool has_host);
/// Reads a packet, with `has_host` also of object classes of another language; false if it was applied already. Its strings are those of the ECS; nothing may be collected until they are used.
/// Throws `bad_data` or `bad_argument`.
[[nodiscard]] bool read_changes(Tracking& tracking, const Sender& sender, const ReplicaOptions& options,
                                std::span<const std::byte> bytes, bool has_host, Packet& packet);

}  // namespace crateful::internal
