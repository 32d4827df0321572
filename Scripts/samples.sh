#!/usr/bin/env bash
# Compiles the Swift samples of the README and of the articles as they are shown, runs them, and compares their results with
# what the text says. The rule of a sample is at the top of Scripts/samples.swift.
#
#   Scripts/samples.sh [--macros] [FILE...]      all Markdown files that contain samples when none is named
#
# With --macros it does so with the programs that need the trait Macros, in the build directory of the tests of macros.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
folder=.build-samples
mode=()
build=(--package-path "$folder" --scratch-path .build-examples)  # shared with the examples, so that the package is built once
if [ "${1:-}" = --macros ]; then
  shift
  folder=.build-samples/macros
  mode=(--macros)
  build=(--package-path "$folder" --scratch-path .build-macros)
fi
mkdir -p "$folder"

files=("$@")
if [ ${#files[@]} -eq 0 ]; then files=(README.md Sources/*/*.docc/*.md); fi

"${swift%swift}swiftc" -swift-version 6 -o "$folder/extract" Scripts/samples.swift
"$folder/extract" ${mode[@]+"${mode[@]}"} "$PWD" "$folder" "${files[@]}"
log=$folder/build.log
"$swift" build "${build[@]}" >"$log" 2>&1 || {
  grep -E '^[^ ]+: (error|note):|error:' "$log" | sort -u | sed -n 1,100p
  exit 1
}

programs=$("$swift" build "${build[@]}" --show-bin-path)
failures=0
count=0
{
  read -r samples
  while read -r program; do
    count=$((count + 1))
    if ! SWIFT_BACKTRACE=enable=no "$programs/$program" >"$folder/run.log" 2>&1 </dev/null || grep -q '^check failed: ' "$folder/run.log" \
      || [ "$(tail -1 "$folder/run.log")" != "ran to its end" ]; then
      failures=$((failures + 1))
      echo "$program:"
      cat "$folder/run.log"
    fi
  done
} <"$folder/programs"
echo "$samples samples, $count programs, $failures failures"
[ "$failures" -eq 0 ]
