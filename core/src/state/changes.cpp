// Changes for any number of receivers (rule N5, docs/format.md).
#include "crateful/changes.hpp"

#include <optional>

#include "change_receiver.hpp"
#include "change_source.hpp"
#include "crateful/detail/change_steps.hpp"
#include "crateful/detail/state_steps.hpp"

namespace crateful {
namespace internal {

// --- steps ----------------------------------------------------------------------------------------

struct ChangeAccess {
    static Changes make(std::shared_ptr<ChangeSource> source) { return Changes(std::move(source)); }
    static const ChangeSource& of(const Changes& changes) { return *changes.source_; }
    static ChangeReceiver& of(Receiver& receiver) { return *receiver.made_; }
};

Changes changes_with_objects(ECS& ecs, const ChangesOptions& options) {
    return ChangeAccess::make(std::make_shared<ChangeSource>(ecs, options, true));
}

std::vector<ComponentId> object_classes(const Changes& of) {
    std::vector<ComponentId> ids;
    for (const TrackedClass& cls : ChangeAccess::of(of).classes()) {
        const ComponentType& type = cls.storage->type();
        if (type.kind == ComponentKind::object) ids.push_back(type.id);
    }
    return ids;
}

struct TakeSteps::Parts {
    explicit Parts(ChangeReceiver& of) : receiver(of) {
        source().state().require_idle("take");
        if (!source().encodes()) return;
        lock.emplace(source().state().ecs);
        encoded = source().prepare();
    }
    [[nodiscard]] ChangeSource& source() const noexcept { return receiver.source(); }
    ChangeReceiver& receiver;
    std::optional<StateLock> lock;
    std::vector<EncodedChanges*> encoded{};
};
TakeSteps::TakeSteps(Receiver& of) : parts_(std::make_unique<Parts>(ChangeAccess::of(of))) {}
TakeSteps::~TakeSteps() = default;

std::vector<ToEncode> TakeSteps::classes() const {
    std::vector<ToEncode> found;
    for (const EncodedChanges* changes : parts_->encoded) found.push_back({changes->id, changes->entities});
    return found;
}

void TakeSteps::set(std::size_t k, std::span<const std::uint32_t> lengths, const std::byte* bytes) {
    std::vector<EncodedValue>& values = parts_->encoded[k]->values;
    values.clear();
    for (const std::uint32_t n : lengths) {
        values.emplace_back(bytes, bytes + n);
        bytes += n;
    }
}

std::vector<std::byte> TakeSteps::take(std::size_t max_bytes) { return parts_->receiver.take_prepared(max_bytes); }

}  // namespace internal

Changes::Changes(ECS& ecs, const ChangesOptions& options)
    : source_(std::make_shared<internal::ChangeSource>(ecs, options, false)) {}
Changes::Changes(std::shared_ptr<internal::ChangeSource> source) noexcept : source_(std::move(source)) {}
Receiver Changes::receiver(Selection selection, Channel channel) {
    return Receiver(std::make_unique<internal::ChangeReceiver>(source_, selection, channel));
}
Receiver::Receiver(std::unique_ptr<internal::ChangeReceiver> made) noexcept : made_(std::move(made)) {}
Receiver::Receiver(Receiver&&) noexcept = default;
Receiver& Receiver::operator=(Receiver&&) noexcept = default;
Receiver::~Receiver() = default;
std::vector<std::byte> Receiver::take(std::size_t max_bytes) { return made_->take(max_bytes); }
void Receiver::acknowledge(std::span<const std::byte> bytes) { made_->acknowledge(bytes); }
void Receiver::select(Entity e) { made_->select(e); }
void Receiver::deselect(Entity e, Deselection how) { made_->deselect(e, how); }
void Receiver::restart() { made_->restart(); }

}  // namespace crateful
