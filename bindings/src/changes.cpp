// The functions that `Changes` and `Replica` of `crateful/state` call (web/src/state/), as those in exports.cpp.
#include "crateful/changes.hpp"

#include <emscripten/em_macros.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crateful/detail/change_steps.hpp"
#include "crateful/detail/state_steps.hpp"
#include "crateful/world.hpp"
#include "state.hpp"

namespace crateful {

struct ChangesSource final : StateObject {
    ChangesSource(World& w, const ChangesOptions& options)
        : StateObject(w), changes(internal::changes_with_objects(w.ecs(), options)) {}
    Changes changes;
};
/// A receiver or a replica: JavaScript encodes components of object classes for it.
struct EncodingObject : StateObject {
    using StateObject::StateObject;
    void list(const std::vector<internal::ToEncode>& all) {
        for (const auto& [id, entities] : all)
            to_encode.push_back(
                {id, static_cast<std::uint32_t>(entities.size()), entities.data(), nullptr, nullptr, nullptr});
        encoded.resize(to_encode.size());
    }
    template <class Steps>
    void set(Steps& steps) const {
        for (std::size_t k = 0; k < to_encode.size(); ++k) {
            const std::span lengths(encoded[k].get(), to_encode[k].n);
            steps.set(k, lengths, reinterpret_cast<const std::byte*>(lengths.data() + lengths.size()));
        }
    }
    void clear() noexcept {
        to_encode.clear();
        encoded.clear();
    }
    std::vector<StateClass> to_encode;
    std::vector<std::unique_ptr<std::uint32_t[]>> encoded;  // of these classes: lengths, then all bytes
};
struct ChangesReceiver final : EncodingObject {
    ChangesReceiver(World& w, Receiver made) : EncodingObject(w), receiver(std::move(made)) {}
    Receiver receiver;
    std::vector<std::byte> result;
    std::unique_ptr<internal::TakeSteps> steps;  // during `take`
};
struct ChangesReplica final : EncodingObject {
    ChangesReplica(World& w, const ReplicaOptions& options) : EncodingObject(w), replica(w.ecs(), options) {}
    Replica replica;
    std::vector<std::byte> acknowledgement;
    std::string ignored;  // what a function has returned
    // During `apply` and `reset`:
    std::unique_ptr<std::byte[]> memory;  // that JavaScript writes to
    std::vector<ComponentId> sent;
    std::vector<internal::ApplySteps::Class> classes;
    std::unique_ptr<internal::ApplySteps> steps;  // ends first
    std::optional<internal::StateLock> lock;
    // During `predict`, which may be called in a callback of `apply` and `reset`:
    std::unique_ptr<internal::PredictSteps> predict_steps;
};

extern "C" {

/// Frees what one of the functions below has returned.
EMSCRIPTEN_KEEPALIVE void crateful_delete_object(StateObject* object) { delete object; }

/// Fails inside an update or a callback. `call` is the number of the call that needs it.
EMSCRIPTEN_KEEPALIVE int crateful_require_idle(World& w, std::size_t call) {
    static constexpr const char* CALLS[] = {"take", "apply", "reset"};
    return w.guarded([&] { internal::require_idle(w.ecs(), CALLS[call]); });
}

/// Creates a source, or returns 0. `options`: a name of `components` behind "c", one of `without` behind "w"; each is followed by END.
EMSCRIPTEN_KEEPALIVE StateObject* crateful_new_changes(World& w, const char* options, std::size_t bytes) {
    return made(w, [&] {
        ChangesOptions read;
        internal::each_part({options, bytes}, [&](char kind, std::string name) {
            (kind == 'c' ? read.components : read.without).push_back(std::move(name));
        });
        return std::make_unique<ChangesSource>(w, read);
    });
}
/// Creates a receiver, or returns 0.
EMSCRIPTEN_KEEPALIVE StateObject* crateful_new_receiver(ChangesSource& source, bool selects, bool lossy) {
    return made(source.world, [&] {
        return std::make_unique<ChangesReceiver>(source.world,
                                                 source.changes.receiver(selects ? Selection::selected : Selection::all,
                                                                         lossy ? Channel::lossy : Channel::reliable));
    });
}
/// `how`: 0 to deselect, 1 to select, 2 to deselect and keep.
EMSCRIPTEN_KEEPALIVE int crateful_select(ChangesReceiver& to, Entity e, int how) {
    return to.world.guarded([&] {
        if (how == 1) to.receiver.select(e);
        else to.receiver.deselect(e, how == 2 ? Deselection::keep : Deselection::remove);
    });
}
EMSCRIPTEN_KEEPALIVE int crateful_restart(ChangesReceiver& of) {
    return of.world.guarded([&] { of.receiver.restart(); });
}
/// The 20 bytes of a replica, as numbers.
EMSCRIPTEN_KEEPALIVE int crateful_acknowledge(ChangesReceiver& to, std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                              std::uint32_t d, std::uint32_t e) {
    const std::array words{a, b, c, d, e};
    return to.world.guarded([&] { to.receiver.acknowledge(std::as_bytes(std::span(words))); });
}
/// The id of object class number `k` of a source, or -1.
EMSCRIPTEN_KEEPALIVE int crateful_changes_class(const ChangesSource& of, std::size_t k) {
    const std::vector<ComponentId> ids = internal::object_classes(of.changes);
    return k < ids.size() ? static_cast<int>(ids[k]) : -1;
}

/// Begins to take changes. Until `crateful_close_take`, the ECS cannot be changed.
EMSCRIPTEN_KEEPALIVE int crateful_open_take(ChangesReceiver& from) {
    return from.world.guarded([&] {
        from.steps = std::make_unique<internal::TakeSteps>(from.receiver);
        from.list(from.steps->classes());
    });
}
EMSCRIPTEN_KEEPALIVE void crateful_close_take(ChangesReceiver& from) {
    from.steps.reset();
    from.clear();
}
/// Object class number `k` of which components must be encoded for `crateful_take` or `crateful_predict`, or 0.
EMSCRIPTEN_KEEPALIVE const StateClass* crateful_to_encode(const EncodingObject& of, std::size_t k) {
    return k < of.to_encode.size() ? &of.to_encode[k] : nullptr;
}
/// Returns memory for the encoded values of class number `k`, or 0: first their lengths, then all bytes.
EMSCRIPTEN_KEEPALIVE void* crateful_encoded(EncodingObject& of, std::size_t k, std::size_t bytes) {
    of.world.guarded([&] { of.encoded[k].reset(new std::uint32_t[of.to_encode[k].n + bytes / 4 + 1]); });
    return of.encoded[k].get();
}
/// Returns where the address of the changes and their number of bytes are; 0 if it fails.
EMSCRIPTEN_KEEPALIVE const StateBytes* crateful_take(ChangesReceiver& from, std::size_t max_bytes) {
    static StateBytes bytes;
    const int failed = from.world.guarded([&] {
        from.set(*from.steps);
        from.result = from.steps->take(max_bytes);
    });
    bytes = {from.result.data(), from.result.size()};
    return failed != 0 ? nullptr : &bytes;
}

/// Creates a replica with these limits, or returns 0. `ignore`: the names of classes, each behind "i", and "u" for those that do not exist;
/// each is followed by END.
EMSCRIPTEN_KEEPALIVE StateObject* crateful_new_replica(World& w, double entities, double index, double bytes,
                                                       const char* ignore, std::size_t n) {
    return made(w, [&] {
        ReplicaOptions options;
        internal::each_part({ignore, n}, [&](char kind, std::string name) {
            if (kind == 'u') options.ignore_unknown = true;
            else options.ignore.push_back(std::move(name));
        });
        options.limits = {static_cast<std::size_t>(entities), static_cast<std::size_t>(index),
                          static_cast<std::size_t>(bytes)};
        return std::make_unique<ChangesReplica>(w, options);
    });
}
/// Returns the classes, fields and names of enums that are passed over, each followed by END, and an empty text; 0 if it fails.
EMSCRIPTEN_KEEPALIVE const char* crateful_replica_ignored(ChangesReplica& of) {
    const int failed = of.world.guarded([&] {
        of.ignored.clear();
        for (const std::string& each : of.replica.ignored()) (of.ignored += each) += internal::END;
        of.ignored += internal::END;
    });
    return failed != 0 ? nullptr : of.ignored.data();
}
/// Returns the address of the 20 bytes, or 0 if there are none, or it fails.
EMSCRIPTEN_KEEPALIVE const std::byte* crateful_acknowledgement(ChangesReplica& of) {
    of.world.guarded([&] { of.acknowledgement = of.replica.acknowledgement(); });
    return of.acknowledgement.empty() ? nullptr : of.acknowledgement.data();
}
/// Returns memory for the bytes to apply, or 0.
EMSCRIPTEN_KEEPALIVE std::byte* crateful_apply_memory(ChangesReplica& to, std::size_t bytes) {
    to.memory.reset();
    to.world.guarded([&] { to.memory.reset(new std::byte[bytes]); });
    return to.memory.get();
}
/// Reads `n` bytes. Until `crateful_apply_exchange` or `crateful_close_apply`, the ECS cannot be changed. Returns 1 if they were applied
/// already.
EMSCRIPTEN_KEEPALIVE int crateful_open_apply(ChangesReplica& to, std::size_t n) {
    const int failed = to.world.guarded([&] {
        const std::span<const std::byte> bytes(to.memory.get(), n);
        to.steps = std::make_unique<internal::ApplySteps>(to.replica, bytes);
        if (to.steps->done()) return;
        to.sent = to.steps->sent_classes();
        to.classes = to.steps->classes();
    });
    return failed != 0 ? failed : to.steps->done() ? 1 : 0;
}
EMSCRIPTEN_KEEPALIVE void crateful_close_apply(ChangesReplica& to) {
    to.steps.reset();
    to.sent.clear();
    to.classes.clear();
    to.memory.reset();
}
/// The id of class number `k` of the sender, if the bytes are its first ones; or -1.
EMSCRIPTEN_KEEPALIVE int crateful_sent_class(const ChangesReplica& to, std::size_t k) {
    return k < to.sent.size() ? static_cast<int>(to.sent[k]) : -1;
}
/// Object class number `k` in the bytes, or of what is kept; or 0.
EMSCRIPTEN_KEEPALIVE const ApplyClass* crateful_apply_class(const ChangesReplica& to, std::size_t k) {
    static ApplyClass cls;
    if (k >= to.classes.size()) return nullptr;
    cls = {to.classes[k].id, static_cast<std::uint32_t>(to.classes[k].values.size()), to.classes[k].values.data()};
    return &cls;
}
/// See `internal::map_entity`; -1 if it fails.
EMSCRIPTEN_KEEPALIVE double crateful_map_entity(ChangesReplica& to, ComponentId id, std::uint32_t index, Entity e,
                                                bool back) {
    Entity found = NONE;
    const int failed = to.world.guarded([&] { found = internal::map_entity(to.replica, id, index, e, back); });
    return failed != 0 ? -1 : static_cast<double>(static_cast<std::uint32_t>(found));
}
/// Applies, or resets, everything except the values of object classes. If it fails, nothing has changed.
EMSCRIPTEN_KEEPALIVE int crateful_apply_exchange(ChangesReplica& to) {
    return to.world.guarded([&] { to.steps->exchange(); });
}
/// While it is on, the ECS cannot be changed.
EMSCRIPTEN_KEEPALIVE void crateful_lock_replica(ChangesReplica& to, bool on) {
    if (on) to.lock.emplace(to.world.ecs());
    else to.lock.reset();
}
/// The last step, when these are set.
EMSCRIPTEN_KEEPALIVE int crateful_apply_finish(ChangesReplica& to) {
    return to.world.guarded([&] { to.steps->finish(); });
}
/// There was no memory for an object: the bytes can be applied again.
EMSCRIPTEN_KEEPALIVE void crateful_apply_again(ChangesReplica& to) { internal::set_incomplete(to.replica); }
/// The entity for an index of the sender, or NONE.
EMSCRIPTEN_KEEPALIVE Entity crateful_replica_at(const ChangesReplica& of, std::uint32_t index) {
    return internal::entity_at(of.replica, index);
}
EMSCRIPTEN_KEEPALIVE Entity crateful_replica_entity(const ChangesReplica& of, Entity remote) {
    return of.replica.entity(remote);
}
EMSCRIPTEN_KEEPALIVE Entity crateful_replica_remote(const ChangesReplica& of, Entity local) {
    return of.replica.remote(local);
}
EMSCRIPTEN_KEEPALIVE int crateful_adopt(ChangesReplica& to, Entity local, Entity remote) {
    return to.world.guarded([&] { to.replica.adopt(local, remote); });
}
EMSCRIPTEN_KEEPALIVE double crateful_replica_frame(const ChangesReplica& of) { return of.replica.frame(); }
/// Begins to predict an entity. Until `crateful_close_predict`, the ECS cannot be changed.
EMSCRIPTEN_KEEPALIVE int crateful_open_predict(ChangesReplica& to, Entity e) {
    return to.world.guarded([&] {
        to.predict_steps = std::make_unique<internal::PredictSteps>(to.replica, e);
        to.list(to.predict_steps->classes());
    });
}
/// Keeps what was encoded. Otherwise the entity is not predicted.
EMSCRIPTEN_KEEPALIVE int crateful_predict(ChangesReplica& to) {
    return to.world.guarded([&] {
        to.set(*to.predict_steps);
        to.predict_steps->finish();
    });
}
EMSCRIPTEN_KEEPALIVE void crateful_close_predict(ChangesReplica& to) {
    to.predict_steps.reset();
    to.clear();
}
EMSCRIPTEN_KEEPALIVE void crateful_stop_predicting(ChangesReplica& to, Entity e) { to.replica.stop_predicting(e); }
/// Begins to reset. Until `crateful_apply_exchange` or `crateful_close_apply`, the ECS cannot be changed.
EMSCRIPTEN_KEEPALIVE int crateful_open_reset(ChangesReplica& to) {
    return to.world.guarded([&] {
        to.steps = std::make_unique<internal::ApplySteps>(to.replica);
        to.classes = to.steps->classes();
    });
}

}  // extern "C"
}  // namespace crateful
