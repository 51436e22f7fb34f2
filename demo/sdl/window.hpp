#pragma once
#include <SDL.h>

#include <cstdint>
#include <memory>

namespace crate_room {

/// A window with an OpenGL ES 3 context; on a page the element `#canvas` with WebGL 2.
class Window {
public:
    /// `flags` are further ones of SDL's. Throws `std::runtime_error` if that can't be.
    Window(int width, int height, std::uint32_t flags);

    void resize(int width, int height);
    /// Shows what was drawn. Natively waits for the screen's next picture, unless told not to.
    void show() noexcept { SDL_GL_SwapWindow(window_.get()); }
    void wait_for_screen(bool on) noexcept;
    /// Whether the graphics card has forgotten all it was told. Known on pages only.
    [[nodiscard]] bool lost() const noexcept;

private:
    // SDL's video part, for as long as the window.
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
