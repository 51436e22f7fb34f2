#pragma once
#include <vector>

#include "components.hpp"

namespace crate_room {

enum class EffectKind : std::uint8_t { puff, spark, blast };

/// Event: something is to be seen for a moment.
struct Effect {
    EffectKind kind;
    float x;
    float y;
};

/// Shows smoke, sparks and fire. It keeps a pool of entities for them, which it fills again when the world
/// was cleared (seed 4); when all are in use the moment passes unseen.
class Effects final : public crateful::System<> {
public:
    static constexpr std::size_t POOL = 64;

    Effects() { require<Pooled, Position, Animation>(); }
    [[nodiscard]] std::string name() const override { return "Effects"; }
    void init() override;
    void on_clear() override { refill_pool(); }
    void on_enabled(crateful::Entities<crateful::Aspect>&) override { ecs().events.inbox<Effect>().clear(); }
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) override;

private:
    void refill_pool();
    void show(const Effect& effect);

    std::vector<crateful::Entity> idle_;
};

}  // namespace crate_room
