// 1,176 trees of depth 4 with 85 entities each, created depth first, of which 100 roots move in each step; as ../cases/hierarchy.mjs. With
// Crateful the roots signal; with EnTT, whose users write hierarchies by hand, each entity has a list of its children.
#include <cstdint>
#include <vector>

#include <crateful/ecs.hpp>
#include <entt/entt.hpp>

#include "workload.hpp"

namespace bench {
namespace {

constexpr std::size_t TREES = 1'176;
constexpr std::size_t SIZE = 85;
constexpr std::size_t LEVELS = 4;
constexpr std::size_t MOVED = 100;

struct Local {
    float x = 1;
    float y = 2;
};
struct World {
    float x = 0;
    float y = 0;
};
World below(const World& above, const Local& local) { return {above.x + local.x, above.y + local.y}; }

/// Creates the trees by `create(parent)`, and returns their entities. `none` is the parent of roots.
template <class E, class Create>
std::vector<E> trees(E none, Create&& create) {
    std::vector<E> all;
    const auto grow = [&](auto& self, E parent, std::size_t level) -> void {
        const E own = all.emplace_back(create(parent));
        for (int i = 0; i < 4 && level < LEVELS; ++i) self(self, own, level + 1);
    };
    for (std::size_t tree = 0; tree < TREES; ++tree) grow(grow, none, 1);
    return all;
}
std::size_t root(std::size_t i) { return i * TREES / MOVED * SIZE; }

/// `world(i)` is the place of the i-th entity.
template <class Place>
bool is_placed(std::size_t steps, Place&& world) {
    const auto x = static_cast<float>(steps);
    for (std::size_t i = 0; i < MOVED; ++i) {
        const World leaf = world(root(i) + SIZE - 1);
        if (world(root(i)).x != x || leaf.x != x + LEVELS - 1 || leaf.y != 2 * LEVELS) return false;
    }
    return true;
}

// --- Crateful ---------------------------------------------------------------------------------------

struct Placing : crateful::System<> {
    Placing() {
        require<Local, World>();
        watch<Local>();
        watch_ancestors<Local>();
    }
    void update(double, Entities&, Dirty& dirty) override {
        const auto placed = ecs().query<const Local, World>(crateful::parent<const World>);
        for (auto [e, local, world, above] : placed.of(dirty.top_down()))
            world = above == nullptr ? World{local.x, local.y} : below(*above, local);
    }
};
struct Own {
    crateful::ECS ecs;
    std::vector<crateful::Entity> all;
    float x = 0;
    Own() {
        all = trees(crateful::NONE, [&](crateful::Entity parent) {
            const crateful::Entity e = ecs.add_entity(Local{}, World{});
            if (parent != crateful::NONE) ecs.set_parent(e, parent);
            return e;
        });
        ecs.add_system<Placing>(0);
        ecs.update();
    }
    void step() {
        x += 1;
        for (std::size_t i = 0; i < MOVED; ++i) ecs.modify<Local>(all[root(i)], [&](Local& local) { local.x = x; });
        ecs.update();
    }
};

// --- EnTT -------------------------------------------------------------------------------------------

/// One component, so that the loop over the children looks up one storage.
struct Node {
    Local local;
    entt::entity parent = entt::null;
    std::vector<entt::entity> children;
};
struct Peer {
    entt::registry registry;
    entt::storage_type_t<entt::reactive>& moved = registry.storage<entt::reactive>(entt::hashed_string{"moved"});
    entt::storage_type_t<Node>& nodes = registry.storage<Node>();
    entt::storage_type_t<World>& worlds = registry.storage<World>();
    std::vector<entt::entity> all;
    float x = 0;
    Peer() {
        moved.on_construct<Node>().on_update<Node>();
        all = trees(entt::entity{entt::null}, [&](entt::entity parent) {
            const entt::entity e = registry.create();
            nodes.emplace(e, Node{{}, parent, {}});
            worlds.emplace(e);
            if (parent != entt::null) nodes.get(parent).children.push_back(e);
            return e;
        });
        place();
    }
    void step() {
        x += 1;
        for (std::size_t i = 0; i < MOVED; ++i)
            registry.patch<Node>(all[root(i)], [&](Node& node) { node.local.x = x; });
        place();
    }
    void place() {
        for (auto [e, node, world] : moved.view<const Node, World>().each()) {
            if (is_below_another(node)) continue;
            world = node.parent == entt::null ? World{node.local.x, node.local.y}
                                              : below(worlds.get(node.parent), node.local);
            place_below(node, world);
        }
        moved.clear();
    }
    void place_below(const Node& node, const World& world) {
        for (const entt::entity child : node.children) {
            const Node& next = nodes.get(child);
            World& at = worlds.get(child);
            at = below(world, next.local);
            if (!next.children.empty()) place_below(next, at);
        }
    }
    [[nodiscard]] bool is_below_another(const Node& node) const {
        for (entt::entity above = node.parent; above != entt::null; above = nodes.get(above).parent)
            if (moved.contains(above)) return true;
        return false;
    }
};

}  // namespace

Pair hierarchy() {
    return {"hierarchy",
            workload(
                std::make_unique<Own>(), MOVED * SIZE, [](Own& s) { s.step(); },
                [](Own& s, std::size_t steps) {
                    return is_placed(steps, [&](std::size_t i) { return s.ecs.get<World>(s.all[i]); });
                }),
            workload(
                std::make_unique<Peer>(), MOVED * SIZE, [](Peer& s) { s.step(); },
                [](Peer& s, std::size_t steps) {
                    return is_placed(steps, [&](std::size_t i) { return s.worlds.get(s.all[i]); });
                })};
}

}  // namespace bench
