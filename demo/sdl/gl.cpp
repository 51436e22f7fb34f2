#include "gl.hpp"

#include <array>
#include <stdexcept>
#include <string>

namespace crate_room::gl {
namespace {

using Shader = Handle<free_shader>;

Shader compile(GLenum kind, const char* source) {
    Shader shader(glCreateShader(kind));
    if (shader.id() == 0) throw std::runtime_error("glCreateShader failed");
    glShaderSource(shader.id(), 1, &source, nullptr);
    glCompileShader(shader.id());
    GLint good = GL_FALSE;
    glGetShaderiv(shader.id(), GL_COMPILE_STATUS, &good);
    if (good == GL_TRUE) return shader;
    std::array<char, 1024> log{};
    glGetShaderInfoLog(shader.id(), static_cast<GLsizei>(log.size()), nullptr, log.data());
    throw std::runtime_error(std::string("A shader did not compile: ") + log.data());
}

template <void (*Generate)(GLsizei, GLuint*)>
GLuint generate(const char* what) {
    GLuint id = 0;
    Generate(1, &id);
    if (id == 0) throw std::runtime_error(std::string("OpenGL could not create a ") + what);
    return id;
}

// In some headers these are macros, or their linkage does not allow them as template arguments.
void buffers(GLsizei n, GLuint* ids) { glGenBuffers(n, ids); }
void textures(GLsizei n, GLuint* ids) { glGenTextures(n, ids); }
void vertex_arrays(GLsizei n, GLuint* ids) { glGenVertexArrays(n, ids); }

}  // namespace

Program::Program(const char* vertex, const char* fragment) : program_(glCreateProgram()) {
    const Shader first = compile(GL_VERTEX_SHADER, vertex);
    const Shader second = compile(GL_FRAGMENT_SHADER, fragment);
    glAttachShader(program_.id(), first.id());
    glAttachShader(program_.id(), second.id());
    glLinkProgram(program_.id());
    GLint good = GL_FALSE;
    glGetProgramiv(program_.id(), GL_LINK_STATUS, &good);
    if (good == GL_TRUE) return;
    std::array<char, 1024> log{};
    glGetProgramInfoLog(program_.id(), static_cast<GLsizei>(log.size()), nullptr, log.data());
    throw std::runtime_error(std::string("The shaders could not be linked: ") + log.data());
}

Texture::Texture(GLuint unit, int width, int height, const std::uint8_t* pixels, GLint filter)
    : unit_(unit), texture_(generate<textures>("texture")) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}

VertexArray::VertexArray() : array_(generate<vertex_arrays>("vertex array")) {}

Buffer::Buffer(GLenum target) : target_(target), buffer_(generate<buffers>("buffer")) {}

void Buffer::reserve(std::size_t bytes) {
    bind();
    glBufferData(target_, static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_DRAW);
}

std::size_t Buffer::write(std::size_t offset, std::span<const std::byte> data) {
    bind();
    glBufferSubData(target_, static_cast<GLintptr>(offset), static_cast<GLsizeiptr>(data.size()), data.data());
    return data.size();
}

std::size_t Buffer::replace(std::span<const std::byte> data) {
    bind();
    // New storage instead of glBufferSubData: the graphics card may still be reading the old one.
    glBufferData(target_, static_cast<GLsizeiptr>(data.size()), data.data(), GL_DYNAMIC_DRAW);
    return data.size();
}

}  // namespace crate_room::gl
