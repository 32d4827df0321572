#!/usr/bin/env bash
# Builds and runs packages that depend on this one, and fails if their stripped programs have grown: Tests/Consumer, which uses the engine alone,
# and Tests/EventConsumer, which uses events.
#
#   Scripts/consumer.sh
#
# It also says how much time of the processor each build took, of everything that it depends on, if there was none before.
set -euo pipefail
cd "$(dirname "$0")/.."

TIMEFORMAT='%U %S'
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT

check() { # PROGRAM PACKAGE LIMIT: in bytes, of an optimized program for Linux on x86-64
  local name=$1 build=("${SWIFT:-swift}" build -c release --package-path "$2") limit=$3 spent program size clean=true
  if [ -d "$2/.build/release" ]; then clean=false; fi
  "${SWIFT:-swift}" package --package-path "$2" resolve
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

check consumer Tests/Consumer 1650000
check event-consumer Tests/EventConsumer 2900000
