#include "crateful/foreign_system.hpp"

#include <emscripten/em_js.h>
#include <emscripten/em_macros.h>

#include <cstdint>

// clang-format off

// Calls to JavaScript: web/src/world/host_calls.ts. They are plain imports, which cost several times less than `val`. `world` and `system` are
// tokens of the package. A result of type int is 0, or the token of what JavaScript has thrown. Entities arrive as signed numbers.
EM_JS_DEPS(crateful_foreign_system, "$cratefulHost");
EM_JS(int, crateful_system_init, (int world, int system), { return cratefulHost.init(world, system); });
EM_JS(int, crateful_system_run, (int world, int system, double delta), { return cratefulHost.run(world, system, delta); });
// 0 or 1, or the negative token.
EM_JS(int, crateful_system_when, (int world, int system), { return cratefulHost.when(world, system); });
EM_JS(int, crateful_system_on_add, (int world, int system, std::uint32_t entity), { return cratefulHost.onAdd(world, system, entity >>> 0); });
EM_JS(int, crateful_system_on_remove, (int world, int system, std::uint32_t entity), { return cratefulHost.onRemove(world, system, entity >>> 0); });
EM_JS(int, crateful_system_enabled, (int world, int system, int on), { return cratefulHost.enabled(world, system, on !== 0); });
EM_JS(int, crateful_system_skipped, (int world, int system), { return cratefulHost.skipped(world, system); });
EM_JS(int, crateful_system_on_clear, (int world, int system), { return cratefulHost.onClear(world, system); });
EM_JS(void, crateful_system_destroyed, (int world, int system), { cratefulHost.systemDestroyed(world, system); });

// clang-format on

namespace crateful {
namespace {

void check(int token) {
    if (token != 0) throw ForeignError(token);
}

}  // namespace

ForeignSystem::ForeignSystem(int world, int token, std::string names, int flags)
    : SystemBase((flags & disabled) != 0, (flags & debug) != 0),
      world_(world),
      token_(token),
      names_(std::move(names)),
      memory_{&tracked(), &dirty_set().set(), &dirty_set().visited(), &notifies_remove_word_(),
              &dirty_set().causes().data()} {
    set_notifications_((flags & notifies_add) != 0, (flags & notifies_remove) != 0);
    only_when_dirty((flags & when_dirty) != 0);
    ordered((flags & keeps_order) != 0);
    if ((flags & uses_none) != 0) require_none();
    set_condition_((flags & conditional) != 0);
    exact((flags & is_exact) != 0);
    if ((flags & drops_skipped) != 0) set_drops_skipped_();
    observer((flags & observes) != 0);
}

void ForeignSystem::describe(double seconds, const std::uint32_t* lists) {
    const auto next = [&] {
        const std::uint32_t n = *lists++;
        lists += n;
        return std::span(lists - n, n);
    };
    std::string_view rest = names_;
    const auto text = [&](std::uint32_t bytes) {
        const std::string_view first = rest.substr(0, bytes);
        rest.remove_prefix(bytes);
        return first;
    };
    name_bytes_ = text(next().front()).size();
    for (const std::uint32_t bytes : next()) run_before_({nullptr, text(bytes)});
    for (const std::uint32_t bytes : next()) run_after_({nullptr, text(bytes)});
    interval(seconds);
    for (std::size_t k = 0; k < internal::COMPONENT_USES; ++k) use_ids_(static_cast<internal::ComponentUse>(k), next());
    for (const std::uint32_t address : next()) run_before_({reinterpret_cast<const SystemBase*>(address), {}});
    for (const std::uint32_t address : next()) run_after_({reinterpret_cast<const SystemBase*>(address), {}});
}

ForeignSystem::~ForeignSystem() { crateful_system_destroyed(world_, token_); }

void ForeignSystem::init() { check(crateful_system_init(world_, token_)); }
void ForeignSystem::run_(double delta) { check(crateful_system_run(world_, token_, delta)); }
void ForeignSystem::on_clear() { check(crateful_system_on_clear(world_, token_)); }
bool ForeignSystem::when(const ECS& /*ecs*/) {
    const int answer = crateful_system_when(world_, token_);
    if (answer < 0) throw ForeignError(-answer);
    return answer != 0;
}
void ForeignSystem::notify_enabled_() { check(crateful_system_enabled(world_, token_, 1)); }
void ForeignSystem::notify_disabled_() { check(crateful_system_enabled(world_, token_, 0)); }

void ForeignSystem::skipped_() { check(crateful_system_skipped(world_, token_)); }

void ForeignSystem::notify_add_(Entity e) {
    check(crateful_system_on_add(world_, token_, static_cast<std::uint32_t>(e)));
}

void ForeignSystem::notify_remove_(Entity e) {
    check(crateful_system_on_remove(world_, token_, static_cast<std::uint32_t>(e)));
}

}  // namespace crateful
