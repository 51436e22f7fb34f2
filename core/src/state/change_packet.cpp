#include "change_packet.hpp"

#include <algorithm>

#include "budget.hpp"
#include "crateful/detail/message.hpp"
#include "packet.hpp"

namespace crateful::internal {
namespace {

class ChangeReader {
public:
    ChangeReader(Tracking& tracking, const Sender& sender, const ReplicaOptions& options, bool has_host)
        : tracking_(tracking),
          sender_(sender),
          options_(options),
          limits_(options.limits),
          budget_(options.limits.bytes),
          has_host_(has_host) {}

    // Returns false if it was applied already.
    bool read(std::span<const std::byte> bytes, Packet& packet) {
        PacketReader from(bytes);
        const std::uint8_t kind = from.byte();
        packet.is_lossy = kind == LOSSY_PACKET_KIND;
        if (kind == RESTART_PACKET_KIND) packet.restart_range.emplace();
        if (kind != PACKET_KIND && !packet.is_lossy && !packet.restart_range)
            from.fail("these are no changes that Crateful has written");
        if (from.byte() != PACKET_VERSION) from.fail("they have another version of the format");
        std::memcpy(&packet.stream, from.take(sizeof packet.stream), sizeof packet.stream);
        packet.number = from.number(packet.is_lossy ? 0xFFFF'FFFEu : std::uint64_t{1} << 53);
        if (sender_.next > 0 && (packet.stream != sender_.stream || packet.is_lossy != sender_.is_lossy)) {
            from.fail(
                "they are of another receiver than those before; if the sender was started again, use a new Replica");
        }
        packet.again = sender_.incomplete && packet.number + 1 == sender_.next;
        if (packet.number < sender_.next && !packet.again) return false;
        if (packet.is_lossy && packet.number == 0) from.fail("packets of a lossy channel count from 1");
        packet.frame = static_cast<double>(from.number(std::uint64_t{1} << 53));
        const bool with_classes = has_classes(from, packet);
        require_next(from, packet, with_classes);
        if (with_classes) {
            packet.classes = read_classes(from, tracking_, options_, has_host_);
            if (!sender_.classes.empty()) packet.classes.clear();
        }
        if (packet.restart_range) {
            packet.restart_range->first = static_cast<std::uint32_t>(from.number(ENTITY_INDEX_MASK));
            packet.restart_range->end = static_cast<std::uint32_t>(from.number(ENTITY_INDEX_MASK + 1));
        }
        read_entities(from, packet);
        read_groups(from, packet);
        read_moves(from, packet);
        from.end();
        return true;
    }

private:
    // Whether the classes of the sender follow.
    [[nodiscard]] static bool has_classes(PacketReader& from, const Packet& packet) {
        if (!packet.is_lossy && !packet.restart_range) return packet.number == 0;
        const std::uint8_t has_classes = from.byte();
        if (has_classes > 1) from.fail("it is not said whether classes follow");
        return has_classes == 1;
    }

    void require_next(const PacketReader& from, const Packet& packet, bool has_classes) const {
        const bool begins_again = packet.restart_range && has_classes;
        if (!packet.is_lossy && !begins_again && packet.number > sender_.next) {
            from.fail(
                sender_.next == 0
                    ? "the first ones of the receiver are missing; call its `restart`, or use a new one: number "
                    : "they are not the next ones; apply those before, or call `restart` of the receiver: number ",
                join({number_text(static_cast<double>(packet.number)), " in place of ",
                      number_text(static_cast<double>(sender_.next))}));
        }
        if (!has_classes && sender_.classes.empty())
            from.fail("the first ones of the receiver are missing; use a new one");
    }

    [[nodiscard]] bool exists(std::uint32_t index) const noexcept {
        return index < sender_.copies.size() && sender_.copies[index].remote != NONE;
    }
    [[nodiscard]] static bool contains(const std::vector<std::uint32_t>& sorted, std::uint32_t index) noexcept {
        return std::binary_search(sorted.begin(), sorted.end(), index);
    }
    // Whether the sender has an entity with this index after the packet.
    [[nodiscard]] bool known(const Packet& packet, std::uint32_t index) const noexcept {
        return (exists(index) && !contains(packet.removed, index)) || contains(packet.created, index);
    }

    static void require(const PacketReader& from, bool is_allowed) {
        if (!is_allowed) from.fail("limits: they ask for more memory than `bytes`");
    }

    void read_entities(PacketReader& from, Packet& packet) {
        const std::uint32_t end = end_of_indices();
        from.indices(end, packet.removed);
        // Those that were created and removed between two packets are not known.
        std::erase_if(packet.removed, [&](std::uint32_t index) { return !exists(index); });
        if (packet.restart_range) add_all(*packet.restart_range, packet.removed);
        from.indices(end, packet.created);
        // The table of the sender's entities, by index; handles and signatures here.
        const std::size_t there = packet.created.empty() ? 0 : std::size_t{packet.created.back()} + 1;
        require(from, there <= sender_.copies.size() || budget_.allows(there, sizeof(Copy)));
        require(from, budget_.allows(packet.created.size(),
                                     3 * sizeof(Entity) + sizeof(std::uint32_t) * tracking_.pool.words()));
        std::size_t kept = 0;
        for (const std::uint32_t index : packet.created) {
            const auto generation = static_cast<std::uint32_t>(from.number(ENTITY_LAST_GENERATION));
            const Entity handle{generation << ENTITY_INDEX_BITS | index};
            packet.handles.push_back(handle);
            if (!exists(index)) continue;
            const Copy& copy = sender_.copies[index];
            const bool is_removed = contains(packet.removed, index);
            // An entity that has arrived, which the sender does not know yet, is created again.
            const bool stays =
                copy.remote == handle && (packet.is_lossy || packet.restart_range) && !(is_removed && copy.leaves);
            if (stays) ++kept;
            if (!stays && !is_removed && !sender_.incomplete) from.fail("an entity is created that exists");
        }
        if (packet.creates_again())
            std::erase_if(packet.removed, [&](std::uint32_t index) { return created_again(packet, index); });
        if (sender_.entities + packet.created.size() - kept - packet.removed.size() > limits_.entities)
            from.fail("limits: there are more entities");
    }
    // Those that are not created again are removed.
    void add_all(const IndexRange& range, std::vector<std::uint32_t>& removed) const {
        std::vector<std::uint32_t> all;
        auto at = removed.begin();
        for (; at != removed.end() && *at < range.first; ++at) all.push_back(*at);
        for (std::uint32_t index = range.first; index < range.end && index < sender_.copies.size(); ++index) {
            if (exists(index)) all.push_back(index);
        }
        for (; at != removed.end(); ++at) {
            if (*at >= range.end) all.push_back(*at);
        }
        removed = std::move(all);
    }
    // Whether the entity with this index, which is removed, is created, and is here already.
    [[nodiscard]] bool created_again(const Packet& packet, std::uint32_t index) const noexcept {
        if (sender_.copies[index].leaves) return false;
        const auto at = std::lower_bound(packet.created.begin(), packet.created.end(), index);
        return at != packet.created.end() && *at == index &&
               packet.handles[static_cast<std::size_t>(at - packet.created.begin())] == sender_.copies[index].remote;
    }
    [[nodiscard]] std::uint32_t end_of_indices() const noexcept {
        return static_cast<std::uint32_t>(std::min<std::size_t>(limits_.index, ENTITY_INDEX_MASK));
    }

    void read_groups(PacketReader& from, Packet& packet) {
        const std::vector<RemoteClass>& classes = sender_.classes.empty() ? packet.classes : sender_.classes;
        const std::uint64_t n = from.number();
        from.require(n, 8);
        require(from, budget_.allows(n, Budget::STRING_BYTES + sizeof(std::string_view)));
        std::vector<std::string_view> texts{{}};
        for (std::uint64_t k = 0; k < n; ++k) texts.push_back(from.text());
        for (;;) {
            const std::uint64_t number = from.number(classes.size());
            if (number == 0) return;
            if (number == 1) from.fail("parents are no fields");
            const RemoteClass& cls = classes[static_cast<std::size_t>(number - 1)];
            const std::uint64_t fields = from.number();
            Group group{.cls = &cls,
                        .number = static_cast<std::uint32_t>(number - 1),
                        .whole = fields == 1,
                        .fields = fields == 1 ? ~std::uint64_t{0} : fields >> 1,
                        .first = packet.indices.size(),
                        .count = 0,
                        .values = packet.values.size()};
            const std::size_t of_class = cls.fields.size();
            if (fields != 0 && !group.whole &&
                ((fields & 1) != 0 || group.fields >> std::min<std::size_t>(of_class, 63) != 0))
                from.fail("the class has no such fields");
            group.count = from.indices(end_of_indices(), packet.indices);
            const std::size_t added = group.whole && cls.type != nullptr
                                          ? cls.type->value_bytes + sizeof(Entity) + Budget::link_bytes(*cls.type)
                                          : 0;
            require(from, budget_.allows(group.count, 4 * sizeof(std::uint32_t) + added));
            for (const std::uint32_t index : packet.of(group)) {
                if (!known(packet, index)) from.fail("an entity has a component that was not created");
            }
            if (cls.opaque) {
                group.values = packet.encoded.size();
                if (group.fields != 0) read_encoded(from, packet, group);
                add_group(packet, std::move(group));
                continue;
            }
            packet.values.resize(group.values + of_class);
            for (std::size_t f = 0; f < of_class; ++f) {
                if ((group.fields >> bit_of_field(f) & 1u) != 0)
                    packet.values[group.values + f] = read_values(from, packet, group, f, texts);
            }
            add_group(packet, std::move(group));
        }
    }
    // Unless its class is passed over.
    static void add_group(Packet& packet, Group group) {
        if (group.cls->type != nullptr) return packet.groups.push_back(std::move(group));
        packet.indices.resize(group.first);
        (group.cls->opaque ? packet.encoded.resize(group.values) : packet.values.resize(group.values));
    }

    static void read_encoded(PacketReader& from, Packet& packet, const Group& group) {
        for (std::size_t i = 0; i < group.count; ++i) {
            const auto n = static_cast<std::size_t>(from.number(~std::uint32_t{0}));
            const auto position = static_cast<std::uint32_t>(from.position());
            const std::span value(from.take(n), n);
            if (n == 0 || value[0] > std::byte{1}) from.fail("a value is neither bytes nor JSON", {}, value.data());
            if (group.cls->type != nullptr && group.cls->type->codec != nullptr && value[0] != std::byte{0})
                from.fail("a value is not bytes", {}, value.data());
            packet.encoded.push_back({value, position});
        }
    }

    // The memory of values that are not in the bytes.
    static std::vector<std::byte>& keep(Packet& packet, std::vector<std::byte> bytes) {
        packet.converted.push_back(std::move(bytes));
        return packet.converted.back();
    }

    Values read_values(PacketReader& from, Packet& packet, const Group& group, std::size_t f,
                       std::span<const std::string_view> texts) {
        const StoredField& field = group.cls->fields[f];
        const std::size_t n = group.count;
        const std::size_t r = group.cls->run_of[f];
        if (field.type == FieldType::string) {
            require(from, budget_.allows(n, 4));
            std::vector<std::byte>& numbers = keep(packet, std::vector<std::byte>(4 * n));
            for (std::size_t i = 0; i < n; ++i) {
                const auto at = static_cast<std::size_t>(from.number(texts.size() - 1));
                const String s = tracking_.strings.intern(texts[at]);
                std::memcpy(numbers.data() + 4 * i, &s.number, 4);
            }
            if (r != NO_RUN && group.cls->runs[r].type != FieldType::string)
                fail(ErrorCode::bad_argument,
                     {"apply: ", group.cls->type->name, ": the bytes have a string for another kind of field"});
            return {numbers.data(), 4};
        }
        from.require(n, 8 * field.bytes());
        const Values values{from.take(n * field.bytes()), field.bytes()};
        if (const std::size_t i = find_damage(field, values, n); i < n)
            from.fail("no bool or enum has this value: ", field.name, values.at(i));
        if (r == NO_RUN) return {};
        const FieldRun& run = group.cls->runs[r];
        const Field& here = group.cls->type->fields[run.first];
        if (same_values(field, run, here)) {
            if (!refers(run.type)) return values;
            // They are replaced by handles of this ECS.
            return {keep(packet, {values.first, values.at(n)}).data(), values.stride};
        }
        require(from, budget_.allows(n, run.bytes()));
        return {
            keep(packet, convert(field, values, n, group.cls->type->name, run, here, "apply", options_.ignore_unknown))
                .data(),
            run.bytes()};
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
            for (const Entity e : {move.parent, move.before}) {
                if (e != NONE && index_of(e) == move.child) from.fail("an entity is its own parent or sibling");
            }
            if (!packet.moves.empty() && packet.moves.back().child >= move.child)
                from.fail("the children do not ascend");
            packet.moves.push_back(move);
        }
    }

    Tracking& tracking_;
    const Sender& sender_;
    const ReplicaOptions& options_;
    const ReplicaOptions::Limits& limits_;
    Budget budget_;
    const bool has_host_;
};

}  // namespace

bool read_changes(Tracking& tracking, const Sender& sender, const ReplicaOptions& options,
                  std::span<const std::byte> bytes, bool has_host, Packet& packet) {
    packet.clear();
    return ChangeReader(tracking, sender, options, has_host).read(bytes, packet);
}

}  // namespace crateful::internal
