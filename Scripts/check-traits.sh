#!/usr/bin/env bash
# Proves that a package which names no trait never fetches what only a trait needs, let alone builds it: swift-syntax, swift-argument-parser,
# swift-distributed-tracing and swift-metrics.
#
#   Scripts/check-traits.sh
#
# Resolves Tests/Consumer, which names no trait, from nothing; and Tests/MacroConsumer, this package with Tools, and this package with
# Observability, to show that the look sees what it looks for.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$PWD/.build-check-traits
trap 'rm -rf "$scratch"' EXIT

say() { printf 'check-traits: %s\n' "$*"; }
fail() { say "$@" >&2; exit 1; }

# Everything that resolving leaves of some dependencies, given as an extended regular expression: clones, checkouts, the list of versions, and the tree of dependencies.
traces_of() { # DEPENDENCIES PACKAGE [ARGUMENT...]
  local dependencies=$1 path=$2
  shift 2
  local package=("${SWIFT:-swift}" package --package-path "$path" --scratch-path "$scratch" "$@")
  # This package keeps its list, which may be in use.
  local list=$path/Package.resolved
  rm -rf "$scratch"
  if [ "$path" = . ]; then list=/dev/null; else rm -f "$list"; fi
  "${package[@]}" resolve >&2
  "${package[@]}" show-dependencies --format text >"$scratch/tree"
  { ls "$scratch/checkouts" "$scratch/repositories"; cat "$scratch/tree" "$list"; } | grep -iE "$dependencies" || true
}

optional='swift-syntax|swift-argument-parser|swift-distributed-tracing|swift-metrics'
traces=$(traces_of "$optional" Tests/Consumer)
[ -z "$traces" ] || fail "this is resolved without a trait:" "$traces"
say "without a trait nothing of ${optional//|/, } is resolved"
[ -n "$(traces_of swift-syntax Tests/MacroConsumer)" ] || fail "swift-syntax is not seen with Macros either, so the look proves nothing"
[ -n "$(traces_of swift-argument-parser . --traits Tools)" ] || fail "swift-argument-parser is not seen with Tools either, so the look proves nothing"
observed=$(traces_of 'swift-distributed-tracing|swift-metrics' . --traits Observability)
for package in swift-distributed-tracing swift-metrics; do
  case $observed in *"$package"*) ;; *) fail "$package is not seen with Observability either, so the look proves nothing" ;; esac
done
say "with the traits Macros, Tools and Observability they are"
