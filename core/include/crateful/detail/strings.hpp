#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "crateful/detail/host.hpp"
#include "crateful/string.hpp"

namespace crateful::internal {

/// The strings of one ECS (rule C13): each text once, by its number. Unused ones are freed by a collection: `mark` those that are used,
/// then `sweep`. A text stays at its address until then.
class Strings {
public:
    /// Strings that were interned last: an unused one is kept until this many others were added.
    static constexpr std::uint32_t SLACK = 1024;
    /// So many bytes of a text count as one more of these others, but a text at most as MOST more: several are valid in any case.
    static constexpr std::uint32_t LONG = 16 * 1024;
    static constexpr std::uint32_t MOST = 63;
    /// So many count as one more text for the next collection, because to add them takes longer than to collect a string.
    static constexpr std::uint32_t COSTLY = 256;
    /// Something that is no component, and uses strings as long as it exists.
    class User {
    public:
        User(const User&) = delete;
        User& operator=(const User&) = delete;

    protected:
        explicit User(Strings& all) noexcept;
        virtual ~User();
        /// Marks them in a collection.
        virtual void mark_strings(Strings& all) noexcept = 0;

    private:
        friend class Strings;
        User* next_;
        User** link_;  // what refers to it; nullptr when the ECS was destroyed
    };
    /// A list of strings that are used.
    class Kept final : User {
    public:
        Kept(Strings& all, std::vector<String> strings) noexcept : User(all), strings_(std::move(strings)) {}
        ~Kept() override = default;

    private:
        void mark_strings(Strings& all) noexcept override {
            for (const String s : strings_) all.mark(s);
        }
        std::vector<String> strings_;
    };

    Strings() = default;
    ~Strings();
    Strings(const Strings&) = delete;
    Strings& operator=(const Strings&) = delete;

    /// While one exists, nothing is collected: for values that are kept while a function runs that may add strings.
    class Hold {
    public:
        explicit Hold(Strings& all) noexcept : all_(all) { ++all_.held_; }
        ~Hold() { --all_.held_; }
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;

    private:
        Strings& all_;
    };

    /// The string with this text, which is added if necessary. Throws `std::bad_alloc`, and then changes nothing. O(bytes).
    [[nodiscard]] String intern(std::string_view text);
    /// The string with this text, if there is one. O(bytes).
    [[nodiscard]] std::optional<String> find(std::string_view text) const noexcept;
    /// Its text. Throws `bad_argument` if there is none with this number. O(1).
    [[nodiscard]] std::string_view text(String s) const;
    /// The same for one that exists.
    [[nodiscard]] std::string_view view(String s) const noexcept {
        if (s.number == 0) return {};
        const Entry& entry = entries_[s.number - 1];
        return {entry.text.get(), entry.size};
    }
    /// Whether there is one with this number.
    [[nodiscard]] bool exists(String s) const noexcept {
        return s.number == 0 || (s.number < end() && entries_[s.number - 1].text);
    }
    /// Whether the text of `a` is in front of that of `b`, by their bytes. Both must exist.
    [[nodiscard]] bool before(String a, String b) const noexcept { return view(a) < view(b); }
    /// More than every number. O(1).
    [[nodiscard]] std::uint32_t end() const noexcept { return static_cast<std::uint32_t>(entries_.size()) + 1; }

    /// Whether enough were added since the last collection for its cost.
    [[nodiscard]] bool due() const noexcept { return added_ > limit_ && held_ == 0; }
    /// The string is used. Any number is allowed.
    void mark(String s) noexcept {
        ++marks_;
        if (s.number - 1 < entries_.size()) entries_[s.number - 1].used = clock_;
    }
    /// Frees those that are not used, and notifies the host, which may be nullptr. O(strings).
    void sweep(Host* host) noexcept;
    /// For tests: `SLACK` is this from now on, and a collection is due at each string that is added.
    void slack(std::uint32_t n) noexcept {
        slack_ = n;
        limit_ = 0;
    }

private:
    struct Entry {
        std::unique_ptr<char[]> text;  // nullptr: the number is free
        std::uint32_t size = 0;        // of a free number: the next one
        std::uint32_t hash = 0;
        std::uint32_t used = 0;  // the clock when it was interned or marked last
    };
    [[nodiscard]] std::size_t slot(std::uint32_t hash, std::string_view text) const noexcept;
    void fill_slots() noexcept;

    std::vector<Entry> entries_;        // by number - 1
    std::vector<std::uint32_t> slots_;  // numbers by hash, or 0: a power of two, at least twice as many as strings
    User* users_ = nullptr;
    int held_ = 0;
    std::uint32_t free_ = 0;   // the first free number
    std::uint32_t count_ = 0;  // of strings
    std::uint32_t clock_ = 0;  // counts the strings that were added, long ones more than once
    std::uint32_t added_ = 0;  // the same since the last collection, with COSTLY
    std::uint32_t limit_ = SLACK;
    std::uint32_t slack_ = SLACK;
    std::size_t marks_ = 0;  // of this collection
};

}  // namespace crateful::internal
