// Applying changes to another ECS (rule N6, docs/format.md).
#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "crateful/changes.hpp"
#include "crateful/detail/message.hpp"
#include "fields.hpp"
#include "packet.hpp"
#include "state_access.hpp"

namespace crateful {
namespace internal {

inline constexpr std::size_t NO_RUN = ~std::size_t{0};

/// A class of the sender.
struct RemoteClass {
    const ComponentType* type = nullptr;
    std::vector<StoredField> fields{};
    std::vector<FieldRun> runs{};       // of the class here
    std::vector<std::size_t> run_of{};  // by field of the sender
    std::vector<std::byte> defaults{};  // packed
};
/// Values of some fields for some components.
struct Group {
    const RemoteClass* cls = nullptr;
    std::uint32_t number = 0;  // of the class
    std::uint64_t fields = 0;  // 0: the components were removed
    bool whole = false;        // the components were added
    std::vector<std::uint32_t> indices{};
    std::vector<Values> values{};  // by field of the sender, in the type of the field here
    std::vector<std::vector<std::byte>> converted{};
};
struct Move {
    std::uint32_t child;
    Entity parent;
    Entity before;
};
/// A packet that was read and checked. It refers to the bytes.
struct Packet {
    std::uint64_t number = 0;
    double frame = 0;
    std::vector<RemoteClass> classes{};  // of the first packet
    std::vector<std::uint32_t> removed{};
    std::vector<std::uint32_t> created{};
    std::vector<std::uint32_t> generations{};
    std::vector<Group> groups{};
    std::vector<Move> moves{};
};

class ChangeTarget {
public:
    ChangeTarget(ECS& of, const ReplicaOptions& options) : state_(of), options_(options) {}

    void apply(std::span<const std::byte> bytes) {
        state_.require_idle("apply");
        if (bytes.empty()) return;
        std::vector<std::byte> copy;
        if (next_ == 0 || state_.contains(bytes.data())) {
            copy.assign(bytes.begin(), bytes.end());
            bytes = copy;
        }
        const Strings::Hold hold(state_.tracking().strings);
        Packet packet;
        if (!read(bytes, packet)) return;
        // From here on, only memory and callbacks can fail.
        if (packet.number == 0) {
            classes_ = std::move(packet.classes);
            first_ = std::move(copy);
            for (Group& group : packet.groups) group.cls = &classes_[group.number];
        }
        next_ = packet.number + 1;
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
        if (remote == NONE || index >= remotes_.size() || remotes_[index].handle != remote) return NONE;
        const Entity local = remotes_[index].local;
        return state_.tracking().pool.alive(local) ? local : NONE;
    }
    [[nodiscard]] Entity remote(Entity local) const noexcept {
        const std::uint32_t index = index_of(local);
        if (index >= locals_.size() || locals_[index] == NONE) return NONE;
        return entity(locals_[index]) == local ? locals_[index] : NONE;
    }
    [[nodiscard]] double frame() const noexcept { return frame_; }

private:
    /// An entity of the sender.
    struct Remote {
        Entity handle = NONE;
        Entity local = NONE;
    };

    // --- reading ------------------------------------------------------------------------------

    // Returns false if it was applied already.
    bool read(std::span<const std::byte> bytes, Packet& packet) {
        PacketReader from(bytes);
        if (from.byte() != PACKET_KIND) from.fail("these are no changes that Crateful has written");
        if (from.byte() != PACKET_VERSION) from.fail("they have another version of the format");
        packet.number = from.number(std::uint64_t{1} << 53);
        if (packet.number < next_) return false;
        if (packet.number > next_) {
            from.fail("they are not the next ones: number ",
                      join({number_text(static_cast<double>(packet.number)), " in place of ",
                            number_text(static_cast<double>(next_))}));
        }
        packet.frame = static_cast<double>(from.number(std::uint64_t{1} << 53));
        if (packet.number == 0) read_classes(from, packet);
        read_entities(from, packet);
        read_groups(from, packet);
        read_moves(from, packet);
        from.end();
        return true;
    }

    void read_classes(PacketReader& from, Packet& packet) {
        const std::uint64_t n = from.number(1u << 16);
        from.require(n, 16);
        for (std::uint64_t c = 0; c < n; ++c) {
            RemoteClass cls;
            const std::string_view name = from.text();
            const std::uint64_t fields = from.number(63);
            for (std::uint64_t f = 0; f < fields; ++f) {
                StoredField field;
                field.name = from.text();
                const std::uint8_t type = from.byte();
                if (type > static_cast<std::uint8_t>(FieldType::string)) from.fail("no field has this type");
                field.type = static_cast<FieldType>(type);
                field.length = from.byte();
                if (field.length == 0 || field.length > 64) from.fail("no field has this length");
                const std::uint64_t names = from.number(1u << 16);
                from.require(names, 8);
                for (std::uint64_t k = 0; k < names; ++k) field.names.push_back(from.text());
                cls.fields.push_back(std::move(field));
            }
            if ((name == "Parent") != (c == 0)) from.fail("the first class is Parent, and no other one");
            find_class(from, name, cls);
            for (const RemoteClass& other : packet.classes) {
                if (other.type == cls.type) from.fail("a class is listed twice: ", name);
            }
            packet.classes.push_back(std::move(cls));
        }
        if (packet.classes.empty()) from.fail("the first class is Parent, and no other one");
    }

    void find_class(const PacketReader& from, std::string_view name, RemoteClass& cls) {
        for (ComponentId id = 0; id < registry::count(); ++id) {
            const ComponentType& type = registry::type(id);
            if (type.name != name || !is_described(type)) continue;
            if (cls.type == nullptr || state_.tracking().find_class(id) != nullptr) cls.type = &type;
        }
        if (cls.type == nullptr)
            fail(ErrorCode::bad_argument, {"apply: there is no class ", name, " with described fields"});
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

    // Whether the sender has an entity with this index after the packet.
    [[nodiscard]] bool known(const Packet& packet, std::uint32_t index) const {
        if (std::binary_search(packet.created.begin(), packet.created.end(), index)) return true;
        return index < remotes_.size() && remotes_[index].handle != NONE &&
               !std::binary_search(packet.removed.begin(), packet.removed.end(), index);
    }

    void read_entities(PacketReader& from, Packet& packet) const {
        const auto end = static_cast<std::uint32_t>(std::min<std::size_t>(options_.limits.index, ENTITY_INDEX_MASK));
        packet.removed = from.indices(end);
        // Those that were created and removed between two packets are not known.
        std::erase_if(packet.removed,
                      [&](std::uint32_t index) { return index >= remotes_.size() || remotes_[index].handle == NONE; });
        packet.created = from.indices(end);
        for (const std::uint32_t index : packet.created) {
            const bool exists = index < remotes_.size() && remotes_[index].handle != NONE;
            if (exists && !std::binary_search(packet.removed.begin(), packet.removed.end(), index))
                from.fail("an entity is created that exists");
            packet.generations.push_back(static_cast<std::uint32_t>(from.number(ENTITY_LAST_GENERATION)));
        }
        if (count_ + packet.created.size() - packet.removed.size() > options_.limits.entities)
            from.fail("limits: there are more entities");
    }

    void read_groups(PacketReader& from, Packet& packet) {
        const std::vector<RemoteClass>& classes = packet.number == 0 ? packet.classes : classes_;
        const std::uint64_t n = from.number();
        from.require(n, 8);
        std::vector<std::string_view> texts{{}};
        for (std::uint64_t k = 0; k < n; ++k) texts.push_back(from.text());
        const auto end = static_cast<std::uint32_t>(std::min<std::size_t>(options_.limits.index, ENTITY_INDEX_MASK));
        for (;;) {
            const std::uint64_t number = from.number(classes.size());
            if (number == 0) return;
            if (number == 1) from.fail("parents are no fields");
            Group group;
            group.number = static_cast<std::uint32_t>(number - 1);
            group.cls = &classes[group.number];
            const std::uint64_t fields = from.number();
            group.whole = fields == 1;
            group.fields = group.whole ? ~std::uint64_t{0} : fields >> 1;
            const std::size_t of_class = group.cls->fields.size();
            if (fields != 0 && !group.whole && ((fields & 1) != 0 || group.fields >> of_class != 0))
                from.fail("the class has no such fields");
            group.indices = from.indices(end);
            for (const std::uint32_t index : group.indices) {
                if (!known(packet, index)) from.fail("an entity has a component that was not created");
            }
            group.values.resize(of_class);
            group.converted.resize(of_class);
            for (std::size_t f = 0; f < of_class; ++f) {
                if ((group.fields >> f & 1u) != 0) read_values(from, group, f, texts);
            }
            packet.groups.push_back(std::move(group));
        }
    }

    void read_values(PacketReader& from, Group& group, std::size_t f, std::span<const std::string_view> texts) {
        const StoredField& field = group.cls->fields[f];
        const std::size_t n = group.indices.size();
        const std::size_t r = group.cls->run_of[f];
        if (field.type == FieldType::string) {
            std::vector<std::byte>& numbers = group.converted[f];
            numbers.resize(4 * n + 1);  // never empty, so that there is a pointer
            for (std::size_t i = 0; i < n; ++i) {
                const auto at = static_cast<std::size_t>(from.number(texts.size() - 1));
                const String s = state_.tracking().strings.intern(texts[at]);
                std::memcpy(numbers.data() + 4 * i, &s.number, 4);
            }
            if (r != NO_RUN && group.cls->runs[r].type != FieldType::string)
                fail(ErrorCode::bad_argument,
                     {"apply: ", group.cls->type->name, ": the bytes have a string for another kind of field"});
            group.values[f] = {numbers.data(), 4};
            return;
        }
        from.require(n, 8 * field.bytes());
        const Values values{from.take(n * field.bytes()), field.bytes()};
        if (r == NO_RUN) return;
        const FieldRun& run = group.cls->runs[r];
        const Field& here = group.cls->type->fields[run.first];
        if (same_values(field, run, here)) {
            group.values[f] = values;
        } else {
            group.converted[f] = convert(field, values, n, group.cls->type->name, run, here, "apply");
            group.values[f] = {group.converted[f].data(), run.bytes()};
        }
    }

    void read_moves(PacketReader& from, Packet& packet) const {
        const std::uint64_t n = from.number();
        from.require(n, 24);
        const auto reference = [&] {
            const std::uint64_t value = from.number(0xFFFF'FFFFu);
            return value == 0 ? NONE : Entity{static_cast<std::uint32_t>(value - 1)};
        };
        for (std::uint64_t k = 0; k < n; ++k) {
            Move move{static_cast<std::uint32_t>(from.number(ENTITY_INDEX_MASK)), reference(), reference()};
            if (move.child == 0) from.fail("the world has a parent");
            if (!packet.moves.empty() && packet.moves.back().child >= move.child)
                from.fail("the children do not ascend");
            packet.moves.push_back(move);
        }
    }

    // --- applying -----------------------------------------------------------------------------

    [[nodiscard]] Entity local_of(std::uint32_t index) const noexcept { return entity(remotes_[index].handle); }
    [[nodiscard]] DynamicEcs ecs() const noexcept { return state_.ecs.by_id(); }

    void remove(const Packet& packet, FirstError& error) {
        for (const std::uint32_t index : packet.removed) {
            const Remote before = std::exchange(remotes_[index], {});
            --count_;
            forget_references_of(index);
            set_references(before.handle, NONE, error);
            if (before.local == Structure::WORLD) {
                for (std::size_t c = 1; c < classes_.size(); ++c)
                    error.guard([&] { static_cast<void>(ecs().remove(before.local, classes_[c].type->id)); });
                continue;
            }
            if (!state_.tracking().pool.alive(before.local)) continue;
            locals_[index_of(before.local)] = NONE;
            // Its children stay: those of the sender are removed by the packet.
            error.guard([&] {
                std::vector<Entity> children;
                for (const Entity child : state_.ecs.children(before.local)) children.push_back(child);
                for (const Entity child : children) {
                    error.guard([&] { state_.structure().set_parent(child, NONE, NONE); });
                }
                const Entity removed[] = {before.local};
                if (state_.tracking().pool.alive(before.local))
                    static_cast<void>(state_.structure().mark_for_removal(removed));
            });
        }
        if (!packet.removed.empty() && state_.structure().has_marked()) state_.structure().remove_marked(error);
    }

    void create(const Packet& packet, FirstError& error) {
        for (std::size_t k = 0; k < packet.created.size(); ++k) {
            const std::uint32_t index = packet.created[k];
            const auto handle = Entity{packet.generations[k] << ENTITY_INDEX_BITS | index};
            if (index >= remotes_.size())
                remotes_.resize(std::max<std::size_t>(std::size_t{index} + 1, remotes_.size() * 2));
            const Entity local = index == 0 ? Structure::WORLD : state_.structure().add_entity();
            if (index_of(local) >= locals_.size())
                locals_.resize(std::max<std::size_t>(std::size_t{index_of(local)} + 1, locals_.size() * 2), NONE);
            remotes_[index] = {handle, local};
            locals_[index_of(local)] = handle;
            ++count_;
        }
        for (std::size_t k = 0; k < packet.created.size(); ++k) {
            const Remote& made = remotes_[packet.created[k]];
            set_references(made.handle, made.local, error);
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
            const RemoteClass& cls = classes_[key >> 12 & 0xFFFF];
            if (index >= remotes_.size() || remotes_[index].handle == NONE) continue;
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
        const Entity e = move.child < remotes_.size() ? local_of(move.child) : NONE;
        const Entity parent = entity(move.parent);
        if (e == NONE || parent == NONE) return true;
        const Hierarchy& hierarchy = state_.tracking().hierarchy;
        const Hierarchy::Index node = hierarchy.find(e);
        const Hierarchy::Index above = hierarchy.find(parent);
        return node == Hierarchy::NO_NODE || above == Hierarchy::NO_NODE || !hierarchy.contains(node, above);
    }

    void place(const Move& move, FirstError& error) {
        const Entity e = move.child < remotes_.size() ? local_of(move.child) : NONE;
        if (e == NONE) return;
        const Entity parent = entity(move.parent);
        Entity before = entity(move.before);
        if (before != NONE && (parent == NONE || state_.structure().parent(before) != parent)) before = NONE;
        error.guard([&] { state_.structure().set_parent(e, parent, before); });
    }

    StateAccess state_;
    ReplicaOptions options_;
    std::uint64_t next_ = 0;  // the number of the packet that is applied next
    double frame_ = 0;
    std::size_t count_ = 0;
    std::vector<std::byte> first_;  // the first packet, which contains the names of `classes_`
    std::vector<RemoteClass> classes_;
    std::vector<Remote> remotes_;  // by index of the sender
    std::vector<Entity> locals_;   // by index here: the handle of the sender
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
