#include "where.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "comparison.hpp"

namespace crateful::internal::inspector {
namespace {

/// Reads a text from left to right; spaces in front of a token are skipped. Tokens are parts of the text; a call that finds none returns
/// an empty one.
class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    [[nodiscard]] bool ended() const noexcept { return trim(rest()).empty(); }
    /// Whether a space or the end follows.
    [[nodiscard]] bool at_space() const noexcept { return at_ == text_.size() || is_space(text_[at_]); }
    /// This text.
    bool take(std::string_view token) {
        const std::size_t from = skip();
        if (!text_.substr(from).starts_with(token)) return false;
        at_ = from + token.size();
        return true;
    }
    /// A text in quotation marks, with them.
    [[nodiscard]] std::string_view take_quoted() {
        const std::size_t from = skip();
        if (from == text_.size() || text_[from] != '"') return {};
        const std::size_t end = text_.find('"', from + 1);
        return end == std::string_view::npos ? std::string_view() : take_to(from, end + 1);
    }
    /// A name of a class or field.
    [[nodiscard]] std::string_view take_name() {
        return take_while([](char c) { return !is_space(c) && std::string_view(".<>=!~@#\"()[]").find(c) == NPOS; });
    }
    /// A value or the name of a system.
    [[nodiscard]] std::string_view take_value() {
        const std::string_view text = take_quoted();
        return !text.empty() ? text : take_while([](char c) { return !is_space(c) && c != '"'; });
    }
    /// Digits, also behind `#`, which are followed by a space or the end; without the `#`.
    [[nodiscard]] std::string_view take_number() {
        const std::size_t from = skip();
        const std::size_t first = from + (text_.substr(from).starts_with('#') ? 1 : 0);
        const std::size_t end = end_of_digits(first);
        if (end == first || (end < text_.size() && !is_space(text_[end]))) return {};
        take_to(from, end);
        return text_.substr(first, end - first);
    }
    /// `[1]`, without the brackets.
    [[nodiscard]] std::string_view take_index() {
        const std::size_t from = skip();
        if (!text_.substr(from).starts_with('[')) return {};
        const std::size_t end = end_of_digits(from + 1);
        if (end == from + 1 || end == text_.size() || text_[end] != ']') return {};
        take_to(from, end + 1);
        return text_.substr(from + 1, end - from - 1);
    }
    [[nodiscard]] std::string_view take_operator() {
        for (const std::string_view each : {"<=", ">=", "!=", "==", "=", "<", ">", "~"}) {
            if (take(each)) return each;
        }
        return {};
    }
    /// Something is missing where it is.
    [[noreturn]] void miss(std::string_view what) const {
        const std::string_view before = trim(text_.substr(0, at_));
        const std::string_view next = trim(rest());
        refuse({"where: ", what, " is missing", before.empty() ? "" : " behind ", before,
                next.empty() ? "" : ", where ", next, next.empty() ? "" : " is"});
    }

private:
    static constexpr std::size_t NPOS = std::string_view::npos;
    [[nodiscard]] std::string_view rest() const noexcept { return text_.substr(at_); }
    [[nodiscard]] std::size_t skip() const noexcept {
        std::size_t from = at_;
        while (from < text_.size() && is_space(text_[from])) ++from;
        return from;
    }
    [[nodiscard]] std::size_t end_of_digits(std::size_t from) const noexcept {
        while (from < text_.size() && text_[from] >= '0' && text_[from] <= '9') ++from;
        return from;
    }
    std::string_view take_to(std::size_t from, std::size_t end) noexcept {
        at_ = end;
        return text_.substr(from, end - from);
    }
    template <class Fits>
    [[nodiscard]] std::string_view take_while(Fits&& fits) {
        const std::size_t from = skip();
        std::size_t end = from;
        while (end < text_.size() && fits(text_[end])) ++end;
        return end == from ? std::string_view() : take_to(from, end);
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

/// Makes conditions of a text.
class Parser {
public:
    Parser(std::string_view text, const ECS& ecs, const Classes& classes, const Systems& systems)
        : reader_(text), ecs_(ecs), classes_(classes), systems_(systems) {}

    [[nodiscard]] Condition parse() {
        std::vector<Condition> all;
        while (!reader_.ended()) all.push_back(parse_term());
        if (all.empty()) return nullptr;
        return [all = std::move(all)](Entity e) {
            return std::all_of(all.begin(), all.end(), [e](const Condition& each) { return each(e); });
        };
    }

private:
    [[nodiscard]] Condition parse_term() {
        if (!reader_.take("!")) return parse_positive();
        return [condition = parse_positive()](Entity e) { return !condition(e); };
    }
    [[nodiscard]] Condition parse_positive() {
        if (const std::string_view text = reader_.take_quoted(); !text.empty()) return labelled(unquoted(text));
        if (const std::string_view digits = reader_.take_number(); !digits.empty()) {
            return [number = number_of(digits)](Entity e) {
                return number == static_cast<double>(static_cast<std::uint32_t>(e)) || number == index_of(e);
            };
        }
        if (reader_.take("@")) return parse_system();
        const std::string_view name = reader_.take_name();
        if (name.empty()) reader_.miss("a component, \"text\", #number or @system");
        const KnownClass* const cls = classes_.find(name);
        if (cls == nullptr) refuse({"where: ", classes_.no_class(name)});
        return parse_component(*cls);
    }
    [[nodiscard]] Condition labelled(std::string_view text) const {
        return [this_ecs = &ecs_, classes = &classes_, part = lower(text)](Entity e) {
            const std::string label = label_of(*this_ecs, *classes, e);
            return !label.empty() && lower(label).find(part) != std::string::npos;
        };
    }
    [[nodiscard]] Condition parse_system() {
        const std::string_view given = reader_.take_value();
        if (given.empty()) reader_.miss("the name of a system");
        const std::string_view name = unquoted(given);
        const KnownSystem* const found = systems_.find(name);
        if (found == nullptr) refuse({"where: there is no system ", name});
        return [system = found->system](Entity e) { return system->tracks(e); };
    }
    [[nodiscard]] Condition parse_component(const KnownClass& cls) {
        std::vector<std::string_view> path;
        for (std::string_view part; take_part(part);) path.push_back(part);
        const std::string_view given_operator = reader_.take_operator();
        if (given_operator.empty() && path.empty()) return [found = &cls](Entity e) { return found->has(e); };
        const std::string_view value = given_operator.empty() ? "true" : reader_.take_value();
        if (value.empty()) reader_.miss("a value");
        if (path.empty()) {
            const std::string_view first = cls.runs.empty() ? "x" : std::string_view(cls.field(cls.runs[0]).name);
            refuse({"where: ", cls.name, " needs a field, as ", cls.name, ".", first});
        }
        return compare_field(ecs_, cls, path, given_operator.empty() ? "=" : given_operator, value);
    }
    // `.x` or `[1]`.
    [[nodiscard]] bool take_part(std::string_view& part) {
        if (reader_.at_space()) return false;
        part = reader_.take_index();
        if (!part.empty()) return true;
        if (!reader_.take(".")) return false;
        part = reader_.take_name();
        if (part.empty()) reader_.miss("the name of a field");
        return true;
    }

    Reader reader_;
    const ECS& ecs_;
    const Classes& classes_;
    const Systems& systems_;
};

}  // namespace

Condition parse_where(std::string_view text, const ECS& ecs, const Classes& classes, const Systems& systems) {
    return Parser(text, ecs, classes, systems).parse();
}

}  // namespace crateful::internal::inspector
