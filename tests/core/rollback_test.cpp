#include "crateful/detail/rollback.hpp"

#include "world.hpp"

using namespace test;

TEST(Rollback, X1_it_is_called_when_an_exception_leaves_the_scope) {
    int calls = 0;
    const auto attempt = [&](bool fails) {
        internal::Rollback rollback([&] { ++calls; });
        if (fails) throw Oops("failed");
        rollback.cancel();
    };
    attempt(false);
    EXPECT_EQ(calls, 0);
    EXPECT_THROW(attempt(true), Oops);
    EXPECT_EQ(calls, 1);
}
