#!/usr/bin/env bash
# Builds everything with Debian's Swift 6.2 in a root of its own, runs the demo, and says which tests fail there.
#
#   Scripts/check-swift-6.2.sh       makes the root, if it is not there (4 GB; needs the user root, and debootstrap)
#
# ROOT is the folder, .build-swift-6.2 if it is not given. That it compiles and that the demo is right is required. The tests
# of Swift functions by name fail: the symbols of that toolchain's libraries state less, and what nothing states is refused.
set -euo pipefail
cd "$(dirname "$0")/.."

root=${ROOT:-$PWD/.build-swift-6.2}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
packages=swiftlang,swiftlang-dev,libffi-dev,git,make,gcc,g++,clang,libc6-dev,ca-certificates,zlib1g,zlib1g-dev,libsqlite3-dev

say() { printf 'check-swift-6.2: %s\n' "$*"; }

if [ ! -x "$root/usr/bin/swift" ]; then
  command -v debootstrap >/dev/null || { say "this needs debootstrap" >&2; exit 1; }
  say "making a root in $root; this takes minutes"
  debootstrap --variant=minbase --include="$packages" sid "$root" "$mirror" >/dev/null
fi

# The root has its own copy of what is committed and changed here, and the caches of SwiftPM, so that it fetches nothing again.
mkdir -p "$root/package" "$root/root/.cache" "$root/root/.swiftpm"
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
  if [ -e "$file" ]; then printf '%s\0' "$file"; fi
done | tar --null --files-from=- -cf - | tar -xf - -C "$root/package"
if [ -d ~/.cache/org.swift.swiftpm ]; then cp -r ~/.cache/org.swift.swiftpm "$root/root/.cache/"; fi
if [ -d ~/.swiftpm ]; then cp -r ~/.swiftpm/. "$root/root/.swiftpm/"; fi
cp /etc/resolv.conf "$root/etc/resolv.conf"

# A namespace of its own, so that nothing stays mounted.
unshare --mount bash -euc '
  mount --bind /proc "$1/proc"
  mount --bind /dev "$1/dev"
  exec chroot "$1" bash -euc "
    cd /package
    swift --version 2>/dev/null | head -1
    # Debian has no library for the attachments of Foundation, of which the tests use nothing.
    [ -e /usr/libexec/swift/lib/swift/linux/lib_Testing_Foundation.so ] || ar rcs /usr/lib/lib_Testing_Foundation.a
    swift build --build-tests --traits default,Tools --quiet
    .build/debug/invocation-demo
    swift test --traits default,Tools --skip-build 2>&1 | grep -E \"^✘ Suite|Test run with\" || true
  "' check-swift-6.2 "$root"
