#!/usr/bin/env bash
# Writes the Swift sources that are made from templates: Scripts/Templates/MODULE into Sources/MODULE/Generated. What a template can say is
# at the top of Scripts/generate.swift. The types of the toolchain are added to those that are known (Scripts/toolchain-types.py).
#
#   Scripts/generate.sh [--check]
#
# With --check it writes nothing, and fails when the sources there are others.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

: "${SWIFT:=swift}"
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

"${SWIFT%swift}swiftc" -swift-version 6 -o "$temporary/generate" Scripts/generate.swift
status=0
for templates in Scripts/Templates/*; do
  module=${templates##*/}
  generated=Sources/$module/Generated
  mkdir "$temporary/$module"
  "$temporary/generate" "$temporary/$module" "$templates"/*.swift.template
  if [ "$module" = SwiftFunctions ]; then
    python3 Scripts/toolchain-types.py "$generated/SwiftToolchain+Types.swift" "$temporary/$module/SwiftToolchain+Types.swift"
  fi
  "$SWIFT" format --in-place --configuration .swift-format "$temporary/$module"/*.swift
  if [ "${1:-}" != --check ]; then
    rm -rf "$generated"
    cp -R "$temporary/$module" "$generated"
  elif diff -rq "$generated" "$temporary/$module" >&2; then
    echo "generate: $generated is up to date"
  else
    echo "$generated is not what make generate writes" >&2
    status=1
  fi
done
exit $status
