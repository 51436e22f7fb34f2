// The cases of rule N2: each kind of component, with and without each callback.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "crateful/ecs.hpp"
#include "crateful/state.hpp"

namespace crateful::test_state_cases {
namespace {

struct Empty {};
struct Sparse {
    std::int32_t x = 0;
};
struct Linear {
    std::int32_t x = 0;
};
struct Owning {
    std::string x;
};
std::vector<std::byte> encode(const Owning& owning) {
    const auto bytes = std::as_bytes(std::span(owning.x));
    return {bytes.begin(), bytes.end()};
}
Owning decode(std::span<const std::byte> bytes) {
    return {std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())};
}

constexpr std::array KINDS{"tag", "sparse", "linear", "owning"};
constexpr std::array CALLBACKS{"none", "on_add", "on_remove", "both"};

class StateCases : public testing::TestWithParam<std::tuple<int, int>> {
public:
    static std::string name(const testing::TestParamInfo<std::tuple<int, int>>& info) {
        const auto [kind, has] = info.param;
        return std::string(KINDS[static_cast<std::size_t>(kind)]) + "_" + CALLBACKS[static_cast<std::size_t>(has)];
    }

protected:
    void SetUp() override {
        describe_component<Empty>("cases.Empty");
        describe_component<Sparse>("cases.Sparse").field("x", &Sparse::x);
        describe_component<Linear>("cases.Linear").field("x", &Linear::x).policy(Policy::linear);
        describe_component<Owning>("cases.Owning").codec<encode, decode>();
    }
};

template <class T>
struct Watcher final : SystemBase {
    Watcher(bool add, bool remove) {
        use_<T>(internal::ComponentUse::required);
        use_<T>(internal::ComponentUse::watched);
        set_notifications_(add, remove);
    }
    void run_(double) override {
        const std::span<const Entity> ids = dirty_set().ids();
        at_run.assign(ids.begin(), ids.end());
    }
    void notify_add_(Entity e) override { added.push_back(e); }
    void notify_remove_(Entity e) override { removed.push_back(e); }
    void notify_enabled_() override {}
    void notify_disabled_() override {}
    std::vector<Entity> added;
    std::vector<Entity> removed;
    std::vector<Entity> at_run;
};

using List = std::vector<Entity>;

// `is_seven` tells whether it is the value that `make(7)` returns.
template <class Make, class IsSeven>
void check(int has, bool is_tag, Make&& make, IsSeven&& is_seven) {
    using T = decltype(make(7));
    const bool adds = has == 1 || has == 3;
    const bool removes = has == 2 || has == 3;
    ECS ecs;
    auto& watcher = ecs.add_system<Watcher<T>>(0, adds, removes);
    const Entity same = ecs.add_entity(make(7));
    const Entity changed = ecs.add_entity(make(7));
    const Entity back = ecs.add_entity(make(7));
    ecs.update(0.1);
    const std::vector<std::byte> saved = snapshot(ecs);

    ecs.add<T>(changed, make(8));
    ecs.remove<T>(back);
    const Entity added = ecs.add_entity(make(9));
    ecs.update(0.1);
    watcher.added.clear();
    watcher.removed.clear();
    restore(ecs, saved);
    EXPECT_EQ(watcher.added, adds ? List{back} : List{});
    EXPECT_EQ(watcher.removed, removes ? List{added} : List{});
    for (const Entity e : {same, changed, back}) EXPECT_TRUE(is_seven(ecs.get<T>(e)));
    EXPECT_FALSE(ecs.alive(added));
    ecs.update(0.1);
    EXPECT_EQ(watcher.at_run, is_tag ? List{back} : (List{changed, back}));
    restore(ecs, saved);
    EXPECT_EQ(snapshot(ecs), saved);
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(All, StateCases, testing::Combine(testing::Range(0, 4), testing::Range(0, 4)),
                         StateCases::name);

TEST_P(StateCases, N2_what_differs_is_restored_and_callbacks_are_called_for_what_appears_and_vanishes) {
    const auto [kind, has] = GetParam();
    switch (kind) {
        case 0: return check(has, true, [](int) { return Empty{}; }, [](const Empty&) { return true; });
        case 1: return check(has, false, [](int x) { return Sparse{x}; }, [](const Sparse& s) { return s.x == 7; });
        case 2: return check(has, false, [](int x) { return Linear{x}; }, [](const Linear& l) { return l.x == 7; });
        default:
            return check(
                has, false, [](int x) { return Owning{std::to_string(x)}; },
                [](const Owning& owning) { return owning.x == "7"; });
    }
}

}  // namespace crateful::test_state_cases
