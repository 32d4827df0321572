#!/usr/bin/env bash
# Builds and runs the programs of Tests/Consumer, a package that depends on this one, and fails if they have grown when stripped: consumer
# uses the engine alone, event-consumer uses events.
#
#   Scripts/consumer.sh
#
# If there was no build before, it also says how much time of the processor the first one took, with the engine.
set -euo pipefail
cd "$(dirname "$0")/.."

TIMEFORMAT='%U %S'
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT

check() { # PROGRAM LIMIT: in bytes, of an optimized program for Linux on x86-64
  local name=$1 limit=$2 build=("${SWIFT:-swift}" build -c release --package-path "$package" --product "$1") spent program size clean=true
  if [ -d "$package/.build/release" ]; then clean=false; fi
  spent=$( { time "${build[@]}" >&3 2>&4; } 3>&1 4>&2 2>&1 | tail -1)
  program=$("${build[@]}" --show-bin-path)/$name
  "$program"
  if $clean; then awk -v name="$name" '{ printf "%s: built in %.0f s of the processor\n", name, $1 + $2 }' <<<"$spent"; fi
  [ "$(uname -sm)" = "Linux x86_64" ] || return 0
  strip -o "$stripped" "$program"
  size=$(wc -c <"$stripped")
  printf '%s: stripped, %d bytes; the limit is %d\n' "$name" "$size" "$limit"
  [ "$size" -le "$limit" ]
}

package=Tests/Consumer
"${SWIFT:-swift}" package --package-path "$package" resolve
check consumer 1650000
check event-consumer 2900000
