#pragma once
#include <emscripten/bind.h>

#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "crateful/world.hpp"

namespace crateful {
namespace internal {

template <class... Args>
const World* world_of(const Args&... args) {
    const World* found = nullptr;
    const auto consider = [&](const auto& arg) {
        if constexpr (std::is_same_v<decltype(arg), const World&>) found = &arg;
    };
    (consider(args), ...);
    return found;
}

template <auto F, class R, class... Args>
struct Guarded {
    static R call(Args... args) {
        try {
            return std::invoke(F, std::forward<Args>(args)...);
        } catch (...) {
            World::throw_to_javascript(world_of(args...));
        }
    }
};
template <auto F, class R, class... Args>
constexpr auto make_guarded(R (*)(Args...)) {
    return &Guarded<F, R, Args...>::call;
}
template <auto F, class R, class C, class... Args>
constexpr auto make_guarded(R (C::*)(Args...)) {
    return &Guarded<F, R, C&, Args...>::call;
}
template <auto F, class R, class C, class... Args>
constexpr auto make_guarded(R (C::*)(Args...) const) {
    return &Guarded<F, R, const C&, Args...>::call;
}
template <auto F, class L>
    requires std::is_class_v<L>
constexpr auto make_guarded(L lambda) -> decltype(make_guarded<F>(+lambda)) {
    return make_guarded<F>(+lambda);
}

}  // namespace internal

/// A function for `emscripten::function` that calls F, and throws what F throws as a JavaScript error: an `Error` of the core
/// as an `EcsError`, another `std::exception` as an `Error` with its `what()`, and what JavaScript threw in a callback as it
/// is. Without it, JavaScript receives a `WebAssembly.Exception` that says nothing. F is a function, a member function or a
/// lambda without captures. It needs the `World&` as a parameter if systems in JavaScript can throw while it runs.
///
///     emscripten::function("addPhysics(world, priority)", crateful::guarded<add_physics>);
template <auto F>
inline constexpr auto guarded = internal::make_guarded<F>(F);

}  // namespace crateful

/// Bound functions can take and return an Entity, which is a number in JavaScript.
template <>
struct emscripten::internal::TypeID<crateful::Entity> {
    static constexpr TYPEID get() { return TypeID<std::uint32_t>::get(); }
};
template <>
struct emscripten::internal::BindingType<crateful::Entity> {
    using WireType = std::uint32_t;
    static WireType toWireType(crateful::Entity e, rvp::default_tag) { return static_cast<WireType>(e); }
    static crateful::Entity fromWireType(WireType e) { return crateful::Entity{e}; }
};
