// A copy of the components of an ECS, which finds out what changed (rules N7, D14).
#pragma once
#include <algorithm>
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
#include "state_access.hpp"

namespace crateful::internal {

/// What a copy contains of the values of a class.
enum class Kept : std::uint32_t {
    nothing,  ///< only which entities have components
    fields,   ///< the described ones
    encoded,  ///< what the class encodes: a byte that says what follows, and bytes
};

/// The components of one class.
struct CopiedClass {
    ComponentClass* cls;
    Kept kept;
    std::vector<FieldRun> runs{};                  ///< with `Kept::fields`
    std::vector<std::vector<std::byte>> values{};  ///< by run, or by slot if they are encoded
    Places places;
    ChangeList::Time read = 0;               ///< when the list of changes was read last; 0 if all are to be read
    ChangeList::Time signals = 0;            ///< when it was read last
    std::optional<std::uint32_t> version{};  ///< of the storage, when the places were made equal
    std::size_t room = 0;                    ///< how many slots have memory

    [[nodiscard]] Storage& storage() const noexcept { return *cls->storage; }
    [[nodiscard]] const ComponentType& type() const noexcept { return storage().type(); }
    [[nodiscard]] bool opaque() const noexcept { return kept == Kept::encoded; }
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

/// Which entities have components, their values, and the hierarchy. `sync` finds out what has changed since, at the cost of the changes.
class ComponentCopy : Strings::User {
public:
    /// What stands for a component that stays at its place, in a record.
    enum class Name : std::uint8_t { slot, entity };

    /// `without` are the names of classes that are no part of it.
    ComponentCopy(ECS& of, std::span<const std::string> without, RecordingHost* host, Name name);
    ComponentCopy(const ComponentCopy&) = delete;
    ComponentCopy& operator=(const ComponentCopy&) = delete;

    /// The names of classes that are no part of it, also of events.
    [[nodiscard]] std::span<const std::string> without() const noexcept { return without_; }
    /// The component classes of these.
    [[nodiscard]] const std::vector<ComponentClass*>& left_out() const noexcept { return left_out_; }
    [[nodiscard]] std::vector<CopiedClass>& classes() noexcept { return classes_; }
    [[nodiscard]] Hierarchy& hierarchy() noexcept { return hierarchy_; }
    /// See `Recording::unrecorded`.
    [[nodiscard]] std::vector<Unrecorded> unrecorded(std::size_t most);
    /// Bytes allocated.
    [[nodiscard]] std::size_t bytes() const noexcept;

    /// When the lists of changes were read last, by class: to read them from there once more, if the ECS was not made equal to the copy.
    [[nodiscard]] std::vector<ChangeList::Time> times() const;
    void set_times(std::span<const ChangeList::Time> times) noexcept;

protected:
    ~ComponentCopy() override = default;

    /// Calls `choose(ComponentClass&)` for each class that is used since the last call, and takes it with the `Kept` that it returns.
    template <class Choose>
    void add_classes(Choose&& choose);
    /// What the values of a class can be kept as, `nothing` if only their class knows them.
    [[nodiscard]] Kept best(const ComponentClass& cls) const noexcept;
    /// Changes what is kept of a class, from the present values on.
    void keep(CopiedClass& cls, Kept kept);
    /// Makes it a copy of nothing, also after a failure of `sync`.
    void forget();
    /// Makes the copy of a class equal to the ECS, and appends what differed to a record. The mark queue must be empty.
    void sync(std::size_t number, Record& record);
    /// Frees memory of `sync` for many changes, before it is used for few.
    void free_found() noexcept;
    /// With `Name::entity`, of the last class: the entities whose component stayed at its place, and signalled.
    [[nodiscard]] std::span<const Entity> stayed() const noexcept { return names_; }
    /// Of the last class: the indices of entities that got, lost, or were moved with their component.
    [[nodiscard]] std::span<const std::uint32_t> moved() const noexcept { return moved_; }
    /// With `Name::entity`, for a place with another entity: whether its component, which was elsewhere, has kept its values; `values` are
    /// these then.
    [[nodiscard]] virtual bool keeps_values(CopiedClass& /*cls*/, std::uint32_t /*place*/, Entity /*before*/,
                                            Entity /*after*/, std::vector<std::byte>& /*values*/) {
        return false;
    }
    /// The value of a component that only its class can read.
    [[nodiscard]] virtual std::vector<std::byte> encoded(const CopiedClass& cls, std::uint32_t slot) const;
    /// Of each of `stayed`, whether a value differed: 0 or 1.
    [[nodiscard]] const std::vector<std::uint8_t>& differed() const noexcept { return differed_; }
    /// Of the last class: whether one of its components was added or replaced, or signalled.
    [[nodiscard]] bool signaled(const CopiedClass& cls, Entity e) const noexcept {
        return cls.storage().changes()->signaled_since(index_of(e), signals_since_);
    }
    /// Of the last class: whether `is_new` is certain.
    [[nodiscard]] bool knows_new() const noexcept { return !reads_all_; }
    /// Of one of the last class: whether it got its component, or can have got it.
    [[nodiscard]] bool is_new(const CopiedClass& cls, Entity e) const noexcept {
        return cls.storage().has(e) &&
               (reads_all_ || cls.storage().changes()->added_since(index_of(e), signals_since_));
    }
    /// Of the last class: whether there are such entities, or signals.
    [[nodiscard]] bool any() const noexcept { return !batch_.empty(); }

    void roll_values(Reader& from, Side side, std::vector<std::uint32_t>& slots, CopiedClass& cls);
    void roll_places(Reader& from, Side side, std::vector<std::uint32_t>& places, CopiedClass& cls);
    void roll_children(Reader& from, Side side, std::vector<std::uint32_t>& indices);

    StateAccess state_;
    RecordingHost* host_;

private:
    void mark_strings(Strings& all) noexcept final;
    void find_batch(CopiedClass& cls);
    /// Whether the component of the entity with this index, which is in the batch, can have other values: in a history, only what signals.
    [[nodiscard]] bool is_compared(const CopiedClass& cls, std::uint32_t index) const noexcept {
        return name_ == Name::slot || reads_all_ || cls.storage().changes()->signaled_since(index, signals_since_);
    }
    void find_slots(const CopiedClass& cls);
    void find_places(const CopiedClass& cls, ChangeList::Time since);
    void make_room(CopiedClass& cls);
    void note_places(CopiedClass& cls, std::uint32_t number, Record& record);
    void note_value(CopiedClass& cls, std::uint32_t place, Entity before, Entity after, Record& record);
    void note_opaque_values(CopiedClass& cls, std::uint32_t number, Record& record);
    void note_values(CopiedClass& cls, std::uint32_t number, std::size_t run, Record& record);
    void note_children(Record& record);

    Name name_;
    std::vector<ComponentClass*> left_out_;
    std::vector<std::string> without_;
    std::vector<CopiedClass> classes_;
    Hierarchy hierarchy_;
    // What one call of `sync` finds.
    std::vector<std::uint32_t> batch_;  // indices of entities that are in the list of changes
    std::vector<std::uint32_t> slots_;
    std::vector<Entity> names_;  // the entities in these slots
    std::vector<std::uint32_t> places_;
    std::vector<std::uint32_t> moved_;
    std::vector<std::uint8_t> differed_;  // of each of these, whether a value differed: 0 or 1
    ChangeList::Time signals_since_ = 0;
    bool reads_all_ = false;
    std::vector<const Placement*> waiting_;
    std::size_t checked_ = 0;  // where `unrecorded` continues
};

template <class Choose>
void ComponentCopy::add_classes(Choose&& choose) {
    const auto& all = state_.tracking().classes();
    std::size_t used = 0;
    for (const auto& cls : all) used += cls ? std::size_t{1} : 0;
    if (used == classes_.size() + left_out_.size()) return;
    for (const auto& cls : all) {
        const auto is = [&](const CopiedClass& copied) { return copied.cls == cls.get(); };
        if (!cls || std::any_of(classes_.begin(), classes_.end(), is)) continue;
        if (std::find(without_.begin(), without_.end(), cls->storage->type().name) != without_.end()) {
            if (std::find(left_out_.begin(), left_out_.end(), cls.get()) == left_out_.end())
                left_out_.push_back(cls.get());
            continue;
        }
        const Kept kept = choose(*cls);  // can throw
        const bool is_linear = cls->storage->policy() == Policy::linear;
        keep(classes_.emplace_back(CopiedClass{.cls = cls.get(), .kept = Kept::nothing, .places = Places(is_linear)}),
             kept);
    }
}

}  // namespace crateful::internal
