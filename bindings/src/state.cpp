// The functions that `crateful/state` calls (web/src/state/), as those in exports.cpp.
//
// A `StateCall` is one call of `snapshot` or `restore`. While it exists, the ECS cannot be changed: JavaScript encodes and decodes
// the values of object components meanwhile, which runs functions of the program.
#include <emscripten/em_macros.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crateful/detail/state_steps.hpp"
#include "crateful/world.hpp"
#include "state.hpp"

namespace crateful {
using internal::each_part;
using internal::END;

namespace {
void read_options(StateCall& to, std::string_view text) {
    each_part(text, [&](char kind, std::string name) {
        auto& rename = to.restore_options.rename;
        if (kind == 'w') to.snapshot_options.without.push_back(std::move(name));
        else if (kind == 's') to.snapshot_options.systems = true;
        else if (kind == 'k') to.snapshot_options.compact = true;
        else if (kind == 'i') to.restore_options.ignore.push_back(std::move(name));
        else if (kind == 'u') to.restore_options.ignore_unknown = true;
        else if (kind == 'r') rename.emplace_back(std::move(name), std::string());
        else rename.back().second = std::move(name);
    });
}
}  // namespace

void StateCall::list() {
    const internal::HostEvents& from = restore->host_events();
    std::size_t n = 0;
    for (const auto& box : from.inboxes) n += 1 + box.events.size();
    texts.reserve(from.queued.size() + n + from.without.size() + 2);  // so that they stay where they are
    const auto add = [&](double due, const std::string& system, const std::string& name,
                         const std::vector<std::byte>& bytes = {}, std::size_t position = 0) {
        std::string& text = texts.emplace_back(system + END + name + END);
        events.push_back({due, text.data(), text.size(), bytes.data(), bytes.size(), position});
    };
    for (const std::string& name : from.without) add(StateEvent::WITHOUT, {}, name);
    if (from.systems) add(StateEvent::SYSTEMS, {}, {});
    if (from.same) add(StateEvent::SAME, {}, {});
    for (const auto& event : from.queued) add(event.due, {}, event.name, event.bytes, event.position);
    for (const auto& box : from.inboxes) {
        add(StateEvent::INBOX, box.system, box.name);
        for (std::size_t k = 0; k < box.events.size(); ++k)
            add(StateEvent::IN_INBOX, {}, {}, box.events[k], box.positions[k]);
    }
    for (const auto& cls : restore->classes()) {
        classes.push_back({cls.id, static_cast<std::uint32_t>(cls.entities.size()), cls.entities.data(),
                           cls.lengths.data(), cls.bytes, cls.differs.data()});
    }
}

extern "C" {

/// Sets what snapshots need to know of a class that JavaScript has added. `text` has the name of the class behind "c", that of each
/// field, in their order, behind "f", and the `Field::names` of a field, behind it, each behind "n"; each is followed by END.
EMSCRIPTEN_KEEPALIVE void crateful_name_fields(ComponentId id, const char* text, std::size_t bytes) {
    ComponentType& type = registry::mutable_type(id);
    Field* next = type.fields.data();
    each_part({text, bytes}, [&](char kind, std::string name) {
        if (kind == 'c') type.name = std::move(name);
        else if (kind == 'f') (next++)->name = std::move(name);
        else next[-1].names.push_back(std::move(name));
    });
}

/// Begins a call, or returns 0. `number` says which one. `options`: "s" for the option `systems`, "k" for `compact`, "u" for "unknown"; a name of `without` behind "w", one of `ignore` behind "i", and two names of `rename`
/// behind "r" and "n"; each is followed by END.
EMSCRIPTEN_KEEPALIVE StateCall* crateful_open_state(World& w, std::size_t number, const char* options,
                                                    std::size_t bytes) {
    static constexpr const char* CALLS[] = {"snapshot", "restore", "to", "merge"};
    constexpr std::size_t MERGE = 3;
    std::unique_ptr<StateCall> call;
    const int failed = w.guarded([&] {
        internal::require_idle(w.ecs(), CALLS[number]);
        call = std::make_unique<StateCall>(w);
        read_options(*call, {options, bytes});
        call->lock.emplace(w.ecs());
        call->merges = number == MERGE;
        if (call->snapshot_options.compact) call->compact_handles = internal::compact_handles(w.ecs());
    });
    return failed != 0 ? nullptr : call.release();
}
EMSCRIPTEN_KEEPALIVE void crateful_close_state(StateCall& call) { delete &call; }

/// Returns memory for the bytes to restore, or 0.
EMSCRIPTEN_KEEPALIVE std::byte* crateful_state_memory(StateCall& call, std::size_t bytes) {
    std::byte* memory = nullptr;
    call.world.guarded([&] {
        call.memory.emplace_back(new std::uint64_t[bytes / 8 + 1]);
        memory = reinterpret_cast<std::byte*>(call.memory.back().get());
    });
    return memory;
}
/// Returns memory for the encoded values of the `n` components of an object class, or 0: first their lengths, then all bytes.
EMSCRIPTEN_KEEPALIVE std::byte* crateful_state_values(StateCall& call, ComponentId id, std::size_t n,
                                                      std::size_t bytes) {
    std::byte* memory = crateful_state_memory(call, 4 * n + bytes);
    if (memory == nullptr) return nullptr;
    const auto add = [&] {
        call.values.push_back({id, {reinterpret_cast<const std::uint32_t*>(memory), n}, memory + 4 * n});
    };
    return call.world.guarded(add) != 0 ? nullptr : memory;
}

/// The handle of an entity in a compact snapshot, or NONE.
EMSCRIPTEN_KEEPALIVE std::uint32_t crateful_compact_handle(const StateCall& call, Entity e) {
    return static_cast<std::uint32_t>(call.compact_handles(e));
}

/// Adds to the events of the snapshot; the arguments are the members of a StateEvent.
EMSCRIPTEN_KEEPALIVE int crateful_state_event(StateCall& call, double due, const char* text, std::size_t n_text,
                                              const std::byte* first, std::size_t n) {
    return call.world.guarded([&] {
        const std::string_view all(text, n_text);
        const std::size_t end = all.find(END);
        const std::string_view name = all.substr(end + 1, n_text - end - 2);
        std::vector<std::byte> bytes(first, first + n);
        auto& boxes = call.host.inboxes;
        if (due == StateEvent::INBOX) boxes.push_back({std::string(all.substr(0, end)), std::string(name), {}});
        else if (due == StateEvent::IN_INBOX) boxes.back().events.push_back(std::move(bytes));
        else call.host.queued.push_back({std::string(name), due, std::move(bytes)});
    });
}

/// Returns where the address of the snapshot and its number of bytes are; 0 if it fails.
EMSCRIPTEN_KEEPALIVE const StateBytes* crateful_snapshot(StateCall& call) {
    static StateBytes bytes;
    const int failed = call.world.guarded([&] {
        call.result = internal::write_snapshot(call.world.ecs(), call.snapshot_options, call.values, call.host);
        call.memory.clear();
    });
    bytes = {call.result.data(), call.result.size()};
    return failed != 0 ? nullptr : &bytes;
}

/// The first step of restoring: reads `n` bytes.
EMSCRIPTEN_KEEPALIVE int crateful_restore_read(StateCall& call, const std::byte* bytes, std::size_t n, double entities,
                                               double index, double most) {
    return call.world.guarded([&] {
        RestoreOptions& options = call.restore_options;
        options.limits = {static_cast<std::size_t>(entities), static_cast<std::size_t>(index),
                          static_cast<std::size_t>(most)};
        if (call.merges) {
            internal::Merging merging = internal::merge_steps(call.world.ecs(), std::span(bytes, n), options, true);
            call.restore = std::move(merging.steps);
            call.handles = std::move(merging.handles);
        } else {
            call.restore = internal::restore_steps(call.world.ecs(), std::span(bytes, n), options, true);
        }
        call.list();
    });
}
/// Returns where the handles of the entities that are merged are, and their number: of each the one in the bytes, and the one here.
EMSCRIPTEN_KEEPALIVE const StateBytes* crateful_merged(const StateCall& call) {
    static StateBytes handles;
    handles = {reinterpret_cast<const std::byte*>(call.handles.data()), call.handles.size()};
    return &handles;
}
/// Class number `k` of the bytes, or 0.
EMSCRIPTEN_KEEPALIVE const StateClass* crateful_restore_class(const StateCall& call, std::size_t k) {
    return k < call.classes.size() ? &call.classes[k] : nullptr;
}
/// Number `k` of the events in the bytes, or 0.
EMSCRIPTEN_KEEPALIVE const StateEvent* crateful_restore_event(const StateCall& call, std::size_t k) {
    return k < call.events.size() ? &call.events[k] : nullptr;
}
/// The second step: exchanges all values except those of object classes.
EMSCRIPTEN_KEEPALIVE int crateful_restore_exchange(StateCall& call) {
    return call.world.guarded([&] {
        call.restore->prepare();
        FirstError::call([&] { call.restore->exchange(); });
    });
}
/// The last step: calls `on_add`, which can change the ECS after `merge`.
EMSCRIPTEN_KEEPALIVE int crateful_restore_finish(StateCall& call) {
    if (call.merges) call.lock.reset();
    return call.world.guarded([&] { FirstError::call([&] { call.restore->finish(); }); });
}

}  // extern "C"
}  // namespace crateful
