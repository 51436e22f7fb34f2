// Applying changes to another ECS (rule N6, docs/format.md).
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "change_packet.hpp"
#include "crateful/changes.hpp"
#include "crateful/detail/state_steps.hpp"
#include "references.hpp"
#include "state_access.hpp"
#include "tracking_change.hpp"

namespace crateful::internal {

/// What a `Replica` does. Everything is checked, and memory is reserved, before the first change. What fails later for lack of memory
/// makes the packet `incomplete`: it can be applied again, and nothing of it is lost.
class ChangeTarget {
public:
    ChangeTarget(ECS& of, const ReplicaOptions& options) : state_(of), options_(options) {}

    void apply(std::span<const std::byte> bytes);

    // --- `apply` in steps ---------------------------------------------------------------------

    /// Reads and checks everything, and decodes values of C++; false if it was applied already. Until `finish` or `cancel`, the bytes
    /// must exist, and the ECS cannot be changed. With `has_host`, the packet may contain values of object classes, which the host sets
    /// afterwards.
    [[nodiscard]] bool read(std::span<const std::byte> bytes, bool has_host);
    [[nodiscard]] const Packet& packet() const noexcept { return packet_; }
    /// The entity here that is also here after the packet, and has this index at the sender then; otherwise NONE.
    [[nodiscard]] Entity remains(std::uint32_t index) const noexcept;
    /// Calls `on_remove`, and makes everything true that the packet contains. The host sets values of object classes afterwards.
    void exchange();
    /// Calls `on_add`, and rethrows what callbacks have thrown.
    void finish();
    /// If it has changed the ECS, what systems did not start to track is looked for in the next update.
    void cancel() noexcept {
        reading_.reset();
        packet_.groups.clear();  // destroys values, which may use the ECS
    }
    /// The entity here for an index of the sender, or NONE.
    [[nodiscard]] Entity local_of(std::uint32_t index) const noexcept {
        return index < sender_.copies.size() ? entity(sender_.copies[index].remote) : NONE;
    }
    /// A part was not applied, for lack of memory.
    void set_incomplete() noexcept { sender_.incomplete = true; }

    [[nodiscard]] Entity entity(Entity remote) const noexcept;
    [[nodiscard]] Entity remote(Entity local) const noexcept;
    /// The entity here for one of the sender; while bytes are read, the one that is there afterwards. NONE if it is not.
    [[nodiscard]] Entity arrival(Entity remote) const noexcept;
    /// The reverse.
    [[nodiscard]] Entity map_back(Entity local) const noexcept;
    /// While bytes are read: the value of a class that maps its handles refers to an entity of the sender, so it is decoded again when that
    /// arrives or leaves. `index` is that of the sender's entity with the value.
    void note_target(std::uint32_t index, ComponentId id, Entity remote);
    /// See `Replica::adopt`.
    void adopt(Entity local, Entity remote);
    [[nodiscard]] double frame() const noexcept { return frame_; }
    [[nodiscard]] std::vector<std::byte> acknowledgement() const;

    // --- prediction.cpp -----------------------------------------------------------------------

    /// Returns false if that was so already.
    bool predict(Entity e);
    void stop_predicting(Entity e) noexcept;
    void reset();
    /// As `reset`, except for values of object classes, which the host sets before it calls `finish`.
    void exchange_kept();

    /// A value of an object class that is kept.
    struct KeptValue {
        std::uint32_t index;  // of the sender's entity
        std::uint32_t cls;    // the number of the class
        std::vector<std::byte> bytes;
    };
    /// Those of all predicted entities, by class.
    [[nodiscard]] std::vector<KeptValue> kept_objects() const;
    /// Sets what is kept of an object class.
    void predict_object(Entity e, ComponentId id, std::span<const std::byte> value);
    /// The classes of the sender.
    [[nodiscard]] const std::vector<RemoteClass>& classes() const noexcept { return sender_.classes; }
    /// What of these is passed over.
    [[nodiscard]] std::vector<std::string> ignored() const;
    [[nodiscard]] ECS& world() const noexcept { return state_.ecs; }

private:
    /// The last received values of an entity.
    struct Kept {
        // By the number of the class: packed, or a value that only the class can read.
        std::map<std::uint32_t, std::vector<std::byte>> components{};
        std::unique_ptr<Strings::Kept> strings{};
    };

    /// A component that is kept, and its value if only its class can read it, and the ECS has another one; the second element is unused.
    struct Decoded {
        std::uint32_t index;
        std::uint32_t cls;
        std::unique_ptr<ValueArray> value;
    };

    /// An entity of the program that becomes one of the sender when that one arrives.
    struct Adoption {
        Entity remote;
        Entity local;
        std::uint32_t restorations;  // of the ECS, when it was adopted
    };

    /// An entity here when the packet is applied, and that of the sender or NONE.
    struct Node {
        Entity local = NONE;
        Entity remote = NONE;
        [[nodiscard]] bool operator==(const Node&) const = default;
    };

    /// A value that only its class can read, and that refers to entities of the sender.
    struct Referring {
        Entity entity;  // of the sender
        ComponentId id;
        std::vector<Entity> targets{};
        std::vector<std::byte> bytes{};
    };

    /// While a packet is read and applied.
    struct Reading {
        explicit Reading(Strings& strings) : hold(strings) {}
        Strings::Hold hold;
        std::vector<std::byte> copy{};  // of the bytes, if it is needed
        std::unique_ptr<StateLock> lock{};
        std::unique_ptr<TrackingChange> tracking{};
        std::vector<Referring> referring{};
        FirstError error{};
    };
    [[nodiscard]] DynamicEcs ecs() const noexcept { return state_.ecs.by_id(); }
    // Calls what only memory can fail for. Otherwise the packet must be applied again.
    template <class F>
    void attempt(FirstError& error, F&& f) {
        if (!error.guard(f)) sender_.incomplete = true;
    }

    [[nodiscard]] Entity adopted(Entity remote) const noexcept;
    [[nodiscard]] std::vector<Adoption>::const_iterator find_adoption(Entity remote) const noexcept;
    [[nodiscard]] Entity handle_created(std::uint32_t index) const noexcept;
    [[nodiscard]] bool is_copy_later(Entity local) const noexcept;
    void plan_entities();
    void complete();
    void remove_parents(std::span<const std::uint32_t> stay);
    void add_orphans(std::span<const std::uint32_t> indices);
    [[nodiscard]] std::vector<Move>::const_iterator move_at(std::uint32_t index) const noexcept;
    [[nodiscard]] const Move* find_move(std::uint32_t index) const noexcept;
    void cut_circles();
    [[nodiscard]] Node node_of(Entity local) const noexcept;
    [[nodiscard]] Node above(const Node& node) const noexcept;
    void cut(const Node& first, std::vector<std::uint32_t>& orphans);
    struct Listed {
        const Group* group = nullptr;
        std::size_t i = 0;  // in this group
    };
    [[nodiscard]] Listed listed(const Referring& value) const noexcept;
    void add_referring();
    void keep_referring();
    struct SentValue {
        std::vector<std::byte> bytes;
        bool loses = false;  // it refers to entities here that are none of the sender's afterwards
    };
    [[nodiscard]] SentValue sent_value(NativeStorage& s, std::uint32_t slot) const;
    [[nodiscard]] bool has_value(NativeStorage& s, std::uint32_t slot, std::span<const std::byte> bytes) const;
    void note_arrival() noexcept;
    void note_components(TrackingChange& change) const;
    [[nodiscard]] bool arrives(Entity remote) const noexcept;
    void reserve();
    void reserve_entities();
    void reserve_values(const Group& group);
    void remove(FirstError& error);
    void detach(std::uint32_t index, FirstError& error);
    void create(FirstError& error);
    void detach_copies(FirstError& error);
    void require_same_state(const char* call) const;
    void write(const Group& group, FirstError& error);
    void decode(Group& group);
    void write_decoded(const Group& group, FirstError& error);
    void write_decoded(Entity e, ComponentId id, const ValueArray& value, FirstError& error);
    static void exchange(NativeStorage& s, std::uint32_t slot, const ValueArray& decoded, std::size_t i);
    [[nodiscard]] std::vector<Decoded> decode_kept();
    void remove_components(const Group& group, FirstError& error);
    void note_references(FirstError& error);
    void refer(const Group& group, std::size_t f) const;
    void write_field(const Group& group, std::size_t f, const Storage& s);
    void add_components(const Group& group, FirstError& error);
    void require_added(ComponentId id);
    void pack(const Group& group, std::size_t i, std::vector<std::byte>& packed) const;
    void set_references(Entity target, Entity local, FirstError& error);
    void keep(const Group& group);
    void hold_strings(Kept& kept) const;
    void set_references(std::uint32_t index, std::uint32_t c, std::vector<std::byte>& packed) const;
    [[nodiscard]] static bool unpack(const std::vector<std::byte>& packed, const Storage& s, std::uint32_t slot);
    void move(FirstError& error);
    [[nodiscard]] bool can_move(const Move& move) const;
    void move(const Move& move, FirstError& error);
    [[nodiscard]] Entity sibling_behind(const Move& move) const noexcept;

    StateAccess state_;
    std::uint32_t restorations_ = 0;  // of the ECS, when the first packet was applied
    ReplicaOptions options_;
    double frame_ = 0;
    Sender sender_;
    std::vector<std::byte> first_;  // the first packet, which contains the names of its classes
    std::vector<Entity> remotes_;   // by index here: the handle of the sender
    References references_;
    std::map<std::uint32_t, Kept> predicted_;  // by index of the sender
    std::vector<Adoption> adoptions_;          // sorted by `remote`
    std::vector<Referring> referring_;         // what is here
    std::unique_ptr<Reading> reading_;
    // Memory for one packet, and for one group of it, which is used again.
    Packet packet_;
    std::vector<Entity> locals_;  // of those that the packet creates
    std::vector<Entity> cuts_;    // entities of the program that lose their parent
    std::vector<Entity> entities_;
    std::vector<std::uint32_t> slots_;
    std::vector<std::uint8_t> differs_;
    std::vector<std::uint32_t> missing_;
    std::vector<std::byte> packed_;
};

}  // namespace crateful::internal
