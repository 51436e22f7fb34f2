#include "window.hpp"

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#include <emscripten/html5_webgl.h>
#endif

#include <stdexcept>
#include <string>

namespace crate_room {
namespace {

[[noreturn]] void fail(const char* what) { throw std::runtime_error(std::string(what) + ": " + SDL_GetError()); }

/// SDL sets it as the title of the page too, which keeps its own.
const char* title() {
#ifdef __EMSCRIPTEN__
    return emscripten_get_window_title();
#else
    return "Crate room";
#endif
}

}  // namespace

Window::Video::Video() {
    // By default SDL handles every key on the page; it must handle only those for the canvas.
    SDL_SetHint(SDL_HINT_EMSCRIPTEN_KEYBOARD_ELEMENT, "#canvas");
    // Touch events are not converted to mouse events; see Touch.
    SDL_SetHint(SDL_HINT_TOUCH_MOUSE_EVENTS, "0");
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) fail("SDL could not initialise video");
}

Window::Window(int width, int height, std::uint32_t flags) {
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 0);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
    SDL_GL_SetAttribute(SDL_GL_STENCIL_SIZE, 0);
    // With an alpha channel the page would be visible through translucent drawings.
    SDL_GL_SetAttribute(SDL_GL_ALPHA_SIZE, 0);
    window_.reset(SDL_CreateWindow(title(), SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, width, height,
                                   SDL_WINDOW_OPENGL | flags));
    if (!window_) fail("SDL could not open a window for OpenGL");
    context_.reset(SDL_GL_CreateContext(window_.get()));
    if (!context_)
        fail(
            "The room is drawn with WebGL 2 (natively OpenGL ES 3), which is not available. It may be switched off, or "
            "the graphics card may not be supported");
    wait_for_screen(true);
    // While text input is active, SDL passes some keys on to the page: the space bar would scroll it.
    SDL_StopTextInput();
}

void Window::resize(int width, int height) {
    int now_width = 0;
    int now_height = 0;
    SDL_GetWindowSize(window_.get(), &now_width, &now_height);
    if (now_width != width || now_height != height) SDL_SetWindowSize(window_.get(), width, height);
}

void Window::wait_for_screen([[maybe_unused]] bool on) noexcept {
#ifndef __EMSCRIPTEN__  // on a page the browser schedules frames, and this call would require an Emscripten main loop
    SDL_GL_SetSwapInterval(on ? 1 : 0);
#endif
}

bool Window::lost() const noexcept {
#ifdef __EMSCRIPTEN__
    return emscripten_is_webgl_context_lost(emscripten_webgl_get_current_context());
#else
    return false;
#endif
}

}  // namespace crate_room
