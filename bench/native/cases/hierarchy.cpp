#include "hierarchy.hpp"

#include <vector>

namespace bench {
namespace {

using namespace crateful;

struct Local {
    float x = 1;
    float y = 2;
};
struct World {
    float x = 0;
    float y = 0;
};

constexpr int NONE_YET = -1;

/// The numbers of entities, which are created depth first.
struct Trees {
    static constexpr int COUNT = 1'176;
    static constexpr int SIZE = 85;
    static constexpr int LEVELS = 4;
    static constexpr int MOVED = 100;

    std::vector<int> parent, first, next;  // NONE_YET if there is none
    std::vector<int> roots;                // that move

    Trees() {
        for (int tree = 0; tree < COUNT; ++tree) create(NONE_YET, 1);
        first.assign(parent.size(), NONE_YET);
        next.assign(parent.size(), NONE_YET);
        for (std::size_t i = parent.size(); i-- > 0;) {
            if (parent[i] == NONE_YET) continue;
            int& sibling = first[static_cast<std::size_t>(parent[i])];
            next[i] = sibling;
            sibling = static_cast<int>(i);
        }
        for (int i = 0; i < MOVED; ++i) roots.push_back(i * COUNT / MOVED * SIZE);
    }

private:
    void create(int above, int level) {
        const int own = static_cast<int>(parent.size());
        parent.push_back(above);
        for (int i = 0; i < 4 && level < LEVELS; ++i) create(own, level + 1);
    }
};

class HierarchyCase final : public Case {
public:
    HierarchyCase(ECS& ecs, Propagation how) : Case(ecs), all_(ecs.add_entities(trees_.parent.size())) {
        for (const Entity e : all_) ecs.add<Local>(e), ecs.add<World>(e);
        x_.resize(how == Propagation::arrays ? all_.size() : 0, 1);
        y_.resize(x_.size(), 2);
        worlds_.resize(x_.size());
        if (how == Propagation::signal) {
            for (std::size_t i = 0; i < all_.size(); ++i) {
                if (trees_.parent[i] != NONE_YET) ecs.set_parent(all_[i], at(trees_.parent[i]));
            }
            ecs.add_system<Place>(1);
        }
        add_system<Local>(ecs, 0, [this, how](ECS& world) { move(world, how); });
        ecs.update();
    }
    [[nodiscard]] std::size_t ops() const override { return std::size_t{Trees::MOVED} * Trees::SIZE; }
    void verify(std::size_t steps) const override {
        const auto x = static_cast<float>(steps + 1);
        for (const int root : trees_.roots) {
            const int leaf = root + Trees::SIZE - 1;
            require(world(root).x == x, "moving the roots");
            require(world(leaf).x == x + Trees::LEVELS - 1 && world(leaf).y == 2 * Trees::LEVELS, "moving the leaves");
        }
    }

private:
    struct Place final : System<> {
        Place() {
            require<Local, World>();
            watch<Local>();
            watch_ancestors<Local>();
        }
        void update(double, Entities&, Dirty& dirty) override {
            const auto& worlds = std::as_const(ecs()).storage<World>();
            for (auto [e, local, world] : ecs().query<const Local, World>().of(dirty.top_down())) {
                const Entity parent = ecs().parent(e);
                const World* above = parent == NONE ? nullptr : worlds.find(parent);
                world = above == nullptr ? World{local.x, local.y} : World{above->x + local.x, above->y + local.y};
            }
        }
    };

    [[nodiscard]] Entity at(int i) const { return all_[static_cast<std::size_t>(i)]; }
    [[nodiscard]] World world(int i) const {
        return worlds_.empty() ? ecs_.get<World>(at(i)) : worlds_[static_cast<std::size_t>(i)];
    }
    void move(ECS& ecs, Propagation how) {
        ++x_of_roots_;
        for (const int root : trees_.roots) {
            if (how == Propagation::arrays) {
                x_[static_cast<std::size_t>(root)] = x_of_roots_;
                place_arrays(static_cast<std::size_t>(root));
            } else {
                ecs.modify<Local>(at(root), [&](Local& local) { local.x = x_of_roots_; });
                if (how == Propagation::by_hand) place(ecs, root, {0, 0});
            }
        }
    }
    void place(ECS& ecs, int i, const World& above) {
        auto& worlds = ecs.storage<World>();
        const Local& local = *std::as_const(ecs).storage<Local>().find(at(i));
        World& own = worlds.at(worlds.slot(at(i)));
        own = {above.x + local.x, above.y + local.y};
        for (int child = trees_.first[static_cast<std::size_t>(i)]; child != NONE_YET;
             child = trees_.next[static_cast<std::size_t>(child)])
            place(ecs, child, own);
    }
    void place_arrays(std::size_t root) {
        worlds_[root] = {x_[root], y_[root]};
        stack_.assign(1, root);
        while (!stack_.empty()) {
            const std::size_t i = stack_.back();
            stack_.pop_back();
            for (int next = trees_.first[i]; next != NONE_YET; next = trees_.next[static_cast<std::size_t>(next)]) {
                const auto child = static_cast<std::size_t>(next);
                worlds_[child] = {worlds_[i].x + x_[child], worlds_[i].y + y_[child]};
                stack_.push_back(child);
            }
        }
    }

    const Trees trees_;
    const std::vector<Entity> all_;
    std::vector<float> x_, y_;
    std::vector<World> worlds_;
    std::vector<std::size_t> stack_;
    float x_of_roots_ = 0;
};

}  // namespace

std::unique_ptr<Case> hierarchy(ECS& ecs, Propagation how) { return std::make_unique<HierarchyCase>(ecs, how); }

}  // namespace bench
