// Reading what a history has recorded (rule D14).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "component_copy.hpp"
#include "crateful/detail/change_history.hpp"
#include "field_values.hpp"

namespace crateful::internal {

/// An entity that is removed because a system has marked it.
struct HistoryRemover {
    Entity entity;
    std::uint32_t system;
};
/// Which systems of a list became dirty by changes of an entity: a bit for each.
struct NotifiedBits {
    Entity entity;
    std::uint32_t bits;
};

/// What was changed in one run of a system, or outside of them. Systems are numbers of names; 0 is none.
struct HistoryStep {
    double frame;
    std::uint64_t moment;
    std::uint32_t system;
    std::vector<std::byte> bytes;  ///< a record
    std::vector<HistoryRemover> removers;
    std::unique_ptr<Strings::Kept> strings;

    [[nodiscard]] std::size_t size() const noexcept {
        return sizeof *this + bytes.size() + removers.size() * sizeof(HistoryRemover);
    }
};

/// Makes entries of steps.
class HistoryReader {
public:
    /// `classes` are those of the copy, and `names` those of the systems.
    HistoryReader(const StateAccess& state, const std::vector<CopiedClass>& classes,
                  const std::vector<std::string>& names)
        : state_(state), classes_(classes), names_(names) {}

    /// Appends the entries of a step: of one entity, and by the systems with one name, if these are given.
    void read(const HistoryStep& step, std::optional<Entity> e, std::optional<std::string_view> system,
              std::vector<NumberedEntry>& to);

private:
    /// All values of a component, one field behind the other, of which each is repeated: before and after.
    struct Cell {
        Entity entity;
        const std::byte* values;
        bool before;  ///< or after
    };
    [[nodiscard]] bool wanted(Entity e) const noexcept { return !entity_ || *entity_ == e; }
    void read_values(Reader& from);
    void read_places(Reader& from);
    void read_children(Reader& from);
    void read_signals(Reader& from);
    void read_notified(Reader& from);
    void compare(const CopiedClass& cls, Kept kept, const Cell& before, const Cell& after);
    NumberedEntry& add_removed(Entity e, HistoryKind kind, const ComponentType& type);
    NumberedEntry& add(Entity e, HistoryKind kind, const ComponentType& type);
    [[nodiscard]] HistoryValue value(const CopiedClass& cls, const FieldRun& run, const std::byte* from) const {
        return field_value(state_.tracking().strings, cls.type().fields[run.first], run, from);
    }
    [[nodiscard]] HistoryValue fields(const CopiedClass& cls, Kept kept, const Cell& cell) const;

    const StateAccess& state_;
    const std::vector<CopiedClass>& classes_;
    const std::vector<std::string>& names_;
    const HistoryStep* step_ = nullptr;
    std::optional<Entity> entity_{};
    std::optional<std::string_view> system_{};
    std::vector<NumberedEntry>* to_ = nullptr;
    std::size_t first_ = 0;  // of the entries of the present class
    std::vector<Cell> cells_;
    std::vector<NotifiedBits> pairs_;
};

}  // namespace crateful::internal
