#!/usr/bin/env bash
# Compiles the C code and type-checks the libraries for Apple's platforms, on Linux, without Apple's SDK.
#
#   Scripts/check-apple.sh [TRIPLE]...       those triples, or all four
#
# C and assembly are also compiled for tvOS, watchOS, visionOS and Mac Catalyst.
#
# The C headers come from the PyPI wheel ziglang. The modules of the standard library are compiled from the public interfaces that the toolchain
# has, with another target: Apple's SDK has the same interfaces, so SPI and what a platform's version lacks are errors here, too. Frameworks are
# stubs of our own, with what Apple documents (Scripts/apple). Everything is in .build-apple; nothing of it is committed.
#
# The tests of the libraries are type-checked too, for one system of each processor, except the tests of what wraps Foundation.
set -euo pipefail
cd "$(dirname "$0")/.."

triples=("$@")
[ $# -gt 0 ] || triples=(arm64-apple-macosx15.0 x86_64-apple-macosx15.0 arm64-apple-ios18.0 x86_64-apple-ios18.0-simulator)
wheel=ziglang==0.17.1
scratch=$PWD/.build-apple
swiftc=${SWIFT:-swift}c
clang=$(dirname "$(readlink -f "$(command -v "$swiftc")")")/clang
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v "$swiftc")")")")/lib/swift
logging=.build/checkouts/swift-log/Sources/Logging

say() { printf 'check-apple: %s\n' "$*"; }

mkdir -p "$scratch"
if [ ! -d "$scratch/include" ]; then
  say "fetching the headers"
  python3 -m pip download -q --no-deps --only-binary :all: --platform manylinux_2_12_x86_64 -d "$scratch" "$wheel"
  unzip -q -o "$scratch"/ziglang-*.whl 'ziglang/lib/libc/include/any-darwin-any/*' -d "$scratch/wheel"
  mv "$scratch/wheel/ziglang/lib/libc/include/any-darwin-any" "$scratch/include"
  rm -rf "$scratch"/ziglang-*.whl "$scratch/wheel"
fi
[ -d "$logging" ] || "${SWIFT:-swift}" package resolve >/dev/null

errors=0 warnings=0

# Counts the errors and warnings that a command printed.
count() { # NAME LOG
  local found=0 warned=0
  found=$(grep -c ' error: ' "$2" || true) warned=$(grep ' warning: ' "$2" | grep -vc 'SDK settings were ignored' || true)
  errors=$((errors + found)) warnings=$((warnings + warned))
  [ "$found" = 0 ] && [ "$warned" = 0 ] || { say "$1: $found errors, $warned warnings"; grep -E ' (error|warning): ' "$2" | grep -v 'SDK settings were ignored' | sort -u | sed -n 1,20p; }
}

# An SDK of the headers, in which Darwin is a module.
make_sdk() { # FOLDER
  mkdir -p "$1/usr/include"
  cp -r "$scratch/include/." "$1/usr/include"
  cp Scripts/apple/module.modulemap "$1/usr/include/module.modulemap"
}

# The resources of the compiler for another platform: two headers of it assume Linux.
make_resources() { # FOLDER
  mkdir -p "$1"
  cp -r "$toolchain/shims" "$1/"
  ln -s "$toolchain/apinotes" "$toolchain/clang" "$1/"
  sed -i 's/#if !defined _WIN32 \&\& (defined __i386__ || defined __x86_64__)/#if 1/' "$1/shims/LibcShims.h"
  python3 Scripts/apple/futex.py "$1/shims/_SynchronizationShims.h"
}

check() { # TRIPLE
  local triple=$1 out="$scratch/$1" sdk="$scratch/$1/sdk" name
  mkdir -p "$out/interfaces" "$out/modules" "$out/logs"
  [ -d "$sdk" ] || make_sdk "$sdk"
  [ -d "$out/resources" ] || make_resources "$out/resources"

  # C and assembly, as SwiftPM compiles them.
  compile_c() { # TRIPLE
    local file
    : >"$out/logs/c.log"
    for file in CFFIShim/*.c CFFIShim/*.S Sources/CFunctionReplacement/*.c Sources/CFunctionReplacement/*.S; do
      "$clang" -target "$1" -isysroot "$sdk" -std=gnu11 -Wall -I CFFIShim/include -I Sources/CFunctionReplacement/include -c "$file" -o "$out/object.o" >>"$out/logs/c.log" 2>&1 || true
    done
    count "$1: C" "$out/logs/c.log"
  }
  compile_c "$triple"

  # Platforms that are only a deployment target more: their C code.
  case $triple in
    arm64-apple-macosx*)
      for name in arm64-apple-tvos18.0 arm64-apple-watchos11.0 arm64-apple-xros2.0 arm64-apple-ios18.0-macabi; do compile_c $name; done
      if "$clang" -target arm64e-apple-macosx15.0 -isysroot "$sdk" -I CFFIShim/include -fsyntax-only CFFIShim/cffi_call.c 2>/dev/null; then
        say "arm64e is not refused"
        errors=$((errors + 1))
      fi
      ;;
  esac

  # The standard library.
  local frontend=("$swiftc" -frontend -target "$triple" -sdk "$sdk" -resource-dir "$out/resources" -module-cache-path "$out/cache" -I "$out"
    -plugin-path "$toolchain/host/plugins")
  standard() { # MODULE [FLAG...]
    [ ! -s "$out/$1.swiftmodule" ] || return 0
    local module=$1
    shift
    "${frontend[@]}" -compile-module-from-interface "$out/interfaces/$module.swiftinterface" -o "$out/$module.swiftmodule" -module-name "$module" \
      -disable-availability-checking "$@" >"$out/logs/$module.log" 2>&1 \
      || { say "$module of the toolchain does not compile for $triple"; head -20 "$out/logs/$module.log"; exit 2; }
  }
  for name in Swift _Concurrency Synchronization _Builtin_float _RegexParser _StringProcessing SwiftOnoneSupport Glibc Testing; do
    local interface
    interface=$(ls "$toolchain"/linux/$name.swiftmodule/*-linux-gnu.swiftinterface | sed -n 1p)
    sed -e "s#-target [^ ]*-linux-gnu#-target $triple#g" -f Scripts/apple/interface.sed "$interface" >"$out/interfaces/$name.swiftinterface"
  done
  cat Scripts/apple/Swift.swiftinterface >>"$out/interfaces/Swift.swiftinterface"
  sed -f Scripts/apple/darwin.sed "$out/interfaces/Glibc.swiftinterface" >"$out/interfaces/Darwin.swiftinterface"
  cat Scripts/apple/Darwin.swiftinterface >>"$out/interfaces/Darwin.swiftinterface"
  standard Swift -parse-stdlib
  for name in _Concurrency Synchronization _Builtin_float _RegexParser _StringProcessing SwiftOnoneSupport Darwin Testing; do standard $name; done

  # The libraries, each after those that it imports.
  library() { # MODULE FOLDER [FLAG...]
    local module=$1 folder=$2
    shift 2
    rm -f "$out/modules/$module.swiftmodule"
    find "$folder" -name '*.swift' | sort >"$out/files"
    "${frontend[@]}" -emit-module @"$out/files" -I "$out/modules" -I CFFIShim/include -I Sources/CFunctionReplacement/include -package-name swift_invocation -module-name "$module" \
      -parse-as-library -enable-testing -swift-version 6 -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility \
      -enable-upcoming-feature InternalImportsByDefault -DSWIFT_PACKAGE "$@" -emit-module-path "$out/modules/$module.swiftmodule" \
      >"$out/logs/$module.log" 2>&1 || true
    [ "$module" = Logging ] || count "$triple: $module" "$out/logs/$module.log"
  }
  library Logging "$logging"
  for name in TypeEncodings CallFrames DynamicInvocation DeclarationReading CDeclarations SwiftSymbols SwiftFunctions FunctionReplacement CallExplanations \
    InvocationRecords EventRouting InvocationMacros EventRoutingMacros; do
    library $name Sources/$name -strict-memory-safety
  done

  # What needs frameworks, against stubs.
  local stubs=(ObjectiveC CoreGraphics QuartzCore Dispatch Foundation)
  case $triple in *-ios*) stubs+=(UIKit) ;; *) stubs+=(AppKit) ;; esac
  for name in "${stubs[@]}"; do
    local stub=Scripts/apple/Stubs/$name
    [ -d "$stub" ] || stub=$stub.swift
    library "$name" "$stub"
  done
  for name in DynamicInvocationFoundation EventRoutingFoundation EventRoutingResponders ObjectiveCMessages; do library $name Sources/$name -strict-memory-safety; done

  # What an application writes for the responder chain.
  mkdir -p "$out/chain"
  cp Scripts/apple/Chain.swift "$out/chain"
  library Chain "$out/chain"

  # What the tests share and needs no framework.
  for name in LayoutModel EventRoutingModel; do library $name Tests/$name; done

  # The tests.
  case $triple in
    arm64-apple-macosx* | x86_64-apple-ios*)
      printf 'module AllocationCounter { header "%s" export * }\n' "$PWD/Tests/AllocationCounter/include/allocation_counter.h" \
        >"$out/module.modulemap"
      for name in TestSupport CDeclarationsTests DynamicInvocationTests EventRoutingTests FunctionReplacementTests \
        SwiftFunctionsTests; do
        library $name Tests/$name
      done
      ;;
  esac

  # A program that imports Foundation and names each public type of the libraries.
  mkdir -p "$out/names"
  {
    cat Scripts/apple/Names.swift
    grep -hoE '^(@[A-Za-z_()]+ )*(public|open) (final )?(class|struct|enum|protocol|actor) [A-Z][A-Za-z]*[^.<A-Za-z]' -r \
      Sources/{TypeEncodings,CallFrames,DynamicInvocation,EventRouting} --include='*.swift' \
      | grep -v '@_spi' | sed -E 's/.* (protocol) ([A-Za-z]+).*/func name(_: (any \2)?) {}/; s/.* (class|struct|enum|actor) ([A-Za-z]+).*/func name(_: borrowing \2) {}/' | sort -u
  } >"$out/names/main.swift"
  library Names "$out/names"
}

if [ ${#triples[@]} -gt 1 ]; then
  # One process for each triple, as many at a time as there are processors.
  printf '%s\n' "${triples[@]}" | xargs -P "$(nproc)" -n 1 "$0" && say "${#triples[@]} triples compile"
  exit
fi

check "${triples[0]}"
say "${triples[0]}: $errors errors, $warnings warnings"
[ "$errors" = 0 ] && [ "$warnings" = 0 ]
