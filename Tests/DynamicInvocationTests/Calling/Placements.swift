@testable import DynamicInvocation
import TestSupport

/// The text of a layout, as the tests state it: `g0` to `g5` general registers, `v0` vector registers, `t0` x87, `s16` the stack, `x8`, each with the
/// number of bytes in it; `&` for an address, `-` for nothing.
enum Placements {
  /// Lays out types of C, written as encodings.
  static func of(_ types: String, by convention: any CallingConvention) throws -> String {
    let layout = try convention.layout(of: MethodTypes(types, blankIsFloat16: true))
    return text(layout)
  }

  static func text(_ layout: CallLayout) -> String {
    text(layout.result) + " <- " + layout.arguments.map { text($0) }.joined(separator: " ")
  }

  static func text(_ placement: CallLayout.Placement) -> String {
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
