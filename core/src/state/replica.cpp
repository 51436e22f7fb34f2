#include "change_target.hpp"
#include "crateful/changes.hpp"

namespace crateful {

Replica::Replica(ECS& ecs, const ReplicaOptions& options)
    : made_(std::make_unique<internal::ChangeTarget>(ecs, options)) {}
Replica::Replica(Replica&&) noexcept = default;
Replica& Replica::operator=(Replica&&) noexcept = default;
Replica::~Replica() = default;
void Replica::apply(std::span<const std::byte> bytes) { made_->apply(bytes); }
Entity Replica::entity(Entity remote) const noexcept { return made_->entity(remote); }
Entity Replica::remote(Entity local) const noexcept { return made_->remote(local); }
double Replica::frame() const noexcept { return made_->frame(); }
void Replica::predict(Entity e) { made_->predict(e); }
void Replica::stop_predicting(Entity e) noexcept { made_->stop_predicting(e); }
void Replica::reset() { made_->reset(); }

}  // namespace crateful
