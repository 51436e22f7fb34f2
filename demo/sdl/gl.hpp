#pragma once
#include <GLES3/gl3.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

// What there is of OpenGL ES 3, which is WebGL 2 on a page, in objects that clean up after themselves.
// All of it needs the context that `Window` makes, and goes before that does.
namespace crate_room::gl {

/// Owns a name that OpenGL gave.
template <auto Free>
class Handle {
public:
    Handle() = default;
    explicit Handle(GLuint id) noexcept : id_(id) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
    Handle& operator=(Handle other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    ~Handle() {
        if (id_ != 0) Free(id_);
    }
    [[nodiscard]] GLuint id() const noexcept { return id_; }

private:
    GLuint id_ = 0;
};

inline void free_buffer(GLuint id) noexcept { glDeleteBuffers(1, &id); }
inline void free_texture(GLuint id) noexcept { glDeleteTextures(1, &id); }
inline void free_vertex_array(GLuint id) noexcept { glDeleteVertexArrays(1, &id); }
inline void free_shader(GLuint id) noexcept { glDeleteShader(id); }
inline void free_program(GLuint id) noexcept { glDeleteProgram(id); }

/// A vertex and a fragment shader. Throws `std::runtime_error` with what the compiler says.
class Program {
public:
    Program(const char* vertex, const char* fragment);
    void use() const noexcept { glUseProgram(program_.id()); }
    /// -1, which OpenGL ignores, if the shaders don't use it.
    [[nodiscard]] GLint uniform(const char* name) const noexcept { return glGetUniformLocation(program_.id(), name); }

private:
    Handle<free_program> program_;
};

/// A picture that stays bound to one of the texture units.
class Texture {
public:
    /// `pixels` are RGBA, a byte each; `filter` is GL_NEAREST or GL_LINEAR.
    Texture(GLuint unit, int width, int height, const std::uint8_t* pixels, GLint filter);
    /// What a sampler is set to.
    [[nodiscard]] GLint unit() const noexcept { return static_cast<GLint>(unit_); }

private:
    GLuint unit_;
    Handle<free_texture> texture_;
};

/// Remembers which attributes come from which buffers, and which buffer the indices are in.
class VertexArray {
public:
    VertexArray();
    void bind() const noexcept { glBindVertexArray(array_.id()); }

private:
    Handle<free_vertex_array> array_;
};

/// Memory of the graphics card. One for indices has to be used with its vertex array bound.
class Buffer {
public:
    /// GL_ARRAY_BUFFER or GL_ELEMENT_ARRAY_BUFFER.
    explicit Buffer(GLenum target);
    void bind() const noexcept { glBindBuffer(target_, buffer_.id()); }
    /// Makes room for so many bytes; what was in it is lost.
    void reserve(std::size_t bytes);
    /// Overwrites a part. Returns how many bytes that are.
    std::size_t write(std::size_t offset, std::span<const std::byte> data);
    /// Replaces everything. Returns how many bytes that are.
    std::size_t replace(std::span<const std::byte> data);

private:
    GLenum target_;
    Handle<free_buffer> buffer_;
};

/// For `glVertexAttribPointer()`, which takes offsets as pointers for historical reasons.
[[nodiscard]] inline const void* offset(std::size_t bytes) noexcept { return reinterpret_cast<const void*>(bytes); }

}  // namespace crate_room::gl
