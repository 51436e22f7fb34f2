#include "standard.hpp"

#include <span>
#include <utility>
#include <vector>

namespace bench {
namespace {

using namespace crateful;

using A = Value<0>;
using B = Value<1>;
using C = Value<2>;
using D = Value<3>;
using E = Value<4>;
using Z = Value<25>;
using Data = Value<26>;
struct Tag {};

template <class T>
void add_to_all(ECS& ecs, const std::vector<Entity>& entities, T value = {}) {
    ecs.add<T>(entities, std::span<const T>(&value, 1));
}

template <class T>
void add_counter(ECS& ecs) {
    add_system<T>(ecs, 0, [](ECS& world) { world.each<T>([](T& v) { v.value += 1; }); });
}

template <class T>
[[nodiscard]] bool all_are(ECS& ecs, std::size_t count, std::size_t value) {
    const auto values = ecs.storage<T>().values();
    return values.size() == count && std::ranges::all_of(values, [&](const T& v) { return v.value == value; });
}

class Packed5 final : public Case {
public:
    explicit Packed5(ECS& ecs) : Case(ecs) { set_up(std::make_integer_sequence<int, 5>{}); }
    [[nodiscard]] std::size_t ops() const override { return 5 * 1000; }
    void verify(std::size_t steps) const override {
        require(all_are<A>(ecs_, 1000, steps) && all_are<B>(ecs_, 1000, steps) && all_are<C>(ecs_, 1000, steps) &&
                    all_are<D>(ecs_, 1000, steps) && all_are<E>(ecs_, 1000, steps),
                "adding 1 to all five");
    }

private:
    template <int... I>
    void set_up(std::integer_sequence<int, I...>) {
        const auto all = ecs_.add_entities(1000);
        (..., add_to_all<Value<I>>(ecs_, all));
        (..., add_counter<Value<I>>(ecs_));
    }
};

class SimpleIter final : public Case {
public:
    explicit SimpleIter(ECS& ecs) : Case(ecs) {
        for (int kind = 0; kind < 4; ++kind) {
            kinds_.push_back(ecs.add_entities(1000));
            const auto& all = kinds_.back();
            add_to_all<A>(ecs, all, {0});
            add_to_all<B>(ecs, all, {1});
            if (kind > 0) add_to_all<C>(ecs, all, {2});
            if (kind == 2) add_to_all<D>(ecs, all, {3});
            if (kind == 3) add_to_all<E>(ecs, all, {4});
        }
        const auto swap = [](auto& x, auto& y) { std::swap(x.value, y.value); };
        add_system<A, B>(ecs, 0, [=](ECS& world) { world.each<A, B>(swap); });
        add_system<C, D>(ecs, 0, [=](ECS& world) { world.each<C, D>(swap); });
        add_system<C, E>(ecs, 0, [=](ECS& world) { world.each<C, E>(swap); });
    }
    [[nodiscard]] std::size_t ops() const override { return 4000 + 1000 + 1000; }
    void verify(std::size_t steps) const override {
        const bool odd = steps % 2 == 1;
        for (std::size_t kind = 0; kind < 4; ++kind) {
            for (const Entity e : kinds_[kind]) {
                require(is<A>(e, odd ? 1 : 0) && is<B>(e, odd ? 0 : 1), "swapping A and B");
                if (kind == 1) require(is<C>(e, 2), "not changing C");
                if (kind == 2) require(is<C>(e, odd ? 3 : 2) && is<D>(e, odd ? 2 : 3), "swapping C and D");
                if (kind == 3) require(is<C>(e, odd ? 4 : 2) && is<E>(e, odd ? 2 : 4), "swapping C and E");
            }
        }
    }

private:
    template <class T>
    [[nodiscard]] bool is(Entity e, std::uint32_t value) const {
        return ecs_.get<T>(e).value == value;
    }
    std::vector<std::vector<Entity>> kinds_;
};

class FragIter final : public Case {
public:
    explicit FragIter(ECS& ecs) : Case(ecs) {
        set_up(std::make_integer_sequence<int, 26>{});
        add_counter<Data>(ecs);
        add_counter<Z>(ecs);
    }
    [[nodiscard]] std::size_t ops() const override { return 26 * 100 + 100; }
    void verify(std::size_t steps) const override {
        require(all_are<Data>(ecs_, 2600, steps), "adding 1 to Data");
        require(all_are<Z>(ecs_, 100, steps), "adding 1 to Z");
        require(all_are<A>(ecs_, 100, 0), "not changing A");
    }

private:
    template <int... I>
    void set_up(std::integer_sequence<int, I...>) {
        for (int i = 0; i < 100; ++i) {
            const auto each_kind = ecs_.add_entities(26);
            add_to_all<Data>(ecs_, each_kind);
            (..., ecs_.add<Value<I>>(each_kind[static_cast<std::size_t>(I)]));
        }
    }
};

class EntityCycle final : public Case {
public:
    explicit EntityCycle(ECS& ecs) : Case(ecs) {
        std::vector<A> values;
        for (std::uint32_t i = 0; i < 1000; ++i) values.push_back({i});
        ecs.add<A>(ecs.add_entities(1000), values);
        add_system<A>(ecs, 0, [this](ECS& world) {
            const auto from = world.storage<A>().values();
            spawned_.resize(from.size());
            copies_.resize(from.size());
            std::ranges::transform(from, copies_.begin(), [](const A& a) { return B{a.value}; });
            world.add_entities(spawned_);
            world.add<B>(spawned_, copies_);
        });
        add_system<B>(ecs, 1, [this](ECS& world) {
            const auto& all = world.storage<B>();
            for (const B& b : all.values()) sum_ += b.value;
            removed_ += all.count();
            world.remove_entities(all.entities());
        });
    }
    [[nodiscard]] std::size_t ops() const override { return 1000; }
    void verify(std::size_t steps) const override {
        require(removed_ == 1000 * steps && sum_ == std::uint64_t{499'500} * steps,
                "spawning and removing a thousand in each step");
        require(ecs_.count() == 1000 && ecs_.storage<B>().count() == 0, "keeping the first thousand only");
    }

private:
    std::vector<Entity> spawned_;
    std::vector<B> copies_;
    std::size_t removed_ = 0;
    std::uint64_t sum_ = 0;
};

class AddRemove final : public Case {
public:
    explicit AddRemove(ECS& ecs) : Case(ecs) {
        add_to_all<A>(ecs, ecs.add_entities(1000));
        add_system<A>(ecs, 0, [this](ECS& world) {
            world.add<Tag>(world.storage<A>().entities(), std::span<const Tag>(&tag_, 1));
        });
        add_system<Tag>(ecs, 1, [this](ECS& world) { removed_ += world.remove<Tag>(world.storage<Tag>().entities()); });
    }
    [[nodiscard]] std::size_t ops() const override { return 1000; }
    void verify(std::size_t steps) const override {
        require(removed_ == 1000 * steps, "adding a tag to a thousand and removing it, in each step");
        require(ecs_.storage<A>().count() == 1000 && ecs_.storage<Tag>().count() == 0, "removing it from all");
    }

private:
    Tag tag_;
    std::size_t removed_ = 0;
};

}  // namespace

std::unique_ptr<Case> packed_5(ECS& ecs) { return std::make_unique<Packed5>(ecs); }
std::unique_ptr<Case> simple_iter(ECS& ecs) { return std::make_unique<SimpleIter>(ecs); }
std::unique_ptr<Case> frag_iter(ECS& ecs) { return std::make_unique<FragIter>(ecs); }
std::unique_ptr<Case> entity_cycle(ECS& ecs) { return std::make_unique<EntityCycle>(ecs); }
std::unique_ptr<Case> add_remove(ECS& ecs) { return std::make_unique<AddRemove>(ecs); }

}  // namespace bench
