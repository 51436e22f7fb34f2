#!/bin/sh
# setup-emscripten.sh - find an Emscripten, or make one available without root.
#   usage: envfile=$(sh setup-emscripten.sh) && . "$envfile"
# Prints one line: the path of a file to source, after which `emcc` works.
# 1. If $EMSDK or PATH already offers emcc >= EM_MIN, that one is used and nothing is downloaded
#    (EM_FORCE_PRIVATE=1 skips this step).
# 2. Otherwise, on x86-64 Debian hosts, Debian's own emscripten, binaryen, clang, lld and llvm
#    packages (and the libraries they need, libc included) are taken from a newer suite with a
#    private apt state, unpacked under PREFIX and patched to run on PREFIX's own libc. Nothing
#    outside PREFIX is touched: no root, no maintainer scripts, no change to host packages.
# 3. Anywhere else it prints what to install.
# PREFIX is in the user's cache folder and keyed by this script's contents, so that fresh clones
# share it and a change of this script makes a new one. It cannot be moved; it may be deleted.
# Step 2 needs apt, python3 >= 3.10, node >= 18.3; 105 MB of downloads, 0.7 GB of disk.
# Env: EM_SUITE        Debian suite to take the packages from (default forky)
#      EM_PORTS        Emscripten ports to build from Debian's source packages instead of from
#                      their authors' downloads: "port=source/suite ..." (default
#                      "sdl2=libsdl2/trixie"; may be "")
#      DEBIAN_MIRROR   mirror URI (default: the one the host's apt uses)
set -eu
exec 3>&1 1>&2                   # messages go to stderr; descriptor 3 is for the path that is printed
EM_MIN=6.0.0
SUITE=${EM_SUITE:-forky}
PORTS=${EM_PORTS-sdl2=libsdl2/trixie}
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
KEY=$(cksum <"$0" | cut -d ' ' -f 1)
PREFIX=${XDG_CACHE_HOME:-$HOME/.cache}/crateful/emscripten-$KEY
say() { echo "setup-emscripten: $*"; }
die() { say "error: $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

mkdir -p "$PREFIX" && PREFIX=$(cd "$PREFIX" && pwd -P)
exec 9>"$PREFIX/.em-lock"
! have flock || flock 9          # one run at a time

# ---- 1. an Emscripten that is already there -------------------------------------------------
for emcc in "${EMSDK:-}/upstream/emscripten/emcc" "$(command -v emcc || :)"; do
  case ${EM_FORCE_PRIVATE:-}$emcc in '' | 1* | "$PREFIX"/*) continue ;; esac
  v=$("$emcc" --version 2>/dev/null | sed -n '1s/.* \([0-9]\{1,\}\.[0-9.]*[0-9]\).*/\1/p')
  if [ -n "$v" ] && [ "$(printf '%s\n' "$EM_MIN" "$v" | sort -V | head -n 1)" = "$EM_MIN" ]; then
    # Not env.sh: that one belongs to the private Emscripten, which may be here as well.
    echo "export PATH=\"$(dirname "$emcc"):\$PATH\"" >"$PREFIX/host-env.sh"
    echo "$PREFIX/host-env.sh" >&3
    exit 0
  fi
done

# ---- 2. the private one ---------------------------------------------------------------------
{ [ "$(uname -sm)" = "Linux x86_64" ] && have apt-get && have dpkg-deb; } ||
  die "Emscripten $EM_MIN or newer is needed: install it with emsdk (emscripten.org) and source its emsdk_env.sh, or put emcc on PATH"
{ have node && have python3; } || die "node and python3 are needed: apt-get install nodejs python3"
case $PREFIX in *[!A-Za-z0-9/._+@-]*) die "apt and cmake mishandle this path, set XDG_CACHE_HOME: $PREFIX" ;; esac
EM=$PREFIX/upstream/emscripten   # emsdk's layout, so that $EMSDK/upstream/emscripten/... works too
STAMP="$PREFIX $SUITE $PORTS"
if [ "$(cat "$PREFIX/.em-stamp" 2>/dev/null || :)" = "$STAMP" ] && "$EM/emcc" --version >/dev/null 2>&1; then
  echo "$PREFIX/env.sh" >&3
  exit 0
fi
cd "$PREFIX" && rm -rf .em-stamp env.sh usr etc bin upstream apt cache ports

# The mirror that the host's own release comes from carries the newer suites too.
# shellcheck disable=SC1091,SC2016
MIRROR=${DEBIAN_MIRROR:-$(apt-get indextargets --no-release-info --format '$(RELEASE) $(REPO_URI)' |
  awk -v c="$(. /etc/os-release && echo "${VERSION_CODENAME:-}")" '$1 == c || $1 ~ /^(old)*stable$/ { print $2; exit }')}
{ [ -n "$MIRROR" ] && [ -r "$KEYRING" ]; } || die "no Debian mirror (set DEBIAN_MIRROR) or no $KEYRING"

# A private apt: own sources, lists, cache and dpkg status. Of the host's settings only Acquire's
# (proxies, ...) are kept, no hooks and no pins. Its dpkg status lists packages that are not
# downloaded: the host's node and python3 with their real versions, held, so that apt fails if
# emscripten needs newer ones; and packages that only native builds need.
A=$PREFIX/apt
mkdir -p "$A/lists/partial" "$A/cache/archives/partial" "$A/none.d" "$A/src"
apt-config dump Acquire >"$A/apt.conf"
cat >>"$A/apt.conf" <<CONF
Dir::Etc { parts "$A/none.d"; main "/dev/null"; sourcelist "$A/sources.list"; sourceparts "$A/none.d";
  preferences "/dev/null"; preferencesparts "$A/none.d"; };
Dir::State "$A"; Dir::State::lists "$A/lists"; Dir::State::status "$A/status"; Dir::Cache "$A/cache"; Dir::Log "$A";
Dir::State::extended_states "$A/extended_states"; APT::Architecture "amd64"; APT::Architectures { "amd64"; };
APT::Install-Recommends "false"; APT::Sandbox::User "root"; Acquire::Languages "none"; Acquire::Retries "3";
Acquire::Check-Valid-Until "false";     // mirrors may be outdated; signatures are still checked
CONF
export APT_CONFIG="$A/apt.conf" DEBIAN_FRONTEND=noninteractive
aptget() { apt-get -q -y "$@" >>"$A/log" 2>&1 || { tail -n 20 "$A/log"; die "apt-get $* failed"; }; }
use_suite() { echo "$1 [arch=amd64 signed-by=$KEYRING] $MIRROR $2 main" >"$A/sources.list"; aptget update; }
stub() { printf 'Package: %s\nStatus: %s ok installed\nVersion: %s\nArchitecture: amd64\nMulti-Arch: allowed\nMaintainer: -\nDescription: -\n\n' "$@" >>"$A/status"; }
say "downloading Debian $SUITE's emscripten"
: >"$A/status"; use_suite deb "$SUITE"
stub nodejs hold "$(node -p process.versions.node)"
stub python3 hold "$(python3 -c 'import platform; print(platform.python_version())')"
for p in $(apt-cache pkgnames | grep -E '^(ccache|binutils|libc6-dev|libclang1-[0-9]+|(libgcc|libstdc\+\+|libobjc)-[0-9]+-dev)$'); do
  stub "$p" install 9999; done
aptget install --download-only emscripten patchelf
say "unpacking $(du -sh "$A/cache/archives" | cut -f1) of packages"
printf '%s\n' "$A"/cache/archives/*.deb | xargs -P "$(nproc)" -I '{}' dpkg-deb --extract '{}' "$PREFIX"
rm -rf usr/share/doc usr/share/man usr/lib/*/gconv

# Every ELF program gets PREFIX's loader and libraries; libraries find each other beside them.
# (Copy, patch, rename: the running patchelf itself maps some of these files.)
L=$PREFIX/usr/lib/x86_64-linux-gnu
LD=$L/ld-linux-x86-64.so.2
pe() { "$LD" --library-path "$L" usr/bin/patchelf "$@"; }
patch_elf() { cp -p "$f" "$f.new" && pe "$@" --force-rpath --set-rpath "$L" "$f.new" && mv -f "$f.new" "$f"; }
find "$L" -type f -name '*.so*' ! -path "$LD" | while read -r f; do
  case $(pe --print-rpath "$f" 2>/dev/null || :) in ?*) patch_elf ;; esac
done
find usr/bin usr/lib/llvm-*/bin -type f | while read -r f; do
  case $(pe --print-interpreter "$f" 2>/dev/null || :) in /lib64/*) patch_elf --set-interpreter "$LD" ;; esac
done

# Emscripten's configuration. Its JS tools import Debian's acorn, found in usr/share/node_modules.
mkdir -p upstream bin && ln -s ../usr/share/emscripten upstream/emscripten
ln -s nodejs usr/share/node_modules
(cd bin && ln -s ../usr/bin/wasm-[!l]* ../usr/bin/wasm2js .)
llvm=$(sed -n 's/^EXPECTED_LLVM_VERSION *= *\([0-9]*\).*/\1/p' "$EM/tools/shared.py")
[ -x "usr/lib/llvm-$llvm/bin/clang" ] || die "emscripten needs LLVM '$llvm', but the packages contain $(echo usr/lib/llvm-*)"
cat >"$EM/.emscripten" <<CONF
import shutil
LLVM_ROOT = '$PREFIX/usr/lib/llvm-$llvm/bin'
BINARYEN_ROOT = '$PREFIX/usr'
NODE_JS = '$(node -p process.execPath)'
CACHE = '$PREFIX/cache'
PORTS = '$PREFIX/ports'
CLOSURE_COMPILER = shutil.which('google-closure-compiler')   # npm's, when node_modules/.bin is on PATH
CONF
cat >env.sh <<CONF
export EMSDK="$PREFIX" EMSDK_PYTHON="$(python3 -c 'import sys; print(sys.executable)')" PATH="$EM:$PREFIX/bin:\$PATH"
unset EM_CONFIG EM_CACHE EM_PORTS EM_LLVM_ROOT EM_BINARYEN_ROOT EM_NODE_JS
CONF

# Ports: put Debian's sources where emcc would have unpacked its own download, so that plain
# --use-port=NAME finds them. The port's own script defines the URL and the folder that it expects.
for p in $PORTS; do
  pkg=${p#*=}; use_suite deb-src "${pkg#*/}"
  (cd "$A/src" && aptget source --download-only --tar-only "${pkg%/*}")
  python3 - "$EM/tools/ports/${p%%=*}.py" "$A"/src/*.orig.tar.*z* "$A/src/x" "$PREFIX/ports" <<'PY'
import os, runpy, shutil, sys
from unittest.mock import MagicMock
port, tar, tmp, root = sys.argv[1:]
ports, shared, where = MagicMock(), MagicMock(), []
ports.get_dir.side_effect = lambda *parts: where.append(parts) or "/nonexistent"
shared.cache.get_lib.side_effect = lambda name, create, **kw: create("/nonexistent")
try: runpy.run_path(port)["get"](ports, MagicMock(PTHREADS=0), shared)
except Exception: pass       # the sources were registered before the build failed
shutil.unpack_archive(tar, tmp)
shutil.move(os.path.join(tmp, *os.listdir(tmp)), os.path.join(root, *where[0]))
with open(os.path.join(root, where[0][0], ".emscripten_url"), "w") as f: f.write(ports.fetch_project.call_args[0][1] + "\n")
PY
  rm -rf "$A"/src/*
done

# Emscripten compiles a library of a thousand small files in one call, for which Clang starts a process for each file: two thirds of
# the time. Until the libraries are built, this program stands in for Clang, and has one process compile all files with the same options.
# Nothing but the name of the source in the debug information differs.
clang=$PREFIX/usr/lib/llvm-$llvm/bin/clang
mv "$clang" "$clang-itself"
cat >"$clang" <<'PY'
#!/usr/bin/env python3
import os, shlex, subprocess, sys
clang = os.path.realpath(__file__) + "-itself"
args = sys.argv[1:]
if sys.argv[0].endswith("++"): args.insert(0, "--driver-mode=g++")
sources = [arg for arg in args if arg.endswith((".c", ".cpp"))]
if "-c" not in args or "-o" in args or len(sources) < 2: os.execv(clang, [clang, *args])
rest = [arg for arg in args if arg not in sources]
if any(arg.endswith((".s", ".S")) for arg in rest): subprocess.run([clang, *rest], check=True)
groups = {}
for line in subprocess.run([clang, "-###", *rest, *sources], stderr=subprocess.PIPE, text=True, check=True).stderr.splitlines():
  command = shlex.split(line) if '"-cc1"' in line else [""]
  if command[-1] not in sources: continue
  source, named = command.pop(), {}
  for name in ("-o", "-main-file-name"):
    at = command.index(name)
    named[name] = command[at + 1]
    del command[at:at + 2]
  groups.setdefault(tuple(command), []).append((source, named["-o"]))
for command, files in groups.items():
  subprocess.run([*command, *(source for source, _ in files)], check=True)
  for source, target in files: os.replace(os.path.splitext(source)[0] + ".o", target)
PY
chmod +x "$clang"

# Check the result with what this project needs: compile C++ with exceptions (this builds the C and C++
# libraries of that variant into PREFIX/cache) and run it.
# shellcheck disable=SC1091
. ./env.sh; unset APT_CONFIG
say "building system libraries and a first program"
cat >"$A/hello.cpp" <<'CPP'
#include <cstdio>
#include <stdexcept>
int main() {
  try { throw std::runtime_error("hello from wasm"); } catch (const std::exception& e) { std::puts(e.what()); }
}
CPP
{ em++ -fwasm-exceptions -O2 "$A/hello.cpp" -o "$A/hello.js" >>"$A/log" 2>&1 && [ "$(node "$A/hello.js")" = "hello from wasm" ]; } ||
  { tail -n 25 "$A/log"; die "the unpacked emcc does not work"; }
mv "$clang-itself" "$clang"
# A debug build needs a libc++ that was compiled without -DNDEBUG, which is the same: compiling it again would take a minute.
for lib in cache/sysroot/lib/wasm32-emscripten/libc++-*except.a; do cp "$lib" "${lib%-*}-debug-${lib##*-}"; done
rm -rf "$A"
echo "$STAMP" >.em-stamp
say "$(emcc --version | head -n 1) ready in $PREFIX"
echo "$PREFIX/env.sh" >&3
