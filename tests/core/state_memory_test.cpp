// What recordings, histories and receivers need beside what they keep (rules N5, N7, D14).
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "crateful/changes.hpp"
#include "crateful/ecs.hpp"
#include "crateful/history.hpp"
#include "crateful/rewind.hpp"
#include "failing_memory.hpp"

namespace crateful::test_state_memory {
namespace {

template <int Number>
struct Body {
    std::array<double, 8> at{};
};
using Dense = Body<0>;   // sparse
using Direct = Body<1>;  // linear

constexpr std::size_t N = 5'000;
constexpr std::size_t VALUES = N * sizeof(Dense);
/// In each class for each entity: the list of changes, and where the component is; and in all, their handles.
constexpr std::size_t OTHERS = N * 80;

template <class C>
struct Watching final : System<> {
    Watching() {
        this->template require<C>();
        this->template watch<C>();
    }
    void update(double) override {}
};

class StateMemory : public testing::TestWithParam<bool> {
protected:
    StateMemory() {
        describe_component<Dense>("state_memory.Dense").field("at", &Dense::at);
        describe_component<Direct>("state_memory.Direct").field("at", &Direct::at).policy(Policy::linear);
        ecs.add_system(0, std::make_unique<Watching<Dense>>());
        ecs.add_system(0, std::make_unique<Watching<Direct>>());
        for (std::size_t i = 0; i < N; ++i) {
            const Entity e = ecs.add_entity();
            if (GetParam()) ecs.add<Direct>(e);
            else ecs.add<Dense>(e);
            if (i == 0) first = e;
        }
        ecs.update(1);
    }
    /// What exists beside the world after some changes of one entity.
    template <class Make, class Use>
    std::size_t bytes_of(Make&& make, Use&& use) {
        const std::size_t before = test::allocated_bytes;
        const auto made = make();
        for (int i = 0; i < 5; ++i) {
            if (GetParam()) ecs.add<Direct>(first, {{i + 1.}});
            else ecs.add<Dense>(first, {{i + 1.}});
            ecs.update(1);
            use(*made);
        }
        return test::allocated_bytes - before;
    }
    ECS ecs;
    Entity first = NONE;
};
INSTANTIATE_TEST_SUITE_P(Policies, StateMemory, testing::Values(false, true),
                         [](const auto& each) { return each.param ? "linear" : "sparse"; });

TEST_P(StateMemory, N7_a_rewind_has_the_values_once_more) {
    const auto bytes = bytes_of([&] { return std::make_unique<Rewind>(ecs); }, [](Rewind&) {});
    EXPECT_GT(bytes, VALUES);
    EXPECT_LT(bytes, VALUES + OTHERS);
}

TEST_P(StateMemory, D14_a_history_has_the_values_once_more) {
    const auto bytes = bytes_of([&] { return std::make_unique<History>(ecs); }, [](History&) {});
    EXPECT_GT(bytes, VALUES);
    EXPECT_LT(bytes, VALUES + OTHERS);
}

TEST_P(StateMemory, N5_receivers_share_the_values_and_keep_no_memory_of_their_first_packets) {
    struct Sending {
        explicit Sending(ECS& ecs) : changes(ecs), all{changes.receiver(), changes.receiver(), changes.receiver()} {}
        Changes changes;
        std::array<Receiver, 3> all;
    };
    const auto take = [](Sending& sending) {
        for (Receiver& each : sending.all) EXPECT_FALSE(each.take().empty());
    };
    const auto bytes = bytes_of([&] { return std::make_unique<Sending>(ecs); }, take);
    EXPECT_GT(bytes, VALUES);
    EXPECT_LT(bytes, VALUES + 2 * OTHERS);
}

}  // namespace
}  // namespace crateful::test_state_memory
