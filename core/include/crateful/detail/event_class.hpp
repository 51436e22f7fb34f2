#pragma once
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "crateful/detail/shared.hpp"
#include "crateful/detail/type_info.hpp"
#include "crateful/entity.hpp"

namespace crateful::internal {

using EventType = std::uint32_t;

/// Whether a class has a name in snapshots.
template <class E>
concept NamedEvent = requires {
    { E::type_name } -> std::convertible_to<std::string_view>;
};

/// Events of one class that are kept until they are read.
struct EventInbox {
    virtual ~EventInbox() = default;
    virtual void push(const void* event) = 0;
    virtual void clear() = 0;
    [[nodiscard]] virtual std::size_t count() const noexcept = 0;
    /// Of a class with a name.
    [[nodiscard]] virtual const void* at(std::size_t k) const noexcept = 0;
    /// An empty one of the same class.
    [[nodiscard]] virtual std::unique_ptr<EventInbox> make() const = 0;
    /// Exchanges the events with those of one of the same class.
    virtual void swap(EventInbox& other) noexcept = 0;
};
/// `List` is a std::vector or std::deque of E.
template <class E, class List>
struct EventInboxOf final : EventInbox {
    void push(const void* event) override { events.push_back(*static_cast<const E*>(event)); }
    void clear() override { const List removed = std::exchange(events, {}); }  // destructors may use the events
    [[nodiscard]] std::size_t count() const noexcept override { return events.size(); }
    [[nodiscard]] const void* at([[maybe_unused]] std::size_t k) const noexcept override {
        if constexpr (NamedEvent<E>) return std::addressof(events[k]);
        else return nullptr;  // not for a std::vector<bool>
    }
    [[nodiscard]] std::unique_ptr<EventInbox> make() const override { return std::make_unique<EventInboxOf>(); }
    void swap(EventInbox& other) noexcept override { events.swap(static_cast<EventInboxOf&>(other).events); }
    List events;
};

/// A listener that is called for each event that is delivered, before its handlers; listeners form a list.
class EventListener {
public:
    virtual void delivered(EventType type) noexcept = 0;

    EventListener* next = nullptr;

protected:
    ~EventListener() = default;
};

/// How snapshots contain the events of a class (rule N1).
struct EventCodec {
    std::string_view name;
    std::vector<std::byte> (*encoder)(const void* event);
    std::shared_ptr<const void> (*decoder)(std::span<const std::byte> bytes);  ///< nullptr: it has another size
    std::unique_ptr<EventInbox> (*make_inbox)();                               ///< for code outside of systems
    /// Replaces the handles in an event; nullptr: the class has no `map_entities`.
    void (*mapper)(void* event, const EntityMap& map);
};
/// A class of events.
struct EventClass {
    std::string_view name;              ///< that of the C++ class
    const EventCodec* codec = nullptr;  ///< nullptr: snapshots cannot contain them
    const void* cls = nullptr;          ///< what identifies it in all shared libraries
    std::size_t bytes = 0;              ///< of an event
};

template <class E>
concept EncodedEvent = requires(const E& event, std::span<const std::byte> bytes) {
    { E::encode(event) } -> std::convertible_to<std::vector<std::byte>>;
    { E::decode(bytes) } -> std::convertible_to<E>;
};

template <class E>
[[nodiscard]] std::vector<std::byte> encode_event(const void* event) {
    if constexpr (EncodedEvent<E>) {
        return E::encode(*static_cast<const E*>(event));
    } else {
        const auto* first = static_cast<const std::byte*>(event);
        return {first, first + (std::is_empty_v<E> ? 0 : sizeof(E))};
    }
}
template <class E>
[[nodiscard]] std::shared_ptr<const void> decode_event(std::span<const std::byte> bytes) {
    if constexpr (EncodedEvent<E>) {
        return std::make_shared<E>(E::decode(bytes));
    } else {
        if (bytes.size() != (std::is_empty_v<E> ? 0 : sizeof(E))) return nullptr;
        std::array<std::byte, sizeof(E)> copy{};
        if (!bytes.empty()) std::memcpy(copy.data(), bytes.data(), bytes.size());
        return std::make_shared<E>(std::bit_cast<E>(copy));
    }
}
template <class E>
[[nodiscard]] constexpr auto event_map() -> void (*)(void*, const EntityMap&) {
    if constexpr (requires(E& event, const EntityMap& map) { E::map_entities(event, map); })
        return [](void* event, const EntityMap& map) { E::map_entities(*static_cast<E*>(event), map); };
    else return nullptr;
}
template <class E>
[[nodiscard]] const EventCodec* event_codec() {
    if constexpr (NamedEvent<E>) {
        static_assert(
            EncodedEvent<E> || std::is_trivially_copyable_v<E>,
            "an event that has a type_name and is not trivially copyable needs static std::vector<std::byte> "
            "encode(const E&) and static E decode(std::span<const std::byte>), so that snapshots can contain it");
        static const EventCodec codec{
            E::type_name, encode_event<E>, decode_event<E>,
            []() -> std::unique_ptr<EventInbox> { return std::make_unique<EventInboxOf<E, std::vector<E>>>(); },
            event_map<E>()};
        return &codec;
    } else {
        return nullptr;
    }
}

/// Registers a class of events, unless another shared library has done so. Throws `bad_argument` if the two have different sizes.
[[nodiscard]] EventType add_event_class(const EventClass& cls);
/// A class that was registered.
[[nodiscard]] EventClass event_class(EventType type);
/// How many were.
[[nodiscard]] EventType event_class_count();
template <class E>
[[nodiscard]] CRATEFUL_SHARED EventType event_type() {
    static const EventType type = add_event_class({class_name<E>(), event_codec<E>(), type_id<E>(), sizeof(E)});
    return type;
}

}  // namespace crateful::internal
