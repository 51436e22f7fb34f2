#include "light_layer.hpp"

#include <cmath>
#include <cstddef>

#include "lights.hpp"
#include "shaders.hpp"

namespace crate_room {
namespace {

constexpr float FLICKER = 1.07f;  // the largest factor by which the shader enlarges a flickering lamp

template <class Painted>
gl::Texture texture_of(GLuint unit, const Painted& light) {
    return {unit, light.size, light.size, light.pixels.data(), GL_LINEAR};
}

}  // namespace

bool LightLayer::Glow::operator==(const Glow& o) const noexcept {
    return x == o.x && y == o.y && radius == o.radius && tint.r == o.tint.r && tint.g == o.tint.g &&
           tint.b == o.tint.b && tint.a == o.tint.a;
}

LightLayer::LightLayer(GLuint first_unit)
    : dusk_(texture_of(first_unit, paint_dusk())),
      glow_(texture_of(first_unit + 1, paint_glow())),
      dusk_program_(shaders::BOX_VERTEX, shaders::DUSK_FRAGMENT),
      lamp_program_(shaders::LAMP_VERTEX, shaders::LAMP_FRAGMENT),
      in_dusk_{dusk_program_.uniform("box"), dusk_program_.uniform("canvas"), dusk_program_.uniform("middle"),
               dusk_program_.uniform("radius")},
      in_lamps_{lamp_program_.uniform("scale"), lamp_program_.uniform("corner"), lamp_program_.uniform("canvas"),
                lamp_program_.uniform("time")} {
    dusk_program_.use();
    glUniform1i(dusk_program_.uniform("light"), dusk_.unit());
    lamp_program_.use();
    glUniform1i(lamp_program_.uniform("light"), glow_.unit());

    array_.bind();
    buffer_.bind();
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Glow), gl::offset(offsetof(Glow, x)));
    glVertexAttribDivisor(0, 1);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Glow), gl::offset(offsetof(Glow, tint)));
    glVertexAttribDivisor(1, 1);
}

void LightLayer::draw(Picture& picture, const Position& bright, const std::vector<Lamp>& lamps, const View& view) {
    draw_dusk(picture, bright);

    visible_.clear();
    for (const Lamp& lamp : lamps) {
        const float reach = lamp.radius * FLICKER;
        if (lamp.x + reach < view.left() || lamp.x - reach > view.right() || lamp.y + reach < view.top() ||
            lamp.y - reach > view.bottom())
            continue;
        const Colour& c = lamp.colour;
        visible_.push_back(
            {lamp.x, lamp.y, lamp.radius, {c.r, c.g, c.b, static_cast<std::uint8_t>(lamp.flickers ? 255 : 0)}});
    }
    if (visible_.empty()) return;
    array_.bind();
    if (visible_ != uploaded_) {
        picture.uploaded += buffer_.replace(std::as_bytes(std::span(visible_)));
        uploaded_ = visible_;
    }
    lamp_program_.use();
    glUniform1f(in_lamps_.scale, static_cast<float>(picture.zoom));
    glUniform2f(in_lamps_.corner, static_cast<float>(picture.left), static_cast<float>(picture.top));
    glUniform2f(in_lamps_.canvas, static_cast<float>(picture.width), static_cast<float>(picture.height));
    glUniform1f(in_lamps_.time, picture.time);
    glBlendFunc(GL_ONE, GL_ONE);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(visible_.size()));
    ++picture.calls;
}

void LightLayer::draw_dusk(Picture& picture, const Position& bright) const {
    const auto width = static_cast<float>(picture.width);
    const auto height = static_cast<float>(picture.height);
    const auto zoom = static_cast<float>(picture.zoom);
    nothing_.bind();
    dusk_program_.use();
    glUniform4f(in_dusk_.box, 0, 0, width, height);
    glUniform2f(in_dusk_.canvas, width, height);
    glUniform2f(in_dusk_.middle, bright.x * zoom - static_cast<float>(picture.left),
                bright.y * zoom - static_cast<float>(picture.top));
    // The radius covers the whole picture, whatever its aspect ratio.
    glUniform1f(in_dusk_.radius, std::hypot(width, height));
    glBlendFunc(GL_DST_COLOR, GL_ZERO);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    ++picture.calls;
}

}  // namespace crate_room
