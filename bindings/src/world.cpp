#include "crateful/world.hpp"

#include <emscripten/em_js.h>
#include <emscripten/em_macros.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

// clang-format off

// Calls to JavaScript, as in foreign_system.cpp.
EM_JS_DEPS(crateful_world, "$cratefulHost,$UTF8ToString");
EM_JS(int, crateful_time_advanced, (int world, double game_time), { return cratefulHost.timeAdvanced(world, game_time); });
EM_JS(void, crateful_component_detached, (int world, std::uint32_t entity, std::uint32_t component, int final), { cratefulHost.componentDetached(world, entity >>> 0, component, final !== 0); });
EM_JS(void, crateful_component_destroyed, (int world, std::uint32_t entity, std::uint32_t component), { cratefulHost.componentDestroyed(world, entity >>> 0, component); });
EM_JS(void, crateful_storage_changed, (int world, std::uint32_t component), { cratefulHost.storageChanged(world, component); });
EM_JS(void, crateful_slots_change, (int world, std::uint32_t component), { cratefulHost.slotsChange(world, component); });
EM_JS(void, crateful_entity_destroyed, (int world, std::uint32_t entity), { cratefulHost.entityDestroyed(world, entity >>> 0); });
EM_JS(void, crateful_string_freed, (int world, std::uint32_t number), { cratefulHost.stringFreed(world, number); });
EM_JS(void, crateful_cleared, (int world), { cratefulHost.cleared(world); });
EM_JS(void, crateful_throw, (int world, int code, int token, const char* message), { cratefulHost.fail(world, code, token, UTF8ToString(message)); });

// clang-format on

namespace crateful {
namespace {

const SparseSet::Control EMPTY_SET;

}  // namespace

World::World(int token)
    : token_(token),
      memory_{.world = this,
              .empty_page = SparseSet::empty_page(),
              .empty_set = &EMPTY_SET,
              .pool = &ecs_.by_id().pool().control(),
              .hierarchy = &ecs_.by_id().hierarchy().control(),
              .operations = &ecs_.by_id().operations(),
              .marks = &ecs_.by_id().marks().control(),
              .times = &ecs_.clock().times(),
              .paused = &ecs_.clock().paused,
              .replaying = &ecs_.by_id().replaying(),
              .style = &ecs_.slow_motion().style,
              .profiling = &ecs_.profiler.enabled} {
    ecs_.by_id().set_host(this);
}
World::~World() { ecs_.by_id().set_host(nullptr); }

int World::keep_error() noexcept {
    const auto [code, token, message] = current_error();
    memory_.error_code = code;
    memory_.error_token = token;
    error_message_ = message;
    return -1 - code;
}

void World::throw_to_javascript(const World* world) {
    const auto [code, token, message] = current_error();
    crateful_throw(world == nullptr ? -1 : world->token_, code, token, message);
    std::abort();  // JavaScript has thrown
}

World::Prefab& World::add_prefab(std::span<const std::uint32_t> entries) {
    auto made = std::make_unique<Prefab>();
    made->entries.assign(entries.begin(), entries.end());
    std::size_t fields = 0;
    for (const std::uint32_t entry : entries) {
        made->ids.push_back(entry >> 1);
        made->first.push_back(fields);
        if ((entry & Storage::HAS_OBJECT) != 0) ecs_.by_id().storage(entry >> 1).keep_flags();
        fields += registry::type(entry >> 1).fields.size();
    }
    made->values.resize(fields);
    made->row = made->values.data();
    made->classes.ids = made->ids;
    return *prefabs_.emplace_back(std::move(made));
}

std::uintptr_t World::make_system(int token, const std::string& name, int flags) {
    const ForeignSystem* system = nullptr;
    guarded([&] {
        created_.push_back(std::make_unique<ForeignSystem>(token_, token, name, flags));
        system = created_.back().get();
    });
    return reinterpret_cast<std::uintptr_t>(system);
}

void World::add_system(double priority, ForeignSystem& system) {
    const auto at = std::find_if(created_.begin(), created_.end(), [&](const auto& s) { return s.get() == &system; });
    std::unique_ptr<ForeignSystem> owned = std::move(*at);
    created_.erase(at);
    ecs_.add_system(priority, std::move(owned));
}

// --- notifications of the core --------------------------------------------------------------------

void World::component_detached(Entity e, ComponentId component, bool final) {
    crateful_component_detached(token_, static_cast<std::uint32_t>(e), component, final ? 1 : 0);
}

void World::component_destroyed(Entity e, ComponentId component) {
    crateful_component_destroyed(token_, static_cast<std::uint32_t>(e), component);
}

void World::storage_changed(ComponentId id) noexcept { crateful_storage_changed(token_, id); }
void World::slots_change(Entity, ComponentId id) noexcept { crateful_slots_change(token_, id); }
void World::string_freed(std::uint32_t number) noexcept { crateful_string_freed(token_, number); }
void World::entity_destroyed(Entity e) { crateful_entity_destroyed(token_, static_cast<std::uint32_t>(e)); }

void World::time_advanced(double game_time) {
    if (memory_.awaits_time == 0) return;
    if (const int token = crateful_time_advanced(token_, game_time); token != 0) throw ForeignError(token);
}

void World::cleared() { crateful_cleared(token_); }

}  // namespace crateful
