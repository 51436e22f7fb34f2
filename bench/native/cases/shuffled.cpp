#include "shuffled.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace bench {
namespace {

using namespace crateful;

using A = Value<0>;
using B = Value<1>;

class ShuffledCase final : public Case {
public:
    ShuffledCase(ECS& ecs, std::uint32_t n) : Case(ecs), chosen_(n), all_(ecs.add_entities(chosen_.entities())) {
        for (const std::uint32_t i : chosen_.with_a) ecs.add<A>(all_[i]);
        for (const std::uint32_t i : chosen_.with_b) ecs.add<B>(all_[i], {1});
        add_system<A>(ecs, 0,
                      [](ECS& world) { world.query<A, const B>().each([](A& a, const B& b) { a.value += b.value; }); });
    }
    [[nodiscard]] std::size_t ops() const override { return chosen_.matches(); }
    void verify(std::size_t steps) const override {
        std::size_t matches = 0;
        for (const std::uint32_t i : chosen_.with_a) {
            const bool match = ecs_.has<B>(all_[i]);
            matches += match ? 1 : 0;
            require(ecs_.get<A>(all_[i]).value == (match ? steps : 0), "adding B to A where there is a B");
        }
        require(matches == chosen_.matches(), "giving both to half of the entities");
    }

private:
    const Shuffled chosen_;
    const std::vector<Entity> all_;
};

}  // namespace

Shuffled::Shuffled(std::uint32_t n) {
    std::mt19937 random(1);
    std::vector<std::uint32_t> all(n / 2 * 3);
    std::iota(all.begin(), all.end(), 0u);
    std::shuffle(all.begin(), all.end(), random);
    with_a.resize(n);
    with_b.resize(n);
    std::copy_n(all.begin(), n, with_a.begin());
    std::copy_n(all.rbegin(), n, with_b.begin());
    std::shuffle(with_a.begin(), with_a.end(), random);
    std::shuffle(with_b.begin(), with_b.end(), random);
}

std::unique_ptr<Case> shuffled(ECS& ecs, std::uint32_t n) { return std::make_unique<ShuffledCase>(ecs, n); }

}  // namespace bench
