#!/usr/bin/env bash
# Compiles the C code and assembly with musl as the C library, for x86-64 and AArch64.
#
# clang and musl come from the PyPI wheel ziglang, in .build-musl. The Swift part of a musl system is not here: the toolchain's SDK for static Linux
# has it.
set -euo pipefail
cd "$(dirname "$0")/.."

wheel=ziglang==0.17.1
scratch=$PWD/.build-musl

mkdir -p "$scratch/bin"
if [ ! -x "$scratch/ziglang/zig" ]; then
  echo "check-musl: fetching the compiler"
  python3 -m pip download -q --no-deps --only-binary :all: --platform manylinux_2_12_x86_64 -d "$scratch" "$wheel"
  unzip -q -o "$scratch"/ziglang-*.whl -d "$scratch"
  rm -f "$scratch"/ziglang-*.whl
  chmod +x "$scratch/ziglang/zig"
fi
for processor in x86_64 aarch64; do
  printf '#!/bin/sh\nexec "%s/ziglang/zig" cc -target %s-linux-musl "$@"\n' "$scratch" $processor >"$scratch/bin/$processor-linux-musl-cc"
  chmod +x "$scratch/bin/$processor-linux-musl-cc"
  for file in CFFIShim/*.c CFFIShim/*.S; do
    "$scratch/bin/$processor-linux-musl-cc" -std=gnu11 -Wall -Werror -I CFFIShim/include -c "$file" -o "$scratch/object.o"
  done
  echo "check-musl: $processor: C and assembly compile"
done
