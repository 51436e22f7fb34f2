// Making an ECS equal to a snapshot (rule N2).
#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "crateful/detail/message.hpp"
#include "crateful/detail/state_steps.hpp"
#include "format.hpp"
#include "state_exchange.hpp"
#include "storage_change.hpp"

namespace crateful {
namespace internal {

/// First `prepare`, which can fail and changes nothing that can be seen; then `apply`.
class Restoration final : StateExchange {
public:
    Restoration(ECS& of, Plan& plan) : StateExchange(of, plan.handles), plan_(plan) {}

    void prepare() {
        tracking().drain_marks();  // marks contain slots
        for (const ClassPlan& cls : plan_.classes) {
            ComponentClass& used = tracking().component_class(cls.type->id);
            pool().widen(used.storage->type().id);
        }
        find_kept();
        same_structure_ = has_same_structure();
        if (!same_structure_) make_signatures();
        for (const auto& cls : tracking().classes()) {
            if (!cls) continue;
            if (!kept(*cls)) compare(*cls);
            else if (!same_structure_) compare_kept(*cls);
        }
        if (!same_structure_) find_different();
        reserve();
    }

    void exchange(FirstError& error) {
        stop_tracking(error);
        error.guard([&] { tracking().drain_marks(); });  // those of callbacks contain slots
        for (StorageChange& change : changes_) {
            change.begin();
            for (const Entity e : change.erased) erase(change.storage(), e);
        }
        exchange_entities();
        for (StorageChange& change : changes_) {
            change.add();
            change.exchange();
        }
        exchange_hierarchy();
        exchange_time(plan_.time);
        plan_.events.apply(*this);
        for (SystemPlan& system : plan_.systems.systems) SystemChange(system).exchange();
        ++tracking().restorations;
    }

    void finish(FirstError& error) {
        start_tracking(error);
        for (SystemPlan& system : plan_.systems.systems) SystemChange(system).finish();
    }

private:
    static constexpr std::uint32_t BLOCK = 64;  // components that are compared at once
    [[nodiscard]] std::uint32_t* signature(std::size_t index) noexcept { return &signatures_[index * pool().words()]; }
    [[nodiscard]] const std::uint32_t* signature(std::size_t index) const noexcept {
        return &signatures_[index * pool().words()];
    }
    [[nodiscard]] bool selects_later(const SystemBase& system, std::uint32_t i) const noexcept override {
        return same_structure_ ? system.tracks(plan_.handles[i]) : selects(system, signature(i));
    }
    // Whether the components of the class are no part of the snapshot.
    [[nodiscard]] bool kept(const ComponentClass& cls) const noexcept {
        return std::find(kept_.begin(), kept_.end(), &cls) != kept_.end();
    }
    [[nodiscard]] std::size_t indices() const noexcept {
        return std::max<std::size_t>(plan_.handles.size(), pool().control().slots);
    }

    // Whether the same entities exist, and each has components of the same classes.
    [[nodiscard]] bool has_same_structure() const {
        if (!plan_.same_handles) return false;
        const auto pending = pending_removals();
        if (!std::equal(pending.begin(), pending.end(), plan_.pending.begin(), plan_.pending.end())) return false;
        std::size_t components = 0;
        for (const ClassPlan& cls : plan_.classes) {
            if (!cls.same_entities) return false;
            components += cls.entities.size();
        }
        for (const auto& cls : tracking().classes()) {
            if (cls && !kept(*cls)) components -= cls->storage->count();
        }
        return components == 0;
    }

    // --- comparing ----------------------------------------------------------------------------

    void find_kept() {
        for (const ComponentType* type : plan_.without) {
            if (ComponentClass* cls = tracking().find_class(type->id)) kept_.push_back(cls);
        }
    }

    void make_signatures() {
        signatures_.assign(indices() * pool().words(), 0);
        for (const ClassPlan& cls : plan_.classes) {
            const EntityPool::ClassBit bit(cls.type->id);
            for (const Entity e : cls.entities) signature(index_of(e))[bit.word] |= bit.mask;
        }
        for (const ComponentClass* cls : kept_) {
            cls->storage->each([&](Entity e) {
                if (stays(e)) signature(index_of(e))[cls->bit.word] |= cls->bit.mask;
            });
        }
        for (const Entity e : plan_.pending) signature(index_of(e))[0] |= EntityPool::REMOVAL_PENDING;
        pool().each([&](Entity e) {
            if (stays(e)) signature(index_of(e))[0] |= *pool().signature(e) & EntityPool::NOTIFIES_REMOVAL;
        });
    }

    void compare(ComponentClass& cls) {
        const Storage& s = *cls.storage;
        const ClassPlan* plan = nullptr;
        for (const ClassPlan& each : plan_.classes) plan = each.type == &s.type() ? &each : plan;
        if (plan == nullptr && s.count() == 0) return;
        StorageChange change{&cls, plan, {}, {}, {}, {}};
        const auto in_plan = [&](Entity e) {
            return plan != nullptr && plan_.alive(e) && (signature(index_of(e))[cls.bit.word] & cls.bit.mask) != 0;
        };
        const bool same_list = plan != nullptr && plan->same_entities;
        if (!same_list) {
            s.each([&](Entity e) {
                if (!in_plan(e)) change.erased.push_back(e);
            });
        }
        if (plan != nullptr) compare_values(change, s, same_list);
        change.reordered = !same_list && !change.all && s.policy() == Policy::sparse && plan != nullptr;
        if (change.erased.empty() && change.written.empty() && !change.all && !change.reordered) return;
        change.require_possible("restore");
        changes_.push_back(std::move(change));
    }

    // Of a class that is no part of the snapshot, only the components of entities that vanish are removed.
    void compare_kept(ComponentClass& cls) {
        StorageChange change{&cls, nullptr, {}, {}, {}, {}};
        change.kept = true;
        cls.storage->each([&](Entity e) {
            if (!stays(e)) change.erased.push_back(e);
        });
        if (change.erased.empty()) return;
        change.require_possible("restore");
        changes_.push_back(std::move(change));
    }

    void compare_values(StorageChange& change, const Storage& s, bool same_list) {
        const ClassPlan& plan = *change.plan;
        const auto n = static_cast<std::uint32_t>(plan.entities.size());
        if (s.count() == 0) return n == 0 ? void() : add_all(change);
        const auto compare_one = [&](std::uint32_t i, std::uint32_t slot) {
            const Entity e = plan.entities[i];
            if (slot == Storage::ABSENT) change.added.push_back(e);
            else if (equal_value(plan, s, slot, i)) return;
            change.written.push_back(i);
            if (stays(e)) add_mark(e, change.cls->storage->type().id, slot == Storage::ABSENT);
        };
        if (!same_list) {
            for (std::uint32_t i = 0; i < n; ++i) compare_one(i, s.slot(plan.entities[i]));
            return;
        }
        s.each_range([&](std::size_t first, std::uint32_t slot, std::size_t count) {
            if (equal_values(plan, s, first, slot, count)) return;
            for (std::uint32_t k = 0; k < count; k += BLOCK) {
                const auto i = static_cast<std::uint32_t>(first) + k;
                const std::uint32_t block = std::min(static_cast<std::uint32_t>(count) - k, BLOCK);
                if (equal_values(plan, s, i, slot + k, block)) continue;
                for (std::uint32_t j = 0; j < block; ++j) compare_one(i + j, slot + k + j);
            }
        });
    }
    void add_all(StorageChange& change) {
        change.added.assign(change.plan->entities.begin(), change.plan->entities.end());
        change.all = true;
        const EntityPool::ClassBit bit = change.cls->bit;
        pool().each([&](Entity e) {
            if (stays(e) && (signature(index_of(e))[bit.word] & bit.mask) != 0)
                add_mark(e, change.cls->storage->type().id, true);
        });
    }
    // The indices whose entity is another one, or has other components.
    void find_different() {
        constexpr std::uint32_t FLAGS = (1u << EntityPool::FLAG_BITS) - 1;
        const std::span<const Entity> before = pool().handles();
        different_.reserve(indices());
        for (std::uint32_t i = 0; i < indices(); ++i) {
            const Entity e = i < before.size() ? before[i] : NONE;
            const Entity now = i < plan_.handles.size() ? plan_.handles[i] : NONE;
            if (e != now) {
                if (index_of(e) == i || index_of(now) == i) different_.push_back(i);
                continue;
            }
            if (index_of(e) != i) continue;
            bool differs = false;
            for (std::size_t w = 0; w < pool().words(); ++w) {
                std::uint32_t bits = pool().signature(e)[w] ^ signature(i)[w];
                if (w == 0) bits &= ~FLAGS;
                differs = differs || bits != 0;
                for (; bits != 0; bits &= bits - 1) {
                    ComponentClass* cls = tracking().find_class(EntityPool::class_at(w, bits));
                    const bool is_removed = (pool().signature(e)[cls->bit.word] & cls->bit.mask) != 0;
                    if (is_removed) add_mark(e, cls->storage->type().id, true);
                }
            }
            if (differs) different_.push_back(i);
        }
    }

    void reserve() {
        reserve_systems(plan_.systems.systems, plan_.handles.size(), "restore");
        reserve_slow_motion(plan_.time.slow_motion);
        for (StorageChange& change : changes_) change.reserve();
        const Entity* const before = pool().handles().data();
        pool().reserve_indices(plan_.handles.size());
        if (pool().handles().data() != before) tracking().handles_moved();
        if (!plan_.siblings.empty()) tracking().hierarchy.reserve(plan_.handles.size(), plan_.siblings.size() * 2);
        pending().reserve(plan_.pending.size());
        if (plan_.siblings.empty()) return;
        parent_of_.assign(plan_.handles.size(), NONE);
        for (const ClassPlan& cls : plan_.classes) {
            if (cls.type->id != PARENT_ID) continue;
            for (std::size_t i = 0; i < cls.entities.size(); ++i)
                parent_of_[index_of(cls.entities[i])] = plan_.parents[i];
        }
    }

    // --- exchanging ---------------------------------------------------------------------------

    void exchange_entities() {
        report_exchange();
        if (same_structure_) return;
        pool().assign(plan_.handles, plan_.first_free);
        pool().each([&](Entity e) { set_signature(e, signature(index_of(e))); });
        pending().assign(plan_.pending.begin(), plan_.pending.end());
        reset_removal();
    }

    void exchange_hierarchy() {
        Hierarchy& hierarchy = tracking().hierarchy;
        if (same_hierarchy()) return;
        for (SystemBase* system : systems_) system->dirty_set().forget_reached();  // by node
        hierarchy.clear();
        for (const Entity child : plan_.siblings) {
            const Hierarchy::Index above = hierarchy.make(parent_of_[index_of(child)]);
            hierarchy.attach(hierarchy.make(child), above, Hierarchy::NO_NODE);
            tracking().find_storage(PARENT_ID)->moved(child);  // also if only the order of siblings differs
        }
    }
    // Whether the children of each parent are those of the plan, in this order, and there are no nodes of other entities.
    [[nodiscard]] bool same_hierarchy() const noexcept {
        const Hierarchy& hierarchy = tracking().hierarchy;
        if (hierarchy.empty() || plan_.siblings.empty()) return hierarchy.empty() && plan_.siblings.empty();
        std::size_t k = 0;
        std::size_t nodes = 0;  // the others are those of entities that vanish
        bool same = true;
        pool().each([&](Entity e) {
            const Hierarchy::Index node = hierarchy.find(e);
            if (node == Hierarchy::NO_NODE) return;
            ++nodes;
            same = same && hierarchy[node].entity == e;
            for (Hierarchy::Index at = hierarchy[node].first; same && at != Hierarchy::NO_NODE;
                 at = hierarchy[at].next) {
                const Entity child = hierarchy[at].entity;
                same = k < plan_.siblings.size() && plan_.siblings[k] == child && parent_of_[index_of(child)] == e;
                ++k;
            }
        });
        return same && nodes == hierarchy.count() && k == plan_.siblings.size();
    }

    Plan& plan_;
    std::vector<const ComponentClass*> kept_;
    std::vector<std::uint32_t> signatures_;  // by index: those of the snapshot
    std::vector<StorageChange> changes_;
    bool same_structure_ = false;
    std::vector<Entity> parent_of_;  // by index
};

StateLock::StateLock(ECS& ecs) : operations_(StateAccess(ecs).tracking()), operation_(operations_) {
    operations_.lock(true);
}

void require_idle(const ECS& ecs, const char* call) { StateAccess(const_cast<ECS&>(ecs)).require_idle(call); }

namespace {

class RestoreSteps final : public StateSteps {
public:
    RestoreSteps(ECS& ecs, std::span<const std::byte> bytes, const RestoreOptions& options, bool host)
        : hold_(StateAccess(ecs).tracking().strings),
          plan_(read_plan(StateAccess(ecs), bytes, options, host)),
          restoration_(ecs, plan_) {}
    [[nodiscard]] HostEvents& host_events() noexcept override { return plan_.events.host; }
    [[nodiscard]] std::vector<Class> classes() override { return classes_of(plan_.classes); }
    void prepare() override { restoration_.prepare(); }
    void exchange() override { restoration_.exchange(error_); }
    void finish() override {
        restoration_.finish(error_);
        error_.rethrow();
    }

private:
    Strings::Hold hold_;
    Plan plan_;
    Restoration restoration_;
    FirstError error_;
};

}  // namespace

std::unique_ptr<StateSteps> restore_steps(ECS& ecs, std::span<const std::byte> bytes, const RestoreOptions& options,
                                          bool host) {
    return std::make_unique<RestoreSteps>(ecs, bytes, options, host);
}

void restore_with(ECS& ecs, std::span<const std::byte> bytes, const RestoreOptions& options,
                  const std::function<void(HostEvents&)>& accept) {
    const StateAccess state(ecs);
    state.require_idle("restore");
    std::vector<std::byte> copy;
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % ALIGNMENT != 0 || state.contains(bytes.data())) {
        copy.assign(bytes.begin(), bytes.end());
        bytes = copy;
    }
    std::unique_ptr<StateSteps> steps;  // outlives the lock, so that destructors of values may use the ECS
    const StateLock lock(ecs);
    steps = restore_steps(ecs, bytes, options, accept != nullptr);
    for (const StateSteps::Class& cls : steps->classes()) {
        const ComponentType& type = registry::type(cls.id);
        if (type.kind != ComponentKind::object) continue;
        fail(ErrorCode::bad_argument,
             {"restore: the components of ", type.name, " are objects of another language; restore them there"});
    }
    steps->prepare();
    if (accept != nullptr) accept(steps->host_events());
    steps->exchange();
    steps->finish();
}

}  // namespace internal

void restore(ECS& ecs, std::span<const std::byte> bytes, const RestoreOptions& options) {
    internal::restore_with(ecs, bytes, options, nullptr);
}

}  // namespace crateful
