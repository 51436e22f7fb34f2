// The changes of one ECS, which all receivers share (rule N5).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crateful/changes.hpp"
#include "crateful/detail/frame_listener.hpp"
#include "state_access.hpp"

namespace crateful::internal {

/// What is known of the entity with an index.
struct KnownEntity {
    Entity handle = NONE;       // NONE if it has no component of the classes
    Entity before = NONE;       // the last one before, which is the same if it had no component for a time
    std::uint32_t created = 0;  // the round
    std::uint32_t removed = 0;  // the round in which the last one before was removed
    std::uint32_t changed = 0;  // the round in which anything changed
    std::uint32_t components = 0;
};

/// A value of a class that only this class can read: behind a byte that says what it is (docs/format.md).
using EncodedValue = std::vector<std::byte>;

/// What may have changed of a class whose values only it can read.
struct EncodedChanges {
    ComponentId id = 0;
    ChangeList::Time time = 0;             // until which the list was read
    std::vector<std::uint32_t> indices{};  // ascending
    std::vector<Entity> entities{};        // of these indices that have the component
    std::vector<EncodedValue> values{};    // theirs
};

/// What is known of the components of one class: a record for each index, with the round in which the component was added or removed,
/// that of the last change of each field, and the values. The values of a class that only this class can read are one field, and are not
/// in the record. There is no memory before the class has components.
struct TrackedClass {
    explicit TrackedClass(Storage& s);
    Storage* storage;
    bool opaque;
    std::vector<FieldRun> runs;          // none if it is opaque
    std::vector<EncodedValue> known{};   // by index, if it is opaque
    EncodedChanges encoded{};            // before they are collected
    std::vector<std::size_t> offsets{};  // of the values in a record
    std::size_t stride = 0;              // from one record to the next
    std::vector<std::byte> records{};    // by index
    ChangeList::Time read = 0;
    std::uint32_t changed = 0;  // the last round in which a component was added, removed or changed

    [[nodiscard]] std::size_t fields() const noexcept { return opaque ? 1 : runs.size(); }
    [[nodiscard]] bool is_parent() const noexcept { return storage->type().id == PARENT_ID; }
    [[nodiscard]] std::byte* record(std::uint32_t index) noexcept { return &records[index * stride]; }
    [[nodiscard]] const std::byte* record(std::uint32_t index) const noexcept { return &records[index * stride]; }
    /// The round in which it was added or removed, shifted by one bit; the lowest bit: whether it exists.
    [[nodiscard]] static std::uint32_t& presence_of(std::byte* record) noexcept {
        return *reinterpret_cast<std::uint32_t*>(record);
    }
    [[nodiscard]] static const std::uint32_t& presence_of(const std::byte* record) noexcept {
        return *reinterpret_cast<const std::uint32_t*>(record);
    }
    [[nodiscard]] static std::uint32_t* rounds(std::byte* record) noexcept { return &presence_of(record) + 1; }
    [[nodiscard]] static const std::uint32_t* rounds(const std::byte* record) noexcept {
        return &presence_of(record) + 1;
    }
};

/// The changes of one ECS, which are collected when a receiver asks for them. Time is counted in rounds: one for each collection that has
/// found any.
class ChangeSource final : FrameListener {
public:
    /// With `has_host`, it contains the object classes of another language.
    ChangeSource(ECS& of, const ChangesOptions& options, bool has_host);
    ~ChangeSource();
    ChangeSource(const ChangeSource&) = delete;
    ChangeSource& operator=(const ChangeSource&) = delete;

    /// Receivers that get only what is selected: their `before_exchange` is called.
    void add_selecting(ChangeReceiver& receiver) { selecting_.push_back(&receiver); }
    void remove_selecting(const ChangeReceiver& receiver) noexcept { std::erase(selecting_, &receiver); }

    [[nodiscard]] const StateAccess& state() const noexcept { return state_; }
    [[nodiscard]] const std::vector<TrackedClass>& classes() const noexcept { return classes_; }
    [[nodiscard]] std::uint32_t round() const noexcept { return round_; }
    /// The first round in which the state of the ECS was another one, after `restore` or by a Rewind: handles may have been issued again.
    [[nodiscard]] std::uint32_t exchanged() const noexcept { return exchanged_; }
    [[nodiscard]] const KnownEntity& known(std::uint32_t index) const noexcept {
        static const KnownEntity none;
        return index < entities_.size() ? entities_[index] : none;
    }
    /// Whether the entity with this index got another place in the hierarchy after a round.
    [[nodiscard]] bool moved_since(std::uint32_t index, std::uint32_t round) const noexcept {
        const TrackedClass& parent = classes_.front();
        if (parent.records.empty()) return false;
        const std::byte* const at = parent.record(index);
        return parent.presence_of(at) >> 1 > round || *parent.rounds(at) > round;
    }
    /// Whether values of its classes are encoded, in `prepare` and before `collect`.
    [[nodiscard]] bool encodes() const noexcept { return encodes_; }
    /// Lists what may have changed of classes that encode their values, and encodes those of C++. Returns those of object classes, whose
    /// values the caller sets. The ECS must not be changed until they are collected.
    [[nodiscard]] std::vector<EncodedChanges*> prepare();
    /// Finds out what changed. If it throws, nothing has changed.
    void collect();
    /// An entity that changed. The entry counts unless the entity has changed again.
    struct Change {
        std::uint32_t index;
        std::uint32_t round;
    };
    /// The entities that changed after a round, in ascending order. They are in `sorted`, if that is not one round.
    [[nodiscard]] std::span<const Change> changed_since(std::uint32_t round, std::vector<Change>& sorted) const;

private:
    static constexpr std::uint32_t LAST_ROUND = 0x7FFF'FFFF;  // after a year with 60 rounds per second

    [[nodiscard]] std::vector<Storage*> chosen(const ChangesOptions& options, bool has_host) const;
    void note_batch(TrackedClass& cls);
    void note_encoded(TrackedClass& cls);
    [[nodiscard]] std::uint32_t note_presence(TrackedClass& cls, std::uint32_t index);
    void note_values(TrackedClass& cls, std::size_t r);
    void forget(std::uint32_t index);
    void changed(std::uint32_t index, TrackedClass& cls) {
        cls.changed = round_;
        changed(index);
    }
    void changed(std::uint32_t index);
    void log_changes();
    void make_room();

    void frame_ended(bool destroyed) noexcept override { ecs_exists_ = ecs_exists_ && !destroyed; }
    void before_exchange(const StateExchange& exchange) noexcept override;

    StateAccess state_;
    std::vector<ChangeReceiver*> selecting_;
    bool ecs_exists_ = true;
    bool encodes_ = false;
    std::vector<TrackedClass> classes_;  // the first one is Parent, the others are sorted by name
    std::vector<KnownEntity> entities_;  // by index
    std::vector<Change> log_;            // sorted by round
    std::uint32_t round_ = 1;
    std::uint32_t exchanged_ = 0;
    bool is_exchanged_ = false;  // since the last collection
    // What this collection reads and finds; there is room for all indices.
    std::vector<std::uint32_t> batch_;
    std::vector<std::uint32_t> slots_;
    std::vector<std::uint32_t> changed_;
};

}  // namespace crateful::internal
