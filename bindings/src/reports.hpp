#pragma once
#include <emscripten/val.h>

#include <string>

#include "crateful/bindings.hpp"

// What is read now and then, as JavaScript objects; and small accessors that embind wants as functions.
namespace crateful::reports {

using emscripten::val;

template <class T, class Make>
val list(const T& items, Make&& make) {
    val all = val::array();
    for (const auto& item : items) all.call<void>("push", make(item));
    return all;
}

inline val object(std::initializer_list<std::pair<const char*, val>> members) {
    val made = val::object();
    for (const auto& [key, value] : members) made.set(key, value);
    return made;
}

/// `fields`: one `{ name, type }` each, the type as FieldType's number.
inline ComponentId add_stored_class(std::string name, int policy, val fields) {
    std::vector<Field> all;
    const auto n = fields["length"].as<std::size_t>();
    for (std::size_t i = 0; i < n; ++i) {
        all.push_back({fields[i]["name"].as<std::string>(), static_cast<FieldType>(fields[i]["type"].as<int>())});
    }
    return registry::add_stored(std::move(name), std::move(all), static_cast<Policy>(policy));
}

/// `{ id, policy, bytes, fields: [{ name, type }] }`, or null.
inline val describe_native_class(std::string name) {
    const ComponentType* type = registry::find_native(name);
    if (type == nullptr) return val::null();
    return object({{"id", val(type->id)},
                   {"policy", val(static_cast<int>(type->policy))},
                   {"bytes", val(type->value_bytes)},
                   {"fields", list(type->fields, [](const Field& f) {
                        return object({{"name", val(f.name)}, {"type", val(static_cast<int>(f.type))}});
                    })}});
}

inline val systems(World& w) {
    return list(w.ecs().systems(), [](SystemBase* s) {
        return object({{"name", val(s->name())},
                       {"priority", val(s->priority())},
                       {"enabled", val(s->enabled())},
                       {"debug", val(s->debug())},
                       {"tracked", val(s->tracked().size())},
                       {"dirty", val(s->dirty_set().last_seen())}});
    });
}

inline val memory(World& w) {
    return list(w.ecs().memory_report(), [](const StorageReport& r) {
        return object({{"name", val(r.name)},
                       {"policy", val(r.policy == Policy::sparse ? "sparse" : "linear")},
                       {"count", val(r.count)},
                       {"utilisation", val(r.utilisation)},
                       {"bytes", val(r.bytes)},
                       {"otherBytes", val(r.other_bytes)},
                       {"advice", val(r.advice)}});
    });
}

inline val profile(World& w) {
    return list(w.ecs().profiler.report(), [](const Profiler::Group& g) {
        return object({{"name", val(g.name)}, {"clocks", list(g.clocks, [](const Profiler::Reading& c) {
                           return object({{"name", val(c.name)}, {"average", val(c.average)}, {"last", val(c.last)}});
                       })}});
    });
}

inline val spans(World& w) {
    return list(w.ecs().profiler.spans(), [](const Profiler::Span& s) {
        return object({{"group", val(*s.group)}, {"name", val(*s.name)}, {"start", val(s.start)}, {"duration", val(s.duration)}});
    });
}

inline void record(World& w, const std::string& group, const std::string& name, double start, double duration) {
    w.ecs().profiler.record(group, name, start, duration);
}
inline void forget_profile(World& w) { w.ecs().profiler.clear(); }
inline bool profiling(const World& w) { return w.ecs().profiler.enabled; }
inline void set_profiling(World& w, bool on) { w.ecs().profiler.enabled = on; }
inline bool paused(const World& w) { return w.ecs().paused(); }
inline void set_paused(World& w, bool on) { w.ecs().set_paused(on); }
inline double game_time(const World& w) { return w.ecs().game_time(); }
inline double wall_time(const World& w) { return w.ecs().wall_time(); }
inline double slow_motion_factor(const World& w) { return w.ecs().slow_motion().factor(); }
inline void end_slow_motion(World& w) { w.ecs().slow_motion().clear(); }
inline bool steps(const World& w) {
    return w.ecs().slow_motion().style == SlowMotion::Style::step;
}
inline void set_steps(World& w, bool on) {
    w.ecs().slow_motion().style = on ? SlowMotion::Style::step : SlowMotion::Style::scale;
}

}  // namespace crateful::reports
