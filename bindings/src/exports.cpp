// The functions that the TypeScript package calls (web/src/module/raw.ts). They are plain exports and not embind methods,
// because they take and return numbers only: embind would make each call twice as long and the module larger.
//
// Values are passed in memory. No exception crosses the language boundary: a call that fails returns `-1 - code` (if it
// returns an address, 0; an entity, NONE), and World::Memory and `error_message` describe the error.
#include <emscripten/em_js.h>
#include <emscripten/em_macros.h>

#include <cmath>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <vector>

#include "crateful/detail/slot_table.hpp"
#include "crateful/world.hpp"
#include "reports.hpp"

// A call to JavaScript, as in foreign_system.cpp.
EM_JS_DEPS(crateful_exports, "$cratefulHost");
EM_JS(void, crateful_give_back, (int world, std::uintptr_t position), { cratefulHost.giveBack(world, position); });

using namespace crateful;

namespace {

// The position of an iteration in JavaScript, which counts the steps itself.
struct ForeignPosition : IterationPosition {
    static constexpr std::uint32_t MOST = 255;
    struct Found {
        std::uint32_t count = 0;
        Entity entities[MOST];
    };
    int world;
    std::unique_ptr<Found> found;  // the next entities of an iteration over slots
};

// What JavaScript reads: the address and the number of entities or, of a text, bytes.
struct List {
    const void* first;
    std::size_t n;
};

// As `guarded`, for calls after which no memory for arguments contains strings any more; if it fails, JavaScript may read them.
template <class F>
int adding(World& w, F&& add) noexcept {
    const int result = w.guarded(add);
    if (result == 0) w.ecs().by_id().collect_strings();
    return result;
}

// Writes the values in the row of a prefab: a Fill for one entity.
void fill_from_row(void* prefab, std::size_t k, std::size_t, Storage& s, const internal::SlotList& slots) {
    const auto& from = *static_cast<World::Prefab*>(prefab);
    s.write_packed(slots.first, reinterpret_cast<const std::byte*>(from.row + from.first[k]));
    if ((from.entries[k] & Storage::HAS_OBJECT) != 0) s.flags(slots.first) |= Storage::HAS_OBJECT;
}

}  // namespace

extern "C" {

/// The version of the sources, which must be that of the package.
EMSCRIPTEN_KEEPALIVE int crateful_version() { return CRATEFUL_VERSION; }

/// Creates a world; `token` stands for it in calls to JavaScript. Returns its World::Memory, or 0 if there is no memory.
EMSCRIPTEN_KEEPALIVE const World::Memory* crateful_new_world(int token) {
    try {
        return &(new World(token))->memory();
    } catch (...) {
        return nullptr;
    }
}

EMSCRIPTEN_KEEPALIVE void crateful_delete_world(World& w) { delete &w; }

// --- memory ---------------------------------------------------------------------------------------

/// Memory for the arguments of one call, at least `bytes` bytes, aligned for every type of value, or for a text; the one before
/// is freed. Returns 0 if there is none.
EMSCRIPTEN_KEEPALIVE double* crateful_scratch(std::size_t bytes, bool text) {
    static std::unique_ptr<double[]> all[2];
    std::unique_ptr<double[]>& scratch = all[text ? 1 : 0];
    scratch.reset();
    scratch.reset(new (std::nothrow) double[(bytes + sizeof(double) - 1) / sizeof(double)]);
    return scratch.get();
}

/// The number of the string with this text, which is added if necessary. `sets`: it is stored before the next call, and no memory
/// for arguments contains another one, so that unused strings can be freed.
EMSCRIPTEN_KEEPALIVE int crateful_string(World& w, const char* text, std::size_t bytes, bool sets) {
    String s;
    const int failed = w.guarded([&] {
        const std::string_view view(text, bytes);
        s = sets ? w.ecs().string(view) : w.ecs().by_id().strings().intern(view);
    });
    return failed != 0 ? failed : static_cast<int>(s.number);
}
/// The number of the string with this text, or 0 if there is none.
EMSCRIPTEN_KEEPALIVE std::uint32_t crateful_find_string(World& w, const char* text, std::size_t bytes) {
    return w.ecs().by_id().strings().find({text, bytes}).value_or(String()).number;
}
/// The text of a string, or 0 if there is none with this number.
EMSCRIPTEN_KEEPALIVE const List* crateful_text(World& w, std::uint32_t number) {
    static List list;
    const internal::Strings& strings = w.ecs().by_id().strings();
    if (!strings.exists(String(number))) return nullptr;
    const std::string_view text = strings.view(String(number));
    list = {text.data(), text.size()};
    return &list;
}

/// The storage of a class, or 0.
EMSCRIPTEN_KEEPALIVE const Storage::Control* crateful_storage(World& w, ComponentId id) {
    const Storage::Control* control = nullptr;
    w.guarded([&] { control = &w.ecs().by_id().storage(id).control(); });
    return control;
}

/// The set of an existing storage (`Storage::set`).
EMSCRIPTEN_KEEPALIVE SparseSet* crateful_storage_set(World& w, ComponentId id) {
    return &w.ecs().by_id().find_storage(id)->set();
}

/// Makes room for one more component, so that adding it moves no memory.
EMSCRIPTEN_KEEPALIVE int crateful_reserve(World& w, Entity e, ComponentId id) {
    return w.guarded([&] {
        Storage& s = w.ecs().by_id().storage(id);
        s.reserve(e, std::size_t{s.count()} + 1);
    });
}

/// Gives the slots of a class flags.
EMSCRIPTEN_KEEPALIVE int crateful_keep_flags(World& w, ComponentId id) {
    return w.guarded([&] { w.ecs().by_id().storage(id).keep_flags(); });
}

/// Creates an IterationPosition that is linked to the set, or returns 0.
EMSCRIPTEN_KEEPALIVE IterationPosition* crateful_open_iteration(const World& w, SparseSet& set) {
    auto* position = new (std::nothrow) ForeignPosition;
    if (position == nullptr) return nullptr;
    position->world = w.token();
    position->give_back = [](IterationPosition& p) {
        crateful_give_back(static_cast<ForeignPosition&>(p).world, reinterpret_cast<std::uintptr_t>(&p));
    };
    set.link(*position);
    return position;
}

EMSCRIPTEN_KEEPALIVE void crateful_close_iteration(SparseSet& set, IterationPosition* p) {
    auto* position = static_cast<ForeignPosition*>(p);
    set.unlink(*position);
    delete position;
}

/// Finds the next entities, at most `most`, of an iteration over the slots of a linear storage that have the classes of a signature with
/// `words` words. Returns the address of their number, behind which they are until the next call; 0 if there is no memory.
EMSCRIPTEN_KEEPALIVE const std::uint32_t* crateful_find_entities(World& w, ComponentId id, IterationPosition& at,
                                                                 const std::uint32_t* signature, std::uint32_t words,
                                                                 std::uint32_t most) {
    auto& found = static_cast<ForeignPosition&>(at).found;
    if (found == nullptr) found.reset(new (std::nothrow) ForeignPosition::Found);
    if (found == nullptr) return nullptr;
    const DynamicEcs ecs = w.ecs().by_id();
    const EntityPool::Control& pool = ecs.pool().control();
    const auto has_all = [&](std::uint32_t index) {
        const std::uint32_t* bits = &pool.signatures[std::size_t{index} * pool.words];
        for (std::uint32_t k = 0; k < words; ++k) {
            if ((bits[k] & signature[k]) != signature[k]) return false;
        }
        return true;
    };
    const Storage& storage = *ecs.find_storage(id);
    found->count = 0;
    most = std::min(most, ForeignPosition::MOST);
    for (std::uint32_t slot; found->count < most && storage.next_slot(at, slot);) {
        if (has_all(slot)) found->entities[found->count++] = storage.entities()[slot];
    }
    return &found->count;
}

// --- entities and components: `list` contains `n` entities ----------------------------------------

EMSCRIPTEN_KEEPALIVE Entity crateful_add_entity(World& w) {
    Entity e = NONE;
    w.guarded([&] { e = w.ecs().add_entity(); });
    return e;
}

EMSCRIPTEN_KEEPALIVE int crateful_add_entities(World& w, Entity* out, std::size_t n) {
    return w.guarded([&] { w.ecs().add_entities(std::span(out, n)); });
}

EMSCRIPTEN_KEEPALIVE int crateful_remove_entities(World& w, const Entity* list, std::size_t n) {
    std::size_t marked = 0;
    const int failed = w.guarded([&] { marked = w.ecs().remove_entities({list, n}); });
    return failed != 0 ? failed : static_cast<int>(marked);
}

EMSCRIPTEN_KEEPALIVE int crateful_remove_entity(World& w, Entity e) { return crateful_remove_entities(w, &e, 1); }

EMSCRIPTEN_KEEPALIVE int crateful_add_component(World& w, Entity e, ComponentId id, const std::byte* packed,
                                                int flags) {
    return adding(w, [&] { w.ecs().by_id().add(e, id, packed, static_cast<std::uint8_t>(flags)); });
}

/// `columns` contains a column for each field.
EMSCRIPTEN_KEEPALIVE int crateful_add_components(World& w, const Entity* list, std::size_t n, ComponentId id,
                                                 const Storage::Column* columns, int flags) {
    return adding(w, [&] {
        const auto write = [&](std::size_t i, Storage& s, const internal::SlotList& slots) {
            s.write_columns(slots, columns, i);
            for (std::size_t k = 0; flags != 0 && k < slots.n; ++k)
                s.flags(slots[k]) |= static_cast<std::uint8_t>(flags);
        };
        if (flags != 0) w.ecs().by_id().storage(id).keep_flags();
        w.ecs().by_id().add(std::span(list, n), id, write);
    });
}

/// Creates a prefab with these entries (World::Prefab), or returns 0.
EMSCRIPTEN_KEEPALIVE World::Prefab* crateful_add_prefab(World& w, const std::uint32_t* entries, std::size_t n) {
    World::Prefab* prefab = nullptr;
    w.guarded([&] { prefab = &w.add_prefab({entries, n}); });
    return prefab;
}

/// Adds the components of the prefab to entities that have none; if there is no memory, destroys the entities. `columns`
/// contains a column for each field of each class.
EMSCRIPTEN_KEEPALIVE int crateful_compose(World& w, World::Prefab& prefab, const Entity* list, std::size_t n,
                                          const Storage::Column* columns) {
    struct Context {
        const World::Prefab& prefab;
        const Storage::Column* columns;
    } context{prefab, columns};
    const auto fill = [](void* c, std::size_t k, std::size_t i, Storage& s, const internal::SlotList& slots) {
        const auto& [of, all] = *static_cast<Context*>(c);
        s.write_columns(slots, all + of.first[k], i);
        for (std::size_t j = 0; j < slots.n && (of.entries[k] & Storage::HAS_OBJECT) != 0; ++j)
            s.flags(slots[j]) = Storage::HAS_OBJECT;
    };
    return adding(w, [&] { w.ecs().by_id().compose(prefab.classes, std::span(list, n), fill, &context); });
}

/// The same for one entity, which is created if it is NONE; the values are in the row of the prefab. Returns the entity, or
/// NONE if that fails.
EMSCRIPTEN_KEEPALIVE Entity crateful_spawn(World& w, World::Prefab& prefab, Entity e) {
    const int failed = adding(w, [&] {
        if (e == NONE) e = w.ecs().add_entity();
        w.ecs().by_id().compose(prefab.classes, std::span(&e, 1), fill_from_row, &prefab);
    });
    return failed != 0 ? NONE : e;
}

/// Adds the components of the prefab to a living entity, with the values in the row, and replaces those that it has.
EMSCRIPTEN_KEEPALIVE int crateful_add_all(World& w, World::Prefab& prefab, Entity e) {
    return adding(w, [&] { w.ecs().by_id().add(e, prefab.ids, fill_from_row, &prefab); });
}

/// The entity and, if asked, its descendants; behind them, the handles that as many new entities get. Valid until the next call. Returns 0
/// if it cannot be cloned.
EMSCRIPTEN_KEEPALIVE const List* crateful_find_cloned(World& w, Entity e, bool children) {
    static std::vector<Entity> entities;
    static List list;
    const int failed = w.guarded([&] {
        entities = w.ecs().by_id().find_cloned(e, children);
        const std::size_t n = entities.size();
        entities.resize(2 * n);
        w.ecs().by_id().pool().next(std::span(entities).last(n));
    });
    if (failed != 0) return nullptr;
    list = {entities.data(), entities.size() / 2};
    return &list;
}

/// Makes the entities behind the first `n` of the list the clones of those; if that fails, destroys them. The values of the row of the
/// prefab, unless there is none, are used for the first one.
EMSCRIPTEN_KEEPALIVE int crateful_clone(World& w, World::Prefab* prefab, const Entity* list, std::size_t n,
                                        bool children) {
    return adding(w, [&] {
        internal::CloneOverrides overrides{.has_objects = true};
        if (prefab != nullptr) overrides = {prefab->ids, fill_from_row, prefab, true};
        w.ecs().by_id().clone({list, n}, {list + n, n}, children, overrides);
    });
}

EMSCRIPTEN_KEEPALIVE int crateful_set_parent(World& w, Entity child, Entity parent, Entity before) {
    return w.guarded([&] { w.ecs().set_parent(child, parent, before); });
}

EMSCRIPTEN_KEEPALIVE int crateful_remove_marked(World& w) {
    return w.guarded([&] { w.ecs().remove_marked(); });
}

/// Returns how many components were removed.
EMSCRIPTEN_KEEPALIVE int crateful_remove_components(World& w, const Entity* list, std::size_t n, ComponentId id) {
    std::size_t removed = 0;
    const int failed = w.guarded([&] { removed = w.ecs().by_id().remove(std::span(list, n), id); });
    return failed != 0 ? failed : static_cast<int>(removed);
}

EMSCRIPTEN_KEEPALIVE int crateful_remove_component(World& w, Entity e, ComponentId id) {
    bool removed = false;
    const int failed = w.guarded([&] { removed = w.ecs().by_id().remove(e, id); });
    return failed != 0 ? failed : static_cast<int>(removed);
}

/// The same for `n` classes.
EMSCRIPTEN_KEEPALIVE int crateful_remove_all(World& w, Entity e, const ComponentId* ids, std::size_t n) {
    bool removed = false;
    const int failed = w.guarded([&] {
        const std::vector<ComponentId> all(ids, ids + n);  // callbacks use the memory for arguments too
        removed = w.ecs().by_id().remove(e, all);
    });
    return failed != 0 ? failed : static_cast<int>(removed);
}

/// The entities that refer to `e` by a link field, or by the only one if `field` is -1. Valid until the next call. Returns 0 if that
/// fails.
EMSCRIPTEN_KEEPALIVE const List* crateful_linked(World& w, ComponentId id, std::size_t field, Entity e) {
    static std::vector<Entity> entities;
    static List list;
    if (w.guarded([&] { entities = w.ecs().by_id().linked(id, field, e); }) != 0) return nullptr;
    list = {entities.data(), entities.size()};
    return &list;
}

/// The order of the entities by field number `k` of a class, which exists as long as the world, or 0.
EMSCRIPTEN_KEEPALIVE internal::Order* crateful_order(World& w, ComponentId id, std::size_t k, bool descending) {
    internal::Order* order = nullptr;
    w.guarded([&] {
        Storage& s = w.ecs().by_id().storage(id);
        const Field& field = s.type().fields[k];
        const std::size_t where = s.type().kind == ComponentKind::native ? field.offset : k;
        order = &w.ecs().by_id().order({&s, where, field.type, descending});
    });
    return order;
}
/// Brings an order up to date. Returns its list, which is valid until the next call for this order, or 0 if there is no memory.
EMSCRIPTEN_KEEPALIVE const List* crateful_sort(World& w, internal::Order& order) {
    static List list;
    order.foreign = nullptr;
    const int failed = w.guarded([&] {
        w.ecs().by_id().drain_marks();
        order.foreign = order.list();
        list = {order.foreign->data(), order.foreign->size()};
    });
    return failed != 0 ? nullptr : &list;
}
/// The entities whose field has the value at this address, in the order of their indices. Valid until the next call for this order.
/// Returns 0 if there is no memory.
EMSCRIPTEN_KEEPALIVE const List* crateful_find(World& w, internal::Order& order, const std::byte* value) {
    static List list;
    const int failed = w.guarded([&] {
        w.ecs().by_id().drain_marks();
        const auto found = order.find(value).entities;
        list = {found.data(), found.size()};
    });
    return failed != 0 ? nullptr : &list;
}
/// When an order was brought up to date last, as a number of JavaScript, which is exact for 2^53 readings.
EMSCRIPTEN_KEEPALIVE double crateful_order_time(const internal::Order& order) {
    return static_cast<double>(order.time());
}
/// Whether the entity, which has the component, got it since then.
EMSCRIPTEN_KEEPALIVE bool crateful_added_since(const internal::Order& order, Entity e, double time) {
    return order.field().storage->changes()->added_since(index_of(e), static_cast<internal::ChangeList::Time>(time));
}

EMSCRIPTEN_KEEPALIVE int crateful_mark_dirty(World& w, const Entity* list, std::size_t n, ComponentId id) {
    return w.guarded([&] { w.ecs().by_id().dirty(std::span(list, n), id); });
}

/// Drains the mark queue.
EMSCRIPTEN_KEEPALIVE int crateful_drain(World& w) {
    return w.guarded([&] { w.ecs().by_id().drain_marks(); });
}

/// Appends a mark of one slot to the mark queue.
EMSCRIPTEN_KEEPALIVE int crateful_append_mark(World& w, ComponentId id, std::uint32_t slot) {
    MarkQueue& marks = w.ecs().by_id().marks();
    if (w.ecs().by_id().observer() != nullptr) return w.guarded([&] { w.ecs().by_id().require_unobserved("write"); });
    if (marks.full()) {
        if (const int failed = crateful_drain(w); failed != 0) return failed;
    }
    marks.append({id, slot, slot + 1});
    return 0;
}

/// Returns the number of removals of the component in progress. Unless `packed` is 0, copies to it the parked value that
/// `onRemove` can read.
EMSCRIPTEN_KEEPALIVE int crateful_read_parked(World& w, Entity e, ComponentId id, std::byte* packed) {
    const DynamicEcs ecs = w.ecs().by_id();
    const int at = ecs.find_parked(e, id);
    const Storage* s = ecs.find_storage(id);
    for (std::size_t k = 0; at >= 0 && packed != nullptr && k < s->type().fields.size(); ++k) {
        s->read_parked(static_cast<std::size_t>(at), k, packed + 8 * k);
    }
    return ecs.parked_count(e, id);
}

// --- systems --------------------------------------------------------------------------------------

EMSCRIPTEN_KEEPALIVE const ForeignSystem::Memory* crateful_system_memory(const ForeignSystem& system) {
    return &system.memory();
}

/// Adds a system that `make_system` created; `lists` are as for `ForeignSystem::describe`.
EMSCRIPTEN_KEEPALIVE int crateful_add_system(World& w, ForeignSystem& system, double priority, double interval,
                                             const std::uint32_t* lists) {
    return w.guarded([&] {
        system.describe(interval, lists);
        w.add_system(priority, system);
    });
}

/// Keeps an entity in the dirty set of a system.
EMSCRIPTEN_KEEPALIVE int crateful_keep(World& w, ForeignSystem& system, Entity e) {
    return w.guarded([&] { system.dirty_set().keep(e); });
}

/// The causes of a class in the dirty set of a system (`DirtyCauses`), which are kept from now on; 0 if it has none.
EMSCRIPTEN_KEEPALIVE std::uint32_t crateful_dirty_of(World& w, ForeignSystem& system, ComponentId id) {
    std::uint32_t causes = 0;
    w.guarded([&] {
        static_cast<void>(system.dirty_set().of(id));
        causes = system.dirty_set().causes().of(id);
    });
    return causes;
}

/// Sorts the dirty set of a system.
EMSCRIPTEN_KEEPALIVE int crateful_sort_top_down(World& w, ForeignSystem& system) {
    return w.guarded([&] { system.dirty_set().top_down(); });
}

EMSCRIPTEN_KEEPALIVE int crateful_remove_system(World& w, SystemBase& system) {
    return w.guarded([&] { w.ecs().remove_system(system); });
}

EMSCRIPTEN_KEEPALIVE int crateful_set_enabled(World& w, SystemBase& system, bool on) {
    return w.guarded([&] { on ? w.ecs().enable_system(system) : w.ecs().disable_system(system); });
}

// --- frames ---------------------------------------------------------------------------------------

/// Returns the effective delta in seconds. The time scale NaN stands for that of the ECS.
EMSCRIPTEN_KEEPALIVE double crateful_update(World& w, double wall_delta, double time_scale) {
    double delta = 0;
    const int failed = w.guarded(
        [&] { delta = std::isnan(time_scale) ? w.ecs().update(wall_delta) : w.ecs().update(wall_delta, time_scale); });
    return failed != 0 ? failed : delta;
}

EMSCRIPTEN_KEEPALIVE int crateful_run(World& w, SystemBase* const* systems, std::size_t n, double delta) {
    return w.guarded([&] { w.ecs().run(std::span(systems, n), delta); });
}

/// A callback begins, or has ended, that the core does not call.
EMSCRIPTEN_KEEPALIVE void crateful_begin_callback(World& w) { w.ecs().by_id().begin_callback(); }
EMSCRIPTEN_KEEPALIVE const SystemBase* crateful_observe(World& w, const SystemBase* observer) {
    return w.ecs().by_id().observe(observer);
}
EMSCRIPTEN_KEEPALIVE void crateful_end_callback(World& w) { w.ecs().by_id().end_callback(); }

EMSCRIPTEN_KEEPALIVE int crateful_clear(World& w) {
    return w.guarded([&] { w.ecs().clear(); });
}

EMSCRIPTEN_KEEPALIVE int crateful_slow_motion(World& w, double factor, double duration) {
    return w.guarded([&] { w.ecs().slow_motion().request(factor, duration); });
}
EMSCRIPTEN_KEEPALIVE double crateful_slow_motion_factor(const World& w) { return w.ecs().slow_motion().factor(); }
EMSCRIPTEN_KEEPALIVE void crateful_end_slow_motion(World& w) { w.ecs().slow_motion().clear(); }

// --- reports --------------------------------------------------------------------------------------

EMSCRIPTEN_KEEPALIVE void crateful_forget_profile(World& w) { w.ecs().profiler.clear(); }
EMSCRIPTEN_KEEPALIVE int crateful_profile(World& w) { return reports::profile(w); }
EMSCRIPTEN_KEEPALIVE int crateful_spans(World& w) { return reports::spans(w); }
EMSCRIPTEN_KEEPALIVE int crateful_systems(World& w) { return reports::systems(w); }
EMSCRIPTEN_KEEPALIVE int crateful_memory_report(World& w) { return reports::memory(w); }
EMSCRIPTEN_KEEPALIVE const char* crateful_report_names() { return reports::names(); }
EMSCRIPTEN_KEEPALIVE const double* crateful_report_numbers() { return reports::numbers(); }

}  // extern "C"
