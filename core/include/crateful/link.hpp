#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "crateful/entity.hpp"

namespace crateful {

class Storage;

/// A reference to an entity of which the ECS keeps the reverse (rule C15): `ecs.linked<Targeting>(enemy)` are the entities whose
/// component refers to `enemy`, and when `enemy` is removed, these members become NONE, with a signal. It is the type of a member
/// that `describe_component` names:
///
///     struct Targeting { Link target; };
///     describe_component<Targeting>("Targeting").field("target", &Targeting::target);
///
/// A change is known after a signal: use `add`, `set`, `modify` or `change`.
struct Link {
    Entity entity = NONE;

    constexpr Link() noexcept = default;
    constexpr Link(Entity e) noexcept : entity(e) {}               // NOLINT(google-explicit-constructor)
    constexpr operator Entity() const noexcept { return entity; }  // NOLINT(google-explicit-constructor)
    friend constexpr bool operator==(Link a, Link b) noexcept { return a.entity == b.entity; }
    friend constexpr bool operator==(Link a, Entity b) noexcept { return a.entity == b; }
};

/// The entities that refer to one entity, in the order of their indices: `for (Entity e : ecs.linked<Targeting>(enemy))`. Any
/// change is allowed during an iteration: one that did not refer to it at the beginning, or does not when it is its turn, is not
/// visited (rule C15). A `std::ranges::input_range`, which must not outlive the ECS.
class Linked {
public:
    /// An iteration. It must not outlive the range.
    class Iterator {
    public:
        using iterator_concept = std::input_iterator_tag;
        using difference_type = std::ptrdiff_t;
        using value_type = Entity;

        explicit Iterator(const Linked& range) noexcept : range_(&range) { skip(); }
        [[nodiscard]] Entity operator*() const noexcept { return range_->sources_[at_]; }
        Iterator& operator++() noexcept {
            ++at_;
            skip();
            return *this;
        }
        void operator++(int) noexcept { ++*this; }
        [[nodiscard]] bool operator==(std::default_sentinel_t) const noexcept { return at_ == range_->sources_.size(); }

    private:
        void skip() noexcept {
            while (at_ < range_->sources_.size() && !range_->refers(range_->sources_[at_])) ++at_;
        }
        const Linked* range_;
        std::size_t at_ = 0;
    };
    [[nodiscard]] Iterator begin() const noexcept { return Iterator(*this); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }
    /// The entities that referred to it when the range was created.
    [[nodiscard]] const std::vector<Entity>& entities() const noexcept { return sources_; }

private:
    friend class ECS;
    Linked(const Storage& storage, std::size_t field, Entity target, std::vector<Entity> sources) noexcept
        : storage_(&storage), field_(field), target_(target), sources_(std::move(sources)) {}
    [[nodiscard]] bool refers(Entity e) const noexcept;

    const Storage* storage_;
    std::size_t field_;
    Entity target_;
    std::vector<Entity> sources_;
};

}  // namespace crateful
