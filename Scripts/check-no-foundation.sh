#!/usr/bin/env bash
# Proves that the engine (CFFIShim up to DynamicInvocation) neither imports Foundation nor makes its user link it.
#
#   Scripts/check-no-foundation.sh [--sources-only]
#
# Three looks, since each misses something: the imports in the sources; what the compiled objects ask the linker for
# and refer to; and what the program consumer of Tests/Consumer, which uses the engine alone, loads when it starts.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

family='_?Foundation|CoreFoundation'  # FoundationEssentials, FoundationNetworking ... begin with one of these
failures=0

say() { printf 'check-no-foundation: %s\n' "$*"; }
found() { # WHAT LINES
  say "$1" >&2
  printf '  %s\n' "${2//$'\n'/$'\n'  }" >&2
  failures=$((failures + 1))
}

# The targets that must not use Foundation, each a folder of Sources, besides CFFIShim.
modules=(TypeEncodings CallFrames DynamicInvocation DeclarationReading CDeclarations SwiftSymbols SwiftFunctions CFunctionReplacement FunctionReplacement CallExplanations InvocationRecords)

check_sources() {
  local files=() file hits
  while IFS= read -r -d '' file; do files+=("$file"); done < <(
    find "${modules[@]/#/Sources/}" CFFIShim -type f \
      \( -name '*.swift' -o -name '*.c' -o -name '*.h' -o -name '*.m' -o -name '*.S' -o -name '*.modulemap' \) -print0
  )
  if [ ${#files[@]} -eq 0 ]; then
    found "no source files" "looked in the engine and CFFIShim"
    return
  fi
  # A comment may name Foundation; an import, an include or a link line may not.
  hits=$(awk -v family="$family" '
    { line = $0; sub(/\/\/.*/, "", line) }
    line ~ "(^|[^A-Za-z0-9_])import[ \t]+([a-z]+[ \t]+)?(" family ")" ||
    line ~ "#[ \t]*(include|import)[ \t]*[<\"](" family ")" ||
    line ~ "^[ \t]*(link|use)[ \t].*(" family ")" { print FILENAME ":" FNR ": " $0 }
  ' "${files[@]}")
  if [ -n "$hits" ]; then
    found "the engine's sources import Foundation:" "$hits"
  else
    say "${#files[@]} source files import nothing of Foundation"
  fi
}

# What an object file asks the linker for (ELF keeps it in a section of its own) and the symbols it lacks.
wishes_of() {
  if [ "$(uname -s)" = Darwin ]; then
    otool -l "$1" | grep -A5 LC_LINKER_OPTION || true
  else
    readelf -p .swift1_autolink_entries "$1" 2>/dev/null || true
  fi
  # 10Foundation, 20FoundationEssentials: a mangled name gives a module's length before it.
  nm -u "$1" | grep -E '[0-9]_?Foundation' || true
}

check_objects() {
  local objects=() object module hits=''
  while IFS= read -r -d '' object; do objects+=("$object"); done < <(
    for module in "${modules[@]}" CFFIShim; do
      find "$bin/" -path "*/$module.build/*" -name '*.o' -print0
    done
  )
  if [ ${#objects[@]} -eq 0 ]; then
    found "no object files of the engine" "looked under $bin"
    return
  fi
  for object in "${objects[@]}"; do
    hits+=$(wishes_of "$object" | grep -E "$family" | sed "s|^|${object##*/}: |" || true)
  done
  if [ -n "$hits" ]; then
    found "the engine's objects want Foundation:" "$hits"
  else
    say "${#objects[@]} object files refer to nothing of Foundation"
  fi
}

check_executable() {
  local libraries hits
  if [ "$(uname -s)" = Darwin ]; then
    libraries=$(otool -L "$bin/consumer")
  else
    libraries=$(readelf -d "$bin/consumer" | grep NEEDED; ldd "$bin/consumer")
  fi
  if hits=$(grep -E "$family" <<<"$libraries"); then
    found "a program that uses the engine alone loads Foundation:" "$hits"
  else
    say "a program that uses the engine alone loads nothing of Foundation"
  fi
}

case ${1-} in
  '' | --sources-only) ;;
  *) sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 64 ;;
esac

check_sources
if [ "${1-}" != --sources-only ]; then
  build=("${SWIFT:-swift}" build -c release --package-path Tests/Consumer --product consumer)
  "${build[@]}" --quiet
  bin=$("${build[@]}" --show-bin-path)
  check_objects
  check_executable
fi
exit $((failures > 0))
