#!/usr/bin/env bash
# Opens pages of the documentation in headless Chromium and fails if one does not render: its title is not on the page,
# an image is missing, or the screenshot is blank. The screenshots are in .build-docs-check.
#
#   Scripts/docs-check.sh [PAGE...]      paths below documentation/; without any: each module's page and some articles
#
# Needs what Scripts/docs.sh has built, Python 3 for a web server, and Chromium.
set -euo pipefail
cd "$(dirname "$0")/.."

site=.build-docs shots=.build-docs-check
fail() { printf 'docs-check: %s\n' "$*" >&2; exit 1; }

[ -d "$site/documentation" ] || fail "there is no $site: run make docs first"
browser=''
for candidate in chromium chromium-browser google-chrome; do
  if command -v "$candidate" >/dev/null; then browser=$candidate; break; fi
done
[ -n "$browser" ] || fail "Chromium is missing"

pages=("$@")
if [ ${#pages[@]} -eq 0 ]; then
  for folder in "$site"/documentation/*/; do pages+=("$(basename "$folder")"); done
  for article in dynamicinvocation/{firstcall,callingc,callingconventions,performance} eventrouting/{routingevents,atoolkit}; do
    if [ -d "$site/documentation/$article" ]; then pages+=("$article"); fi
  done
fi

rm -rf "$shots"
mkdir -p "$shots"
profile=$(mktemp -d)
# Port 0 is a free one, which the server prints.
python3 -u -m http.server --bind 127.0.0.1 --directory "$site" 0 >"$shots/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -rf "$profile"' EXIT
port=''
for _ in $(seq 100); do
  port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$shots/server.log" | sed -n 1p)
  [ -z "$port" ] || break
  sleep 0.1
done
[ -n "$port" ] || fail "the web server did not start: $(cat "$shots/server.log")"

browse() { # ARGUMENT... URL
  timeout --kill-after=5 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --user-data-dir="$profile" \
    --virtual-time-budget=30000 "$@" 2>/dev/null
}

# The text that a title has in HTML.
escaped() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'; }

failures=0
for page in "${pages[@]}"; do
  url=http://127.0.0.1:$port/documentation/$page/
  title=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["metadata"]["title"])' "$site/data/documentation/$page.json" | escaped)
  shot=$shots/${page//\//-}.png
  dom=$(browse --dump-dom "$url") || true
  browse --window-size=1200,2400 --screenshot="$shot" "$url" || true
  problem=''
  if ! grep -qF -- "$title" <<<"$dom"; then
    problem="its title '$title' is not on the page"
  elif grep -q 'class="[^"]*generic-error' <<<"$dom"; then
    problem="it shows an error"
  elif [ "$(wc -c <"$shot" 2>/dev/null || echo 0)" -lt 15000 ]; then
    problem="the screenshot $shot is blank"
  else
    # Images that a page refers to.
    while IFS= read -r image; do
      if [ ! -s "$site/${image#/}" ]; then problem="the image $image is missing"; fi
    done < <(grep -o '<img[^>]* src="/[^"]*"' <<<"$dom" | sed 's/.* src="//; s/"$//')
  fi
  if [ -n "$problem" ]; then
    printf '%s: %s\n' "$page" "$problem"
    failures=$((failures + 1))
  else
    printf '%s: "%s", %d bytes of screenshot\n' "$page" "$title" "$(wc -c <"$shot")"
  fi
done
printf '%d pages, %d failures\n' "${#pages[@]}" "$failures"
[ "$failures" -eq 0 ]
