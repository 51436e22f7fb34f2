# A recipe for Conan 2: conan create port
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Crateful(ConanFile):
    name = 'crateful'
    description = 'An entity component system whose frames cost what changed, not what exists'
    license = 'MIT'
    url = homepage = 'https://github.com/crateful/crateful'
    package_type = 'static-library'
    settings = 'os', 'compiler', 'build_type', 'arch'
    options = {'fPIC': [True, False]}
    default_options = {'fPIC': True}
    implements = ['auto_shared_fpic']

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, '../core/include/crateful/version.hpp'))
        self.version = '.'.join(re.findall(r'CRATEFUL_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)', header))

    def export_sources(self):
        root = os.path.dirname(self.recipe_folder)
        for pattern in ('CMakeLists.txt', 'LICENSE', 'core/*'):
            copy(self, pattern, root, self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeToolchain(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, 'LICENSE', self.source_folder, os.path.join(self.package_folder, 'licenses'))

    def package_info(self):
        self.cpp_info.libs = ['crateful_core']
        self.cpp_info.set_property('cmake_target_name', 'crateful::core')
