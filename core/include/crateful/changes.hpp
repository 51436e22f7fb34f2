#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crateful/detail/shared.hpp"
#include "crateful/entity.hpp"

namespace crateful {

class ECS;
class Receiver;

namespace internal {
class ChangeSource;
class ChangeReceiver;
class ChangeTarget;
struct ChangeAccess;
struct ReplicaAccess;
}  // namespace internal

/// What a source of changes contains.
struct ChangesOptions {
    /// The names of component classes; if there are none, all that are described, or have a codec, and that the ECS has used when it
    /// is created, in components, systems, queries or storages. It is an error if `without` leaves none of them.
    std::vector<std::string> components{};
    /// The names of classes that are left out.
    std::vector<std::string> without{};
};

/// Which entities a receiver gets.
enum class Selection : std::uint8_t {
    all,       ///< every entity with a component of the classes
    selected,  ///< those that `Receiver::select` has named
};

/// What becomes of an entity that a receiver does not get any more.
enum class Deselection : std::uint8_t {
    remove,  ///< for the receiver it is removed
    keep,    ///< the receiver keeps it as it is
};

/// What becomes of the bytes that a receiver returns.
enum class Channel : std::uint8_t {
    reliable,  ///< all arrive, in their order: WebSocket, TCP
    lossy,     ///< they can be lost, doubled, and arrive late: WebRTC without retransmission, WebTransport, UDP
};

/// What changes in an ECS, for any number of receivers (rule N5): each gets, with `Receiver::take`, the bytes for what was created,
/// removed and changed since its last `take`, and a `Replica` applies them to another ECS.
///
///     Changes changes(ecs);
///     Receiver receiver = changes.receiver();
///     send(receiver.take());  // after each update
///
/// An entity is part of it while it has a component of one of the classes, or a parent. Changes are found by signals, at the cost of what
/// changed, once for all receivers. The values of a class with a codec are encoded when they signal, and sent if the bytes differ.
///
/// Memory by entity index: 52 bytes; for each class that has had components, their values once more, 4 bytes for each field, and 4; for
/// each class with a codec, a `std::vector` and the bytes. For each receiver: what was not taken yet, and 20 bytes for each entity that it
/// selects; on a lossy channel, 28 for each entity in flight, and 8 in each packet. And 32 for each component, which all sources of changes,
/// recordings and histories of an ECS share.
class Changes {
public:
    /// Throws `bad_argument` for a class that does not exist, or that is neither described nor has a codec, and for two classes of one
    /// name that the ECS uses. The ECS must exist as long as the source.
    explicit Changes(ECS& ecs, const ChangesOptions& options = {});
    /// A new receiver, which starts with everything.
    [[nodiscard]] Receiver receiver(Selection selection = Selection::all, Channel channel = Channel::reliable);

private:
    friend struct internal::ChangeAccess;
    explicit Changes(std::shared_ptr<internal::ChangeSource> source) noexcept;
    std::shared_ptr<internal::ChangeSource> source_;
};

/// One receiver of changes. It may exist longer than its `Changes`, but not be used longer than the ECS. A codec must not destroy it
/// while it is called by `take`.
class Receiver {
public:
    /// For `Changes::receiver`.
    explicit Receiver(std::unique_ptr<internal::ChangeReceiver> made) noexcept;
    Receiver(Receiver&&) noexcept;
    Receiver& operator=(Receiver&&) noexcept;
    ~Receiver();

    /// The bytes for what changed since the last call; empty if nothing has. At most `max_bytes`, unless it is 0: what does not fit
    /// stays for the next call; each entity gets its turn. Throws `bad_argument` at the turn of an entity whose changes alone do not fit:
    /// they wait until they do, and the next call returns those of others; `bad_argument` for a bool that is not 0 or 1 and for a number of
    /// an enum that has no name; `reentrant_update` inside an update or a callback; and what a codec throws. What it does not return is
    /// returned by the next call. O(changes).
    [[nodiscard]] std::vector<std::byte> take(std::size_t max_bytes = 0);
    /// For `Channel::lossy`: what a replica has received, the bytes of `Replica::acknowledgement`. What is lost is then part of the next
    /// `take`, with its newest values; without acknowledgements, what was not acknowledged within one and a half times as many frames with
    /// a `take` as they usually need, is lost, too. Bytes that were acknowledged already have no effect, and neither have none. Throws `bad_data` for bytes
    /// that are damaged, of another receiver, or acknowledge what was not sent, and `bad_argument` if the channel is reliable; nothing has changed then.
    /// O(entities in flight).
    void acknowledge(std::span<const std::byte> bytes);
    /// The receiver gets the entity from now on. Throws `bad_argument` unless it was created with `Selection::selected`, and
    /// `stale_entity` for one that is not alive. The selection ends with `deselect`, or when the entity is removed, also by `restore` or a
    /// `Rewind`; an entity that these bring back is not selected. O(1).
    void select(Entity e);
    /// It does not get it any more. With `Deselection::keep`, it keeps the entity, and nothing is sent for it until it is selected again; then
    /// what has changed meanwhile is. Its removal is sent, also that of its last component, and another `deselect` without it removes it. An entity whose creation was not sent, or
    /// on a lossy channel not acknowledged, is forgotten, and so are kept ones by `restart`. An entity that others arrive below is moved to
    /// its parent nevertheless. No effect if it was not selected. O(1).
    void deselect(Entity e, Deselection how = Deselection::remove);
    /// The next `take` returns everything, as the first one does: for a replica that has missed or refused bytes, or a new one. What a
    /// replica has besides is removed: entities, components of the classes, and parents that are entities of the sender. What it has stays,
    /// with its handle, and signals if it differs. With `max_bytes`, this takes several calls, whose bytes are applied in their order.
    /// Throws `bad_argument` if the channel is lossy, on which what is lost is sent again without it. O(selected entities); the next
    /// `take` is O(entities).
    void restart();

private:
    friend struct internal::ChangeAccess;
    std::unique_ptr<internal::ChangeReceiver> made_;
};

/// What a replica accepts.
struct ReplicaOptions {
    /// Bounds for what the bytes may ask for, which are checked before memory is allocated (rule N8).
    struct Limits {
        std::size_t entities = 1'000'000;  ///< at one time
        std::size_t index = 4'000'000;     ///< above the highest index of an entity of the sender
        /// Of memory that the bytes of one `apply` ask for: the tables of entities, and the components that are added.
        std::size_t bytes = std::size_t{1} << 30;
    };
    Limits limits{};  ///< see `Limits`
    /// The names of component classes of the sender that are passed over.
    std::vector<std::string> ignore{};
    /// Whether classes that do not exist here are passed over as well; a value whose enum has no such name is the default of its field.
    bool ignore_unknown = false;
};

/// A copy of what a `Changes` sends, among the entities of another ECS (rule N6). The entities that it creates have other handles here,
/// also in `entity` and `link` fields, in the hierarchy, and in values of codecs that map them. A reference to an entity that was not sent is
/// NONE, until it arrives.
class Replica {
public:
    /// The ECS must exist as long as the replica. Callbacks of `apply` must not destroy it.
    explicit Replica(ECS& ecs, const ReplicaOptions& options = {});
    Replica(Replica&&) noexcept;
    Replica& operator=(Replica&&) noexcept;
    ~Replica();

    /// Applies the bytes of one `take`, which must arrive in their order, unless the channel is lossy: what arrives behind later bytes has
    /// no effect then. Bytes that were applied already have no effect. First `on_remove` is called for what systems stop to track, which
    /// must not change the ECS; then everything becomes true that the bytes contain, and what differs signals; then `on_add` is called,
    /// which may change anything. What they throw is rethrown at the end. Removals that the program has marked (rule E3) are not performed.
    ///
    /// Throws `bad_data`, and changes nothing, for bytes that are damaged, not the next ones, or of another receiver; `bad_argument` for
    /// classes and fields that do not exist here, and for classes of objects of another language; what a codec throws; `reentrant_update`
    /// inside an update or a callback; `std::bad_alloc`: then call it again with the same bytes, which does the rest. O(changes).
    void apply(std::span<const std::byte> bytes);
    /// For a lossy channel: what has arrived of the last 64 bytes, for `Receiver::acknowledge`; 20 bytes, or none if nothing has arrived.
    /// The receiving program sends it, on any channel, after `apply` or with its own messages.
    [[nodiscard]] std::vector<std::byte> acknowledgement() const;
    /// The entity here for one of the sender, or NONE. O(1).
    [[nodiscard]] Entity entity(Entity remote) const noexcept;
    /// The entity of the sender for one here, or NONE. O(1).
    [[nodiscard]] Entity remote(Entity local) const noexcept;
    /// An entity that the program has created becomes that of the sender when `remote` arrives, and keeps its handle: a shot that a page
    /// shows before the server has. Until then, it belongs to the program. When it arrives, components of the classes that the sender does not send
    /// are removed, as by `Receiver::restart`; others stay. Systems that select it before and afterwards do not notice. If it is removed
    /// before, or the state exchanged, another one is created. A further call for the same `remote` or `local` replaces this one. Throws
    /// `stale_entity`; `bad_argument` for `NONE`, for the world of either side, for an entity that is already one of this sender, if `remote`
    /// has arrived, and as `apply` when the state was exchanged; and `reentrant_update` while bytes are applied, except in `on_add`.
    /// O(pending calls).
    void adopt(Entity local, Entity remote);
    /// How many updates the sender had completed when it took the bytes that were applied last.
    [[nodiscard]] double frame() const noexcept;
    /// The classes, fields and names of enums of the sender that are passed over, which the first bytes list: "Class", "Class.field" and
    /// "Class.field: name".
    [[nodiscard]] std::vector<std::string> ignored() const;

    /// From now on, the last received values of an entity are kept, which are at first those that it has now: the program changes
    /// them before the sender does, and calls `reset` before it applies what the sender has decided. Throws `bad_argument` unless the
    /// entity is one of the sender, and what a codec throws. It ends with `stop_predicting`, and when the entity is removed here; the
    /// world stays predicted also while the sender does not send it.
    void predict(Entity e);
    /// They are not kept any more. No effect if they were not.
    void stop_predicting(Entity e) noexcept;
    /// Writes the kept values back, with signals where they differ; components that the program has removed are added again, and
    /// parents do not change. `on_add` is called when all are written, and what it throws is rethrown at the end. Throws `reentrant_update` inside an update or a callback, and
    /// what a codec throws; then nothing has changed. O(predicted entities).
    void reset();

private:
    friend struct internal::ReplicaAccess;
    std::unique_ptr<internal::ChangeTarget> made_;
};

}  // namespace crateful
