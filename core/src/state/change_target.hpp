// Applying changes to another ECS (rule N6, docs/format.md).
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "change_packet.hpp"
#include "crateful/changes.hpp"
#include "references.hpp"
#include "state_access.hpp"

namespace crateful::internal {

/// What a `Replica` does. Everything is checked, and memory is reserved, before the first change. What fails later for lack of memory
/// makes the packet `incomplete`: it can be applied again, and nothing of it is lost.
class ChangeTarget {
public:
    ChangeTarget(ECS& of, const ReplicaOptions& options) : state_(of), options_(options) {}

    void apply(std::span<const std::byte> bytes);
    [[nodiscard]] Entity entity(Entity remote) const noexcept;
    [[nodiscard]] Entity remote(Entity local) const noexcept;
    [[nodiscard]] double frame() const noexcept { return frame_; }

    // --- prediction.cpp -----------------------------------------------------------------------

    void predict(Entity e);
    void stop_predicting(Entity e) noexcept;
    void reset();

private:
    /// The last received values of an entity.
    struct Kept {
        std::map<std::uint32_t, std::vector<std::byte>> components{};  // by the number of the class: packed
        std::unique_ptr<Strings::Kept> strings{};
    };

    [[nodiscard]] DynamicEcs ecs() const noexcept { return state_.ecs.by_id(); }
    // The entity here for an index of the sender, or NONE.
    [[nodiscard]] Entity local_of(std::uint32_t index) const noexcept {
        return index < sender_.copies.size() ? entity(sender_.copies[index].remote) : NONE;
    }
    // Calls what only memory can fail for. Otherwise the packet must be applied again.
    template <class F>
    void attempt(FirstError& error, F&& f) {
        if (!error.guard(f)) sender_.incomplete = true;
    }

    void reserve();
    void reserve_values(const Group& group);
    void remove(FirstError& error);
    void detach(std::uint32_t index, FirstError& error);
    void create(FirstError& error);
    void write(const Group& group, FirstError& error);
    void remove_components(const Group& group, FirstError& error);
    void refer(const Group& group, std::size_t f, FirstError& error);
    void write_field(const Group& group, std::size_t f, const Storage& s, FirstError& error);
    void add_components(const Group& group, FirstError& error);
    void pack(const Group& group, std::size_t i, std::vector<std::byte>& packed) const;
    void set_references(Entity target, Entity local, FirstError& error);
    void keep(const Group& group);
    void hold_strings(Kept& kept) const;
    void set_references(std::uint32_t index, std::uint32_t c, std::vector<std::byte>& packed) const;
    [[nodiscard]] static bool unpack(const std::vector<std::byte>& packed, const Storage& s, std::uint32_t slot);
    void move(FirstError& error);
    [[nodiscard]] bool can_move(const Move& move) const;
    void move(const Move& move, FirstError& error);

    StateAccess state_;
    ReplicaOptions options_;
    double frame_ = 0;
    Sender sender_;
    std::vector<std::byte> first_;  // the first packet, which contains the names of its classes
    std::vector<Entity> remotes_;   // by index here: the handle of the sender
    std::vector<Move> waiting_;
    References references_;
    std::map<std::uint32_t, Kept> predicted_;  // by index of the sender
    // Memory for one packet, and for one group of it, which is used again.
    Packet packet_;
    std::vector<Entity> entities_;
    std::vector<std::uint32_t> slots_;
    std::vector<std::uint8_t> differs_;
    std::vector<std::uint32_t> missing_;
    std::vector<std::byte> packed_;
};

}  // namespace crateful::internal
