#!/usr/bin/env bash
# Plants the faults of Scripts/mutants.txt in a copy of the package, one at a time, and says which of them the tests
# catch. Started again, it goes on with those that have no result yet; `rm -r .build-mutants` begins anew.
#
#   Scripts/mutants.sh [--check | --proof] [N]      at most N faults; --check only looks whether each text occurs once,
#                                                   --proof runs the proof only, which takes seconds for each fault
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
folder=$PWD/.build-mutants
mkdir -p "$folder"
program=$folder/mutants
if [ ! -x "$program" ] || [ Scripts/mutants.swift -nt "$program" ]; then
  "${swift%swift}swiftc" -swift-version 6 -o "$program" Scripts/mutants.swift
fi
export SWIFT_BACKTRACE=enable=no CONFORMANCE=1  # the copy has the program of the proof
exec "$program" "$PWD" "$folder" "$@"
