#!/usr/bin/env bash
# Builds the packages in Examples and compares the output of their programs with what is written, or runs their tests.
#
#   Scripts/examples.sh [--update] [NAME...]      all that have a transcript or tests when none is named
#
# Examples/NAME/expected.txt is a transcript: the shell runs each line "$ COMMAND" in an empty directory, and the lines after it are what
# the command writes to standard output and standard error, with "(status N)" for a status other than 0. README.md contains the same
# transcript in its block ```console. Both are compared exactly; --update writes both. The packages share a scratch path, so that this
# package is built once. Examples/NAME/prepare.sh, where there is one, puts files into the directory before the first command. A package
# with a folder Tests has no transcript: its tests are run.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'examples: %s\n' "$*"; }

update=false
if [ "${1:-}" = --update ]; then update=true; shift; fi
if [ $# -eq 0 ]; then
  for transcript in Examples/*/expected.txt Examples/*/Tests; do set -- "$@" "$(basename "$(dirname "$transcript")")"; done
fi

scratch=$PWD/.build-examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Builds a package and prints the directory of its program. What the build says is shown when it fails or warns.
build() { # NAME
  local package=("${SWIFT:-swift}" build --package-path "Examples/$1" --scratch-path "$scratch") log=$work/$1.log
  if ! "${package[@]}" >"$log" 2>&1 || grep -q "Examples/$1/.* warning: " "$log"; then
    cat "$log" >&2
    return 1
  fi
  "${package[@]}" --show-bin-path
}

# Runs the commands of a transcript, and prints the transcript as it is now.
run() { # TRANSCRIPT DIRECTORY-OF-THE-PROGRAM
  local line status prepare
  mkdir "$work/empty"
  prepare=$(dirname "$1")/prepare.sh
  if [ -x "$prepare" ]; then "$prepare" "$2" "$work/empty" >&2; fi
  while IFS= read -r line; do
    case $line in "\$ "*) ;; *) continue ;; esac
    printf '%s\n' "$line"
    status=0
    (cd "$work/empty" && PATH="$2:$PATH" bash -c "${line#"\$ "}" </dev/null 2>&1) || status=$?
    if [ "$status" -ne 0 ]; then printf '(status %d)\n' "$status"; fi
  done <"$1"
  rm -rf "$work/empty"
}

# The block ```console of a page.
block() { awk '/^```/ { inside = ($0 == "```console"); next } inside' "$1"; }

if [ ! -d "$scratch" ]; then say "the first build takes one to two minutes ..."; fi
failures=0
for name; do
  start=$SECONDS
  if [ -d "Examples/$name/Tests" ]; then
    if "${SWIFT:-swift}" test --package-path "Examples/$name" --scratch-path "$scratch" >"$work/$name.log" 2>&1; then
      say "$name: its tests pass, $((SECONDS - start)) s with the build"
    else
      cat "$work/$name.log" >&2
      say "$name: its tests fail" >&2
      failures=$((failures + 1))
    fi
    continue
  fi
  expected=Examples/$name/expected.txt page=Examples/$name/README.md
  bin=$(build "$name")
  run "$expected" "$bin" >"$work/actual"
  if $update; then
    cp "$work/actual" "$expected"
    awk -v transcript="$expected" '
      /^```/ { inside = ($0 == "```console") }
      !inside || /^```/
      /^```console$/ { while ((getline line < transcript) > 0) print line }' "$page" >"$work/page"
    cp "$work/page" "$page"
  fi
  commands=$(grep -c '^\$ ' "$expected") || true
  if [ "$commands" -gt 0 ] && diff -u "$expected" "$work/actual" && block "$page" | diff -u "$expected" -; then
    say "$name: ok, $((SECONDS - start)) s with the build"
  else
    say "$name: the output differs from expected.txt or README.md" >&2
    failures=$((failures + 1))
  fi
done
say "$# programs, $failures failed"
[ "$failures" -eq 0 ]
