// Applying changes to another ECS (rule N6, docs/format.md).
#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "change_packet.hpp"
#include "crateful/changes.hpp"
#include "crateful/detail/message.hpp"

namespace crateful {
namespace internal {

class ChangeTarget {
public:
    ChangeTarget(ECS& of, const ReplicaOptions& options) : state_(of), options_(options) {}

    void apply(std::span<const std::byte> bytes) {
        state_.require_idle("apply");
        if (bytes.empty()) return;
        std::vector<std::byte> copy;
        if (sender_.next == 0 || state_.contains(bytes.data())) {
            copy.assign(bytes.begin(), bytes.end());
            bytes = copy;
        }
        const Strings::Hold hold(state_.tracking().strings);
        Packet packet;
        if (!read_changes(state_.tracking(), sender_, options_, bytes, packet)) return;
        reserve(packet);
        // From here on, only callbacks can fail, and memory for what they do.
        if (packet.number == 0) {
            sender_.classes = std::move(packet.classes);
            first_ = std::move(copy);
            for (Group& group : packet.groups) group.cls = &sender_.classes[group.number];
        }
        sender_.next = packet.number + 1;
        frame_ = packet.frame;
        FirstError error;
        remove(packet, error);
        create(packet, error);
        for (const Group& group : packet.groups) write(group, error);
        move(packet, error);
        error.rethrow();
    }

    [[nodiscard]] Entity entity(Entity remote) const noexcept {
        const std::uint32_t index = index_of(remote);
        if (remote == NONE || index >= here_.size() || sender_.handles[index] != remote) return NONE;
        const Entity local = here_[index];
        return state_.tracking().pool.alive(local) ? local : NONE;
    }
    [[nodiscard]] Entity remote(Entity local) const noexcept {
        const std::uint32_t index = index_of(local);
        if (index >= locals_.size() || locals_[index] == NONE) return NONE;
        return entity(locals_[index]) == local ? locals_[index] : NONE;
    }
    [[nodiscard]] double frame() const noexcept { return frame_; }

private:
    // --- applying -----------------------------------------------------------------------------

    [[nodiscard]] Entity local_of(std::uint32_t index) const noexcept {
        return index < here_.size() ? entity(sender_.handles[index]) : NONE;
    }
    [[nodiscard]] DynamicEcs ecs() const noexcept { return state_.ecs.by_id(); }

    void reserve(const Packet& packet) {
        EntityPool& pool = state_.tracking().pool;
        const Entity* const before = pool.handles().data();
        pool.reserve(packet.created.size());
        if (pool.handles().data() != before) state_.tracking().handles_moved();
        const std::size_t n = packet.created.empty() ? 0 : std::size_t{packet.created.back()} + 1;
        if (n <= here_.size()) return;
        here_.resize(std::max(n, here_.size() * 2), NONE);
        sender_.handles.resize(here_.size(), NONE);
    }

    void remove(const Packet& packet, FirstError& error) {
        for (const std::uint32_t index : packet.removed) {
            const Entity handle = std::exchange(sender_.handles[index], NONE);
            const Entity local = here_[index];
            --sender_.entities;
            forget_references_of(index);
            set_references(handle, NONE, error);
            if (local == Structure::WORLD) {
                for (std::size_t c = 1; c < sender_.classes.size(); ++c)
                    error.guard([&] { static_cast<void>(ecs().remove(local, sender_.classes[c].type->id)); });
                continue;
            }
            if (!state_.tracking().pool.alive(local)) continue;
            locals_[index_of(local)] = NONE;
            // Its children stay: those of the sender are removed by the packet.
            error.guard([&] {
                std::vector<Entity> children;
                for (const Entity child : state_.ecs.children(local)) children.push_back(child);
                for (const Entity child : children) {
                    error.guard([&] { state_.structure().set_parent(child, NONE, NONE); });
                }
                const Entity removed[] = {local};
                if (state_.tracking().pool.alive(local))
                    static_cast<void>(state_.structure().mark_for_removal(removed));
            });
        }
        if (!packet.removed.empty() && state_.structure().has_marked()) state_.structure().remove_marked(error);
    }

    void create(const Packet& packet, FirstError& error) {
        for (std::size_t k = 0; k < packet.created.size(); ++k) {
            const std::uint32_t index = packet.created[k];
            const auto handle = Entity{packet.generations[k] << ENTITY_INDEX_BITS | index};
            const Entity local = index == 0 ? Structure::WORLD : state_.structure().add_entity();
            if (index_of(local) >= locals_.size())
                locals_.resize(std::max<std::size_t>(std::size_t{index_of(local)} + 1, locals_.size() * 2), NONE);
            sender_.handles[index] = handle;
            here_[index] = local;
            locals_[index_of(local)] = handle;
            ++sender_.entities;
        }
        for (const std::uint32_t index : packet.created) {
            set_references(sender_.handles[index], here_[index], error);
        }
    }

    void write(const Group& group, FirstError& error) {
        const ComponentId id = group.cls->type->id;
        Storage& s = ecs().storage(id);
        std::vector<std::byte> packed;
        for (std::size_t i = 0; i < group.indices.size(); ++i) {
            const std::uint32_t index = group.indices[i];
            if (group.fields == 0) forget_references_of(index, group.number);
            else
                for (std::size_t f = 0; f < group.values.size(); ++f) note_references(group, f, index, i);
            const Entity e = local_of(index);
            if (e == NONE) continue;  // the program has removed it
            if (group.fields == 0) {
                error.guard([&] { static_cast<void>(ecs().remove(e, id)); });
                continue;
            }
            const std::uint32_t slot = s.slot(e);
            if (slot == Storage::ABSENT) {
                if (!group.whole) continue;  // the program has removed it
                pack(group, i, packed);
                error.guard([&] { ecs().add(e, id, packed.data()); });
            } else if (change(group, i, s, slot)) {
                error.guard([&] { state_.tracking().signal(e, id); });
            }
        }
    }

    void pack(const Group& group, std::size_t i, std::vector<std::byte>& packed) {
        const RemoteClass& cls = *group.cls;
        packed = cls.defaults;
        for (std::size_t k = 0; k < cls.type->fields.size(); ++k) {
            const Field& field = cls.type->fields[k];
            if (field.type != FieldType::string || field.names.empty()) continue;
            const String s = state_.tracking().strings.intern(field.names.front());
            std::memcpy(packed.data() + 8 * k, &s.number, 4);
        }
        each_value(group, i, [&](const FieldRun& run, const std::byte* value) {
            const std::size_t size = size_of(run.type);
            for (std::size_t k = 0; k < run.length; ++k) {
                std::byte* to = packed.data() + 8 * (run.first + k);
                std::memset(to, 0, 8);
                std::memcpy(to, value + k * size, size);
            }
        });
    }

    // Returns whether a field differs.
    bool change(const Group& group, std::size_t i, const Storage& s, std::uint32_t slot) {
        bool differs = false;
        each_value(group, i, [&](const FieldRun& run, const std::byte* value) {
            std::byte* to = s.control().columns[run.first] + slot * s.stride(run.first);
            if (std::memcmp(to, value, run.bytes()) == 0) return;
            std::memcpy(to, value, run.bytes());
            differs = true;
        });
        return differs;
    }

    // Calls `visit(run, value)` for each field that the group contains and that exists here.
    template <class Visit>
    void each_value(const Group& group, std::size_t i, Visit&& visit) {
        for (std::size_t f = 0; f < group.values.size(); ++f) {
            if (group.values[f].first == nullptr || group.cls->run_of[f] == NO_RUN) continue;
            const FieldRun& run = group.cls->runs[group.cls->run_of[f]];
            const std::byte* value = group.values[f].at(i);
            if (!refers(run.type)) {
                visit(run, value);
                continue;
            }
            std::array<Entity, 64> locals;
            for (std::size_t k = 0; k < run.length; ++k) {
                Entity remote;
                std::memcpy(&remote, value + 4 * k, 4);
                locals[k] = remote == NONE ? NONE : entity(remote);
            }
            visit(run, reinterpret_cast<const std::byte*>(locals.data()));
        }
    }

    // --- references ---------------------------------------------------------------------------

    // A field of a component of the sender.
    static std::uint64_t key_of(std::uint32_t index, std::uint32_t cls, std::size_t f, std::size_t element) noexcept {
        return ((std::uint64_t{index} << 16 | cls) << 6 | f) << 6 | element;
    }

    void note_references(const Group& group, std::size_t f, std::uint32_t index, std::size_t i) {
        const std::size_t r = group.cls->run_of[f];
        if (group.values[f].first == nullptr || r == NO_RUN || !refers(group.cls->runs[r].type)) return;
        for (std::size_t k = 0; k < group.cls->runs[r].length; ++k) {
            Entity target;
            std::memcpy(&target, group.values[f].at(i) + 4 * k, 4);
            const std::uint64_t key = key_of(index, group.number, f, k);
            drop_reference(key);
            if (target == NONE) continue;
            targets_[key] = target;
            sources_[static_cast<std::uint32_t>(target)].push_back(key);
            by_source_[index].push_back(key);
        }
    }
    void drop_reference(std::uint64_t key) {
        const auto at = targets_.find(key);
        if (at == targets_.end()) return;
        const auto list = sources_.find(static_cast<std::uint32_t>(at->second));
        std::erase(list->second, key);
        if (list->second.empty()) sources_.erase(list);
        targets_.erase(at);
    }
    void forget_references_of(std::uint32_t index, std::uint32_t cls = ~0u) {
        const auto list = by_source_.find(index);
        if (list == by_source_.end()) return;
        std::erase_if(list->second, [&](std::uint64_t key) {
            if (cls != ~0u && (key >> 12 & 0xFFFF) != cls) return false;
            drop_reference(key);
            return true;
        });
        if (list->second.empty()) by_source_.erase(list);
    }
    // The entity of the sender has arrived, or is gone: sets the fields that refer to it.
    void set_references(Entity target, Entity local, FirstError& error) {
        const auto list = sources_.find(static_cast<std::uint32_t>(target));
        if (list == sources_.end()) return;
        for (const std::uint64_t key : list->second) {
            const auto index = static_cast<std::uint32_t>(key >> 28);
            const RemoteClass& cls = sender_.classes[key >> 12 & 0xFFFF];
            const Entity e = local_of(index);
            const Storage* s = ecs().find_storage(cls.type->id);
            const std::uint32_t slot = e == NONE || s == nullptr ? Storage::ABSENT : s->slot(e);
            if (slot == Storage::ABSENT) continue;
            const FieldRun& run = cls.runs[cls.run_of[key >> 6 & 63]];
            std::byte* to = s->control().columns[run.first] + slot * s->stride(run.first) + 4 * (key & 63);
            if (std::memcmp(to, &local, sizeof local) == 0) continue;
            std::memcpy(to, &local, sizeof local);
            error.guard([&] { state_.tracking().signal(e, cls.type->id); });
        }
    }

    // --- hierarchy ----------------------------------------------------------------------------

    // As long as one can be placed: an entity that is still above its new parent, and one whose next sibling is not there yet, wait.
    // What waits at the end is part of the sender's state only together with a later packet.
    void move(Packet& packet, FirstError& error) {
        for (const Move& each : std::exchange(waiting_, {})) packet.moves.push_back(each);
        std::vector<Move>& moves = packet.moves;
        const auto by_child = [](const Move& x, const Move& y) { return x.child < y.child; };
        std::stable_sort(moves.begin(), moves.end(), by_child);  // those of the packet are in front
        moves.erase(
            std::unique(moves.begin(), moves.end(), [](const Move& x, const Move& y) { return x.child == y.child; }),
            moves.end());
        std::vector<Place> places = order_of(moves);
        for (bool again = true; again;) {
            again = false;
            for (Place& place : places) {
                if (place.done || !can_place(moves, places, place)) continue;
                place.done = again = true;
                this->place(moves[place.move], error);
            }
        }
        for (const Place& place : places) {
            if (!place.done) waiting_.push_back(moves[place.move]);
        }
    }

    struct Place {
        std::size_t move;
        std::size_t next = NO_RUN;  // the place of the sibling behind it, if that is moved too
        bool done = false;
    };
    // Each behind the sibling that it must be in front of.
    static std::vector<Place> order_of(const std::vector<Move>& moves) {
        std::vector<Place> places;
        std::vector<std::size_t> place_of(moves.size(), NO_RUN);
        std::vector<std::size_t> stack;
        const auto next_of = [&](std::size_t k) {
            const Entity before = moves[k].before;
            const auto less = [](const Move& each, std::uint32_t index) { return each.child < index; };
            const auto at = std::lower_bound(moves.begin(), moves.end(), index_of(before), less);
            const bool found =
                before != NONE && at != moves.end() && at->child == index_of(before) && at->parent == moves[k].parent;
            return found ? static_cast<std::size_t>(at - moves.begin()) : NO_RUN;
        };
        constexpr std::size_t IN_STACK = NO_RUN - 1;
        for (std::size_t k = 0; k < moves.size(); ++k) {
            for (std::size_t at = k; at != NO_RUN && place_of[at] == NO_RUN; at = next_of(at)) {
                place_of[at] = IN_STACK;
                stack.push_back(at);
            }
            for (; !stack.empty(); stack.pop_back()) {
                const std::size_t next = next_of(stack.back());
                const bool is_placed =
                    next != NO_RUN && place_of[next] != IN_STACK;  // forged bytes can name them in a circle
                place_of[stack.back()] = places.size();
                places.push_back({stack.back(), is_placed ? place_of[next] : NO_RUN, false});
            }
        }
        return places;
    }

    bool can_place(const std::vector<Move>& moves, const std::vector<Place>& places, const Place& place) const {
        const Move& move = moves[place.move];
        if (place.next != NO_RUN && !places[place.next].done) return false;
        const Entity e = local_of(move.child);
        const Entity parent = entity(move.parent);
        if (e == NONE || parent == NONE) return true;
        const Hierarchy& hierarchy = state_.tracking().hierarchy;
        const Hierarchy::Index node = hierarchy.find(e);
        const Hierarchy::Index above = hierarchy.find(parent);
        return node == Hierarchy::NO_NODE || above == Hierarchy::NO_NODE || !hierarchy.contains(node, above);
    }

    void place(const Move& move, FirstError& error) {
        const Entity e = local_of(move.child);
        if (e == NONE) return;
        const Entity parent = entity(move.parent);
        Entity before = entity(move.before);
        if (before != NONE && (parent == NONE || state_.structure().parent(before) != parent)) before = NONE;
        error.guard([&] { state_.structure().set_parent(e, parent, before); });
    }

    StateAccess state_;
    ReplicaOptions options_;
    double frame_ = 0;
    Sender sender_;
    std::vector<std::byte> first_;  // the first packet, which contains the names of its classes
    std::vector<Entity> here_;      // by index of the sender
    std::vector<Entity> locals_;    // by index here: the handle of the sender
    std::vector<Move> waiting_;
    std::unordered_map<std::uint64_t, Entity> targets_;                        // by key: that of the sender
    std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> sources_;    // by target: keys
    std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> by_source_;  // by index: keys
};

}  // namespace internal

Replica::Replica(ECS& ecs, const ReplicaOptions& options)
    : made_(std::make_unique<internal::ChangeTarget>(ecs, options)) {}
Replica::Replica(Replica&&) noexcept = default;
Replica& Replica::operator=(Replica&&) noexcept = default;
Replica::~Replica() = default;
void Replica::apply(std::span<const std::byte> bytes) { made_->apply(bytes); }
Entity Replica::entity(Entity remote) const noexcept { return made_->entity(remote); }
Entity Replica::remote(Entity local) const noexcept { return made_->remote(local); }
double Replica::frame() const noexcept { return made_->frame(); }

}  // namespace crateful
