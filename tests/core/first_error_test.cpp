#include "crateful/detail/first_error.hpp"

#include "world.hpp"

using namespace test;

TEST(FirstError, S7_without_an_exception_nothing_is_rethrown) {
    FirstError error;
    int calls = 0;
    error.guard([&] { ++calls; });
    EXPECT_FALSE(error.failed());
    EXPECT_NO_THROW(error.rethrow());
    EXPECT_EQ(calls, 1);
}

TEST(FirstError, S7_all_callbacks_run_and_the_first_exception_is_rethrown) {
    FirstError error;
    int calls = 0;
    error.guard([&] { ++calls; });
    error.guard([&] { throw Oops("the first"); });
    error.guard([&] { throw std::logic_error("the second"); });
    error.guard([&] { ++calls; });
    EXPECT_EQ(calls, 2);
    EXPECT_TRUE(error.failed());
    try {
        error.rethrow();
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Oops& e) {
        EXPECT_STREQ(e.what(), "the first");
    }
}

TEST(FirstError, S7_any_type_can_be_thrown) {
    FirstError error;
    error.guard([] { throw 42; });
    EXPECT_THROW(error.rethrow(), int);
    EXPECT_THROW(error.rethrow(), int) << "it can be rethrown again";
}
