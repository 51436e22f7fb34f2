// The last frames and events of an ECS, while it is measured.
#pragma once
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crateful/detail/frame_listener.hpp"
#include "systems.hpp"

namespace crateful::internal::inspector {

/// Collects what happens in an ECS. While it is off, the ECS has nothing of it.
class Measurement final : public FrameListener, public EventListener {
public:
    explicit Measurement(ECS& ecs) noexcept : state_(ecs) {}
    ~Measurement() { stop(); }
    Measurement(const Measurement&) = delete;
    Measurement& operator=(const Measurement&) = delete;

    [[nodiscard]] bool on() const noexcept { return on_; }
    void start();
    void stop() noexcept;
    /// A request has come, so the measurement continues.
    void touch() noexcept;
    /// Forgets the frames after one to which the ECS has gone back.
    void went_to(double frame);

    /// Milliseconds a frame by clock, over the frames that are kept; nothing unless it measures.
    [[nodiscard]] std::optional<std::map<std::string, double>> averages() const;
    /// The answers to `frames` and `events`.
    [[nodiscard]] Json frames(double since, const Systems& systems) const;
    [[nodiscard]] Json events(std::size_t count) const;

private:
    struct Frame {
        double frame;
        double total;                                         ///< milliseconds
        std::vector<std::pair<std::size_t, double>> times{};  ///< the number of a clock, and milliseconds
    };
    struct Event {
        double frame;
        EventType type;
    };
    void frame_ended(bool destroyed) noexcept override;
    void delivered(EventType type) noexcept override;
    void add_frame();
    [[nodiscard]] std::size_t clock(const std::string& name);

    StateAccess state_;
    bool on_ = false;
    bool was_enabled_ = false;  // the profiler
    double asked_ = 0;          // when, in milliseconds
    std::vector<std::string> clocks_;
    std::deque<Frame> frames_;
    std::map<EventType, std::size_t> counts_;
    std::deque<Event> events_;
};

}  // namespace crateful::internal::inspector
