// A packet of changes that was read and checked (rules N6, N8).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crateful/changes.hpp"
#include "fields.hpp"
#include "state_access.hpp"

namespace crateful::internal {

/// In place of a number.
inline constexpr std::size_t NO_RUN = ~std::size_t{0};

/// A class of the sender.
struct RemoteClass {
    const ComponentType* type = nullptr;
    std::vector<StoredField> fields{};
    std::vector<FieldRun> runs{};       // of the class here
    std::vector<std::size_t> run_of{};  // by field of the sender
    std::vector<std::byte> defaults{};  // packed
};
/// Values of some fields for some components.
struct Group {
    const RemoteClass* cls = nullptr;
    std::uint32_t number = 0;  // of the class
    std::uint64_t fields = 0;  // 0: the components were removed
    bool whole = false;        // the components were added
    std::vector<std::uint32_t> indices{};
    std::vector<Values> values{};  // by field of the sender, in the type of the field here
    std::vector<std::vector<std::byte>> converted{};
};
struct Move {
    std::uint32_t child;
    Entity parent;
    Entity before;
};
/// A packet that was read and checked. It refers to the bytes.
struct Packet {
    std::uint64_t number = 0;
    double frame = 0;
    std::vector<RemoteClass> classes{};  // of the first packet
    std::vector<std::uint32_t> removed{};
    std::vector<std::uint32_t> created{};
    std::vector<std::uint32_t> generations{};
    std::vector<Group> groups{};
    std::vector<Move> moves{};
};

/// What a replica knows of its sender.
struct Sender {
    std::vector<RemoteClass> classes{};
    std::vector<Entity> handles{};  // by index: NONE if there is none
    std::size_t entities = 0;
    std::uint64_t next = 0;  // the number of the packet that is applied next
};

/// Reads a packet; false if it was applied already. Its strings are those of the ECS; nothing may be collected until they are used.
/// Throws `bad_data` or `bad_argument`.
[[nodiscard]] bool read_changes(Tracking& tracking, const Sender& sender, const ReplicaOptions& options,
                                std::span<const std::byte> bytes, Packet& packet);

}  // namespace crateful::internal
