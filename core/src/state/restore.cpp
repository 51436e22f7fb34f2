// Making an ECS equal to a snapshot (rule N2).
#include <algorithm>
#include <memory>
#include <utility>

#include "crateful/detail/message.hpp"
#include "crateful/detail/state_steps.hpp"
#include "format.hpp"
#include "state_exchange.hpp"

namespace crateful {
namespace internal {

class Restoration final : public StateExchange {
public:
    Restoration(ECS& of, std::span<const std::byte> bytes, const RestoreOptions& options, bool host)
        : StateExchange(of, "restore") {
        plan_ = read_plan(*this, bytes, options, host);
    }

private:
    static constexpr std::uint32_t BLOCK = 64;  // components that are compared at once
    [[nodiscard]] std::uint32_t* signature(std::size_t index) noexcept { return &signatures_[index * pool().words()]; }
    [[nodiscard]] bool selects_later(const SystemBase& system, std::uint32_t i) const noexcept override {
        return same_structure_ ? system.tracks(plan_.handles[i]) : selects(system, &signatures_[i * pool().words()]);
    }
    [[nodiscard]] bool is_left_out(const ComponentClass& cls) const noexcept {
        return std::find(plan_.left_out.begin(), plan_.left_out.end(), &cls) != plan_.left_out.end();
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
            if (cls && !is_left_out(*cls)) components -= cls->storage->count();
        }
        return components == 0;
    }

    // --- comparing ----------------------------------------------------------------------------

    void compare() override {
        for (const ClassPlan& cls : plan_.classes) {
            ComponentClass& used = tracking().component_class(cls.type->id);
            pool().widen(used.storage->type().id);
        }
        same_structure_ = has_same_structure();
        if (!same_structure_) compare_entities();
        for (const auto& cls : tracking().classes()) {
            if (cls && !is_left_out(*cls)) compare_class(*cls);
        }
    }

    void compare_entities() {
        signatures_.assign(indices() * pool().words(), 0);
        for (const ClassPlan& cls : plan_.classes) {
            const EntityPool::ClassBit bit(cls.type->id);
            for (const Entity e : cls.entities) signature(index_of(e))[bit.word] |= bit.mask;
        }
        for (std::uint32_t i = 0; i < indices(); ++i) compare_entity(i, signature(i));
    }

    void compare_class(ComponentClass& cls) {
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
        change.require_possible(call());
        changes_.push_back(std::move(change));
    }

    void compare_values(StorageChange& change, const Storage& s, bool same_list) {
        const ClassPlan& plan = *change.plan;
        const auto n = static_cast<std::uint32_t>(plan.entities.size());
        if (s.count() == 0) return n == 0 ? void() : add_all(change);
        if (!same_list) {
            for (std::uint32_t i = 0; i < n; ++i) compare_value(change, i, s.slot(plan.entities[i]));
            return;
        }
        s.each_range([&](std::size_t first, std::uint32_t slot, std::size_t count) {
            if (equal_values(plan, s, first, slot, count)) return;
            for (std::uint32_t k = 0; k < count; k += BLOCK) {
                const auto i = static_cast<std::uint32_t>(first) + k;
                const std::uint32_t block = std::min(static_cast<std::uint32_t>(count) - k, BLOCK);
                if (equal_values(plan, s, i, slot + k, block)) continue;
                for (std::uint32_t j = 0; j < block; ++j) compare_value(change, i + j, slot + k + j);
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
    void reserve() override {
        if (plan_.siblings.empty()) return;
        tracking().hierarchy.reserve(plan_.handles.size(), plan_.siblings.size() * 2);
        parent_of_.assign(plan_.handles.size(), NONE);
        for (const ClassPlan& cls : plan_.classes) {
            if (cls.type->id != PARENT_ID) continue;
            for (std::size_t i = 0; i < cls.entities.size(); ++i)
                parent_of_[index_of(cls.entities[i])] = plan_.parents[i];
        }
    }

    // --- exchanging ---------------------------------------------------------------------------

    void exchange_entities() override {
        if (same_structure_) return;
        pool().assign(plan_.handles, plan_.first_free);
        pool().each([&](Entity e) { set_signature(e, signature(index_of(e))); });
    }

    void exchange_hierarchy() override {
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

    std::vector<std::uint32_t> signatures_;  // by index: those of the snapshot
    bool same_structure_ = false;
    std::vector<Entity> parent_of_;  // by index
};

StateLock::StateLock(ECS& ecs) : operations_(StateAccess(ecs).tracking()), operation_(operations_) {
    operations_.lock(true);
}

void require_idle(const ECS& ecs, const char* call) { StateAccess(const_cast<ECS&>(ecs)).require_idle(call); }

std::unique_ptr<StateSteps> restore_steps(ECS& ecs, std::span<const std::byte> bytes, const RestoreOptions& options,
                                          bool host) {
    return std::make_unique<Restoration>(ecs, bytes, options, host);
}

std::span<const std::byte> usable_bytes(const StateAccess& state, std::span<const std::byte> bytes,
                                        std::vector<std::byte>& copy) {
    const bool aligned = reinterpret_cast<std::uintptr_t>(bytes.data()) % ALIGNMENT == 0;
    if (aligned && !state.contains(bytes.data())) return bytes;
    copy.assign(bytes.begin(), bytes.end());
    return copy;
}

void require_no_objects(StateSteps& steps, const char* call) {
    for (const StateSteps::Class& cls : steps.classes()) {
        const ComponentType& type = registry::type(cls.id);
        if (type.kind != ComponentKind::object) continue;
        fail(ErrorCode::bad_argument,
             {call, ": the components of ", type.name, " are objects of another language; ", call, " them there"});
    }
}

void restore_with(ECS& ecs, std::span<const std::byte> bytes, const RestoreOptions& options,
                  const std::function<void(HostEvents&)>& accept) {
    const StateAccess state(ecs);
    state.require_idle("restore");
    std::vector<std::byte> copy;
    bytes = usable_bytes(state, bytes, copy);
    std::unique_ptr<StateSteps> steps;  // outlives the lock, so that destructors of values may use the ECS
    const StateLock lock(ecs);
    steps = restore_steps(ecs, bytes, options, accept != nullptr);
    require_no_objects(*steps, "restore");
    FirstError::call([&] {
        steps->prepare();
        if (accept != nullptr) accept(steps->host_events());
        steps->exchange();
        steps->finish();
    });
}

}  // namespace internal

void restore(ECS& ecs, std::span<const std::byte> bytes, const RestoreOptions& options) {
    internal::restore_with(ecs, bytes, options, nullptr);
}

}  // namespace crateful
