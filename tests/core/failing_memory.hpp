// Allocations that fail (rules X1, X4), and are counted. The functions that allocate are in no_memory_test.cpp.
#pragma once
#include <cstddef>

namespace test {

/// How many allocations succeed from now on; any number of them if it is negative.
extern int allocations_left;
/// Whether only the next one fails then.
extern bool fails_once;
/// The bytes that are allocated now.
extern std::size_t allocated_bytes;

}  // namespace test
