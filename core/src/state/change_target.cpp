#include "change_target.hpp"

#include <algorithm>
#include <utility>

#include "bytes.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/detail/rollback.hpp"
#include "moves.hpp"
#include "packet.hpp"

namespace crateful::internal {

Entity ChangeTarget::entity(Entity remote) const noexcept {
    const std::uint32_t index = index_of(remote);
    if (remote == NONE || index >= sender_.copies.size() || sender_.copies[index].remote != remote) return NONE;
    if (restorations_ != state_.tracking().restorations) return NONE;
    const Entity local = sender_.copies[index].local;
    return state_.tracking().pool.alive(local) ? local : NONE;
}

Entity ChangeTarget::remote(Entity local) const noexcept {
    const std::uint32_t index = index_of(local);
    if (index >= remotes_.size() || remotes_[index] == NONE) return NONE;
    return entity(remotes_[index]) == local ? remotes_[index] : NONE;
}

void ChangeTarget::apply(std::span<const std::byte> bytes) {
    if (!read(bytes, false)) return;  // it also refuses calls in callbacks, which must not end the call outside
    const AtEnd end([&] { cancel(); });
    exchange();
    finish();
}

// Otherwise its handles can be those of other entities, and what was applied can be lost.
void ChangeTarget::require_same_state(const char* call) const {
    if (sender_.next == 0 || restorations_ == state_.tracking().restorations) return;
    fail(ErrorCode::bad_argument,
         {call,
          ": the state of this ECS was exchanged by `restore` or a Rewind since the first bytes; use a "
          "new receiver and a new Replica"});
}

bool ChangeTarget::read(std::span<const std::byte> bytes, bool has_host) {
    state_.require_idle("apply");
    require_same_state("apply");
    if (bytes.empty()) return false;
    Rollback rollback([&] { cancel(); });
    auto reading = std::make_unique<Reading>(state_.tracking().strings);
    if (sender_.classes.empty() || state_.contains(bytes.data())) {
        reading->copy.assign(bytes.begin(), bytes.end());
        bytes = reading->copy;
    }
    if (!read_changes(state_.tracking(), sender_, options_, bytes, has_host, packet_)) return false;
    plan_entities();
    const bool world_arrives = handle_created(0) != NONE && remote(Structure::WORLD) == NONE;
    if (packet_.restart_range || !adoptions_.empty() || world_arrives) complete();
    reading_ = std::move(reading);
    cut_circles();
    add_referring();
    if (!packet_.encoded.empty()) {
        reading_->lock = std::make_unique<StateLock>(state_.ecs);  // for functions that decode values
        for (Group& group : packet_.groups) {
            if (group.cls->opaque && group.fields != 0 && group.cls->type->codec != nullptr) decode(group);
        }
    }
    rollback.cancel();
    return true;
}

// The entities that the packet creates are created before others are removed, so their handles are known.
void ChangeTarget::plan_entities() {
    locals_.clear();
    std::size_t n = 0;
    for (const Entity handle : packet_.handles) {
        const Entity known = index_of(handle) == 0 ? Structure::WORLD : entity(handle);
        const bool is_known = known != NONE && (index_of(handle) == 0 || remains(index_of(handle)) == known);
        locals_.push_back(is_known ? known : adopted(handle));
        n += locals_.back() == NONE ? 1u : 0u;
    }
    if (n == 0) return;
    entities_.resize(n);
    state_.tracking().pool.next(entities_);
    auto next = entities_.begin();
    for (Entity& local : locals_) {
        if (local == NONE) local = *next++;
    }
}

// The entity here that is this one of the sender when the packet was applied, or NONE.
Entity ChangeTarget::arrival(Entity remote) const noexcept {
    if (remote == NONE || reading_ == nullptr) return entity(remote);
    const std::size_t k = packet_.created_at(index_of(remote));
    if (k < packet_.handles.size()) return packet_.handles[k] == remote ? locals_[k] : NONE;
    return remains(index_of(remote)) == NONE ? NONE : entity(remote);
}

Entity ChangeTarget::remains(std::uint32_t index) const noexcept {
    if (index == 0 && handle_created(0) != NONE) return Structure::WORLD;
    if (!adoptions_.empty()) {
        const Entity handle = handle_created(index);
        if (const Entity own = adopted(handle); own != NONE) return own;
    }
    return std::binary_search(packet_.removed.begin(), packet_.removed.end(), index) ? NONE : local_of(index);
}

void ChangeTarget::exchange() {
    Reading& reading = *reading_;
    if (sender_.classes.empty()) {
        sender_.classes = std::move(packet_.classes);
        first_ = std::move(reading.copy);
        restorations_ = state_.tracking().restorations;
        for (Group& group : packet_.groups) group.cls = &sender_.classes[group.number];
    }
    reserve();
    if (packet_.has_structure()) {
        reading.tracking = std::make_unique<TrackingChange>(state_.ecs);
        note_components(*reading.tracking);
        reading.tracking->prepare();
    }
    note_arrival();
    frame_ = packet_.frame;
    FirstError& error = reading.error;
    reading.lock.reset();
    if (reading.tracking != nullptr) reading.tracking->begin(error);
    for (Entity& local : locals_) {
        if (!state_.tracking().pool.alive(local)) local = state_.structure().add_entity();
    }
    remove(error);
    note_references(error);
    create(error);
    for (const Group& group : packet_.groups) write(group, error);
    move(error);
    attempt(error, [&] { keep_referring(); });
    if (!sender_.incomplete)  // otherwise they are needed when it is applied again
        std::erase_if(adoptions_, [&](const Adoption& each) { return entity(each.remote) != NONE; });
    packet_.groups.clear();  // destroys values
}

void ChangeTarget::finish() {
    const std::unique_ptr<Reading> reading = std::move(reading_);
    if (reading->tracking != nullptr) reading->error.guard([&] { reading->tracking->finish(reading->error); });
    reading->error.rethrow();
}

void ChangeTarget::note_components(TrackingChange& change) const {
    if (!change.calls_on_remove()) return;
    const Hierarchy& hierarchy = state_.tracking().hierarchy;
    for (const std::uint32_t index : packet_.removed) {
        const Entity e = local_of(index);
        const bool is_world = e == Structure::WORLD;
        if (!is_world) change.note_end(e);
        for (std::size_t c = 1; is_world && c < sender_.classes.size(); ++c) {
            if (const ComponentType* type = sender_.classes[c].type) change.note(e, type->id, false);
        }
        const Hierarchy::Index node = e == NONE ? Hierarchy::NO_NODE : hierarchy.find(e);
        if (node == Hierarchy::NO_NODE) continue;
        for (Hierarchy::Index at = hierarchy[node].first; at != Hierarchy::NO_NODE; at = hierarchy[at].next) {
            const Entity child = hierarchy[at].entity;
            if (!is_world || remote(child) != NONE) change.note(child, PARENT_ID, false);
        }
    }
    for (const Group& group : packet_.groups) {
        if (group.fields != 0 && !group.whole) continue;
        for (const std::uint32_t index : packet_.of(group))
            change.note(index == 0 ? Structure::WORLD : remains(index), group.cls->type->id, group.fields != 0);
    }
    for (const Entity e : cuts_) change.note(e, PARENT_ID, false);
    for (const Move& move : packet_.moves) change.note(remains(move.child), PARENT_ID, arrives(move.parent));
}

// The entity of the sender with this index that the packet creates, or NONE.
Entity ChangeTarget::handle_created(std::uint32_t index) const noexcept {
    const std::size_t k = packet_.created_at(index);
    return k < packet_.handles.size() ? packet_.handles[k] : NONE;
}

// Whether the entity of the sender is here afterwards.
bool ChangeTarget::arrives(Entity remote) const noexcept {
    if (remote == NONE) return false;
    if (const Entity handle = handle_created(index_of(remote)); handle != NONE) return handle == remote;
    return entity(remote) != NONE && remains(index_of(remote)) != NONE;
}

std::vector<std::string> ChangeTarget::ignored() const {
    std::vector<std::string> all;
    for (const RemoteClass& cls : sender_.classes) {
        if (cls.type == nullptr) all.emplace_back(cls.name);
        for (std::size_t f = 0; cls.type != nullptr && !cls.opaque && f < cls.fields.size(); ++f) {
            const StoredField& field = cls.fields[f];
            const std::string name = join({cls.name, ".", field.name});
            if (cls.run_of[f] == NO_RUN) {
                all.push_back(name);
                continue;
            }
            const std::vector<std::string>& names = cls.type->fields[cls.runs[cls.run_of[f]].first].names;
            for (const std::string_view each : field.names) {
                if (!names.empty() && std::find(names.begin(), names.end(), each) == names.end())
                    all.push_back(join({name, ": ", each}));
            }
        }
    }
    return all;
}

void ChangeTarget::note_arrival() noexcept {
    if (sender_.incomplete) sender_.arrived &= ~std::uint64_t{1};
    const std::uint64_t ahead = packet_.number + 1 - sender_.next;
    sender_.arrived = (ahead < 64 ? sender_.arrived << ahead : 0) | 1;
    sender_.stream = packet_.stream;
    sender_.is_lossy = packet_.is_lossy;
    sender_.next = packet_.number + 1;
    sender_.incomplete = false;
}

std::vector<std::byte> ChangeTarget::acknowledgement() const {
    if (!sender_.is_lossy) return {};
    Acknowledgement what{sender_.stream, static_cast<std::uint32_t>(sender_.next - 1), sender_.arrived};
    if (sender_.incomplete) what.packets &= ~std::uint64_t{1};
    return what.bytes();
}

void ChangeTarget::reserve_entities() {
    EntityPool& pool = state_.tracking().pool;
    const std::size_t created = packet_.created.size();
    if (created == 0) return;
    const Entity* const before = pool.handles().data();
    pool.reserve(created);
    if (pool.handles().data() != before) state_.tracking().handles_moved();
    const std::size_t here = pool.handles().size() + created;
    if (here > remotes_.size()) remotes_.resize(std::max(here, remotes_.size() * 2), NONE);
    const std::size_t there = std::size_t{packet_.created.back()} + 1;
    if (there > sender_.copies.size()) sender_.copies.resize(std::max(there, sender_.copies.size() * 2));
}

void ChangeTarget::reserve() {
    reserve_entities();
    entities_.reserve(packet_.removed.size());
    for (const Group& group : packet_.groups) reserve_values(group);
}

void ChangeTarget::reserve_values(const Group& group) {
    static_cast<void>(ecs().storage(group.cls->type->id));
    entities_.reserve(group.count);
    slots_.reserve(group.count);
    differs_.reserve(group.count);
    missing_.reserve(group.count);
    RemoteClass& cls = sender_.classes[group.number];
    packed_.reserve(cls.defaults.size());
    for (std::size_t k = 0; group.whole && !cls.opaque && k < cls.type->fields.size(); ++k) {
        const Field& field = cls.type->fields[k];
        if (field.type != FieldType::string || field.names.empty()) continue;
        const String s = state_.tracking().strings.intern(field.names.front());
        std::memcpy(cls.defaults.data() + 8 * k, &s.number, 4);
    }
}

// --- entities -------------------------------------------------------------------------------------

void ChangeTarget::remove(FirstError& error) {
    if (packet_.removed.empty()) return;
    entities_.clear();
    for (const std::uint32_t index : packet_.removed) detach(index, error);
    attempt(error, [&] { state_.structure().remove_now(entities_, error); });
    for (const std::uint32_t index : packet_.removed) {
        Copy& copy = sender_.copies[index];
        if (copy.local != Structure::WORLD && state_.tracking().pool.alive(copy.local)) {
            sender_.incomplete = copy.leaves = true;
            continue;
        }
        if (copy.local != Structure::WORLD) predicted_.erase(index);
        copy = {};
        --sender_.entities;
    }
}

// The entity is removed next. Its children stay: those of the sender are removed by the packet.
void ChangeTarget::detach(std::uint32_t index, FirstError& error) {
    const Entity local = sender_.copies[index].local;
    references_.forget(index);
    set_references(sender_.copies[index].remote, NONE, error);
    if (local == Structure::WORLD) {
        // It stays predicted: it can be sent again.
        if (const auto at = predicted_.find(index); at != predicted_.end()) at->second = {};
        for (std::size_t c = 1; c < sender_.classes.size(); ++c) {
            const auto comes_again = [&](const Group& group) {
                return group.number == c && group.whole && packet_.of(group).front() == index;
            };
            if (std::any_of(packet_.groups.begin(), packet_.groups.end(), comes_again)) continue;  // it has not left
            if (sender_.classes[c].type == nullptr) continue;
            const ComponentId id = sender_.classes[c].type->id;
            error.guard([&] { static_cast<void>(ecs().remove(local, id)); });
            if (ecs().has(local, id)) sender_.incomplete = true;
        }
        return detach_copies(error);
    }
    if (!state_.tracking().pool.alive(local)) return;
    const Hierarchy& hierarchy = state_.tracking().hierarchy;
    const auto first_child = [&] {
        const Hierarchy::Index node = hierarchy.find(local);
        const Hierarchy::Index first = node == Hierarchy::NO_NODE ? node : hierarchy[node].first;
        return first == Hierarchy::NO_NODE ? NONE : hierarchy[first].entity;
    };
    for (Entity child = first_child(); child != NONE; child = first_child()) {
        error.guard([&] { state_.structure().set_parent(child, NONE, NONE); });
        if (first_child() == child) return;  // there was no memory: the entity is not removed
    }
    entities_.push_back(local);
}

// The world is not a copy any more: of its children, those of the sender lose it.
void ChangeTarget::detach_copies(FirstError& error) {
    const Hierarchy& hierarchy = state_.tracking().hierarchy;
    const Hierarchy::Index node = hierarchy.find(Structure::WORLD);
    std::vector<Entity> copies;
    if (node == Hierarchy::NO_NODE) return;
    attempt(error, [&] {
        for (Hierarchy::Index at = hierarchy[node].first; at != Hierarchy::NO_NODE; at = hierarchy[at].next) {
            if (remote(hierarchy[at].entity) != NONE) copies.push_back(hierarchy[at].entity);
        }
    });
    for (const Entity e : copies) {
        error.guard([&] { state_.structure().set_parent(e, NONE, NONE); });
        if (state_.structure().parent(e) == Structure::WORLD) sender_.incomplete = true;
    }
}

void ChangeTarget::create(FirstError& error) {
    for (std::size_t k = 0; k < packet_.handles.size(); ++k) {
        const Entity handle = packet_.handles[k];
        const std::uint32_t index = index_of(handle);
        Copy& copy = sender_.copies[index];
        const bool remains = !std::binary_search(packet_.removed.begin(), packet_.removed.end(), index);
        if (copy.remote == handle && remains) {  // when it is applied again
            copy.leaves = false;
            continue;
        }
        if (copy.remote != NONE) {  // there was no memory to remove the one before
            sender_.incomplete = true;
            if (index != 0 && locals_[k] != adopted(handle)) state_.tracking().pool.destroy(locals_[k]);
            continue;
        }
        ++sender_.entities;
        copy = {handle, locals_[k]};
        remotes_[index_of(copy.local)] = handle;
    }
    for (const Entity handle : packet_.handles) set_references(handle, entity(handle), error);
}

// The entity of the sender has arrived, or is removed: sets the fields that refer to it.
void ChangeTarget::set_references(Entity target, Entity local, FirstError& error) {
    references_.each(target, [&](const References::Place& place) {
        const RemoteClass& cls = sender_.classes[place.cls];
        const Entity e = local_of(place.index);
        const Storage* s = ecs().find_storage(cls.type->id);
        const std::uint32_t slot = e == NONE || s == nullptr ? Storage::ABSENT : s->slot(e);
        if (slot == Storage::ABSENT) return;
        const FieldRun& run = cls.runs[cls.run_of[place.field]];
        std::byte* to = s->control().columns[run.first] + slot * s->stride(run.first) + 4 * place.element;
        if (std::memcmp(to, &local, sizeof local) == 0 && !packet_.again) return;
        std::memcpy(to, &local, sizeof local);
        attempt(error, [&] { state_.tracking().signal(e, cls.type->id); });
    });
}

// --- hierarchy ------------------------------------------------------------------------------------

// As long as one can be moved: an entity that is still above its new parent waits, and one whose next sibling is not there yet.
// Bytes of a sender contain all that is needed for it, but bytes can be forged.
void ChangeTarget::move(FirstError& error) {
    for (const Entity e : cuts_) error.guard([&] { state_.structure().set_parent(e, NONE, NONE); });
    const std::vector<Move>& moves = packet_.moves;
    if (moves.empty()) return;
    attempt(error, [&] {
        std::vector<OrderedMove> ordered = order_moves(moves);
        const auto move_some = [&] {
            bool moved = false;
            for (OrderedMove& each : ordered) {
                const bool is_ready = each.next == NO_RUN || ordered[each.next].done;
                if (each.done || !is_ready || !can_move(moves[each.move])) continue;
                each.done = moved = true;
                move(moves[each.move], error);
            }
            return moved;
        };
        for (OrderedMove& each : ordered) {
            while (!each.done && move_some()) {
            }
            if (each.done) continue;
            each.done = true;
            const Entity parent = entity(moves[each.move].parent);
            error.guard([&] { state_.structure().set_parent(parent, NONE, NONE); });
            move(moves[each.move], error);
        }
    });
}

// Adds to the packet that these of the sender's entities have no parent, unless it says which.
void ChangeTarget::add_orphans(std::span<const std::uint32_t> indices) {
    for (const std::uint32_t index : indices) {
        if (find_move(index) == nullptr && remains(index) != NONE)
            packet_.moves.insert(move_at(index), {index, NONE, NONE});  // there are few
    }
}
// The first move of an entity with this index or a higher one.
std::vector<Move>::const_iterator ChangeTarget::move_at(std::uint32_t index) const noexcept {
    return std::lower_bound(packet_.moves.begin(), packet_.moves.end(), index,
                            [](const Move& each, std::uint32_t i) { return each.child < i; });
}
const Move* ChangeTarget::find_move(std::uint32_t index) const noexcept {
    const auto at = move_at(index);
    return at != packet_.moves.end() && at->child == index ? &*at : nullptr;
}

bool ChangeTarget::can_move(const Move& move) const {
    const Entity e = local_of(move.child);
    const Entity parent = entity(move.parent);
    if (e == NONE || parent == NONE) return true;
    const Hierarchy& hierarchy = state_.tracking().hierarchy;
    const Hierarchy::Index node = hierarchy.find(e);
    const Hierarchy::Index above = hierarchy.find(parent);
    return node == Hierarchy::NO_NODE || above == Hierarchy::NO_NODE || !hierarchy.contains(node, above);
}

void ChangeTarget::move(const Move& move, FirstError& error) {
    const Entity e = local_of(move.child);
    if (e == NONE) return;
    const Structure& structure = state_.structure();
    const Entity parent = entity(move.parent);
    error.guard([&] { state_.structure().set_parent(e, parent, parent == NONE ? NONE : sibling_behind(move)); });
    if (structure.parent(e) != parent) sender_.incomplete = true;
}

// One that is not here is perhaps in flight: then the packet names the one behind it.
Entity ChangeTarget::sibling_behind(const Move& move) const noexcept {
    const Entity parent = entity(move.parent);
    Entity before = move.before;
    for (std::size_t k = 0; before != NONE && k <= packet_.moves.size();
         ++k) {  // forged bytes can name them in a circle
        const Entity sibling = entity(before);
        if (index_of(before) == move.child) return NONE;
        if (sibling != NONE && state_.structure().parent(sibling) == parent) return sibling;
        const Move* const next = find_move(index_of(before));
        before = next != nullptr ? next->before : NONE;
    }
    return NONE;
}

}  // namespace crateful::internal
