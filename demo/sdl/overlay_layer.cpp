#include "overlay_layer.hpp"

#include <algorithm>
#include <cstring>

namespace crate_room {
namespace {

// A vertex contains no padding, so quads can be compared as bytes.
static_assert(sizeof(Vertex) == 6 * sizeof(float) + sizeof(Colour));

bool upright(const Quad& q) { return q[0].y == q[1].y && q[1].x == q[2].x && q[2].y == q[3].y && q[3].x == q[0].x; }

bool same(const std::vector<Quad>& a, const std::vector<Quad>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Quad)) == 0);
}

// A box that is narrower than a pixel is drawn one pixel wide.
float far_side(float near, float far, float length) { return far == near && length != 0 ? near + 1 : far; }

}  // namespace

OverlayLayer::OverlayLayer() {
    array_.bind();
    vertices_.bind();
    QuadProgram::describe_vertices();
    indices_.bind();
}

void OverlayLayer::add_in_room(const Picture& picture, const Overlay& overlay) {
    add(overlay, static_cast<float>(picture.zoom), static_cast<float>(picture.left), static_cast<float>(picture.top));
}

void OverlayLayer::add_on_screen(const Picture& picture, const Overlay& overlay) {
    add(overlay, static_cast<float>(picture.overlay_scale), 0, 0);
}

void OverlayLayer::add(const Overlay& overlay, float scale, float left, float top) {
    for (const Quad& original : overlay.quads()) {
        Quad q = original;
        const bool snaps = upright(q);  // rounding would distort rotated quads
        for (Vertex& v : q) {
            v.x = (snaps ? snap(v.x * scale) : v.x * scale) - left;
            v.y = (snaps ? snap(v.y * scale) : v.y * scale) - top;
        }
        if (snaps) {
            q[1].x = q[2].x = far_side(q[0].x, q[1].x, original[1].x - original[0].x);
            q[3].y = q[2].y = far_side(q[0].y, q[3].y, original[3].y - original[0].y);
        }
        quads_.push_back(q);
    }
}

void OverlayLayer::draw(Picture& picture, const QuadProgram& program) {
    if (!quads_.empty()) {
        array_.bind();
        picture.uploaded += upload();
        program.use_on_canvas(picture);
        glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(uploaded_.size() * 6), GL_UNSIGNED_INT, nullptr);
        ++picture.calls;
    }
    quads_.clear();
}

std::size_t OverlayLayer::upload() {
    std::size_t sent = 0;
    if (indexed_ < quads_.size()) {
        indexed_ = std::max<std::size_t>(quads_.size(), indexed_ * 2);
        std::vector<GLuint> corners;
        for (GLuint first = 0; first < indexed_ * 4; first += 4) {
            corners.insert(corners.end(), {first, first + 1, first + 2, first, first + 2, first + 3});
        }
        sent += indices_.replace(std::as_bytes(std::span(corners)));
    }
    if (!same(quads_, uploaded_)) {
        sent += vertices_.replace(std::as_bytes(std::span(quads_)));
        uploaded_.swap(quads_);
    }
    return sent;
}

}  // namespace crate_room
