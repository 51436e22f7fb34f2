// The functions that `History` of `crateful/inspector` calls (web/src/inspector/history.ts), as those in exports.cpp.
#include <emscripten/em_macros.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "crateful/detail/change_history.hpp"
#include "crateful/detail/writer.hpp"
#include "recording_host.hpp"
#include "state.hpp"

namespace crateful {
namespace {

// Entries in the form that web/src/inspector/history.ts reads: numbers, texts behind their lengths, lists behind their numbers.
template <class T>
void write_list(internal::Writer& to, const std::vector<T>& list) {
    to.put(static_cast<std::uint32_t>(list.size()));
    to.array(std::span(list));
}
void write(internal::Writer& to, const HistoryValue& value) {
    to.put(static_cast<std::uint8_t>(value.is.index()));
    const auto put = [&]<class T>(const T& is) {
        if constexpr (std::is_same_v<T, std::string>) {
            to.text(is);
        } else if constexpr (std::is_same_v<T, HistoryFields>) {
            to.put(static_cast<std::uint32_t>(is.size()));
            for (const auto& [name, field] : is) {
                to.text(name);
                write(to, field);
            }
        } else if constexpr (std::is_trivially_copyable_v<T>) {
            if constexpr (!std::is_same_v<T, std::monostate>) to.put(is);
        } else {
            write_list(to, is);
        }
    };
    std::visit(put, value.is);
}
void write_entry(internal::Writer& to, const internal::NumberedEntry& entry) {
    to.put(entry.frame);
    to.put(static_cast<double>(entry.moment));
    to.put(entry.entity);
    to.put(entry.kind);
    to.text(entry.system);
    to.text(entry.component);
    to.text(entry.field);
    write(to, entry.before);
    write(to, entry.after);
    to.put(static_cast<std::uint32_t>(entry.notified.size()));
    for (const std::string& each : entry.notified) to.text(each);
}

}  // namespace

/// A history whose object components JavaScript encodes.
struct StateHistory final : StateObject, RecordingHost {
    StateHistory(World& w, int number, const HistoryOptions& options)
        : StateObject(w), RecordingHost(w, number), history(w.ecs(), options, this) {}

    internal::ChangeHistory history;
    std::vector<std::byte> found;  // what the functions below have returned

    /// Returns the number of bytes and the entries that `find` returns, or 0 if it fails.
    template <class F>
    const std::byte* write(F&& find) {
        const bool failed = world.guarded([&] {
            found.clear();
            internal::Writer to(found);
            to.put(std::uint32_t{0});
            for (const internal::NumberedEntry& each : find()) write_entry(to, each);
            const auto size = static_cast<std::uint32_t>(found.size());
            std::memcpy(found.data(), &size, sizeof size);
        }) != 0;
        return failed ? nullptr : found.data();
    }
};

extern "C" {

/// Creates a history, or returns 0.
EMSCRIPTEN_KEEPALIVE StateObject* crateful_new_history(World& w, int token, double bytes) {
    return made(w, [&] {
        return std::make_unique<StateHistory>(w, token, HistoryOptions{.bytes = static_cast<std::size_t>(bytes)});
    });
}
/// Returns the address of the number of the present part of an update.
EMSCRIPTEN_KEEPALIVE const std::uint64_t* crateful_history_moment(const StateHistory& of) {
    return &of.history.moment();
}
/// Also records the values of a class that no system watches. Returns what `check` reads.
EMSCRIPTEN_KEEPALIVE int crateful_history_watch(StateHistory& of, ComponentId id) {
    return of.world.guarded([&] { of.history.watch(id); });
}
/// Returns the number of bytes and the entries: of an entity, or, with a name, of the systems with it. Returns 0 if it fails.
EMSCRIPTEN_KEEPALIVE const std::byte* crateful_history_entries(StateHistory& of, std::uint32_t e, const char* name,
                                                               int n) {
    return of.write([&] {
        return n < 0 ? of.history.entries(Entity{e}, std::nullopt)
                     : of.history.entries(std::nullopt, std::string_view(name, static_cast<std::size_t>(n)));
    });
}
/// The same for all that happened from one moment on and before another one.
EMSCRIPTEN_KEEPALIVE const std::byte* crateful_history_between(StateHistory& of, double from, double to) {
    return of.write([&] {
        return of.history.entries(std::nullopt, std::nullopt, static_cast<std::uint64_t>(from),
                                  static_cast<std::uint64_t>(to));
    });
}

}  // extern "C"
}  // namespace crateful
