#!/usr/bin/env bash
# Runs Examples/gtk on a virtual X server, clicks a button of its window, and checks that the event was handled.
#
#   Scripts/gtk-example.sh [SCREENSHOT]      also writes a picture of the window after the click, such as window.png
#
# Installs what is missing where there is apt-get; elsewhere it is left out unless everything is there. Each wait ends
# with an error after a minute.
set -euo pipefail
cd "$(dirname "$0")/.."

limit=60  # seconds for each wait; none of them is expected to take long
swift=${SWIFT:-swift}
package=Examples/gtk
scratch=.build-examples  # shared with the other examples, so that this package is built once
export SWIFT_BACKTRACE=enable=no

say() { printf 'gtk-example: %s\n' "$*"; }
fail() {
  say "$@" >&2
  [ ! -s "$log" ] || { say "the program's output:" >&2; cat "$log" >&2; }
  exit 1
}

directory=$(mktemp -d)
log=$directory/log
server= program=

clean_up() {
  [ -z "$program" ] || kill -KILL "$program" 2>/dev/null || true
  [ -z "$server" ] || kill -TERM "$server" 2>/dev/null || true  # it removes its lock file
  rm -rf "$directory"
}
trap clean_up EXIT

wait_for() { # WHAT COMMAND...
  local what=$1 end=$((SECONDS + limit))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || fail "no $what after $limit s"
    sleep 0.2
  done
}

is_alive() { kill -0 "$1" 2>/dev/null; }
tool() { timeout "$limit" "$@" 2>/dev/null; }

has_display() {
  is_alive "$server" || fail "Xvfb ended: $(cat "$directory/server")"
  [ -s "$directory/display" ]
}
has_printed() { # PATTERN
  if grep -q "$1" "$log"; then return; fi
  is_alive "$program" || fail "the program ended before it printed '$1'"
  return 1
}
has_window() {
  window=$(tool xdotool search --onlyvisible --name '^GTK example$' | sed -n 1p)
  [ -n "$window" ]
}
has_title() { [ "$(tool xdotool getwindowname "$window")" = "$1" ]; }
has_ended() { ! is_alive "$program"; }

# What the window shows, as a number.
picture() { tool import -window "$window" rgb:- | cksum; }
# Whether the window shows something else than before the click, and does not change any more.
has_drawn() {
  local last=$drawn
  drawn=$(picture) || return 1
  [ "$drawn" != "$before" ] && [ "$drawn" = "$last" ]
}

if ! ./Scripts/install-dependencies.sh gtk; then
  if command -v apt-get >/dev/null; then exit 1; fi
  say "left out"
  exit 0
fi

"$swift" build --package-path "$package" --scratch-path "$scratch" --product gtk-example
binary=$("$swift" build --package-path "$package" --scratch-path "$scratch" --product gtk-example --show-bin-path)/gtk-example

# The server chooses a free display, and writes its number.
Xvfb -displayfd 3 -screen 0 800x600x24 -nolisten tcp 3>"$directory/display" >"$directory/server" 2>&1 &
server=$!
wait_for "display of Xvfb" has_display
DISPLAY=:$(cat "$directory/display")
export DISPLAY

# No window manager, session bus or settings are needed. What GTK calls critical, such as a wrong argument, ends the
# program.
env -u WAYLAND_DISPLAY -u DBUS_SESSION_BUS_ADDRESS GDK_BACKEND=x11 GSK_RENDERER=cairo GSETTINGS_BACKEND=memory \
  GTK_A11Y=none G_DEBUG=fatal-criticals "$binary" >"$log" 2>&1 &
program=$!
wait_for "layout of the window" has_printed '^button of row 1: '
wait_for "window" has_window
read -r x y < <(sed -n 's/^button of row 1: //p' "$log")

before=$(picture) || fail "no picture of the window can be taken"
drawn=$before
say "clicking the button of row 1, at $x, $y"
tool xdotool mousemove --window "$window" "$x" "$y" click 1 || fail "xdotool cannot click"
wait_for "event" has_printed '^row\.tapped: index 1, source row 1$'
wait_for "new title" has_title Pears
wait_for "new picture of the window" has_drawn
if [ $# -gt 0 ]; then
  tool import -window "$window" -strip "$1" || fail "the screenshot cannot be written to $1"
fi

kill -TERM "$program" 2>/dev/null || true
wait_for "end of the program" has_ended
status=0
wait "$program" || status=$?
[ "$status" -eq 0 ] || fail "the program ended with $status"
has_printed '^closed$'
cat "$log"
say "the event was handled"
