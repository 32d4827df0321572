import CallExplanations
import DynamicInvocation

extension WordDrawing {
  private static let margin = 16
  private static let gap = 28
  private static let wordHeight = 26
  /// The width of a character of a label, which has a monospaced font of 12 px.
  private static let characterWidth = 7.4
  private static let widestRow = 1_000
  private static let mostValues = 64

  /// The drawing as an SVG document, light, or dark if the viewer prefers that.
  var svg: String {
    let byteWidth = byteSize(from: 24, to: 60, length: Self.width)
    var body: [String] = []
    var y = 56
    var width = 0
    let blocks = groups.map { Block($0, byteWidth: byteWidth) }
    for row in Self.rows(blocks, upTo: Self.widestRow - Self.margin, gap: Self.gap, width: \.width) {
      var x = Self.margin
      for block in row {
        body += block.elements(x: x, y: y)
        width = max(width, x + block.width)
        x += block.width + Self.gap
      }
      y += row.map(\.height).max() ?? 0
    }
    y += 8
    body.append(Self.text(Self.margin, y, groups.isEmpty ? "The call passes no values." : legend, "note"))
    for line in values {
      y += 18
      body.append(Self.text(Self.margin, y, line, "type"))
      width = max(width, Self.margin + Self.width(line))
    }
    let title = explanation.canonicalText.shortened(to: 100).escaped
    let subtitle = explanation.abi.rawValue + (explanation.backend.map { ", \($0)" } ?? "")
    width = max(width, Self.margin + Self.width(title) * 7 / 6, Self.margin + Self.width(legend)) + Self.margin
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(y + 16)" viewBox="0 0 \(width) \(y + 16)" role="img">
      <title>\("\(title) (\(subtitle))".escapedForXML)</title>
      <style>
      \(Self.style)
      </style>
      <rect class="page" width="100%" height="100%" rx="6"/>
      \(Self.text(Self.margin, 26, title, "signature"))
      \(Self.text(Self.margin, 44, subtitle, "note"))
      \(body.joined(separator: "\n"))
      </svg>

      """
  }

  /// The types of the values, a line for each.
  private var values: [String] {
    let all = (explanation.types.result.size ?? 0 > 0 ? [explanation.result] : []) + explanation.arguments
    let lines = all.prefix(Self.mostValues).map { value in
      let name = Self.name(ofValue: value.index)
      let type = value.type.shortText.shortened(to: 80).escaped
      return "\(name)  \(type), \(value.size ?? 0) bytes: \(value.location.shortened(to: 80).escaped)"
    }
    return lines + (all.count > lines.count ? ["... \(all.count - lines.count) more values"] : [])
  }

  /// The boxes of a group, below each other.
  private struct Block {
    let group: CallExplanation.WordGroup
    let byteWidth: Int
    private let nameWidth: Int

    init(_ group: CallExplanation.WordGroup, byteWidth: Int) {
      self.group = group
      self.byteWidth = byteWidth
      nameWidth = group.words.map { WordDrawing.width($0.name) }.max() ?? 0
    }

    var width: Int { nameWidth + 8 * byteWidth }

    var height: Int { 36 + group.words.count * WordDrawing.wordHeight + (WordDrawing.rest(group) == nil ? 0 : 18) + 16 }

    func elements(x: Int, y: Int) -> [String] {
      let left = x + nameWidth
      var elements = [WordDrawing.text(left, y + 14, WordDrawing.title(group), "group")]
      elements += (0..<8).map { WordDrawing.text(left + $0 * byteWidth + byteWidth / 2, y + 31, "\($0)", "byte") }
      var top = y + 36
      for word in group.words {
        elements.append(WordDrawing.text(left - 6, top + 17, word.name, "name"))
        elements += WordDrawing.cells(word).map { element($0, of: word, x: left + $0.bytes.lowerBound * byteWidth, y: top) }
        top += WordDrawing.wordHeight
      }
      if let rest = WordDrawing.rest(group) { elements.append(WordDrawing.text(left, top + 16, rest, "note")) }
      return elements
    }

    private func element(_ cell: WordDrawing.Cell, of word: CallExplanation.Word, x: Int, y: Int) -> String {
      let width = cell.bytes.count * byteWidth
      func rectangle(_ style: String) -> String {
        #"<rect class="\#(style)" x="\#(x)" y="\#(y)" width="\#(width)" height="\#(WordDrawing.wordHeight)"/>"#
      }
      guard let run = cell.run else { return rectangle("unused") }
      let color = run.argument.map { "v\($0 % 8)" } ?? "ret"
      let bytes =
        cell.bytes.count == 1
        ? "byte \(cell.bytes.lowerBound)" : "bytes \(cell.bytes.lowerBound)-\(cell.bytes.upperBound - 1)"
      let label = run.label.escaped
      let title = "\(word.name), \(bytes): " + (run.content == .padding ? "padding of \(label)" : label)
      let texts: [String]
      if run.content == .padding {
        texts = cell.bytes.map { WordDrawing.text(x + ($0 - cell.bytes.lowerBound) * byteWidth + byteWidth / 2, y + 17, "·", "dot") }
      } else {
        let shown = WordDrawing.label(run) { WordDrawing.width($0) <= width }
        texts = [WordDrawing.text(x + width / 2, y + 17, shown, "label")]
      }
      return "<g><title>\(title.escapedForXML)</title>" + rectangle(run.content == .padding ? "\(color) padding" : color)
        + texts.joined() + "</g>"
    }
  }

  /// Returns the width of a label with the space around it.
  private static func width(_ label: String) -> Int { Int(Double(label.count) * characterWidth) + 6 }

  private static func text(_ x: Int, _ y: Int, _ string: String, _ style: String) -> String {
    #"<text class="\#(style)" x="\#(x)" y="\#(y)">\#(string.escapedForXML)</text>"#
  }

  private static let style = """
    text { font: 12px ui-monospace, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre; }
    .page { fill: #ffffff; }
    .signature { font-size: 14px; font-weight: 600; }
    .group { font-weight: 600; }
    .note, .byte, .name, .dot { fill: #59636e; }
    .label, .byte, .dot { text-anchor: middle; }
    .byte { font-size: 10px; }
    .name { text-anchor: end; }
    rect { stroke: #818b98; stroke-width: 1; fill-opacity: 0.22; }
    .page { stroke: none; fill-opacity: 1; }
    .unused { fill: none; stroke-dasharray: 2 3; }
    .padding { fill-opacity: 0.07; }
    .ret { fill: #818b98; }
    .v0 { fill: #0969da; }
    .v1 { fill: #bf8700; }
    .v2 { fill: #1a7f37; }
    .v3 { fill: #a475f9; }
    .v4 { fill: #cf222e; }
    .v5 { fill: #1b7c83; }
    .v6 { fill: #bf3989; }
    .v7 { fill: #bc4c00; }
    @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .page { fill: #0d1117; }
    .note, .byte, .name, .dot { fill: #9198a1; }
    rect { fill-opacity: 0.4; }
    .padding { fill-opacity: 0.15; }
    }
    """
}

extension String {
  /// The text escaped for an XML document, in content and in attributes.
  fileprivate var escapedForXML: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      // XML cannot represent these characters, not even escaped.
      case "\u{0}"..<"\t", "\u{B}", "\u{C}", "\u{E}"..<" ", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
