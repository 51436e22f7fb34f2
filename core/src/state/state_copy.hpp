// A copy of the state of an ECS, which goes back and forth by what changed (rule N7).
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "component_copy.hpp"
#include "state_texts.hpp"

namespace crateful::internal {

/// The list of a set, as `Places::update` reads it.
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
class StateCopy final : public ComponentCopy {
public:
    /// The texts, by number.
    enum Text : std::size_t {
        TIME,
        PENDING,
        EVENTS,
        SYSTEM
    };  // SYSTEM + k: of system number k; empty if it does not exist

    /// `without` are the names of classes that are no part of it.
    StateCopy(ECS& of, std::span<const std::string> without, RecordingHost* host)
        : ComponentCopy(of, without, host, Name::slot), texts_(SYSTEM) {}

    ~StateCopy() override = default;

    /// Makes the copy equal to the ECS, and appends what differed to `record`. It will not be rolled to a frame before `oldest`. Throws
    /// `bad_argument` if a class has components that cannot be recorded, or an event that waits has no name. If it throws, the copy must
    /// not be used any more.
    void sync(Record& record, double oldest);
    /// The same for a new copy, without a record.
    void begin();
    /// Makes the copy what it was before, or after, a record.
    void roll(std::span<const std::byte> record, Side side, Touched& touched);

    /// The systems that exist, and those that existed in a frame to which it can be rolled, by number.
    [[nodiscard]] std::vector<CopiedSystem>& systems() noexcept { return systems_; }
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

    /// See `ComponentCopy::set_times`.
    void set_times(std::span<const ChangeList::Time> times) noexcept {
        ComponentCopy::set_times(times);
        destroyed_.reset();
    }

private:
    void sync(Record& record, double oldest, bool keeps);
    void find_systems(double oldest);
    void note_handles();
    void note_class(std::size_t number, Record& record);
    void note_tracked(std::size_t number);
    void note_texts(const HostEvents& events);
    void note_text(std::size_t number);

    void roll_handles(Reader& from, Side side, Touched& touched);
    void roll_tracked(Reader& from, Side side, Touched& touched);
    void roll_text(Reader& from, Side side, Touched& touched);

    std::vector<CopiedSystem> systems_;
    std::uint64_t systems_version_ = 0;  // of the ECS, when they were found
    EntityPool::Totals totals_{0, 0, 0, 0};
    std::optional<std::uint32_t> destroyed_{};  // the pool's counter, when the handles were made equal
    std::vector<Entity> handles_;
    std::vector<std::vector<std::byte>> texts_;
    // What one call of `sync` writes and finds.
    std::vector<std::byte>* record_ = nullptr;
    std::vector<std::uint32_t> places_;
    std::vector<std::vector<std::uint32_t>> selected_anew_;  // by system: the same
    std::vector<std::byte> now_;
};

}  // namespace crateful::internal
