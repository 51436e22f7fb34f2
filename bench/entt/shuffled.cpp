#include "shuffled.hpp"

#include <stdexcept>
#include <vector>

#include <entt/entt.hpp>

#include "peer.hpp"

namespace bench {
namespace {

using A = Value<0>;
using B = Value<1>;

class EnttShuffled final : public Workload {
public:
    explicit EnttShuffled(std::uint32_t n) : chosen_(n), all_(chosen_.entities()) {
        registry_.create(all_.begin(), all_.end());
        for (const std::uint32_t i : chosen_.with_a) registry_.emplace<A>(all_[i]);
        for (const std::uint32_t i : chosen_.with_b) registry_.emplace<B>(all_[i], 1u);
    }
    void step() override {
        registry_.view<A, const B>().each([](A& a, const B& b) { a.value += b.value; });
    }
    void verify(std::size_t steps) override {
        for (const std::uint32_t i : chosen_.with_a) {
            const bool match = registry_.all_of<B>(all_[i]);
            if (registry_.get<A>(all_[i]).value != (match ? steps : 0))
                throw std::runtime_error("not done: adding B to A");
        }
    }
    [[nodiscard]] std::size_t ops() const override { return chosen_.matches(); }

private:
    const Shuffled chosen_;
    entt::registry registry_;
    std::vector<entt::entity> all_;
};

}  // namespace

std::unique_ptr<Workload> entt_shuffled(std::uint32_t n) { return std::make_unique<EnttShuffled>(n); }

}  // namespace bench
