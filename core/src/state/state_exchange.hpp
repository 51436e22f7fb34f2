// Making an ECS equal to another state (rules N2, N7): what a snapshot and a recorded frame share.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "bytes.hpp"
#include "crateful/detail/first_error.hpp"
#include "crateful/detail/state_steps.hpp"
#include "plan.hpp"
#include "state_access.hpp"
#include "storage_change.hpp"

namespace crateful::internal {

/// A derived class reads the state afterwards, and knows how its entities and orders are stored.
class StateExchange : public StateSteps, protected StateAccess {
public:
    /// `call` is for messages.
    StateExchange(ECS& of, const char* call) noexcept : StateAccess(of), hold_(tracking().strings), call_(call) {}
    /// Whether the entity is alive before and afterwards.
    [[nodiscard]] bool stays(Entity e) const noexcept { return later(index_of(e)) == e && pool().alive(e); }

    [[nodiscard]] HostEvents& host_events() noexcept final { return plan_.events.host; }
    [[nodiscard]] std::vector<Class> classes() final { return plan_.steps(); }
    /// Throws `bad_argument` if an iteration over what changes is in progress, and `std::bad_alloc`.
    void prepare() final;
    void exchange() override;
    void finish() final;

private:
    const Strings::Hold hold_;  // outlives the plan

protected:
    // --- what a derived class does ---

    /// Lists what differs: with `compare_entity` for each index that may differ, in their order, and as `changes_` and marks.
    virtual void compare() = 0;
    /// Allocates what the following functions need.
    virtual void reserve() = 0;
    /// Whether the system tracks the entity with this index, if it exists.
    [[nodiscard]] virtual bool selects_later(const SystemBase& system, std::uint32_t index) const noexcept = 0;
    /// Exchanges the handles of the pool and the signatures.
    virtual void exchange_entities() = 0;
    /// Exchanges the order of components, which are those of the plan.
    virtual void exchange_order(StorageChange&) {}
    virtual void exchange_hierarchy() = 0;
    /// Exchanges the order of what systems track, which is right except for that.
    virtual void exchange_tracked() {}

    // --- what they share ---

    /// The entity that has this index afterwards, or NONE.
    [[nodiscard]] Entity later(std::uint32_t index) const noexcept {
        const Entity e = index < plan_.handles.size() ? plan_.handles[index] : NONE;
        return index_of(e) == index ? e : NONE;
    }
    /// Lists the index if its entity is another one afterwards, or has other components. `signature` is the one afterwards; it gets the
    /// flags that the entity keeps, and the components that are left out. Components that are removed signal; added ones do so with their values.
    void compare_entity(std::uint32_t index, std::uint32_t* signature);
    /// The value of component number `i` of the plan, in a slot or ABSENT, is compared, and listed if it differs.
    void compare_value(StorageChange& change, std::uint32_t i, std::uint32_t slot);
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
    [[nodiscard]] const char* call() const noexcept { return call_; }

    Plan plan_;
    std::vector<StorageChange> changes_;
    std::vector<SystemBase*> systems_;  ///< those that use entities, in running order

private:
    static std::uint32_t index_of_mark(std::uint64_t mark) noexcept { return static_cast<std::uint32_t>(mark >> 32); }
    [[nodiscard]] ComponentClass& class_of_mark(std::uint64_t mark) const noexcept {
        return *tracking().find_class(static_cast<std::uint32_t>(mark) >> 1);
    }
    void compare_left_out(ComponentClass& cls);
    void find_unlinked(const ComponentClass& cls);
    void unlink() const noexcept;
    void reserve_all();
    void reserve_systems();
    void stop_tracking();
    void exchange_time() const;
    void report_exchange() const;
    void exchange_pending();
    void start_tracking();
    void signal(std::uint64_t of, Entity e);

    const char* call_;
    FirstError error_;
    std::vector<std::uint32_t> different_;  // sorted: the indices whose entity is another one, or has other components
    /// A link of a class that is left out, whose target vanishes.
    struct Unlinked {
        LinkIndex* index;
        Entity source;
        Entity target;
    };
    std::vector<Unlinked> unlinked_;
    std::vector<std::uint64_t> marks_;  // the index, the id of the class, and whether it moves
};

/// Bytes that a plan can refer to: a copy if they are not aligned, or in a component.
[[nodiscard]] std::span<const std::byte> usable_bytes(const StateAccess& state, std::span<const std::byte> bytes,
                                                      std::vector<std::byte>& copy);
/// Throws `bad_argument` if there are components of classes that only another language can decode.
void require_no_objects(StateSteps& steps, const char* call);

}  // namespace crateful::internal
