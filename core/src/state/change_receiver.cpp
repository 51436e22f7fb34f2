#include "change_receiver.hpp"

#include <algorithm>
#include <cstring>

#include "crateful/detail/message.hpp"
#include "crateful/detail/state_steps.hpp"
#include "state_exchange.hpp"

namespace crateful::internal {
namespace {

constexpr std::size_t NO_LIMIT = ~std::size_t{0};
constexpr std::size_t MOST_REQUESTS = 1024;
constexpr std::uint64_t LAST_NUMBER =
    0xFFFF'FFFF;  // of a packet on a lossy channel: after a year with 120 packets per second

// The first element of a list, which is sorted by `index`, from this one on that is not below `index`. O(log distance).
template <class At>
At find(At at, At end, std::uint32_t index) noexcept {
    std::ptrdiff_t step = 1;
    for (; step < end - at && at[step].index < index; step *= 2) at += step;
    const auto less = [](const auto& each, std::uint32_t than) { return each.index < than; };
    return std::lower_bound(at, step < end - at ? at + step : end, index, less);
}

}  // namespace

ChangeReceiver::ChangeReceiver(std::shared_ptr<ChangeSource> of, Selection selection, Channel channel)
    : source_(std::move(of)), encoder_(*source_), selects_(selection == Selection::selected) {
    if (channel == Channel::lossy) {
        flights_.emplace();
        number_ = 1;
    }
    if (selects_) source_->add_selecting(*this);
}

ChangeReceiver::~ChangeReceiver() {
    if (selects_) source_->remove_selecting(*this);
}

std::vector<std::byte> ChangeReceiver::take(std::size_t max_bytes) {
    source_->state().require_idle("take");
    std::optional<StateLock> lock;  // for functions that encode values
    if (source_->encodes()) {
        lock.emplace(source_->state().ecs);
        static_cast<void>(source_->prepare());
    }
    return take_prepared(max_bytes);
}

std::vector<std::byte> ChangeReceiver::take_prepared(std::size_t max_bytes) {
    source_->collect();
    if (flights_) {
        flights_->begin_take(source_->state().times().frame, requested_);
        sort_requested();
    }
    find_units();
    std::vector<std::byte> bytes;
    while ((restart_at_ || !units_.empty()) && bytes.empty()) bytes = send(max_bytes == 0 ? NO_LIMIT : max_bytes);
    return bytes;
}

bool ChangeReceiver::gets(Entity e) const noexcept {
    if (source_->known(index_of(e)).handle != e) return false;
    if (!selects_) return true;
    const Interest* interest = interest_of(index_of(e));
    return interest != nullptr && interest->wanted == e;
}

Whereabouts ChangeReceiver::whereabouts(Entity e) const noexcept {
    const std::uint32_t index = index_of(e);
    const Interest* interest = selects_ ? interest_of(index) : nullptr;
    if (interest != nullptr && interest->is_kept) {
        const bool stays = !interest->missed && !source_->moved_since(index, interest->round);
        return stays ? Whereabouts::settled : Whereabouts::stale;
    }
    const auto pending = find(units_.begin(), units_.end(), index);
    const bool is_pending = pending != units_.end() && pending->index == index;
    const InFlight* flight = flights_ ? flights_->find(index) : nullptr;
    if (!is_pending && flight == nullptr) return Whereabouts::settled;
    const Unit before = is_pending ? *pending : Unit{.index = index, .since = since_};
    const Unit unit = unit_of(before, interest);
    if (unit.knows && !source_->moved_since(index, unit.since)) return Whereabouts::settled;
    if (flight != nullptr) return Whereabouts::in_flight;
    return unit.knows || unit.knew ? Whereabouts::stale : Whereabouts::absent;
}

// --- acknowledgements -----------------------------------------------------------------------------

void ChangeReceiver::acknowledge(std::span<const std::byte> bytes) {
    if (!flights_)
        fail(ErrorCode::bad_argument,
             {"acknowledge: the channel of the receiver is reliable; create the receiver for a lossy one"});
    if (bytes.empty()) return;  // nothing has arrived
    Acknowledgement what;
    if (bytes.size() != Acknowledgement::BYTES || !what.read(bytes))
        fail(ErrorCode::bad_data, {"acknowledge: these are not the bytes of a replica, or they were changed"});
    if (what.stream != encoder_.stream())
        fail(ErrorCode::bad_data, {"acknowledge: these bytes are for another receiver"});
    const bool is_sent = what.number > 0 && what.number < number_;
    if (!is_sent || (what.number < 64 && what.packets >> what.number != 0))
        fail(ErrorCode::bad_data, {"acknowledge: the bytes name packets that were not sent"});
    flights_->acknowledge(what, requested_, [&](const Flights::Part& part, std::uint32_t round) {
        knows_classes_ = true;
        if (const auto at = find(interests_.begin(), interests_.end(), part.index);
            at != interests_.end() && at->index == part.index)
            at->sent = part.handle;
        const auto unit = find(units_.begin(), units_.end(), part.index);
        if (unit == units_.end() || unit->index != part.index) return;
        unit->since = round;
        requested_.push_back(part.index);
    });
    sort_requested();
}

// --- which entities are selected ------------------------------------------------------------------

void ChangeReceiver::require_selected(const char* call) const {
    if (!selects_)
        fail(ErrorCode::bad_argument, {call, ": the receiver gets all entities; create it with Selection::selected"});
}

void ChangeReceiver::select(Entity e) {
    require_selected("select");
    source_->state().structure().require_alive(e, "select");
    request(e, Request::Kind::select);
}

void ChangeReceiver::deselect(Entity e, Deselection how) {
    require_selected("deselect");
    request(e, how == Deselection::keep ? Request::Kind::keep : Request::Kind::deselect);
}

void ChangeReceiver::request(Entity e, Request::Kind kind) {
    if (requests_.size() >= MOST_REQUESTS) apply_requests();
    requests_.push_back({e, kind});
}

// Returns whether a unit must be found again.
bool ChangeReceiver::apply(const Request& request, Interest& to) noexcept {
    if (request.kind == Request::Kind::select) {
        const bool changes = to.wanted != request.entity || to.is_kept;
        if (to.sent != request.entity) to.round = 0;
        to.wanted = request.entity;
        to.is_kept = false;
        return changes;
    }
    if (to.wanted != request.entity) return false;
    const InFlight* const flight = flights_ ? flights_->find(to.index) : nullptr;
    // What the receiver may not have is forgotten.
    const bool has_it = to.sent == request.entity && (flight == nullptr || !flight->may_lack());
    if (request.kind == Request::Kind::deselect || !has_it) {
        to.end();
        return true;
    }
    if (to.is_kept) return false;
    keeps_ = to.is_kept = true;
    if (to.round != 0) return true;  // it was selected again, and nothing was sent meanwhile
    const auto pending = find(units_.begin(), units_.end(), to.index);
    const bool is_pending = pending != units_.end() && pending->index == to.index;
    to.round = flight != nullptr ? flight->since : is_pending ? pending->since : since_;
    to.missed = is_pending && pending->knew;
    return true;
}

// If it throws, nothing has changed.
void ChangeReceiver::apply_requests() {
    const auto by_index = [](const Request& a, const Request& b) { return index_of(a.entity) < index_of(b.entity); };
    std::stable_sort(requests_.begin(), requests_.end(), by_index);
    std::vector<Interest> interests;
    interests.reserve(interests_.size() + requests_.size());
    requested_.reserve(requested_.size() + requests_.size());
    auto at = interests_.begin();
    const auto keep = [&] {
        const bool in_flight = flights_ && flights_->find(at->index) != nullptr;
        if (at->wanted != NONE || at->sent != NONE || in_flight) interests.push_back(*at);
        ++at;
    };
    for (auto request = requests_.begin(); request != requests_.end();) {
        const std::uint32_t index = index_of(request->entity);
        while (at != interests_.end() && at->index <= index) keep();
        if (interests.empty() || interests.back().index != index) interests.push_back({index});
        bool changes = false;
        for (; request != requests_.end() && index_of(request->entity) == index; ++request)
            changes = apply(*request, interests.back()) || changes;
        if (changes) requested_.push_back(index);
    }
    while (at != interests_.end()) keep();
    interests_ = std::move(interests);
    requests_.clear();
    sort_requested();
}

const ChangeReceiver::Interest* ChangeReceiver::interest_of(std::uint32_t index) const noexcept {
    const auto at = find(interests_.begin(), interests_.end(), index);
    return at != interests_.end() && at->index == index ? &*at : nullptr;
}

void ChangeReceiver::restart() {
    if (flights_)
        fail(ErrorCode::bad_argument, {"restart: the channel of the receiver is lossy: what is lost is sent again "
                                       "without it; to begin again, use "
                                       "a new receiver and a new Replica"});
    restart_at_ = 0;
    since_ = 0;
    units_.clear();
    next_index_ = 0;
    for (Interest& interest : interests_) {
        if (interest.is_kept) interest.end();
        interest = {.index = interest.index, .wanted = interest.wanted};
    }
}

// --- what may have changed ------------------------------------------------------------------------

void ChangeReceiver::sort_requested() noexcept {
    std::sort(requested_.begin(), requested_.end());
    requested_.erase(std::unique(requested_.begin(), requested_.end()), requested_.end());
}

// Handles of entities that do not stay can be issued again.
void ChangeReceiver::before_exchange(const StateExchange& exchange) noexcept {
    is_exchanged_ = true;
    for (Interest& interest : interests_) {
        if (interest.wanted != NONE && !exchange.stays(interest.wanted)) interest.end();
    }
    for (Request& each : requests_) {
        if (!exchange.stays(each.entity)) each.kind = Request::Kind::deselect;
    }
}

// Nothing else reports that an entity was removed and brought back.
void ChangeReceiver::request_ended() {
    requested_.reserve(requested_.size() + interests_.size());
    for (const Interest& interest : interests_) {
        if (interest.wanted == NONE) requested_.push_back(interest.index);
    }
    sort_requested();
    is_exchanged_ = false;
}

// If it throws, nothing has changed.
void ChangeReceiver::find_units() {
    if (!requests_.empty()) apply_requests();
    if (is_exchanged_) request_ended();
    if (since_ == source_->round() && requested_.empty()) return;
    empty_reused(next_);
    auto pending = units_.begin();
    auto interest = interests_.begin();
    const auto add = [&](std::uint32_t index) {
        for (; pending != units_.end() && pending->index < index; ++pending) add_unit(*pending, interest);
        const bool is_pending = pending != units_.end() && pending->index == index;
        add_unit(is_pending ? *pending++ : Unit{.index = index, .since = since_}, interest);
    };
    auto requested = requested_.begin();
    each_change([&](std::uint32_t index) {
        while (requested != requested_.end() && *requested < index) add(*requested++);
        if (requested != requested_.end() && *requested == index) ++requested;
        add(index);
    });
    while (requested != requested_.end()) add(*requested++);
    for (; pending != units_.end(); ++pending) add_unit(*pending, interest);
    units_.swap(next_);
    requested_.clear();
    since_ = source_->round();
    if (keeps_) end_selected_again();
}

// The units of entities that are not kept any more were found.
void ChangeReceiver::end_selected_again() noexcept {
    keeps_ = false;
    for (Interest& interest : interests_) {
        if (interest.is_kept) keeps_ = true;
        else if (interest.round != 0)
            interest = {.index = interest.index, .wanted = interest.wanted, .sent = interest.sent};
    }
}

// Calls `visit(index)` for each entity that changed, and that the receiver may get, in ascending order.
template <class Visit>
void ChangeReceiver::each_change(Visit&& visit) {
    const std::span<const ChangeSource::Change> changes = source_->changed_since(since_, sorted_);
    if (!selects_) {
        for (const auto& change : changes) visit(change.index);
        return;
    }
    auto interest = interests_.begin();
    for (auto change = changes.begin(); change != changes.end();) {
        interest = find(interest, interests_.end(), change->index);
        if (interest == interests_.end()) return;
        change = find(change, changes.end(), interest->index);
        if (change != changes.end() && change->index == interest->index) visit(change++->index);
    }
}

void ChangeReceiver::add_unit(const Unit& before, std::vector<Interest>::iterator& at) {
    const Interest* interest = nullptr;
    if (selects_) {
        at = find(at, interests_.end(), before.index);
        if (at == interests_.end() || at->index != before.index) return;
        if (at->wanted != NONE && !source_->state().tracking().pool.alive(at->wanted)) at->end();
        interest = &*at;
        if (at->is_kept && source_->known(at->index).handle == at->wanted) return;
        if (at->is_kept) at->end();
    }
    Unit last = before;
    if (interest != nullptr && interest->round != 0) {  // it is selected again
        last.since = interest->round;
        last.knew = last.knew || interest->missed;
    }
    const Unit unit = unit_of(last, interest);
    if (unit.knew || unit.wanted) next_.push_back(unit);
}

// What the receiver wants of an entity now, and what it has for certain: packets in flight may have arrived, or not. `interest`: null
// unless the receiver selects.
Unit ChangeReceiver::unit_of(const Unit& before, const Interest* interest) const noexcept {
    Unit unit{.index = before.index, .since = before.since};
    const KnownEntity& known = source_->known(unit.index);
    const InFlight* flight = flights_ ? flights_->find(unit.index) : nullptr;
    if (flight != nullptr) unit.since = flight->since;
    unit.wanted = known.handle != NONE && (interest == nullptr || interest->wanted == known.handle);
    bool has_it = unit.wanted && known.created <= unit.since;
    bool has_another = unit.since > 0 && known.removed > unit.since;
    if (interest != nullptr) {
        has_it = unit.wanted && interest->sent == known.handle;
        has_another = interest->sent != NONE;
    }
    unit.missed = before.missed || !unit.wanted;
    const bool may_have = flight != nullptr && flight->may_have();
    // One that was not wanted meanwhile is created again, because its siblings were placed without it.
    unit.knows = has_it && !before.knew && (flight == nullptr || !flight->may_lack());
    const bool is_sent = !unit.wanted && flight != nullptr && flight->removes();  // all that remains to be sent
    unit.knew = !unit.knows && !is_sent && (has_it || has_another || may_have);
    // On a lossy channel, one that is created again stays, if it was not removed before.
    const bool is_again = known.before == known.handle || unit.since < source_->exchanged();
    if (has_it || (flights_ && unit.knew && is_again)) unit.from = unit.since;
    else if (may_have && flight->handle == known.handle) unit.from = flight->first;
    return unit;
}

// --- sending --------------------------------------------------------------------------------------

// As many units as fit, one round after the other, so that each gets its turn.
std::vector<std::byte> ChangeReceiver::send(std::size_t limit) {
    auto at = limit == NO_LIMIT ? units_.begin() : find(units_.begin(), units_.end(), next_index_);
    if (at == units_.end() && !restart_at_) at = units_.begin();
    const std::span<const Unit> all(at, units_.end());
    std::size_t n = limit == NO_LIMIT ? all.size() : std::min(all.size(), fitting_);
    std::vector<std::byte> bytes = encode(all.first(n));
    // What fits is estimated from what the others need.
    const auto fitting = [&] {
        return static_cast<std::size_t>(static_cast<double>(n) * static_cast<double>(limit) /
                                        static_cast<double>(bytes.size() + 1));
    };
    while (bytes.size() > limit) {
        if (n <= 1) {
            if (n == 1) next_index_ = all.front().index + 1;  // the next call returns what is behind it
            fail_larger(all.first(n), bytes.size(), limit);
        }
        n = std::max<std::size_t>(std::min(fitting(), n / 2), 1);
        bytes = encode(all.first(n));
    }
    while (n < all.size()) {
        const std::size_t more = std::min({all.size(), fitting(), n * 2});
        if (more <= n + n / 16) break;
        std::vector<std::byte> longer = encode(all.first(more));
        if (longer.size() > limit) break;
        n = more;
        bytes = std::move(longer);
    }
    if (flights_ && !bytes.empty()) note_flight(all.first(n));
    complete(at, n);
    if (!bytes.empty()) ++number_;
    return bytes;
}

void ChangeReceiver::fail_larger(std::span<const Unit> units, std::size_t bytes, std::size_t limit) const {
    const Entity e = units.empty() ? NONE : source_->known(units.front().index).handle;
    const std::string of = units.empty() ? "no entity, with the names of the classes,"
                           : e == NONE   ? "an entity that was removed"
                                         : to_string(e);
    fail(ErrorCode::bad_argument,
         {"take: the changes of ", of, " have ", number_text(static_cast<double>(bytes)),
          " bytes, more than the limit of ", number_text(static_cast<double>(limit)),
          "; raise it. They are returned when they fit, and the next call returns those of other entities"});
}

std::vector<std::byte> ChangeReceiver::encode(std::span<const Unit> units) {
    if (!flights_) {
        PacketHead head{number_, false, number_ == 0, units.size() == units_.size() && !keeps_};
        if (restart_at_) {
            const Unit* const behind = units.data() + units.size();
            const bool is_last = behind == units_.data() + units_.size();
            head.has_classes = *restart_at_ == 0;
            head.restart_range = {*restart_at_, is_last ? ENTITY_INDEX_MASK + 1 : behind->index};
        }
        return encoder_.encode(units, *this, head);
    }
    if (number_ == LAST_NUMBER)
        fail(ErrorCode::bad_argument,
             {"take: the receiver has numbered all packets; use a new one, and a new Replica"});
    return encoder_.encode(units, *this, {number_, true, !knows_classes_, false});
}

void ChangeReceiver::note_flight(std::span<const Unit> units) {
    std::vector<Flights::Part> parts;
    parts.reserve(units.size());
    for (const Unit& unit : units)
        parts.push_back({unit.index, unit.wanted ? source_->known(unit.index).handle : NONE});
    flights_->add(static_cast<std::uint32_t>(number_), source_->round(), units, std::move(parts));
}

// The units from `at` on were sent.
void ChangeReceiver::complete(std::vector<Unit>::iterator at, std::size_t n) {
    const auto end = at + static_cast<std::ptrdiff_t>(n);
    fitting_ = std::max<std::size_t>(n, 1);
    next_index_ = end == units_.end() ? 0 : end->index;
    if (restart_at_ && end != units_.end()) restart_at_ = end->index;
    else restart_at_.reset();
    if (selects_ && !flights_) {
        auto interest = interests_.begin();
        for (auto unit = at; unit != end; ++unit) {
            interest = find(interest, interests_.end(), unit->index);
            interest->sent = unit->wanted ? interest->wanted : NONE;
        }
    }
    units_.erase(at, end);
}

}  // namespace crateful::internal
