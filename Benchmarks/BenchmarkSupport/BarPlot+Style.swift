extension BarPlot {
  /// The style of the chart as a page of its own, light, or dark if the viewer prefers that.
  static let style = """
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
    }
    """
}
