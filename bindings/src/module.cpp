// The library module contains the bindings only. A module of your own can add C++ components and systems.
//
// This file replaces functions that would make the module larger. embind's own list of types has four times as many as
// bindings.cpp uses: a sixth of the glue; its code for classes would be nearly half. The code that finds the handler for the
// type of an exception, and the one that describes an uncaught one, would be a KiB of the download. Without C++ of users there
// are only three kinds of exceptions: those of JavaScript, those of the core, and those of the C++ library, which mean that
// there is no memory.
#include <cxxabi.h>
#include <emscripten/bind.h>
#include <emscripten/em_macros.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <utility>

#include "crateful/world.hpp"

using namespace emscripten::internal;

namespace {

InitFunc* declarations = nullptr;

template <class T>
void register_integer(const char* name) {
    _embind_register_integer(TypeID<T>::get(), name, sizeof(T), std::numeric_limits<T>::min(),
                             std::numeric_limits<T>::max());
}

}  // namespace

extern "C" {

extern char __stack_high;  // where the linker has placed the end of the stack, from which it grows downwards
void _emscripten_stack_restore(void* stack);

void _embind_register_bindings(InitFunc* declaration) {
    declaration->next = declarations;
    declarations = declaration;
}

void _embind_initialize_bindings() {
    for (const InitFunc* each = declarations; each != nullptr; each = each->next) each->init_func();
}

/// The C++ runtime calls the first two before it ends the program, which only a bug can cause. They are weak, so that a
/// runtime library that has more of them can be linked.
[[gnu::weak]] void (*__cxa_terminate_handler)() = std::abort;
[[gnu::weak]] void (*__cxa_unexpected_handler)() = std::abort;
[[gnu::weak]] void (*__cxa_new_handler)() = nullptr;

/// The tables of functions of type information find handlers and cast: nothing in this module does either.
[[gnu::weak]] const void* _ZTVN10__cxxabiv117__class_type_infoE[3] = {};
[[gnu::weak]] const void* _ZTVN10__cxxabiv119__pointer_type_infoE[3] = {};
[[gnu::weak]] const void* _ZTVN10__cxxabiv120__si_class_type_infoE[3] = {};
[[gnu::weak]] const void* _ZTVN10__cxxabiv121__vmi_class_type_infoE[3] = {};
/// Type information without such tables, for embind.
[[gnu::weak]] const void* _ZTIv[] = {nullptr, "v"};
[[gnu::weak]] const void* _ZTIi[] = {nullptr, "i"};
[[gnu::weak]] const void* _ZTIj[] = {nullptr, "j"};
[[gnu::weak]] const void* _ZTIm[] = {nullptr, "m"};
[[gnu::weak]] const void* _ZTId[] = {nullptr, "d"};

/// Makes the world usable and frees the stack, when calls were abandoned because JavaScript's stack was exhausted, of which
/// WebAssembly is not notified. No call may be in progress in any world.
EMSCRIPTEN_KEEPALIVE void crateful_recover(crateful::World& w) {
    w.ecs().by_id().recover();
    _emscripten_stack_restore(&__stack_high);
}

/// The name of a type for embind's error messages.
const char* __getTypeName(const std::type_info* type) { return strdup(type->name()); }
}

EMSCRIPTEN_BINDINGS(types) {
    _embind_register_void(TypeID<void>::get(), "void");
    register_integer<int>("int");
    register_integer<unsigned int>("unsigned int");
    register_integer<unsigned long>("unsigned long");
    _embind_register_float(TypeID<double>::get(), "double", sizeof(double));
    _embind_register_std_string(TypeID<std::string>::get(), "std::string");
}

// No function of this module takes a World, so `ecs.raw` needs no class.
void crateful::World::declare() {}

// Memory for exceptions. Where there is none, a few can still be thrown, which say so; the library has a whole allocator for
// them.
namespace __cxxabiv1 {
namespace {

struct Spare {
    alignas(std::max_align_t) std::byte bytes[128];
    bool used;
} spares[4];

}  // namespace

void* __aligned_malloc_with_fallback(std::size_t bytes) {
    if (void* memory = std::malloc(bytes)) return memory;
    for (Spare& spare : spares) {
        if (!std::exchange(spare.used, true)) return spare.bytes;
    }
    return nullptr;
}

void __aligned_free_with_fallback(void* memory) {
    for (Spare& spare : spares) {
        if (memory != spare.bytes) continue;
        spare.used = false;
        return;
    }
    std::free(memory);
}

}  // namespace __cxxabiv1

// JavaScript reads Parent as it reads stored components. So the code for C++ structs is not linked.
crateful::ComponentType crateful::internal::parent_type() {
    std::vector<Field> fields(1);
    fields.front() = {.name = "entity", .type = FieldType::entity};
    return registry::stored_type("Parent", std::move(fields));
}

crateful::World::CurrentError crateful::World::current_error() noexcept {
    const std::type_info& type = *abi::__cxa_current_exception_type();
    const std::exception_ptr pointer = std::current_exception();
    const void* thrown;  // libc++'s exception_ptr consists of the address of the exception
    static_assert(sizeof pointer == sizeof thrown);
    std::memcpy(&thrown, &pointer, sizeof thrown);
    if (type == typeid(ForeignError)) {
        const auto& error = *static_cast<const ForeignError*>(thrown);
        return {FOREIGN_EXCEPTION, error.token(), error.what()};
    }
    if (type == typeid(Error)) {
        const auto& error = *static_cast<const Error*>(thrown);
        return {static_cast<int>(error.code()), 0, error.what()};
    }
    return {static_cast<int>(ErrorCode::out_of_memory), 0, "out of memory"};
}
