#include <emscripten/em_macros.h>

#include <algorithm>
#include <memory>
#include <new>

#include "crateful/detail/slot_table.hpp"
#include "crateful/world.hpp"
#include "host_calls.hpp"

namespace crateful {
namespace {

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }
SystemBase& system_at(std::uintptr_t p) { return *reinterpret_cast<SystemBase*>(p); }
ForeignSystem& foreign_at(std::uintptr_t p) { return static_cast<ForeignSystem&>(system_at(p)); }
const std::byte* bytes_at(std::uintptr_t p) { return reinterpret_cast<const std::byte*>(p); }

std::span<const Entity> list_at(std::uintptr_t p, std::size_t n) { return {reinterpret_cast<const Entity*>(p), n}; }

}  // namespace

World::World(int token) : token_(token) { ecs_.by_id().set_host(this); }
World::~World() { ecs_.by_id().set_host(nullptr); }

int World::guarded(void (*call)(void*), void* context) noexcept {
    try {
        call(context);
        return 0;
    } catch (const ForeignError& e) {
        error_token_ = e.token();
        error_code_ = FOREIGN_EXCEPTION;
    } catch (const Error& e) {
        error_message_ = e.what();
        error_code_ = static_cast<int>(e.code());
    } catch (const std::bad_alloc&) {
        error_message_ = "out of memory";
        error_code_ = static_cast<int>(ErrorCode::out_of_memory);
    } catch (const std::exception& e) {
        error_message_ = e.what();
        error_code_ = NATIVE_EXCEPTION;
    } catch (...) {
        error_message_ = "a C++ callback threw a value that is not a std::exception";
        error_code_ = NATIVE_EXCEPTION;
    }
    return -1 - error_code_;
}

// --- memory ---------------------------------------------------------------------------------------

int World::reserve_scratch(std::size_t bytes) {
    return guarded([&] {
        const std::size_t need = (bytes + sizeof(double) - 1) / sizeof(double);
        if (need > scratch_.size()) scratch_.resize(std::max(need, scratch_.size() * 2));
        scratch_control_ = {scratch_.data(), scratch_.size() * sizeof(double)};
    });
}

std::uintptr_t World::scratch_control() const noexcept { return address(&scratch_control_); }
std::uintptr_t World::empty_page() const noexcept { return address(SparseSet::empty_page()); }

std::uintptr_t World::empty_set() const noexcept {
    static const SparseSet::Control none;
    return address(&none);
}

std::uintptr_t World::pool_control() noexcept { return address(&ecs_.by_id().pool().control()); }
std::uintptr_t World::self() const noexcept { return address(this); }
std::uintptr_t World::marks_control() noexcept { return address(&ecs_.by_id().marks().control()); }

std::uintptr_t World::storage_control(ComponentId id) {
    std::uintptr_t control = 0;
    guarded([&] { control = address(&ecs_.by_id().storage(id).control()); });
    return control;
}

std::uintptr_t World::storage_set(ComponentId id) {
    Storage& s = ecs_.by_id().storage(id);
    return s.policy() == Policy::sparse ? address(&s.set()) : 0;
}

int World::reserve(std::uint32_t e, ComponentId id) {
    return guarded([&] {
        Storage& s = ecs_.by_id().storage(id);
        s.reserve(Entity{e}, std::size_t{s.count()} + 1);
    });
}

std::uintptr_t World::open_iteration(std::uintptr_t set) {
    auto* position = new (std::nothrow) ForeignPosition;
    if (position == nullptr) return 0;
    position->world = token_;
    position->give_back = [](IterationPosition& p) {
        crateful_give_back(static_cast<ForeignPosition&>(p).world, address(&p));
    };
    reinterpret_cast<SparseSet*>(set)->link(*position);
    return address(position);
}

void World::close_iteration(std::uintptr_t set, std::uintptr_t p) {
    auto* position = reinterpret_cast<ForeignPosition*>(p);
    reinterpret_cast<SparseSet*>(set)->unlink(*position);
    delete position;
}

// --- entities and components ----------------------------------------------------------------------

std::uint32_t World::add_entity() {
    Entity e = NONE;
    guarded([&] { e = ecs_.add_entity(); });
    return static_cast<std::uint32_t>(e);
}

int World::add_entities(std::uintptr_t out, std::size_t n) {
    return guarded([&] { ecs_.add_entities(std::span(reinterpret_cast<Entity*>(out), n)); });
}

int World::remove_entity(std::uint32_t e) {
    return guarded([&] { ecs_.remove_entity(Entity{e}); });
}

int World::remove_entities(std::uintptr_t list, std::size_t n) {
    return guarded([&] { ecs_.remove_entities(list_at(list, n)); });
}

int World::add_component(std::uint32_t e, ComponentId id, std::uintptr_t packed, int flags) {
    return guarded([&] { ecs_.by_id().add(Entity{e}, id, bytes_at(packed), static_cast<std::uint8_t>(flags)); });
}

int World::add_components(std::uintptr_t list, std::size_t n, ComponentId id, std::uintptr_t columns, int flags) {
    return guarded([&] {
        const auto write = [&](std::size_t i, Storage& s, std::uint32_t slot, std::size_t count) {
            if (columns != 0) s.write_columns(slot, count, bytes_at(columns), i, n);
            for (std::size_t k = 0; columns == 0 && s.type().value_bytes != 0 && k < count; ++k) {
                s.write_packed(slot + static_cast<std::uint32_t>(k), nullptr);
            }
            for (std::size_t k = 0; flags != 0 && k < count; ++k) {
                s.flags(slot + static_cast<std::uint32_t>(k)) |= static_cast<std::uint8_t>(flags);
            }
        };
        ecs_.by_id().add(list_at(list, n), id, write);
    });
}

int World::remove_component(std::uint32_t e, ComponentId id) {
    bool removed = false;
    const int failed = guarded([&] { removed = ecs_.by_id().remove(Entity{e}, id); });
    return failed != 0 ? failed : static_cast<int>(removed);
}

int World::remove_components(std::uintptr_t list, std::size_t n, ComponentId id) {
    std::size_t removed = 0;
    const int failed = guarded([&] { removed = ecs_.by_id().remove(list_at(list, n), id); });
    return failed != 0 ? failed : static_cast<int>(removed);
}

int World::mark_dirty(std::uintptr_t list, std::size_t n, ComponentId id) {
    return guarded([&] { ecs_.by_id().dirty(list_at(list, n), id); });
}

int World::drain() {
    return guarded([&] { ecs_.by_id().drain_marks(); });
}

std::uint32_t World::find_slots(ComponentId id, std::span<const Entity> entities, std::uint32_t* slots,
                                std::uint32_t stride) noexcept {
    const internal::SlotTable table(*ecs_.by_id().find_storage(id));
    std::uint32_t found = 0;
    for (const Entity e : entities) {
        const std::uint32_t slot = table.slot(e);
        if (slot == Storage::ABSENT) break;
        slots[std::size_t{found} * stride] = slot;
        ++found;
    }
    return found;
}

std::uintptr_t World::new_slots() noexcept {
    try {
        return address(slots_.emplace_back(std::make_unique<std::uint32_t[]>(SLOT_BUFFER)).get());
    } catch (const std::bad_alloc&) {
        return 0;
    }
}

int World::append_mark(ComponentId id, std::uint32_t slot) {
    MarkQueue& marks = ecs_.by_id().marks();
    if (marks.full()) {
        if (const int failed = drain(); failed != 0) return failed;
    }
    marks.append({id, slot, slot + 1});
    return 0;
}

int World::read_parked(std::uint32_t e, ComponentId id, std::uintptr_t packed) {
    const DynamicEcs ecs = ecs_.by_id();
    const int at = ecs.find_parked(Entity{e}, id);
    const Storage* s = ecs.find_storage(id);
    for (std::size_t k = 0; at >= 0 && packed != 0 && k < s->type().fields.size(); ++k) {
        s->read_parked(static_cast<std::size_t>(at), k, reinterpret_cast<std::byte*>(packed) + 8 * k);
    }
    return ecs.parked_count(Entity{e}, id);
}

// --- systems --------------------------------------------------------------------------------------

std::uintptr_t World::make_system(int token, const std::string& name, int flags) {
    const SystemBase* system = nullptr;
    guarded([&] {
        created_.push_back(std::make_unique<ForeignSystem>(token_, token, name, flags));
        system = created_.back().get();
    });
    return address(system);
}

void World::require(std::uintptr_t system, ComponentId id) { foreign_at(system).require_class(id); }
void World::watch(std::uintptr_t system, ComponentId id) { foreign_at(system).watch_class(id); }
std::uintptr_t World::system_memory(std::uintptr_t system) { return address(&foreign_at(system).memory()); }

int World::add_system(double priority, std::uintptr_t system) {
    const auto at =
        std::find_if(created_.begin(), created_.end(), [&](const auto& s) { return s.get() == &foreign_at(system); });
    std::unique_ptr<ForeignSystem> owned = std::move(*at);
    created_.erase(at);
    return guarded([&] { ecs_.add_system(priority, std::move(owned)); });
}

int World::remove_system(std::uintptr_t system) {
    return guarded([&] { ecs_.remove_system(system_at(system)); });
}

int World::set_enabled(std::uintptr_t system, bool on) {
    return guarded([&] { on ? ecs_.enable_system(system_at(system)) : ecs_.disable_system(system_at(system)); });
}

// --- time -----------------------------------------------------------------------------------------

double World::update(double wall_delta) {
    double delta = 0;
    const int failed = guarded([&] { delta = ecs_.update(wall_delta); });
    return failed != 0 ? failed : delta;
}

int World::clear() {
    return guarded([&] { ecs_.clear(); });
}

int World::slow_motion(double factor, double duration) {
    return guarded([&] { ecs_.slow_motion().request(factor, duration); });
}

// --- notifications of the core --------------------------------------------------------------------

void World::component_detached(Entity e, ComponentId component, bool final) {
    crateful_component_detached(token_, static_cast<std::uint32_t>(e), component, final ? 1 : 0);
}

void World::component_destroyed(Entity e, ComponentId component) {
    crateful_component_destroyed(token_, static_cast<std::uint32_t>(e), component);
}

void World::storage_changed(ComponentId id) noexcept { crateful_storage_changed(token_, id); }
void World::slots_change(Entity e, ComponentId id) noexcept {
    crateful_slots_change(token_, static_cast<std::uint32_t>(e), id);
}
void World::entity_destroyed(Entity e) { crateful_entity_destroyed(token_, static_cast<std::uint32_t>(e)); }

void World::time_advanced(double game_time) {
    if (!awaits_time_) return;
    if (const int token = crateful_time_advanced(token_, game_time); token != 0) throw ForeignError(token);
}

void World::cleared() { crateful_cleared(token_); }

}  // namespace crateful

// Plain exports and not embind methods: V8 would inline the generated JavaScript of a method into loops that change
// components, in place of accessors.
extern "C" EMSCRIPTEN_KEEPALIVE std::uint32_t crateful_find_slots(std::uintptr_t world, crateful::ComponentId id,
                                                                  const crateful::Entity* list, std::uint32_t n,
                                                                  std::uint32_t* slots, std::uint32_t stride) {
    return reinterpret_cast<crateful::World*>(world)->find_slots(id, {list, n}, slots, stride);
}
extern "C" EMSCRIPTEN_KEEPALIVE int crateful_append_mark(std::uintptr_t world, crateful::ComponentId id,
                                                         std::uint32_t slot) {
    return reinterpret_cast<crateful::World*>(world)->append_mark(id, slot);
}
