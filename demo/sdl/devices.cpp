#include "devices.hpp"

namespace crate_room {
namespace {

float axis(const Uint8* keys, SDL_Scancode low, SDL_Scancode low_too, SDL_Scancode high, SDL_Scancode high_too) {
    const bool back = keys[low] != 0 || keys[low_too] != 0;
    const bool forth = keys[high] != 0 || keys[high_too] != 0;
    return static_cast<float>(forth) - static_cast<float>(back);
}

}  // namespace

void Devices::poll(Room& room, const Screen& screen) {
    Input& input = room.input;
    // A blow asked for during a pause is not saved up for afterwards.
    if (room.ecs().paused()) input.strike = false;
    bool clicked = false;
    bool hit = false;
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) {
        switch (event.type) {
            case SDL_KEYDOWN:
            case SDL_KEYUP:
                if (event.key.keysym.scancode != SDL_SCANCODE_SPACE) break;
                space_ = event.type == SDL_KEYDOWN;
                hit = hit || space_;
                break;
            case SDL_MOUSEBUTTONDOWN:
            case SDL_MOUSEBUTTONUP:
                if (event.button.button != SDL_BUTTON_LEFT) break;
                button_ = event.type == SDL_MOUSEBUTTONDOWN;
                clicked = clicked || button_;
                x_ = static_cast<float>(event.button.x);
                y_ = static_cast<float>(event.button.y);
                pointing_ = true;
                break;
            case SDL_MOUSEMOTION:
                x_ = static_cast<float>(event.motion.x);
                y_ = static_cast<float>(event.motion.y);
                pointing_ = true;
                break;
            case SDL_WINDOWEVENT:
                if (event.window.event == SDL_WINDOWEVENT_LEAVE) pointing_ = false;
                break;
            default: break;
        }
    }
    const Uint8* keys = SDL_GetKeyboardState(nullptr);
    input.move_x = axis(keys, SDL_SCANCODE_A, SDL_SCANCODE_LEFT, SDL_SCANCODE_D, SDL_SCANCODE_RIGHT);
    input.move_y = axis(keys, SDL_SCANCODE_W, SDL_SCANCODE_UP, SDL_SCANCODE_S, SDL_SCANCODE_DOWN);
    input.pointing = pointing_;
    input.pointer_x = screen.room_x(room.view, x_);
    input.pointer_y = screen.room_y(room.view, y_);
    // A press counts even if it was over within a frame; holding it strikes on.
    if (!room.ecs().paused() && (clicked || hit || button_ || space_)) {
        input.aimed = clicked || (button_ && !hit);
        input.strike = true;
    }
}

void Devices::release() {
    SDL_ResetKeyboard();
    button_ = space_ = false;
}

}  // namespace crate_room
