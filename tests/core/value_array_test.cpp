#include "crateful/detail/value_array.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

using crateful::internal::value_type;
using crateful::internal::ValueArray;

namespace {

template <class T>
T& value_at(const ValueArray& values, std::size_t i) {
    return *reinterpret_cast<T*>(values.at(i));
}

struct alignas(64) Aligned {
    int value = 5;
};

/// Its default constructor throws when `remaining` is 0; `alive` counts its objects.
struct Counted {
    static inline int remaining = -1;
    static inline int alive = 0;
    Counted() {
        if (remaining-- == 0) throw std::runtime_error("no more");
        ++alive;
    }
    Counted(const Counted&) = delete;
    Counted& operator=(Counted&&) = default;
    ~Counted() { --alive; }
    std::string text = "a text on the heap, not in the string";
};

}  // namespace

TEST(ValueArray, growing_keeps_values_and_appends_default_values) {
    ValueArray numbers(value_type<int>);
    ValueArray texts(value_type<std::string>);
    EXPECT_EQ(numbers.size(), 0u);
    for (std::size_t size = 1; size <= 300; size = size * 2 + 1) {
        const std::size_t before = numbers.size();
        numbers.grow(size);
        texts.grow(size);
        EXPECT_EQ(numbers.size(), size);
        for (std::size_t i = before; i < size; ++i) {
            EXPECT_EQ(value_at<int>(numbers, i), 0);
            EXPECT_EQ(value_at<std::string>(texts, i), "");
            value_at<int>(numbers, i) = static_cast<int>(i);
            value_at<std::string>(texts, i) = std::string(i, 'x');
        }
        for (std::size_t i = 0; i < size; ++i) {
            EXPECT_EQ(value_at<int>(numbers, i), static_cast<int>(i));
            EXPECT_EQ(value_at<std::string>(texts, i), std::string(i, 'x'));
        }
    }
}

TEST(ValueArray, values_are_aligned) {
    ValueArray values(value_type<Aligned>);
    for (std::size_t size = 1; size <= 9; ++size) {
        values.grow(size);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.at(size - 1)) % 64, 0u);
        EXPECT_EQ(value_at<Aligned>(values, size - 1).value, 5);
    }
}

TEST(ValueArray, if_a_constructor_throws_nothing_changes) {
    {
        ValueArray values(value_type<Counted>);
        values.grow(3);
        value_at<Counted>(values, 2).text = "changed, and also too long for the string itself";
        const std::byte* before = values.data();
        Counted::remaining = 5;
        EXPECT_THROW(values.grow(10), std::runtime_error);
        Counted::remaining = -1;
        EXPECT_EQ(values.data(), before);
        EXPECT_EQ(values.size(), 3u);
        EXPECT_EQ(Counted::alive, 3);
        EXPECT_EQ(value_at<Counted>(values, 2).text, "changed, and also too long for the string itself");
        values.grow(10);
        EXPECT_EQ(Counted::alive, 10);
        EXPECT_EQ(value_at<Counted>(values, 2).text, "changed, and also too long for the string itself");
    }
    EXPECT_EQ(Counted::alive, 0);
}

TEST(ValueArray, a_size_beyond_the_memory_is_refused) {
    ValueArray values(value_type<Aligned>);
    values.grow(2);
    const std::byte* before = values.data();
    EXPECT_THROW(values.grow(SIZE_MAX / sizeof(Aligned) + 2), std::bad_alloc);  // 64 bytes, if it overflowed
    EXPECT_EQ(values.data(), before);
    EXPECT_EQ(values.size(), 2u);
}
