// Events that wait, in snapshots (rule N1): those with a delay, and those in inboxes.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crateful/detail/host_events.hpp"
#include "format.hpp"
#include "state_access.hpp"

namespace crateful::internal {

/// Classes of events in a snapshot that is written. Throws `bad_argument`.
class EventWriter {
public:
    /// `call` is for messages; the list must exist as long as this object.
    EventWriter(const char* call, std::span<const std::string> without, EntityMap map = {}) noexcept
        : call_(call), without_(without), map_(std::move(map)) {}
    /// The codec of a class; nullptr if `without` names it.
    [[nodiscard]] const EventCodec* codec(EventType type);
    /// An event as bytes: behind a byte that says so, as values of other languages.
    [[nodiscard]] std::vector<std::byte> encoded(const EventCodec& codec, const void* event) const;
    /// A class of the host has this name, and so no class of C++.
    void require_of_host(std::string_view name) const;

private:
    const char* call_;
    std::span<const std::string> without_;
    EntityMap map_;                   // of a compact snapshot
    std::vector<EventType> checked_;  // no other class has their name
};
/// Part 7 of the format.
void write_events(Writer& to, const StateAccess& state, EventWriter& classes, const HostEvents& host);
/// A text as long as a `u32` says.
void write_bytes(Writer& to, std::span<const std::byte> bytes);
/// A number of elements.
void write_count(Writer& to, std::size_t n);

/// Classes of events in a snapshot that is read.
class EventReader {
public:
    /// With `has_host`, names that are not known are those of the host. `without` are the names that the snapshot leaves out.
    EventReader(Reader& from, const RestoreOptions& options, std::span<const std::string_view> without, bool has_host)
        : from_(from), options_(options), without_(without), has_host_(has_host) {}
    /// What to do with events of a name: `codec` is nullptr for those of the host and those that are ignored.
    struct Found {
        EventType type = 0;
        const EventCodec* codec = nullptr;
        bool of_host = false;
        std::string_view name{};  ///< the one that they have now
    };
    [[nodiscard]] Found find(std::string_view name) const;
    /// Whether what does not exist is ignored.
    [[nodiscard]] bool ignores_unknown() const noexcept { return options_.ignore_unknown; }
    /// Whether events of the class are no part of the snapshot.
    [[nodiscard]] bool left_out(EventType type) const;
    /// Reads the encoded bytes of an event.
    [[nodiscard]] std::span<const std::byte> bytes() const;
    /// The same, of the host: bytes or JSON.
    [[nodiscard]] std::span<const std::byte> host_bytes() const;
    /// Reads `n` of these.
    void read_host(std::uint32_t n, HostEvents::Inbox& to) const;
    [[nodiscard]] std::shared_ptr<const void> decode(const EventCodec& codec) const;
    /// Reads a number of events, each of which has at least 4 bytes.
    [[nodiscard]] std::uint32_t count() const;
    [[nodiscard]] Reader& from() const noexcept { return from_; }

private:
    Reader& from_;
    const RestoreOptions& options_;
    std::span<const std::string_view> without_;
    bool has_host_;
};

/// The events outside of systems that `restore` sets. What it does not set stays in it until it is destroyed, after the ECS was
/// restored, because destructors of events may use the ECS.
class EventsPlan {
public:
    /// Reads part 7 of the format, and makes room for everything.
    void read(const StateAccess& state, const EventReader& classes);
    void apply(const StateAccess& state) noexcept;
    HostEvents host;

private:
    StateAccess::Queue queue_;
    StateAccess::Inboxes inboxes_;
    std::vector<EventType> kept_;  // inboxes whose class is left out
};

}  // namespace crateful::internal
