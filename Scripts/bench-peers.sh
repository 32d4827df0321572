#!/usr/bin/env bash
# Times the peers (Benchmarks/Peers) and ours on the same callees: one table, one plot, one report.
#
#   Scripts/bench-peers.sh [--quick] [--report] [PEER]...      (every peer when none is named)
#
#   PEER      gnustep, gobject, qt, libffcall, luajit, ctypes
#   --quick   short rounds, and few: shows that all runs, measures nothing
#   --report  write Benchmarks/REPORT.md and Benchmarks/Plots instead of the table; with --quick both go to .build/peers
#
# Installs nothing (make bench-peers does so before): a peer that is not there is skipped, with a line that says so.
# Programs, logs and reports lie in .build/peers.
set -euo pipefail
cd "$(dirname "$0")/.."

known=(gnustep gobject qt libffcall luajit ctypes)
sources=Benchmarks/Peers
workloads=Benchmarks/Sources/Workloads
allocations=Benchmarks/Sources/AllocationCounter
out=$PWD/.build/peers
limit=120  # seconds for one peer; they take about five

say() { printf 'bench-peers: %s\n' "$*"; }
fail() { say "$@" >&2; exit 1; }
usage() { sed -n '2,11s/^# \{0,1\}//p' "$0"; }
have() { command -v "$1" >/dev/null 2>&1; }
package() { have pkg-config && pkg-config --exists "$1"; }

compile=(-O2 -falign-functions=64 -falign-loops=64 -Wall "-I$sources/common" "-I$workloads/include")
link=("-L$out" -lpeer "-Wl,-rpath,$out")
counter=$out/allocation_counter.o

# What all peers share: callees, direct calls, clock, rounds. The malloc that counts has to be the executable's own.
build_common() {
  gcc -std=gnu11 "${compile[@]}" -fPIC -shared -o "$out/libpeer.so" \
    "$sources/common/peer.c" "$workloads/callees.c" "$workloads/direct.c"
  gcc -std=gnu11 -O2 -Wall "-I$allocations/include" -c -o "$counter" "$allocations/allocation_counter.c"
}

# For each peer: is it here, and what it calls itself; how it is built; what runs it, a report for each run.
version_gnustep() {
  have gnustep-config && [ -x "$(gcc -print-prog-name=cc1obj)" ] || return
  local base
  read -r -a base <<<"$(gnustep-config --objc-flags)"
  echo "GNUstep Base $(echo '#include <GNUstepBase/GSConfig.h>' | gcc "${base[@]}" -MF /dev/null -E -dM -x objective-c - |
    awk '$2 == "GNUSTEP_BASE_VERSION" { print $3 }')"
}
build_gnustep() {
  local objc base
  read -r -a objc <<<"$(gnustep-config --objc-flags)"
  read -r -a base <<<"$(gnustep-config --base-libs)"
  gcc "${objc[@]}" -MF "$out/gnustep.d" -std=gnu11 "${compile[@]}" -o "$out/gnustep" "$sources/gnustep/gnustep.m" "$counter" \
    "${link[@]}" "${base[@]}"
}
run_gnustep() { run gnustep "$out/gnustep"; }

version_gobject() { package gobject-2.0 && echo "GObject $(pkg-config --modversion gobject-2.0)"; }
build_gobject() {
  local glib
  read -r -a glib <<<"$(pkg-config --cflags --libs gobject-2.0)"
  gcc -std=gnu11 "${compile[@]}" -o "$out/gobject" "$sources/gobject/gobject.c" "$counter" "${link[@]}" "${glib[@]}"
}
run_gobject() { run gobject "$out/gobject"; }

version_qt() { package Qt6Core && echo "Qt $(pkg-config --modversion Qt6Core)"; }
build_qt() {
  local qt
  read -r -a qt <<<"$(pkg-config --cflags --libs Qt6Core)"
  "$(pkg-config --variable=libexecdir Qt6Core)/moc" "-I$sources/common" "-I$workloads/include" "$sources/qt/qt.cpp" \
    -o "$out/qt.moc" &&
    g++ -std=c++17 -fPIC "${compile[@]}" "-I$out" -o "$out/qt" "$sources/qt/qt.cpp" "$counter" "${link[@]}" "${qt[@]}"
}
run_qt() { run qt "$out/qt"; }

version_libffcall() {
  echo '#include <avcall.h>' | gcc -E - >/dev/null 2>&1 || return
  printf '#include <callback.h>\nint libffcall = LIBFFCALL_VERSION;\n' | gcc -E -P - 2>/dev/null | awk '
    /libffcall/ { sub(/.*0x/, ""); sub(/;/, ""); printf "libffcall %d.%d\n", substr($0, 1, length($0) - 2), substr($0, length($0) - 1) }'
}
build_libffcall() {
  gcc -std=gnu11 "${compile[@]}" -o "$out/libffcall" "$sources/libffcall/libffcall.c" "$counter" "${link[@]}" -lavcall
}
run_libffcall() { run libffcall "$out/libffcall"; }

version_luajit() { have luajit && luajit -v | cut -d ' ' -f 1,2; }
build_luajit() { :; }
run_luajit() {
  run luajit luajit "$sources/luajit/luajit.lua" "$out/libpeer.so" luajit
  run luajit-joff luajit -joff "$sources/luajit/luajit.lua" "$out/libpeer.so" luajit-joff
}

version_ctypes() { have python3 && python3 -c 'import ctypes, platform; print("ctypes of Python", platform.python_version())' 2>/dev/null; }
build_ctypes() { :; }
run_ctypes() { run ctypes python3 "$sources/ctypes/calls.py" "$out/libpeer.so"; }

# All on one processor, the last, which is the least likely to have other work.
pin=()
if have taskset; then
  pin=(taskset -c "$(taskset -cp $$ | sed 's/.*[-,: ]//')")
fi

reports=()
versions=()  # name=version of those that were measured
absent=()    # name=reason of those that were not
absent() { # NAME REASON [HINT]
  absent+=("$1=$2")
  say "$1: left out, as it $2${3:+; $3}"
}

run() { # NAME COMMAND...
  local report=$out/$1.json status=0
  timeout "$limit" ${pin[@]+"${pin[@]}"} "${@:2}" >"$report" 2>>"$out/$1.log" </dev/null || status=$?
  if [ "$status" -ne 0 ]; then
    absent "$1" "ended with status $status" "see $out/$1.log"
    return
  fi
  reports+=("$report")
}

quick=()
writes_report=false
peers=()
for argument in "$@"; do
  case $argument in
    --quick) quick=(--quick); export PEER_QUICK=1 ;;
    --report) writes_report=true ;;
    -h | --help) usage; exit 0 ;;
    -*) usage >&2; exit 64 ;;
    *)
      [[ " ${known[*]} " == *" $argument "* ]] || fail "no peer '$argument'; there are: ${known[*]}"
      peers+=("$argument")
      ;;
  esac
done
[ ${#peers[@]} -gt 0 ] || peers=("${known[@]}")

swift=${SWIFT:-swift}
mkdir -p "$out"
rm -f "$out"/*.json "$out"/*.svg "$out"/*.log
have python3 || fail "python3 is missing: Scripts/install-dependencies.sh peers"
compiler=true
have gcc || compiler=false
$compiler || $writes_report || fail "gcc is missing: Scripts/install-dependencies.sh peers"
say "building invocation-bench"
"$swift" build --package-path Benchmarks -c release --product invocation-bench --quiet
bench=$("$swift" build --package-path Benchmarks -c release --show-bin-path)/invocation-bench
! $compiler || build_common

for peer in "${peers[@]}"; do
  if ! $compiler; then
    absent "$peer" "needs gcc"
  elif ! version=$("version_$peer"); then
    absent "$peer" "is not installed"
  elif ! "build_$peer" >"$out/$peer.log" 2>&1; then
    absent "$peer" "does not build" "see $out/$peer.log"
  else
    say "$peer: $version"
    before=${#reports[@]}
    "run_$peer"
    [ ${#reports[@]} -eq "$before" ] || versions+=("$peer=$version")
  fi
done

say "ours"
ours() { SWIFT=$swift ${pin[@]+"${pin[@]}"} "$bench" "$@" ${quick[@]+"${quick[@]}"}; }
if ! $writes_report; then
  ours --save "$out/ours.json" >/dev/null
  echo
  python3 Benchmarks/report.py table "$out/ours.json" ${reports[@]+"${reports[@]}"}
  python3 Benchmarks/report.py plot "$out/ours.json" "$out/peers.svg" ${reports[@]+"${reports[@]}"}
  echo
  echo "ns of processor time for one operation; the ratio is to a direct call of the same callee in the same process"
  echo "plot    .build/peers/peers.svg"
  exit
fi

folder=Benchmarks
[ ${#quick[@]} -eq 0 ] || folder=.build/peers
instructions=()
! have valgrind || instructions=(--instructions)
ours --save "$out/ours.json" ${instructions[@]+"${instructions[@]}"} >/dev/null
ours growth --json >"$out/growth.json"
SWIFT=$swift python3 Benchmarks/report.py run "$out/run.json" "$out/ours.json" --growth "$out/growth.json" ${quick[@]+"${quick[@]}"} \
  --peers ${reports[@]+"${reports[@]}"} --versions ${versions[@]+"${versions[@]}"} --absent ${absent[@]+"${absent[@]}"} \
  --outputs "$folder/REPORT.md" "$folder/Plots"
python3 Benchmarks/report.py page "$out/run.json" "$folder/REPORT.md" "$folder/Plots"
