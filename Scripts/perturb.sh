#!/usr/bin/env bash
# Runs the tests with tasks and threads delayed at random. A test that fails depends on an order that nothing guarantees.
#
#   Scripts/perturb.sh ROUNDS SEED [ARGUMENT...]      the arguments go on to the tests: --filter Port
#
# A round runs them three times: with few short delays, with many very short ones, and with very few long ones. Its seed is SEED, then SEED + 1 and so on.
# A seed gives the same delays in the same order; which task gets which of them also depends on the machine.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'perturb: %s\n' "$*"; }

rounds=$1 seed=$2
shift 2
[ "$(uname -s)" = Linux ] || { say "loading before a program, and the hooks, need Linux"; exit 1; }

swift=${SWIFT:-swift}
scratch=$PWD/.build/perturb
mkdir -p "$scratch"
"$(dirname "$(readlink -f "$(command -v "$swift")")")/clang" -O1 -Wall -Wextra -Werror -shared -fPIC -o "$scratch/libperturb.so" Scripts/perturb/perturb.c
"$swift" build --build-tests >"$scratch/build.log" 2>&1 || { cat "$scratch/build.log"; exit 1; }
tests=$("$swift" build --show-bin-path)/swift-invocationPackageTests.xctest

export SWIFT_BACKTRACE=enable=no  # its helper can outlive a crash and hold the output open
runs=0 failed=0
for ((round = 0; round < rounds; round++)); do
  for delays in "10 3000" "60 300" "3 50000"; do
    read -r percent longest <<<"$delays"
    log=$scratch/$((seed + round))-$percent.log status=0
    PERTURB_SEED=$((seed + round)) PERTURB_PERCENT=$percent PERTURB_MICROS=$longest LD_PRELOAD=$scratch/libperturb.so \
      "$tests" --testing-library swift-testing "$@" >"$log" 2>&1 </dev/null || status=$?
    ran=$(sed -n 's/.*Test run with \([0-9]* tests*\).*/\1/p' "$log" | tail -1)
    say "seed $((seed + round)), $percent % delayed up to $longest us: ${ran:-no end}, status $status"
    runs=$((runs + 1))
    if [ "$status" -ne 0 ] || [ "${ran:-0 tests}" = "0 tests" ]; then
      failed=$((failed + 1))
      grep -a '^✘' "$log" || tail -n 20 "$log"
      say "the whole output is in $log"
    fi
  done
done
say "$runs runs, $failed failed"
[ "$failed" -eq 0 ]
