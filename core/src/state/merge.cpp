// Adding the entities of a snapshot to an ECS (rule N9).
#include <memory>
#include <optional>
#include <utility>

#include "budget.hpp"
#include "crateful/detail/first_error.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/detail/state_steps.hpp"
#include "state_exchange.hpp"

namespace crateful::internal {

namespace {

class MergeSteps final : public StateSteps, private StateAccess {
public:
    MergeSteps(ECS& of, std::span<const std::byte> bytes, const RestoreOptions& options, bool host)
        : StateAccess(of),
          hold_(tracking().strings),
          plan_(read_plan(*this, bytes, options, host, PlanFor::merge)),
          later_(plan_.handles.size(), NONE) {
        plan_.events.host.same = true;  // nothing of them is exchanged
        find_handles();
        entities_.reserve(plan_.classes.size());
        for (ClassPlan& cls : plan_.classes) map_class(cls);
        require_memory(options.limits.bytes);
    }

    [[nodiscard]] std::vector<std::pair<Entity, Entity>> handles() const {
        std::vector<std::pair<Entity, Entity>> all;
        for (std::size_t i = 1; i < later_.size(); ++i) {
            if (later_[i] != NONE) all.emplace_back(plan_.handles[i], later_[i]);
        }
        return all;
    }

    [[nodiscard]] HostEvents& host_events() noexcept override { return plan_.events.host; }
    [[nodiscard]] std::vector<Class> classes() override { return plan_.steps(); }

    void prepare() override {
        tracking().drain_marks();  // marks contain slots
        for (const ClassPlan& plan : plan_.classes) {
            ComponentClass& cls = tracking().component_class(plan.type->id);
            pool().widen(plan.type->id);
            StorageChange change{&cls, &plan, {}, {}, {}, {}};
            for (std::uint32_t i = 0; i < plan.entities.size(); ++i) {
                if (plan.entities[i] == NONE) continue;
                change.added.push_back(plan.entities[i]);
                change.written.push_back(i);
            }
            if (change.added.empty()) continue;
            change.require_possible("merge");
            changes_.push_back(std::move(change));
        }
        for (StorageChange& change : changes_) change.reserve();
        pending().reserve(pending().size() + plan_.pending.size());
        if (plan_.siblings.empty()) return;
        Hierarchy& hierarchy = tracking().hierarchy;
        std::size_t indices = pool().control().slots;
        for (const Entity e : made_) indices = std::max<std::size_t>(indices, index_of(e) + 1);
        hierarchy.reserve(indices, hierarchy.count() + plan_.siblings.size() * 2);
    }

    void exchange() override {
        error_.guard([&] { tracking().drain_marks(); });
        pool().create(made_);
        for (StorageChange& change : changes_) {
            change.begin();
            change.add();
            for (const Entity e : change.added) tracking().set_class(e, *change.cls);
            change.exchange();
            map_references(change);
        }
        Hierarchy& hierarchy = tracking().hierarchy;
        for (const Entity child : plan_.siblings) {
            const Hierarchy::Index above = hierarchy.make(map(parent_of_[index_of(child)]));
            hierarchy.attach(hierarchy.make(map(child)), above, Hierarchy::NO_NODE);
        }
        for (const Entity e : plan_.pending) {
            pending().push_back(map(e));
            *pool().signature(map(e)) |= EntityPool::REMOVAL_PENDING;
        }
    }

    // In the order of indices: all are there, so a system that starts to track one finds what it refers to.
    void finish() override {
        error_.guard([&] { tracking().drain_marks(); });  // those of a host that has written to objects
        const Operation operation(tracking());
        for (const Entity e : made_) tracking().created(e, error_);
        error_.rethrow();
    }

private:
    [[nodiscard]] EntityPool& pool() const noexcept { return tracking().pool; }
    // The handle of an entity of the snapshot here.
    [[nodiscard]] Entity map(Entity e) const noexcept { return plan_.alive(e) ? later_[index_of(e)] : NONE; }

    void find_handles() {
        if (plan_.handles.data() == pool().handles().data()) {  // which change
            plan_.handle_memory.assign(plan_.handles.begin(), plan_.handles.end());
            plan_.handles = plan_.handle_memory;
        }
        later_[0] = Structure::WORLD;
        std::size_t n = 0;
        for (std::size_t i = 1; i < later_.size(); ++i) n += index_of(plan_.handles[i]) == i ? 1u : 0u;
        made_.resize(n);
        const Entity* const before = pool().handles().data();
        pool().reserve(n);
        if (pool().handles().data() != before) tracking().handles_moved();
        pool().next(made_);
        auto next = made_.begin();
        for (std::size_t i = 1; i < later_.size(); ++i) {
            if (index_of(plan_.handles[i]) == i) later_[i] = *next++;
        }
    }

    // Columns grow up to the highest index here.
    void require_memory(std::size_t limit) const {
        Budget budget(limit);
        for (const ClassPlan& cls : plan_.classes) {
            const Storage* const s = tracking().find_storage(cls.type->id);
            if (budget.allows(*cls.type, cls.entities, s == nullptr ? 0 : s->extent())) continue;
            fail(ErrorCode::bad_data, {"merge: limits: the snapshot asks for more memory than `bytes`"});
        }
    }

    // Its entities get their handles here; the world, whose components are left out, has none.
    void map_class(ClassPlan& cls) {
        if (cls.type->id == PARENT_ID) {
            parent_of_.resize(later_.size(), NONE);
            for (std::size_t i = 0; i < cls.entities.size(); ++i)
                parent_of_[index_of(cls.entities[i])] = plan_.parents[i];
        }
        std::vector<Entity>& here = entities_.emplace_back();
        for (const Entity e : cls.entities) here.push_back(e == Structure::WORLD ? NONE : map(e));
        cls.entities = here;
        OpaquePlan& opaque = cls.opaque;
        if (cls.type->codec == nullptr) return;
        const EntityMap to_here = [this](Entity e) { return map(e); };
        for (std::size_t i = 0; i < here.size(); ++i) {
            if (here[i] == NONE) opaque.differs[i] = 0;
            else if (cls.type->codec->mapper != nullptr) cls.type->codec->map(opaque.decoded->at(i), to_here);
        }
    }

    void map_references(const StorageChange& change) const {
        const Storage& s = change.storage();
        if (is_opaque(s.type())) return;
        for (const FieldRun& run : change.plan->runs) {
            if (!refers(run.type)) continue;
            std::byte* const column = s.control().columns[run.first];
            for (const Entity e : change.added)
                map_handle(column + s.slot(e) * s.stride(run.first), [this](Entity target) { return map(target); });
        }
    }

    const Strings::Hold hold_;  // outlives the plan
    Plan plan_;
    std::vector<Entity> later_;                  // by index in the snapshot: the handle here
    std::vector<Entity> made_;                   // all of these except the world, in their order
    std::vector<std::vector<Entity>> entities_;  // of the classes
    std::vector<Entity> parent_of_;              // by index in the snapshot
    std::vector<StorageChange> changes_;
    FirstError error_;
};

}  // namespace

Merging merge_steps(ECS& ecs, std::span<const std::byte> bytes, const RestoreOptions& options, bool host) {
    auto steps = std::make_unique<MergeSteps>(ecs, bytes, options, host);
    std::vector<std::pair<Entity, Entity>> handles = steps->handles();
    return {std::move(steps), std::move(handles)};
}

}  // namespace crateful::internal

namespace crateful {

std::unordered_map<Entity, Entity> merge(ECS& ecs, std::span<const std::byte> bytes, const RestoreOptions& options) {
    const internal::StateAccess state(ecs);
    state.require_idle("merge");
    std::vector<std::byte> copy;
    bytes = internal::usable_bytes(state, bytes, copy);
    internal::Merging merging;  // outlives the lock, so that destructors of values may use the ECS
    std::unordered_map<Entity, Entity> handles;
    {
        const internal::StateLock lock(ecs);
        merging = internal::merge_steps(ecs, bytes, options);
        internal::require_no_objects(*merging.steps, "merge");
        handles.insert(merging.handles.begin(), merging.handles.end());
        FirstError::call([&] {
            merging.steps->prepare();
            merging.steps->exchange();
        });
    }
    FirstError::call([&] { merging.steps->finish(); });
    return handles;
}

}  // namespace crateful
