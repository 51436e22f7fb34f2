#include "store.hpp"

#include <fstream>
#include <iterator>
#include <system_error>

namespace fs = std::filesystem;

std::optional<Bytes> load(const fs::path& file) {
    if (!fs::exists(file)) return std::nullopt;
    Bytes bytes(fs::file_size(file));
    std::ifstream in(file, std::ios::binary);
    in.exceptions(std::ios::failbit | std::ios::badbit);
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

void save(const fs::path& file, const Bytes& bytes) {
    const fs::path next = file.string() + ".new";
    fs::create_directories(fs::absolute(file).parent_path());
    std::ofstream out;
    out.exceptions(std::ios::failbit | std::ios::badbit);
    out.open(next, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    out.close();
    fs::rename(next, file);
}
