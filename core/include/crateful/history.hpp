#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "crateful/component.hpp"
#include "crateful/detail/shared.hpp"
#include "crateful/entity.hpp"

namespace crateful {

class ECS;

namespace internal {
class ChangeHistory;
}  // namespace internal

struct HistoryValue;
/// The fields of a component, with their names.
using HistoryFields = std::vector<std::pair<std::string, HistoryValue>>;

/// A value in a history: nothing, the value of a field, or all fields of a component. An enum is the name of its value, a vector a list of
/// numbers; what only the class can read are the bytes of its codec.
struct HistoryValue {
    std::variant<std::monostate, bool, double, std::string, Entity, std::vector<double>, std::vector<std::byte>,
                 HistoryFields>
        is{};  ///< the value
    [[nodiscard]] bool operator==(const HistoryValue&) const = default;
};

/// What happened to a component.
enum class HistoryKind : std::uint8_t {
    added,     ///< `after` are its fields
    removed,   ///< `before` are its fields
    changed,   ///< a field, from `before` to `after`; or all of it, if only the class can read it
    signaled,  ///< it signalled, and no value differs
    moved,     ///< the entity has another parent, or none
};

/// Who changed what (rule D14).
struct HistoryEntry {
    double frame = 0;                     ///< the number of the update (`Clock::frame` after it), or of the next one
    std::string system{};                 ///< the running system; empty: none
    Entity entity = NONE;                 ///< whose component it is
    HistoryKind kind{};                   ///< what happened
    std::string component{};              ///< the name of the class
    std::string field{};                  ///< of `HistoryKind::changed`
    HistoryValue before{};                ///< the value before the run of the system
    HistoryValue after{};                 ///< the value after it
    std::vector<std::string> notified{};  ///< the systems that became dirty by it
    std::string at{};                     ///< the place in the source: empty in C++
};

/// What a `History` keeps.
struct HistoryOptions {
    /// How many bytes it has at most; the oldest runs of systems are dropped.
    std::size_t bytes = std::size_t{4} << 20;
};

/// Records who changed what (rule D14).
///
///     History history(ecs);
///     …  // frames
///     for (const HistoryEntry& entry : history.why(crate)) log(entry.system, entry.component, entry.field);
///
/// There is one entry for each run of a system and field that has changed, with the value before and the value after; and entries for
/// components that were added or removed, and for other parents. Of classes that no system watches, only these, unless you call `watch`.
/// What was changed outside of systems has no system. An entity that is removed at the end of an update was removed by the system that
/// marked it. Values that were written without a signal are found with the next signal of the component. It goes on when the state is
/// exchanged, by `restore` or a `Rewind`: what differs was changed by no system.
/// A run costs O(classes + changes). Memory, beside the entries: the values of watched classes once more, and for each
/// component 8 bytes (with the policy `linear` 4), and 32 that all histories, recordings and sources of changes of an ECS share.
class History {
public:
    /// Begins to record. When the ECS does not exist any more, it can only be destroyed. Throws `reentrant_update` inside an update or a
    /// callback, `std::bad_alloc`, and what functions that encode values throw.
    explicit History(ECS& ecs, const HistoryOptions& options = {});
    History(History&&) noexcept;
    History& operator=(History&&) noexcept;
    ~History();

    /// Also records the values of a class that no system watches, from now on. Its components signal from then on, as long as the ECS
    /// exists. Throws `std::bad_alloc`.
    template <class T>
    void watch() {
        watch(component_id<T>());
    }
    /// The same for the class with an id.
    void watch(ComponentId id);

    /// What happened to an entity, newest first; it need not exist any more. If memory was missing, entries before that are lost. Throws
    /// `std::bad_alloc`. O(recorded changes).
    [[nodiscard]] std::vector<HistoryEntry> why(Entity e);
    /// What the systems with a name have changed, newest first; with an empty name, what was changed outside of systems. Throws as `why`. O(recorded
    /// changes).
    [[nodiscard]] std::vector<HistoryEntry> by_system(std::string_view name);

private:
    std::unique_ptr<internal::ChangeHistory> made_;
};

}  // namespace crateful
