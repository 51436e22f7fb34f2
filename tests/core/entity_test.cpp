#include "crateful/entity.hpp"

#include <sstream>

#include "crateful/format.hpp"
#include "world.hpp"

using namespace test;

TEST(Entity, E1_a_handle_is_22_bits_of_index_and_10_of_generation) {
    const Entity e = make_entity(0x3ABCDE, 0x2A5);
    EXPECT_EQ(sizeof(Entity), 4u);
    EXPECT_EQ(index_of(e), 0x3ABCDEu);
    EXPECT_EQ(generation_of(e), 0x2A5u);
    EXPECT_EQ(static_cast<std::uint32_t>(e), 0x2A5u << 22 | 0x3ABCDEu);
}

TEST(Entity, E1_a_description_names_number_index_and_generation) {
    EXPECT_EQ(to_string(make_entity(7, 1)), "entity 4194311 (index 7, generation 1)");
    EXPECT_EQ(to_string(NONE), "entity NONE");
    std::ostringstream stream;
    stream << make_entity(7, 1) << ", " << NONE;
    EXPECT_EQ(stream.str(), "entity 4194311 (index 7, generation 1), entity NONE");
#ifdef __cpp_lib_format
    EXPECT_EQ(std::format("{:.6}", NONE), "entity");
#endif
}
