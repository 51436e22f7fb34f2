# An Emscripten port, for a module with C++ components and systems without CMake:
#
#     em++ game.cpp --use-port=node_modules/crateful/port/crateful.py -o game.mjs
#
# The first use compiles the core and the bindings into Emscripten's cache. Options of yours take precedence over those below.

import glob
import hashlib
import os

from tools import system_libs, utils
from tools.settings import settings

DESCRIPTION = 'Crateful, an entity component system, for C++ that TypeScript uses'
LICENSE = 'MIT'
URL = 'https://github.com/crateful/crateful'

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDES = [os.path.join(ROOT, 'core/include'), os.path.join(ROOT, 'bindings/include')]

# What bindings/CMakeLists.txt says of each option.
settings.WASM_EXCEPTIONS = 1
settings.MODULARIZE = 1
settings.EXPORT_ES6 = 1
settings.ENVIRONMENT = ['web', 'worker']
settings.EXPECT_MAIN = 0
settings.EMBIND = 1
settings.EMBIND_AOT = 1
settings.DYNAMIC_EXECUTION = 0
settings.ALLOW_MEMORY_GROWTH = 1
settings.GROWABLE_ARRAYBUFFERS = 0
settings.ABORTING_MALLOC = 0
settings.STACK_SIZE = 262144


# A program can replace their functions, so they are not compiled together with the others.
REPLACEABLE = ['number_text.cpp', 'parent.cpp', 'steady_clock.cpp']


def sources(folder):
  found = glob.glob(os.path.join(ROOT, folder, 'src', '*.cpp'))
  # Without the library module of the package, and without crateful::state and crateful::inspection in bindings/CMakeLists.txt.
  others = ('changes.cpp', 'history.cpp', 'inspection.cpp', 'module.cpp', 'rewind.cpp', 'state.cpp')
  return sorted(file for file in found if os.path.basename(file) not in others)


def version():
  """A hash of all sources, so that another version is not taken from the cache."""
  files = [*sources('core'), *sources('bindings')]
  for include in INCLUDES:
    files += sorted(glob.glob(os.path.join(include, '**', '*.hpp'), recursive=True))
  text = hashlib.sha256()
  for file in files:
    with open(file, 'rb') as opened:
      text.update(opened.read())
  return text.hexdigest()[:12]


def library(part):
  return f'libcrateful-{part}-{version()}{"-mt" if settings.PTHREADS else ""}.a'


def get(ports, settings, shared):
  flags = ['-std=c++20', '-O3', '-DNDEBUG', '-fwasm-exceptions', *(f'-I{i}' for i in INCLUDES)]
  if settings.PTHREADS:
    flags.append('-pthread')

  def build(part):
    def create(final):
      alone = [file for file in sources(part) if os.path.basename(file) in REPLACEABLE]
      together = os.path.join(ports.get_build_dir(), 'crateful', f'{part}.cpp')  # compiles in a fifth of the time
      os.makedirs(os.path.dirname(together), exist_ok=True)
      ports.write_file(together, ''.join(f'#include "{file}"\n' for file in sources(part) if file not in alone))
      ports.build_port(ROOT, final, 'crateful', flags=flags, srcs=[together, *alone])
    return shared.cache.get_lib(library(part), create, what='port')

  # In reverse order. All of the bindings, because nothing refers to the embind declarations.
  libraries = [build('core'), '--no-whole-archive', build('bindings'), '--whole-archive']
  if linking:
    libraries.insert(0, system_libs.Library.get_usable_variations()['libembind'].build())
  return libraries


def clear(ports, settings, shared):
  for part in ('core', 'bindings'):
    shared.cache.erase_lib(library(part))


def process_args(ports):
  return ['-std=c++20', '-fwasm-exceptions', *(f'-I{i}' for i in INCLUDES)]


linking = False


def linker_setup(ports, settings):
  global linking
  linking = True
  # As -lembind, which Emscripten does not accept from a port.
  settings.JS_LIBRARIES += [utils.path_from_root('src/lib', file) for file in ('libembind.js', 'libemval.js')]
  settings.JS_LIBRARIES.append(os.path.join(ROOT, 'bindings/src/host.js'))


def show():
  return f'crateful (--use-port={os.path.abspath(__file__)}; {LICENSE} license)'
