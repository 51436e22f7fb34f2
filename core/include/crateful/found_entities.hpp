#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "crateful/entity.hpp"

namespace crateful {

/// The entities whose component has a value in a field, in the order of their indices: what `ECS::linked` and `Index::get` return. Any
/// change is allowed during an iteration: an entity that did not have the value at the beginning, or does not when it is its turn, is
/// not visited (rules C15, Q11). A `std::ranges::input_range`, which must not outlive the ECS.
class FoundEntities {
public:
    /// Whether the field number `field` of the entity has the value; `of` is what knows the field.
    using Test = bool (*)(const void* of, std::size_t field, std::uint64_t value, Entity e) noexcept;
    /// `entities` are those that pass the test now.
    FoundEntities(Test test, const void* of, std::size_t field, std::uint64_t value,
                  std::vector<Entity> entities) noexcept
        : test_(test), of_(of), field_(field), value_(value), entities_(std::move(entities)) {}

    /// An iteration. It must not outlive the range.
    class Iterator {
    public:
        using iterator_concept = std::input_iterator_tag;
        using difference_type = std::ptrdiff_t;
        using value_type = Entity;

        explicit Iterator(const FoundEntities& range) noexcept : range_(&range) { skip(); }
        [[nodiscard]] Entity operator*() const noexcept { return range_->entities_[at_]; }
        Iterator& operator++() noexcept {
            ++at_;
            skip();
            return *this;
        }
        void operator++(int) noexcept { ++*this; }
        [[nodiscard]] bool operator==(std::default_sentinel_t) const noexcept {
            return at_ == range_->entities_.size();
        }

    private:
        void skip() noexcept {
            while (at_ < range_->entities_.size() && !range_->passes(range_->entities_[at_])) ++at_;
        }
        const FoundEntities* range_;
        std::size_t at_ = 0;
    };
    [[nodiscard]] Iterator begin() const noexcept { return Iterator(*this); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }
    /// The entities that had the value when the range was created.
    [[nodiscard]] const std::vector<Entity>& entities() const& noexcept { return entities_; }
    /// The same, of a temporary range.
    [[nodiscard]] std::vector<Entity> entities() && noexcept { return std::move(entities_); }

private:
    [[nodiscard]] bool passes(Entity e) const noexcept { return test_(of_, field_, value_, e); }

    Test test_;
    const void* of_;
    std::size_t field_;
    std::uint64_t value_;
    std::vector<Entity> entities_;
};

}  // namespace crateful
