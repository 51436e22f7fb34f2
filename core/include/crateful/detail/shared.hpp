#pragma once

/// Before the templates with one value per type: all shared libraries of a program use the same one, also those that are compiled
/// with -fvisibility=hidden. On Windows, each DLL has its own.
#if defined(__GNUC__) && !defined(_WIN32)
#define CRATEFUL_SHARED [[gnu::visibility("default")]]
#else
#define CRATEFUL_SHARED
#endif
