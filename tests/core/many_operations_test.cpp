// Random single operations, many more than the other models can apply: the model consists of arrays, each operation is
// compared with it, and now and then everything is.
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "random_model.hpp"
#include "world.hpp"

using namespace test;

namespace test::many {
namespace {

struct Plain {
    std::uint32_t value = 0;
};
struct Linear {
    std::uint32_t value = 0;
};
struct Owning {
    std::vector<std::uint32_t> value = {0};
};
struct Mark {};
constexpr std::uint32_t CLASSES = 4;

const std::array<ComponentId, CLASSES>& classes() {
    static const std::array<ComponentId, CLASSES> ids = [] {
        describe_component<Linear>("ManyLinear").policy(Policy::linear);
        return std::array{component_id<Plain>(), component_id<Linear>(), component_id<Owning>(), component_id<Mark>()};
    }();
    return ids;
}
constexpr std::uint32_t PLAIN = 1, LINEAR = 2, OWNING = 4, MARK = 8;

/// What the model knows of one entity.
struct Slot {
    Entity handle = NONE;
    std::uint32_t has = 0;    // a bit for each class
    std::uint32_t dirty = 0;  // a bit for each system
    bool removal_pending = false;
    std::array<std::uint32_t, CLASSES> values{};
};

struct Model {
    static constexpr std::size_t SLOTS = 3000;
    std::array<Slot, SLOTS> slots;
    std::size_t failures = 0;
    void expect(bool holds, const char* what) {
        if (holds || failures++ > 10) return;
        ADD_FAILURE() << what;
    }
};

/// Compares its sets with the model in each update.
class Checked : public System<> {
public:
    Checked(Model& model, std::uint32_t number, std::uint32_t required, std::uint32_t watched, bool keeps_order)
        : bit(1u << number), required_classes(required), watched_classes(watched), model_(model) {
        for (std::uint32_t c = 0; c < CLASSES; ++c) {
            if ((required >> c & 1) != 0) use_ids_(internal::ComponentUse::required, std::array{classes()[c]});
            if ((watched >> c & 1) != 0) use_ids_(internal::ComponentUse::watched, std::array{classes()[c]});
        }
        ordered(keeps_order);
    }
    void update(double, Entities& entities, Dirty& changed) override {
        std::size_t tracked = 0;
        std::size_t dirty_count = 0;
        for (Slot& slot : model_.slots) {
            const bool fits = slot.handle != NONE && (slot.has & required_classes) == required_classes;
            const bool is_dirty = fits && (slot.dirty & bit) != 0;
            tracked += fits ? 1 : 0;
            dirty_count += is_dirty ? 1 : 0;
            if (slot.handle == NONE) continue;
            model_.expect(entities.contains(slot.handle) == fits, "the entities of a system");
            model_.expect(changed.contains(slot.handle) == is_dirty, "its dirty set");
            slot.dirty &= ~bit;
        }
        model_.expect(entities.size() == tracked && changed.size() == dirty_count, "the sizes of the sets");
    }
    const std::uint32_t bit, required_classes, watched_classes;

private:
    Model& model_;
};

/// Reads removed components, and counts its calls.
class Listening final : public Checked {
public:
    using Checked::Checked;
    void on_add(Aspect& aspect) override { balance += aspect.has<Plain, Owning>() ? 1 : 0; }
    void on_remove(Aspect& aspect) override {
        sum += aspect.get<Plain>().value + aspect.get<Owning>().value.front();
        --balance;
    }
    std::ptrdiff_t balance = 0;
    std::uint32_t sum = 0;
};

class Comparison {
public:
    explicit Comparison(std::uint64_t seed) : random_(seed) {
        classes();
        std::uint32_t n = 0;
        const auto add = [&](auto* type, std::uint32_t required, std::uint32_t watched, bool ordered) {
            using S = std::remove_pointer_t<decltype(type)>;
            S& system = ecs_.add_system<S>(n, model_, n, required, watched, ordered);
            ++n;
            systems_.push_back(&system);
            return &system;
        };
        constexpr Checked* CHECKED = nullptr;
        add(CHECKED, PLAIN, PLAIN, false);
        add(CHECKED, PLAIN | LINEAR, LINEAR | MARK, false);
        add(CHECKED, MARK | LINEAR, 0, true);
        add(CHECKED, OWNING, PLAIN | OWNING, false);
        listening_ = add(static_cast<Listening*>(nullptr), PLAIN | OWNING, PLAIN, false);
    }
    void step() {
        Slot& slot = model_.slots[pick(Model::SLOTS)];
        if (slot.handle == NONE) return add_entity(slot);
        const std::uint32_t c = pick(CLASSES);
        switch (pick(16)) {
            case 0: return remove_entity(slot);
            case 1:
            case 2:
            case 3:
            case 4: return add(slot, c);
            case 5:
            case 6:
            case 7: return remove(slot, c);
            case 8:
            case 9: return signal(slot, c);
            default: return read(slot, c);
        }
    }
    void update() {
        ecs_.update();
        for (Slot& slot : model_.slots) {
            if (!slot.removal_pending) continue;
            listen(slot, 0);
            model_.expect(!ecs_.alive(slot.handle), "an entity was removed");
            slot = {};
        }
    }
    void compare() {
        update();
        std::array<std::size_t, CLASSES> counts{};
        std::size_t alive = 0;
        for (const Slot& slot : model_.slots) {
            alive += slot.handle != NONE ? 1 : 0;
            for (std::uint32_t c = 0; c < CLASSES; ++c) {
                if (slot.handle == NONE) continue;
                read(slot, c);
                counts[c] += slot.has >> c & 1;
            }
        }
        model_.expect(ecs_.count() == alive, "the number of entities");
        for (std::uint32_t c = 0; c < CLASSES; ++c)
            model_.expect(ecs_.by_id().storage(classes()[c]).count() == counts[c], "the number of components");
        model_.expect(listening_->balance == balance_ && listening_->sum == sum_, "the calls of on_add and on_remove");
    }
    void clear() {
        for (Slot& slot : model_.slots) {
            if (slot.handle != NONE) listen(slot, 0);
            slot = {};
        }
        ecs_.clear();
    }
    [[nodiscard]] bool failed() const { return model_.failures > 0; }
    std::uint32_t pick(std::uint32_t n) {
        random_ ^= random_ << 13;
        random_ ^= random_ >> 7;
        random_ ^= random_ << 17;
        return static_cast<std::uint32_t>((random_ >> 32) * n >> 32);
    }

private:
    // The calls of the listening system when the classes of a slot become `now`.
    void listen(const Slot& slot, std::uint32_t now) {
        constexpr std::uint32_t both = PLAIN | OWNING;
        const bool before = (slot.has & both) == both;
        const bool after = (now & both) == both;
        balance_ += static_cast<int>(after) - static_cast<int>(before);
        if (before && !after) sum_ += slot.values[0] + slot.values[2];
    }
    // The slot got or lost the class, or its component signalled.
    void changed(Slot& slot, std::uint32_t c, std::uint32_t before) {
        for (const Checked* system : systems_) {
            const std::uint32_t required = system->required_classes;
            const bool tracked_before = (before & required) == required;
            if ((slot.has & required) != required) slot.dirty &= ~system->bit;
            else if ((!tracked_before && system->watched_classes != 0) || (system->watched_classes >> c & 1) != 0)
                slot.dirty |= system->bit;
        }
    }
    void add_entity(Slot& slot) {
        slot.handle = ecs_.add_entity();
        model_.expect(ecs_.alive(slot.handle), "a new entity");
    }
    void remove_entity(Slot& slot) {
        ecs_.remove_entity(slot.handle);
        slot.removal_pending = true;
    }
    void add(Slot& slot, std::uint32_t c) {
        const std::uint32_t value = pick(1000);
        const std::uint32_t before = slot.has;
        listen(slot, before | 1u << c);
        slot.has |= 1u << c;
        slot.values[c] = c == 3 ? 0 : value;
        switch (c) {
            case 0: ecs_.add(slot.handle, Plain{value}); break;
            case 1: ecs_.add(slot.handle, Linear{value}); break;
            case 2: ecs_.add(slot.handle, Owning{{value}}); break;
            default: ecs_.add(slot.handle, Mark{});
        }
        changed(slot, c, before);
    }
    void remove(Slot& slot, std::uint32_t c) {
        const std::uint32_t before = slot.has;
        listen(slot, before & ~(1u << c));
        slot.has &= ~(1u << c);
        const bool removed = ecs_.by_id().remove(slot.handle, classes()[c]);
        model_.expect(removed == (before != slot.has), "whether there was a component");
        if (removed) changed(slot, c, before);
    }
    void signal(Slot& slot, std::uint32_t c) {
        if ((slot.has >> c & 1) == 0) return;
        const std::uint32_t value = pick(1000);
        if (c == 0 && pick(2) == 0) {
            slot.values[0] = value;
            ecs_.modify<Plain>(slot.handle, [&](Plain& p) { p.value = value; });
        } else {
            queue_mark(ecs_, classes()[c], slot.handle);
        }
        changed(slot, c, slot.has);
    }
    void read(const Slot& slot, std::uint32_t c) {
        const bool has = (slot.has >> c & 1) != 0;
        std::uint32_t found = slot.values[c];
        if (c == 0) {
            const Plain* p = ecs_.try_get<Plain>(slot.handle);
            model_.expect((p != nullptr) == has, "a component");
            if (p != nullptr) found = p->value;
        } else if (c == 1) {
            const Linear* p = ecs_.try_get<Linear>(slot.handle);
            model_.expect((p != nullptr) == has, "a linear component");
            if (p != nullptr) found = p->value;
        } else if (c == 2) {
            const Owning* p = ecs_.try_get<Owning>(slot.handle);
            model_.expect((p != nullptr) == has, "a component with memory");
            if (p != nullptr) found = p->value.front();
        } else {
            model_.expect(ecs_.has<Mark>(slot.handle) == has, "a tag");
        }
        model_.expect(!has || found == slot.values[c], "a value");
    }

    std::uint64_t random_;
    Model model_;
    ECS ecs_;
    std::vector<Checked*> systems_;
    Listening* listening_ = nullptr;
    std::ptrdiff_t balance_ = 0;
    std::uint32_t sum_ = 0;
};

TEST(ManyOperations, X1_random_operations_agree_with_arrays) {
    const std::uint64_t operations = times(200'000);
    const auto comparison = std::make_unique<Comparison>(0x9E3779B97F4A7C15u * first_seed());
    for (std::uint64_t i = 1; i <= operations && !comparison->failed(); ++i) {
        comparison->step();
        if (i % 5'000 == 0) comparison->update();
        if (i % 100'000 == 0) comparison->compare();
        if (i % 20'000'000 == 0) comparison->clear();
    }
    comparison->compare();
}

}  // namespace
}  // namespace test::many
