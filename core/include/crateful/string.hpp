#pragma once
#include <cstdint>

namespace crateful {

/// A text that an ECS keeps once (rule C13): the type of a member that `describe_component` names. Equal texts have equal numbers, so
/// that comparing two is one comparison, and an entity needs 4 bytes:
///
///     struct Name { String text; };
///     describe_component<Name>("Name").field("text", &Name::text);
///     ecs.add<Name>(e, {ecs.string("crate")});
///     std::string_view text = ecs.text(ecs.get<Name>(e).text);
///
/// It is valid in the ECS that returned it, as long as a component of a described class or a prefab contains it, and until 1,024
/// further texts were added to the ECS; a long text counts as one more for each 16 KiB, and at most as 64. Nothing becomes invalid
/// while a callback runs (rule S6). A class that is not described keeps no text.
struct String {
    std::uint32_t number = 0;  ///< 0 is the empty string

    constexpr String() noexcept = default;
    /// The string with a number that another one had.
    explicit constexpr String(std::uint32_t n) noexcept : number(n) {}
    [[nodiscard]] constexpr bool empty() const noexcept { return number == 0; }
    friend constexpr bool operator==(String a, String b) noexcept { return a.number == b.number; }
};

}  // namespace crateful
