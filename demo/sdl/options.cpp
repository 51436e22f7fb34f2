#include "options.hpp"

#include <charconv>
#include <string_view>

namespace crate_room {
namespace {

bool read_number(std::string_view text, std::uint32_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::optional<Options> read_options(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string_view name = argv[i];
        if (name == "--hidden") {
            options.hidden = true;
            continue;
        }
        std::uint32_t* number = name == "--crates"   ? &options.crates
                                : name == "--seed"   ? &options.seed
                                : name == "--frames" ? &options.frames
                                                     : nullptr;
        if (number == nullptr || ++i >= argc || !read_number(argv[i], *number)) return std::nullopt;
    }
    return options;
}

}  // namespace crate_room
