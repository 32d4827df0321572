#!/usr/bin/env bash
# Compiles the Swift samples of the README and of the articles, runs them, and compares their results with what the
# text says. How a sample is written is at the top of Scripts/samples.swift.
#
#   Scripts/samples.sh [--macros] [FILE...]      all Markdown files that contain samples when none is named
#
# With --macros it does so with the samples that need the trait Macros, in the build directory of their tests.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
folder=.build-samples
mode=()
build=(--package-path "$folder" --scratch-path .build-examples)  # that of the examples, so that the package is built once
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
  grep -E '^[^ ]+: (error|note):|error:' "$log" | sort -u | head -100
  exit 1
}
"$("$swift" build "${build[@]}" --show-bin-path)/Samples"
