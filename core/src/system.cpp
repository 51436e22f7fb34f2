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

// The last part of the mangled name: "N4room5MoverE" and "5Mover" both give "Mover", and so does
// "5MoverI8PositionE", whose part from I to E are the arguments of a template.
std::string SystemBase::name() const {
    const std::string mangled = typeid(*this).name();
    std::string last = mangled;
    int depth = 0;  // of template arguments
    for (std::size_t at = 0; at < mangled.size();) {
        const char c = mangled[at];
        if (std::isdigit(static_cast<unsigned char>(c)) == 0) {
            if (c == 'I' || (depth > 0 && c == 'N')) ++depth;
            if (c == 'E' && depth > 0) --depth;
            at = depth > 0 && c == 'L' ? mangled.find('E', at) : at;  // a literal, digits and all
            if (at == std::string::npos) break;
            ++at;
            continue;
        }
        std::size_t digits = 0;
        const std::size_t length = std::stoul(mangled.substr(at), &digits);
        if (depth == 0 && length > 0) last = mangled.substr(at + digits, length);  // "_0" tells local classes apart
        at += digits + length;
    }
    return last;
}

}  // namespace crateful
