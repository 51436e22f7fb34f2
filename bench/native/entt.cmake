# EnTT::EnTT, where EnTT is installed or -DENTT_INCLUDE_DIR= names the folder that contains entt/entt.hpp.
set(ENTT_INCLUDE_DIR "" CACHE PATH "The folder that contains entt/entt.hpp, to compare with EnTT")
if(ENTT_INCLUDE_DIR)
  add_library(crateful_bench_entt_headers INTERFACE)
  target_include_directories(crateful_bench_entt_headers SYSTEM INTERFACE ${ENTT_INCLUDE_DIR})
  add_library(EnTT::EnTT ALIAS crateful_bench_entt_headers)
else()
  find_package(EnTT QUIET GLOBAL)
endif()
