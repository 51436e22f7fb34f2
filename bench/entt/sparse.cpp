#include "sparse.hpp"

#include <stdexcept>
#include <vector>

#include <entt/entt.hpp>

#include "peer.hpp"

namespace bench {
namespace {

class EnttSparse final : public Workload {
public:
    explicit EnttSparse(const Sparse& params) : params_(params), all_(params.n) {
        registry_.create(all_.begin(), all_.end());
        registry_.insert<Position>(all_.begin(), all_.end());
        registry_.insert<Sprite>(all_.begin(), all_.end());
        for (std::uint32_t i = 0; i < params.k; ++i) targets_.push_back(all_[params.chosen(0, i)]);
        dirty_.on_update<Position>();
    }
    void step() override {
        step_ += 1;
        for (const entt::entity e : targets_) registry_.patch<Position>(e, [this](Position& p) { p.x = step_; });
        for (auto [e, position, sprite] : dirty_.view<const Position, Sprite>().each()) {
            sprite.x = position.x;
            sprite.frame += 1;
        }
        dirty_.clear();
    }
    void verify(std::size_t steps) override {
        std::size_t frames = 0;
        for (auto [e, sprite] : registry_.view<Sprite>().each()) frames += sprite.frame;
        if (frames != steps * params_.k)
            throw std::runtime_error("not done: updating the sprites of changed positions");
    }
    [[nodiscard]] std::size_t ops() const override { return params_.k; }

private:
    const Sparse params_;
    float step_ = 0;
    entt::registry registry_;
    entt::storage_type_t<entt::reactive>& dirty_ = registry_.storage<entt::reactive>(entt::hashed_string{"dirty"});
    std::vector<entt::entity> all_;
    std::vector<entt::entity> targets_;
};

}  // namespace

std::unique_ptr<Workload> entt_sparse(const Sparse& params) { return std::make_unique<EnttSparse>(params); }

}  // namespace bench
