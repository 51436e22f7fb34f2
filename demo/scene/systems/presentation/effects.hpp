#pragma once
#include <string_view>

#include "tracking.hpp"

namespace crate_room {

// As wide as the other members of Effect, whose bytes snapshots contain.
enum class EffectKind : std::uint32_t { puff, spark, blast };

/// Event: an effect is to be shown for a moment.
struct Effect {
    static constexpr std::string_view type_name = "Effect";
    EffectKind kind;
    float x;
    float y;
};

/// Shows smoke, sparks and fire. It reuses a pool of entities, which it fills again after the world was cleared. While
/// all of them are in use, further effects are not shown.
class Effects final : public System<> {
public:
    static constexpr std::size_t POOL = 64;

    explicit Effects(const Tracking& tracking) : tracking_(tracking) { require<Pooled, Position, Animation>(); }
    void init() override;
    void on_clear() override { refill_pool(); }
    void on_enabled(Entities&) override { ecs().events.inbox<Effect>().clear(); }
    void update(double delta, Entities& entities) override;

private:
    void refill_pool();
    void show(const Effect& effect);
    const Tracking& tracking_;
};

}  // namespace crate_room
