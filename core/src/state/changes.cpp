// Changes for any number of receivers (rule N5, docs/format.md).
#include "crateful/changes.hpp"

#include <algorithm>
#include <unordered_map>

#include "change_source.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/detail/rollback.hpp"
#include "packet.hpp"

namespace crateful {
namespace internal {

/// What a packet says about an entity that the receiver knows or gets.
struct Item {
    std::uint32_t cls;
    std::uint64_t fields;  // a bit for each; 0: the component was removed
    std::uint32_t index;
};
/// What a packet contains.
struct Contents {
    std::vector<std::uint32_t> removed;
    std::vector<std::uint32_t> created;
    std::vector<Item> items;
    std::vector<std::uint32_t> moved;  // entities with another parent
    [[nodiscard]] bool empty() const noexcept {
        return removed.empty() && created.empty() && items.empty() && moved.empty();
    }
};

inline constexpr std::uint64_t ALL_FIELDS = ~std::uint64_t{0};

/// What one receiver knows.
class ChangeReceiver {
public:
    ChangeReceiver(std::shared_ptr<ChangeSource> of, Selection selection)
        : source_(std::move(of)), selects_(selection == Selection::selected) {}

    std::vector<std::byte> take(std::size_t max_bytes) {
        source_->state().require_idle("take");
        source_->collect();
        find_units();
        std::vector<std::byte> bytes;
        std::size_t n = units_.size();
        for (; n > 0; n /= 2) {
            bytes = encode(n);
            if (max_bytes == 0 || bytes.size() <= max_bytes) break;
        }
        if (n == 0 && !units_.empty()) {
            fail(ErrorCode::bad_argument,
                 {"take: the changes of one entity have ", number_text(static_cast<double>(bytes.size())),
                  " bytes, more than the limit of ", number_text(static_cast<double>(max_bytes))});
        }
        complete(n);
        if (!bytes.empty()) ++number_;
        return bytes;
    }

    void select(Entity e) {
        require_selected("select");
        source_->state().structure().require_alive(e, "select");
        const auto [at, is_new] = places_.try_emplace(index_of(e), interests_.size());
        if (is_new) {
            try_push(at);
            interests_.back() = {e, NONE, 0, index_of(e)};
        } else {
            interests_[at->second].wanted = e;
        }
    }
    void deselect(Entity e) {
        require_selected("deselect");
        const auto at = places_.find(index_of(e));
        if (at != places_.end() && interests_[at->second].wanted == e) interests_[at->second].wanted = NONE;
    }

private:
    /// An entity that is selected, or that the receiver knows.
    struct Interest {
        Entity wanted = NONE;
        Entity sent = NONE;       // what the receiver knows with this index
        std::uint32_t since = 0;  // the round of what it knows
        std::uint32_t index = 0;
    };
    /// What may have changed for the receiver.
    struct Unit {
        std::uint32_t index;
        std::uint32_t since;
        bool knows;   // the entity that has this index now
        bool knew;    // another one with this index
        bool wanted;  // the receiver gets it
    };

    void require_selected(const char* call) const {
        if (!selects_)
            fail(ErrorCode::bad_argument,
                 {call, ": the receiver gets all entities; create it with Selection::selected"});
    }
    void try_push(std::unordered_map<std::uint32_t, std::size_t>::iterator at) {
        Rollback rollback([&] { places_.erase(at); });
        interests_.emplace_back();
        rollback.cancel();
    }

    void find_units() {
        if (selects_) {
            units_.clear();
            return find_selected();
        }
        std::vector<Unit> units;
        // First those of the last call that did not fit; what changed since is part of them.
        seen_.resize(std::max(seen_.size(), source_->list().size()));
        ++seen_now_;
        const auto add = [&](std::uint32_t index, std::uint32_t since) {
            if (std::exchange(seen_[index], seen_now_) == seen_now_) return;
            const KnownEntity& entity = source_->known(index);
            const bool knows = entity.handle != NONE && entity.created <= since;
            units.push_back(
                {index, since, knows, !knows && since > 0 && entity.removed > since, entity.handle != NONE});
        };
        for (const Unit& unit : units_) add(unit.index, unit.since);
        const std::size_t first = units.size();
        const ChangeList::Time now = source_->list().read(time_, [&](std::uint32_t index) {
            add(index, since_);
            return true;
        });
        std::reverse(units.begin() + static_cast<std::ptrdiff_t>(first), units.end());
        units_ = std::move(units);
        time_ = now;
        since_ = source_->round();
    }

    void find_selected() {
        for (Interest& interest : interests_) {
            const KnownEntity& entity = source_->known(interest.index);
            if (interest.wanted != NONE && !source_->state().tracking().pool.alive(interest.wanted))
                interest.wanted = NONE;
            const bool wanted = interest.wanted != NONE && interest.wanted == entity.handle;
            const bool knows = wanted && interest.sent == entity.handle;
            const bool knew = interest.sent != NONE && !knows;
            if (knew || (wanted && (!knows || entity.changed > interest.since)))
                units_.push_back({interest.index, interest.since, knows, knew, wanted});
        }
    }

    // The first `n` units were sent.
    void complete(std::size_t n) {
        if (!selects_) {
            units_.erase(units_.begin(), units_.begin() + static_cast<std::ptrdiff_t>(n));
            return;
        }
        for (std::size_t k = 0; k < n; ++k) {
            Interest& interest = interests_[places_.at(units_[k].index)];
            interest.sent = units_[k].wanted ? interest.wanted : NONE;
            interest.since = source_->round();
        }
        for (std::size_t k = 0; k < interests_.size();) {
            if (interests_[k].wanted != NONE || interests_[k].sent != NONE) {
                ++k;
                continue;
            }
            places_.erase(interests_[k].index);
            if (k + 1 < interests_.size()) {
                interests_[k] = interests_.back();
                places_[interests_[k].index] = k;
            }
            interests_.pop_back();
        }
    }

    // --- encoding -----------------------------------------------------------------------------

    [[nodiscard]] Contents contents(std::size_t n) const {
        Contents to;
        const auto& classes = source_->classes();
        for (std::size_t u = 0; u < n; ++u) {
            const Unit& unit = units_[u];
            if (unit.knew) to.removed.push_back(unit.index);
            if (!unit.wanted) continue;
            if (!unit.knows) to.created.push_back(unit.index);
            for (std::uint32_t c = 0; c < classes.size(); ++c) {
                const TrackedClass& cls = classes[c];
                const std::uint32_t* times = cls.times(unit.index);
                const bool exists = times[TrackedClass::ADDED] != 0;
                std::uint64_t fields = 0;
                if (exists && (!unit.knows || times[TrackedClass::ADDED] > unit.since)) {
                    fields = ALL_FIELDS;
                } else if (exists) {
                    for (std::size_t r = 0; r < cls.runs.size(); ++r) {
                        if (times[TrackedClass::FIELDS + r] > unit.since) fields |= std::uint64_t{1} << r;
                    }
                    if (fields == 0) continue;
                } else if (!unit.knows || times[TrackedClass::REMOVED] <= unit.since) {
                    continue;
                }
                if (cls.is_parent()) to.moved.push_back(unit.index);
                else to.items.push_back({c, fields, unit.index});
            }
        }
        add_relatives(to);
        std::sort(to.removed.begin(), to.removed.end());
        std::sort(to.created.begin(), to.created.end());
        std::sort(to.items.begin(), to.items.end(), [](const Item& a, const Item& b) {
            return a.cls != b.cls ? a.cls < b.cls : a.fields != b.fields ? a.fields < b.fields : a.index < b.index;
        });
        return to;
    }

    // The children of a new entity can have arrived before it, and the sibling in front of one that was moved names it.
    void add_relatives(Contents& to) const {
        const Hierarchy& hierarchy = source_->state().tracking().hierarchy;
        const auto node_of = [&](std::uint32_t index) { return hierarchy.find(source_->known(index).handle); };
        const std::size_t n = to.moved.size();
        for (const std::uint32_t index : to.created) {
            if (const auto node = node_of(index); node != Hierarchy::NO_NODE) {
                for (Hierarchy::Index at = hierarchy[node].first; at != Hierarchy::NO_NODE; at = hierarchy[at].next)
                    to.moved.push_back(index_of(hierarchy[at].entity));
            }
        }
        for (std::size_t k = 0; k < n; ++k) {
            Hierarchy::Index at = node_of(to.moved[k]);
            if (at != Hierarchy::NO_NODE) at = hierarchy[at].previous;
            while (at != Hierarchy::NO_NODE && !gets(hierarchy[at].entity)) at = hierarchy[at].previous;
            if (at != Hierarchy::NO_NODE) to.moved.push_back(index_of(hierarchy[at].entity));
        }
        std::sort(to.moved.begin(), to.moved.end());
        to.moved.erase(std::unique(to.moved.begin(), to.moved.end()), to.moved.end());
    }
    // Whether the receiver has the entity, or will.
    [[nodiscard]] bool gets(Entity e) const {
        if (source_->known(index_of(e)).handle != e) return false;
        if (!selects_) return true;
        const auto at = places_.find(index_of(e));
        return at != places_.end() && interests_[at->second].wanted == e;
    }

    [[nodiscard]] std::vector<std::byte> encode(std::size_t n) const {
        const Contents what = contents(n);
        if (what.empty()) return {};
        PacketWriter to;
        to.byte(PACKET_KIND);
        to.byte(PACKET_VERSION);
        to.number(number_);
        to.number(static_cast<std::uint64_t>(source_->state().times().frame));
        if (number_ == 0) write_classes(to);
        to.indices(what.removed);
        to.indices(what.created);
        for (const std::uint32_t index : what.created) to.number(generation_of(source_->known(index).handle));
        write_strings(to, what);
        write_items(to, what);
        write_parents(to, what);
        return to.finish();
    }

    void write_classes(PacketWriter& to) const {
        to.number(source_->classes().size());
        for (const TrackedClass& cls : source_->classes()) {
            const ComponentType& type = cls.storage->type();
            to.text(type.name);
            to.number(cls.runs.size());
            for (const FieldRun& run : cls.runs) {
                const Field& field = type.fields[run.first];
                to.text(field.name);
                to.byte(static_cast<std::uint8_t>(field.type));
                to.byte(static_cast<std::uint8_t>(run.length));
                const std::size_t names = field.type == FieldType::string ? 0 : field.names.size();
                to.number(names);
                for (std::size_t k = 0; k < names; ++k) to.text(field.names[k]);
            }
        }
    }

    template <class Visit>
    void each_group(const Contents& what, Visit&& visit) const {
        for (auto first = what.items.begin(); first != what.items.end();) {
            const auto end = std::find_if(first, what.items.end(), [&](const Item& item) {
                return item.cls != first->cls || item.fields != first->fields;
            });
            visit(source_->classes()[first->cls], std::span(first, end));
            first = end;
        }
    }
    static bool has(std::uint64_t fields, std::size_t r) noexcept { return (fields >> r & 1u) != 0; }

    // The texts by the order of their first occurrence.
    void write_strings(PacketWriter& to, const Contents& what) const {
        numbers_.clear();
        std::vector<std::string_view> texts;
        const Strings& strings = source_->state().tracking().strings;
        each_group(what, [&](const TrackedClass& cls, std::span<const Item> items) {
            for (std::size_t r = 0; r < cls.runs.size(); ++r) {
                if (cls.runs[r].type != FieldType::string || !has(items.front().fields, r)) continue;
                for (const Item& item : items) {
                    const String s = string_at(cls, r, item.index);
                    if (s.empty() || !strings.exists(s)) continue;
                    if (numbers_.try_emplace(s.number, static_cast<std::uint32_t>(texts.size() + 1)).second)
                        texts.push_back(strings.view(s));
                }
            }
        });
        to.number(texts.size());
        for (const std::string_view text : texts) to.text(text);
    }
    static String string_at(const TrackedClass& cls, std::size_t r, std::uint32_t index) {
        String s;
        std::memcpy(&s.number, cls.value(index) + cls.offsets[r], sizeof s.number);
        return s;
    }

    void write_items(PacketWriter& to, const Contents& what) const {
        std::vector<std::uint32_t> indices;
        each_group(what, [&](const TrackedClass& cls, std::span<const Item> items) {
            const std::uint64_t fields = items.front().fields;
            to.number(items.front().cls + std::uint64_t{1});
            // 0: removed; 1: all; otherwise the fields that follow.
            to.number(fields == 0 ? 0 : fields == ALL_FIELDS ? 1 : fields << 1);
            indices.clear();
            for (const Item& item : items) indices.push_back(item.index);
            to.indices(indices);
            for (std::size_t r = 0; r < cls.runs.size(); ++r) {
                if (!has(fields, r)) continue;
                for (const Item& item : items) {
                    if (cls.runs[r].type != FieldType::string) {
                        to.append(cls.value(item.index) + cls.offsets[r], cls.runs[r].bytes());
                        continue;
                    }
                    const auto found = numbers_.find(string_at(cls, r, item.index).number);
                    to.number(found == numbers_.end() ? 0 : found->second);
                }
            }
        });
        to.number(0);
    }

    void write_parents(PacketWriter& to, const Contents& what) const {
        const Structure& structure = source_->state().structure();
        const Hierarchy& hierarchy = source_->state().tracking().hierarchy;
        to.number(what.moved.size());
        for (const std::uint32_t index : what.moved) {
            const Entity child = source_->known(index).handle;
            const Entity parent = structure.parent(child);
            Entity before = NONE;
            if (parent != NONE) {
                Hierarchy::Index next = hierarchy[hierarchy.find(child)].next;
                while (next != Hierarchy::NO_NODE && !gets(hierarchy[next].entity)) next = hierarchy[next].next;
                if (next != Hierarchy::NO_NODE) before = hierarchy[next].entity;
            }
            to.number(index);
            for (const Entity e : {parent, before}) to.number(e == NONE ? 0 : static_cast<std::uint64_t>(e) + 1);
        }
    }

    std::shared_ptr<ChangeSource> source_;
    const bool selects_;
    std::uint64_t number_ = 0;                                          // of the next packet
    std::vector<Unit> units_;                                           // what was not sent yet
    mutable std::unordered_map<std::uint32_t, std::uint32_t> numbers_;  // of strings, in the packet
    // With `Selection::all`: the receiver knows everything up to this, except what is in `units_`.
    ChangeList::Time time_ = 0;
    std::uint32_t since_ = 0;
    std::vector<std::uint32_t> seen_;  // by index
    std::uint32_t seen_now_ = 0;
    // With `Selection::selected`.
    std::vector<Interest> interests_;
    std::unordered_map<std::uint32_t, std::size_t> places_;  // by index: in `interests_`
};

}  // namespace internal

Changes::Changes(ECS& ecs, const ChangesOptions& options)
    : source_(std::make_shared<internal::ChangeSource>(ecs, options)) {}
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
