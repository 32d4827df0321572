#!/usr/bin/env bash
# Builds the package with Debian's Swift 6.2 in a root of its own, runs the demo, and runs the tests.
#
#   Scripts/debian-swift.sh native [ARGUMENTS of swift test]...     for this processor
#   Scripts/debian-swift.sh aarch64 [ARGUMENTS of the tests]...     for AArch64 Linux, run by qemu
#
# ROOT is the root's folder, .build-debian if it is not given; it is made if it is not there (8 GB in all, minutes), for
# which the user root and debootstrap are needed. DEBIAN_MIRROR is the mirror, which may be a snapshot.
#
# For AArch64 a Swift SDK is made of Debian's packages for arm64, and what is compiled runs under qemu, also as a child of
# another program: binfmt_misc is told of qemu while this runs. The compilers that the tests call compile for AArch64.
set -euo pipefail
cd "$(dirname "$0")/.."

root=${ROOT:-$PWD/.build-debian}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
packages=swiftlang,swiftlang-dev,libffi-dev,git,make,gcc,g++,clang,libc6-dev,ca-certificates,zlib1g-dev,libsqlite3-dev
cross="gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static"
foreign="swiftlang swiftlang-dev libffi-dev libc6-dev libstdc++-15-dev gcc zlib1g-dev libsqlite3-dev"
sdk=usr/local/swift-sdks/debian-arm64.artifactbundle

say() { printf 'debian-swift: %s\n' "$*"; }

# Runs commands in the root. A mount namespace of its own, so that nothing stays mounted. The home folder is this user's,
# for what SwiftPM has fetched already.
inside() { # COMMANDS ARGUMENTS...
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  mkdir -p "$root/package"
  unshare --mount bash -euc '
    root=$1 home=$2 package=$3
    mount --bind /proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --bind "$home" "$root/root"
    mount --bind "$package" "$root/package"
    mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc none /proc/sys/fs/binfmt_misc 2>/dev/null || true
    mount --bind /proc/sys/fs/binfmt_misc "$root/proc/sys/fs/binfmt_misc" 2>/dev/null || true
    shift 3
    exec chroot "$root" env -C /package HOME=/root PATH=/usr/bin:/usr/sbin:/bin:/sbin bash -euc "$@"
  ' debian-swift "$root" "$HOME" "$PWD" "$1" debian-swift "${@:2}"
}

make_root() {
  if [ -d "$root/usr/libexec/swift" ]; then return; fi
  command -v debootstrap >/dev/null || { say "this needs debootstrap" >&2; exit 1; }
  say "making a root in $root; this takes minutes"
  debootstrap --variant=minbase --include="$packages" sid "$root" "$mirror" >/dev/null
  echo 'Acquire::Check-Valid-Until false;' >"$root/etc/apt/apt.conf.d/snapshot"
}

# The libraries for arm64 in a folder of the root, and a Swift SDK that names them.
make_sdk() {
  if [ -e "$root/$sdk/info.json" ]; then return; fi
  say "adding the packages for arm64"
  # shellcheck disable=SC2016
  inside '
    mkdir -p /arm /var/cache/arm/lists/partial /var/cache/arm/archives/partial
    arm() {
      apt-get -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::lists=/var/cache/arm/lists \
        -o Dir::Cache=/var/cache/arm -o Dir::State::status=/dev/null -qq "$@"
    }
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq update
    apt-get -qq install --no-install-recommends $1 >/dev/null
    arm update
    arm install --download-only --no-install-recommends $2 >/dev/null
    for package in /var/cache/arm/archives/*.deb; do dpkg-deb -x "$package" /arm; done
    rm -rf /var/cache/arm
    ln -sfn usr/lib /arm/lib
  ' "$cross" "$foreign"
  local folder=$root/$sdk tools=$root/usr/local/aarch64-tools
  mkdir -p "$folder/arm64/aarch64" "$tools"
  cat >"$folder/arm64/aarch64/swift-sdk.json" <<'END'
{
  "schemaVersion": "4.0",
  "targetTriples": {
    "aarch64-unknown-linux-gnu": {
      "sdkRootPath": "/arm",
      "swiftResourcesPath": "/arm/usr/libexec/swift/lib/swift",
      "swiftStaticResourcesPath": "/arm/usr/libexec/swift/lib/swift_static",
      "toolsetPaths": ["toolset.json"]
    }
  }
}
END
  cat >"$folder/arm64/aarch64/toolset.json" <<'END'
{
  "schemaVersion": "1.0",
  "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld", "-Xclang-linker", "--target=aarch64-linux-gnu"]},
  "cCompiler": {"extraCLIOptions": ["--target=aarch64-linux-gnu"]},
  "linker": {"path": "/usr/libexec/swift/bin/ld.lld"}
}
END
  # What the tests call by these names compiles for AArch64.
  local suffix
  for suffix in cc ++; do
    printf '#!/bin/sh\nexec aarch64-linux-gnu-g%s "$@"\n' "$suffix" >"$tools/g$suffix"
    printf '#!/bin/sh\nexec /usr/bin/clang%s --target=aarch64-linux-gnu "$@"\n' "${suffix#cc}" >"$tools/clang${suffix#cc}"
  done
  cp "$tools/gcc" "$tools/cc"
  printf '#!/bin/sh\nexec aarch64-linux-gnu-strip "$@"\n' >"$tools/strip"
  cat >"$tools/swiftc" <<'END'
#!/bin/sh
exec /usr/bin/swiftc -target aarch64-unknown-linux-gnu -sdk /arm -resource-dir /arm/usr/libexec/swift/lib/swift \
  -use-ld=lld -Xclang-linker --target=aarch64-linux-gnu "$@"
END
  # Those that read modules are not among Debian's commands. The first folder of modules is used, the last SDK.
  for suffix in api-digester symbolgraph-extract; do
    cat >"$tools/swift-$suffix" <<END
#!/bin/sh
exec /usr/libexec/swift/bin/swift-$suffix -I /arm/usr/libexec/swift/lib/swift/linux "\$@" \
  -sdk /arm -resource-dir /arm/usr/libexec/swift/lib/swift
END
  done
  chmod +x "$tools"/*
  cat >"$folder/info.json" <<'END'
{
  "schemaVersion": "1.0",
  "artifacts": {
    "debian-arm64": {
      "type": "swiftSDK",
      "version": "0.0.1",
      "variants": [
        {"path": "arm64/aarch64", "supportedTriples": ["x86_64-unknown-linux-gnu", "x86_64-pc-linux-gnu"]}
      ]
    }
  }
}
END
}

case ${1-} in
  native)
    shift
    make_root
    inside '
      swift --version 2>/dev/null | sed -n 1p
      # Debian has no library for the attachments of Foundation; the tests use nothing of it.
      [ -e /usr/libexec/swift/lib/swift/linux/lib_Testing_Foundation.so ] || ar rcs /usr/lib/lib_Testing_Foundation.a
      swift build --build-tests --scratch-path .build-debian-native --quiet
      CONFORMANCE=1 swift build --product conformance --scratch-path .build-debian-native --quiet
      .build-debian-native/debug/invocation-demo
      PATH=$PATH:/usr/libexec/swift/bin  # what reads modules is not among the commands
      swift test --scratch-path .build-debian-native --skip-build "$@" >.build-debian-native/test.log 2>&1 || true
      grep -E "^✘ (Suite|Test) .*failed|Test run with" .build-debian-native/test.log
    ' "$@"
    ;;
  aarch64)
    shift
    make_root
    make_sdk
    inside '
      swift --version 2>/dev/null | sed -n 1p
      [ -e /arm/usr/libexec/swift/lib/swift/linux/lib_Testing_Foundation.so ] \
        || aarch64-linux-gnu-ar rcs /arm/usr/lib/aarch64-linux-gnu/lib_Testing_Foundation.a
      swift build --swift-sdks-path /usr/local/swift-sdks --swift-sdk debian-arm64 --build-tests \
        --scratch-path .build-debian-aarch64 --quiet
      binfmt=/proc/sys/fs/binfmt_misc
      [ -e $binfmt/register ] || { echo "debian-swift: this needs binfmt_misc" >&2; exit 1; }
      if [ ! -e $binfmt/qemu-aarch64 ]; then
        # The header of an ELF program for AArch64; F keeps the emulator open for other roots.
        elf="\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
        mask="\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
        printf "%s" ":qemu-aarch64:M::$elf:$mask:/usr/bin/qemu-aarch64:F" >$binfmt/register
        trap "echo -1 >$binfmt/qemu-aarch64" EXIT
      fi
      export QEMU_LD_PREFIX=/arm PATH=/usr/local/aarch64-tools:$PATH
      export LD_LIBRARY_PATH=/usr/libexec/swift/lib/swift/linux:/usr/lib/aarch64-linux-gnu
      .build-debian-aarch64/debug/invocation-demo
      swift build --swift-sdks-path /usr/local/swift-sdks --swift-sdk debian-arm64 --package-path Tools --product invoke \
        --scratch-path .build-debian-aarch64-tools --quiet
      .build-debian-aarch64-tools/debug/invoke call libm.so.6 "double pow(double, double)" 2 10
      tests() { .build-debian-aarch64/debug/swift-invocationPackageTests.xctest --testing-library swift-testing "$@"; }
      if [ $# -gt 0 ]; then
        tests "$@"
        exit
      fi
      # A process for each target, so that a crash costs the rest of one only.
      rm -f .build-debian-aarch64/test-*.log
      for target in $(cd Tests && ls -d *Tests); do
        log=.build-debian-aarch64/test-$target.log
        tests --filter "^$target[.]" >"$log" 2>&1 || true
        printf "%s: " "$target"
        grep -oE "Test run with .*" "$log" || echo "ended early after $(grep -cE "^✔ Test .*passed" "$log") tests"
        grep -oE "^✘ Test .* recorded an issue.* at [A-Za-z]+[.]swift" "$log" | grep -oE "[A-Za-z]+[.]swift" | sort | uniq -c || true
      done
    ' "$@"
    ;;
  *)
    sed -n '2,13s/^# \{0,1\}//p' "$0" >&2
    exit 1
    ;;
esac
