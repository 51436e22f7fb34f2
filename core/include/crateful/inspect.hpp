#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "crateful/ecs.hpp"
#include "crateful/history.hpp"
#include "crateful/rewind.hpp"

namespace crateful {

namespace internal::inspector {
class Inspection;
}  // namespace internal::inspector

/// What a program has, for the inspector to use. It must exist as long as the inspector.
struct InspectorOptions {
    /// What the program records itself. Without it, the request `record` creates one.
    History* history = nullptr;
    /// The rewind that the program has. Without it, the request `record` creates one.
    Rewind* rewind = nullptr;
    /// Runs one frame of the program, with a delta in seconds, for the request `step`. Without it, `ECS::update` is called.
    std::function<void(double delta)> step{};
};

/// Answers the requests of the inspector (rule I1): the panel of a page shows the ECS of a native program. Link `crateful::inspector`.
///
///     Inspector inspector(ecs);
///     …                                                                    // for each message of a WebSocket, between two updates
///     if (const auto answer = inspector.receive(message)) socket.send(*answer);
///
/// docs/inspector.md describes the protocol, and what the page makes of the answers: conditions, and why a system does not track an entity.
/// Classes must be described: of others, only the names are known. A text in a request is
/// UTF-8. Each program that can send messages can change the whole ECS, so answer only during development, and only this machine.
///
/// The inspector is used by the thread of its ECS. It needs exceptions. While nothing is asked, it costs nothing, unless it measures or
/// records, as requests say.
class Inspector {
public:
    /// Nothing is read before the first request. When the ECS does not exist any more, the inspector can only be destroyed.
    explicit Inspector(ECS& ecs, InspectorOptions options = {});
    Inspector(Inspector&&) noexcept;
    Inspector& operator=(Inspector&&) noexcept;
    ~Inspector();

    /// Answers a request, or a list of requests with a list of answers. Both are JSON. The answer to a request that fails, also to a text
    /// that is no JSON, is `{"error":{"code":…,"message":…}}`, and nothing is changed; what a function of the program throws has the code
    /// FAILED. Throws only `std::bad_alloc`. Costs what is asked for: O(entities) for a search, O(classes + systems) for an entity.
    [[nodiscard]] std::string answer(std::string_view request);
    /// Answers a message of a connection, `{"crateful":1,"request":…}`, with `{"crateful":1,"answer":…}`. Returns nothing for any other
    /// text, which is a message of the program. Throws only `std::bad_alloc`.
    [[nodiscard]] std::optional<std::string> receive(std::string_view message);

private:
    std::unique_ptr<internal::inspector::Inspection> made_;
};

}  // namespace crateful
