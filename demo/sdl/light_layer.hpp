#pragma once
#include <vector>

#include "components.hpp"
#include "draw/vertex.hpp"
#include "draw/view.hpp"
#include "gl.hpp"
#include "picture.hpp"
#include "systems/presentation/lighting.hpp"

namespace crate_room {

/// The light in the room. First the picture is multiplied with dusk around the player, then the lamps are added. The
/// lamps are uploaded when the visible ones changed; the shader makes them flicker.
class LightLayer {
public:
    /// Uses the texture units `first_unit` and `first_unit + 1`.
    explicit LightLayer(GLuint first_unit);
    void draw(Picture& picture, const Position& bright, const std::vector<Lamp>& lamps, const View& view);

private:
    // A lamp in the vertex buffer.
    struct Glow {
        float x, y, radius;
        Colour tint;  // alpha: whether it flickers
        bool operator==(const Glow& other) const noexcept;
    };

    void draw_dusk(Picture& picture, const Position& bright) const;

    gl::Texture dusk_;
    gl::Texture glow_;
    gl::Program dusk_program_;
    gl::Program lamp_program_;
    gl::VertexArray nothing_;
    gl::VertexArray array_;
    gl::Buffer buffer_{GL_ARRAY_BUFFER};
    std::vector<Glow> visible_;
    std::vector<Glow> uploaded_;
    struct {
        GLint box, canvas, middle, radius;
    } in_dusk_;
    struct {
        GLint scale, corner, canvas, time;
    } in_lamps_;
};

}  // namespace crate_room
