#!/usr/bin/env bash
# Proves that what must not compile does not, for the reason that it must not.
#
#   Scripts/check-refused.sh [FILE...]
#
# In each file of Scripts/refused a line that must be refused says so at its end: "// error: TEXT". The compiler must find an
# error with that text there, and no error anywhere else. A first line "// flags: FLAG..." adds flags for that file. Needs the modules of
# a debug build. Also proves that Scripts/refused/closures.txt names each public function that keeps a closure which is not @Sendable.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

: "${SWIFT:=swift}"
modules=$("$SWIFT" build --show-bin-path)/Modules
compiler=${SWIFT%swift}swiftc
if [ $# -eq 0 ]; then set -- Scripts/refused/*.swift; fi

failures=0
for file in "$@"; do
  read -ra flags <<<"$(sed -n '1s|^// flags: ||p' "$file")"
  errors=$("$compiler" -emit-sil -o /dev/null -swift-version 6 "${flags[@]}" -I "$modules" -Xcc -fmodule-map-file=CFFIShim/include/module.modulemap \
    -Xcc -I -Xcc CFFIShim/include -Xcc -fmodule-map-file=Sources/CFunctionReplacement/include/module.modulemap \
    -Xcc -I -Xcc Sources/CFunctionReplacement/include "$file" 2>&1 | grep -E '^[^ ]+:[0-9]+:[0-9]+: error: ' || true)
  awk -v file="$file" -v errors="$errors" '
    BEGIN {
      count = split(errors, lines, "\n")
      for (i = 1; i <= count; i++) {
        split(lines[i], part, ":")
        found[part[2]] = found[part[2]] lines[i] "\n"
      }
    }
    /\/\/ error: / {
      wanted = $0; sub(/.*\/\/ error: /, "", wanted)
      if (!index(found[FNR], wanted)) { print file ":" FNR ": compiles, or is refused for another reason than \"" wanted "\"\n" found[FNR]; bad = 1 }
      else checked++
      delete found[FNR]
    }
    END {
      for (line in found) if (found[line] != "") { print "not expected:\n" found[line]; bad = 1 }
      if (!checked) { print file ": nothing was refused"; bad = 1 }
      if (!bad) print "check-refused: " file ": " checked " lines are refused"
      exit bad
    }
  ' "$file" || failures=$((failures + 1))
done

kept=$(git ls-files 'Sources/*.swift' | grep -v Plugin | xargs awk '
  FNR == 1 { open = 0 }
  /^ *(@[^ ]+( .*)? )?(public|open) .*(func|init|var|subscript)/ { declaration = ""; open = 1 }
  open { declaration = declaration " " $0 }
  open && (/\{ *$|\{ .*\}$/ || /^ *$/) {
    open = 0
    gsub(/@escaping +@Sendable|@Sendable +@escaping/, "", declaration)
    if (declaration ~ /@escaping/ || (declaration ~ / var [a-zA-Z]+: \(?\(.*->/ && declaration !~ /@Sendable/)) {
      match(declaration, /(func [^(<]+|init|var [a-zA-Z]+|subscript)/)
      name = substr(declaration, RSTART, RLENGTH)
      sub(/^func /, "", name)
      split(FILENAME, folders, "/")
      print folders[2] "." name
    }
  }' | sort -u)
if ! diff <(sed -n '/^#/d; s/:.*//p' Scripts/refused/closures.txt | sort -u) <(printf '%s\n' "$kept"); then
  echo "check-refused: Scripts/refused/closures.txt (<) and the public functions that keep a closure (>) differ"
  failures=$((failures + 1))
fi
[ "$failures" -eq 0 ]
