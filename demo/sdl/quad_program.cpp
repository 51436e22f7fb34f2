#include "quad_program.hpp"

#include <cstddef>

#include "draw/vertex.hpp"
#include "shaders.hpp"

namespace crate_room {

QuadProgram::QuadProgram(const gl::Texture& atlas)
    : program_(shaders::QUAD_VERTEX, shaders::QUAD_FRAGMENT),
      scale_(program_.uniform("scale")),
      corner_(program_.uniform("corner")),
      canvas_(program_.uniform("canvas")),
      snapping_(program_.uniform("snapping")),
      time_(program_.uniform("time")) {
    program_.use();
    glUniform1i(program_.uniform("atlas"), atlas.unit());
}

void QuadProgram::use_in_room(const Picture& picture) const {
    use(picture, static_cast<float>(picture.zoom), static_cast<float>(picture.left), static_cast<float>(picture.top),
        1);
}

void QuadProgram::use_on_canvas(const Picture& picture) const { use(picture, 1, 0, 0, 0); }

void QuadProgram::use(const Picture& picture, float scale, float left, float top, float snapping) const {
    program_.use();
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glUniform1f(scale_, scale);
    glUniform2f(corner_, left, top);
    glUniform2f(canvas_, static_cast<float>(picture.width), static_cast<float>(picture.height));
    glUniform1f(snapping_, snapping);
    glUniform1f(time_, picture.time);
}

void QuadProgram::describe_vertices() {
    const auto attribute = [](GLuint location, GLint size, GLenum type, GLboolean normalised, std::size_t at) {
        glEnableVertexAttribArray(location);
        glVertexAttribPointer(location, size, type, normalised, sizeof(Vertex), gl::offset(at));
    };
    attribute(0, 2, GL_FLOAT, GL_FALSE, offsetof(Vertex, x));
    attribute(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(Vertex, colour));
    attribute(2, 2, GL_FLOAT, GL_FALSE, offsetof(Vertex, u));
    attribute(3, 2, GL_FLOAT, GL_FALSE, offsetof(Vertex, loop_step));
}

}  // namespace crate_room
