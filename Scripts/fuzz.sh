#!/usr/bin/env bash
# Tries the engine with inputs that libFuzzer makes up, guided by what of the code they reach.
#
#   Scripts/fuzz.sh [SECONDS [CASE]...]      each case that long (60), or those named; as many at a time as there are processors
#   Scripts/fuzz.sh build                    builds only, and says where the program is
#   Scripts/fuzz.sh minimize [CASE]...       takes what was found since into the corpus, as few files as reach as much
#
# Inputs of the corpus are tried first. New ones are kept in .build-fuzz/found/CASE for the next run; an input on which a case fails
# is written to .build-fuzz/failures, and the script answers 1. OPTIONS goes on to libFuzzer: OPTIONS="-jobs=2 -seed=7".
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
scratch=$PWD/.build-fuzz
program=$scratch/debug/fuzz
export SWIFT_BACKTRACE=enable=no  # its helper can outlive a crash and hold the output open
# Leaks are not looked for: Swift keeps the case of an enum in bits of the pointer to its payload, so that interned encodings seem lost.
# They show as memory that grows; little of it is held back after it was freed, so that they do.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0:quarantine_size_mb=32:allocator_may_return_null=1}

say() { printf 'fuzz: %s\n' "$*"; }

build() {
  local log
  [ -x "$program" ] || say "building; the first time takes a minute or two ..."
  # Optimized, with assertions, and file by file, which takes half the time of the whole module at once on two cores.
  # Both sanitizers in one option: of two, the compiler of Swift takes the last. The one of SwiftPM leaves main to libFuzzer.
  log=$("$swift" build --package-path Fuzzing --scratch-path "$scratch" -c debug --product fuzz --sanitize=fuzzer \
    -Xswiftc -O -Xswiftc -assert-config -Xswiftc Debug \
    -Xswiftc -sanitize=address,fuzzer -Xcc -fsanitize=address,fuzzer-no-link 2>&1) \
    || { printf '%s\n' "$log" >&2; exit 1; }
}

cases_of() { # CASE...
  if [ $# -gt 0 ]; then printf '%s\n' "$@"; else (cd Fuzzing/Corpus && printf '%s\n' */) | tr -d /; fi
}

# The value of a line that libFuzzer ends with.
statistic() { sed -n "s/^stat::$1: *//p" "$2" | tail -1; }

run() { # CASE SECONDS
  local corpus=Fuzzing/Corpus/$1 found=$scratch/found/$1 failures=$scratch/failures log=$scratch/$1.log options=() status=0 verdict=ok
  mkdir -p "$found" "$failures"
  [ -f "Fuzzing/Dictionaries/$1.dict" ] && options+=("-dict=Fuzzing/Dictionaries/$1.dict")
  read -r -a more <<<"${OPTIONS:-}"
  FUZZ_CASE=$1 "$program" -max_total_time="$2" -timeout=10 -rss_limit_mb=2048 -detect_leaks=0 -print_final_stats=1 \
    -artifact_prefix="$failures/$1-" "${options[@]}" "${more[@]}" "$found" "$corpus" >"$log" 2>&1 || status=$?
  [ "$status" -eq 0 ] || verdict=FAILED
  printf '%-12s %10s executions %8s a second %6s inputs kept %6s MB at most  %s\n' "$1" "$(statistic number_of_executed_units "$log")" \
    "$(statistic average_exec_per_sec "$log")" "$(find "$found" "$corpus" -type f | wc -l)" "$(statistic peak_rss_mb "$log")" "$verdict"
  if [ "$status" -ne 0 ]; then
    grep -m 1 'Fatal error' "$log" >&2 || true
    grep -A 12 -m 1 'ERROR: ' "$log" >&2 || true
    sed -n 's/.*Test unit written to /fuzz: the input is /p' "$log" >&2
    say "reproduce: FUZZ_CASE=$1 $program INPUT" >&2
    return 1
  fi
}

# The parts of the corpus that are still needed, and of what was found, as few as reach all the code that all of them reach.
minimize() { # CASE
  local corpus=Fuzzing/Corpus/$1 found=$scratch/found/$1 small=$scratch/minimized/$1
  rm -rf "$small"
  mkdir -p "$small" "$found"
  # By branches alone: how often each was taken would keep thousands of files.
  FUZZ_CASE=$1 "$program" -set_cover_merge=1 -use_counters=0 -use_cmp=0 -timeout=10 -detect_leaks=0 \
    "$small" "$corpus" "$found" >"$scratch/$1.log" 2>&1 \
    || { tail -20 "$scratch/$1.log" >&2; exit 1; }
  rm -rf "$corpus"
  mv "$small" "$corpus"
  say "$1: $(find "$corpus" -type f | wc -l) files, $(du -sb "$corpus" | cut -f1) bytes"
}

case ${1:-60} in
  build)
    build
    say "$program"
    ;;
  minimize)
    build
    for case in $(cases_of "${@:2}"); do minimize "$case"; done
    ;;
  *[!0-9]*)
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 64
    ;;
  *)
    build
    export swift scratch program
    export -f run say statistic
    cases_of "${@:2}" | xargs -P "$(nproc)" -I CASE bash -euo pipefail -c 'run CASE "$0"' "${1:-60}"
    ;;
esac
