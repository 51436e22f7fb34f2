// Entities in the order of a field (rule Q10).
#include "crateful/detail/order.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "crateful/detail/message.hpp"
#include "crateful/detail/tracking.hpp"

namespace crateful::internal {

namespace {

// How the bytes of a value become a number with the order of the values.
struct KeyRule {
    explicit KeyRule(const SortField& field) noexcept
        : size(size_of(field.type)),
          is_float(field.type == FieldType::f32 || field.type == FieldType::f64),
          is_signed(field.type == FieldType::i8 || field.type == FieldType::i16 || field.type == FieldType::i32),
          descending(field.descending && field.type != FieldType::string) {}
    std::size_t size;
    bool is_float;
    bool is_signed;
    bool descending;
};

template <class Bits>
Bits key_of_bits(Bits bits, const KeyRule& rule) noexcept {
    constexpr auto SIGN = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
    if (rule.is_float) {
        constexpr Bits INFINITY_BITS =
            sizeof(Bits) == 8 ? static_cast<Bits>(0x7FF0'0000'0000'0000) : static_cast<Bits>(0x7F80'0000);
        if ((bits & ~SIGN) > INFINITY_BITS) return static_cast<Bits>(~Bits{0});  // NaN is the last one
        if (bits == SIGN) bits = 0;                                              // -0 equals 0
        bits ^= (bits & SIGN) != 0 ? static_cast<Bits>(~Bits{0}) : SIGN;
    } else if (rule.is_signed) {
        bits ^= SIGN;
    }
    return rule.descending ? static_cast<Bits>(~bits) : bits;
}

// Calls `use(key, i)` for `n` values.
template <class Bits, class Use>
void read_keys(const std::byte* first, std::size_t step, std::size_t n, const KeyRule& rule, Use&& use) {
    for (std::size_t i = 0; i < n; ++i) {
        Bits bits;
        std::memcpy(&bits, first + i * step, sizeof(bits));
        use(key_of_bits(bits, rule), i);
    }
}
template <class Use>
void each_key(const std::byte* first, std::size_t step, std::size_t n, const KeyRule& rule, Use&& use) {
    switch (rule.size) {
        case 1: return read_keys<std::uint8_t>(first, step, n, rule, use);
        case 2: return read_keys<std::uint16_t>(first, step, n, rule, use);
        case 4: return read_keys<std::uint32_t>(first, step, n, rule, use);
        default: return read_keys<std::uint64_t>(first, step, n, rule, use);
    }
}

// Counts the digits of keys with 32 bits, and sorts by them.
class RadixSort {
public:
    // For each item, before they are sorted.
    void count(std::uint32_t key) noexcept {
        for (std::size_t pass = 0; pass < PASSES; ++pass) ++counts_[pass][digit(key, pass)];
    }
    // Writes the entities of the items to `sorted`, those with equal keys in their order. There must be an item.
    template <class Item>
    void sort(std::vector<Item>& items, std::vector<Item>& others, std::vector<Entity>& sorted) {
        for (std::size_t pass = 0; pass < PASSES - 1; ++pass) {
            auto& places = counts_[pass];
            if (places[digit(items.front().key, pass)] == items.size()) continue;  // all have the same digit
            make_places(places);
            for (const Item& item : items) others[places[digit(item.key, pass)]++] = item;
            items.swap(others);
        }
        auto& places = counts_[PASSES - 1];
        make_places(places);
        for (const Item& item : items) sorted[places[digit(item.key, PASSES - 1)]++] = item.entity;
    }

private:
    static constexpr std::size_t BITS = 11;
    static constexpr std::size_t PASSES = 3;
    using Counts = std::array<std::uint32_t, std::size_t{1} << BITS>;
    static std::size_t digit(std::uint32_t key, std::size_t pass) noexcept {
        return key >> (pass * BITS) & ((std::size_t{1} << BITS) - 1);
    }
    static void make_places(Counts& counts) noexcept {
        std::uint32_t place = 0;
        for (std::uint32_t& n : counts) place += std::exchange(n, place);
    }
    std::array<Counts, PASSES> counts_{};
};

}  // namespace

Order::Order(const SortField& field, const EntityPool& pool, Strings& strings)
    : field_(field), pool_(pool), strings_(strings) {
    field.storage->keep_changes();
}

void Order::mark_strings() const noexcept {
    if (!sorts_strings()) return;
    listed_.each([&](const Listed& each) {
        if (each.entity != NONE) strings_.mark(String(static_cast<std::uint32_t>(each.key)));
    });
}

bool Order::before(Key a, std::uint32_t index_a, Key b, std::uint32_t index_b) const noexcept {
    if (a == b) return index_a < index_b;
    if (!sorts_strings()) return a < b;
    const String x(static_cast<std::uint32_t>(a));
    const String y(static_cast<std::uint32_t>(b));
    return field_.descending ? strings_.before(y, x) : strings_.before(x, y);
}

// Finds out the order of the strings of the listed entities: `ranks_` by the number of a string.
void Order::rank_strings() {
    ranks_.assign(strings_.end(), 0);
    changes_.clear();  // each string once
    for (const Entity e : *list_) {
        const Key key = key_of(e);
        if (std::exchange(ranks_[static_cast<std::uint32_t>(key)], 1) == 0) changes_.push_back({0, e, key});
    }
    sort(changes_, true);
    std::uint32_t rank = 0;
    for (const Change& string : changes_) ranks_[static_cast<std::uint32_t>(string.key)] = rank++;
}

Order::Values Order::values() const noexcept {
    const Storage& s = *field_.storage;
    if (s.type().kind == ComponentKind::native)
        return {static_cast<const NativeStorage&>(s).first() + field_.where, s.type().value_bytes};
    return {s.control().columns[field_.where], size_of(field_.type)};
}

// Where the list contains this entity, or would contain it.
std::uint32_t Order::place_of(Key key, std::uint32_t index) const noexcept {
    const auto in_front = [&](Entity e, Key) { return before(key_of(e), index_of(e), key, index); };
    return static_cast<std::uint32_t>(std::lower_bound(list_->begin(), list_->end(), key, in_front) - list_->begin());
}

Order::List Order::list() {
    changes_.clear();
    const std::size_t most = list_->size() / 64 + 64;
    const Storage& s = *field_.storage;
    Values all{};
    if (s.count() != 0) all = values();  // otherwise there may be none
    const KeyRule rule(field_);
    const ChangeList::Time now = s.changes()->read(time_, [&](std::uint32_t index) {
        const Entity e = pool_.at(index);
        const std::uint32_t slot = s.slot(e);
        Change changed{index, NONE, 0};
        if (slot != Storage::ABSENT) {
            changed.entity = e;
            each_key(all.first + slot * all.step, 0, 1, rule, [&](Key key, std::size_t) { changed.key = known(key); });
        }
        listed_.make(index);
        const Listed& known = listed_[index];
        if (changed.entity != known.entity || changed.key != known.key) changes_.push_back(changed);
        return changes_.size() <= most;
    });
    if (time_ == 0 || changes_.size() > most) sort_all();
    else if (!changes_.empty()) apply();
    time_ = now;
    return list_;
}

Order::Found Order::find(const void* value) {
    static_cast<void>(list());
    Found found;
    each_key(static_cast<const std::byte*>(value), 0, 1, KeyRule(field_),
             [&](Key key, std::size_t) { found.key = key; });
    const std::uint32_t first = place_of(found.key, 0);
    const std::uint32_t end = place_of(found.key, ~std::uint32_t{0});
    found.entities = std::span(*list_).subspan(first, end - first);
    return found;
}

void Order::fail_to_store(double value) const {
    fail(ErrorCode::bad_argument,
         {"index: a field of ", field_.storage->type().name, " cannot store ", number_text(value)});
}

bool Order::has_key(const void* order, std::size_t /*field*/, Key key, Entity e) noexcept {
    const Order& of = *static_cast<const Order*>(order);
    const std::uint32_t slot = of.field_.storage->slot(e);
    bool has = false;
    if (slot == Storage::ABSENT) return has;
    const auto [first, step] = of.values();
    each_key(first + slot * step, 0, 1, KeyRule(of.field_),
             [&](Key found, std::size_t) { has = of.known(found) == key; });
    return has;
}

void Order::sort_all() {
    time_ = 0;
    const Storage& s = *field_.storage;
    const std::span<const Entity> entities = s.entities();
    items_.resize(s.count());
    others_.resize(s.count());
    if (list_.use_count() > 1) list_ = std::make_shared<std::vector<Entity>>();  // an iteration uses it
    list_->resize(s.count());
    listed_.each([](Listed& each) { each.entity = NONE; });
    if (s.count() == 0) return;  // then there may be no values
    for (std::uint32_t slot = s.next_filled(0); slot < s.extent(); slot = s.next_filled(slot + 1))
        listed_.make(index_of(entities[slot]));
    const auto [first, step] = values();
    each_key(first, step, entities.size(), KeyRule(field_), [&](Key key, std::size_t slot) {
        if (s.policy() == Policy::linear && !s.filled(static_cast<std::uint32_t>(slot))) return;
        listed_[index_of(entities[slot])] = {known(key), entities[slot]};
    });
    const auto sort_by = [&](auto&& part_of) {
        RadixSort radix;
        auto item = items_.begin();
        for (const Entity e : *list_) {
            const auto key = static_cast<std::uint32_t>(part_of(key_of(e)));
            radix.count(key);
            *item++ = {key, e};
        }
        radix.sort(items_, others_, *list_);
    };
    // In the order of the indices already.
    auto to = list_->begin();
    listed_.each([&](const Listed& each) {
        if (each.entity != NONE) *to++ = each.entity;
    });
    if (sorts_strings()) {
        rank_strings();
        sort_by([&](Key key) { return ranks_[static_cast<std::uint32_t>(key)]; });
        return;
    }
    sort_by([](Key key) { return key; });
    if (field_.type == FieldType::f64) sort_by([](Key key) { return key >> 32; });
}

// Not std::sort, whose code is several times as long.
void Order::sort(std::vector<Change>& changes, bool by_key) const {
    const auto in_front = [&](const Change& a, const Change& b) {
        if (a.entity == NONE || b.entity == NONE)
            return a.entity != NONE && b.entity == NONE;  // removals are the last ones
        return by_key ? before(a.key, a.index, b.key, b.index) : a.key < b.key;
    };
    std::make_heap(changes.begin(), changes.end(), in_front);
    std::sort_heap(changes.begin(), changes.end(), in_front);
}

// Moves the entities that have changed to their places.
void Order::apply() {
    removals_.clear();
    std::size_t added = 0;
    for (const Change& c : changes_) {
        if (c.entity != NONE) ++added;
        if (const Listed& known = listed_[c.index]; known.entity != NONE)
            removals_.push_back({c.index, known.entity, place_of(known.key, c.index)});
    }
    sort(removals_, false);
    sort(changes_, true);
    added_.resize(added);
    parts_.clear();
    parts_.reserve(removals_.size() + added_.size() + 1);
    // The parts of the list between the edits, and where they will be.
    const auto old_size = static_cast<std::uint32_t>(list_->size());
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    const auto copy_until = [&](std::uint32_t end) {
        if (end > from) parts_.push_back({from, to, end - from});
        to += end - from;
        from = end;
    };
    auto removal = removals_.begin();
    for (std::size_t k = 0; k < added_.size(); ++k) {
        const std::uint32_t place = place_of(changes_[k].key, changes_[k].index);
        for (; removal != removals_.end() && removal->key < place; ++removal) {
            copy_until(static_cast<std::uint32_t>(removal->key));
            ++from;
        }
        copy_until(place);
        added_[k] = to++;
    }
    for (; removal != removals_.end(); ++removal) {
        copy_until(static_cast<std::uint32_t>(removal->key));
        ++from;
    }
    copy_until(old_size);

    const std::size_t size = to;
    if (list_.use_count() > 1) list_ = std::make_shared<std::vector<Entity>>(*list_);  // an iteration uses it
    if (size > list_->capacity()) list_->reserve(size + size / 8);
    if (size > list_->size()) list_->resize(size, NONE);
    // From here on, nothing throws.
    edit(*list_);
    list_->resize(size);
    for (const Change& c : changes_) {
        listed_[c.index] = {c.key, c.entity};
    }
}

// Parts that move to the left are moved in ascending order, then the others in descending order: so none overwrites another one.
void Order::edit(std::vector<Entity>& list) {
    const auto move = [&](const Part& part) {
        std::memmove(list.data() + part.to, list.data() + part.from, part.size * sizeof(Entity));
    };
    for (auto part = parts_.begin(); part != parts_.end(); ++part) {
        if (part->to < part->from) move(*part);
    }
    for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
        if (part->to > part->from) move(*part);
    }
    for (std::size_t k = 0; k < added_.size(); ++k) list[added_[k]] = changes_[k].entity;
}

Order& Tracking::order(const SortField& field) {
    for (const auto& order : orders_) {
        if (order->field() == field) return *order;
    }
    return *orders_.emplace_back(std::make_unique<Order>(field, pool, strings));
}

}  // namespace crateful::internal
