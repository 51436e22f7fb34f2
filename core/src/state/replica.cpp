#include "crateful/changes.hpp"

#include <optional>

#include "change_target.hpp"
#include "crateful/detail/change_steps.hpp"

namespace crateful {
namespace internal {

struct ReplicaAccess {
    static ChangeTarget& of(const Replica& replica) { return *replica.made_; }
};

struct ApplySteps::Kept {
    std::vector<ChangeTarget::KeptValue> values;
    std::optional<StateLock> lock;
};

ApplySteps::ApplySteps(Replica& to, std::span<const std::byte> bytes)
    : target_(ReplicaAccess::of(to)), reads_(target_.read(bytes, true)) {}
ApplySteps::ApplySteps(Replica& to) : target_(ReplicaAccess::of(to)), reads_(true) {
    require_idle(target_.world(), "reset");
    kept_.reset(new Kept{target_.kept_objects(), {}});
    if (!kept_->values.empty()) kept_->lock.emplace(target_.world());
}
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
    const auto add = [&](ComponentId id, const Value& value) {
        if (found.empty() || found.back().id != id) found.push_back({id, {}});
        found.back().values.push_back(value);
    };
    if (kept_ != nullptr) {
        for (const auto& [index, cls, bytes] : kept_->values)
            add(target_.classes()[cls].type->id,
                {index, target_.local_of(index), bytes.data(), static_cast<std::uint32_t>(bytes.size()), 1, 0});
        return found;
    }
    const Packet& packet = target_.packet();
    for (const Group& group : packet.groups) {
        const ComponentType& type = *group.cls->type;
        if (type.kind != ComponentKind::object || group.fields == 0) continue;
        const std::span<const std::uint32_t> indices = packet.of(group);
        for (std::size_t i = 0; i < group.count; ++i) {
            const EncodedBytes& value = packet.encoded[group.values + i];
            add(type.id, {indices[i], target_.remains(indices[i]), value.bytes.data(),
                          static_cast<std::uint32_t>(value.bytes.size()), group.whole ? 1u : 0u, value.position});
        }
    }
    return found;
}

void ApplySteps::exchange() {
    if (kept_ == nullptr) return target_.exchange();
    kept_->lock.reset();
    target_.exchange_kept();
}

void ApplySteps::finish() {
    reads_ = false;
    target_.finish();
}

Entity entity_at(const Replica& of, std::uint32_t index) { return ReplicaAccess::of(of).local_of(index); }
Entity map_entity(Replica& to, ComponentId id, std::uint32_t index, Entity e, bool back) {
    ChangeTarget& target = ReplicaAccess::of(to);
    const Entity found = back ? target.map_back(e) : target.arrival(e);
    target.note_target(index, id, back ? found : e);
    return found;
}
void set_incomplete(Replica& to) { ReplicaAccess::of(to).set_incomplete(); }

PredictSteps::PredictSteps(Replica& of, Entity e)
    : target_(ReplicaAccess::of(of)), entity_(e), done_(!target_.predict(e)) {
    if (!done_) lock_ = std::make_unique<StateLock>(target_.world());
}
PredictSteps::~PredictSteps() {
    if (!done_) target_.stop_predicting(entity_);
}

std::vector<ToEncode> PredictSteps::classes() const {
    std::vector<ToEncode> found;
    if (done_) return found;
    for (const RemoteClass& cls : target_.classes()) {
        if (cls.type != nullptr && cls.type->kind == ComponentKind::object &&
            target_.world().by_id().has(entity_, cls.type->id))
            found.push_back({cls.type->id, {&entity_, 1}});
    }
    return found;
}

void PredictSteps::set(std::size_t k, std::span<const std::uint32_t> lengths, const std::byte* bytes) {
    target_.predict_object(entity_, classes()[k].id, {bytes, lengths.front()});
}

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
void Replica::adopt(Entity local, Entity remote) { made_->adopt(local, remote); }
double Replica::frame() const noexcept { return made_->frame(); }
std::vector<std::string> Replica::ignored() const { return made_->ignored(); }
void Replica::predict(Entity e) { static_cast<void>(made_->predict(e)); }
void Replica::stop_predicting(Entity e) noexcept { made_->stop_predicting(e); }
void Replica::reset() { made_->reset(); }

}  // namespace crateful
