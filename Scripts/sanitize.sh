#!/usr/bin/env bash
# Runs the tests under sanitizers, and fails on any report.
#
#   Scripts/sanitize.sh [address|thread|undefined]... [-- ARGUMENT...]      (all three when none is named)
#
#   address     memory used after its end or beyond it, and memory lost
#   thread      memory that threads use unordered
#   undefined   undefined behaviour of the C target; the tests exercise it
#
# The arguments go on to `swift test`: -- --filter Closure
#
# Reports are written to files, one for each process: a test that expects a process to fail would take a report for that failure.
# What is no fault of ours is left out by Scripts/sanitize, with the reasons. The macros have no part in this: they run in the compiler.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'sanitize: %s\n' "$*"; }
fail() { say "$@" >&2; exit 1; }

sanitizers=()
while [ $# -gt 0 ]; do
  case $1 in
    address | thread | undefined) sanitizers+=("$1") ;;
    --) shift; break ;;
    *) fail "no sanitizer '$1'; there are address, thread and undefined" ;;
  esac
  shift
done
[ ${#sanitizers[@]} -gt 0 ] || sanitizers=(address thread undefined)

swift=${SWIFT:-swift}
suppressions=$PWD/Scripts/sanitize
scratch='' flags=()

# The toolchain's own symbolizer: an older one does not read all of what this compiler writes.
symbolizer=$(dirname "$(readlink -f "$(command -v "$swift")")")/llvm-symbolizer
[ -x "$symbolizer" ] || symbolizer=$(command -v llvm-symbolizer) || fail "no llvm-symbolizer, without which no suppression is found"

export SWIFT_BACKTRACE=enable=no  # the sanitizers write a trace themselves

prepare() { # SANITIZER
  case $1 in
    address) scratch=.build-asan flags=(--sanitize=address) ;;
    thread) scratch=.build-tsan flags=(--sanitize=thread) ;;
    undefined)
      # SwiftPM knows no such sanitizer on Linux: the C compiler is told, and the linker for its library. Nullability is no undefined
      # behaviour, but what the headers promise to Swift.
      scratch=.build-ubsan
      flags=(-Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=undefined
        -Xcc -fsanitize=nullability -Xcc -fno-sanitize-recover=nullability
        -Xswiftc -Xclang-linker -Xswiftc -fsanitize=undefined)
      ;;
  esac
  reports=$PWD/$scratch/reports
  local common=log_path=$reports/report:external_symbolizer_path=$symbolizer
  export ASAN_OPTIONS=$common:detect_leaks=1:detect_stack_use_after_return=1
  export LSAN_OPTIONS=suppressions=$suppressions/leaks.txt:print_suppressions=0
  export TSAN_OPTIONS=$common:suppressions=$suppressions/threads.txt:second_deadlock_stack=1
  # A crash is Swift's to tell of: one test looks at how it does.
  export UBSAN_OPTIONS=$common:print_stacktrace=1:handle_segv=0
}

# Builds and runs the tests under one sanitizer. Prints one line of what came of it.
run() { # SANITIZER [ARGUMENT...]
  local sanitizer=$1 status=0 start built tests count
  shift
  prepare "$sanitizer"
  say "$sanitizer: building in $scratch; the first time takes minutes"
  start=$SECONDS
  # A build says much; what it says is shown only when it fails.
  mkdir -p "$scratch"
  "$swift" build --build-tests --scratch-path "$scratch" "${flags[@]}" >"$scratch/build.log" 2>&1 || {
    cat "$scratch/build.log"
    results+=("$sanitizer: the build FAILED")
    return 1
  }
  built=$SECONDS
  rm -rf "$reports"
  mkdir -p "$reports"
  "$swift" test --skip-build --disable-xctest --scratch-path "$scratch" "${flags[@]}" "$@" >"$scratch/test.log" 2>&1 || status=$?
  tests=$(sed -n 's/.*Test run with \([0-9]* tests*\).*/\1/p' "$scratch/test.log" | tail -1)
  find "$reports" -type f -exec cat {} + >"$scratch/reports.log"
  count=$(grep -c 'ERROR: \|WARNING: ThreadSanitizer\|runtime error: ' "$scratch/reports.log") || true
  if [ "$status" -ne 0 ]; then grep -av '^◇\|^✔\|^➜' "$scratch/test.log" || true; fi
  "$swift" demangle --simplified <"$scratch/reports.log"
  local verdict=passed
  [ "$status" -eq 0 ] || verdict="FAILED ($status)"
  results+=("$sanitizer: ${tests:-no tests} $verdict, $count reports, built in $((built - start)) s, run in $((SECONDS - built)) s")
  # A report that is counted as none is one all the same, and a run of nothing shows nothing.
  [ "$status" -eq 0 ] && [ ! -s "$scratch/reports.log" ] && [ -n "$tests" ] && [ "$tests" != "0 tests" ]
}

results=() failed=false
for sanitizer in "${sanitizers[@]}"; do run "$sanitizer" "$@" || failed=true; done
for result in "${results[@]}"; do say "$result"; done
! $failed
