#include "events.hpp"

#include <algorithm>
#include <limits>

#include "crateful/detail/first_error.hpp"
#include "crateful/detail/message.hpp"

namespace crateful::internal {

namespace {
template <class List, class T>
bool names(const List& list, const T& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}
std::string_view name_of(const EventClass& cls) { return cls.codec != nullptr ? cls.codec->name : cls.name; }

[[noreturn]] void fail_same_name(const char* call, std::string_view name) {
    fail(ErrorCode::bad_argument, {call, ": two classes of events have the name ", name});
}
struct NamedClass {
    EventType type = 0;
    const EventCodec* codec = nullptr;  // nullptr if there is no class of this name
};
// The class of C++ with a name. Throws if there are several.
NamedClass class_named(const char* call, std::string_view name) {
    NamedClass found;
    for (EventType type = 0; type < event_class_count(); ++type) {
        const EventCodec* codec = event_class(type).codec;
        if (codec == nullptr || codec->name != name) continue;
        if (found.codec != nullptr) fail_same_name(call, name);
        found = {type, codec};
    }
    return found;
}
}  // namespace

// --- writing --------------------------------------------------------------------------------------

void write_count(Writer& to, std::size_t n) { to.put(static_cast<std::uint32_t>(n)); }
void write_bytes(Writer& to, std::span<const std::byte> bytes) {
    write_count(to, bytes.size());
    to.array(bytes);
}

const EventCodec* EventWriter::codec(EventType type) {
    const EventClass cls = event_class(type);
    if (names(without_, name_of(cls))) return nullptr;
    if (cls.codec == nullptr) {
        fail(ErrorCode::bad_argument,
             {call_, ": an event of ", cls.name, " waits, and its class has no `type_name`; give it one, or name ",
              cls.name, " in `without`"});
    }
    if (!names(checked_, type)) {
        static_cast<void>(class_named(call_, cls.codec->name));
        checked_.push_back(type);
    }
    return cls.codec;
}

void EventWriter::require_of_host(std::string_view name) const {
    if (class_named(call_, name).codec != nullptr) fail_same_name(call_, name);
}

std::vector<std::byte> EventWriter::encoded(const EventCodec& codec, const void* event) const {
    std::vector<std::byte> bytes;
    FirstError::call([&] { bytes = codec.encoder(event); });
    if (map_) {
        if (codec.mapper == nullptr) {
            fail(ErrorCode::bad_argument,
                 {call_, ": compact: an event of ", codec.name,
                  " waits, and its class has no `map_entities`; add it, or name ", codec.name, " in `without`"});
        }
        FirstError::call([&] {
            const std::shared_ptr<const void> copy = codec.decoder(bytes);
            codec.mapper(const_cast<void*>(copy.get()), map_);
            bytes = codec.encoder(copy.get());
        });
    }
    bytes.insert(bytes.begin(), std::byte{0});
    return bytes;
}

void write_events(Writer& to, const StateAccess& state, EventWriter& classes, const HostEvents& host) {
    // Both are sorted by time; a merge keeps the order of equal ones.
    std::vector<HostEvents::Queued> own;
    if (state.queue() != nullptr) {
        for (const auto& [due, event] : *state.queue()) {
            if (const EventCodec* codec = classes.codec(event.type))
                own.push_back({std::string(codec->name), due, classes.encoded(*codec, event.event.get())});
        }
    }
    std::vector<const HostEvents::Queued*> queued;
    for (const std::vector<HostEvents::Queued>* list : {&std::as_const(own), &host.queued}) {
        for (const HostEvents::Queued& event : *list) queued.push_back(&event);
    }
    std::stable_sort(queued.begin(), queued.end(), [](const auto* a, const auto* b) { return a->due < b->due; });
    write_count(to, queued.size());
    for (const HostEvents::Queued& event : host.queued) classes.require_of_host(event.name);
    for (const HostEvents::Inbox& box : host.inboxes) classes.require_of_host(box.name);
    for (const HostEvents::Queued* event : queued) {
        to.text(event->name);
        to.put(event->due);
        write_bytes(to, event->bytes);
    }

    std::vector<HostEvents::Inbox> inboxes;
    if (state.inboxes() != nullptr) {
        for (const auto& [type, box] : *state.inboxes()) {
            if (box->count() == 0) continue;
            const EventCodec* codec = classes.codec(type);
            if (codec == nullptr) continue;
            inboxes.push_back({{}, std::string(codec->name), {}});
            for (std::size_t k = 0; k < box->count(); ++k)
                inboxes.back().events.push_back(classes.encoded(*codec, box->at(k)));
        }
    }
    for (const HostEvents::Inbox& box : host.inboxes) {
        if (box.system.empty() && !box.events.empty()) inboxes.push_back(box);
    }
    std::stable_sort(inboxes.begin(), inboxes.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    write_count(to, inboxes.size());
    for (const HostEvents::Inbox& box : inboxes) {
        to.text(box.name);
        write_count(to, box.events.size());
        for (const auto& bytes : box.events) write_bytes(to, bytes);
    }
}

// --- reading --------------------------------------------------------------------------------------

EventReader::Found EventReader::find(std::string_view name) const {
    Found found{.name = name};
    for (const auto& [before, now] : options_.rename) {
        if (before == name) found.name = now;
    }
    if (names(options_.ignore, name)) return found;
    const auto [type, codec] = class_named(from_.call(), found.name);
    found.type = type;
    found.codec = codec;
    found.of_host = found.codec == nullptr && has_host_;
    if (found.codec != nullptr || found.of_host || options_.ignore_unknown) return found;
    fail(ErrorCode::bad_argument,
         {from_.call(), ": there is no class of events with the `type_name` ", found.name,
          "; name it in `ignore`, or its new name in `rename`. A class is known when the program has used it: "
          "subscribed, collected or dispatched it, or added a system with an Inbox of it"});
}

bool EventReader::left_out(EventType type) const { return names(without_, name_of(event_class(type))); }

std::span<const std::byte> EventReader::bytes() const {
    const std::string_view text = from_.text();
    return std::as_bytes(std::span(text));
}

std::span<const std::byte> EventReader::host_bytes() const {
    const std::span<const std::byte> value = bytes();
    if (value.empty() || value[0] > std::byte{1}) from_.fail("an event is neither bytes nor JSON", {}, value.data());
    return value;
}

void EventReader::read_host(std::uint32_t n, HostEvents::Inbox& to) const {
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::span<const std::byte> value = host_bytes();
        to.events.emplace_back(value.begin(), value.end());
        to.positions.push_back(from_.position(value.data()));
    }
}

std::shared_ptr<const void> EventReader::decode(const EventCodec& codec) const {
    const std::span<const std::byte> value = bytes();
    if (value.empty() || value[0] != std::byte{0}) from_.fail("an event is not bytes: ", codec.name);
    std::shared_ptr<const void> event;
    FirstError::call([&] { event = codec.decoder(value.subspan(1)); });
    if (!event) from_.fail("an event has another size: ", codec.name);
    return event;
}

std::uint32_t EventReader::count() const {
    const auto n = from_.get<std::uint32_t>();
    from_.require(n, 4);
    return n;
}

void EventsPlan::read(const StateAccess& state, const EventReader& classes) {
    Reader& from = classes.from();
    const std::uint32_t queued = classes.count();
    double last = 0;
    for (std::uint32_t k = 0; k < queued; ++k) {
        const EventReader::Found found = classes.find(from.text());
        const auto due = from.get<double>();
        if (!(due >= last && due <= std::numeric_limits<double>::max()))
            from.fail("the time of an event is not possible");
        last = due;
        if (found.codec != nullptr) queue_.emplace(due, StateAccess::queued(found.type, classes.decode(*found.codec)));
        else if (const auto bytes = classes.host_bytes(); found.of_host)
            host.queued.push_back(
                {std::string(found.name), due, {bytes.begin(), bytes.end()}, from.position(bytes.data())});
    }
    const std::uint32_t boxes = classes.count();
    for (std::uint32_t k = 0; k < boxes; ++k) {
        const EventReader::Found found = classes.find(from.text());
        const std::uint32_t n = classes.count();
        if (found.codec != nullptr) {
            std::unique_ptr<EventInbox>& box = inboxes_[found.type];
            if (box) from.fail("an inbox is listed twice: ", found.name);
            box = found.codec->make_inbox();
            for (std::uint32_t i = 0; i < n; ++i) box->push(classes.decode(*found.codec).get());
            continue;
        }
        HostEvents::Inbox box{{}, std::string(found.name), {}};
        classes.read_host(n, box);
        if (found.of_host) host.inboxes.push_back(std::move(box));
    }

    if (!queue_.empty() || !inboxes_.empty()) state.make_event_store();
    if (state.queue() == nullptr) return;
    for (const auto& [due, event] : *state.queue()) {
        if (classes.left_out(event.type)) queue_.emplace(due, event);
    }
    for (const auto& [type, box] : *state.inboxes()) {
        if (classes.left_out(type)) kept_.push_back(type);
        else if (!inboxes_.contains(type)) inboxes_.emplace(type, box->make());
    }
}

void EventsPlan::apply(const StateAccess& state) noexcept {
    if (state.queue() == nullptr) return;
    state.queue()->swap(queue_);
    for (auto& [type, box] : *state.inboxes()) {
        const auto now = inboxes_.find(type);
        if (now != inboxes_.end() && !names(kept_, type)) box->swap(*now->second);
    }
    state.inboxes()->merge(inboxes_);  // those that it does not have yet
}

}  // namespace crateful::internal
