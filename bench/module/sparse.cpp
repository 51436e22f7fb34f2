#include "sparse.hpp"

#include <algorithm>
#include <vector>

namespace bench {
namespace {

using namespace crateful;

class Draw final : public System<> {
public:
    Draw() {
        require<Position, Sprite>();
        watch<Position>();
    }
    void update(double, Entities&, Dirty& dirty) override {
        const auto& positions = ecs().storage<Position>();
        auto& sprites = ecs().storage<Sprite>();
        for (const Entity e : dirty.ids()) {
            Sprite& sprite = sprites.at(sprites.slot(e));
            sprite.x = positions.at(positions.slot(e)).x;
            sprite.frame += 1;
        }
    }
};

class Change final : public System<> {
public:
    Change(const Sparse& params, const std::vector<Entity>& all) : params_(params), all_(all) {
        require<Position>();
        for (std::uint32_t i = 0; i < params.k; ++i) targets_.push_back(params.chosen(0, i));
    }
    void update(double) override {
        x_ += 1;
        auto& positions = ecs().storage<Position>();
        changed_.clear();
        for (std::uint32_t& target : targets_) {
            if (params_.moving && ++target == params_.n) target = 0;
            positions.at(positions.slot(all_[target])).x = x_;
            changed_.push_back(all_[target]);
        }
        ecs().dirty<Position>(changed_);
    }

private:
    const Sparse& params_;
    const std::vector<Entity>& all_;
    std::vector<std::uint32_t> targets_;
    std::vector<Entity> changed_;
    float x_ = 0;
};

class SparseCase final : public Case {
public:
    SparseCase(ECS& ecs, const Sparse& params, bool changes)
        : Case(ecs), params_(params), all_(ecs.add_entities(params.n)) {
        ecs.add<Position>(all_, std::vector<Position>(1));
        ecs.add<Sprite>(all_, std::vector<Sprite>(1));
        ecs.add_system<Draw>(10);
        ecs.update();  // in this frame all entities are new, and therefore dirty
        if (changes) ecs.add_system<Change>(0, params_, all_);
    }
    [[nodiscard]] std::size_t ops() const override { return std::max<std::size_t>(params_.k, 1); }
    void verify(std::size_t steps) const override {
        std::vector<Sprite> expected(params_.n, {.x = 0, .y = 0, .frame = 1});
        for (std::size_t step = 1; step <= steps; ++step) {
            for (std::uint32_t i = 0; i < params_.k; ++i) {
                Sprite& sprite = expected[params_.chosen(step, i)];
                sprite.x = static_cast<float>(step);
                sprite.frame += 1;
            }
        }
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const Sprite& sprite = ecs_.get<Sprite>(all_[i]);
            require(sprite.x == expected[i].x && sprite.frame == expected[i].frame,
                    "updating the sprites of all changed positions, and only those");
        }
    }

private:
    const Sparse params_;
    const std::vector<Entity> all_;
};

}  // namespace

std::unique_ptr<Case> sparse(ECS& ecs, const Sparse& params, bool changes) {
    return std::make_unique<SparseCase>(ecs, params, changes);
}

}  // namespace bench
