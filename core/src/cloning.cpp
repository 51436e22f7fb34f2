// Copies of entities (rule E13).
#include <algorithm>
#include <cstring>
#include <vector>

#include "crateful/detail/message.hpp"
#include "crateful/detail/rollback.hpp"
#include "crateful/detail/structure.hpp"

namespace crateful::internal {

namespace {

[[noreturn]] void fail_copy(const ComponentType& type) {
    fail(ErrorCode::bad_argument,
         {"clone: components of ", type.name, " cannot be copied; pass one for the clone, or ",
          type.kind == ComponentKind::object ? "clone the entity in TypeScript" : "describe the class with a codec"});
}

// Functions that encode and decode values must not change the ECS.
class Lock {
public:
    explicit Lock(Tracking& tracking) : tracking_(tracking) { tracking_.lock(true); }
    ~Lock() { tracking_.lock(false); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

private:
    Tracking& tracking_;
};

// The component in a slot refers to the clones where it refers to the entities of `from`.
void map_references(Tracking& tracking, Storage& s, std::uint32_t slot, const SparseSet& from,
                    std::span<const Entity> made) {
    const auto clone_of = [&](Entity e) {
        const std::uint32_t at = from.slot(e);
        return at == SparseSet::ABSENT ? e : made[at];
    };
    const std::vector<Field>& fields = s.type().fields;
    for (std::size_t k = 0; k < fields.size(); ++k) {
        if (fields[k].type != FieldType::entity && fields[k].type != FieldType::link) continue;
        std::byte* const value = s.word(k, slot);
        Entity target = NONE;
        std::memcpy(&target, value, sizeof(target));
        target = clone_of(target);
        std::memcpy(value, &target, sizeof(target));
    }
    const Codec* const codec = s.type().codec;
    if (codec == nullptr || codec->mapper == nullptr) return;
    const Lock lock(tracking);
    codec->map(static_cast<NativeStorage&>(s).value(slot), clone_of);
}

}  // namespace

std::vector<Entity> Structure::find_cloned(Entity e, bool children) const {
    require_alive(e, "clone");
    if (e == WORLD) fail(ErrorCode::bad_argument, {"clone: the world exists once; clone another entity"});
    std::vector<Entity> all{e};
    const Hierarchy::Index root = tracking.hierarchy.find(e);
    if (!children || root == Hierarchy::NO_NODE || tracking.hierarchy[root].first == Hierarchy::NO_NODE) return all;
    tracking.hierarchy.each_descendant(root, [&](Hierarchy::Index at) {
        all.push_back(tracking.hierarchy[at].entity);
        return true;
    });
    return all;
}

Entity Structure::clone(Entity e, bool children, const CloneOverrides& overrides) {
    tracking.require_possible("clone");
    const std::vector<Entity> from = find_cloned(e, children);
    std::vector<Entity> made(from.size());
    add_entities(made);
    clone(from, made, children, overrides);
    return made.front();
}

void Structure::clone(std::span<const Entity> from, std::span<const Entity> made, bool children,
                      const CloneOverrides& overrides) {
    Rollback rollback([&] { remove_silently(made); });
    tracking.require_possible("clone");
    for (const ComponentId id : overrides.ids) {
        require_free(id, "clone");
        static_cast<void>(tracking.component_class(id));  // from here on, there are no new classes
    }
    SparseSet sources;
    sources.reserve(from);
    sources.append(from);
    const auto has_override = [&](ComponentId id) {
        return std::find(overrides.ids.begin(), overrides.ids.end(), id) != overrides.ids.end();
    };
    const auto place_new = [&](ComponentClass& cls, Entity e) {
        cls.storage->reserve(e, std::size_t{cls.storage->count()} + 1);
        return place(cls, e);
    };
    tracking.drain_marks();
    for (std::size_t i = 0; i < from.size(); ++i) {
        const Entity above = parent(from[i]);
        if (above != NONE) place_below(made[i], i == 0 ? above : made[sources.slot(above)]);
        tracking.pool.each_class(from[i], [&](ComponentId id) {
            if (id == PARENT_ID || (i == 0 && has_override(id))) return;
            ComponentClass& cls = *tracking.find_class(id);
            Storage& s = *cls.storage;
            const bool is_object = s.type().kind == ComponentKind::object;
            if (is_object ? !overrides.has_objects : !s.copies()) fail_copy(s.type());
            const std::uint32_t slot = place_new(cls, made[i]);
            {
                const Lock lock(tracking);
                s.copy(s.slot(from[i]), slot);
            }
            if (is_object) s.flags(slot) = Storage::HAS_OBJECT;
            if (children) map_references(tracking, s, slot, sources, made);
        });
    }
    for (std::size_t k = 0; k < overrides.ids.size(); ++k) {
        ComponentClass& cls = *tracking.find_class(overrides.ids[k]);
        overrides.fill(overrides.context, k, 0, *cls.storage, {place_new(cls, made.front()), 1});
    }
    const std::vector<Entity> copy(made.begin(), made.end());  // callbacks may change what `made` refers to
    rollback.cancel();

    const Operation operation(tracking);
    FirstError error;
    const Entity above = parent(copy.front());
    // In the removal phase, the children of this parent may have been marked already.
    if (next_parent_ > 0 && above != NONE && (*tracking.pool.signature(above) & EntityPool::REMOVAL_PENDING) != 0)
        error.guard([&] { mark_child(copy.front()); });
    for (const Entity e : copy) tracking.created(e, error);
    error.rethrow();
}

}  // namespace crateful::internal
