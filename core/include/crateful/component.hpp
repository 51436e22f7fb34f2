#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "crateful/entity.hpp"

namespace crateful {

class Storage;

/// The type of a field that other languages can see (rule C3).
enum class FieldType : std::uint8_t { f32, f64, i8, u8, i16, u16, i32, u32, boolean, entity };

/// Bytes of one value.
[[nodiscard]] std::size_t size_of(FieldType type) noexcept;

struct Field {
    std::string name;
    FieldType type;
    std::size_t offset = 0;  ///< inside the C++ struct; unused for stored components
};

/// How the values of a class are kept (rule T2).
enum class Policy : std::uint8_t {
    sparse,  ///< paged sparse index, dense values: memory follows the components there are
    linear,  ///< one slot per entity index and a presence mask: for what nearly every entity has
};

/// Where the values of a class live (rule C3).
enum class ComponentKind : std::uint8_t {
    stored,  ///< a column per field, described by a schema
    object,  ///< elsewhere (in JavaScript); only membership is kept here
    native,  ///< C++ structs
};

/// Names a component class. Dense, and the same in every world of the process.
using ComponentId = std::uint32_t;

/// All that is known of a component class.
struct ComponentType {
    ComponentId id = 0;
    std::string name;
    ComponentKind kind = ComponentKind::native;
    Policy policy = Policy::sparse;
    std::vector<Field> fields;
    std::size_t value_bytes = 0;  ///< of one component; 0 for tags and objects
    std::function<std::unique_ptr<Storage>(const ComponentType&)> make_storage;
};

/// The component classes of this process. There is no limit to their number (rule C4).
namespace registry {
/// Adds a class; its id is returned. Names need not be unique, but only the first of a name is found.
ComponentId add(ComponentType type);
/// A class whose values are columns (with `fields`), or a tag (without).
ComponentId add_stored(std::string name, std::vector<Field> fields, Policy policy = Policy::sparse);
/// A class whose values live in another language.
ComponentId add_object(std::string name);
[[nodiscard]] const ComponentType& type(ComponentId id);
[[nodiscard]] ComponentType& mutable_type(ComponentId id);
[[nodiscard]] std::size_t count() noexcept;
/// The native class registered under `name`, or nullptr.
[[nodiscard]] const ComponentType* find_native(std::string_view name) noexcept;
}  // namespace registry

namespace internal {
template <class T>
[[nodiscard]] ComponentId register_native();

template <class M>
constexpr FieldType field_type() {
    if constexpr (std::is_same_v<M, float>) return FieldType::f32;
    else if constexpr (std::is_same_v<M, double>) return FieldType::f64;
    else if constexpr (std::is_same_v<M, bool>) return FieldType::boolean;
    else if constexpr (std::is_same_v<M, Entity>) return FieldType::entity;
    else if constexpr (std::is_enum_v<M>) return field_type<std::underlying_type_t<M>>();
    else {
        static_assert(std::is_integral_v<M> && sizeof(M) <= 4,
                      "a field is a number of up to 32 bits, bool, double or Entity");
        constexpr bool is_signed = std::is_signed_v<M>;
        if constexpr (sizeof(M) == 1) return is_signed ? FieldType::i8 : FieldType::u8;
        else if constexpr (sizeof(M) == 2) return is_signed ? FieldType::i16 : FieldType::u16;
        else return is_signed ? FieldType::i32 : FieldType::u32;
    }
}
}  // namespace internal

/// The id of a C++ component class. The first call registers the class, unnamed and without fields.
template <class T>
[[nodiscard]] ComponentId component_id() {
    static const ComponentId id = internal::register_native<T>();
    return id;
}

/// Describes a native component class to other languages:
/// `describe_component<Position>("Position").field("x", &Position::x).field("y", &Position::y);`
/// Do this before the first world uses the class; fields left out stay private to C++.
template <class T>
class ComponentBuilder {
public:
    explicit ComponentBuilder(std::string name) : type_(registry::mutable_type(component_id<T>())) {
        type_.name = std::move(name);
    }
    template <class M>
    ComponentBuilder& field(std::string name, M T::* member) {
        static const T probe{};
        const auto* base = reinterpret_cast<const std::byte*>(&probe);
        const auto* at = reinterpret_cast<const std::byte*>(&(probe.*member));
        type_.fields.push_back({std::move(name), internal::field_type<M>(), static_cast<std::size_t>(at - base)});
        return *this;
    }
    ComponentBuilder& policy(Policy policy) {
        type_.policy = policy;
        return *this;
    }

private:
    ComponentType& type_;
};

template <class T>
ComponentBuilder<T> describe_component(std::string name) {
    return ComponentBuilder<T>(std::move(name));
}

}  // namespace crateful
