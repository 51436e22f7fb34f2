// Few of many change, and are then processed, with Crateful and with EnTT.
#include "states.hpp"

namespace bench {
namespace {

constexpr std::size_t FEW = 100;

struct Sprite {
    float x = 0;
    float y = 0;
    std::uint32_t frame = 0;
};
/// Evenly spread.
template <class E>
std::vector<E> few_of(const std::vector<E>& all) {
    std::vector<E> few;
    for (std::size_t i = 0; i < FEW; ++i) few.push_back(all[i * N / FEW]);
    return few;
}
void draw(const Position& position, Sprite& sprite) {
    sprite.x = position.x;
    sprite.frame += 1;
}
/// Changes positions, and then processes its own dirty set.
struct ChangeAndDraw : crateful::System<> {
    explicit ChangeAndDraw(const std::vector<crateful::Entity>& all) : targets_(few_of(all)) {
        require<Position, Sprite>();
        watch<Position>();
    }
    void update(double, Entities&, Dirty& dirty) override {
        frame_ += 1;
        for (const crateful::Entity e : targets_) ecs().modify<Position>(e, [this](Position& p) { p.x = frame_; });
        for (auto [e, position, sprite] : ecs().query<const Position, Sprite>().of(dirty)) draw(position, sprite);
    }

private:
    std::vector<crateful::Entity> targets_;
    float frame_ = 0;
};

}  // namespace

Pair sparse_in_one_system() {
    auto own = own_with<Sprite>();
    own->ecs.add_system<ChangeAndDraw>(0, own->all);
    own->ecs.update();  // in this frame all entities are new, and therefore dirty
    auto peer = peer_with<Sprite>();
    peer->dirty.on_update<Position>();
    const std::vector<entt::entity> few = few_of(peer->all);
    return {"sparse_in_one_system",
            workload(
                std::move(own), FEW, [](Own& s) { s.ecs.update(); },
                [](Own& s, std::size_t steps) {
                    std::size_t frames = 0;
                    s.ecs.each<const Sprite>([&](const Sprite& sprite) { frames += sprite.frame; });
                    return frames == N + steps * FEW;
                }),
            workload(
                std::move(peer), FEW,
                [few, x = 0.0F](Peer& s) mutable {
                    x += 1;
                    for (const entt::entity e : few) s.registry.patch<Position>(e, [&](Position& p) { p.x = x; });
                    for (auto [e, position, sprite] : s.dirty.view<const Position, Sprite>().each())
                        draw(position, sprite);
                    s.dirty.clear();
                },
                [](Peer& s, std::size_t steps) {
                    std::size_t frames = 0;
                    for (auto [e, sprite] : s.registry.view<const Sprite>().each()) frames += sprite.frame;
                    return frames == steps * FEW;
                })};
}

}  // namespace bench
