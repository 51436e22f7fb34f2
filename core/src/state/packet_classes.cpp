// Reading the classes of a sender (rule N6, docs/format.md).
#include <algorithm>
#include <cstring>

#include "change_packet.hpp"
#include "crateful/detail/message.hpp"
#include "packet.hpp"

namespace crateful::internal {
namespace {

// The class here that has the name, and its fields.
void find_class(const PacketReader& from, const Tracking& tracking, const ReplicaOptions& options, bool has_host,
                std::string_view name, RemoteClass& cls) {
    for (ComponentId id = 0; id < registry::count(); ++id) {
        const ComponentType& type = registry::type(id);
        if (type.name != name || is_opaque(type) != cls.opaque || !(cls.opaque || is_described(type))) continue;
        if (cls.type == nullptr || tracking.find_class(id) != nullptr) cls.type = &type;
    }
    const auto& ignore = options.ignore;
    if (std::find(ignore.begin(), ignore.end(), name) != ignore.end()) cls.type = nullptr;
    else if (cls.type == nullptr && !options.ignore_unknown) {
        fail(ErrorCode::bad_argument,
             {"apply: there is no class ", name, cls.opaque ? " that can decode values" : " with described fields",
              "; use it before, or name it in the `components` or in `ignore` of the Replica"});
    }
    if (cls.type == nullptr) {
        if (name == "Parent") from.fail("Parent cannot be passed over");
        cls.run_of.assign(cls.fields.size(), NO_RUN);
        return;
    }
    if (cls.type->kind == ComponentKind::object && !has_host) {
        fail(ErrorCode::bad_argument,
             {"apply: the components of ", name, " are objects of another language; apply them there"});
    }
    if (cls.opaque) {
        cls.run_of.push_back(NO_RUN);
        return;
    }
    cls.runs = field_runs(*cls.type);
    for (const StoredField& field : cls.fields) {
        std::size_t found = NO_RUN;
        for (std::size_t r = 0; r < cls.runs.size(); ++r) {
            if (cls.type->fields[cls.runs[r].first].name == field.name) found = r;
        }
        if (found != NO_RUN && std::find(cls.run_of.begin(), cls.run_of.end(), found) != cls.run_of.end())
            from.fail("a field is listed twice: ", field.name);
        cls.run_of.push_back(found);
    }
    cls.defaults.resize(8 * cls.type->fields.size());
    for (std::size_t k = 0; k < cls.type->fields.size(); ++k) {
        const Field& field = cls.type->fields[k];
        std::uint64_t initial = *field.initial;
        // The string is found again when it is needed, because nothing keeps it until then.
        if (field.type == FieldType::string) initial = 0;
        std::memcpy(cls.defaults.data() + 8 * k, &initial, 8);
    }
}

}  // namespace

std::vector<RemoteClass> read_classes(PacketReader& from, const Tracking& tracking, const ReplicaOptions& options,
                                      bool has_host) {
    std::vector<RemoteClass> classes;
    const std::uint64_t n = from.number(1u << 16);
    from.require(n, 16);
    for (std::uint64_t c = 0; c < n; ++c) {
        RemoteClass cls;
        const std::string_view name = cls.name = from.text();
        const std::uint64_t fields = from.number(PACKET_MOST_FIELDS);
        from.require(fields, 32);
        for (std::uint64_t f = 0; f < fields; ++f) {
            StoredField field;
            field.name = from.text();
            const std::uint8_t type = from.byte();
            cls.opaque = cls.opaque || type == PACKET_BYTES;
            if (type > static_cast<std::uint8_t>(FieldType::string) && type != PACKET_BYTES)
                from.fail("no field has this type");
            field.type = static_cast<FieldType>(type);
            field.length = from.byte();
            const std::uint64_t names = from.number(1u << 16);
            from.require(names, 8);
            for (std::uint64_t k = 0; k < names; ++k) field.names.push_back(from.text());
            if (const std::string_view damage = field.damage(); !damage.empty()) from.fail(damage);
            cls.fields.push_back(std::move(field));
        }
        const StoredField* const only = cls.fields.size() == 1 ? &cls.fields.front() : nullptr;
        if (cls.opaque && (only == nullptr || only->length != 1 || !only->names.empty()))
            from.fail("values that only their class can read are one field");
        if ((name == "Parent") != (c == 0)) from.fail("the first class is Parent, and no other one");
        find_class(from, tracking, options, has_host, name, cls);
        for (const RemoteClass& other : classes) {
            if (cls.type != nullptr && other.type == cls.type) from.fail("a class is listed twice: ", name);
        }
        classes.push_back(std::move(cls));
    }
    if (classes.empty()) from.fail("the first class is Parent, and no other one");
    return classes;
}

}  // namespace crateful::internal
