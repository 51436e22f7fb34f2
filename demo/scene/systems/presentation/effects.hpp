#pragma once
#include <vector>

#include "components.hpp"

namespace crate_room {

enum class EffectKind : std::uint8_t { puff, spark, blast };

/// Event: an effect is to be shown for a moment.
struct Effect {
    EffectKind kind;
    float x;
    float y;
};

/// Shows smoke, sparks and fire. It reuses a pool of entities, which it fills again after the world was cleared. While
/// all of them are in use, further effects are not shown.
class Effects final : public System<> {
public:
    static constexpr std::size_t POOL = 64;

    Effects() { require<Pooled, Position, Animation>(); }
    void init() override;
    void on_clear() override { refill_pool(); }
    void on_enabled(Entities&) override { ecs().events.inbox<Effect>().clear(); }
    void update(double delta, Entities& entities) override;

private:
    void refill_pool();
    void show(const Effect& effect);

    std::vector<Entity> idle_;
};

}  // namespace crate_room
