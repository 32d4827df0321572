import CallExplanations
import DynamicInvocation

/// A drawing of the registers, the stack words and the memory in which a call passes its values.
///
/// Each word is a box of eight bytes, the byte with the lowest address first. Each run of bytes that belong to the same
/// member has a label.
struct WordDrawing {
  let explanation: CallExplanation
  let groups: [CallExplanation.WordGroup]

  /// Creates a drawing with at most the given number of words of the stack, of copies, and of a result in memory.
  init(_ explanation: CallExplanation, wordLimit: Int) {
    self.explanation = explanation
    groups = explanation.wordGroups(limit: wordLimit)
  }

  /// The bytes of a word that belong to the same member, or to no value.
  struct Cell {
    var bytes: Range<Int>
    var run: CallExplanation.Run?
  }

  /// Returns the cells of a word, in order.
  static func cells(_ word: CallExplanation.Word) -> [Cell] {
    var cells: [Cell] = []
    var end = 0
    for run in word.runs {
      if end < run.bytes.lowerBound { cells.append(Cell(bytes: end..<run.bytes.lowerBound)) }
      cells.append(Cell(bytes: run.bytes, run: run))
      end = run.bytes.upperBound
    }
    if end < 8 { cells.append(Cell(bytes: end..<8)) }
    return cells
  }

  /// Returns the smallest size of a byte, from a minimum to a maximum, for which each label fits that fits at the
  /// maximum.
  ///
  /// `length` is the size of a label with the space around it.
  func byteSize(from minimum: Int, to maximum: Int, length: (String) -> Int) -> Int {
    var size = minimum
    for case let run in groups.lazy.flatMap(\.words).flatMap(\.runs) where run.content != .padding {
      let needed = (length(run.label.escaped) + run.bytes.count - 1) / run.bytes.count
      if needed <= maximum { size = max(size, needed) }
    }
    return size
  }

  /// Returns the label of a run, or the longest shorter form that fits: the members without the value, the value, or an
  /// ellipsis.
  static func label(_ run: CallExplanation.Run, fits: (String) -> Bool) -> String {
    let value = name(ofValue: run.argument)
    let label = run.label.escaped
    let forms = [label, run.label.hasPrefix(value) ? String(label.dropFirst(value.count)) : value, value]
    return forms.first { !$0.isEmpty && fits($0) } ?? "…"
  }

  /// The name of a value in labels.
  static func name(ofValue argument: Int?) -> String { argument.map { "a\($0)" } ?? "ret" }

  /// Returns the title of a group.
  static func title(_ group: CallExplanation.WordGroup) -> String {
    switch group.kind {
    case .general: "general registers"
    case .vector: "vector registers"
    case .stack: "stack"
    case .copies: "copies on the stack"
    case .result: "result"
    case .resultMemory: "result in memory"
    }
  }

  /// Returns the text for the words of a group that are not shown, or nil if all of them are.
  static func rest(_ group: CallExplanation.WordGroup) -> String? {
    group.count > group.words.count ? "... \(group.count - group.words.count) more words" : nil
  }

  /// The explanation of the symbols that the drawing contains.
  var legend: String {
    let words = groups.flatMap(\.words)
    let runs = words.flatMap(\.runs)
    var parts = ["lowest byte on the left"]
    if runs.contains(where: { $0.content == .padding }) { parts.append("· padding") }
    if words.contains(where: { Self.cells($0).contains { $0.run == nil } }) { parts.append("blank: not part of a value") }
    if let address = runs.first(where: { $0.content == .address }) {
      parts.append("\(address.label) address of \(address.label.dropFirst())")
    }
    return parts.joined(separator: "; ")
  }
}
