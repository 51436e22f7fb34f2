// What several parts of an ECS do together: its end (rule T5), clearing (rule K1), reports.
#include "crateful/ecs.hpp"

#include <vector>

#include "crateful/detail/dynamic_ecs.hpp"

namespace crateful {

ECS::~ECS() {
    do {
        schedule_.destroy_all();
        structure_.destroy_all();
        events.destroy_all();
    } while (!schedule_.empty() || !structure_.empty() || !events.empty());
    end_frame(true);
}

std::vector<Entity> ECS::add_entities(std::size_t n) {
    if (n > EntityPool::MAX_ENTITIES) tracking().pool.reserve(n);  // throws before memory for `n` handles is allocated
    std::vector<Entity> all(n);
    add_entities(all);
    return all;
}

Children ECS::children(Entity e) const {
    return {const_cast<Hierarchy&>(tracking().hierarchy), e};  // an iteration links its position
}

std::vector<StorageReport> ECS::memory_report() const {
    std::vector<StorageReport> reports;
    for (const auto& cls : tracking().classes()) {
        if (cls) reports.push_back(report(*cls->storage, count()));
    }
    return reports;
}

void ECS::remove_marked() {
    if (tracking().in_progress()) {
        internal::fail(ErrorCode::reentrant_update,
                       {"remove_marked: it was called inside a callback; call it after the callback has returned"});
    }
    FirstError error;
    structure_.remove_marked(error);
    error.rethrow();
}

void ECS::clear() {
    tracking().require_unlocked("clear");
    if (clearing_) return;  // called in a callback of clear()
    clearing_ = true;
    FirstError error;
    {
        internal::Operation operation(tracking());
        structure_.clear(error);
        error.guard([&] { events.clear(); });
        if (Host* host = tracking().host; host != nullptr) error.guard([&] { host->cleared(); });
        // Last, so that what it dispatches and subscribes remains.
        error.guard([&] {
            for (SystemBase* system : systems()) {
                if (!system->is_added_()) continue;
                error.guard([&] {
                    const internal::Observed observed(tracking(), system->observer_ ? system : nullptr);
                    system->on_clear();
                });
            }
        });
        clearing_ = false;
    }
    error.rethrow();
}

void DynamicEcs::recover() const noexcept {
    ecs_.structure_.recover();
    ecs_.clearing_ = false;
    FirstError error;
    ecs_.schedule_.end_update(error);
}

}  // namespace crateful
