// Which systems start and stop tracking what, and what is dirty, when the state of an ECS is exchanged (rules N2, N7).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "bytes.hpp"
#include "crateful/detail/first_error.hpp"
#include "state_access.hpp"
#include "systems.hpp"
#include "time_state.hpp"

namespace crateful::internal {

/// A derived class knows the state afterwards, lists what differs, and exchanges it between `stop_tracking` and `start_tracking`.
class StateExchange : protected StateAccess {
public:
    /// `handles` are those of the other state by index, as in the list of an `EntityPool`.
    StateExchange(ECS& of, std::span<const Entity> handles) noexcept : StateAccess(of), handles_later_(handles) {}
    /// Whether the entity is alive before and afterwards.
    [[nodiscard]] bool stays(Entity e) const noexcept { return later(index_of(e)) == e && pool().alive(e); }

protected:
    ~StateExchange() = default;

    /// The entity that has this index afterwards, or NONE.
    [[nodiscard]] Entity later(std::uint32_t index) const noexcept {
        const Entity e = index < handles_later_.size() ? handles_later_[index] : NONE;
        return index_of(e) == index ? e : NONE;
    }
    /// Whether the system tracks it, if it exists.
    [[nodiscard]] virtual bool selects_later(const SystemBase& system, std::uint32_t index) const noexcept = 0;

    [[nodiscard]] EntityPool& pool() const noexcept { return tracking().pool; }
    /// Sets the signature of an entity that is alive.
    void set_signature(Entity e, const std::uint32_t* signature) const noexcept {
        copy_words(reinterpret_cast<std::byte*>(pool().signature(e)), reinterpret_cast<const std::byte*>(signature),
                   pool().words() * sizeof *signature);
    }
    /// A component of an entity that stays signals. `moves`: it is added or removed.
    void add_mark(Entity e, ComponentId id, bool moves) {
        marks_.push_back(std::uint64_t{index_of(e)} << 32 | id << 1 | (moves ? 1 : 0));
    }
    /// Memory for what follows, when everything is listed. Afterwards, `marks_` is sorted. `call` is for messages.
    void reserve_systems(std::span<SystemPlan> plans, std::size_t indices, const char* call);
    void stop_tracking(FirstError& error);
    void exchange_time(const TimeState& time) const;
    /// Reports to listeners that the state is exchanged, and to the host the entities that vanish, which are still alive.
    void report_exchange() const;
    /// In the order of indices: what differs signals, then systems start to track the entity.
    void start_tracking(FirstError& error);

    std::vector<std::uint32_t>
        different_;                     ///< sorted: the indices whose entity is another one, or has other components
    std::vector<SystemBase*> systems_;  ///< those that use entities, in running order

    /// Not std::sort, whose code is several times as long. The lists are mostly sorted.
    static void sort(std::vector<std::uint64_t>& list);

private:
    static std::uint32_t index_of_mark(std::uint64_t mark) noexcept { return static_cast<std::uint32_t>(mark >> 32); }
    void signal(std::uint64_t of, Entity e);

    std::span<const Entity> handles_later_;
    std::vector<std::uint64_t> marks_;  // the index, the id of the class, and whether it moves
};

}  // namespace crateful::internal
