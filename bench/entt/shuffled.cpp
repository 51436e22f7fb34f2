// Two storages in different orders, with Crateful and with EnTT.
#include <algorithm>
#include <numeric>
#include <random>

#include "states.hpp"

namespace bench {
namespace {

constexpr auto add = [](Marked& marked, const Velocity& velocity) {
    marked.value += static_cast<std::uint32_t>(velocity.x);
};

// Two components, `n` of each, which were added in different random orders. Half of the entities with one have both.
Pair each_shuffled(const char* name, std::size_t n) {
    auto own = own_with<>(n / 2 * 3);
    auto peer = peer_with<>(n / 2 * 3);
    std::mt19937 random(1);
    std::vector<std::uint32_t> order(n / 2 * 3);
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::shuffle(order, random);
    std::vector<std::uint32_t> marked(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n));
    std::vector<std::uint32_t> moving(order.rbegin(), order.rbegin() + static_cast<std::ptrdiff_t>(n));
    std::ranges::shuffle(marked, random);
    std::ranges::shuffle(moving, random);
    for (const std::uint32_t i : marked)
        own->ecs.add<Marked>(own->all[i]), peer->registry.emplace<Marked>(peer->all[i]);
    for (const std::uint32_t i : moving)
        own->ecs.add<Velocity>(own->all[i]), peer->registry.emplace<Velocity>(peer->all[i]);
    return {name,
            workload(
                std::move(own), n / 2, [](Own& s) { s.ecs.query<Marked, const Velocity>().each(add); },
                [](Own& s, std::size_t steps) {
                    return std::ranges::all_of(s.ecs.storage<Marked>().entities(), [&](crateful::Entity e) {
                        return s.ecs.get<Marked>(e).value == (s.ecs.has<Velocity>(e) ? steps : 0);
                    });
                }),
            workload(
                std::move(peer), n / 2, [](Peer& s) { s.registry.view<Marked, const Velocity>().each(add); },
                [](Peer& s, std::size_t steps) {
                    return std::ranges::all_of(s.registry.view<Marked>(), [&](entt::entity e) {
                        return s.registry.get<Marked>(e).value == (s.registry.all_of<Velocity>(e) ? steps : 0);
                    });
                })};
}

}  // namespace

std::vector<Pair> shuffled() {
    std::vector<Pair> pairs;
    pairs.push_back(each_shuffled("each_shuffled_10k", 10'000));
    pairs.push_back(each_shuffled("each_shuffled_100k", 100'000));
    return pairs;
}

}  // namespace bench
