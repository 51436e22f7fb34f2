// What an exception is, for JavaScript. The library module replaces it (module.cpp), because no C++ of users throws there.
#include <new>

#include "crateful/world.hpp"

namespace crateful {

__attribute__((weak)) World::CurrentError World::current_error() noexcept {
    try {
        throw;
    } catch (const ForeignError& e) {
        return {FOREIGN_EXCEPTION, e.token(), e.what()};
    } catch (const Error& e) {
        return {static_cast<int>(e.code()), 0, e.what()};
    } catch (const std::bad_alloc&) {
        return {static_cast<int>(ErrorCode::out_of_memory), 0, "out of memory"};
    } catch (const std::exception& e) {
        return {NATIVE_EXCEPTION, 0, e.what()};
    } catch (...) {
        return {NATIVE_EXCEPTION, 0, "a C++ callback threw a value that is not a std::exception"};
    }
}

}  // namespace crateful
