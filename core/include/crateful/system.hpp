#pragma once
#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "crateful/aspect.hpp"
#include "crateful/component.hpp"
#include "crateful/detail/type_info.hpp"
#include "crateful/dirty.hpp"
#include "crateful/entity.hpp"
#include "crateful/error.hpp"
#include "crateful/sparse_set.hpp"

namespace crateful {

class ECS;

namespace internal {
/// What `add_system` derives from the class of a system, at compile time.
struct SystemClass {
    std::string_view name;
    const void* id;      ///< of `type_id`
    bool default_hooks;  ///< the class overrides none of make_aspect, on_add and on_remove
};
}  // namespace internal

/// What the world knows of every system, in whatever language it is written. C++ systems derive from
/// `System<A>` below.
class SystemBase {
public:
    /// A disabled system is not updated (rule S4); a debug system runs also while the game is paused (S5).
    explicit SystemBase(bool disabled = false, bool debug = false) noexcept : enabled_(!disabled), debug_(debug) {}
    virtual ~SystemBase() = default;
    SystemBase(const SystemBase&) = delete;
    SystemBase& operator=(const SystemBase&) = delete;

    /// The world it was added to; set before `init()`.
    [[nodiscard]] ECS& ecs() const noexcept { return *ecs_; }
    [[nodiscard]] bool enabled() const noexcept { return enabled_; }
    [[nodiscard]] bool debug() const noexcept { return debug_; }
    [[nodiscard]] double priority() const noexcept { return priority_; }
    /// The entities that have every required component.
    [[nodiscard]] SparseSet& tracked() noexcept { return tracked_; }
    [[nodiscard]] bool tracks(Entity e) const noexcept { return tracked_.contains(e); }
    [[nodiscard]] DirtySet& dirty_set() noexcept { return dirty_; }
    [[nodiscard]] bool watches_any() const noexcept { return !watched_.empty(); }
    [[nodiscard]] const std::vector<ComponentId>& required() const noexcept { return required_; }
    [[nodiscard]] const std::vector<ComponentId>& watched() const noexcept { return watched_; }

    /// Used in messages, lists and the profiler. By default the name of the class, without namespace and
    /// template arguments; it is empty until the system is added. May be overridden.
    [[nodiscard]] virtual std::string name() const { return std::string(class_name_); }

    /// Called once, when the system was added (rule S3).
    virtual void init() {}
    /// Called by `ECS::clear()` when all entities are gone; may create new ones (rule K1).
    virtual void on_clear() {}

protected:
    void require_ids(std::vector<ComponentId> ids);
    void watch_ids(std::vector<ComponentId> ids);
    /// `update` is then not even called while nothing is dirty (rule D11).
    void only_when_dirty(bool on = true) noexcept { only_when_dirty_ = on; }

    // What the world asks of a system, in the words of rules A1, A2, S4 and S5.
    virtual void run(double delta) = 0;
    virtual void entered(Entity e) = 0;  // makes the aspect, calls on_add
    virtual void left(Entity e) = 0;     // calls on_remove, drops the aspect
    virtual void was_enabled() = 0;
    virtual void was_disabled() = 0;
    static void bind(Aspect& aspect, ECS& ecs, Entity e) noexcept {
        aspect.ecs_ = &ecs;
        aspect.entity_ = e;
    }
    static void set_leaving(Aspect& aspect) noexcept { aspect.leaving_ = true; }
    // Whether `entered` and `left` have anything to do; where not, the world does not call them.
    void hear(bool entered, bool left) noexcept {
        hears_entered_ = entered ? 1 : 0;
        hears_left_ = left ? 1 : 0;
    }
    [[nodiscard]] std::uint32_t& hears_left_word() noexcept { return hears_left_; }
    /// True if the class overrides none of make_aspect, on_add and on_remove; set by `add_system`.
    [[nodiscard]] bool default_hooks() const noexcept { return default_hooks_; }

private:
    friend class ECS;
    [[nodiscard]] bool runs_before(const SystemBase& other) const noexcept {
        return priority_ != other.priority_ ? priority_ < other.priority_ : sequence_ < other.sequence_;
    }
    void mark(Entity e) {
        if (tracked_.holds(e)) dirty_.mark(e);
    }
    void drop(Entity e) noexcept {
        if (tracked_.erase(e) && !dirty_.set().empty()) dirty_.erase(e);
    }
    enum class State : unsigned char { fresh, added, leaving, removed };

    ECS* ecs_ = nullptr;
    double priority_ = 0;
    std::uint64_t sequence_ = 0;  // of addition, in its world
    State state_ = State::fresh;
    bool enabled_;
    bool debug_;
    bool only_when_dirty_ = false;
    bool default_hooks_ = false;
    std::uint32_t hears_entered_ = 1;  // words, for other languages to write to
    std::uint32_t hears_left_ = 1;
    std::vector<ComponentId> required_;
    std::vector<ComponentId> watched_;
    std::vector<std::uint64_t> signature_;  // the required classes as bits
    std::string_view class_name_;
    const void* class_id_ = nullptr;
    std::string clock_name_;
    SparseSet tracked_;
    DirtySet dirty_;
};

template <std::derived_from<Aspect> A>
class System;

/// The entities a system tracks, each with its aspect. Iterating is safe against any change meanwhile
/// (rule T4): `for (auto [entity, aspect] : entities)`.
template <std::derived_from<Aspect> A>
class Entities {
public:
    [[nodiscard]] std::uint32_t size() const noexcept { return system_.tracked().size(); }
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    [[nodiscard]] bool contains(Entity e) const noexcept { return system_.tracks(e); }
    /// The entities without their aspects, contiguous. Good until the set changes.
    [[nodiscard]] std::span<const Entity> ids() const noexcept { return system_.tracked().entities(); }
    /// The aspect of a tracked entity, always the same object (rule A1). Throws `bad_argument` for others.
    [[nodiscard]] A& get(Entity e) const {
        if (!contains(e)) throw Error(ErrorCode::bad_argument, describe(e) + " is not tracked by " + system_.name());
        return system_.aspect(e);
    }

    struct End {};
    class Iterator {
    public:
        explicit Iterator(System<A>& system) : system_(system), iteration_(system.tracked()) { ++*this; }
        [[nodiscard]] std::pair<Entity, A&> operator*() const { return {current_, system_.aspect(current_)}; }
        Iterator& operator++() noexcept {
            done_ = !iteration_.next(current_);
            return *this;
        }
        [[nodiscard]] bool operator==(End) const noexcept { return done_; }

    private:
        System<A>& system_;
        SparseSet::Iteration iteration_;
        Entity current_ = NONE;
        bool done_ = false;
    };
    [[nodiscard]] Iterator begin() const { return Iterator(system_); }
    [[nodiscard]] End end() const noexcept { return {}; }

private:
    friend class System<A>;
    explicit Entities(System<A>& system) noexcept : system_(system) {}
    System<A>& system_;
};

/// A system in C++: code that runs once per frame over the entities with certain components. The
/// constructor states what it requires and what it watches. `update` is overridden with as many
/// parameters as it uses:
///
///     struct Mover : System<> {
///         Mover() { require<Position, Velocity>(); watch<Velocity>(); }
///         void update(double delta, Entities& entities, Dirty& dirty) override { … }
///     };
template <std::derived_from<Aspect> A = Aspect>
class System : public SystemBase {
public:
    using Entities = crateful::Entities<A>;
    using Dirty = DirtySet;

    using SystemBase::SystemBase;

protected:
    template <class... Cs>
    void require() {
        require_ids({component_id<Cs>()...});
    }
    template <class... Cs>
    void watch() {
        watch_ids({component_id<Cs>()...});
    }

    /// Called once per frame. `delta` is the effective delta in seconds; 0 while paused. `dirty` contains the
    /// entities with a watched component that signalled since the last call (rules S5, D4). Override one of the
    /// three; the class does not compile in `add_system` if it overrides none.
    virtual void update(double delta, Entities& entities, Dirty&) { update(delta, entities); }
    virtual void update(double delta, Entities&) { update(delta); }
    virtual void update(double) {}
    /// Makes the aspect of a newly tracked entity.
    [[nodiscard]] virtual std::unique_ptr<A> make_aspect() {
        if constexpr (std::is_default_constructible_v<A>) return std::make_unique<A>();
        else throw Error(ErrorCode::bad_system, name() + " has to override make_aspect()");
    }
    /// The entity is tracked now, and in `entities`.
    virtual void on_add(A&) {}
    /// The entity is tracked no more; its components can still be read through the aspect (rule A2).
    virtual void on_remove(A&) {}
    virtual void on_enabled(Entities&) {}
    virtual void on_disabled(Entities&) {}

    /// The entities it tracks, as `update` gets them.
    [[nodiscard]] Entities& entities() noexcept { return entities_; }

private:
    friend class ECS;
    friend class crateful::Entities<A>;

    // By entity index. Plain aspects hold nothing that can be missed, so they wait until asked for.
    [[nodiscard]] A& aspect(Entity e) {
        const std::size_t index = index_of(e);
        if (index >= aspects_.size()) aspects_.resize(std::max(index + 1, aspects_.size() * 2));
        if (!aspects_[index]) {
            std::unique_ptr<A> made = make_aspect();
            if (!made) throw Error(ErrorCode::bad_system, name() + ": make_aspect() made none");
            bind(*made, ecs(), e);
            if (index >= aspects_.size()) aspects_.resize(index + 1);  // make_aspect may do anything
            aspects_[index] = std::move(made);
            hear(!default_hooks(), true);  // from now on there is something to drop
        }
        return *aspects_[index];
    }
    void run(double delta) final { update(delta, entities_, dirty_set()); }

    // The calls below compile only for a member function of `System` itself; for one of a derived class the
    // conversion is ill-formed.
    static void inherited(void (System::*)(double));
    static void inherited(void (System::*)(double, Entities&));
    static void inherited(void (System::*)(double, Entities&, Dirty&));
    template <class S>
    static constexpr bool overrides_update = [] {
        if constexpr (requires { std::is_member_function_pointer_v<decltype(&S::update)>; }) {
            // One function: it has to have one of the three signatures.
            using Update = decltype(&S::update);
            return std::is_convertible_v<Update, void (S::*)(double)> ||
                   std::is_convertible_v<Update, void (S::*)(double, Entities&)> ||
                   std::is_convertible_v<Update, void (S::*)(double, Entities&, Dirty&)>;
        } else {
            // Several functions, which must not be exactly the inherited ones; or a private one.
            return !requires {
                static_cast<void (*)(void (System::*)(double))>(&System::inherited)(&S::update);
                static_cast<void (*)(void (System::*)(double, Entities&))>(&System::inherited)(&S::update);
                static_cast<void (*)(void (System::*)(double, Entities&, Dirty&))>(&System::inherited)(&S::update);
            };
        }
    }();
    // True if S overrides none of make_aspect, on_add and on_remove; its aspects may then be created lazily.
    template <class S>
    static constexpr bool inherits_hooks = std::is_same_v<A, Aspect> && requires {
        requires std::is_same_v<decltype(&S::make_aspect), std::unique_ptr<A> (System::*)()>;
        requires std::is_same_v<decltype(&S::on_add), void (System::*)(A&)>;
        requires std::is_same_v<decltype(&S::on_remove), void (System::*)(A&)>;
    };
    template <class S>
    [[nodiscard]] static constexpr bool check_hooks() {
        static_assert(overrides_update<S>,
                      "a system must override update(double), update(double, Entities&) or "
                      "update(double, Entities&, Dirty&)");
        return inherits_hooks<S>;
    }
    void entered(Entity e) final { on_add(aspect(e)); }
    void left(Entity e) final {
        if (default_hooks() && (index_of(e) >= aspects_.size() || !aspects_[index_of(e)])) return;
        A& leaver = aspect(e);
        const std::unique_ptr<A> keep = std::move(aspects_[index_of(e)]);  // a new one may be made meanwhile
        set_leaving(leaver);
        on_remove(leaver);
    }
    void was_enabled() final { on_enabled(entities_); }
    void was_disabled() final { on_disabled(entities_); }

    std::vector<std::unique_ptr<A>> aspects_;
    Entities entities_{*this};
};

}  // namespace crateful
