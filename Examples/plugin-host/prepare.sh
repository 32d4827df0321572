#!/usr/bin/env bash
# Builds the plugin with the modules of the host, and puts it and the file of calls into a directory.
#
#   Examples/plugin-host/prepare.sh DIRECTORY-OF-THE-HOST DIRECTORY
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
swift=${SWIFT:-swift}
"${swift%swift}swiftc" -swift-version 6 -parse-as-library -emit-library -module-name Sketch -I "$1/Modules" \
  -o "$2/libSketch.so" "$here/Plugins/Sketch/Sketch.swift"
cp "$here/calls.json" "$2"
