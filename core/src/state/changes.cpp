// Changes for any number of receivers (rule N5, docs/format.md).
#include "crateful/changes.hpp"

#include <algorithm>
#include <optional>

#include "change_encoder.hpp"
#include "change_source.hpp"
#include "crateful/detail/change_steps.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/detail/state_steps.hpp"

namespace crateful {
namespace internal {

/// What one receiver knows: everything up to a round, except what is in `units_`.
class ChangeReceiver final : Recipient {
public:
    ChangeReceiver(std::shared_ptr<ChangeSource> of, Selection selection)
        : source_(std::move(of)), encoder_(*source_), selects_(selection == Selection::selected) {}

    std::vector<std::byte> take(std::size_t max_bytes) {
        source_->state().require_idle("take");
        std::optional<StateLock> lock;  // for functions that encode values
        if (source_->encodes()) {
            lock.emplace(source_->state().ecs);
            static_cast<void>(source_->prepare());
        }
        return take_prepared(max_bytes);
    }
    [[nodiscard]] ChangeSource& source() const noexcept { return *source_; }
    std::vector<std::byte> take_prepared(std::size_t max_bytes) {
        source_->collect();
        find_units();
        std::vector<std::byte> bytes;
        while (!units_.empty() && bytes.empty()) bytes = send(max_bytes == 0 ? NO_LIMIT : max_bytes);
        return bytes;
    }

    void select(Entity e) {
        require_selected("select");
        source_->state().structure().require_alive(e, "select");
        request(e, true);
    }
    void deselect(Entity e) {
        require_selected("deselect");
        request(e, false);
    }
    [[nodiscard]] bool gets(Entity e) const noexcept override {
        if (source_->known(index_of(e)).handle != e) return false;
        if (!selects_) return true;
        const auto at = find(interests_.begin(), interests_.end(), index_of(e));
        return at != interests_.end() && at->index == index_of(e) && at->wanted == e;
    }

private:
    static constexpr std::size_t NO_LIMIT = ~std::size_t{0};
    static constexpr std::size_t MOST_REQUESTS = 1024;

    /// An entity that is selected, or that the receiver knows.
    struct Interest {
        std::uint32_t index = 0;
        Entity wanted = NONE;
        Entity sent = NONE;  // what the receiver knows with this index
    };
    /// A call of `select` or `deselect`.
    struct Request {
        Entity entity;
        bool selects;
    };

    void require_selected(const char* call) const {
        if (!selects_)
            fail(ErrorCode::bad_argument,
                 {call, ": the receiver gets all entities; create it with Selection::selected"});
    }

    // The first element of a list, which is sorted by `index`, from this one on that is not below `index`. O(log distance).
    template <class At>
    static At find(At at, At end, std::uint32_t index) noexcept {
        std::ptrdiff_t step = 1;
        for (; step < end - at && at[step].index < index; step *= 2) at += step;
        const auto less = [](const auto& each, std::uint32_t than) { return each.index < than; };
        return std::lower_bound(at, step < end - at ? at + step : end, index, less);
    }

    // --- which entities are selected ----------------------------------------------------------

    void request(Entity e, bool selects) {
        if (requests_.size() >= MOST_REQUESTS) apply_requests();
        requests_.push_back({e, selects});
    }

    // If it throws, nothing has changed.
    void apply_requests() {
        const auto by_index = [](const Request& a, const Request& b) {
            return index_of(a.entity) < index_of(b.entity);
        };
        std::stable_sort(requests_.begin(), requests_.end(), by_index);
        std::vector<Interest> interests;
        interests.reserve(interests_.size() + requests_.size());
        requested_.reserve(requested_.size() + requests_.size());
        auto at = interests_.begin();
        const auto keep = [&] {
            if (at->wanted != NONE || at->sent != NONE) interests.push_back(*at);
            ++at;
        };
        for (const auto& [e, selects] : requests_) {
            while (at != interests_.end() && at->index <= index_of(e)) keep();
            if (interests.empty() || interests.back().index != index_of(e)) interests.push_back({index_of(e)});
            Interest& interest = interests.back();
            if (selects) interest.wanted = e;
            else if (interest.wanted == e) interest.wanted = NONE;
            requested_.push_back(index_of(e));
        }
        while (at != interests_.end()) keep();
        interests_ = std::move(interests);
        requests_.clear();
        std::sort(requested_.begin(), requested_.end());
        requested_.erase(std::unique(requested_.begin(), requested_.end()), requested_.end());
    }

    // --- what may have changed ----------------------------------------------------------------

    // The state was exchanged: the handles of entities that vanished can be issued again.
    void forget_vanished() {
        const std::uint32_t now = source_->state().tracking().restorations;
        if (restorations_ == now) return;
        requested_.reserve(requested_.size() + interests_.size());
        for (Interest& interest : interests_) {
            if (interest.wanted == NONE || source_->state().tracking().pool.alive(interest.wanted)) continue;
            interest.wanted = NONE;
            requested_.push_back(interest.index);
        }
        std::sort(requested_.begin(), requested_.end());
        requested_.erase(std::unique(requested_.begin(), requested_.end()), requested_.end());
        restorations_ = now;
    }

    // If it throws, nothing has changed.
    void find_units() {
        if (!requests_.empty()) apply_requests();
        if (selects_) forget_vanished();
        if (since_ == source_->round() && requested_.empty()) return;
        next_.clear();
        auto pending = units_.begin();
        auto interest = interests_.begin();
        const auto add = [&](std::uint32_t index) {
            for (; pending != units_.end() && pending->index < index; ++pending)
                add_unit(pending->index, pending->since, interest);
            const bool is_pending = pending != units_.end() && pending->index == index;
            add_unit(index, is_pending ? pending++->since : since_, interest);
        };
        auto requested = requested_.begin();
        each_change([&](std::uint32_t index) {
            while (requested != requested_.end() && *requested < index) add(*requested++);
            if (requested != requested_.end() && *requested == index) ++requested;
            add(index);
        });
        while (requested != requested_.end()) add(*requested++);
        for (; pending != units_.end(); ++pending) add_unit(pending->index, pending->since, interest);
        units_.swap(next_);
        requested_.clear();
        since_ = source_->round();
    }

    // Calls `visit(index)` for each entity that changed, and that the receiver may get, in ascending order.
    template <class Visit>
    void each_change(Visit&& visit) {
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

    void add_unit(std::uint32_t index, std::uint32_t since, std::vector<Interest>::iterator& at) {
        const KnownEntity& known = source_->known(index);
        Unit unit{index, since, false, false, known.handle != NONE};
        if (!selects_) {
            unit.knows = unit.wanted && known.created <= since;
            unit.knew = !unit.knows && since > 0 && known.removed > since;
        } else {
            at = find(at, interests_.end(), index);
            if (at == interests_.end() || at->index != index) return;
            if (at->wanted != NONE && !source_->state().tracking().pool.alive(at->wanted)) at->wanted = NONE;
            unit.wanted = unit.wanted && at->wanted == known.handle;
            unit.knows = unit.wanted && at->sent == known.handle;
            unit.knew = at->sent != NONE && !unit.knows;
        }
        if (unit.knew || unit.wanted) next_.push_back(unit);
    }

    // --- sending ------------------------------------------------------------------------------

    // As many units as fit, one round after the other, so that each gets its turn.
    std::vector<std::byte> send(std::size_t limit) {
        auto at = limit == NO_LIMIT ? units_.begin() : find(units_.begin(), units_.end(), next_index_);
        if (at == units_.end()) at = units_.begin();
        const std::span<const Unit> all(at, units_.end());
        std::size_t n = limit == NO_LIMIT ? all.size() : std::min(all.size(), fitting_);
        std::vector<std::byte> bytes = encoder_.encode(all.first(n), *this, number_);
        // What fits is estimated from what the others need.
        const auto fitting = [&] {
            return static_cast<std::size_t>(static_cast<double>(n) * static_cast<double>(limit) /
                                            static_cast<double>(bytes.size() + 1));
        };
        while (bytes.size() > limit) {
            if (n == 1) {
                fail(ErrorCode::bad_argument,
                     {"take: the changes of one entity have ", number_text(static_cast<double>(bytes.size())),
                      " bytes, more than the limit of ", number_text(static_cast<double>(limit))});
            }
            n = std::max<std::size_t>(std::min(fitting(), n / 2), 1);
            bytes = encoder_.encode(all.first(n), *this, number_);
        }
        while (n < all.size()) {
            const std::size_t more = std::min({all.size(), fitting(), n * 2});
            if (more <= n + n / 16) break;
            std::vector<std::byte> longer = encoder_.encode(all.first(more), *this, number_);
            if (longer.size() > limit) break;
            n = more;
            bytes = std::move(longer);
        }
        return complete(at, n, std::move(bytes));
    }

    // The units from `at` on were sent.
    std::vector<std::byte> complete(std::vector<Unit>::iterator at, std::size_t n, std::vector<std::byte> bytes) {
        const auto end = at + static_cast<std::ptrdiff_t>(n);
        fitting_ = n;
        next_index_ = end == units_.end() ? 0 : end->index;
        if (selects_) {
            auto interest = interests_.begin();
            for (auto unit = at; unit != end; ++unit) {
                interest = find(interest, interests_.end(), unit->index);
                interest->sent = unit->wanted ? interest->wanted : NONE;
            }
        }
        units_.erase(at, end);
        if (!bytes.empty()) ++number_;
        return bytes;
    }

    std::shared_ptr<ChangeSource> source_;
    ChangeEncoder encoder_;
    const bool selects_;
    std::uint64_t number_ = 0;  // of the next packet
    std::uint32_t since_ = 0;
    std::vector<Unit> units_;  // what was not sent yet, by index
    std::size_t fitting_ = 1;  // how many units the last packet contained
    std::uint32_t next_index_ = 0;
    // With `Selection::selected`.
    std::vector<Interest> interests_;  // by index
    std::vector<Request> requests_;
    std::vector<std::uint32_t> requested_;  // the indices of those that were applied, which may have changed
    std::uint32_t restorations_ = 0;
    // Memory that is used again.
    std::vector<Unit> next_;
    std::vector<ChangeSource::Change> sorted_;
};

// --- steps ----------------------------------------------------------------------------------------

struct ChangeAccess {
    static Changes make(std::shared_ptr<ChangeSource> source) { return Changes(std::move(source)); }
    static const ChangeSource& of(const Changes& changes) { return *changes.source_; }
    static ChangeReceiver& of(Receiver& receiver) { return *receiver.made_; }
};

Changes changes_with_objects(ECS& ecs, const ChangesOptions& options) {
    return ChangeAccess::make(std::make_shared<ChangeSource>(ecs, options, true));
}

std::vector<ComponentId> object_classes(const Changes& of) {
    std::vector<ComponentId> ids;
    for (const TrackedClass& cls : ChangeAccess::of(of).classes()) {
        const ComponentType& type = cls.storage->type();
        if (type.kind == ComponentKind::object) ids.push_back(type.id);
    }
    return ids;
}

struct TakeSteps::Parts {
    explicit Parts(ChangeReceiver& of) : receiver(of) {
        source().state().require_idle("take");
        if (!source().encodes()) return;
        lock.emplace(source().state().ecs);
        encoded = source().prepare();
    }
    [[nodiscard]] ChangeSource& source() const noexcept { return receiver.source(); }
    ChangeReceiver& receiver;
    std::optional<StateLock> lock;
    std::vector<EncodedChanges*> encoded{};
};
TakeSteps::TakeSteps(Receiver& of) : parts_(std::make_unique<Parts>(ChangeAccess::of(of))) {}
TakeSteps::~TakeSteps() = default;

std::vector<TakeSteps::Class> TakeSteps::classes() const {
    std::vector<Class> found;
    for (const EncodedChanges* changes : parts_->encoded) found.push_back({changes->id, changes->entities});
    return found;
}

void TakeSteps::set(std::size_t k, std::span<const std::uint32_t> lengths, const std::byte* bytes) {
    std::vector<EncodedValue>& values = parts_->encoded[k]->values;
    values.clear();
    for (const std::uint32_t n : lengths) {
        values.emplace_back(bytes, bytes + n);
        bytes += n;
    }
}

std::vector<std::byte> TakeSteps::take(std::size_t max_bytes) { return parts_->receiver.take_prepared(max_bytes); }

}  // namespace internal

Changes::Changes(ECS& ecs, const ChangesOptions& options)
    : source_(std::make_shared<internal::ChangeSource>(ecs, options, false)) {}
Changes::Changes(std::shared_ptr<internal::ChangeSource> source) noexcept : source_(std::move(source)) {}
Receiver Changes::receiver(Selection selection) {
    return Receiver(std::make_unique<internal::ChangeReceiver>(source_, selection));
}
Receiver::Receiver(std::unique_ptr<internal::ChangeReceiver> made) noexcept : made_(std::move(made)) {}
Receiver::Receiver(Receiver&&) noexcept = default;
Receiver& Receiver::operator=(Receiver&&) noexcept = default;
Receiver::~Receiver() = default;
std::vector<std::byte> Receiver::take(std::size_t max_bytes) { return made_->take(max_bytes); }
void Receiver::select(Entity e) { made_->select(e); }
void Receiver::deselect(Entity e) { made_->deselect(e); }

}  // namespace crateful
