@testable import DynamicInvocation
import TestSupport

extension TextTable {
  /// Where values are placed.
  static let placements: TextTable = TextTable("placements.txt")
}

/// The text of a layout, as the table states it.
enum Placements {
  static func text(_ layout: CallLayout) -> String {
    let arguments = layout.arguments.map { text($0) }.joined(separator: " ")
    return text(layout.result) + (arguments.isEmpty ? "" : " <- " + arguments)
  }

  private static func text(_ placement: CallLayout.Placement) -> String {
    if placement.pieces.isEmpty { return "-" }
    let pieces = placement.pieces.map { piece -> String in
      switch piece.location {
      case .general(let index): "g\(index):\(piece.size)"
      case .vector(let index): "v\(index):\(piece.size)"
      case .x87(let index): "t\(index):\(piece.size)"
      case .indirectResult: "x8"
      case .stack(let offset): "s\(offset):\(piece.size)"
      }
    }
    return (placement.passing == .reference ? "&" : "") + pieces.joined(separator: "+")
  }
}
