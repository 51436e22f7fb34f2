#pragma once
#include <GLES3/gl3.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

// The parts of OpenGL ES 3 (on a page: WebGL 2) that the screen uses, as objects that release their resources. They
// need the context of a `Window` and must be destroyed before it.
namespace crate_room::gl {

/// Owns an OpenGL object.
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

/// A vertex and a fragment shader. Throws `std::runtime_error` with the compiler's message.
class Program {
public:
    Program(const char* vertex, const char* fragment);
    void use() const noexcept { glUseProgram(program_.id()); }
    /// -1 if the shaders do not use it; OpenGL ignores writes to that location.
    [[nodiscard]] GLint uniform(const char* name) const noexcept { return glGetUniformLocation(program_.id(), name); }

private:
    Handle<free_program> program_;
};

/// A texture that stays bound to one texture unit.
class Texture {
public:
    /// `pixels` are RGBA, one byte per channel; `filter` is GL_NEAREST or GL_LINEAR.
    Texture(GLuint unit, int width, int height, const std::uint8_t* pixels, GLint filter);
    /// The value for a sampler uniform.
    [[nodiscard]] GLint unit() const noexcept { return static_cast<GLint>(unit_); }

private:
    GLuint unit_;
    Handle<free_texture> texture_;
};

/// Stores which attributes are read from which buffers, and the index buffer.
class VertexArray {
public:
    VertexArray();
    void bind() const noexcept { glBindVertexArray(array_.id()); }

private:
    Handle<free_vertex_array> array_;
};

/// Memory of the graphics card. Use an index buffer only while its vertex array is bound.
class Buffer {
public:
    /// GL_ARRAY_BUFFER or GL_ELEMENT_ARRAY_BUFFER.
    explicit Buffer(GLenum target);
    void bind() const noexcept { glBindBuffer(target_, buffer_.id()); }
    /// Allocates so many bytes; discards the contents.
    void reserve(std::size_t bytes);
    /// Overwrites a part. Returns its size in bytes.
    std::size_t write(std::size_t offset, std::span<const std::byte> data);
    /// Replaces the contents. Returns their size in bytes.
    std::size_t replace(std::span<const std::byte> data);

private:
    GLenum target_;
    Handle<free_buffer> buffer_;
};

/// Converts an offset for `glVertexAttribPointer()`, which expects it as a pointer.
[[nodiscard]] inline const void* offset(std::size_t bytes) noexcept { return reinterpret_cast<const void*>(bytes); }

}  // namespace crate_room::gl
