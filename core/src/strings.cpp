// Strings of components, and the collection of unused ones (rule C13).
#include "crateful/detail/strings.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "crateful/detail/message.hpp"
#include "crateful/detail/tracking.hpp"

namespace crateful::internal {

namespace {
std::uint32_t hash_of(std::string_view text) noexcept {
    std::uint32_t hash = 2166136261u;  // FNV-1a
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return hash;
}
}  // namespace

// The slot with the number of the text, or the free one for it. There must be slots.
std::size_t Strings::slot(std::uint32_t hash, std::string_view text) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at] != 0 && (entries_[slots_[at] - 1].hash != hash || view(String(slots_[at])) != text))
        at = (at + 1) & mask;
    return at;
}

std::optional<String> Strings::find(std::string_view text) const noexcept {
    if (text.empty()) return String();
    const std::uint32_t n = slots_.empty() ? 0 : slots_[slot(hash_of(text), text)];
    return n == 0 ? std::nullopt : std::optional(String(n));
}

void Strings::fill_slots() noexcept {
    std::fill(slots_.begin(), slots_.end(), 0);
    for (std::uint32_t n = 1; n < end(); ++n) {
        const Entry& entry = entries_[n - 1];
        if (entry.text) slots_[slot(entry.hash, view(String(n)))] = n;
    }
}

String Strings::intern(std::string_view text) {
    if (text.empty()) return {};
    const auto size = static_cast<std::uint32_t>(text.size());
    if (const std::optional<String> known = find(text)) {
        entries_[known->number - 1].used = clock_;
        return *known;
    }
    const std::uint32_t hash = hash_of(text);
    std::unique_ptr<char[]> copy(new char[text.size()]);
    std::memcpy(copy.get(), text.data(), text.size());
    if (std::size_t{count_} * 2 >= slots_.size()) {
        std::vector<std::uint32_t> larger(std::max<std::size_t>(slots_.size() * 2, 16));
        slots_.swap(larger);
        fill_slots();
    }
    std::uint32_t n = free_;
    if (n == 0) {
        entries_.emplace_back();
        n = end() - 1;
    }
    // From here on, nothing throws.
    clock_ += 1 + std::min(size / LONG, MOST);
    added_ += 1 + size / COSTLY;
    ++count_;
    slots_[slot(hash, text)] = n;
    Entry& entry = entries_[n - 1];
    if (n == free_) free_ = entry.size;
    entry = {std::move(copy), size, hash, clock_};
    return String(n);
}

std::string_view Strings::text(String s) const {
    if (!exists(s))
        fail(ErrorCode::bad_argument, {"text: this ECS has no string with the number ", number_text(s.number)});
    return view(s);
}

Strings::User::User(Strings& all) noexcept : next_(std::exchange(all.users_, this)), link_(&all.users_) {
    if (next_ != nullptr) next_->link_ = &next_;
}
Strings::User::~User() {
    if (link_ == nullptr) return;
    *link_ = next_;
    if (next_ != nullptr) next_->link_ = link_;
}
Strings::~Strings() {
    for (; users_ != nullptr; users_ = users_->next_) users_->link_ = nullptr;
}

void Strings::sweep(Host* host) noexcept {
    for (User* user = users_; user != nullptr; user = user->next_) user->mark_strings(*this);
    for (std::uint32_t n = 1; n < end(); ++n) {
        Entry& entry = entries_[n - 1];
        if (!entry.text || clock_ - entry.used <= slack_) continue;
        entry.text.reset();
        entry.size = std::exchange(free_, n);
        --count_;
        if (host != nullptr) host->string_freed(n);
    }
    fill_slots();
    added_ = 0;
    limit_ = slack_ < SLACK ? 0 : SLACK + count_ + static_cast<std::uint32_t>(marks_ / 16);
    marks_ = 0;
}

// --- what uses strings ----------------------------------------------------------------------------

String Tracking::string(std::string_view text) {
    const String s = strings.intern(text);
    if (strings.due()) {
        strings.mark(s);
        collect_strings();
    }
    return s;
}

void Tracking::free_strings() noexcept {
    for (const auto& cls : classes_) {
        if (cls) cls->storage->each_string([&](String s) { strings.mark(s); });
    }
    for (const auto& order : orders_) order->mark_strings();
    strings.sweep(host);
}

}  // namespace crateful::internal
