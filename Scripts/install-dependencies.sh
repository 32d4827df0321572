#!/usr/bin/env bash
# Installs the system packages that the package needs and the machine lacks.
#
#   Scripts/install-dependencies.sh [build|test|headers|aarch64|apple|gates|gtk|docs-check|peers]...      (build when nothing is named)
#
#   build     libffi's header and library, for the trait LibFFI; on macOS they are part of the SDK
#   test      build, and gcc, clang, zlib and SQLite with their headers: the tests call functions that both compilers have compiled; on Debian also
#             gcc's Objective-C and GNUstep, whose objects they send messages to
#   headers   test, pkg-config, and the headers that make headers compares, which there are packages of on Debian only
#   aarch64   test, and a compiler and an emulator for AArch64
#   apple     pip and unzip, which get the headers of Apple's C library
#   docs-check Chromium, and Python 3 for a web server
#   gates     build, and valgrind, which there is none of for macOS
#   gtk       build, GTK 4, and what its example is run with: a virtual X server, clicks, screenshots
#   peers     build, and what the programs in Benchmarks/Peers are made with; one that cannot be had is no failure
#
# Silent when nothing is missing: then it neither runs the package manager nor asks for a password.
set -euo pipefail

say() { printf 'install-dependencies: %s\n' "$*"; }
fail() { say "$@" >&2; exit 1; }

usage() { sed -n '2,17s/^# \{0,1\}//p' "$0"; }

have() { command -v "$1" >/dev/null 2>&1; }

# Whether one of the paths exists; a pattern without a match is a path that does not.
any_file() {
  local path
  for path in "$@"; do [ -e "$path" ] && return 0; done
  return 1
}

# Root needs no help, anyone else needs sudo.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif have sudo; then
    sudo "$@"
  else
    fail "installing ${missing[*]} needs root: run this as root, or install sudo"
  fi
}

# One function for each thing needed: is it here?
have_libffi() {
  # Part of the SDK of macOS; Homebrew's is in a folder that the build does not search.
  [ "$(uname -s)" = Darwin ] || any_file /usr/include/ffi.h "/usr/include/$(uname -m)-linux-gnu/ffi.h" /usr/local/include/ffi.h
}
have_zlib() {
  case $manager in
    brew) true ;;  # part of macOS
    *) any_file {,/usr}/lib/"$(uname -m)"-linux-gnu/libz.so.1 {,/usr}/lib{,64}/libz.so.1 /usr/local/lib/libz.so.1 ;;
  esac
}

have_sqlite_header() { any_file /usr/include/sqlite3.h /usr/local/include/sqlite3.h "${SDKROOT:-/nonexistent}/usr/include/sqlite3.h"; }

have_compilers() { have gcc && have g++ && have pkg-config; }
# cc1obj is gcc's compiler of Objective-C; without it, its name comes back without a path.
have_objc() { have gcc && [ -x "$(gcc -print-prog-name=cc1obj)" ]; }
have_gnustep() { have_objc && have gnustep-config && gnustep-config --base-libs >/dev/null 2>&1; }
have_module() { have pkg-config && pkg-config --exists "$@"; }
have_libffcall() { any_file /usr/include/{,*-linux-gnu/}avcall.h /usr/local/include/avcall.h; }
have_ctypes() { have python3 && python3 -c 'import ctypes' 2>/dev/null; }
have_gtk() { any_file {,/usr}/lib/"$(uname -m)"-linux-gnu/libgtk-4.so.1 {,/usr}/lib{,64}/libgtk-4.so.1 /usr/local/lib/libgtk-4.so.1; }
have_aarch64_libc() { any_file /usr/aarch64-linux-gnu/lib/libc.a /usr/lib/aarch64-linux-gnu/libc.a; }
have_aarch64_emulator() { have qemu-aarch64 || have qemu-aarch64-static; }  # Debian has one in each of two packages

# Adds to the list the packages for a thing, by the names each manager has for it.
need() { # DEBIAN FEDORA HOMEBREW
  local names
  case $manager in
    dnf) read -r -a names <<<"$2" ;;
    brew) read -r -a names <<<"$3" ;;
    *) read -r -a names <<<"$1" ;;
  esac
  missing+=(${names[@]+"${names[@]}"})
}

# Once is enough. It may fail (no network, one dead mirror) while the lists at hand are good enough.
updated=false
update_lists() {
  if $updated || [ "$manager" != apt-get ]; then return 0; fi
  updated=true
  say "updating the package lists (apt-get update)"
  as_root apt-get update -qq || say "the update failed; going on with the lists at hand" >&2
}

install_missing() {
  update_lists
  case $manager in
    apt-get)
      say "installing ${missing[*]} (apt-get install)"
      as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        -o DPkg::Lock::Timeout=120 "${missing[@]}" >/dev/null
      ;;
    dnf)
      say "installing ${missing[*]} (dnf install)"
      as_root dnf install -y -q "${missing[@]}"
      ;;
    brew)
      say "installing ${missing[*]} (brew install)"
      brew install --quiet "${missing[@]}"  # Homebrew refuses to run as root
      ;;
    *)
      fail "no apt-get, dnf or brew here; install by hand what Debian calls: ${missing[*]}"
      ;;
  esac
}

# As install_missing; what cannot be installed, or has no name here, is said and left out.
install_peer() { # NAME DEBIAN FEDORA HOMEBREW
  missing=()
  need "$2" "$3" "$4"
  if [ ${#missing[@]} -eq 0 ]; then
    say "$1: not installed, as $manager has no package for it"
    return
  fi
  (update_lists)  # in a shell of its own, as all here: without root it would end this one
  updated=true
  if (install_missing); then
    say "installed ${missing[*]}"
  else
    say "$1: not installed, see above" >&2
  fi
}

[ $# -gt 0 ] || set -- build
groups=" $* "
for group in "$@"; do
  case $group in
    build | test | headers | gates | apple | docs-check | gtk | peers | aarch64) ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; fail "no group '$group'" ;;
  esac
done

# Whether one of these groups is wanted.
wants() {
  local group
  for group in "$@"; do [[ $groups == *" $group "* ]] && return 0; done
  return 1
}

manager=none
if [ "$(uname -s)" = Darwin ]; then
  have brew && manager=brew
else
  for candidate in apt-get dnf; do
    if have "$candidate"; then manager=$candidate; break; fi
  done
fi

missing=()
if wants build test headers gates gtk peers aarch64; then
  have_libffi || need libffi-dev libffi-devel
fi
if wants apple; then
  { have python3 && python3 -m pip --version >/dev/null 2>&1; } || need python3-pip python3-pip python
  have unzip || need unzip unzip unzip
fi
if wants test headers aarch64; then
  # The C library's headers are only recommended by Debian's gcc, and recommended packages stay out.
  have gcc || need "gcc libc6-dev" "gcc glibc-devel" gcc
  # The Swift toolchain brings a clang of its own; Debian's is for toolchains whose clang is not on the path.
  have clang || need clang clang llvm
  have_zlib || need zlib1g zlib zlib
  any_file /usr/include/zlib.h || need zlib1g-dev zlib-devel zlib
  have_sqlite_header || need libsqlite3-dev sqlite-devel sqlite
  if [ "$manager" = apt-get ]; then
    have_objc || need gobjc
    any_file /usr/include/GNUstep/Foundation/NSObject.h || need libgnustep-base-dev
  fi
fi
if wants aarch64; then
  # Elsewhere the cross compiler comes without a C library.
  [ "$manager" = apt-get ] || fail "the calls for AArch64 need the cross compiler of Debian or of a distribution like it"
  have aarch64-linux-gnu-gcc || need gcc-aarch64-linux-gnu
  have_aarch64_libc || need libc6-dev-arm64-cross
  have_aarch64_emulator || need qemu-user-static
fi
if wants gates && [ "$(uname -s)" = Linux ]; then
  have valgrind || need valgrind valgrind valgrind
fi
if wants gtk; then
  before=${#missing[@]}
  have_gtk || need libgtk-4-1
  have Xvfb || need xvfb
  have xdotool || need xdotool
  have import || need imagemagick
  [ "$manager" = apt-get ] || [ ${#missing[@]} -eq "$before" ] \
    || fail "the GTK example needs GTK 4, Xvfb, xdotool and ImageMagick, which are installed here with apt-get only"
fi

# What is not on Debian is compared with the headers that are there.
if wants headers && [ "$manager" = apt-get ]; then
  have pkg-config || need pkg-config
  while read -r header package; do
    any_file "/usr/include/$header" "/usr/include/$(uname -m)-linux-gnu/$header" || need "$package"
  done <<'END'
bzlib.h libbz2-dev
curl/curl.h libcurl4-openssl-dev
expat.h libexpat1-dev
gcrypt.h libgcrypt20-dev
git2.h libgit2-dev
glib-2.0/glib.h libglib2.0-dev
gmp.h libgmp-dev
jpeglib.h libjpeg62-turbo-dev
libxml2/libxml/parser.h libxml2-dev
lzma.h liblzma-dev
ncurses.h libncurses-dev
openssl/ssl.h libssl-dev
pcre2.h libpcre2-dev
png.h libpng-dev
readline/readline.h libreadline-dev
uuid/uuid.h uuid-dev
X11/Xlib.h libx11-dev
END
fi

if wants docs-check; then
  have chromium || have chromium-browser || have google-chrome || need chromium chromium chromium
  have python3 || need python3 python3 python
fi

if [ ${#missing[@]} -gt 0 ]; then
  install_missing
  say "installed ${missing[*]}"
fi

# Each on its own, as apt-get installs nothing when one package is unknown.
if wants peers; then
  have_compilers || install_peer "compilers" "gcc g++ libc6-dev pkg-config" "gcc gcc-c++ glibc-devel pkgconf" "gcc pkgconf"
  have_gnustep || install_peer "GNUstep" "gobjc libgnustep-base-dev gnustep-make" "gcc-objc gnustep-base-devel gnustep-make" ""
  have_module gobject-2.0 || install_peer "GObject" libglib2.0-dev glib2-devel glib
  have_module Qt6Core || install_peer "Qt" qt6-base-dev qt6-qtbase-devel qtbase
  have_libffcall || install_peer "libffcall" libffcall-dev libffcall-devel libffcall
  have luajit || install_peer "LuaJIT" luajit luajit luajit
  have_ctypes || install_peer "ctypes" python3 python3 python3
fi
