#!/usr/bin/env bash
# Proves that a package which names no trait never fetches swift-syntax, which only the trait Macros needs, let alone builds it; and that a package which turns the trait LibFFI off needs neither libffi's header nor its library.
#
#   Scripts/check-traits.sh
#
# Resolves Tests/Consumer, which names no trait, from nothing; and Tests/MacroConsumer, to show that the look sees what it looks
# for. Then builds and runs Tests/Consumer with no traits, where including ffi.h is an error.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$PWD/.build-check-traits
trap 'rm -rf "$scratch"' EXIT

say() { printf 'check-traits: %s\n' "$*"; }
fail() { say "$@" >&2; exit 1; }

# Everything that resolving leaves of some dependencies, given as an extended regular expression: clones, checkouts, the list of versions, and the tree of dependencies.
traces_of() { # DEPENDENCIES PACKAGE [ARGUMENT...]
  local dependencies=$1 path=$2
  shift 2
  local package=("${SWIFT:-swift}" package --package-path "$path" --scratch-path "$scratch" "$@")
  # This package keeps its list, which may be in use.
  local list=$path/Package.resolved
  rm -rf "$scratch"
  if [ "$path" = . ]; then list=/dev/null; else rm -f "$list"; fi
  "${package[@]}" resolve >&2
  "${package[@]}" show-dependencies --format text >"$scratch/tree"
  { ls "$scratch/checkouts" "$scratch/repositories"; cat "$scratch/tree" "$list"; } | grep -iE "$dependencies" || true
}

optional=swift-syntax
traces=$(traces_of "$optional" Tests/Consumer)
[ -z "$traces" ] || fail "this is resolved without a trait:" "$traces"
say "without a trait $optional is not resolved"
[ -n "$(traces_of swift-syntax Tests/MacroConsumer)" ] || fail "swift-syntax is not seen with Macros either, so the look proves nothing"
say "with the trait Macros it is"

# A header of libffi that cannot be included, before any other.
plain=$PWD/.build-without-libffi
mkdir -p "$plain/include/ffi" "$plain/package"
for header in ffi.h ffi/ffi.h; do echo '#error "libffi was included"' >"$plain/include/$header"; done
clang=$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")/clang
[ -x "$clang" ] || clang=clang
includes() { "$clang" -fsyntax-only -I "$plain/include" -I CFFIShim/include "$@" 2>&1; } # ARGUMENT...: compiles C and shows what is wrong
sees_libffi() { grep -q 'libffi was included' <<<"$1"; }
sees_libffi "$(includes -DCFFI_LIBFFI=1 CFFIShim/cffi_call.c)" || fail "libffi's header is not seen with the trait either, so the look proves nothing"
for header in CFFIShim/include/*.h; do
  seen=$(includes -DCFFI_LIBFFI=1 -x c "$header") || fail "$header includes more than the toolchain's headers:" "$seen"
done
say "no public header includes ffi.h"

# Tests/Consumer, with another line for the dependency.
rm -rf "$plain/package/Sources"
cp -R Tests/Consumer/Sources "$plain/package/"
sed "s|path: \"../..\"|path: \"$PWD\", traits: []|" Tests/Consumer/Package.swift >"$plain/package/Package.swift"
grep -q 'traits: \[\]' "$plain/package/Package.swift" || fail "the dependency of Tests/Consumer is not where it was"
build=("${SWIFT:-swift}" build --package-path "$plain/package" --scratch-path "$plain/build" --product consumer -Xcc "-I$plain/include")
log=$("${build[@]}" 2>&1) || fail "Tests/Consumer does not build without libffi:" "$log"
program=$("${build[@]}" --show-bin-path)/consumer
output=$("$program") || fail "$output"
grep -q 'trait LibFFI' <<<"$output" || fail "a call by libffi is not refused with the name of the trait:" "$output"
if [ "$(uname -s)" = Darwin ]; then loaded=$(otool -L "$program" | tail -n +2); else loaded=$(readelf -d "$program"; ldd "$program"); fi
! grep -i 'libffi' <<<"$loaded" || fail "a program without the trait LibFFI loads libffi"
say "without the trait LibFFI a program calls and is called, includes no ffi.h and loads no libffi"
