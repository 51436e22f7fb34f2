#include "change_encoder.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <string_view>

#include "bytes.hpp"
#include "fields.hpp"

namespace crateful::internal {
namespace {

constexpr std::uint64_t ALL_FIELDS = ~std::uint64_t{0};
constexpr std::uint32_t ALL_ROUNDS = ~std::uint32_t{0};

// Different for each receiver, also in another run of the program.
std::uint32_t new_stream() noexcept {
    static std::atomic<std::uint32_t> receivers{0};
    const auto now = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
    return static_cast<std::uint32_t>((now + std::uint64_t{++receivers} * 0x9E3779B97F4A7C15) * 0xD6E8FEB86659FD93 >>
                                      32);
}

bool has(std::uint64_t fields, std::size_t r) noexcept { return (fields >> bit_of_field(r) & 1u) != 0; }

}  // namespace

ChangeEncoder::ChangeEncoder(const ChangeSource& source) noexcept : source_(source), stream_(new_stream()) {}

std::vector<std::byte> ChangeEncoder::encode(std::span<const Unit> units, const Recipient& to, const PacketHead& head) {
    units_ = units;
    recipient_ = &to;
    is_whole_ = head.is_whole;
    find_entities();
    empty_reused(items_);
    groups_.clear();
    empty_reused(moved_);
    for (std::uint32_t c = 0; c < source_.classes().size(); ++c) {
        if (may_contain(source_.classes()[c])) find_items(c);
    }
    if (!created_.empty() || !moved_.empty()) add_relatives();
    if (removed_.empty() && created_.empty() && groups_.empty() && moved_.empty() && !head.restart_range) return {};
    to_.start();
    to_.byte(head.is_lossy ? LOSSY_PACKET_KIND : head.restart_range ? RESTART_PACKET_KIND : PACKET_KIND);
    to_.byte(PACKET_VERSION);
    std::memcpy(to_.grow(sizeof stream_), &stream_, sizeof stream_);
    to_.number(head.number);
    to_.number(static_cast<std::uint64_t>(source_.state().times().frame));
    if (head.is_lossy || head.restart_range) to_.byte(head.has_classes ? 1 : 0);
    if (head.has_classes) write_classes();
    if (head.restart_range) {
        to_.number(head.restart_range->first);
        to_.number(head.restart_range->end);
    }
    to_.indices(removed_);
    to_.indices(created_);
    for (const std::uint32_t index : created_) to_.number(generation_of(source_.known(index).handle));
    write_strings();
    for (const Group& group : groups_) write_group(group);
    to_.number(0);
    write_parents();
    return to_.finish();
}

// --- what the packet contains ---------------------------------------------------------------------

void ChangeEncoder::find_entities() {
    empty_reused(removed_);
    empty_reused(created_);
    from_ = ALL_ROUNDS;
    has_unknown_ = false;
    for (const Unit& unit : units_) {
        if (unit.wanted) from_ = std::min(from_, unit.from);
        has_unknown_ = has_unknown_ || (unit.wanted && !unit.knows);
        if (unit.knew) removed_.push_back(unit.index);
        if (unit.wanted && !unit.knows) created_.push_back(unit.index);
    }
}

// Whether the packet can contain components of the class, or remove some: most packets contain few of many classes.
bool ChangeEncoder::may_contain(const TrackedClass& cls) const noexcept {
    return cls.changed > from_ || (has_unknown_ && cls.storage->count() > 0);
}

// The components of one class, in groups by their fields.
void ChangeEncoder::find_items(std::uint32_t number) {
    const TrackedClass& cls = source_.classes()[number];
    const std::size_t fields_of_class = cls.fields();
    const std::size_t first = items_.size();
    bool sorted = true;
    for (const Unit& unit : units_) {
        if (!unit.wanted) continue;
        const std::byte* const record = cls.record(unit.index);
        const std::uint32_t presence = cls.presence_of(record);
        const bool exists = (presence & 1) != 0;
        const bool changed = presence >> 1 > unit.from;
        std::uint64_t fields = 0;
        if (exists && (changed || !unit.knows)) {
            fields = ALL_FIELDS;
        } else if (exists) {
            const std::uint32_t* const rounds = cls.rounds(record);
            for (std::size_t r = 0; r < fields_of_class; ++r)
                fields |= std::uint64_t{rounds[r] > unit.from ? 1u : 0u} << bit_of_field(r);
            if (fields == 0) continue;
        } else if (!changed) {
            continue;
        }
        if (cls.is_parent()) {
            if (unit.index != 0) moved_.push_back(unit.index);  // the world has no parent
            continue;
        }
        sorted = sorted && (items_.size() == first || items_.back().fields <= fields);
        items_.push_back({unit.index, fields});
    }
    if (!sorted) {
        std::sort(items_.begin() + static_cast<std::ptrdiff_t>(first), items_.end(), [](const Item& a, const Item& b) {
            return a.fields != b.fields ? a.fields < b.fields : a.index < b.index;
        });
    }
    for (std::size_t i = first; i < items_.size(); ++i) {
        if (i == first || items_[i].fields != groups_.back().fields)
            groups_.push_back({number, items_[i].fields, i, i});
        groups_.back().end = i + 1;
    }
}

Hierarchy::Index ChangeEncoder::node_of(std::uint32_t index) const {
    return source_.state().tracking().hierarchy.find(source_.known(index).handle);
}

Whereabouts ChangeEncoder::whereabouts(Entity e) const {
    if (!recipient_->gets(e)) return Whereabouts::absent;
    if (is_whole_) return Whereabouts::settled;
    const auto less = [](const Unit& each, std::uint32_t index) { return each.index < index; };
    const auto at = std::lower_bound(units_.begin(), units_.end(), index_of(e), less);
    if (at != units_.end() && at->index == index_of(e)) return Whereabouts::settled;
    return recipient_->whereabouts(e);
}

// The children of a new entity can have arrived before it.
void ChangeEncoder::add_relatives() {
    const Hierarchy& hierarchy = source_.state().tracking().hierarchy;
    if (!relatives_.empty()) relatives_.clear();
    for (const std::uint32_t index : created_) {
        const Hierarchy::Index node = node_of(index);
        if (node == Hierarchy::NO_NODE) continue;
        for (Hierarchy::Index at = hierarchy[node].first; at != Hierarchy::NO_NODE; at = hierarchy[at].next) {
            if (recipient_->gets(hierarchy[at].entity)) moved_.push_back(index_of(hierarchy[at].entity));
        }
    }
    if (!is_whole_) {
        for (std::size_t k = 0; k < moved_.size(); ++k) add_neighbors(source_.known(moved_[k]).handle);
    }
    std::sort(moved_.begin(), moved_.end());
    moved_.erase(std::unique(moved_.begin(), moved_.end()), moved_.end());
}

// Ancestors that are not at their place, where the entity can be above them: one of them can be below another one that the receiver
// does not get any more. And the siblings behind it that are in flight, because it is in front of them, wherever they are.
void ChangeEncoder::add_neighbors(Entity of) {
    const Structure& structure = source_.state().structure();
    for (Entity e = of, up = structure.parent(e); up != NONE && up != Structure::WORLD;
         e = up, up = structure.parent(e)) {
        const Whereabouts where = whereabouts(up);
        if (!recipient_->gets(up) && e != of) add_relative(e);
        if (where == Whereabouts::absent) break;
        if (where != Whereabouts::settled) add_relative(up);
    }
    const Hierarchy& hierarchy = source_.state().tracking().hierarchy;
    const Hierarchy::Index node = hierarchy.find(of);
    if (node == Hierarchy::NO_NODE) return;
    for (Hierarchy::Index at = hierarchy[node].next; at != Hierarchy::NO_NODE; at = hierarchy[at].next) {
        if (!recipient_->gets(hierarchy[at].entity)) continue;
        const Whereabouts where = whereabouts(hierarchy[at].entity);
        if (where == Whereabouts::settled) return;
        if (where == Whereabouts::in_flight) add_relative(hierarchy[at].entity);
    }
}

void ChangeEncoder::add_relative(Entity e) {
    if (relatives_.insert(index_of(e)).second) moved_.push_back(index_of(e));
}

// --- writing --------------------------------------------------------------------------------------

void ChangeEncoder::write_classes() {
    to_.number(source_.classes().size());
    for (const TrackedClass& cls : source_.classes()) {
        const ComponentType& type = cls.storage->type();
        to_.text(type.name);
        to_.number(cls.fields());
        if (cls.opaque) {
            to_.text({});
            to_.byte(PACKET_BYTES);
            to_.byte(1);
            to_.number(0);
        }
        for (const FieldRun& run : cls.runs) {
            const Field& field = type.fields[run.first];
            to_.text(field.name);
            to_.byte(static_cast<std::uint8_t>(field.type));
            to_.byte(static_cast<std::uint8_t>(run.length));
            const std::size_t names = count_names(field);
            to_.number(names);
            for (std::size_t k = 0; k < names; ++k) to_.text(field.names[k]);
        }
    }
}

String ChangeEncoder::string_at(const TrackedClass& cls, std::size_t r, std::uint32_t index) const {
    String s;
    std::memcpy(&s.number, cls.record(index) + cls.offsets[r], sizeof s.number);
    return s;
}

// The texts by the order of their first occurrence.
void ChangeEncoder::write_strings() {
    if (!strings_.empty()) strings_.clear();
    std::vector<std::string_view> texts;
    const Strings& strings = source_.state().tracking().strings;
    for (const Group& group : groups_) {
        const TrackedClass& cls = source_.classes()[group.cls];
        for (std::size_t r = 0; r < cls.runs.size(); ++r) {
            if (cls.runs[r].type != FieldType::string || !has(group.fields, r)) continue;
            for (std::size_t i = group.first; i < group.end; ++i) {
                const String s = string_at(cls, r, items_[i].index);
                if (s.empty() || !strings.exists(s)) continue;
                if (strings_.try_emplace(s.number, static_cast<std::uint32_t>(texts.size() + 1)).second)
                    texts.push_back(strings.view(s));
            }
        }
    }
    to_.number(texts.size());
    for (const std::string_view text : texts) to_.text(text);
}

void ChangeEncoder::write_group(const Group& group) {
    const TrackedClass& cls = source_.classes()[group.cls];
    to_.number(group.cls + std::uint64_t{1});
    // 0: removed; 1: all; otherwise the fields that follow.
    to_.number(group.fields == 0 ? 0 : group.fields == ALL_FIELDS ? 1 : group.fields << 1);
    indices_.clear();
    for (std::size_t i = group.first; i < group.end; ++i) indices_.push_back(items_[i].index);
    to_.indices(indices_);
    for (std::size_t i = 0; cls.opaque && group.fields != 0 && i < indices_.size(); ++i) {
        const EncodedValue& value = cls.known[indices_[i]];
        to_.number(value.size());
        to_.append(value.data(), value.size());
    }
    for (std::size_t r = 0; r < cls.runs.size(); ++r) {
        if (!has(group.fields, r)) continue;
        if (cls.runs[r].type == FieldType::string) {
            for (const std::uint32_t index : indices_) {
                const auto found = strings_.find(string_at(cls, r, index).number);
                to_.number(found == strings_.end() ? 0 : found->second);
            }
            continue;
        }
        const std::size_t bytes = cls.runs[r].bytes();
        std::byte* at = to_.grow(bytes * indices_.size());
        for (const std::uint32_t index : indices_) {
            copy_words(at, cls.record(index) + cls.offsets[r], bytes);
            at += bytes;
        }
        const Values written{at - bytes * indices_.size(), bytes};
        require_writable("take", cls.storage->type(), cls.runs[r], written, indices_.size(),
                         [&](std::size_t i) { return source_.known(indices_[i]).handle; });
    }
}

void ChangeEncoder::write_parents() {
    const Structure& structure = source_.state().structure();
    const Hierarchy& hierarchy = source_.state().tracking().hierarchy;
    const auto is_placed = [&](Entity e) {
        return recipient_->gets(e) && (whereabouts(e) == Whereabouts::settled ||
                                       std::binary_search(moved_.begin(), moved_.end(), index_of(e)));
    };
    to_.number(moved_.size());
    for (const std::uint32_t index : moved_) {
        const Entity child = source_.known(index).handle;
        Entity parent = structure.parent(child);
        if (parent != NONE && !recipient_->gets(parent)) parent = NONE;  // it can be there still, below the child
        Entity before = NONE;
        if (parent != NONE) {
            Hierarchy::Index next = hierarchy[hierarchy.find(child)].next;
            while (next != Hierarchy::NO_NODE && !is_placed(hierarchy[next].entity)) next = hierarchy[next].next;
            if (next != Hierarchy::NO_NODE) before = hierarchy[next].entity;
        }
        to_.number(index);
        for (const Entity e : {parent, before}) to_.number(e == NONE ? 0 : static_cast<std::uint64_t>(e) + 1);
    }
}

}  // namespace crateful::internal
