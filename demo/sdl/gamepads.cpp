#include "gamepads.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace crate_room {
namespace {

constexpr float STICK_DEAD_ZONE = 0.25f;
constexpr float PULLED = 0.3f;  // from this value on a trigger counts as pressed

constexpr std::array STRIKE{SDL_CONTROLLER_BUTTON_A, SDL_CONTROLLER_BUTTON_X};
constexpr std::array DEFEND{SDL_CONTROLLER_BUTTON_B, SDL_CONTROLLER_BUTTON_LEFTSHOULDER,
                            SDL_CONTROLLER_BUTTON_RIGHTSHOULDER};
constexpr std::array TRIGGERS{SDL_CONTROLLER_AXIS_TRIGGERLEFT, SDL_CONTROLLER_AXIS_TRIGGERRIGHT};

// The standard layout: https://w3c.github.io/gamepad/#remapping
namespace raw {
constexpr std::array STRIKE{0, 2};
constexpr std::array DEFEND{1, 4, 5, 6, 7};
constexpr int UP = 12, DOWN = 13, LEFT = 14, RIGHT = 15;
}  // namespace raw

float share(Sint16 axis) { return static_cast<float>(axis) / 32767; }

template <class Buttons>
bool among(const Buttons& buttons, Uint8 button) {
    return std::any_of(buttons.begin(), buttons.end(),
                       [&](auto b) { return static_cast<int>(b) == static_cast<int>(button); });
}

bool down(SDL_GameController* pad, SDL_GameControllerButton button) {
    return SDL_GameControllerGetButton(pad, button) != 0;
}
bool down(SDL_Joystick* pad, int button) { return SDL_JoystickGetButton(pad, button) != 0; }

// The directional pad, or the stick if that is not pressed.
Lean lean_of(bool left, bool right, bool up, bool down, Lean stick) {
    const Lean pad{static_cast<float>(right) - static_cast<float>(left),
                   static_cast<float>(down) - static_cast<float>(up)};
    return pad.x != 0 || pad.y != 0 ? pad.clamped() : stick.without(STICK_DEAD_ZONE);
}

Lean lean_of(SDL_GameController* pad) {
    const auto held = [&](SDL_GameControllerButton button) { return down(pad, button); };
    return lean_of(held(SDL_CONTROLLER_BUTTON_DPAD_LEFT), held(SDL_CONTROLLER_BUTTON_DPAD_RIGHT),
                   held(SDL_CONTROLLER_BUTTON_DPAD_UP), held(SDL_CONTROLLER_BUTTON_DPAD_DOWN),
                   {share(SDL_GameControllerGetAxis(pad, SDL_CONTROLLER_AXIS_LEFTX)),
                    share(SDL_GameControllerGetAxis(pad, SDL_CONTROLLER_AXIS_LEFTY))});
}

Lean lean_of(SDL_Joystick* pad) {
    const auto held = [&](int button) { return down(pad, button); };
    const Uint8 hat = SDL_JoystickNumHats(pad) > 0 ? SDL_JoystickGetHat(pad, 0) : Uint8{SDL_HAT_CENTERED};
    return lean_of(held(raw::LEFT) || (hat & SDL_HAT_LEFT) != 0, held(raw::RIGHT) || (hat & SDL_HAT_RIGHT) != 0,
                   held(raw::UP) || (hat & SDL_HAT_UP) != 0, held(raw::DOWN) || (hat & SDL_HAT_DOWN) != 0,
                   {share(SDL_JoystickGetAxis(pad, 0)), share(SDL_JoystickGetAxis(pad, 1))});
}

template <class Pad, class Buttons>
bool any_down(Pad* pad, const Buttons& buttons) {
    return std::any_of(buttons.begin(), buttons.end(), [&](auto button) { return down(pad, button); });
}

bool strikes(SDL_GameController* pad) { return any_down(pad, STRIKE); }
bool strikes(SDL_Joystick* pad) { return any_down(pad, raw::STRIKE); }
bool defends(SDL_GameController* pad) {
    return any_down(pad, DEFEND) || std::any_of(TRIGGERS.begin(), TRIGGERS.end(), [&](auto axis) {
               return share(SDL_GameControllerGetAxis(pad, axis)) > PULLED;
           });
}
bool defends(SDL_Joystick* pad) { return any_down(pad, raw::DEFEND); }

}  // namespace

Gamepads::Gamepads() : available_(SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER) == 0) {}

Gamepads::~Gamepads() {
    mapped_.clear();
    raw_.clear();
    if (available_) SDL_QuitSubSystem(SDL_INIT_GAMECONTROLLER);
}

void Gamepads::handle(const SDL_Event& event) {
    switch (event.type) {
        // SDL also sends this event for gamepads that are connected at the start.
        case SDL_CONTROLLERDEVICEADDED:
            if (SDL_GameController* pad = SDL_GameControllerOpen(event.cdevice.which)) mapped_.emplace_back(pad);
            break;
        case SDL_CONTROLLERDEVICEREMOVED:
            std::erase_if(mapped_, [&](const auto& pad) {
                return SDL_JoystickInstanceID(SDL_GameControllerGetJoystick(pad.get())) == event.cdevice.which;
            });
            break;
        case SDL_JOYDEVICEADDED:
            if (SDL_IsGameController(event.jdevice.which) == SDL_TRUE) break;
            if (SDL_Joystick* pad = SDL_JoystickOpen(event.jdevice.which)) raw_.emplace_back(pad);
            break;
        case SDL_JOYDEVICEREMOVED:
            std::erase_if(raw_,
                          [&](const auto& pad) { return SDL_JoystickInstanceID(pad.get()) == event.jdevice.which; });
            break;
        case SDL_CONTROLLERBUTTONDOWN:
            struck_ = struck_ || among(STRIKE, event.cbutton.button);
            defended_ = defended_ || among(DEFEND, event.cbutton.button);
            break;
        case SDL_JOYBUTTONDOWN:
            // SDL reports each button of a mapped controller as a joystick button, too.
            if (std::none_of(raw_.begin(), raw_.end(),
                             [&](const auto& pad) { return SDL_JoystickInstanceID(pad.get()) == event.jbutton.which; }))
                break;
            struck_ = struck_ || among(raw::STRIKE, event.jbutton.button);
            defended_ = defended_ || among(raw::DEFEND, event.jbutton.button);
            break;
        default: break;
    }
}

Lean Gamepads::move() const {
    Lean sum;
    for (const auto& pad : mapped_) sum = sum + lean_of(pad.get());
    for (const auto& pad : raw_) sum = sum + lean_of(pad.get());
    return sum.clamped();
}

template <class Wants>
bool Gamepads::any(Wants&& wants) const {
    const auto one = [&](const auto& pad) { return wants(pad.get()); };
    return std::any_of(mapped_.begin(), mapped_.end(), one) || std::any_of(raw_.begin(), raw_.end(), one);
}

bool Gamepads::striking() const {
    return any([](auto* pad) { return strikes(pad); });
}

bool Gamepads::defending() const {
    return defended_ || any([](auto* pad) { return defends(pad); });
}

}  // namespace crate_room
