// A copy of the state of an ECS, which goes back and forth by what changed (rule N7).
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crateful/detail/recording.hpp"
#include "frame_record.hpp"
#include "places.hpp"
#include "sibling_moves.hpp"
#include "state_texts.hpp"

namespace crateful::internal {

/// The components of one class.
struct CopiedClass {
    explicit CopiedClass(ComponentClass& of);
    ComponentClass* cls;
    std::vector<FieldRun> runs;  ///< none if only the class can read its values
    std::vector<std::vector<std::byte>>
        values;  ///< by run, or of such a class by slot: a byte that says what follows, and the value
    Places places{};
    std::vector<std::size_t> systems{};  ///< the numbers of those that select by the class
    ChangeList::Time read = 0;
    std::optional<std::uint32_t> version{};  ///< of the storage, when the places were made equal
    std::size_t room = 0;                    ///< how many slots have memory

    [[nodiscard]] Storage& storage() const noexcept { return *cls->storage; }
    [[nodiscard]] const ComponentType& type() const noexcept { return storage().type(); }
    [[nodiscard]] bool opaque() const noexcept { return is_opaque(type()); }
    [[nodiscard]] std::byte* value(std::size_t run, std::uint32_t slot) noexcept {
        return values[run].data() + slot * runs[run].bytes();
    }
    /// Where the ECS has the value of a slot.
    [[nodiscard]] std::byte* present_value(std::size_t run, std::uint32_t slot) const noexcept {
        const std::size_t first = runs[run].first;
        return storage().control().columns[first] + slot * storage().stride(first);
    }
};
/// The list of a storage or of a set, as `Places::update` reads it.
struct StoredPlaces {
    const Storage& s;
    [[nodiscard]] Entity at(std::uint32_t place) const noexcept {
        return place < s.extent() && s.filled(place) ? s.entities()[place] : NONE;
    }
};
struct TrackedPlaces {
    const SparseSet& set;
    [[nodiscard]] Entity at(std::uint32_t place) const noexcept { return place < set.size() ? set[place] : NONE; }
};

/// What can differ between an ECS and a copy. All numbers can be listed several times.
struct Touched {
    struct Class {
        std::vector<std::uint32_t> values;  ///< slots
        std::vector<std::uint32_t> places;  ///< slots with another entity
    };
    std::vector<Class> classes{};                       ///< as those of the copy
    std::vector<std::vector<std::uint32_t>> tracked{};  ///< by system: places
    std::vector<std::uint32_t> handles{};               ///< indices of entities
    std::vector<std::uint32_t> children{};              ///< indices of entities
    std::vector<bool> texts{};
};

/// The state of an ECS after one of its frames. `sync` finds out what has changed since, at the cost of the changes, and `roll` goes
/// back and forth by what `sync` has written. Which entities have components, their values, and what systems track are kept as in
/// the ECS; everything else as texts, which are compared as a whole.
class StateCopy {
public:
    /// The texts, by number.
    enum Text : std::size_t { TIME, PENDING, SYSTEMS, EVENTS, DIRTY };  // DIRTY + k: the dirty set of system k

    /// `without` are the names of classes that are no part of it.
    StateCopy(ECS& of, std::span<const std::string> without, RecordingHost* host);

    /// Makes the copy equal to the ECS, and appends what differed to `record`; `strings` are those that it contains. Throws
    /// `bad_argument` if a class has components that cannot be recorded, or an event that waits has no name. If it throws, the copy must
    /// not be used any more.
    void sync(std::vector<std::byte>& record, std::vector<String>& strings);
    /// See `Recording::unrecorded`.
    [[nodiscard]] std::vector<Unrecorded> unrecorded() const;
    /// Makes the copy what it was before, or after, a record.
    void roll(std::span<const std::byte> record, Side side, Touched& touched);

    /// The names of classes that are no part of it, also of events.
    [[nodiscard]] std::span<const std::string> without() const noexcept { return without_; }
    /// The component classes of these.
    [[nodiscard]] const std::vector<ComponentClass*>& left_out() const noexcept { return left_out_; }
    [[nodiscard]] std::vector<CopiedClass>& classes() noexcept { return classes_; }
    [[nodiscard]] std::vector<CopiedSystem>& systems() noexcept { return systems_; }
    [[nodiscard]] Hierarchy& hierarchy() noexcept { return hierarchy_; }
    [[nodiscard]] const EntityPool::Totals& totals() const noexcept { return totals_; }
    /// The list of handles.
    [[nodiscard]] std::span<const Entity> handles() const noexcept { return std::span(handles_).first(totals_.slots); }
    /// Its entry of an index.
    [[nodiscard]] Entity handle(std::uint32_t index) const noexcept {
        return index < totals_.slots ? handles_[index] : NONE;
    }
    [[nodiscard]] bool alive(Entity e) const noexcept { return e != NONE && handle(index_of(e)) == e; }
    [[nodiscard]] std::span<const std::byte> text(std::size_t number) const noexcept { return texts_[number]; }
    /// Bytes allocated.
    [[nodiscard]] std::size_t bytes() const noexcept;

    /// When the lists of changes were read last, by class: to read them from there once more, if the ECS was not made equal to the copy.
    [[nodiscard]] std::vector<ChangeList::Time> times() const;
    void set_times(std::span<const ChangeList::Time> times) noexcept;

private:
    void add_classes();
    void note_handles();
    void note_class(std::size_t number);
    void find_slots(const Storage& s);
    void find_places(const CopiedClass& cls, ChangeList::Time since);
    void note_places(std::size_t number);
    void note_values(std::size_t number, std::size_t run);
    void note_children(std::span<const std::uint32_t> indices);
    void note_tracked(std::size_t number);
    void note_texts(const HostEvents& events);
    void note_text(std::size_t number);
    void keep_string(const FieldRun& run, const std::byte* value);
    void note_opaque_values(CopiedClass& cls, std::uint32_t number);
    void note_value(CopiedClass& cls, std::uint32_t place, Entity before, Entity after);
    [[nodiscard]] std::vector<std::byte> encoded(const CopiedClass& cls, std::uint32_t slot) const;

    void roll_values(RecordReader& from, Side side, Touched& touched);
    void roll_places(RecordReader& from, Side side, Touched& touched);
    void roll_handles(RecordReader& from, Side side, Touched& touched);
    void roll_tracked(RecordReader& from, Side side, Touched& touched);
    void roll_children(RecordReader& from, Side side, Touched& touched);
    void roll_text(RecordReader& from, Side side, Touched& touched);

    StateAccess state_;
    RecordingHost* host_;
    std::vector<ComponentClass*> left_out_;
    std::vector<std::string> without_;
    std::vector<CopiedClass> classes_;
    std::vector<CopiedSystem> systems_;
    EntityPool::Totals totals_{0, 0, 0, 0};
    std::optional<std::uint32_t> destroyed_{};  // the pool's counter, when the handles were made equal
    std::vector<Entity> handles_;
    Hierarchy hierarchy_;
    std::vector<std::vector<std::byte>> texts_;
    // What one call of `sync` writes and finds.
    std::vector<std::byte>* record_ = nullptr;
    std::vector<String>* strings_ = nullptr;
    std::vector<std::uint32_t> batch_;
    std::vector<std::uint32_t> slots_;
    std::vector<std::uint32_t> places_;
    std::vector<std::uint32_t> moved_;                       // indices of entities that got or lost a component
    std::vector<std::vector<std::uint32_t>> selected_anew_;  // by system: the same
    std::vector<std::byte> now_;
    std::vector<const Placement*> waiting_;
};

}  // namespace crateful::internal
