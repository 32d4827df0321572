import CallExplanations
@_spi(Tools) import DynamicInvocation

/// An explanation as text for a person: a few lines about the whole call, the drawing of its words, then a row for each
/// value and each member.
struct ExplanationTable {
  private static let widestEncoding = 44
  /// The maximum number of member rows.
  ///
  /// Every argument has a row.
  private static let mostRows = 4_096
  /// The maximum number of words of each column of the drawing.
  private static let mostWords = 32

  private var rows: [[String]] = [["", "encoding", "size", "align", "offset", "location"]]
  private let heading: [String]
  private let drawing: String
  /// Whether rows of members are omitted.
  private var isCut = false

  /// Creates the text.
  ///
  /// - Parameters:
  ///   - width: The maximum number of columns of the drawing.
  ///   - isColored: Whether the drawing contains ANSI colors.
  init(_ explanation: CallExplanation, of text: String, width: Int, isColored: Bool) {
    var heading = ["types      " + Self.shortened(text), "canonical  " + Self.shortened(explanation.canonicalText)]
    let host = explanation.abi == .host ? ", the C convention of this host" : ""
    let place = explanation.abi == .host || explanation.abi == .libffi ? "on this host" : "there"
    heading.append("abi        \(explanation.abi.rawValue)\(host)")
    if explanation.types.isMethod { heading.append("method     target, selector, then its arguments") }
    if let fixed = explanation.fixedArgumentCount { heading.append("variadic   after \(fixed) fixed arguments") }
    if let stackSize = explanation.stackSize { heading.append("stack      \(stackSize) bytes of arguments") }
    if let frameLength = explanation.frameLength { heading.append("frame      \(frameLength) bytes \(place)") }
    heading.append("backend    \(explanation.backend ?? "none \(place)"): \(explanation.reason.escaped)")
    if explanation.abi == .libffi {
      heading.append("drawing    none: libffi is given the types below, and assigns the registers itself")
    }
    self.heading = heading
    let drawing = WordDrawing(explanation, wordLimit: Self.mostWords, isColored: isColored).text(width: width)
    self.drawing = drawing.isEmpty ? "" : drawing + "\n\n"

    add(explanation.result, "result")
    for argument in explanation.arguments { add(argument, "argument \(argument.index ?? 0)") }
  }

  /// The whole text, without a trailing newline.
  var text: String {
    let widths = (0..<6).map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      // Sizes and alignments are numbers and are aligned to the right.
      let cells = row.enumerated().map { column, cell in cell.padded(to: widths[column], onLeft: column == 2 || column == 3) }
      return cells.joined(separator: "  ").withoutTrailingBlanks
    }
    let table = lines + (isCut ? ["...  more members; --json tells all"] : [])
    return heading.joined(separator: "\n") + "\n\n" + drawing + table.joined(separator: "\n")
  }

  private mutating func add(_ value: CallExplanation.Value, _ name: String) {
    rows.append([
      name, Self.shortened(ToolSupport.shortText(value.type)), Self.text(value.size), Self.text(value.alignment), "",
      value.location.escaped,
    ])
    addMembers(of: value.type, at: 0, depth: 1)
  }

  private mutating func addMembers(of type: TypeEncoding, at start: Int, depth: Int) {
    for (index, field) in type.members.enumerated() {
      guard rows.count < Self.mostRows else {
        isCut = true
        return
      }
      var offset = "+\(start + field.offset)"
      if let bits = field.bits {
        offset =
          bits.isEmpty ? "bit \(8 * start + bits.lowerBound)" : "bits \(8 * start + bits.lowerBound)-\(8 * start + bits.upperBound - 1)"
      }
      rows.append([
        String(repeating: "  ", count: depth) + (field.name.map(Self.shortened) ?? "[\(index)]"),
        Self.shortened(ToolSupport.shortText(field.type)), Self.text(field.type.size), Self.text(field.type.alignment), offset, "",
      ])
      addMembers(of: field.type, at: start + field.offset, depth: depth + 1)
    }
  }

  private static func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "-" }

  /// Returns the beginning of a text, escaped for a terminal.
  private static func shortened(_ text: String) -> String {
    text.utf8.count <= widestEncoding ? text.escaped : String(text.unicodeScalars.prefix(widestEncoding - 3)).escaped + "..."
  }
}
