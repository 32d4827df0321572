#!/usr/bin/env bash
# Runs libffi's test suite with calls and closures of this engine in libffi's place.
#
#   Scripts/libffi-suite.sh LIBFFI [PATTERN]      LIBFFI is a source tree of libffi, PATTERN a part of the names of tests
#
# The tests are in the folders libffi.call, libffi.closures, libffi.complex and libffi.bhaible, for the platform's
# calling convention, compiled by gcc with -O0 and -O2 (OPTIMIZATIONS="-O2" for one) against the installed header of libffi.
# Scripts/libffi-suite is the library with ffi_call, ffi_prep_cif, ffi_prep_cif_var, ffi_prep_closure_loc, ffi_closure_alloc
# and ffi_closure_free; all other functions come from the installed libffi. A test passes when its status is 0 and its
# output matches what it states. One that does not compile or link is not counted as run: it uses functions that the
# installed libffi does not have.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'libffi-suite: %s\n' "$*"; }

suite=${1:-}/testsuite
pattern=${2:-}
if [ ! -f "$suite/libffi.call/ffitest.h" ]; then
  say "usage: make libffi-suite LIBFFI=PATH, with a source tree of libffi"
  exit 2
fi
command -v perl >/dev/null || { say "perl compares the output of the tests, and is not installed"; exit 2; }

package=("${SWIFT:-swift}" build --package-path Scripts/libffi-suite --scratch-path .build-libffi)
"${package[@]}" --quiet
library=$("${package[@]}" --show-bin-path)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What libffi's configure script finds on every platform that the engine supports; the code of a closure is not at the
# address of its memory here either.
cat >"$work/fficonfig.h" <<'END'
#define FFI_EXEC_STATIC_TRAMP 1
#define HAVE_ALLOCA 1
#define HAVE_ALLOCA_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_LONG_DOUBLE 1
#define HAVE_MMAP 1
#define HAVE_MMAP_ANON 1
#define HAVE_STDINT_H 1
END

# Compiles and runs one test, and prints "pass", "fail" or "left out", the test and its options.
run() { # NUMBER TEST OPTIONS...
  local program=$work/$1 test=$suite/$2 name=$2 compiler=gcc
  shift 2
  case $test in *.cc) compiler=g++ ;; esac
  if ! "$compiler" "$@" -w -Wno-psabi -I "$work" -I "$(dirname "$test")" -o "$program" "$test" \
    -L "$library" -Wl,--no-as-needed -lLibFFIFunctions -lffi -lm -lpthread -Wl,-rpath,"$library" >"$program.log" 2>&1; then
    printf 'left out  %s %s: %s\n' "$name" "$*" "$(grep -m1 -o 'error: .*\|undefined reference.*' "$program.log" || true)"
    return
  fi
  local status=0
  timeout 60 "$program" >"$program.out" 2>"$program.err" || status=$?
  if [ $status -ne 0 ]; then
    printf 'fail      %s %s: status %s %s\n' "$name" "$*" "$status" "$(tail -n 1 "$program.err" | cut -c1-160)"
  elif ! matches "$test" "$program.out"; then
    printf 'fail      %s %s: other output\n' "$name" "$*"
  else
    printf 'pass      %s %s\n' "$name" "$*"
  fi
  rm -f "$program" "$program".*
}

# Compares output with the regular expressions of the directives dg-output, which follow each other.
matches() { # TEST OUTPUT
  perl -0777 -e '
    open my $test, "<", $ARGV[0] or die; my $source = <$test>;
    open my $file, "<", $ARGV[1] or die; my $output = <$file> // "";
    my $expected = "";
    while ($source =~ /\{\s*dg-output\s+"((?:[^"\\]|\\.)*)"/g) {
      my $text = $1;
      $text =~ s/\\(n|.)/$1 eq "n" ? "\n" : $1 =~ m{[\[\]"]} ? $1 : "\\$1"/ge;
      $text =~ s/\\\\/\\/g;
      $expected .= $text;
    }
    $output =~ s/\r//g;
    exit($expected eq "" || $output =~ /$expected/ ? 0 : 1);
  ' "$1" "$2"
}

export suite work library
export -f run matches

tests() {
  local optimization test number
  for optimization in ${OPTIMIZATIONS:--O0 -O2}; do
    for test in "$suite"/libffi.{call,closures,complex}/*.{c,cc}; do
      [ -f "$test" ] && printf '%s\0%s\0' "$test" "$optimization"
    done
    for number in $(seq 1 81); do printf '%s\0%s\0' "$suite/libffi.bhaible/test-call.c" "$optimization -DDGTEST=$number"; done
    for number in $(seq 1 80); do printf '%s\0%s\0' "$suite/libffi.bhaible/test-callback.c" "$optimization -DDGTEST=$number"; done
  done
}

number=0
while IFS= read -r -d '' test && IFS= read -r -d '' options; do
  number=$((number + 1))
  case "$test $options" in *"$pattern"*) printf '%s %s %s\0' "$number" "${test#"$suite/"}" "$options" ;; esac
done < <(tests) | xargs -0 -P "${JOBS:-2}" -I '{}' bash -c 'run $1' run '{}' >"$work/results"

sort "$work/results" | grep -v '^pass' || true
passed=$(grep -c '^pass' "$work/results" || true)
failed=$(grep -c '^fail' "$work/results" || true)
say "$passed passed, $failed failed, $(grep -c '^left out' "$work/results" || true) left out"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
