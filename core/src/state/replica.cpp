#include "crateful/changes.hpp"

#include <optional>

#include "change_target.hpp"
#include "crateful/detail/change_steps.hpp"

namespace crateful {
namespace internal {

struct ReplicaAccess {
    static ChangeTarget& of(const Replica& replica) { return *replica.made_; }
};

ApplySteps::ApplySteps(Replica& to, std::span<const std::byte> bytes)
    : target_(ReplicaAccess::of(to)), reads_(target_.read(bytes, true)) {}
ApplySteps::~ApplySteps() {
    if (reads_) target_.cancel();
}

std::vector<ComponentId> ApplySteps::sent_classes() const {
    std::vector<ComponentId> ids;
    for (const RemoteClass& cls : target_.packet().classes) {
        if (cls.type != nullptr) ids.push_back(cls.type->id);
    }
    return ids;
}

std::vector<ApplySteps::Class> ApplySteps::classes() const {
    std::vector<Class> found;
    const Packet& packet = target_.packet();
    for (const Group& group : packet.groups) {
        const ComponentType& type = *group.cls->type;
        if (type.kind != ComponentKind::object || group.fields == 0) continue;
        if (found.empty() || found.back().id != type.id) found.push_back({type.id, {}});
        const std::span<const std::uint32_t> indices = packet.of(group);
        for (std::size_t i = 0; i < group.count; ++i) {
            const EncodedBytes& value = packet.encoded[group.values + i];
            found.back().values.push_back({indices[i], target_.remains(indices[i]), value.bytes.data(),
                                           static_cast<std::uint32_t>(value.bytes.size()), group.whole ? 1u : 0u,
                                           value.position});
        }
    }
    return found;
}

void ApplySteps::exchange() { target_.exchange(); }

void ApplySteps::finish() {
    reads_ = false;
    target_.finish();
}

Entity entity_at(const Replica& of, std::uint32_t index) { return ReplicaAccess::of(of).local_of(index); }
void set_incomplete(Replica& to) { ReplicaAccess::of(to).set_incomplete(); }

PredictSteps::PredictSteps(Replica& of, Entity e)
    : target_(ReplicaAccess::of(of)), entity_(e), done_(!target_.predict(e)) {
    if (!done_) lock_ = std::make_unique<StateLock>(target_.world());
}
PredictSteps::~PredictSteps() {
    if (!done_) target_.stop_predicting(entity_);
}

std::vector<ComponentId> PredictSteps::classes() const {
    std::vector<ComponentId> ids;
    if (done_) return ids;
    for (const RemoteClass& cls : target_.classes()) {
        if (cls.type != nullptr && cls.type->kind == ComponentKind::object &&
            target_.world().by_id().has(entity_, cls.type->id))
            ids.push_back(cls.type->id);
    }
    return ids;
}

void PredictSteps::keep(ComponentId id, std::span<const std::byte> value) {
    target_.predict_object(entity_, id, value);
}

struct ResetSteps::Parts {
    explicit Parts(ChangeTarget& of) : target(of), values(of.kept_objects()) {
        if (!values.empty()) lock.emplace(target.world());
    }
    ChangeTarget& target;
    std::vector<ChangeTarget::KeptValue> values;
    std::optional<StateLock> lock{};
};
ResetSteps::ResetSteps(Replica& of) {
    ChangeTarget& target = ReplicaAccess::of(of);
    require_idle(target.world(), "reset");
    parts_ = std::make_unique<Parts>(target);
}
ResetSteps::~ResetSteps() {
    if (parts_ != nullptr) parts_->target.cancel();
}

std::vector<ApplySteps::Class> ResetSteps::classes() const {
    std::vector<ApplySteps::Class> found;
    for (const auto& [index, cls, bytes] : parts_->values) {
        const ComponentId id = parts_->target.classes()[cls].type->id;
        if (found.empty() || found.back().id != id) found.push_back({id, {}});
        found.back().values.push_back(
            {index, parts_->target.local_of(index), bytes.data(), static_cast<std::uint32_t>(bytes.size()), 1, 0});
    }
    return found;
}

void ResetSteps::exchange() {
    parts_->lock.reset();
    parts_->target.exchange_kept();
}

void ResetSteps::finish() { parts_->target.finish(); }

}  // namespace internal

Replica::Replica(ECS& ecs, const ReplicaOptions& options)
    : made_(std::make_unique<internal::ChangeTarget>(ecs, options)) {}
Replica::Replica(Replica&&) noexcept = default;
Replica& Replica::operator=(Replica&&) noexcept = default;
Replica::~Replica() = default;
void Replica::apply(std::span<const std::byte> bytes) { made_->apply(bytes); }
std::vector<std::byte> Replica::acknowledgement() const { return made_->acknowledgement(); }
Entity Replica::entity(Entity remote) const noexcept { return made_->entity(remote); }
Entity Replica::remote(Entity local) const noexcept { return made_->remote(local); }
double Replica::frame() const noexcept { return made_->frame(); }
std::vector<std::string> Replica::ignored() const { return made_->ignored(); }
void Replica::predict(Entity e) { static_cast<void>(made_->predict(e)); }
void Replica::stop_predicting(Entity e) noexcept { made_->stop_predicting(e); }
void Replica::reset() { made_->reset(); }

}  // namespace crateful
