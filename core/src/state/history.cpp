// Who changed what (rule D14).
#include "crateful/history.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "crateful/detail/change_history.hpp"
#include "crateful/detail/frame_listener.hpp"
#include "history_copy.hpp"
#include "history_reader.hpp"

namespace crateful {
namespace internal {

/// A ring of records, each of which is what one run of a system has changed, or what was changed outside of them.
class ChangeHistory::Log final : public HistoryCopy, public FrameListener {
public:
    Log(ECS& of, const HistoryOptions& options, RecordingHost* host)
        : HistoryCopy(of, host), most_bytes_(options.bytes) {
        state_.require_idle("History");
        restart();
        state_.add_listener(*this);
    }
    ~Log() override {
        if (!ended_) state_.remove_listener(*this);
    }
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    [[nodiscard]] std::vector<NumberedEntry> entries(std::optional<Entity> e, std::optional<std::string_view> system,
                                                     std::uint64_t from, std::uint64_t to) {
        if (!state_.tracking().in_progress()) record(nullptr, false);
        std::vector<NumberedEntry> found;
        HistoryReader reader(state_, classes(), names_);
        for (auto step = steps_.rbegin(); step != steps_.rend() && step->moment >= from; ++step) {
            if (step->moment < to) reader.read(*step, e, system, found);
        }
        return found;
    }
    [[nodiscard]] const std::uint64_t& moment() const noexcept { return moment_; }
    /// See `History::watch`.
    void watch(ComponentId id) {
        if (ended_) return;
        state_.ecs.by_id().storage(id).keep_changes(true);
        const bool idle = !state_.tracking().in_progress();
        if (idle) record(nullptr, false);  // the signals before it
        wanted_.insert(id);
        systems_ = CHOOSE_AGAIN;
        if (idle) record(nullptr, false);
    }

private:
    static constexpr std::uint64_t CHOOSE_AGAIN = ~std::uint64_t{0};  // of no version
    /// A system that can become dirty by changes of a class.
    struct Concerned {
        SystemBase* system;
        const ListedSystem* watches = nullptr;   ///< it watches the class
        const ListedSystem* inherits = nullptr;  ///< another parent is a change for it
        const ListedSystem* needs = nullptr;     ///< it starts to track the entity with the class
        const ListedSystem* filters = nullptr;   ///< it can start to do so
        const ListedSystem* reads =
            nullptr;  ///< its parent's component makes an entity dirty when it is added or removed
    };
    static constexpr std::size_t MOST_CONCERNED = 32;  // a bit for each

    void before_systems() noexcept override { record(nullptr, false); }
    void system_ran(const SystemBase& system) noexcept override { record(&system, false); }
    void frame_ended(bool destroyed) noexcept override {
        if (destroyed) {
            ended_ = true;
            return;
        }
        record(nullptr, true);
        if (state_.pending_removals().empty()) marked_.clear();
    }

    /// Appends what has changed since the last call. `ended`: at the end of an update, which has counted already.
    void record(const SystemBase* system, bool ended) noexcept {
        FirstError error;
        error.guard([&] {
            if (is_old_) return restart();
            const std::uint32_t number = system == nullptr ? 0 : name_number(*system);
            const bool restored = restorations_ != state_.tracking().restorations;
            if (restored || clears_ != state_.clears()) marked_.clear();  // others can have these handles
            clears_ = state_.clears();
            std::vector<HistoryRemover> removers;
            if (system == nullptr) removers = all_marked();
            if (!ended) note_marked(number);
            state_.tracking().drain_marks();
            const StateLock lock(state_.ecs);  // for functions that encode values
            take_classes();
            if (restored) set_times({});
            restorations_ = state_.tracking().restorations;
            ran_ = system;
            since_.assign(state_.tracking().classes().size(), 0);
            for (const CopiedClass& cls : classes()) since_[cls.type().id] = cls.signals;
            made_.clear();
            for (std::size_t k = 0; k < classes().size(); ++k) note_class(k, made_);
            if (systems_ != state_.tracking().systems_version()) choose_again();
            if (made_.bytes.empty()) return;
            const double frame = state_.times().frame + (ended || state_.frame_stays() ? 0 : 1);
            HistoryStep step{frame, moment_, number, made_.packed(), std::move(removers), nullptr};
            if (!made_.strings.empty())
                step.strings = std::make_unique<Strings::Kept>(state_.tracking().strings, made_.strings);
            append(std::move(step));
        });
        if (error.failed()) is_old_ = true;
        ++moment_;
    }
    /// Forgets everything, and starts from the present state.
    void restart() {
        is_old_ = true;
        steps_.clear();
        bytes_ = 0;
        note_marked(0);
        state_.tracking().drain_marks();
        const StateLock lock(state_.ecs);  // for functions that encode values
        take_classes();
        forget();
        Record ignored;
        for (std::size_t k = 0; k < classes().size(); ++k) {
            sync(k, ignored);
            ignored = {};
        }
        free_found();
        choose_again();
        restorations_ = state_.tracking().restorations;
        is_old_ = false;
    }

    // --- which values are kept ---

    [[nodiscard]] bool is_watched(const ComponentClass& cls) const noexcept {
        return wanted_.contains(cls.storage->type().id) ||
               std::any_of(cls.watching.begin(), cls.watching.end(),
                           [](const ListedSystem& w) { return w.system != nullptr; });
    }
    [[nodiscard]] Kept choice(const ComponentClass& cls) const noexcept {
        return is_watched(cls) ? best(cls) : Kept::nothing;
    }
    void take_classes() {
        add_classes([&](ComponentClass& cls) {
            cls.storage->keep_changes(false);
            return choice(cls);
        });
    }
    void choose_again() {
        for (CopiedClass& cls : classes()) {
            if (const Kept kept = choice(*cls.cls); kept != cls.kept) keep(cls, kept);
        }
        systems_ = state_.tracking().systems_version();
    }

    // --- what has changed ---

    void note_class(std::size_t k, Record& made) {
        sync(k, made);
        if (!any()) return;
        const CopiedClass& cls = classes()[k];
        const auto number = static_cast<std::uint32_t>(k);
        // Of a class that is watched since this run, the values before it are not known.
        if (is_watched(*cls.cls) && cls.kept == choice(*cls.cls)) note_signals(number, made);
        note_notified(cls, number, made);
    }
    void note_signals(std::uint32_t number, Record& made) {
        if (same().empty()) return;
        Writer to(made.bytes);
        to.put(number_of(Part::signals));
        to.put(number);
        to.put(static_cast<std::uint32_t>(same().size()));
        to.array(same());
    }

    /// For each entity, the systems that are dirty now: one set of bits if it is the same for all.
    void note_notified(const CopiedClass& cls, std::uint32_t number, Record& made) {
        find_concerned(cls);
        if (concerned_.empty()) return;
        const bool same = moved().empty() && find_same_bits(cls);
        if (!same) find_pairs(cls);
        if (pairs_.empty()) return;
        Writer to(made.bytes);
        to.put(number_of(Part::notified));
        to.put(number);
        to.put(static_cast<std::uint32_t>(concerned_.size()));
        for (const Concerned& each : concerned_) to.put(name_number(*each.system));
        to.put(static_cast<std::uint32_t>(same ? 0 : pairs_.size()));
        if (same) to.put(pairs_.front().bits);
        else to.array(std::span<const NotifiedBits>(pairs_));
    }
    /// Whether all entities have the same bits, which are those of the first pair then.
    [[nodiscard]] bool find_same_bits(const CopiedClass& cls) {
        pairs_.clear();
        const std::span<const Entity> all = stayed();
        if (all.empty()) return false;
        pairs_.push_back({all.front(), bits_of(cls, all.front(), false)});
        const std::uint32_t bits = pairs_.front().bits;
        const EntityPool& pool = state_.tracking().pool;
        // For most systems, these classes decide.
        const std::uint32_t classes = pool.signature(all.front())[0];
        const bool decisive = std::all_of(concerned_.begin(), concerned_.end(), [](const Concerned& each) {
            return each.inherits == nullptr &&
                   (each.watches == nullptr || (!each.watches->has_more && !each.watches->descendants));
        });
        return std::all_of(all.begin() + 1, all.end(), [&](Entity e) {
            return decisive && pool.signature(e)[0] == classes ? true : bits_of(cls, e, false) == bits;
        });
    }
    void find_pairs(const CopiedClass& cls) {
        pairs_.clear();
        for (const std::uint32_t index : moved()) {
            const Entity e = state_.tracking().pool.at(index);
            if (e != NONE) pairs_.push_back({e, bits_of(cls, e, is_new(cls, e))});
        }
        for (const Entity e : stayed()) {
            if (moved().empty() || !is_new(cls, e)) pairs_.push_back({e, bits_of(cls, e, false)});
        }
    }
    void find_concerned(const CopiedClass& cls) {
        concerned_.clear();
        const auto add = [&](const SystemList& list, const ListedSystem* Concerned::* as) {
            for (const ListedSystem& each : list) {
                if (each.system == nullptr || !each.system->watches_any()) continue;
                auto known = std::find_if(concerned_.begin(), concerned_.end(),
                                          [&](const Concerned& other) { return other.system == each.system; });
                if (known == concerned_.end()) {
                    if (concerned_.size() == MOST_CONCERNED) continue;
                    known = concerned_.insert(known, {each.system});
                }
                (*known).*as = &each;
            }
        };
        add(cls.cls->watching, &Concerned::watches);
        if (cls.type().id == PARENT_ID) add(state_.inheriting(), &Concerned::inherits);
        if (moved().empty()) return;
        add(cls.cls->requiring, &Concerned::needs);
        add(cls.cls->filtering, &Concerned::filters);
        add(cls.cls->reading_parents, &Concerned::reads);
    }
    [[nodiscard]] std::uint32_t bits_of(const CopiedClass& cls, Entity e, bool is_new) const noexcept {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < concerned_.size(); ++k) {
            const auto& [system, watches, inherits, needs, filters, reads] = concerned_[k];
            const bool moves = is_new || !cls.storage().has(e);
            const bool is_dirty = (watches != nullptr && reaches(*watches, e)) ||
                                  (inherits != nullptr && reaches(*inherits, e)) ||
                                  (reads != nullptr && moves && reaches(*reads, e)) ||
                                  ((needs != nullptr || filters != nullptr) && starts(cls, concerned_[k], e, is_new));
            bits |= (is_dirty ? 1u : 0u) << k;
        }
        return bits;
    }
    /// Whether the system has started to track the entity because it has the component since, or no longer. If it ran, it can have visited
    /// the entity already.
    [[nodiscard]] bool starts(const CopiedClass& cls, const Concerned& it, Entity e, bool is_new) const noexcept {
        if (!it.system->tracks(e)) return false;
        const bool is_dirty = it.system->dirty_set().set().contains(e);
        if (is_new && it.needs != nullptr && (is_dirty || knows_new())) return true;
        if (it.filters == nullptr) return false;
        const auto has_use = [&](ComponentUse use) {
            const auto& ids = it.system->used_(use);
            return std::find(ids.begin(), ids.end(), cls.type().id) != ids.end();
        };
        if (!is_new) return !cls.storage().has(e) && has_use(ComponentUse::excluded) && (is_dirty || knows_new());
        if (!has_use(ComponentUse::accepted)) return false;
        if (!is_dirty && (!knows_new() || it.system != ran_)) return false;
        // With another component that it accepts, it was tracked before.
        const auto& accepted = it.system->used_(ComponentUse::accepted);
        return std::none_of(accepted.begin(), accepted.end(), [&](ComponentId id) {
            const auto& other = state_.tracking().classes()[id];
            return id != cls.type().id && other && other->storage->has(e) &&
                   !other->storage->changes()->added_since(index_of(e), since_[id]);
        });
    }
    /// Whether a signal of the entity makes it, or one of its descendants, dirty for the system.
    [[nodiscard]] bool reaches(const ListedSystem& w, Entity e) const noexcept {
        if (w.itself && state_.may_track(w, e)) return true;
        if (!w.descendants) return false;
        const Hierarchy& all = state_.tracking().hierarchy;
        const Hierarchy::Index root = all.find(e);
        if (root == Hierarchy::NO_NODE || all[root].first == Hierarchy::NO_NODE) return false;
        bool found = false;
        all.each_descendant(root, [&](Hierarchy::Index at) {
            found = found || w.system->tracks(all[at].entity);
            return !found;
        });
        return found;
    }

    // --- who has changed it ---

    /// The number of the name of a system.
    [[nodiscard]] std::uint32_t name_number(const SystemBase& system) {
        const auto sequence = static_cast<std::size_t>(system.sequence());
        if (sequence >= numbers_.size()) numbers_.resize(sequence + 1, 0);
        std::uint32_t& number = numbers_[sequence];
        if (number == 0) {
            const std::string name = system.name();
            const auto at = std::find(names_.begin() + 1, names_.end(), name);
            const auto found = static_cast<std::uint32_t>(at - names_.begin());
            if (found == names_.size()) names_.push_back(name);
            number = found;  // now that the name exists
        }
        return number;
    }
    /// What was marked for removal since the last call was marked by this system, or by none.
    void note_marked(std::uint32_t system) {
        const std::span<const Entity> pending = state_.pending_removals();
        const auto differs = [&](std::size_t k) { return k >= pending.size() || pending[k] != marked_[k].entity; };
        if (!marked_.empty() && differs(marked_.size() - 1)) {  // the list was cleared, or entities of it were removed
            std::size_t same = 0;
            while (!differs(same)) ++same;
            marked_.resize(same);
        }
        for (std::size_t k = marked_.size(); k < pending.size(); ++k) marked_.push_back({pending[k], system});
    }
    /// Those that were removed, and what was below them, which was removed with them.
    [[nodiscard]] std::vector<HistoryRemover> all_marked() {
        std::vector<HistoryRemover> all;
        for (const HistoryRemover& each : marked_) {
            if (!state_.tracking().pool.alive(each.entity)) all.push_back(each);
        }
        const std::vector<HistoryRemover> roots = all;
        for (const HistoryRemover& each : roots) {
            const Hierarchy::Index root = hierarchy().find(each.entity);
            if (root == Hierarchy::NO_NODE) continue;
            hierarchy().each_descendant(root, [&](Hierarchy::Index at) {
                all.push_back({hierarchy()[at].entity, each.system});
                return true;
            });
        }
        return all;
    }
    void append(HistoryStep step) {
        bytes_ += step.size();
        steps_.push_back(std::move(step));
        for (; bytes_ > most_bytes_; steps_.pop_front()) bytes_ -= steps_.front().size();
    }

    std::size_t most_bytes_;
    std::size_t bytes_ = 0;  // of all steps
    std::deque<HistoryStep> steps_;
    std::uint64_t moment_ = 0;
    Record made_;
    bool is_old_ = false;           // an error has occurred: what changed is not known
    bool ended_ = false;            // the ECS does not exist any more
    std::set<ComponentId> wanted_;  // the classes of `watch`
    std::uint64_t systems_ = 0;
    std::uint32_t restorations_ = 0;
    std::vector<std::string> names_{""};  // of systems; the first stands for none
    std::vector<std::uint32_t> numbers_;  // of names, by the sequence of the system; 0: not yet
    std::uint32_t clears_ = 0;
    std::vector<HistoryRemover> marked_;   // the pending removals, and the system that marked each
    const SystemBase* ran_ = nullptr;      // the system of this record, if any
    std::vector<ChangeList::Time> since_;  // when each class was read before this record, by its id
    std::vector<Concerned> concerned_;
    std::vector<NotifiedBits> pairs_;
};

ChangeHistory::ChangeHistory(ECS& of, const HistoryOptions& options, RecordingHost* host)
    : log_(std::make_unique<Log>(of, options, host)) {}
ChangeHistory::~ChangeHistory() = default;
std::vector<NumberedEntry> ChangeHistory::entries(std::optional<Entity> e, std::optional<std::string_view> system,
                                                  std::uint64_t from, std::uint64_t to) {
    return log_->entries(e, system, from, to);
}
const std::uint64_t& ChangeHistory::moment() const noexcept { return log_->moment(); }
void ChangeHistory::watch(ComponentId id) { log_->watch(id); }

}  // namespace internal

namespace {
/// The bytes of a codec are behind one that says so.
void strip(HistoryValue& value) {
    auto* const bytes = std::get_if<std::vector<std::byte>>(&value.is);
    if (bytes != nullptr && !bytes->empty()) bytes->erase(bytes->begin());
}
std::vector<HistoryEntry> plain(std::vector<internal::NumberedEntry> entries) {
    for (HistoryEntry& each : entries) {
        strip(each.before);
        strip(each.after);
    }
    return {std::make_move_iterator(entries.begin()), std::make_move_iterator(entries.end())};
}
}  // namespace

History::History(ECS& ecs, const HistoryOptions& options)
    : made_(std::make_unique<internal::ChangeHistory>(ecs, options)) {}
History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;
History::~History() = default;
void History::watch(ComponentId id) { made_->watch(id); }
std::vector<HistoryEntry> History::why(Entity e) { return plain(made_->entries(e, std::nullopt)); }
std::vector<HistoryEntry> History::by_system(std::string_view name) {
    return plain(made_->entries(std::nullopt, name));
}

}  // namespace crateful
