// One receiver of changes (rule N5).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "change_encoder.hpp"
#include "change_source.hpp"
#include "crateful/changes.hpp"
#include "flights.hpp"

namespace crateful::internal {

/// What one receiver knows: everything up to a round, except what is in `units_`, and on a lossy channel what is in flight.
class ChangeReceiver final : Recipient {
public:
    ChangeReceiver(std::shared_ptr<ChangeSource> of, Selection selection, Channel channel);
    ~ChangeReceiver();
    ChangeReceiver(const ChangeReceiver&) = delete;
    ChangeReceiver& operator=(const ChangeReceiver&) = delete;

    std::vector<std::byte> take(std::size_t max_bytes);
    [[nodiscard]] ChangeSource& source() const noexcept { return *source_; }
    std::vector<std::byte> take_prepared(std::size_t max_bytes);
    void acknowledge(std::span<const std::byte> bytes);
    void select(Entity e);
    void deselect(Entity e, Deselection how);
    void restart();
    /// The selection of entities that do not stay ends, also of those that were removed before.
    void before_exchange(const StateExchange& exchange) noexcept;

    [[nodiscard]] bool gets(Entity e) const noexcept override;
    [[nodiscard]] Whereabouts whereabouts(Entity e) const noexcept override;

private:
    /// An entity that is selected, or that the receiver knows.
    struct Interest {
        std::uint32_t index = 0;
        Entity wanted = NONE;
        Entity sent = NONE;  // what the receiver knows with this index; on a lossy channel, what was acknowledged
        // Of an entity that is kept:
        std::uint32_t round =
            0;  // of what the receiver knows of it; then, until its unit is found, when it is selected again
        bool is_kept = false;  // nothing is sent for it
        bool missed = false;   // its siblings were placed without it
        // It can be selected again before anything is sent, so the round stays.
        void end() noexcept {
            wanted = NONE;
            is_kept = false;
        }
    };
    /// A call of `select` or `deselect`.
    struct Request {
        enum class Kind : std::uint8_t { select, deselect, keep };
        Entity entity;
        Kind kind;
    };

    void require_selected(const char* call) const;
    void request(Entity e, Request::Kind kind);
    void apply_requests();
    [[nodiscard]] bool apply(const Request& request, Interest& to) noexcept;
    void sort_requested() noexcept;
    void request_ended();
    void end_selected_again() noexcept;
    void find_units();
    template <class Visit>
    void each_change(Visit&& visit);
    void add_unit(const Unit& before, std::vector<Interest>::iterator& at);
    [[nodiscard]] Unit unit_of(const Unit& before, const Interest* interest) const noexcept;
    [[nodiscard]] const Interest* interest_of(std::uint32_t index) const noexcept;

    [[nodiscard]] std::vector<std::byte> send(std::size_t limit);
    [[nodiscard]] std::vector<std::byte> encode(std::span<const Unit> units);
    [[noreturn]] void fail_larger(std::span<const Unit> units, std::size_t bytes, std::size_t limit) const;
    void note_flight(std::span<const Unit> units);
    void complete(std::vector<Unit>::iterator at, std::size_t n);

    std::shared_ptr<ChangeSource> source_;
    ChangeEncoder encoder_;
    const bool selects_;
    std::optional<Flights> flights_;  // on a lossy channel
    bool knows_classes_ = false;
    std::uint64_t number_ = 0;  // of the next packet
    std::uint32_t since_ = 0;
    std::vector<Unit> units_;  // what was not sent yet, by index
    std::size_t fitting_ = 1;  // how many units the last packet contained
    std::uint32_t next_index_ = 0;
    std::optional<std::uint32_t> restart_at_;  // after `restart`: the first index that was not sent
    std::vector<std::uint32_t> requested_;     // indices whose units are found again, ascending
    // With `Selection::selected`.
    std::vector<Interest> interests_;  // by index
    std::vector<Request> requests_;
    bool keeps_ = false;         // whether one of these is kept, or was and has no unit yet
    bool is_exchanged_ = false;  // since units were found
    // Memory that is used again.
    std::vector<Unit> next_;
    std::vector<ChangeSource::Change> sorted_;
};

}  // namespace crateful::internal
