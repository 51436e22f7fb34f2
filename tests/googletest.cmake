# GTest::gtest_main, from the nearest place:
#   natively       an installed GoogleTest (Debian: libgtest-dev libgmock-dev)
#   under WASM     compiled from the sources that libgtest-dev brings, as no package has it built
#   anywhere else  downloaded, by hash
include(FetchContent)

if(EMSCRIPTEN)
  set(debian_sources /usr/src/googletest)
  if(EXISTS ${debian_sources}/CMakeLists.txt AND NOT FETCHCONTENT_SOURCE_DIR_GTEST)
    set(FETCHCONTENT_SOURCE_DIR_GTEST ${debian_sources})
  endif()
  set(gtest_disable_pthreads ON)
  # A package found now would be one for this machine.
  set(find_installed)
else()
  set(find_installed FIND_PACKAGE_ARGS NAMES GTest)
endif()

set(INSTALL_GTEST OFF)
set(gtest_force_shared_crt ON)  # as everything else that MSVC compiles
set(BUILD_GMOCK OFF)
FetchContent_Declare(
  gtest
  URL https://github.com/google/googletest/releases/download/v1.17.0/googletest-1.17.0.tar.gz
  URL_HASH SHA256=65fab701d9829d38cb77c14acdc431d2108bfdbf8979e40eb8ae567edf10b27c
  DOWNLOAD_EXTRACT_TIMESTAMP ON
  ${find_installed})
FetchContent_MakeAvailable(gtest)
if(EMSCRIPTEN)
  target_compile_options(gtest PRIVATE -w) # a newer compiler than these sources have seen
endif()
