#!/usr/bin/env bash
# Assembles every .S file for Linux and for Apple's platforms, on x86-64 and AArch64, with the toolchain's clang.
#
#   Scripts/check-assembly.sh
#
# The files contain no declarations of a system, so that no SDK is needed. C and Swift for Apple's platforms are not
# compiled: both need the SDK, which exists for macOS only.
set -euo pipefail
cd "$(dirname "$0")/.."

clang=$(dirname "$(command -v "${SWIFT:-swift}")")/clang
[ -x "$clang" ] || clang=clang
object=$(mktemp)
trap 'rm -f "$object"' EXIT

count=0
for target in {x86_64,aarch64}-unknown-linux-gnu {x86_64,arm64}-apple-macos15; do
  for file in CFFIShim/*.S Sources/CFunctionReplacement/*.S; do
    if ! "$clang" -target "$target" -Werror -I CFFIShim/include -I Sources/CFunctionReplacement/include -c "$file" -o "$object"; then
      echo "check-assembly: $file does not assemble for $target" >&2
      exit 1
    fi
    count=$((count + 1))
  done
done
echo "$count objects assembled for Linux and Apple's platforms"
