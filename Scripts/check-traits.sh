#!/usr/bin/env bash
# Proves that a package which does not ask for the trait Macros never fetches swift-syntax, let alone builds it.
#
#   Scripts/check-traits.sh
#
# Resolves Tests/Consumer, which names no trait, from nothing; and Tests/MacroConsumer, which does, to show that the look sees what it looks for.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$PWD/.build-check-traits
trap 'rm -rf "$scratch"' EXIT

say() { printf 'check-traits: %s\n' "$*"; }
fail() { say "$@" >&2; exit 1; }

# Everything that resolving leaves: clones, checkouts, the list of versions, and the tree of dependencies.
traces_of() { # PACKAGE
  local package=("${SWIFT:-swift}" package --package-path "$1" --scratch-path "$scratch")
  rm -rf "$scratch" "$1/Package.resolved"
  "${package[@]}" resolve >&2
  "${package[@]}" show-dependencies --format text >"$scratch/tree"
  { ls "$scratch/checkouts" "$scratch/repositories"; cat "$scratch/tree" "$1/Package.resolved"; } | grep -i 'swift-syntax' || true
}

traces=$(traces_of Tests/Consumer)
[ -z "$traces" ] || fail "swift-syntax is resolved without the trait:" "$traces"
say "without the trait Macros nothing of swift-syntax is resolved"

[ -n "$(traces_of Tests/MacroConsumer)" ] || fail "swift-syntax is not seen with the trait either, so the look above proves nothing"
say "with it, swift-syntax is"
