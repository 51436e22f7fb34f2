#pragma once
#include <SDL.h>

#include <cstdint>
#include <memory>

namespace crate_room {

/// A window with an OpenGL ES 3 context; on a page the element `#canvas` with WebGL 2.
class Window {
public:
    /// `flags` are additional window flags of SDL. Throws `std::runtime_error` if the window or its context cannot be
    /// created.
    Window(int width, int height, std::uint32_t flags);

    void resize(int width, int height);
    /// Shows what was drawn. The native program waits for the screen's next refresh, see `wait_for_screen`.
    void show() noexcept { SDL_GL_SwapWindow(window_.get()); }
    void wait_for_screen(bool on) noexcept;
    /// Whether the WebGL context is lost; always false in the native program.
    [[nodiscard]] bool lost() const noexcept;

private:
    // SDL's video subsystem, initialised as long as the window exists.
    struct Video {
        Video();
        ~Video() { SDL_QuitSubSystem(SDL_INIT_VIDEO); }
        Video(const Video&) = delete;
        Video& operator=(const Video&) = delete;
    };
    struct Free {
        void operator()(SDL_Window* w) const noexcept { SDL_DestroyWindow(w); }
        void operator()(void* context) const noexcept { SDL_GL_DeleteContext(context); }
    };

    Video video_;
    std::unique_ptr<SDL_Window, Free> window_;
    std::unique_ptr<void, Free> context_;
};

}  // namespace crate_room
