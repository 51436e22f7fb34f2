#include "crateful/component.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "crateful/detail/message.hpp"
#include "crateful/detail/mutex.hpp"
#include "crateful/hierarchy.hpp"
#include "crateful/storage.hpp"

namespace crateful {

std::size_t size_of(FieldType type) noexcept {
    switch (type) {
        case FieldType::f64: return 8;
        case FieldType::i16:
        case FieldType::u16: return 2;
        case FieldType::i8:
        case FieldType::u8:
        case FieldType::boolean: return 1;
        case FieldType::f32:
        case FieldType::i32:
        case FieldType::u32:
        case FieldType::entity:
        case FieldType::link:
        case FieldType::string: break;
    }
    return 4;
}

namespace registry {
namespace {
// The ECS of several threads use it at the same time (rule M3), so every access locks it. Accesses are rare: an ECS reads
// the description of a class when it first uses it, and then keeps a reference.
struct Classes {
    internal::Mutex mutex;
    std::vector<std::unique_ptr<ComponentType>> types;  // pointers, because references to types stay valid
    Classes() { types.push_back(std::make_unique<ComponentType>(internal::parent_type())); }
};
Classes& classes() {
    static Classes all;
    return all;
}
std::unique_ptr<Storage> make_column_storage(const ComponentType& type) {
    return std::make_unique<ColumnStorage>(type);
}
}  // namespace

ComponentId add(ComponentType type) {
    auto& [mutex, types] = classes();
    const std::lock_guard lock(mutex);
    for (const auto& other : types) {
        if (type.cls == nullptr || other->cls != type.cls) continue;
        if (other->value_bytes != type.value_bytes) internal::fail_shared("component", type.name);
        return other->id;
    }
    type.id = static_cast<ComponentId>(types.size());
    if (type.name.empty()) type.name = "component " + internal::number_text(type.id);
    types.push_back(std::make_unique<ComponentType>(std::move(type)));
    return types.back()->id;
}

ComponentType stored_type(std::string name, std::vector<Field> fields, Policy policy) {
    std::size_t bytes = 0;
    for (Field& field : fields) {
        bytes += size_of(field.type);
        const bool refers = field.type == FieldType::entity || field.type == FieldType::link;
        if (!field.initial) field.initial = refers ? static_cast<std::uint64_t>(NONE) : 0;
    }
    return {.name = std::move(name),
            .kind = ComponentKind::stored,
            .policy = policy,
            .fields = std::move(fields),
            .value_bytes = bytes,
            .make_storage = make_column_storage};
}
ComponentId add_stored(std::string name, std::vector<Field> fields, Policy policy) {
    return add(stored_type(std::move(name), std::move(fields), policy));
}

ComponentId add_object(std::string name) {
    return add(
        {.name = std::move(name), .kind = ComponentKind::object, .fields = {}, .make_storage = make_column_storage});
}

const ComponentType& type(ComponentId id) { return mutable_type(id); }
ComponentType& mutable_type(ComponentId id) {
    auto& [mutex, types] = classes();
    const std::lock_guard lock(mutex);
    if (id >= types.size()) {
        internal::fail(ErrorCode::bad_argument, {"no component class has the id ", internal::number_text(id)});
    }
    return *types[id];
}
const ComponentType& use(ComponentId id) {
    ComponentType& type = mutable_type(id);
    const std::lock_guard lock(classes().mutex);
    if (!type.used) type.used = true;  // other threads may read it
    return type;
}
std::size_t count() noexcept {
    auto& [mutex, types] = classes();
    const std::lock_guard lock(mutex);
    return types.size();
}

const ComponentType* find_native(std::string_view name) noexcept {
    auto& [mutex, types] = classes();
    const std::lock_guard lock(mutex);
    for (const auto& type : types) {
        if (type->described && type->name == name) return type.get();
    }
    return nullptr;
}

}  // namespace registry

namespace {
// Throws unless the description of a class may still change, or contains the same already.
bool may_change(const ComponentType& type, bool same) {
    if (type.used && !same) {
        internal::fail(ErrorCode::bad_argument,
                       {"describe_component: an ECS has used ", type.name,
                        " already, so its description cannot change; describe the class before its first use"});
    }
    return !type.used;
}
}  // namespace

ComponentType& internal::start_description(ComponentId id, std::string name) {
    ComponentType& type = registry::mutable_type(id);
    if (!may_change(type, type.described && type.name == name)) return type;
    type.fields.clear();  // the class may be described again in the same way
    const std::lock_guard lock(registry::classes().mutex);
    type.name = std::move(name);
    type.described = true;
    return type;
}

// Snapshots find fields by their names.
void internal::fail_field_name(const ComponentType& type, const Field& field) {
    fail(ErrorCode::bad_argument,
         {type.name, ": two fields have the name \"", field.name, "\"; give each a name of its own"});
}

void internal::add_field(ComponentType& type, std::size_t number, Field field) {
    const auto same = [&] {
        if (number >= type.fields.size()) return false;
        const Field& f = type.fields[number];
        return f.name == field.name && f.type == field.type && f.offset == field.offset && f.initial == field.initial;
    };
    if (!may_change(type, type.used && same())) return;
    const auto has_name = [&](const Field& other) { return other.name == field.name && !other.continues; };
    if (!field.continues && std::any_of(type.fields.begin(), type.fields.end(), has_name)) fail_field_name(type, field);
    type.fields.push_back(std::move(field));
}

void internal::set_policy(ComponentType& type, Policy policy) {
    if (may_change(type, type.policy == policy)) type.policy = policy;
}

// Called through FirstError, so that WebKit finds the handlers of what these functions throw.
std::vector<std::byte> internal::Codec::encode(const void* value) const {
    std::vector<std::byte> bytes;
    FirstError::call([&] { bytes = encoder(value); });
    return bytes;
}
void internal::Codec::decode(std::span<const std::byte> bytes, void* value) const {
    FirstError::call([&] { decoder(bytes, value); });
}
void internal::Codec::call_mapper(void* value, Find find, const void* context) const {
    FirstError::call([&] { mapper(value, find, context); });
}

void internal::set_codec(ComponentType& type, const Codec& codec) {
    if (may_change(type, type.codec == &codec)) type.codec = &codec;
}

void internal::set_names(ComponentType& type, std::size_t first, std::size_t end,
                         std::initializer_list<std::string_view> names) {
    const auto fail = [&](std::string_view why) {
        internal::fail(ErrorCode::bad_argument, {type.name, ": names: ", why});
    };
    if (first == end) fail("call it after field(...)");
    if (names.size() == 0) fail("pass at least one name");
    for (const auto* name = names.begin(); name != names.end(); ++name) {
        if (std::find(names.begin(), name, *name) != name) fail("the names must be different");
    }
    for (std::size_t k = first; k < end; ++k) {
        const FieldType t = type.fields[k].type;
        if (t < FieldType::i8 || t > FieldType::u32 || type.fields[end - 1].continues)
            fail("only the values of an enum or integer have names");
        const std::size_t bits = std::min<std::size_t>(8 * size_of(t), 16);
        const std::size_t most = std::size_t{1} << (t == FieldType::i8 || t == FieldType::i16 ? bits - 1 : bits);
        if (names.size() > most)
            fail(
                internal::join({"a type of this size has at most ", internal::number_text(static_cast<double>(most))}));
    }
    for (std::size_t k = first; k < end; ++k) {
        const std::vector<std::string> all(names.begin(), names.end());
        if (may_change(type, type.fields[k].names == all)) type.fields[k].names = all;
    }
}

}  // namespace crateful
