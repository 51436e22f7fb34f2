#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "crateful/component.hpp"
#include "crateful/detail/entity_pool.hpp"
#include "crateful/detail/first_error.hpp"
#include "crateful/detail/hierarchy.hpp"
#include "crateful/detail/host.hpp"
#include "crateful/detail/link_index.hpp"
#include "crateful/detail/mark_queue.hpp"
#include "crateful/detail/operation.hpp"
#include "crateful/detail/order.hpp"
#include "crateful/detail/prefab_classes.hpp"
#include "crateful/detail/strings.hpp"
#include "crateful/storage.hpp"
#include "crateful/system.hpp"

namespace crateful::internal {

class StateAccess;

/// A system in a list of a component class.
struct ListedSystem {
    SystemBase* system;        ///< nullptr if it was removed while lists may be in use
    std::uint32_t first_word;  ///< of its signature, so that most systems are ruled out without reading them
    bool has_more;             ///< there are other conditions
    bool itself;               ///< in `watching`: a signal makes the entity of the component dirty
    bool descendants;          ///< in `watching`: and its descendants (rule D13)
    std::uint32_t cause;       ///< in `watching`: the bit of the class (`DirtyCauses`)
};
/// In running order.
using SystemList = std::vector<ListedSystem>;

/// One component class in one ECS: its components, and the systems that it concerns (rule S8).
struct ComponentClass {
    ComponentClass(std::unique_ptr<Storage> components, ComponentId id) : storage(std::move(components)), bit(id) {}
    std::unique_ptr<Storage> storage;
    EntityPool::ClassBit bit;
    SystemList requiring;  ///< the systems that require the class
    SystemList filtering;  ///< that exclude the class, or accept it among others
    SystemList leading;    ///< the requiring systems of whose required classes this is the first
    SystemList watching;
    SystemList reading_parents;  ///< that read it from parents, and watch a class from ancestors
    [[nodiscard]] bool unused() const noexcept {
        return requiring.empty() && watching.empty() && filtering.empty() && reading_parents.empty();
    }
};

/// Which systems track which entities, and which entities are dirty for them (rules S8, S9, D2 to D13, A1 to A3). All calls that
/// change entities or components use it, so that it alone decides this:
///
/// - `may_track` is the condition for tracking;
/// - `start` and `stop` are the only places where a system starts and stops tracking an entity that exists, one at a time;
/// - `start_all` and `stop_all` do the same for many entities where no callback has to be called.
class Tracking final : public MarkDrain, public Operations {
public:
    Tracking() = default;
    ~Tracking() override = default;
    Tracking(const Tracking&) = delete;
    Tracking& operator=(const Tracking&) = delete;

    EntityPool pool;
    Hierarchy hierarchy;
    Host* host = nullptr;
    Strings strings;

    /// How many times the whole state was exchanged, so that what is known of it must be found out again.
    std::uint32_t restorations = 0;

    // --- classes ------------------------------------------------------------------------------

    /// By ComponentId; an entry is nullptr until the class is used.
    [[nodiscard]] const std::vector<std::unique_ptr<ComponentClass>>& classes() const noexcept { return classes_; }
    /// The class, which is created if necessary. Throws `bad_argument` if no class has this id.
    [[nodiscard]] ComponentClass& component_class(ComponentId id) {
        return id < classes_.size() && classes_[id] ? *classes_[id] : make_class(id);
    }
    [[nodiscard]] ComponentClass* find_class(ComponentId id) const noexcept {
        return id < classes_.size() ? classes_[id].get() : nullptr;
    }
    [[nodiscard]] Storage* find_storage(ComponentId id) const noexcept {
        return id < classes_.size() && classes_[id] ? classes_[id]->storage.get() : nullptr;
    }
    void set_host(Host* listener) noexcept;
    /// Linear storages refer to the list of handles, which has moved.
    void handles_moved() noexcept;
    /// Whether a component of the entity has a destructor that may call the ECS (rule T5).
    [[nodiscard]] bool owns_memory(Entity e) const noexcept {
        std::uint32_t found = 0;
        for (std::size_t w = 0; w < owning_.size(); ++w) found |= pool.signature(e)[w] & owning_[w];
        return found != 0;
    }
    /// Whether some classes have such components.
    [[nodiscard]] bool any_owns_memory() const noexcept { return !owning_.empty(); }
    /// The bit of a class in the signature of an entity.
    void set_class(Entity e, const ComponentClass& cls) noexcept { pool.signature(e)[cls.bit.word] |= cls.bit.mask; }
    /// The same for the classes of a signature and many entities: word by word, because most signatures fill one.
    void set_classes(std::span<const Entity> entities, std::span<const std::uint32_t> bits) noexcept {
        for (std::size_t w = 0; w < bits.size(); ++w) {
            if (bits[w] == 0) continue;
            for (const Entity e : entities) pool.signature(e)[w] |= bits[w];
        }
    }
    void reset_class(Entity e, const ComponentClass& cls) noexcept { pool.signature(e)[cls.bit.word] &= ~cls.bit.mask; }

    // --- who tracks what ----------------------------------------------------------------------

    /// Whether the system may track the entity: they exist, and its components are those that the system selects (rule S9).
    [[nodiscard]] bool may_track(const SystemBase& system, Entity e) const noexcept;
    /// Whether no system may start to track the entity, because its removal has begun.
    Entity being_removed = NONE;
    /// Whether this is so for all entities except the world.
    bool clearing = false;

    /// Components of the class were added to living entities or replaced: they signal, and systems start or stop tracking the
    /// entities. `is_new`, or `first`, says which of them had none.
    void added(Entity e, ComponentClass& cls, bool is_new) {
        if (!cls.unused()) added_one(e, cls, is_new);
    }
    void added(std::span<const Entity> entities, ComponentClass& cls, std::span<const Entity> first);
    /// The same for components of several classes of one entity: the systems follow in running order.
    void added(Entity e, std::span<const ComponentId> ids, std::span<const ComponentId> first);
    /// Those of the entities that have no component of the class; none if this makes no difference to a system.
    [[nodiscard]] static std::vector<Entity> without(const ComponentClass& cls, std::span<const Entity> entities);
    /// Determines which systems will track the entities of a prefab, in running order.
    void find_systems(PrefabClasses& prefab);
    /// Whether none of them has a callback to call.
    [[nodiscard]] static bool creates_silently(const PrefabClasses& prefab) noexcept;
    /// Entities were created with the components of a prefab, whose systems start to track them; none has a callback.
    void created(std::span<SystemBase* const> systems, std::span<const Entity> entities);
    /// The same with callbacks, as if the entities had been created one after the other. No callback may change the lists.
    void created_one_by_one(std::span<SystemBase* const> systems, std::span<const Entity> entities);
    /// The same for all components of one entity, if it is alive.
    void created(Entity e, FirstError& error);
    /// Whether the removal of a component of the class calls no callback, and stops only the systems that require it.
    [[nodiscard]] static bool removes_silently(const ComponentClass& cls) noexcept {
        for (const ListedSystem& r : cls.requiring) {
            if (r.system != nullptr && r.system->notifies_remove_ != 0) return false;
        }
        return cls.filtering.empty();
    }
    /// The component of such a class was removed from a living entity. `before` is the first word of its signature before.
    void removed_silently(Entity e, const ComponentClass& cls, std::uint32_t before) {
        if (!cls.watching.empty()) signal_removal(e, cls);  // first, as `removed` does: so the order is the same
        if (!cls.reading_parents.empty()) presence_changed(e, cls);
        for (const ListedSystem& r : cls.requiring) {
            if ((before & r.first_word) == r.first_word && r.system != nullptr) r.system->stop_tracking_(e);
        }
    }
    /// The component of any class was removed from a living entity.
    void removed(Entity e, ComponentClass& cls, FirstError& error);
    /// Whether a callback that the removal of the component causes can read it (rule A2).
    [[nodiscard]] static bool reads_removed(Entity e, const ComponentClass& cls) noexcept;
    /// All entities end to be tracked by the systems of the list, which require the class, because they have no component of it
    /// any more. No callback is called.
    static void stop_all(const SystemList& systems, const ComponentClass& cls,
                         std::span<const Entity> entities) noexcept;
    /// The same for all entities except one.
    void stop_all_except(Entity kept) noexcept;
    /// Ends the calls that were abandoned.
    void abandon() noexcept {
        Operations::abandon();
        being_removed = NONE;
        clearing = false;
        stopping_.clear();
        abandon_postponed();
    }
    /// Ends the tracking of an entity by all systems, in running order.
    void stop(Entity e, FirstError& error);
    /// Whether `stop(e)` calls `on_remove` of a system.
    [[nodiscard]] bool calls_on_remove(Entity e) const;
    /// Whether there can be an `on_remove` to call.
    [[nodiscard]] bool may_call_on_remove() const noexcept;

    // --- removed values that callbacks can still read (rule A2) ---------------------------------

    struct Parked {
        Entity entity;
        ComponentId id;
    };
    /// The removals in progress, the outermost one first. Each has parked its value in the storage.
    std::vector<Parked> parked;
    /// The number, in its storage, of the parked value that `on_remove` can read; -1 if there is none.
    [[nodiscard]] int find_parked(Entity e, ComponentId id) const noexcept;
    /// The number of removals of this component in progress.
    [[nodiscard]] int parked_count(Entity e, ComponentId id) const noexcept;

    // --- systems --------------------------------------------------------------------------------

    /// Prepares the system, and makes room in all lists, so that `connect` cannot throw.
    void prepare(SystemBase& system);
    /// Adds the system to the lists of its classes.
    void connect(SystemBase& system) noexcept;
    /// The running order has changed: sorts the lists when no operation is in progress.
    void order_changed() noexcept;
    /// The system tracks all entities that it may track.
    void start_all(SystemBase& system, FirstError& error);
    /// Systems start and stop tracking the entities for which they could not for lack of memory (rule X4).
    void repeat_missed(FirstError& error);
    [[nodiscard]] bool any_missed() const noexcept { return any_missed_; }
    /// It tracks none any more, and is in no list. It must not be added again. It is destroyed when no operation is in progress.
    void disconnect(std::unique_ptr<SystemBase> owned, FirstError& error);
    /// Incremented when the systems of the lists change.
    [[nodiscard]] std::uint64_t systems_version() const noexcept { return systems_version_; }
    /// Incremented when a system is added or removed that is a part of the state (rule S18).
    [[nodiscard]] std::uint64_t recorded_version() const noexcept { return recorded_version_; }
    /// All added systems, in any order.
    [[nodiscard]] std::span<SystemBase* const> systems() const noexcept { return systems_; }

    // --- signals (rules D2, D3, D13): marking.cpp, ancestors.cpp ----------------------------------

    /// The component signals. The entity must be alive, and have it.
    void signal(Entity e, ComponentId id) {
        drain_marks();
        mark(*classes_[id], e);
    }
    /// The components of these entities signal; no signal may change the list.
    void signal(std::span<const Entity> entities, ComponentId id);
    /// An entity has another parent or none: it and its descendants are dirty.
    void parent_changed(Entity e);
    /// An entity got its component of the class, or lost it: its children are dirty, as with another parent, for the systems that read it.
    void presence_changed(Entity e, const ComponentClass& cls);
    void sort_top_down(DirtySet& dirty) final;

    // --- strings (rule C13): strings.cpp ----------------------------------------------------------

    /// The string with this text. Unless a callback runs, it frees unused ones if that is due; so nothing but what a collection knows
    /// may contain a string that is older than `Strings::SLACK`.
    [[nodiscard]] String string(std::string_view text);
    /// Frees unused strings, if that is due and no callback runs. O(strings + fields that contain one).
    void collect_strings() noexcept {
        if (strings.due() && !in_progress()) free_strings();
    }

    // --- references to entities (rule C15): links.cpp ---------------------------------------------

    /// In place of the number of a field: the only link field of the class.
    static constexpr std::size_t ONLY_LINK = ~std::size_t{0};
    /// The reverse of a link field, by the number of the field. Throws `bad_argument` if the class has no such link field.
    [[nodiscard]] LinkIndex& link_index(ComponentId id, std::size_t field);
    /// The entity is removed next: link fields that refer to it become NONE, and signal. The mark queue must be empty. If it
    /// throws, calling it again continues.
    void unlink(Entity target) {
        if (!links_.empty()) unlink_from(target);
    }
    /// Whether there are link fields.
    [[nodiscard]] bool any_links() const noexcept { return !links_.empty(); }
    /// Whether link fields may refer to the entity. The mark queue must be empty.
    [[nodiscard]] bool is_linked(Entity target);
    /// All entities except `kept` are removed next: the link fields of `kept` become NONE.
    void unlink_all(Entity kept);
    /// Everything but `kept` of `unlink_all` was removed.
    void clear_links() noexcept {
        for (const auto& index : links_) index->clear();
    }

    /// The order of the entities by a field, which exists as long as the ECS (rule Q10): order.cpp.
    [[nodiscard]] Order& order(const SortField& field);

private:
    friend class StateAccess;
    ComponentClass& make_class(ComponentId id);
    void free_strings() noexcept;

    // Whether systems may start to track the entity.
    [[nodiscard]] bool can_be_tracked(Entity e) const noexcept {
        return pool.alive(e) && e != being_removed && (!clearing || e == Entity{0});
    }
    [[nodiscard]] static bool has_required(const SystemBase& system, const std::uint32_t* bits) noexcept;
    [[nodiscard]] static bool selects(const SystemBase& system, const std::uint32_t* bits) noexcept;
    [[nodiscard, gnu::always_inline]] bool may_track(const ListedSystem& r, Entity e) const noexcept {
        return (pool.signature(e)[0] & r.first_word) == r.first_word && r.system != nullptr &&
               (r.has_more ? may_track(*r.system, e) : r.system->is_added_() && can_be_tracked(e));
    }
    void start(SystemBase& system, Entity e, FirstError& error);
    void stop(SystemBase& system, Entity e, FirstError& error);
    // Starts or stops the tracking, according to the components that the entity has now. So callbacks may change anything.
    void update(const ListedSystem& r, Entity e, FirstError& error) {
        if (r.system == nullptr) return;
        if (postpones_) postpone(*r.system, e, error);
        else if (may_track(r, e)) start(*r.system, e, error);
        else stop(*r.system, e, error);
    }
    void postpone(SystemBase& system, Entity e, FirstError& error);
    void start_all(const ListedSystem& r, std::span<const Entity> entities, const ComponentClass& cls);
    // Inserts the system in running order behind the `first` ones, unless it is there.
    static void insert_in_order(std::vector<SystemBase*>& systems, std::size_t first, SystemBase& system);
    void missed(SystemBase& system) noexcept;
    void missed(const ComponentClass& cls) noexcept;
    void abandon_postponed() noexcept {
        for (const Postponed& each : postponed_) missed(*each.system);
        postponed_.clear();
        postpones_ = false;
    }
    void added_one(Entity e, ComponentClass& cls, bool is_new);
    void update_all(Entity e, ComponentClass& cls, std::size_t first, FirstError& error);
    void signal_removal(Entity e, const ComponentClass& cls);

    // They must be alive, and must not be a list of the systems.
    void mark(const ComponentClass& cls, Entity e) {
        cls.storage->changed(e);
        mark_watching(cls, e);
    }
    // Without the lists of the storage.
    void mark_watching(const ComponentClass& cls, Entity e) {
        for (const ListedSystem& w : cls.watching) {
            if (w.system == nullptr) continue;
            if (w.descendants) mark_down(w, e, w.itself);
            else if (w.system->tracks(e)) w.system->dirty_set().mark(e, w.cause);
        }
    }
    void mark(const ListedSystem& w, std::span<const Entity> entities);
    void unlink(LinkIndex& index, Entity source, Entity target);
    void unlink_from(Entity target);
    void mark_down(const ListedSystem& w, Entity e, bool itself);
    void drain_queue() final;

    template <class Visit>
    void each_list(SystemBase& system, Visit&& visit);
    void clean_up() noexcept final;

    std::vector<std::unique_ptr<ComponentClass>> classes_;
    std::vector<std::uint32_t> owning_;                 // as signatures: the classes whose values own memory
    SystemList inheriting_;                             // the systems with `watch_ancestors`
    std::vector<SystemBase*> systems_;                  // all that were added
    std::vector<std::unique_ptr<SystemBase>> removed_;  // systems to destroy
    std::vector<SystemBase*> stopping_;                 // stack of stop(Entity)
    std::vector<Entity> above_;                         // of sort_top_down()
    std::vector<std::unique_ptr<LinkIndex>> links_;     // of all link fields
    std::vector<std::unique_ptr<Order>> orders_;        // all that were asked for
    std::uint64_t systems_version_ = 1;
    std::uint64_t recorded_version_ = 1;
    // While `apply` changes the ECS: what `update` was called for, which happens later (rule N6).
    struct Postponed {
        Entity entity;
        SystemBase* system;
    };
    std::vector<Postponed> postponed_;
    bool postpones_ = false;
    bool any_missed_ = false;
};

}  // namespace crateful::internal
