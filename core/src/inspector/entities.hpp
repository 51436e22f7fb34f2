// Lists of entities, and one entity.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "classes.hpp"
#include "systems.hpp"

namespace crateful::internal::inspector {

/// The value of the first string field that is called `name`, `label` or `title`; empty if there is none.
[[nodiscard]] std::string label_of(const ECS& ecs, const Classes& classes, Entity e);

/// Answers questions about the entities of an ECS.
class Entities {
public:
    Entities(ECS& ecs, const Classes& classes, const Systems& systems)
        : ecs_(ecs), classes_(classes), systems_(systems) {}
    /// All, in the order of their indices.
    [[nodiscard]] Json list(const Page& page) const;
    /// The living entities of a list.
    [[nodiscard]] Json list(const std::vector<Entity>& of, const Page& page) const;
    /// What a condition compares, as the question `column` says. Throws `bad_argument` and `bad_system`.
    [[nodiscard]] Json column(const Request& request) const;
    /// All entities without a parent and, behind each that is expanded, its children.
    [[nodiscard]] Json tree(const std::function<bool(Entity)>& expanded, const Page& page) const;
    /// The children of an entity.
    [[nodiscard]] Json children(Entity e, const Page& page) const;
    /// The living entity for which a request asks. Throws `bad_argument` and `stale_entity`.
    [[nodiscard]] Entity find(const Request& request) const;
    /// An entity with all of its values.
    [[nodiscard]] Json details(Entity e) const;

private:
    [[nodiscard]] Json row(Entity e, std::optional<std::size_t> depth = {}) const;
    [[nodiscard]] Json component(const KnownClass& cls, Entity e) const;

    ECS& ecs_;
    const Classes& classes_;
    const Systems& systems_;
};

}  // namespace crateful::internal::inspector
