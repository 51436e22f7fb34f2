#pragma once
// The component classes and one system of the model; see model_comparison.hpp.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "world.hpp"

namespace test::model {

struct Plain {
    int value = 0;
};
struct Linear {
    int value = 0;
};
struct Owning {
    std::string value;
};
inline constexpr std::size_t CLASSES = 4;  // Plain, Linear, Owning and a stored one
/// Of the stored class: a vector with a value and the next number.
[[nodiscard]] inline std::vector<Field> stored_fields() {
    return {{.name = "value", .type = FieldType::i32}, {.name = "", .type = FieldType::i32, .continues = true}};
}

inline const std::array<ComponentId, CLASSES>& classes() {
    static const std::array<ComponentId, CLASSES> ids = [] {
        describe_component<Linear>("ModelLinear").policy(Policy::linear);
        return std::array{component_id<Plain>(), component_id<Linear>(), component_id<Owning>(),
                          registry::add_stored("ModelStored", stored_fields())};
    }();
    return ids;
}

inline std::string text(int value) { return "a long enough text for the heap " + std::to_string(value); }

/// The model of one system. Its tracked set is updated by the callbacks, and must match the components whenever no call
/// is in progress.
struct ModelSystem {
    struct Entry {
        Entity entity;
        bool visited = false;  // in the set when the run started, or visited by an iteration since
    };
    /// An iteration over a set.
    struct Walk {
        std::set<Entity> remaining;  // in the set when the iteration started, and not visited or removed yet
        std::set<Entity> visited;    // and in the set ever since
    };
    std::set<std::size_t> required, watched;  // indices of classes()
    std::set<Entity> tracked;
    std::vector<Entry> dirty;
    bool ordered = true;  // no removal since `dirty` was last empty, so its order is that of the marks
    bool enabled = true, removal_pending = false, removed = false;
    bool toggled = false, added = false;  // in the current update
    int runs = 0;
    std::vector<Walk*> walks, dirty_walks;
    SystemBase* real = nullptr;

    void mark(Entity e) {
        const auto same = [&](const Entry& entry) { return entry.entity == e; };
        if (std::none_of(dirty.begin(), dirty.end(), same)) dirty.push_back({e});
    }
    void erase(Entity e) {
        tracked.erase(e);
        if (std::erase_if(dirty, [&](const Entry& entry) { return entry.entity == e; }) > 0) ordered = false;
        if (dirty.empty()) ordered = true;
        for (auto* list : {&walks, &dirty_walks}) {
            for (Walk* walk : *list) {
                walk->remaining.erase(e);
                walk->visited.erase(e);
            }
        }
    }
};

}  // namespace test::model
