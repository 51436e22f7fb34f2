// The changes of one ECS, which all receivers share (rule N5).
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "crateful/changes.hpp"
#include "state_access.hpp"

namespace crateful::internal {

/// The components of one class, as they were when changes were collected last.
struct TrackedClass {
    TrackedClass(Storage& s, std::vector<FieldRun> fields) : storage(&s), runs(std::move(fields)) {
        for (const FieldRun& run : runs) {
            offsets.push_back(record);
            record += run.bytes();
        }
    }
    static constexpr std::size_t MOST_FIELDS = 63;
    static constexpr std::size_t ADDED = 0;    // in `times`: the round of its addition, 0 if there is none
    static constexpr std::size_t REMOVED = 1;  // that of its removal
    static constexpr std::size_t FIELDS = 2;   // behind these: those of the last changes of its fields

    Storage* storage;
    std::vector<FieldRun> runs;
    std::vector<std::size_t> offsets{};  // of the fields in a record
    std::size_t record = 0;
    ChangeList::Time read = 0;
    std::vector<std::byte> values{};      // by entity index
    std::vector<std::uint32_t> rounds{};  // by entity index

    [[nodiscard]] bool is_parent() const noexcept { return storage->type().id == PARENT_ID; }
    [[nodiscard]] std::byte* value(std::uint32_t index) noexcept { return values.data() + index * record; }
    [[nodiscard]] const std::byte* value(std::uint32_t index) const noexcept { return values.data() + index * record; }
    [[nodiscard]] std::uint32_t* times(std::uint32_t index) noexcept {
        return rounds.data() + index * (FIELDS + runs.size());
    }
    [[nodiscard]] const std::uint32_t* times(std::uint32_t index) const noexcept {
        return rounds.data() + index * (FIELDS + runs.size());
    }
    [[nodiscard]] const std::byte* field(std::size_t r, std::uint32_t slot) const noexcept {
        return storage->control().columns[runs[r].first] + slot * storage->stride(runs[r].first);
    }
};

/// What is known of the entity with an index.
struct KnownEntity {
    Entity handle = NONE;       // NONE if it has no component of the classes
    std::uint32_t created = 0;  // the round
    std::uint32_t removed = 0;  // the round in which the last one before was removed
    std::uint32_t changed = 0;  // the round in which anything changed
    std::uint32_t components = 0;
    std::uint32_t next = NOT_LISTED;  // in the list of those that have lost a last component
    static constexpr std::uint32_t NOT_LISTED = ~0u;
    static constexpr std::uint32_t END = ~0u - 1;
};

/// The changes of one ECS, which are collected when a receiver asks for them. Time is counted in rounds: one for each collection that has
/// found any.
class ChangeSource {
public:
    ChangeSource(ECS& of, const ChangesOptions& options);

    [[nodiscard]] const StateAccess& state() const noexcept { return state_; }
    [[nodiscard]] const std::vector<TrackedClass>& classes() const noexcept { return classes_; }
    [[nodiscard]] std::uint32_t round() const noexcept { return round_; }
    [[nodiscard]] const KnownEntity& known(std::uint32_t index) const noexcept {
        static const KnownEntity none;
        return index < known_.size() ? known_[index] : none;
    }
    /// The entities that changed, in the order of their last change.
    [[nodiscard]] ChangeList& list() noexcept { return list_; }
    /// Finds out what changed.
    void collect();

private:
    [[nodiscard]] std::vector<Storage*> chosen(const ChangesOptions& options) const;
    bool note(TrackedClass& cls, std::uint32_t index);
    bool note_values(TrackedClass& cls, std::uint32_t index, std::uint32_t slot, bool is_new) const;
    void forget(std::uint32_t index);
    void make_room(std::size_t n);

    StateAccess state_;
    std::vector<TrackedClass> classes_;  // the first one is Parent, the others are sorted by name
    std::vector<KnownEntity> known_;     // by index
    ChangeList list_;                    // of all classes
    std::uint32_t emptied_ = KnownEntity::END;
    std::uint32_t round_ = 1;
};

}  // namespace crateful::internal
