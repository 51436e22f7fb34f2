# The sources are those around this port: vcpkg install crateful --overlay-ports=crateful/port/vcpkg
get_filename_component(sources "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
vcpkg_cmake_configure(
  SOURCE_PATH "${sources}"
  OPTIONS -DCRATEFUL_BUILD_TESTS=OFF -DCRATEFUL_BUILD_DEMO=OFF -DCRATEFUL_BUILD_EXAMPLES=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/crateful)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${sources}/LICENSE")
