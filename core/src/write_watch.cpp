// Components that loops write without a signal (rule Q9).
#include "crateful/detail/write_watch.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "crateful/detail/first_error.hpp"
#include "crateful/detail/message.hpp"
#include "crateful/ecs.hpp"

namespace crateful::internal {

// What was written, until it is certain whether it signals: a system may call `dirty` for a whole list behind its loop.
class UnsignalledWrites final : FrameListener {
public:
    explicit UnsignalledWrites(ECS& ecs) : tracking_(ecs.tracking()) {
        next = std::exchange(ecs.listeners_, static_cast<FrameListener*>(this));
    }
    static UnsignalledWrites& of(ECS& ecs) {
        if (ecs.writes_ == nullptr) ecs.writes_ = std::make_shared<UnsignalledWrites>(ecs);
        return *static_cast<UnsignalledWrites*>(ecs.writes_.get());
    }
    void add(const char* call, Entity e, ComponentId id) {
        if (std::find(reported_.begin(), reported_.end(), id) == reported_.end()) written_.push_back({call, e, id});
    }

private:
    struct Write {
        const char* call;
        Entity entity;
        ComponentId id;
    };
    void before_systems() noexcept override { check(nullptr); }
    void system_ran(const SystemBase& system) noexcept override { check(&system); }
    void frame_ended(bool destroyed) noexcept override {
        if (!destroyed) check(nullptr);
    }
    // A system knows what it has written itself.
    void check(const SystemBase* ran) noexcept {
        FirstError no_memory;
        for (const Write& write : written_) no_memory.guard([&] { check(write, ran); });
        written_.clear();
    }
    void check(const Write& write, const SystemBase* ran) {
        const ComponentClass& cls = *tracking_.find_class(write.id);
        if (!cls.storage->has(write.entity)) return;
        for (const ListedSystem& w : cls.watching) {
            if (w.system == nullptr || w.system == ran || !w.itself || !w.system->tracks(write.entity) ||
                w.system->dirty_set().contains(write.entity))
                continue;
            if (std::find(reported_.begin(), reported_.end(), write.id) != reported_.end()) return;
            reported_.push_back(write.id);
            const std::string& name = cls.storage->type().name;
            const std::string text =
                join({write.call, ": it has written a ", name, " without a signal, so that ", w.system->name(),
                      ", which watches ", name, ", does not notice it; use query.change, or call ecs.dirty<", name,
                      ">(e) afterwards\n"});
            std::fputs(text.c_str(), stderr);
            return;
        }
    }

    const Tracking& tracking_;
    std::vector<Write> written_;
    std::vector<ComponentId> reported_;
};

struct WriteWatch::Row {
    ECS& ecs;
    const char* call;
    std::vector<WritableComponent> components{};
    std::vector<std::byte> before{};  // their values, one behind the other
};

namespace {
// The value, if it can be compared; otherwise none.
std::span<const std::byte> value_of(const WritableComponent& component) {
    auto& s = const_cast<NativeStorage&>(static_cast<const NativeStorage&>(*component.storage));
    const std::uint32_t slot = s.slot(component.entity);
    if (!s.value_type().trivial || s.type().value_bytes == 0 || slot == Storage::ABSENT) return {};
    return {s.value(slot), s.value_type().size};
}
}  // namespace

void WriteWatch::begin(ECS& ecs, const char* call, std::span<const WritableComponent> components) noexcept {
    FirstError no_memory;
    no_memory.guard([&] {
        for (const WritableComponent& component : components) {
            if (component.storage->control().watchers == 0) continue;
            const auto value = value_of(component);
            if (value.empty()) continue;
            if (row_ == nullptr) row_ = new Row{ecs, call};
            row_->components.push_back(component);
            row_->before.insert(row_->before.end(), value.begin(), value.end());
        }
    });
    if (no_memory.failed()) delete std::exchange(row_, nullptr);  // it finds nothing
}

void WriteWatch::compare() noexcept {
    const std::unique_ptr<Row> row(std::exchange(row_, nullptr));
    FirstError no_memory;
    no_memory.guard([&] {
        std::size_t at = 0;
        for (const WritableComponent& component : row->components) {
            const std::byte* before = row->before.data() + at;
            at += static_cast<const NativeStorage&>(*component.storage).value_type().size;
            const auto value = value_of(component);
            if (!value.empty() && std::memcmp(value.data(), before, value.size()) != 0)
                UnsignalledWrites::of(row->ecs).add(row->call, component.entity, component.storage->type().id);
        }
    });
}

}  // namespace crateful::internal
