// Which classes are the same in several shared libraries (rule C3).
#include "crateful/detail/type_info.hpp"

#include <map>
#include <mutex>
#include <string>

#include "crateful/detail/message.hpp"
#include "crateful/detail/mutex.hpp"

namespace crateful::internal {

const void* shared_type(std::string_view name, const void* tag) {
    // In an anonymous namespace, and in a static function: "N12_GLOBAL__N_15MoverE", "ZL3runvE5Mover", "struct `anonymous namespace'::Mover"
    for (const std::string_view internal : {"_GLOBAL__N_", "ZL", "`"}) {
        if (name.find(internal) != std::string_view::npos) return tag;
    }
    static Mutex mutex;
    static std::map<std::string, const void*, std::less<>> all;  // copies, because a library can be unloaded
    const std::lock_guard lock(mutex);
    if (const auto found = all.find(name); found != all.end()) return found->second;
    return all.emplace(name, tag).first->second;
}

void fail_shared(std::string_view kind, std::string_view name) {
    fail(ErrorCode::bad_argument, {kind, ": two shared libraries of the program have a class ", name,
                                   " each, of different sizes; if they are not the same class, give one of them "
                                   "another name or namespace, or put it into an "
                                   "anonymous namespace"});
}

}  // namespace crateful::internal
