#!/usr/bin/env bash
# Writes declarations with the command plugin in a package that depends on this one, builds it, and runs it without a compiler for C.
#
#   Scripts/header-consumer.sh
set -euo pipefail
cd "$(dirname "$0")/.."

package=Tests/HeaderConsumer
sources=Sources/header-consumer
swift=${SWIFT:-swift}
scratch=.build-examples  # that of the examples, so that this package is built once
written=("$package/$sources/SQLite.swift" "$package/$sources/Numbers.swift")
trap 'rm -f "${written[@]}"' EXIT

say() { printf 'header-consumer: %s\n' "$*"; }
fail() { say "$@" >&2; exit 1; }

write() { # ARGUMENT...
  "$swift" package --package-path "$package" --scratch-path "$scratch" --allow-writing-to-package-directory write-c-declarations "$@" 2>&1
}

rm -f "${written[@]}"
write --header sqlite3.h --output "$sources/SQLite.swift"
write --header stdlib.h --output "$sources/Numbers.swift" --name numbers
write --header stdlib.h --output "$sources/Numbers.swift" --name numbers | grep -q 'is up to date' || fail "an unchanged file is written again"
if output=$(write --header no/such.h --output "$sources/None.swift"); then fail "a header that is missing is no error"; fi
case $output in *"no/such.h"*) ;; *) fail "the error does not name the header: $output" ;; esac
[ ! -e "$package/$sources/None.swift" ] || fail "a file was written for a header that is missing"

"$swift" build --package-path "$package" --scratch-path "$scratch"
program=$("$swift" build --package-path "$package" --scratch-path "$scratch" --show-bin-path)/header-consumer
actual=$(CC=/nonexistent/cc "$program")
expected='true true 100
0.5 {?="quot"i"rem"i}ii(17, 5) -> {3, 2}
true'
if [ "$actual" != "$expected" ]; then fail "the program printed:" "$actual"; fi
say "the program calls functions of two headers without a compiler"
