// Reading and checking snapshots, before anything is changed (rules N4, N8).
#include "plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "budget.hpp"
#include "bytes.hpp"
#include "crateful/detail/message.hpp"
#include "fields.hpp"
#include "format.hpp"

namespace crateful::internal {

bool has_entities(const Storage& s, std::span<const Entity> entities) noexcept {
    bool same = s.count() == entities.size();
    s.each_range([&](std::size_t i, std::uint32_t slot, std::size_t n) {
        same = same && equal_bytes(entities.data() + i, s.entities().data() + slot, n * sizeof(Entity));
    });
    return same;
}

void decode_values(Tracking& tracking, ClassPlan& plan, bool compares) {
    OpaquePlan& opaque = plan.opaque;
    const Codec& codec = *plan.type->codec;
    auto& s = static_cast<NativeStorage&>(*tracking.component_class(plan.type->id).storage);
    opaque.decoded = std::make_unique<ValueArray>(s.value_type());
    opaque.decoded->grow(plan.entities.size() + 1);
    const std::byte* at = opaque.bytes;
    for (std::size_t i = 0; i < plan.entities.size(); ++i) {
        const std::span value(at + 1, opaque.lengths[i] - 1);
        at += opaque.lengths[i];
        const Entity e = plan.entities[i];
        const std::uint32_t slot = compares && tracking.pool.alive(e) ? s.slot(e) : Storage::ABSENT;
        if (slot != Storage::ABSENT) {
            FirstError thrown;  // what cannot be encoded is replaced
            thrown.guard([&] {
                const std::vector<std::byte> present = codec.encode(s.value(slot));
                opaque.differs[i] = std::equal(value.begin(), value.end(), present.begin(), present.end()) ? 0 : 1;
            });
        }
        if (opaque.differs[i] != 0) codec.decode(value, opaque.decoded->at(i));
    }
}

namespace {

bool equal(std::span<const Entity> a, std::span<const Entity> b) noexcept {
    return a.size() == b.size() && equal_bytes(a.data(), b.data(), a.size_bytes());
}

/// A class as the bytes describe it.
struct StoredClass {
    std::string_view name;
    std::size_t record = 0;  ///< the bytes of one component; 0 if there is a column for each field
    std::vector<StoredField> fields;
    const ComponentType* type = nullptr;  ///< nullptr if it is ignored
};

std::string_view renamed(std::string_view name, const RestoreOptions& options) {
    for (const auto& [before, now] : options.rename) {
        if (before == name) return now;
    }
    return name;
}

// The class with this name; of several, one that the ECS uses.
const ComponentType* find_type(const Tracking& tracking, std::string_view name) {
    const ComponentType* found = nullptr;
    for (ComponentId id = 0; id < registry::count(); ++id) {
        const ComponentType& type = registry::type(id);
        if (type.name != name) continue;
        if (found == nullptr || tracking.find_class(id) != nullptr) found = &type;
    }
    return found;
}

const char* call_of(PlanFor use) noexcept { return use == PlanFor::merge ? "merge" : "restore"; }

class PlanReader {
public:
    PlanReader(const StateAccess& state, std::span<const std::byte> bytes, const RestoreOptions& options, bool has_host,
               PlanFor use)
        : state_(state),
          tracking_(state.tracking()),
          options_(options),
          use_(use),
          from_(bytes, call_of(use)),
          budget_(options.limits.bytes),
          has_host_(has_host) {}

    Plan read() {
        version_ = from_.header();
        plan_.time = read_time(from_);
        read_entities();
        read_classes();
        for (const StoredClass& cls : classes_) read_components(cls);
        read_siblings();
        read_strings();
        if (use_ == PlanFor::merge) return std::move(plan_);
        read_events();
        from_.end();
        return std::move(plan_);
    }

private:
    std::uint32_t count(std::size_t limit, std::string_view what) {
        const auto n = from_.get<std::uint32_t>();
        if (n > limit) from_.fail("limits: there are more ", what);
        return n;
    }

    void require(bool is_allowed) const {
        if (!is_allowed) from_.fail("limits: they ask for more memory than `bytes`");
    }

    void read_entities() {
        const std::uint32_t slots = count(std::min<std::size_t>(options_.limits.index, ENTITY_INDEX_MASK), "indices");
        const auto first_free = from_.get<std::uint32_t>();
        // Handles, also in the plan, and signatures, which are those before and those of the snapshot.
        require(budget_.allows(slots, 2 * sizeof(Entity) + 2 * sizeof(std::uint32_t) * tracking_.pool.words()));
        plan_.first_free = first_free;
        if (version_ == 1) plan_.handles = from_.aligned<Entity>(slots);
        else read_handles(slots);
        if (slots == 0 || plan_.handles[0] != Structure::WORLD) from_.fail("there is no world");
        const EntityPool& pool = tracking_.pool;
        // Those of the ECS need not be checked.
        plan_.same_handles = equal(plan_.handles, pool.handles()) && plan_.first_free == pool.first_free();
        if (plan_.same_handles) require_limit(pool.count());
        else check_handles();
        const std::uint32_t pending = count(slots, "entities to remove");
        plan_.pending = from_.aligned<Entity>(pending);
        require_entities(plan_.pending);
        if (std::find(plan_.pending.begin(), plan_.pending.end(), Structure::WORLD) != plan_.pending.end())
            from_.fail("the world cannot be removed");
    }

    // Calls `visit(i, n, others, first)` for each piece: `others` are the entries of one that is no run.
    template <class Visit>
    void each_piece(std::uint32_t slots, Visit&& visit) {
        for (std::uint32_t i = 0; i < slots;) {
            const auto head = from_.get<std::uint32_t>();
            const std::uint32_t n = head >> 1;
            if (n == 0 || n > slots - i) from_.fail("a run of handles has a wrong length");
            if ((head & 1) == 0) visit(i, n, from_.take(n * sizeof(Entity)), 0);
            else visit(i, n, nullptr, from_.get<std::uint32_t>());
            i += n;
        }
    }

    // If they are those of the ECS, as mostly in a rollback, they are not copied.
    void read_handles(std::uint32_t slots) {
        const std::span<const Entity> now = tracking_.pool.handles();
        const Reader begin = from_;
        bool same = slots == now.size();
        each_piece(same ? slots : 0,
                   [&](std::uint32_t i, std::uint32_t n, const std::byte* others, std::uint32_t first) {
                       if (others != nullptr) {
                           same = same && equal_bytes(&now[i], others, n * sizeof(Entity));
                           return;
                       }
                       std::uint32_t differs = 0;
                       for (std::uint32_t k = 0; k < n; ++k)
                           differs |= static_cast<std::uint32_t>(now[i + k]) ^ (first + k);
                       same = same && differs == 0;
                   });
        if (same) return plan_.handles = now, void();
        from_ = begin;
        std::vector<Entity>& all = plan_.handle_memory;
        all.resize(slots);
        each_piece(slots, [&](std::uint32_t i, std::uint32_t n, const std::byte* others, std::uint32_t first) {
            if (others != nullptr) std::memcpy(&all[i], others, n * sizeof(Entity));
            for (std::uint32_t k = 0; others == nullptr && k < n; ++k) all[i + k] = Entity{first + k};
        });
        plan_.handles = all;
    }

    /// `alive` includes the world.
    void require_limit(std::size_t alive) const {
        if (alive > 0 && alive - 1 > options_.limits.entities) from_.fail("limits: there are more entities");
    }
    void check_handles() const {
        const auto slots = static_cast<std::uint32_t>(plan_.handles.size());
        std::vector<std::uint8_t> known(slots);  // alive, or in the list of free indices
        std::size_t alive = 0;                   // the world included
        for (std::uint32_t i = 0; i < slots; ++i) {
            known[i] = index_of(plan_.handles[i]) == i ? 1 : 0;
            alive += known[i];
        }
        require_limit(alive);
        for (std::uint32_t at = plan_.first_free; at != EntityPool::END; at = index_of(plan_.handles[at])) {
            if (at >= slots || known[at] != 0) from_.fail("the list of free indices is not possible");
            known[at] = 1;
        }
        // Only then, because the last free index has this entry if its next generation is the last one.
        for (std::uint32_t i = 0; i < slots; ++i) {
            if (known[i] == 0 && plan_.handles[i] != NONE) from_.fail("an index is neither in use nor free");
        }
    }

    // Alive, and each once. Many classes have the same list as the one before.
    void require_entities(std::span<const Entity> entities) {
        if (entities.empty() || equal(entities, possible_)) return;
        possible_ = entities;
        std::vector<std::uint8_t> found(plan_.handles.size());
        for (const Entity e : entities) {
            if (!plan_.alive(e) || found[index_of(e)] != 0) from_.fail("an entity is not alive, or is listed twice");
            found[index_of(e)] = 1;
        }
    }

    void read_classes() {
        const auto n = from_.get<std::uint32_t>();
        from_.require(n, 8);
        std::vector<const ComponentType*> used;
        for (std::uint32_t c = 0; c < n; ++c) {
            StoredClass cls;
            cls.name = from_.text();
            cls.record = from_.get<std::uint32_t>();
            const auto fields = from_.get<std::uint32_t>();
            from_.require(fields, 14);
            if (cls.record == OPAQUE && fields != 0) from_.fail("values that only their class can read have no fields");
            for (std::uint32_t k = 0; k < fields; ++k) {
                cls.fields.push_back(read_field(from_));
                const auto& [offset, bytes] = std::pair(cls.fields.back().offset, cls.fields.back().bytes());
                if (cls.record != 0 && (bytes > cls.record || offset > cls.record - bytes))
                    from_.fail("a field is outside of its record");
            }
            const auto& ignore = options_.ignore;
            if (std::find(ignore.begin(), ignore.end(), cls.name) == ignore.end()) {
                cls.type = find_class(cls.name, cls.record == OPAQUE);
                if (cls.type != nullptr && std::find(used.begin(), used.end(), cls.type) != used.end())
                    from_.fail("a class is listed twice: ", cls.name);
                used.push_back(cls.type);
            }
            classes_.push_back(std::move(cls));
        }
        const auto without = from_.get<std::uint32_t>();
        from_.require(without, 4);
        for (std::uint32_t k = 0; k < without; ++k) {
            without_.push_back(from_.text());
            const ComponentType* type = find_type(tracking_, renamed(without_.back(), options_));
            if (type == nullptr) continue;
            if (type->id == PARENT_ID || std::find(used.begin(), used.end(), type) != used.end())
                from_.fail("a class is a part of the snapshot, and is left out: ", type->name);
            if (ComponentClass* used_here = tracking_.find_class(type->id)) plan_.left_out.push_back(used_here);
        }
    }

    const ComponentType* find_class(std::string_view name, bool opaque) {
        const std::string_view now = renamed(name, options_);
        const ComponentType* type = find_type(tracking_, now);
        const bool known = type != nullptr && (is_opaque(*type) ? opaque : !opaque && is_described(*type));
        if (known) return type;
        if (type == nullptr && options_.ignore_unknown) return nullptr;
        fail(ErrorCode::bad_argument, {from_.call(), ": there is no class ", now,
                                       type == nullptr ? "; name it in `ignore`, or its new name in `rename`"
                                       : opaque        ? " that can decode values"
                                                       : " with described fields"});
    }

    // Values that only their class can read. Each begins with a byte that says what it is.
    void read_opaque(ClassPlan& plan) {
        const auto n = static_cast<std::uint32_t>(plan.entities.size());
        plan.opaque.lengths = from_.aligned<std::uint32_t>(n);
        std::uint64_t total = 0;
        for (const std::uint32_t length : plan.opaque.lengths) total += length;
        if (total > std::numeric_limits<std::size_t>::max()) from_.fail("the bytes end too early");
        const auto bytes = from_.aligned<std::byte>(static_cast<std::size_t>(total));
        plan.opaque.bytes = bytes.data();
        std::size_t at = 0;
        for (const std::uint32_t length : plan.opaque.lengths) {
            if (length == 0 || bytes[at] > std::byte{1})
                from_.fail("a value is neither bytes nor JSON", {}, bytes.data() + at);
            if (plan.type != nullptr && plan.type->codec != nullptr && bytes[at] != std::byte{0})
                from_.fail("a value is not bytes", {}, bytes.data() + at);
            at += length;
        }
        if (plan.type == nullptr) return;
        require(budget_.allows(n, plan.type->value_bytes + 1));
        plan.opaque.differs.assign(n, 1);
        if (plan.type->codec != nullptr) decode_values(tracking_, plan, use_ == PlanFor::restore);
        plan_.classes.push_back(std::move(plan));
    }

    void read_components(const StoredClass& cls) {
        ClassPlan plan;
        plan.type = cls.type;
        const std::uint32_t n = count(plan_.handles.size(), "components than entities");
        plan.entities = from_.aligned<Entity>(n);
        const Storage* const s = cls.type == nullptr ? nullptr : tracking_.find_storage(cls.type->id);
        plan.same_entities = plan_.same_handles && s != nullptr && has_entities(*s, plan.entities);
        if (!plan.same_entities) require_entities(plan.entities);
        // With `merge`, entities have other indices.
        if (cls.type != nullptr && use_ == PlanFor::restore) require(budget_.allows(*cls.type, plan.entities));
        if (cls.record == OPAQUE) {
            if (cls.name == "Parent") from_.fail("Parent is an entity");
            return read_opaque(plan);
        }
        std::vector<Values> values;
        const std::byte* records = nullptr;
        if (cls.record != 0) {
            from_.require(n, cls.record);
            records = from_.aligned<std::byte>(n * cls.record).data();
        }
        for (const StoredField& field : cls.fields) {
            if (cls.record != 0) values.push_back({records + field.offset, cls.record});
            else values.push_back({from_.aligned<std::byte>(n * field.bytes()).data(), field.bytes()});
            if (const std::size_t i = find_damage(field, values.back(), n); i < n)
                from_.fail("no bool or enum has this value: ", field.name, values.back().at(i));
        }
        if (cls.name == "Parent") {
            has_parents_ = true;
            parents_ = n;
        }
        if (cls.type == nullptr) return;

        plan.runs = field_runs(*cls.type);
        plan.values.resize(plan.runs.size());
        plan.converted.resize(plan.runs.size());
        for (std::size_t k = 0; k < cls.fields.size(); ++k) add_field(plan, cls, cls.fields[k], values[k]);
        for (std::size_t r = 0; r < plan.runs.size(); ++r) {
            if (plan.values[r].first == nullptr) set_default(plan, r);
        }
        if (has_same_layout(cls, plan, records)) plan.records = records;
        if (cls.type->id == PARENT_ID) read_parents(plan);
        plan_.classes.push_back(std::move(plan));
    }

    void add_field(ClassPlan& plan, const StoredClass& cls, const StoredField& stored, Values values) {
        const std::string before = join({cls.name, ".", stored.name});
        const std::string_view now = renamed(before, options_);
        const std::string_view name = now.data() == before.data() ? stored.name : now.substr(now.rfind('.') + 1);
        for (std::size_t r = 0; r < plan.runs.size(); ++r) {
            const Field& field = plan.type->fields[plan.runs[r].first];
            if (field.name != name) continue;
            if (plan.values[r].first != nullptr) from_.fail("a field is listed twice: ", name);
            if (stored.type == FieldType::string && field.type == FieldType::string) {
                texts_.push_back({plan_.classes.size(), r});
                plan.values[r] = values;
            } else if (same_values(stored, plan.runs[r], field)) {
                plan.values[r] = values;
            } else {
                require(budget_.allows(plan.entities.size(), plan.runs[r].bytes()));
                plan.converted[r] = convert(stored, values, plan.entities.size(), plan.type->name, plan.runs[r], field,
                                            from_.call(), options_.ignore_unknown);
                plan.values[r] = {plan.converted[r].data(), plan.runs[r].bytes()};
            }
        }
    }

    // Whether the records are those of the C++ class, and every bit pattern is a value.
    static bool has_same_layout(const StoredClass& cls, const ClassPlan& plan, const std::byte* records) {
        if (cls.record != plan.type->value_bytes || !is_record(*plan.type)) return false;
        std::size_t bytes = 0;
        for (std::size_t r = 0; r < plan.runs.size(); ++r) {
            const bool is_at_its_place = plan.values[r].first == records + plan.type->fields[plan.runs[r].first].offset;
            if (plan.values[r].stride != cls.record || !is_at_its_place) return false;
            bytes += plan.runs[r].bytes();
        }
        return bytes == cls.record;
    }

    void set_default(ClassPlan& plan, std::size_t r) {
        const FieldRun& run = plan.runs[r];
        const std::size_t size = size_of(run.type);
        std::vector<std::byte>& values = plan.converted[r];
        require(budget_.allows(plan.entities.size(), run.bytes()));
        values.resize(plan.entities.size() * run.bytes() + 1);  // never empty, so that there is a pointer
        for (std::size_t k = 0; k < run.length; ++k) {
            const Field& field = plan.type->fields[run.first + k];
            std::uint64_t initial = *field.initial;
            if (run.type == FieldType::string)
                initial = field.names.empty() ? 0 : tracking_.strings.intern(field.names.front()).number;
            for (std::size_t i = 0; i < plan.entities.size(); ++i)
                std::memcpy(values.data() + i * run.bytes() + k * size, &initial, size);
        }
        plan.values[r] = {values.data(), run.bytes()};
    }

    void read_parents(const ClassPlan& plan) {
        plan_.parents.resize(plan.entities.size());
        for (std::size_t i = 0; i < plan.entities.size(); ++i)
            std::memcpy(&plan_.parents[i], plan.values[0].at(i), sizeof(Entity));
        parent_of_.assign(plan_.handles.size(), NONE);
        for (std::size_t i = 0; i < plan.entities.size(); ++i) {
            const Entity child = plan.entities[i];
            if (!plan_.alive(plan_.parents[i]) || child == Structure::WORLD)
                from_.fail("a parent is not alive, or is that of the world");
            parent_of_[index_of(child)] = plan_.parents[i];
        }
        require_no_cycle(plan.entities);
    }

    void require_no_cycle(std::span<const Entity> children) {
        // By index: the number of the walk that visited it. A walk that meets itself is in a cycle.
        std::vector<std::uint32_t> visited(plan_.handles.size());
        std::uint32_t walk = 0;
        for (const Entity child : children) {
            ++walk;
            Entity at = child;
            for (; at != NONE && visited[index_of(at)] == 0; at = parent_of_[index_of(at)])
                visited[index_of(at)] = walk;
            if (at != NONE && visited[index_of(at)] == walk) from_.fail("an entity is its own ancestor");
        }
    }

    void read_siblings() {
        if (!has_parents_) return;
        plan_.siblings = from_.aligned<Entity>(parents_);
        require_entities(plan_.siblings);
        if (parent_of_.empty()) return plan_.siblings = {}, void();  // the class is ignored
        for (const Entity e : plan_.siblings) {
            if (parent_of_[index_of(e)] == NONE) from_.fail("an entity among the children has no parent");
        }
    }

    void read_strings() {
        const auto n = from_.get<std::uint32_t>();
        from_.require(n, 4);
        require(budget_.allows(n, Budget::STRING_BYTES + sizeof(std::string_view)));
        std::vector<std::string_view> texts{{}};
        for (std::uint32_t k = 0; k < n; ++k) texts.push_back(from_.text());
        for (const auto& [c, r] : texts_) {
            const ClassPlan& cls = plan_.classes[c];
            for (std::size_t i = 0; i < cls.entities.size(); ++i) {
                if (number_at(cls.values[r], i) >= texts.size()) from_.fail("there is no string with a number");
            }
        }
        std::vector<String> strings;
        strings.reserve(texts.size());
        for (const std::string_view text : texts) strings.push_back(tracking_.strings.intern(text));
        for (const auto& [c, r] : texts_) {
            ClassPlan& cls = plan_.classes[c];
            std::vector<std::byte>& converted = cls.converted[r];
            converted.resize(cls.entities.size() * sizeof(String) + 1);
            for (std::size_t i = 0; i < cls.entities.size(); ++i)
                std::memcpy(converted.data() + i * sizeof(String), &strings[number_at(cls.values[r], i)],
                            sizeof(String));
            cls.values[r] = {converted.data(), sizeof(String)};
        }
    }

    void read_events() {
        const EventReader classes(from_, options_, without_, has_host_);
        HostEvents& host = plan_.events.host;
        plan_.events.read(state_, classes);
        if (has_host_) host.without.assign(without_.begin(), without_.end());
        const auto systems = from_.get<std::uint8_t>();
        if (systems > 1) from_.fail("the state of the systems is not possible");
        if (systems == 0) return;
        plan_.systems = read_systems(state_, classes, options_, plan_.handles);
        host.systems = true;
        for (HostEvents::Inbox& box : plan_.systems.host) host.inboxes.push_back(std::move(box));
    }

    static std::uint32_t number_at(const Values& values, std::size_t i) noexcept {
        std::uint32_t number;
        std::memcpy(&number, values.at(i), sizeof number);
        return number;
    }

    /// A field with strings.
    struct Text {
        std::size_t cls;
        std::size_t run;
    };

    const StateAccess& state_;
    Tracking& tracking_;
    const RestoreOptions& options_;
    PlanFor use_;
    Reader from_;
    Budget budget_;
    std::uint16_t version_ = FORMAT_VERSION;
    Plan plan_;
    std::vector<StoredClass> classes_;
    std::vector<Entity> parent_of_;  // by index; empty if the class Parent is ignored
    std::vector<Text> texts_;
    std::vector<std::string_view> without_;  // the names of what is left out
    bool has_host_;
    bool has_parents_ = false;
    std::span<const Entity> possible_;  // as `require_entities` found
    std::uint32_t parents_ = 0;
};

}  // namespace

Plan read_plan(const StateAccess& state, std::span<const std::byte> bytes, const RestoreOptions& options, bool has_host,
               PlanFor use) {
    if (bytes.size() > options.limits.bytes)
        fail(ErrorCode::bad_data,
             {call_of(use), ": limits: there are more bytes (", number_text(static_cast<double>(bytes.size())), ")"});
    return PlanReader(state, bytes, options, has_host, use).read();
}

}  // namespace crateful::internal
