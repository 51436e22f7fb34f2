#include "crateful/hierarchy.hpp"
#include "crateful/storage.hpp"

namespace crateful {

ComponentType internal::parent_type() {
    return {.name = "Parent",
            .kind = ComponentKind::native,
            .fields = {{.name = "entity", .type = FieldType::entity, .initial = static_cast<std::uint64_t>(NONE)}},
            .value_bytes = sizeof(Parent),
            .make_storage = [](const ComponentType& type) -> std::unique_ptr<Storage> {
                return std::make_unique<TypedStorage<Parent>>(type);
            }};
}

}  // namespace crateful
