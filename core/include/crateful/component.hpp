#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "crateful/detail/message.hpp"
#include "crateful/detail/shared.hpp"
#include "crateful/entity.hpp"
#include "crateful/link.hpp"
#include "crateful/string.hpp"

namespace crateful {

class Storage;

/// The type of a field that other languages can access (rule C3). The numbers cross the language boundary: append
/// types, never renumber them.
enum class FieldType : std::uint8_t { f32, f64, i8, u8, i16, u16, i32, u32, boolean, entity, link, string };

/// The size of one value in bytes.
[[nodiscard]] std::size_t size_of(FieldType type) noexcept;

/// A field of a component class. A vector (rule C12) is one field for each of its elements, one behind the other.
struct Field {
    std::string name;        ///< for other languages; that of a vector is the name of its first element
    FieldType type;          ///< of the value
    std::size_t offset = 0;  ///< in the C++ struct, in bytes; unused for stored components
    /// The bytes of the default value (rule C7), in the low bytes; by default 0 or, for an entity or link, NONE.
    std::optional<std::uint64_t> initial{};
    bool continues = false;  ///< whether it is an element of a vector behind the first one
    /// Of an enum: those of the numbers from 0 on (rule C11). Of a string of a stored class: the text of its default, or none.
    std::vector<std::string> names{};
};

/// How a storage finds values (rule T2).
enum class Policy : std::uint8_t {
    sparse,  ///< a paged index and dense values: memory is proportional to the number of components
    linear,  ///< one slot per entity index and a presence mask: for classes that nearly every entity has
};

/// Where the values of a class are stored (rule C3).
enum class ComponentKind : std::uint8_t {
    stored,  ///< in one column per field, described by a schema
    object,  ///< in another language; the core stores only which entities have the component
    native,  ///< as C++ structs
};

/// The number of a component class. Numbers are dense, and the same in every ECS of the process.
using ComponentId = std::uint32_t;

namespace internal {
/// How the values of a native class are saved, if not by their fields (rule N1).
struct Codec {
    using Find = Entity (*)(const void* context, Entity e);
    std::vector<std::byte> (*encoder)(const void* value);
    void (*decoder)(std::span<const std::byte> bytes, void* value);
    void (*mapper)(void* value, Find find, const void* context) = nullptr;  ///< replaces the handles in a value

    [[nodiscard]] std::vector<std::byte> encode(const void* value) const;
    void decode(std::span<const std::byte> bytes, void* value) const;
    /// Only if there is a `mapper`. Replaces each handle `e` by `find(e)`.
    template <class F>
    void map(void* value, const F& find) const {
        call_mapper(value, [](const void* f, Entity e) -> Entity { return (*static_cast<const F*>(f))(e); }, &find);
    }
    void call_mapper(void* value, Find find, const void* context) const;
};
}  // namespace internal

/// The description of a component class.
struct ComponentType {
    ComponentId id = 0;                          ///< set by `registry::add`
    std::string name;                            ///< for messages and other languages
    bool described = false;                      ///< of a native class: whether other languages find it by its name
    ComponentKind kind = ComponentKind::native;  ///< where its values are stored
    Policy policy = Policy::sparse;              ///< how its storages find values
    std::vector<Field> fields;                   ///< those that other languages can access
    std::size_t value_bytes = 0;                 ///< of one component; 0 for tags and object components
    /// Creates the storage of the class in one ECS.
    std::unique_ptr<Storage> (*make_storage)(const ComponentType&) = nullptr;
    const internal::Codec* codec = nullptr;  ///< of a native class that is saved as bytes
    bool used = false;          ///< whether an ECS has used the class: its description must not change any more
    const void* cls = nullptr;  ///< of a native class: what identifies it in all shared libraries
};

/// The component classes of this process. Their number is not limited (rule C4). These functions can be called in several
/// threads at the same time (rule M3). A description may be changed only before an ECS of any thread uses the class.
namespace registry {
/// Adds a class and returns its id; that of a native class which another shared library has added. Throws `bad_argument` if the two
/// have different sizes. Names need not be unique; `find_native` finds the first described class of a name.
ComponentId add(ComponentType type);
/// The description of a stored class; without fields, it is a tag.
[[nodiscard]] ComponentType stored_type(std::string name, std::vector<Field> fields, Policy policy = Policy::sparse);
/// Adds a stored class.
ComponentId add_stored(std::string name, std::vector<Field> fields, Policy policy = Policy::sparse);
/// Adds a class with values that are objects of another language.
ComponentId add_object(std::string name);
/// The description of a class. Throws `bad_argument` if no class has this id. The reference stays valid.
[[nodiscard]] const ComponentType& type(ComponentId id);
/// The same, for an ECS that uses the class from now on.
[[nodiscard]] const ComponentType& use(ComponentId id);
/// The same, to change the description. To set the name, use `describe_component`.
[[nodiscard]] ComponentType& mutable_type(ComponentId id);
/// The number of classes.
[[nodiscard]] std::size_t count() noexcept;
/// The native class that was described under `name`, or nullptr.
[[nodiscard]] const ComponentType* find_native(std::string_view name) noexcept;
}  // namespace registry

namespace internal {
template <class T>
[[nodiscard]] ComponentId register_native();
// The parts of a description. After an ECS has used the class, they change nothing, and throw `bad_argument` if they differ.

/// Sets the name of a class, while other threads may call `find_native`, and removes its fields.
[[nodiscard]] ComponentType& start_description(ComponentId id, std::string name);
/// Throws `bad_argument`: another field has the name.
[[noreturn]] void fail_field_name(const ComponentType& type, const Field& field);
/// Adds the field with this number.
void add_field(ComponentType& type, std::size_t number, Field field);
/// Names the values of the fields from number `first` to `end`. Throws `bad_argument`.
void set_names(ComponentType& type, std::size_t first, std::size_t end, std::initializer_list<std::string_view> names);
/// Sets the policy.
void set_policy(ComponentType& type, Policy policy);
/// Sets the codec.
void set_codec(ComponentType& type, const Codec& codec);

template <class T, auto Map>
constexpr auto codec_map() -> void (*)(void*, Codec::Find, const void*) {
    if constexpr (std::is_null_pointer_v<decltype(Map)>) {
        return nullptr;
    } else {
        return [](void* value, Codec::Find find, const void* context) {
            Map(*static_cast<T*>(value), EntityMap([=](Entity e) { return find(context, e); }));
        };
    }
}
/// The codec that consists of these functions.
template <class T, auto Encode, auto Decode, auto Map>
inline constexpr Codec codec{
    .encoder = [](const void* value) -> std::vector<std::byte> { return Encode(*static_cast<const T*>(value)); },
    .decoder = [](std::span<const std::byte> bytes, void* value) { *static_cast<T*>(value) = Decode(bytes); },
    .mapper = codec_map<T, Map>()};

/// Whether several values of the type are the elements of a vector.
template <class M>
inline constexpr bool is_number = std::is_arithmetic_v<M> && !std::is_same_v<M, bool>;

template <class M>
constexpr FieldType field_type() {
    if constexpr (std::is_same_v<M, float>) return FieldType::f32;
    else if constexpr (std::is_same_v<M, double>) return FieldType::f64;
    else if constexpr (std::is_same_v<M, bool>) return FieldType::boolean;
    else if constexpr (std::is_same_v<M, Entity>) return FieldType::entity;
    else if constexpr (std::is_same_v<M, Link>) return FieldType::link;
    else if constexpr (std::is_same_v<M, String>) return FieldType::string;
    else if constexpr (std::is_enum_v<M>) return field_type<std::underlying_type_t<M>>();
    else {
        static_assert(
            !std::is_class_v<M>,
            "a struct cannot be a field; name one of its members: field(\"x\", &Body::place, &Vector::x). A text "
            "is a crateful::String, not a std::string");
        static_assert(
            !std::is_integral_v<M> || sizeof(M) <= 4,
            "a 64-bit integer cannot be a field, because numbers of JavaScript have 53 bits; use a double, or "
            "two integers of 32 bits");
        static_assert(
            std::is_integral_v<M> || std::is_class_v<M>,
            "a field must be an integer of up to 32 bits, float, double, bool, an enum, Entity, Link or String, or an "
            "array of these");
        constexpr bool is_signed = std::is_signed_v<M>;
        if constexpr (sizeof(M) == 1) return is_signed ? FieldType::i8 : FieldType::u8;
        else if constexpr (sizeof(M) == 2) return is_signed ? FieldType::i16 : FieldType::u16;
        else return is_signed ? FieldType::i32 : FieldType::u32;
    }
}
}  // namespace internal

/// The id of a C++ component class. The first call adds the class to the registry, with its C++ name and without fields.
template <class T>
[[nodiscard]] CRATEFUL_SHARED ComponentId component_id() {
    static_assert(std::is_same_v<T, std::remove_cvref_t<T>>,
                  "name a component class without const and &: has<Position>(e); only queries accept const");
    static const ComponentId id = internal::register_native<T>();
    return id;
}

/// Describes a native component class to other languages:
/// `describe_component<Position>("Position").field("x", &Position::x).field("y", &Position::y);`
/// Call it once, before an ECS of any thread uses the class: its storages are created by the description. Later, only the same
/// description is possible, and has no effect; another one throws `bad_argument`. Fields that are not described can be accessed by
/// C++ only.
template <class T>
class ComponentBuilder {
public:
    /// See `describe_component`.
    explicit ComponentBuilder(std::string name)
        : type_(internal::start_description(component_id<T>(), std::move(name))) {}
    /// Makes a data member accessible under `name`: a number, bool, enum, Entity, Link or String, of T or of a base class. With several
    /// members, each is a member of the one before it: `.field("x", &Body::place, &Vector::x)`. An array of 2 to 64 numbers
    /// is a vector (rule C12). Any other array becomes a field for each element: "owner" with 2 elements is owner0 and owner1.
    /// Throws `bad_argument` if another field has the name.
    template <class... Members>
    ComponentBuilder& field(const std::string& name, Members... members) {
        static_assert(sizeof...(Members) > 0 && (std::is_member_object_pointer_v<Members> && ...),
                      "field takes a name and pointers to data members: field(\"x\", &Position::x)");
        static const T probe{};
        last_ = end_;
        add(name, (probe.*....*members), reinterpret_cast<const std::byte*>(&probe));
        return *this;
    }
    /// Names the values of the field that was added last, an enum or integer, from 0 on; TypeScript sees these names
    /// (rule C11): `.field("state", &Unit::state).names({"idle", "walk", "attack"})`. Throws `bad_argument` for a field of
    /// another type, without names, for names that are not different, and for more names than the type has numbers from 0 on.
    ComponentBuilder& names(std::initializer_list<std::string_view> names) {
        internal::set_names(type_, last_, end_, names);
        return *this;
    }
    /// Snapshots contain what `Encode` returns for a component in place of its fields (rule N1): for members that own memory.
    /// `std::vector<std::byte> Encode(const T&)` and `T Decode(std::span<const std::byte>)` are functions, or lambdas without captures.
    /// They must not change an ECS. Bytes are not trusted: `Decode` throws if it cannot read them (rule N8).
    /// `void MapEntities(T&, const EntityMap& map)` replaces each handle `e` in a value by `map(e)`: for compact snapshots, `merge`, clones with
    /// children and replicas (rules N1, N9, E13, N6), which leave handles in values as they are without it.
    ///
    ///     describe_component<Route>("Route").codec<encode_route, decode_route>();
    template <auto Encode, auto Decode, auto MapEntities = nullptr>
    ComponentBuilder& codec() {
        internal::set_codec(type_, internal::codec<T, Encode, Decode, MapEntities>);
        return *this;
    }
    /// Sets the policy of the class; `sparse` by default (rule T2).
    ComponentBuilder& policy(Policy policy) {
        internal::set_policy(type_, policy);
        return *this;
    }

private:
    template <class M>
    void add(const std::string& name, const M& member, const std::byte* object, bool continues = false) {
        const auto* at = reinterpret_cast<const std::byte*>(&member);
        std::uint64_t initial = 0;
        std::memcpy(&initial, at, sizeof(M));
        internal::add_field(
            type_, end_++,
            {name, internal::field_type<M>(), static_cast<std::size_t>(at - object), initial, continues});
    }
    template <class M, std::size_t N>
    void add(const std::string& name, const M (&members)[N], const std::byte* object) {
        add_array<N>(name, members, object);
    }
    template <class M, std::size_t N>
    void add(const std::string& name, const std::array<M, N>& members, const std::byte* object) {
        add_array<N>(name, members.data(), object);
    }
    template <std::size_t N, class M>
    void add_array(const std::string& name, const M* members, const std::byte* object) {
        static_assert(!internal::is_number<M> || (N >= 2 && N <= 64), "an array of numbers must have 2 to 64 elements");
        for (std::size_t k = 0; k < N; ++k) {
            if constexpr (internal::is_number<M>) {
                add(k == 0 ? name : std::string(), members[k], object, k > 0);
            } else {
                add(name + internal::number_text(static_cast<double>(k)), members[k], object);
            }
        }
    }

    ComponentType& type_;
    std::size_t last_ = 0;  // the first field of the last call of `field`
    std::size_t end_ = 0;   // the number of fields so far
};

/// Starts the description of the class T. Other languages find it by `name`.
template <class T>
ComponentBuilder<T> describe_component(std::string name) {
    return ComponentBuilder<T>(std::move(name));
}

}  // namespace crateful
