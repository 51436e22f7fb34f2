#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "crateful/detail/message.hpp"
#include "crateful/storage.hpp"

namespace crateful::internal {

#ifdef NDEBUG

/// Does nothing in release builds.
template <std::size_t N>
class StructureCheck {
public:
    StructureCheck(const char*, const std::array<const Storage*, N>&, const std::array<std::string_view, N>&) noexcept {
    }
    void operator()() const noexcept {}
};

#else

/// Detects that a function which a loop calls adds or removes components of the classes of the loop, where the loop does
/// not support this.
template <std::size_t N>
class StructureCheck {
public:
    /// `call` and `names`, those of the classes, are for the message.
    StructureCheck(const char* call, const std::array<const Storage*, N>& storages,
                   const std::array<std::string_view, N>& names) noexcept
        : call_(call), storages_(storages), names_(names) {
        for (std::size_t k = 0; k < N; ++k) states_[k] = state(k);
    }
    /// To be called after each call of the function. Throws `bad_argument`.
    void operator()() const {
        for (std::size_t k = 0; k < N; ++k) {
            if (state(k) == states_[k]) continue;
            fail(ErrorCode::bad_argument,
                 {call_, ": the function added, replaced, removed or sorted components of ", names_[k],
                  storages_[k]->policy() == Policy::linear ? ", or an entity" : "",
                  ", which this loop does not allow; use a range-for loop over the query, and sort outside of "
                  "the loop"});
        }
    }

private:
    struct State {
        std::uint32_t version;
        std::uint32_t replacements;
        const Entity* entities;  // under `linear`, adding an entity may move this list
        bool operator==(const State&) const = default;
    };
    [[nodiscard]] State state(std::size_t k) const noexcept {
        return {storages_[k]->control().version, storages_[k]->replacements(), storages_[k]->control().entities};
    }

    const char* call_;
    std::array<const Storage*, N> storages_;
    std::array<std::string_view, N> names_;
    std::array<State, N> states_{};
};

#endif

}  // namespace crateful::internal
