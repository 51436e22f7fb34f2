#include "crateful/system.hpp"

#include <algorithm>
#include <cctype>
#include <typeinfo>

namespace crateful {
namespace {

void add_unique(std::vector<ComponentId>& to, const std::vector<ComponentId>& ids) {
    for (const ComponentId id : ids) {
        if (std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
    }
}

}  // namespace

void SystemBase::require_ids(std::vector<ComponentId> ids) { add_unique(required_, ids); }
void SystemBase::watch_ids(std::vector<ComponentId> ids) { add_unique(watched_, ids); }

// The last part of the mangled name: "N4room5MoverE" and "5Mover" both give "Mover".
std::string SystemBase::name() const {
    const std::string mangled = typeid(*this).name();
    std::string last = mangled;
    for (std::size_t at = 0; at < mangled.size();) {
        if (std::isdigit(static_cast<unsigned char>(mangled[at])) == 0) {
            ++at;
            continue;
        }
        std::size_t digits = 0;
        const std::size_t length = std::stoul(mangled.substr(at), &digits);
        last = mangled.substr(at + digits, length);
        at += digits + length;
    }
    return last;
}

}  // namespace crateful
