#include "crateful/foreign_system.hpp"

#include "host_calls.hpp"

namespace crateful {
namespace {

void check(int token) {
    if (token != 0) throw ForeignError(token);
}

}  // namespace

ForeignSystem::ForeignSystem(int world, int token, std::string name, int flags)
    : SystemBase((flags & disabled) != 0, (flags & debug) != 0),
      world_(world),
      token_(token),
      name_(std::move(name)),
      memory_{&tracked(), &dirty_set().set(), &dirty_set().seen(), &hears_left_word()} {
    hear((flags & hears_entered) != 0, (flags & hears_left) != 0);
    only_when_dirty((flags & when_dirty) != 0);
}

ForeignSystem::~ForeignSystem() { crateful_system_destroyed(world_, token_); }

void ForeignSystem::init() { check(crateful_system_init(world_, token_)); }
void ForeignSystem::run(double delta) { check(crateful_system_run(world_, token_, delta)); }
void ForeignSystem::on_clear() { check(crateful_system_on_clear(world_, token_)); }
void ForeignSystem::was_enabled() { check(crateful_system_enabled(world_, token_, 1)); }
void ForeignSystem::was_disabled() { check(crateful_system_enabled(world_, token_, 0)); }

void ForeignSystem::entered(Entity e) { check(crateful_system_on_add(world_, token_, static_cast<std::uint32_t>(e))); }

void ForeignSystem::left(Entity e) { check(crateful_system_on_remove(world_, token_, static_cast<std::uint32_t>(e))); }

}  // namespace crateful
