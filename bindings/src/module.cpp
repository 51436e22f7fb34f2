// The library module contains the bindings only. A module of your own can add C++ components and systems.
//
// It registers with embind the types that bindings.cpp uses. embind's own list of them, which this file replaces, has
// four times as many: a sixth of the glue.
#include <emscripten/bind.h>

#include <cstring>
#include <limits>

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

void _embind_register_bindings(InitFunc* declaration) {
    declaration->next = declarations;
    declarations = declaration;
}

void _embind_initialize_bindings() {
    for (const InitFunc* each = declarations; each != nullptr; each = each->next) each->init_func();
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
