#!/usr/bin/env bash
# Builds and runs Tests/Consumer, a package that depends on this one, and fails if its stripped program has grown.
#
#   Scripts/consumer.sh
set -euo pipefail
cd "$(dirname "$0")/.."

limit=3400000  # bytes, of an optimized program for Linux on x86-64, in which declarations and Swift functions are linked too
package=("${SWIFT:-swift}" build -c release --package-path Tests/Consumer)

"${package[@]}"
program=$("${package[@]}" --show-bin-path)/consumer
"$program"

[ "$(uname -sm)" = "Linux x86_64" ] || exit 0
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
strip -o "$stripped" "$program"
size=$(wc -c <"$stripped")
printf 'consumer: stripped, %d bytes; the limit is %d\n' "$size" "$limit"
[ "$size" -le "$limit" ]
