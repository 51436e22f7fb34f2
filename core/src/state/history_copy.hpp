// A copy of the components of an ECS that knows which of them signalled (rule D14).
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "component_copy.hpp"

namespace crateful::internal {

/// Its records name entities, so that each can be read without the others. A component that only moves in its storage keeps the values that
/// it had: what was written into it without a signal is found with its next signal.
class HistoryCopy : public ComponentCopy {
public:
    HistoryCopy(ECS& of, RecordingHost* host) : ComponentCopy(of, {}, host, Name::entity) {}

protected:
    ~HistoryCopy() override = default;

    /// As that of the base.
    void sync(std::size_t number, Record& record);
    /// Of the last class: the entities whose component signalled, and has the same values.
    [[nodiscard]] std::span<const Entity> same() const noexcept { return same_; }

private:
    [[nodiscard]] std::vector<std::byte> encoded(const CopiedClass& cls, std::uint32_t slot) const final;
    [[nodiscard]] bool keeps_values(CopiedClass& cls, std::uint32_t place, Entity before, Entity after,
                                    std::vector<std::byte>& values) final;
    void displace(CopiedClass& cls, std::uint32_t place, Entity e);
    [[nodiscard]] bool find_values(CopiedClass& cls, Entity e, std::vector<std::byte>& values);

    std::vector<Entity> same_;
    // Values of components whose place was given to another one, before their new place was reached.
    std::vector<std::pair<Entity, std::vector<std::byte>>> displaced_;
    std::vector<std::uint32_t> displaced_at_;  // by index of the entity
};

}  // namespace crateful::internal
