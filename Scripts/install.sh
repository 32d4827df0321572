#!/usr/bin/env bash
# Installs the program invoke and its completions, or removes them.
#
#   Scripts/install.sh install PREFIX
#   Scripts/install.sh uninstall PREFIX
#
# DESTDIR, if set, goes before every path, as packagers want it. SWIFT is the compiler's driver.
set -euo pipefail

say() { printf 'install: %s\n' "$*"; }

action=${1:?install or uninstall} prefix=${DESTDIR:-}${2:?a prefix}
program=$prefix/bin/invoke
bash=$prefix/share/bash-completion/completions/invoke
zsh=$prefix/share/zsh/site-functions/_invoke
fish=$prefix/share/fish/vendor_completions.d/invoke.fish

case $action in
  install)
    cd "$(dirname "$0")/.."
    swift=${SWIFT:-swift}
    package=(--package-path Tools)
    say "building invoke for release; the first time takes some minutes ..."
    # The libraries of Swift are linked in, so that the program runs where no toolchain is.
    log=$("$swift" build "${package[@]}" -c release --product invoke --static-swift-stdlib 2>&1) \
      || { printf '%s\n' "$log" >&2; exit 1; }
    built=$("$swift" build "${package[@]}" -c release --static-swift-stdlib --show-bin-path)/invoke
    mkdir -p "$(dirname "$program")" "$(dirname "$bash")" "$(dirname "$zsh")" "$(dirname "$fish")"
    # Beside the old one and then in its place, as one that runs cannot be written to.
    cp "$built" "$program.new"
    if command -v strip >/dev/null; then strip "$program.new"; fi
    mv -f "$program.new" "$program"
    "$program" --generate-completion-script bash >"$bash"
    "$program" --generate-completion-script zsh >"$zsh"
    "$program" --generate-completion-script fish >"$fish"
    say "installed $program ($(du -h "$program" | cut -f 1)) and completions for bash, zsh and fish in $prefix/share"
    case :$PATH: in
      *:"$prefix/bin":*) ;;
      *) say "$prefix/bin is not in PATH" ;;
    esac
    ;;
  uninstall)
    for file in "$program" "$bash" "$zsh" "$fish"; do
      if [ -e "$file" ]; then
        rm -f "$file"
        say "removed $file"
      fi
    done
    ;;
  *)
    say "$action is neither install nor uninstall" >&2
    exit 64
    ;;
esac
