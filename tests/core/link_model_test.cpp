// Random changes of links, compared with a search of all components (rule C15): many entities, whose indices are spread; several
// fields and classes; changes that are read together; what moves components to other slots; and states that are exchanged.
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "crateful/rewind.hpp"
#include "crateful/state.hpp"
#include "random_model.hpp"
#include "world.hpp"

using namespace test;

namespace {

struct Wire {
    Link from;
    std::uint8_t n = 0;
    Link to;
};
[[maybe_unused]] const bool wire_described = [] {
    describe_component<Wire>("LinkModelWire").field("from", &Wire::from).field("n", &Wire::n).field("to", &Wire::to);
    return true;
}();

constexpr std::array<std::size_t, 2> FIELDS{0, 2};  // those that are links
using Ends = std::array<Entity, 2>;

/// What the components are.
struct Model {
    Ids living{ECS::world()};
    std::array<std::map<Entity, Ends>, 3> links;  // by class: a C++ struct, and stored ones, sparse and linear
};

class LinkWorld {
public:
    explicit LinkWorld(std::uint32_t seed) : random_(seed), rewinds_(seed % 2 == 0) {
        static const std::vector<Field> fields{
            {"from", FieldType::link}, {"n", FieldType::u8}, {"to", FieldType::link}};
        static const ComponentId columns = registry::add_stored("LinkModelColumns", fields, Policy::sparse);
        static const ComponentId slots = registry::add_stored("LinkModelSlots", fields, Policy::linear);
        ids_ = {component_id<Wire>(), columns, slots};
        watcher_ = &ecs_.add_system<Spy<Requires<Tag>, Watches<Wire>>>(0);
        for (const ComponentId id : ids_) static_cast<void>(ecs_.by_id().storage(id));
        // So that the indices of the next entities are spread.
        Ids all = ecs_.add_entities(4000);
        std::shuffle(all.begin(), all.end(), random_);
        ecs_.remove_entities(all);
        ecs_.remove_marked();
        if (rewinds_) rewind_.emplace(ecs_);
        frames_[ecs_.clock().frame()] = model_;
    }

    void step() {
        switch (number(24)) {
            case 0: return add_entities();
            case 1: return remove_entities(number(4) == 0 ? 60 : 3);
            case 2: return remove_components(number(4) == 0 ? living() : some(20));
            case 3: return sort();
            case 4: return frame();
            case 5: return number(4) == 0 ? exchange() : frame();
            case 6: return number(20) == 0 ? clear() : spawn();
            case 7:
            case 8: return add_components(some(50));
            case 9:
            case 10: return write(number(4) == 0 ? living() : some(50));
            case 11: return write_one();
            case 12: return modify();
            default: return compare(any());
        }
    }
    void compare_all() {
        for (const Entity e : living()) compare(e);
    }

private:
    std::size_t number(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
    [[nodiscard]] Ids living() const { return model_.living; }
    [[nodiscard]] bool lives(Entity e) const {
        return std::find(model_.living.begin(), model_.living.end(), e) != model_.living.end();
    }
    Entity any() { return model_.living[number(model_.living.size())]; }
    Ids some(std::size_t n) {
        Ids all(1 + number(n));
        for (Entity& e : all) e = any();
        return all;
    }
    /// What a link is set to; few entities are the targets of many.
    Entity target() {
        switch (number(8)) {
            case 0: return NONE;
            case 1: return dead_.empty() ? NONE : dead_[number(dead_.size())];
            case 2: return Entity{static_cast<std::uint32_t>(random_())};  // has perhaps never existed
            case 3:
            case 4: return model_.living[number(std::min<std::size_t>(model_.living.size(), 4))];
            default: return any();
        }
    }
    static std::array<std::uint64_t, 3> packed(const Ends& ends) {
        return {static_cast<std::uint32_t>(ends[0]), 1, static_cast<std::uint32_t>(ends[1])};
    }
    Ends ends() { return {target(), target()}; }

    void add_entities() {
        if (model_.living.size() > 500) return remove_entities(200);
        for (const Entity e : ecs_.add_entities(1 + number(60))) {
            ecs_.add<Tag>(e);
            model_.living.push_back(e);
        }
    }
    void spawn() {
        const Ends to = ends();
        auto prefab = ecs_.prefab(Tag{}, Wire{to[0], 1, to[1]});
        for (const Entity e : prefab.spawn(1 + number(20))) {
            model_.living.push_back(e);
            model_.links[0][e] = to;
        }
    }
    void add_components(const Ids& entities) {
        const std::size_t c = number(3);
        std::vector<Ends> values;
        for (const Entity e : entities) model_.links[c][e] = values.emplace_back(ends());
        ecs_.by_id().add(entities, ids_[c], [&](std::size_t i, Storage& s, std::uint32_t slot) {
            s.write_packed(slot, reinterpret_cast<const std::byte*>(packed(values[i]).data()));
        });
    }
    /// As a setter of a language binding.
    void write(const Ids& entities) {
        const std::size_t c = number(3);
        const std::size_t k = number(2);
        const Storage& s = ecs_.by_id().storage(ids_[c]);
        const bool signals_only = number(4) == 0;
        for (const Entity e : entities) {
            if (!model_.links[c].contains(e)) continue;
            const Entity to = signals_only ? model_.links[c][e][k] : target();
            std::memcpy(s.word(FIELDS[k], s.slot(e)), &to, sizeof(to));
            queue_mark(ecs_, ids_[c], e);
            model_.links[c][e][k] = to;
        }
    }
    void write_one() {
        for (std::size_t n = number(100); n > 0; --n) write({any()});
    }
    void modify() {
        if (model_.links[0].empty()) return;
        for (auto& [e, now] : model_.links[0]) {
            if (number(3) != 0) continue;
            now = ends();
            ecs_.modify<Wire>(e, [&, to = now](Wire& wire) { wire.from = to[0], wire.to = to[1]; });
        }
    }
    void remove_components(const Ids& entities) {
        const std::size_t c = number(3);
        if (number(2) == 0) {
            ecs_.by_id().remove(entities, ids_[c]);
        } else {
            for (const Entity e : entities) ecs_.by_id().remove(e, ids_[c]);
        }
        for (const Entity e : entities) model_.links[c].erase(e);
    }
    void sort() {
        ecs_.sort<Wire>([](Entity a, Entity b) { return index_of(a) * 7919 % 4099 < index_of(b) * 7919 % 4099; });
    }

    void remove_entities(std::size_t n) {
        frame();
        Ids gone = some(n);
        std::erase(gone, ECS::world());
        ecs_.remove_entities(gone);
        ecs_.remove_marked();
        Ids dirty;
        for (const Entity e : gone) {
            if (lives(e)) remove_from_model(e, dirty);
        }
        EXPECT_EQ(watcher_->dirty(), dirty);
    }
    void remove_from_model(Entity gone, Ids& dirty) {
        std::erase(model_.living, gone);
        dead_.push_back(gone);
        if (const auto at = std::find(dirty.begin(), dirty.end(), gone); at != dirty.end()) {
            *at = dirty.back();
            dirty.pop_back();
        }
        std::vector<Entity> sources;
        for (auto& of_class : model_.links) {
            for (auto& [e, now] : of_class) {
                const bool refers = now[0] == gone || now[1] == gone;
                std::replace(now.begin(), now.end(), gone, NONE);
                if (refers && &of_class == &model_.links[0]) sources.push_back(e);
            }
            of_class.erase(gone);
        }
        std::sort(sources.begin(), sources.end(), by_index);
        for (const Entity e : sources) {
            const bool tracked = e != gone && e != ECS::world();
            if (tracked && std::find(dirty.begin(), dirty.end(), e) == dirty.end()) dirty.push_back(e);
        }
    }
    static bool by_index(Entity a, Entity b) { return index_of(a) < index_of(b); }

    void clear() {
        ecs_.clear();
        for (auto& of_class : model_.links) {
            std::erase_if(of_class, [](const auto& entry) { return entry.first != ECS::world(); });
            for (auto& [e, now] : of_class) {
                for (Entity& to : now) {
                    if (to != ECS::world() && lives(to)) to = NONE;
                }
            }
        }
        model_.living = {ECS::world()};
    }
    void frame() {
        ecs_.update();
        if (rewinds_) frames_[ecs_.clock().frame()] = model_;
    }
    void exchange() {
        if (!rewinds_) {
            if (!saved_.empty() && number(2) == 0) {
                restore(ecs_, saved_);
                model_ = saved_model_;
            } else {
                saved_ = snapshot(ecs_);
                saved_model_ = model_;
            }
            return;
        }
        const double from = rewind_->oldest();
        const double to = from + static_cast<double>(number(static_cast<std::size_t>(rewind_->newest() - from) + 1));
        rewind_->to(to);
        model_ = frames_.at(to);
    }

    void compare(Entity target) {
        for (std::size_t c = 0; c < ids_.size(); ++c) {
            for (std::size_t k = 0; k < FIELDS.size(); ++k) {
                Ids expected;
                for (const auto& [e, now] : model_.links[c]) {
                    if (now[k] == target) expected.push_back(e);
                }
                std::sort(expected.begin(), expected.end(), by_index);
                ASSERT_EQ(ecs_.by_id().linked(ids_[c], FIELDS[k], target), expected) << "class " << c << ", end " << k;
            }
        }
    }

    ECS ecs_;
    std::mt19937 random_;
    bool rewinds_;
    Spy<Requires<Tag>, Watches<Wire>>* watcher_ = nullptr;
    std::array<ComponentId, 3> ids_{};
    Model model_;
    Ids dead_;
    std::optional<Rewind> rewind_;
    std::map<double, Model> frames_;
    std::vector<std::byte> saved_;
    Model saved_model_;
};

}  // namespace

TEST(LinkModel, C15_random_changes_of_links_equal_a_search_of_all_components) {
    for (std::uint32_t seed = first_seed(); seed < first_seed() + 6; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        LinkWorld world(seed);
        for (std::uint32_t step = 0; step < times(1500); ++step) {
            SCOPED_TRACE("step " + std::to_string(step));
            world.step();
            if (testing::Test::HasFailure()) return;
        }
        world.compare_all();
    }
}
