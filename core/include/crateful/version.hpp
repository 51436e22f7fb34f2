#pragma once

/// The version, for `#if`; CMake reads it here. See CHANGELOG.md for what a new version changes.
#define CRATEFUL_VERSION_MAJOR 0
#define CRATEFUL_VERSION_MINOR 1
#define CRATEFUL_VERSION_PATCH 0
/// Comparable as a number: 1.2.3 is 1'002'003.
#define CRATEFUL_VERSION (CRATEFUL_VERSION_MAJOR * 1000000 + CRATEFUL_VERSION_MINOR * 1000 + CRATEFUL_VERSION_PATCH)

#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : __cplusplus < 202002L
#error "crateful needs C++20: compile with -std=c++20 or, in CMake, target_compile_features(game PRIVATE cxx_std_20)"
#endif
