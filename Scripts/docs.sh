#!/usr/bin/env bash
# Builds the documentation of every module as one static website, every warning an error.
#
#   Scripts/docs.sh [ARGUMENT...]      the arguments go to `swift package`, such as --traits default,Macros
#
# Without their trait the macro modules are empty and are left out.
set -euo pipefail
cd "$(dirname "$0")/.."

export DOCUMENTATION=1  # so that Package.swift depends on the plugin
output=.build-docs
targets=(TypeEncodings CallFrames DynamicInvocation DeclarationReading CDeclarations SwiftFunctions FunctionReplacement CallExplanations InvocationRecords ObjectiveCMessages DynamicInvocationFoundation EventRouting EventRoutingFoundation)
case "$*" in *Macros*) targets+=(InvocationMacros EventRoutingMacros) ;; esac

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# A file of an earlier build would stay, and a link to it would still work.
rm -rf "$output"
printf 'Building the documentation of %s ...\n' "${targets[*]}"
"${SWIFT:-swift}" package "$@" --allow-writing-to-directory "$output" generate-documentation \
  --enable-experimental-combined-documentation "${targets[@]/#/--target=}" --output-path "$output" --warnings-as-errors >"$log" 2>&1 || {
  grep -v '^\[[0-9]*/[0-9]*\] ' "$log"
  exit 1
}

for target in "${targets[@]}"; do
  page=$output/documentation/$(printf '%s' "$target" | tr '[:upper:]' '[:lower:]')/index.html
  [ -f "$page" ] || { printf 'the documentation lacks %s\n' "$page" >&2; exit 1; }
done
printf 'The documentation is in %s. To read it: python3 -m http.server --directory %s 8000\n' "$output" "$output"
printf 'and open http://localhost:8000/documentation/\n'
