#!/usr/bin/env bash
# Runs `swift test` and shows progress, failures and the result; the whole output goes to a file.
#
#   Scripts/test.sh LOG [ARGUMENT...]      the arguments go on to `swift test`
#
# `swift test` prints thousands of lines "started" and "passed". This prints the warnings and errors of the build, a line after every hundred tests,
# each failure with its details, the closing line of each test run, and the ten suites that took the most CPU time. VERBOSE=1 prints everything.
#
# The libraries that tests compile are kept in .build/callees, and removed when no run of the last three days used them.
set -euo pipefail
cd "$(dirname "$0")/.."

log=$1
shift
mkdir -p "$(dirname "$log")" .build/callees
find .build/callees -mindepth 1 -maxdepth 1 -mtime +2 -exec rm -rf {} +
export CALLEES=$PWD/.build/callees SUITE_TIMES=$PWD/${log%.log}-times.txt
rm -f "$SUITE_TIMES"

# Reads the output of `swift test` and prints what a reader needs of it. What tests print themselves is only in the log, unless the run ends in their midst.
summarize() {
  local line passed=0 steps=0 phase=build shown=false last=()
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      "◇ Test run started."*) phase=run shown=false last=() ;;
      "✔ Test run with "* | "✘ Test run with "*) phase=closed; printf '%s\n' "$line" ;;
      "✘ "*) shown=true; printf '%s\n' "$line" ;;
      "✔ Test case "* | "◇ "* | "➜ "*) shown=false ;;
      "✔ Test "*)
        shown=false passed=$((passed + 1))
        if [ $((passed % 100)) -eq 0 ]; then printf '%d tests passed\n' "$passed"; fi
        ;;
      "✔ "* | "remark: Incremental compilation has been disabled"*) shown=false ;;
      "["[0-9]*/[0-9]*"] "*)  # a step of the build
        steps=$((steps + 1))
        if [ $((steps % 100)) -eq 0 ]; then printf 'building: %s\n' "$line"; fi
        ;;
      *)
        if [ "$phase" != run ] || $shown; then
          printf '%s\n' "$line"
        else
          last+=("$line")
          if [ ${#last[@]} -gt 60 ]; then last=("${last[@]:20}"); fi
        fi
        ;;
    esac
  done
  if [ "$phase" = run ]; then
    printf 'The test process ended before its tests did. Its last lines:\n'
    printf '%s\n' ${last[@]+"${last[@]}"}
  fi
}

status=0
if [ -n "${VERBOSE:-}" ]; then
  "${SWIFT:-swift}" test --disable-xctest "$@" 2>&1 | tee "$log" || status=$?
else
  "${SWIFT:-swift}" test --disable-xctest "$@" 2>&1 | tee "$log" | summarize || status=$?
fi
if [ -s "$SUITE_TIMES" ]; then
  printf 'CPU time of the ten slowest suites, with the processes they run:\n'
  sort -rn "$SUITE_TIMES" | awk 'NR <= 10 { printf "  %6.1f s  %s\n", $1 / 1000, $2 }'
fi
if [ "$status" -ne 0 ]; then printf 'The tests failed (status %d). The whole output is in %s\n' "$status" "$log"; fi
exit "$status"
