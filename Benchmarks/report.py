#!/usr/bin/env python3
"""Tables, plots and the report of what invocation-bench has measured.

  report.py table FILE.json [PEER.json ...]            a table of the rows and of the rows of peers
  report.py compare OLD.json NEW.json                  how the ratio of each row has changed
  report.py plot FILE.json OUT.svg [PEER.json ...]     a plot of the rows, or of the curves of `invocation-bench growth --json`
  report.py run OUT.json FILE.json [--growth GROWTH.json] [--peers PEER.json ...] [--versions NAME=VERSION ...]
                [--absent NAME=REASON ...] [--quick] [--outputs PATH ...]
                                                       all of one run, with the machine and the versions
  report.py page RUN.json REPORT.md FOLDER             the report of that run, and its plots in a folder

FILE.json is what `invocation-bench --save` writes. legend.json, beside this script, describes what the rows are: one that it
does not describe is an error. Needs Python 3.8 and nothing else.
"""

import argparse
import ctypes
import ctypes.util
import datetime
import json
import math
import os
import platform
import shutil
import subprocess
import sys

KINDS = {"direct": "direct call", "own": "this package", "libffi": "plain libffi", "other": "other"}

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "legend.json"), encoding="utf-8") as file:
    LEGEND = json.load(file)


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


# Rows: dictionaries with suite, phase, engine, ns, ratio, allocations, spread and perhaps instructions.


def group_name(row):
    return f"{row['suite']}/{row['phase']}"


def name(row):
    return f"{group_name(row)}/{row['engine']}"


def in_order(names):
    return list(dict.fromkeys(names))


def kind(engine):
    return LEGEND["engines"][engine]["kind"]


def phase_caption(suite, phase):
    return LEGEND["phases"].get(f"{suite}/{phase}") or LEGEND["phases"][phase]


def with_peers(report, peers):
    """The report with the rows of peers, each suite and phase ordered by ratio.

    A peer's own direct calls are left out, since its ratios are to them. A peer's row replaces a row with the same name.
    """
    groups = {}
    for row in report["results"] + [row for peer in peers for row in peer["results"] if row["engine"] != "direct"]:
        group = groups.setdefault((row["suite"], row["phase"]), {})
        group.pop(row["engine"], None)
        group[row["engine"]] = row
    by_ratio = lambda row: (row["engine"] != "direct", row["ratio"])
    rows = [row for group in groups.values() for row in sorted(group.values(), key=by_ratio)]
    return {"results": rows, "wrong": in_order([row for one in [report] + peers for row in one.get("wrong", [])])}


def uneven(report, peer):
    """The rows of a peer whose own direct call took over a fifth more or less than ours, so that ratios are hard to compare."""
    def direct(one, row):
        return next((r["ns"] for r in one["results"] if r["engine"] == "direct" and (r["suite"], r["phase"]) == (row["suite"], row["phase"])), None)

    pairs = [(row, direct(peer, row), direct(report, row)) for row in peer["results"] if row["engine"] != "direct"]
    return [(row, theirs) for row, theirs, ours in pairs if theirs and ours and abs(theirs / ours - 1) > 0.2]


# Text.


def three_digits(value):
    return f"{value:.{2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0}f}"


def text_table(titles, rows):
    """Columns as wide as what they hold; a title that begins with > is of numbers."""
    lines = [[title.lstrip(">") for title in titles]] + rows
    widths = [max(len(line[column]) for line in lines) for column in range(len(titles))]
    align = lambda cell, title, width: cell.rjust(width) if title.startswith(">") else cell.ljust(width)
    return "\n".join("  ".join(map(align, line, titles, widths)).rstrip() for line in lines)


def markdown_table(titles, rows):
    rule = "|" + "".join("---:|" if title.startswith(">") else "---|" for title in titles)
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in [[t.lstrip(">") for t in titles]] + rows]
    return "\n".join([lines[0], rule] + lines[1:])


def overview_text(report):
    """A column for each suite and a line for each phase and engine, the fastest of a phase first."""
    rows, wrong = report["results"], report.get("wrong", [])
    suites = in_order(row["suite"] for row in rows)
    lines = []
    for phase in in_order(row["phase"] for row in rows):
        own = {(row["suite"], row["engine"]): row for row in rows if row["phase"] == phase}
        engines = in_order(engine for _, engine in own)
        common = [suite for suite in in_order(suite for suite, _ in own) if all((suite, engine) in own for engine in engines)]

        def mean(engine):  # of logarithms, so that a suite with large ratios does not outweigh the others
            ratios = [row["ratio"] for (suite, other), row in own.items() if other == engine and (not common or suite in common)]
            return sum(map(math.log, ratios)) / len(ratios)

        for engine in sorted(engines, key=lambda engine: -math.inf if engine == "direct" else mean(engine)):
            cells = []
            for suite in suites:
                row = own.get((suite, engine))
                if row:
                    cells += [three_digits(row["ns"]), three_digits(row["ratio"]) + "x"]
                else:
                    cells += ["wrong" if f"{suite}/{phase}/{engine}" in wrong else "-", ""]
            lines.append([phase, engine] + cells)
    text = text_table(["phase", "engine"] + [title for suite in suites for title in (f">{suite} ns", ">ratio")], lines)
    return text + ("\n\nnot timed, as the result is wrong: " + ", ".join(wrong) if wrong else "")


# Plots.

STYLE = """\
text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
.page { fill: #ffffff; }
.title { font-size: 14px; font-weight: 600; }
.subtitle, .tick { fill: #59636e; }
.tick { font-size: 11px; text-anchor: middle; }
.caption, .label { paint-order: stroke; stroke: #ffffff; stroke-width: 3px; }
.caption { font-weight: 600; }
.engine { text-anchor: end; }
.grid { stroke: #d1d9e0; stroke-width: 1; }
.direct { fill: #818b98; }
.own { fill: #0969da; }
.libffi { fill: #bf8700; }
.other { fill: #a475f9; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.page { fill: #0d1117; }
.caption, .label { stroke: #0d1117; }
.subtitle, .tick { fill: #9198a1; }
.grid { stroke: #30363d; }
.own { fill: #4493f8; }
.libffi { fill: #d29922; }
}"""

LINE_STYLE = """
text.tick.engine { text-anchor: end; }
.line { fill: none; stroke: #0969da; stroke-width: 2; stroke-linejoin: round; }
.dash1 { stroke-dasharray: 7 4; }
.dash2 { stroke-dasharray: 2 3; }
.dash3 { stroke-dasharray: 10 3 2 3; }
@media (prefers-color-scheme: dark) {
.line { stroke: #4493f8; }
}"""


def svg_text(x, y, text, style):
    for mark, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&apos;")):
        text = text.replace(mark, entity)
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}">{text}</text>'


def svg_line(x1, y1, x2, y2, style="grid"):
    return f'<line class="{style}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def svg_page(width, height, title, subtitle, style, kinds, note, elements):
    """A page with a title, a key of the colors, a line about the run, and elements below."""
    key, x = [], 16
    for one in KINDS:
        if one in kinds:
            key.append(f'<rect class="{one}" x="{x}" y="56" width="12" height="12" rx="2"/>' + svg_text(x + 18, 66, KINDS[one], "subtitle"))
            x += 110
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" '
            f'role="img" aria-label="{title}">',
            f"<title>{title}</title>", "<style>", style, "</style>", '<rect class="page" width="100%" height="100%" rx="6"/>',
            svg_text(16, 26, title, "title"), svg_text(16, 46, subtitle, "subtitle"),
        ] + key + ([svg_text(16, 86, note, "subtitle")] if note else []) + elements + ["</svg>", ""]
    )


class LogScale:
    """A logarithmic axis from one round number to another, with some length for the smallest value."""

    def __init__(self, values):
        smallest = min(values, default=1) * 0.75
        largest = max(max(values, default=10), smallest * 2)
        ticks = self.round_numbers(smallest / 10, largest * 10)
        self.lower = max((tick for tick in ticks if tick <= smallest), default=smallest)
        self.upper = min((tick for tick in ticks if tick >= largest), default=largest)
        self.ticks = self.round_numbers(self.lower, self.upper)

    @staticmethod
    def round_numbers(lower, upper):
        # Powers of one tenth are not exact, so numbers below one are quotients.
        decades = range(math.floor(math.log10(lower)), math.ceil(math.log10(upper)) + 1)
        numbers = [digit / 10.0**-decade if decade < 0 else digit * 10.0**decade for decade in decades for digit in (1.0, 2.0, 5.0)]
        return [number for number in numbers if lower <= number <= upper]

    def position(self, value):
        return (math.log10(value) - math.log10(self.lower)) / (math.log10(self.upper) - math.log10(self.lower))


def bar_plot(rows, note=None, plain=None):
    """A bar for each row, grouped by suite and phase, on a logarithmic axis.

    Groups and engines have the names of `plain`, a part of the legend, where it is given.
    """
    def group_caption(group):
        key = "/".join(group)
        return plain[key]["caption"] if plain else f"{LEGEND['suites'][group[0]]['caption']}: {phase_caption(*group)} ({key})"

    def label_of(row):
        return plain[group_name(row)]["engines"][row["engine"]] if plain else row["engine"]

    scale = LogScale([row["ns"] for row in rows if row["ns"] > 0])
    # A character of the font is about 6.5 points wide.
    left = math.ceil(max([104] + [32 + 6.5 * len(label_of(row)) for row in rows]))
    axis, top = 560, 126 if note else 106
    body, y, last = [], top, None
    for row in rows:
        group = (row["suite"], row["phase"])
        if group != last:
            body.append(svg_text(16, y + 23, group_caption(group), "caption"))
            y, last = y + 30, group
        length = max(1, axis * scale.position(max(row["ns"], scale.lower)))
        body.append(svg_text(left - 8, y + 12, label_of(row), "engine"))
        body.append(f'<rect class="bar {kind(row["engine"])}" x="{left}" y="{y + 2}" width="{length:.1f}" height="13" rx="2"/>')
        label = f"{three_digits(row['ns'])} ns" + ("" if row["engine"] == "direct" else f" · {three_digits(row['ratio'])}x")
        body.append(svg_text(left + length + 6, y + 12, label, "label"))
        y += 17
    grid, bottom = [], y + 8
    for tick in scale.ticks:
        x = left + axis * scale.position(tick)
        text = f"{tick:.0f}" if tick >= 1 else str(tick)
        grid += [svg_line(x, top, x, bottom), svg_text(x, top - 6, text, "tick"), svg_text(x, bottom + 14, text, "tick")]
    return svg_page(
        left + axis + 136, bottom + 30, "Nanoseconds per operation",
        "logarithmic scale; after the dot: how many times a direct call of the same callee", STYLE, {kind(row["engine"]) for row in rows},
        note, grid + body)


def curve(points, name):
    return [point for point in points if point["curve"] == name]


def growth_plot(points, note=None):
    """A panel for each curve, in two columns."""
    curves = in_order(point["curve"] for point in points)
    top, width, height = 98 if note else 78, 440, 262
    body = [
        element for index, name in enumerate(curves)
        for element in growth_panel(name, curve(points, name), index % 2 * width, top + index // 2 * height)
    ]
    return svg_page(
        2 * width + 16, top + (len(curves) + 1) // 2 * height + 8,
        "Nanoseconds per operation", "both axes logarithmic", STYLE + LINE_STYLE, {"own"}, note, body)


def growth_panel(name, points, x, y):
    """A line for each engine."""
    left, right, top, bottom = 70, 428, 48, 218
    legend = LEGEND["curves"][name]
    sizes, engines = sorted({point["size"] for point in points}), in_order(point["engine"] for point in points)
    points = [point for point in points if (point.get("ns") or 0) > 0]
    scale = LogScale([point["ns"] for point in points])
    # A size of 0 is half a step of two before the smallest other one.
    positive = [size for size in sizes if size > 0] or [1]
    first = positive[0] / 2 if sizes[0] == 0 else positive[0]
    last = max(positive[-1], first * 2)

    def across(size):
        return left + 8 + (right - left - 16) * (math.log10(size or first) - math.log10(first)) / (math.log10(last) - math.log10(first))

    def up(cost):
        return bottom - (bottom - top) * scale.position(cost)

    key, lines, key_x = [], [], left
    for place, engine in enumerate(engines):
        style = f"line dash{place}"
        key += [svg_line(key_x, 32, key_x + 22, 32, style), svg_text(key_x + 27, 36, engine, "subtitle")]
        key_x += 44 + 6.5 * len(engine)
        own = sorted((point for point in points if point["engine"] == engine), key=lambda point: point["size"])
        dots = [(f"{across(point['size']):.1f}", f"{up(point['ns']):.1f}") for point in own]
        if dots:
            lines.append(f'<polyline class="{style}" points="{" ".join(",".join(dot) for dot in dots)}"/>')
        lines += [f'<circle class="own" cx="{dot[0]}" cy="{dot[1]}" r="2.5"/>' for dot in dots]
    grid = []
    for tick in scale.ticks:
        # On a long axis only powers of ten, so that the numbers do not overlap.
        if len(scale.ticks) <= 8 or math.log10(tick) == round(math.log10(tick)):
            text = f"{round(tick):,}" if tick >= 1 else str(tick)
            grid += [svg_line(left, up(tick), right, up(tick)), svg_text(left - 6, up(tick) + 4, text, "tick engine")]
    end = -math.inf
    for size in sizes:
        grid.append(svg_line(across(size), bottom, across(size), bottom + 4))
        half = 3.2 * len(f"{size:,}")
        if across(size) - half > end + 6:
            end = across(size) + half
            grid.append(svg_text(across(size), bottom + 16, f"{size:,}", "tick"))
    axis = svg_text((left + right) / 2, bottom + 32, legend["axis"], "tick")
    return [f'<g transform="translate({x} {y})">', svg_text(left, 18, legend["caption"], "caption")] + key + grid + lines + [axis, "</g>"]


# A run: date, rounds, isQuick, machine, report, peers, peerReports, growth.


def output(*words):
    """What a program prints, without white space around it; None if it is missing or fails."""
    if not shutil.which(words[0]):
        return None
    done = subprocess.run(words, env={**os.environ, "LC_ALL": "C"}, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def values(text, key, separator=":"):
    pairs = [line.partition(separator) for line in (text or "").splitlines()]
    return [value.strip(" \t\"'") for own, _, value in pairs if own.strip() == key]


def contents(path):
    return open(path, encoding="utf-8").read() if os.path.exists(path) else ""


def libffi_version():
    try:  # the library says so since 3.5
        version = ctypes.CDLL(ctypes.util.find_library("ffi")).ffi_get_version
        version.restype = ctypes.c_char_p
        return version().decode()
    except (AttributeError, OSError, TypeError):
        return output("pkg-config", "--modversion", "libffi")


def commit(outputs):
    """The commit of the working copy, and whether files other than some outputs differ from it."""
    revision, root = output("git", "rev-parse", "--short=12", "HEAD"), output("git", "rev-parse", "--show-toplevel")
    changes = output("git", "diff", "--name-only", "-z", "HEAD")
    if revision is None or root is None or changes is None:
        return None
    places = [os.path.realpath(place) for place in outputs]
    changed = [os.path.realpath(os.path.join(root, path)) for path in changes.split("\0") if path]
    is_other = any(not any(path == place or path.startswith(place + os.sep) for place in places) for path in changed)
    return revision + (", with changed files" if is_other else "")


def machine(outputs):
    cpu = contents("/proc/cpuinfo")
    # AArch64 kernels do not name the model; lscpu knows it by its number.
    models = values(cpu, "model name") + values(output("lscpu"), "Model name") + [output("sysctl", "-n", "machdep.cpu.brand_string")]
    swift = output(os.environ.get("SWIFT", "swift"), "--version") or ""
    versions = [line.partition("Swift version ")[2] for line in swift.splitlines() if "Swift version " in line]
    return {
        "processor": next((model for model in models if model), None),
        "processors": len(values(cpu, "processor")) or os.cpu_count(),
        "system": next(iter(values(contents("/etc/os-release"), "PRETTY_NAME", "=")), None) or platform.platform(),
        "kernel": output("uname", "-srm"),
        "swift": versions[0] if versions else None,
        "libffi": libffi_version(),
        "commit": commit(outputs),
    }


def pairs(texts, value):
    return [{"name": text.partition("=")[0], value: text.partition("=")[2]} for text in texts]


def collect(arguments):
    report = read(arguments.file)
    run = {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "rounds": report.get("rounds"), "isQuick": arguments.quick, "machine": machine([arguments.output] + arguments.outputs),
        "report": report,
        "peers": pairs(arguments.versions, "version") + pairs(arguments.absent, "absence"),
        "peerReports": [read(path) for path in arguments.peers],
        "growth": read(arguments.growth) if arguments.growth else None,
    }
    write(arguments.output, json.dumps(run, indent=2, sort_keys=True) + "\n")


def plots(run):
    """The plots of a run by their names: some groups of several suites, all of events, the curves."""
    rows = with_peers(run["report"], run["peerReports"])["results"]
    of_machine = run["machine"]
    # Without the name of the release, which repeats the number.
    swift = of_machine.get("swift") and "Swift " + of_machine["swift"].split(" ")[0]
    facts = [fact for fact in (of_machine.get("processor"), of_machine.get("system"), swift, run["date"]) if fact]
    note = ("QUICK RUN, NOT A MEASUREMENT: " if run["isQuick"] else "one run: ") + ", ".join(facts)
    shown = LEGEND["overview"]
    overview = [
        row for group in shown for row in rows if group_name(row) == group and row["engine"] in shown[group]["engines"]
    ]
    by_name = {"overview": overview, "WE": [row for row in rows if row["suite"] == "WE"]}
    drawn = {key: bar_plot(own, note, shown if key == "overview" else None) for key, own in by_name.items() if own}
    if run.get("growth"):
        drawn["growth"] = growth_plot(run["growth"]["points"], note)
    return drawn


# The page.

INTRODUCTION = """\
`make report` writes this page and its plots from one run. Times are from one machine, and differ from hour to
hour. The two times of a ratio are measured shortly after each other."""

QUICK = "**This was a quick run. Its rounds are too few and too short: the figures are not measurements.**"

PEERS = """\
Each peer is a program of its own, which calls the same callees. Its ratios are to a direct call in its own process.
[Peers](Peers/README.md) says what each phase is in each of them."""

HOW_TO_READ = """\
- **ratio**: the time divided by the time of a direct call of the same callee, taken within each round.
- **ns**: nanoseconds of processor time of one operation.
- **instructions**: of one operation, libraries included; absent where valgrind is not installed.
- **allocations**: heap allocations of one operation; `-` where they are not counted.
- **spread**: the distance between the quartiles of the ratios, as a part of their median.

Ratios and times are medians of the rounds."""

UNEVEN = "Compare the times of these, not the ratios, as the direct call of their process took over a fifth more or less:"

GROWTH = """\
Nanoseconds of processor time of one operation, the median of the rounds. `make growth` holds the growth of this
package's own lines against limits, in instructions."""

AGAIN = """\
```sh
make report                          # this page: everything, beside the peers
make bench ARGS="--filter W2/set"    # some rows, without peers
make bench-peers ARGS="qt luajit"    # some peers
```

Compare ratios, and only within one run. What a change costs is better told by `make gates`, which counts
instructions and allocations."""


def page(run, plot_names, folder):
    merged = with_peers(run["report"], run["peerReports"])
    rows, wrong = merged["results"], merged["wrong"]

    def image(plot, text):
        return [f"![{text}]({folder}/{plot}.svg)"] if plot in plot_names else []

    blocks = ["# Benchmark report", INTRODUCTION] + ([QUICK] if run["isQuick"] else [])
    blocks += image("overview", "Nanoseconds of some operations, by engine")
    facts = [["date", run["date"]]] + [
        [title, str(run["machine"].get(key) or "not known")] for title, key in (
            ("processor", "processor"), ("logical processors", "processors"), ("system", "system"), ("kernel", "kernel"), ("Swift", "swift"),
            ("libffi", "libffi"), ("commit", "commit"))
    ] + [["rounds, without peers", str(run["rounds"])]]
    blocks += ["## Run", markdown_table(["", ""], facts), "## Peers"]
    if run["peers"]:
        peers = [[peer["name"], peer.get("version") or f"not measured, as it {peer['absence']}"] for peer in run["peers"]]
        blocks += [PEERS, markdown_table(["peer", "version"], peers)]
    else:
        blocks.append("No peer was run.")
    phases = in_order(text for row in rows for text in (row["phase"], f"{row['suite']}/{row['phase']}"))
    engines = in_order(row["engine"] for row in rows)
    blocks += [
        "## How to read it", HOW_TO_READ,
        markdown_table(["phase", "operation"], [[phase, LEGEND["phases"][phase]] for phase in phases if phase in LEGEND["phases"]]),
        markdown_table(
            ["engine", "kind", "mechanism"],
            [[engine, KINDS[one], LEGEND["engines"][engine]["caption"]] for one in KINDS for engine in engines if kind(engine) == one]),
    ]
    for suite in in_order([row["suite"] for row in rows] + [row.split("/")[0] for row in wrong]):
        own = [row for row in rows if row["suite"] == suite]
        blocks += [f"## {suite}: {LEGEND['suites'][suite]['caption']}", f"Types: `{LEGEND['suites'][suite]['types']}`"]
        blocks += image(suite, f"Nanoseconds of {suite}, by phase and engine")
        if own:
            blocks.append(suite_table(own))
        own_wrong = [f"- `{row}`" for row in wrong if row.startswith(suite + "/")]
        if own_wrong:
            blocks.append("\n\n".join(["Not timed, as the result is wrong:", "\n".join(own_wrong)]))
        notes = [(row, direct) for peer in run["peerReports"] for row, direct in uneven(run["report"], peer) if row["suite"] == suite]
        if notes:
            blocks.append(UNEVEN + "\n\n" + "\n".join(f"- `{name(row)}`: {three_digits(direct)} ns" for row, direct in notes))
    if run.get("growth"):
        points = run["growth"]["points"]
        blocks += ["## How cost grows"] + image("growth", "Nanoseconds of some operations, by size") + [GROWTH]
        for key in in_order(point["curve"] for point in points):
            blocks += growth_section(key, curve(points, key))
    return "\n\n".join(blocks + ["## Run it again", AGAIN]) + "\n"


def suite_table(rows):
    is_counted = any(row.get("instructions") is not None for row in rows)
    titles = ["phase", "engine", ">ratio"] + ([">instructions"] if is_counted else []) + [">ns", ">allocations", ">spread"]
    or_dash = lambda value, digits: "-" if value is None else f"{value:.{digits}f}"
    return markdown_table(
        titles, [
            [row["phase"], row["engine"], three_digits(row["ratio"]) + "x"]
            + ([or_dash(row.get("instructions"), 0)] if is_counted else [])
            + [three_digits(row["ns"]), or_dash(row.get("allocations"), 1), f"{row.get('spread', 0) * 100:.1f}%"] for row in rows
        ])


def growth_section(key, points):
    legend = LEGEND["curves"][key]
    engines = in_order(point["engine"] for point in points)
    costs = {(point["size"], point["engine"]): point["ns"] for point in points}
    cell = lambda size, engine: three_digits(costs[size, engine]) if (size, engine) in costs else "-"
    return [
        f"### {key}: {legend['caption']}, by {legend['axis']}",
        "\n".join(f"- `{engine}`: {legend['engines'][engine]}" for engine in engines),
        markdown_table(
            [">"] + [">" + engine for engine in engines],
            [[f"{size:,}"] + [cell(size, engine) for engine in engines] for size in sorted({point["size"] for point in points})]),
    ]


def write_page(run, report, folder):
    """Writes the page and its plots, and removes the plots of an earlier run."""
    os.makedirs(os.path.dirname(os.path.abspath(report)), exist_ok=True)
    os.makedirs(folder, exist_ok=True)
    for key in ["overview", "WE", "growth"]:
        path = os.path.join(folder, key + ".svg")
        if os.path.exists(path):
            os.remove(path)
    drawn = plots(run)
    for key, svg in drawn.items():
        write(os.path.join(folder, key + ".svg"), svg)
    write(report, page(run, set(drawn), os.path.relpath(folder, os.path.dirname(os.path.abspath(report)))))
    print(f"{report}, and plots in {folder}")


def table(report, peers):
    print(overview_text(with_peers(report, peers)))
    notes = [pair for peer in peers for pair in uneven(report, peer)]
    if notes:
        print("note: compare the time, not the ratio, of these: their process' direct call took another time than ours", file=sys.stderr)
    for row, direct in notes:
        print(f"  {name(row)}: direct {direct:.2f} ns", file=sys.stderr)


def compare(old, new):
    """A line for each row of both reports, with a mark where the ratio changed by more than the larger spread."""
    before, after = ({name(row): row for row in report["results"]} for report in (old, new))
    lines, marked = [], 0
    for key in [key for key in after if key in before]:
        share, spread = after[key]["ratio"] / before[key]["ratio"] - 1, max(row.get("spread", 0) for row in (before[key], after[key]))
        mark = "" if abs(share) <= spread else "* faster" if share < 0 else "* slower"
        marked += mark != ""
        lines.append([key] + [f"{one[key]['ratio']:.2f}x" for one in (before, after)] + [f"{share * 100:+.1f}%", f"{spread * 100:.1f}%", mark])
    print(text_table(["row", ">old ratio", ">new ratio", ">change", ">spread", ""], lines))
    for text, names in (("not in the old report", after.keys() - before.keys()), ("only in the old report", before.keys() - after.keys())):
        if names:
            print(f"{text}: " + ", ".join(sorted(names)))
    print(f"{marked} of {len(lines)} rows changed by more than the spread")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for command, words in (
        ("table", ["file", "peers*"]), ("compare", ["old", "new"]), ("plot", ["file", "output", "peers*"]), ("run", ["output", "file"]), ("page", ["run", "report", "folder"])
    ):
        own = commands.add_parser(command)
        for word in words:
            own.add_argument(word.rstrip("*"), **({"nargs": "*"} if word.endswith("*") else {}))
        if command == "run":
            own.add_argument("--growth")
            own.add_argument("--quick", action="store_true")
            for option in ("--peers", "--versions", "--absent", "--outputs"):
                own.add_argument(option, nargs="*", default=[])
    arguments = parser.parse_args()
    try:
        if arguments.command == "table":
            table(read(arguments.file), [read(path) for path in arguments.peers])
        elif arguments.command == "compare":
            compare(read(arguments.old), read(arguments.new))
        elif arguments.command == "plot":
            report, peers = read(arguments.file), [read(path) for path in arguments.peers]
            write(arguments.output, growth_plot(report["points"]) if "points" in report else bar_plot(with_peers(report, peers)["results"]))
        elif arguments.command == "run":
            collect(arguments)
        else:
            write_page(read(arguments.run), arguments.report, arguments.folder)
    except KeyError as error:
        sys.exit(f"report.py: a file of another format, or a name that legend.json does not describe: {error}")
    except (OSError, ValueError) as error:
        sys.exit(f"report.py: {error}")


main()
