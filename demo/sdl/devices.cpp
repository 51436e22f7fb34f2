#include "devices.hpp"

namespace crate_room {

void Devices::poll(Room& room, const Screen& screen) {
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) handle(event, screen);

    if (touch_.tapped() || touch_.striking()) {
        pointing_ = by_finger_ = true;
        x_ = touch_.x();
        y_ = touch_.y();
    } else if (by_finger_) {
        pointing_ = false;
    }

    const Press space = key(SDL_SCANCODE_SPACE);
    // The latest press decides whether the blow is aimed at a point or goes straight ahead. If several buttons are held
    // down, aiming has precedence.
    const bool aims = left_.fresh || touch_.tapped();
    const bool ahead = space.fresh || strike_.fresh || gamepads_.struck();
    const bool aims_held = left_.held || touch_.striking();
    const bool ahead_held = space.held || strike_.held || gamepads_.striking();

    Input& input = room.input;
    const Lean move = (arrows() + touch_.move(screen) + gamepads_.move()).clamped();
    input.move_x = move.x;
    input.move_y = move.y;
    // A press during a pause does not cause a blow after it.
    input.strike = !room.ecs().paused() && (aims || ahead || aims_held || ahead_held);
    input.aimed = input.strike && (aims || (aims_held && !ahead));
    input.defend = right_.wanted() || defend_.wanted() || key(SDL_SCANCODE_LSHIFT).wanted() ||
                   key(SDL_SCANCODE_RSHIFT).wanted() || key(SDL_SCANCODE_K).wanted() || touch_.defending() ||
                   gamepads_.defending();
    input.shield_aimed = right_.wanted();
    input.pick = middle_.fresh || key(SDL_SCANCODE_I).fresh || (room.ecs().paused() && aims);
    input.pointing = pointing_;
    input.pointer_x = screen.room_x(room.view, x_);
    input.pointer_y = screen.room_y(room.view, y_);
    next_frame(screen);
}

void Devices::handle(const SDL_Event& event, const Screen& screen) {
    switch (event.type) {
        case SDL_KEYDOWN:
            if (event.key.repeat == 0) fresh_keys_.set(event.key.keysym.scancode);
            break;
        case SDL_MOUSEBUTTONDOWN:
        case SDL_MOUSEBUTTONUP:
            if (event.button.which == SDL_TOUCH_MOUSEID) break;
            if (Press* button = mouse_button(event.button.button)) button->set(event.type == SDL_MOUSEBUTTONDOWN);
            point(event.button.x, event.button.y);
            break;
        case SDL_MOUSEMOTION:
            if (event.motion.which == SDL_TOUCH_MOUSEID) break;
            // A press counts at the position where it happened, even if the mouse moves within the same frame.
            if (left_.fresh || middle_.fresh) break;
            point(event.motion.x, event.motion.y);
            break;
        case SDL_FINGERDOWN:
        case SDL_FINGERMOTION:
        case SDL_FINGERUP: touch_.handle(event.tfinger, screen); break;
        case SDL_WINDOWEVENT:
            if (event.window.event == SDL_WINDOWEVENT_LEAVE) pointing_ = false;
            break;
        default: gamepads_.handle(event);
    }
}

void Devices::point(Sint32 x, Sint32 y) {
    pointing_ = true;
    by_finger_ = false;
    x_ = static_cast<float>(x);
    y_ = static_cast<float>(y);
}

Devices::Press Devices::key(SDL_Scancode code) const {
    return {SDL_GetKeyboardState(nullptr)[code] != 0, fresh_keys_[code]};
}

Lean Devices::arrows() const {
    const auto wanted = [&](SDL_Scancode one, SDL_Scancode other) {
        return key(one).wanted() || key(other).wanted() ? 1.0f : 0.0f;
    };
    return Lean{wanted(SDL_SCANCODE_D, SDL_SCANCODE_RIGHT) - wanted(SDL_SCANCODE_A, SDL_SCANCODE_LEFT),
                wanted(SDL_SCANCODE_S, SDL_SCANCODE_DOWN) - wanted(SDL_SCANCODE_W, SDL_SCANCODE_UP)};
}

Devices::Press* Devices::mouse_button(Uint8 button) {
    switch (button) {
        case SDL_BUTTON_LEFT: return &left_;
        case SDL_BUTTON_MIDDLE: return &middle_;
        case SDL_BUTTON_RIGHT: return &right_;
        default: return nullptr;
    }
}

void Devices::hold_button(Button button, bool down) { (button == Button::strike ? strike_ : defend_).set(down); }

void Devices::release() {
    SDL_ResetKeyboard();
    fresh_keys_.reset();
    left_ = middle_ = right_ = strike_ = defend_ = {};
    touch_.release();
}

void Devices::next_frame(const Screen& screen) {
    fresh_keys_.reset();
    for (Press* press : {&left_, &middle_, &right_, &strike_, &defend_}) press->fresh = false;
    touch_.next_frame(screen);
    gamepads_.next_frame();
}

}  // namespace crate_room
