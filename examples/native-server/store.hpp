// Where the yard is saved: a file.
#pragma once
#include <filesystem>

#include "game.hpp"

/// The bytes of a file, or none if it does not exist.
std::optional<Bytes> load(const std::filesystem::path& file);
/// Replaces the file: if the program is killed meanwhile, the old one stays. Throws `std::system_error`.
void save(const std::filesystem::path& file, const Bytes& bytes);
