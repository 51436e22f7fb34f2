// Changes of an ECS whose components are partly objects of another language (rules N5, N6): for language bindings.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "crateful/changes.hpp"
#include "crateful/component.hpp"
#include "crateful/detail/state_steps.hpp"
#include "crateful/entity.hpp"

namespace crateful::internal {

/// A source that contains object classes.
[[nodiscard]] Changes changes_with_objects(ECS& ecs, const ChangesOptions& options);

/// The object classes of a source.
[[nodiscard]] std::vector<ComponentId> object_classes(const Changes& of);

/// Components of an object class that the host must encode.
struct ToEncode {
    ComponentId id;
    std::span<const Entity> entities;  ///< which have them
};

/// `Receiver::take` in steps. While it exists, the ECS cannot be changed.
class TakeSteps {
public:
    /// The receiver must exist as long as this object.
    explicit TakeSteps(Receiver& of);
    ~TakeSteps();
    TakeSteps(const TakeSteps&) = delete;
    TakeSteps& operator=(const TakeSteps&) = delete;
    /// All object classes of which something may have changed.
    [[nodiscard]] std::vector<ToEncode> classes() const;
    /// Sets the encoded values of number `k` of these classes, in the order of its entities.
    void set(std::size_t k, std::span<const std::uint32_t> lengths, const std::byte* bytes);
    /// The last step, when all values are set.
    [[nodiscard]] std::vector<std::byte> take(std::size_t max_bytes);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// `Replica::apply` and `Replica::reset` in steps. The ECS cannot be changed before `exchange`. The replica must exist as long as this
/// object.
class ApplySteps {
public:
    /// A component of an object class.
    struct Value {
        std::uint32_t index;     ///< of the entity of the sender
        Entity local;            ///< the entity here that also exists afterwards, or NONE
        const std::byte* first;  ///< the encoded value
        std::uint32_t n;         ///< its length in bytes
        std::uint32_t is_new;    ///< 1: the sender has added it; 0: it is not set if the program has removed it
        std::uint32_t position;  ///< of the encoded value in the packet; 0 if it was kept
    };
    /// The values of an object class.
    struct Class {
        ComponentId id;
        std::vector<Value> values;
    };

    /// Of `apply`: reads and checks everything. The bytes must exist as long as this object.
    ApplySteps(Replica& to, std::span<const std::byte> bytes);
    /// Of `reset`.
    explicit ApplySteps(Replica& to);
    ~ApplySteps();
    ApplySteps(const ApplySteps&) = delete;
    ApplySteps& operator=(const ApplySteps&) = delete;
    /// Whether the bytes were applied already. There are no further steps then.
    [[nodiscard]] bool done() const noexcept { return !reads_; }
    /// The classes of the sender, if they are in the bytes: those of the first packet.
    [[nodiscard]] std::vector<ComponentId> sent_classes() const;
    /// The values of object classes in the bytes, or that are kept.
    [[nodiscard]] std::vector<Class> classes() const;
    /// Calls `on_remove`, and applies or resets everything except these values. Throws `std::bad_alloc`, and then changes nothing.
    void exchange();
    /// The last step, when these are set: calls `on_add`. Rethrows what callbacks threw, and what there was no memory for.
    void finish();

private:
    struct Kept;

    ChangeTarget& target_;
    bool reads_;
    std::unique_ptr<Kept> kept_;  // of `reset`
};

/// `Replica::predict` in steps: the host sets what is kept of object classes. While it exists, the ECS cannot be changed.
class PredictSteps {
public:
    PredictSteps(Replica& of, Entity e);
    ~PredictSteps();
    PredictSteps(const PredictSteps&) = delete;
    PredictSteps& operator=(const PredictSteps&) = delete;
    /// The object classes of the sender of which the entity has a component, if it was not predicted already.
    [[nodiscard]] std::vector<ToEncode> classes() const;
    /// Keeps the value of number `k` of these classes.
    void set(std::size_t k, std::span<const std::uint32_t> lengths, const std::byte* bytes);
    /// All values were set; otherwise the entity is not predicted.
    void finish() noexcept { done_ = true; }

private:
    ChangeTarget& target_;
    Entity entity_;
    std::unique_ptr<StateLock> lock_;
    bool done_;
};

/// The entity of the replica for an index of the sender, or NONE.
[[nodiscard]] Entity entity_at(const Replica& of, std::uint32_t index);
/// For the handles in a value of an object class, which the sender's entity with this index has: the entity here for one of the sender, or the
/// reverse with `back`, during `ApplySteps` as it is afterwards; NONE if it is not there. When it arrives or leaves, the value is a part of the
/// bytes again. Throws `std::bad_alloc`.
[[nodiscard]] Entity map_entity(Replica& to, ComponentId id, std::uint32_t index, Entity e, bool back);
/// There was no memory for an object of the bytes that were applied last: they can be applied again.
void set_incomplete(Replica& to);

}  // namespace crateful::internal
