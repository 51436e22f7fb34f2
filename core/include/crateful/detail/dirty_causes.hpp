#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crateful/component.hpp"
#include "crateful/entity.hpp"

namespace crateful::internal {

/// Which of the watched classes made each entity of a dirty set dirty (rule D15). It costs nothing until it is first asked.
///
/// A cause is a bit for each watched class, in the order in which the system names them. Nothing is forgotten when an entity
/// leaves the set, because its causes are written anew when it enters it again.
class DirtyCauses {
public:
    /// The system starts to track the entity, or it is not known why the entity is dirty.
    static constexpr std::uint32_t ALL = ~0u;
    /// The entity or an ancestor got another parent (rule D13).
    static constexpr std::uint32_t MOVED = 1u << 31;
    /// How many classes have a bit.
    static constexpr std::size_t MOST_CLASSES = 31;

    /// The bit of the watched class number `k`; 0 if it has none.
    [[nodiscard]] static constexpr std::uint32_t bit(std::size_t k) noexcept { return k < MOST_CLASSES ? 1u << k : 0; }
    /// No class is watched any more.
    void unwatch() noexcept { classes_.clear(); }
    /// The signals of a class have this cause; of one that is watched from ancestors, MOVED is also one of its causes.
    void watch(ComponentId id, std::uint32_t causes) { classes_.push_back({id, causes}); }
    /// The causes of a class. Throws `bad_argument` if it is not watched, or if it is one of too many.
    [[nodiscard]] std::uint32_t of(ComponentId id) const;

    /// Whether causes are kept.
    [[nodiscard]] bool kept() const noexcept { return data_ != nullptr; }
    /// Keeps causes from now on. These entities, which are in the set or enter it, count for every class.
    void keep(std::span<const Entity> entities);
    /// Guarantees that `set` and `add` do not fail for this entity.
    void reserve(Entity e);
    /// The entity enters the set.
    void set(Entity e, std::uint32_t causes) noexcept { data_[index_of(e)] = causes; }
    /// The entity, which is in the set, has a further cause.
    void add(Entity e, std::uint32_t causes) noexcept { data_[index_of(e)] |= causes; }
    /// Whether one of these causes made the entity, which is in the set, dirty.
    [[nodiscard]] bool has(Entity e, std::uint32_t causes) const noexcept { return (data_[index_of(e)] & causes) != 0; }
    /// Exchanges the memory of the causes by entity index; with none, they are kept no more.
    void exchange(std::vector<std::uint32_t>& causes) noexcept {
        causes_.swap(causes);
        data_ = causes_.empty() ? nullptr : causes_.data();
    }
    /// The causes by entity index, read by language bindings in memory; nullptr until they are kept.
    [[nodiscard]] std::uint32_t* const& data() const noexcept { return data_; }

private:
    struct Watched {
        ComponentId id;
        std::uint32_t causes;
    };
    std::vector<Watched> classes_;
    std::vector<std::uint32_t> causes_;
    std::uint32_t* data_ = nullptr;
};

}  // namespace crateful::internal
