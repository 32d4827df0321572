import DynamicInvocation

extension InputReader {
  private static let simple = Array("cCsSiIqQtTfdDB*%@#:".utf8)
  private static let geometry = [
    "{CGPoint=dd}", "{Size=dd}", "{Rect={Point=dd}{Size=dd}}", "{CGVector=dd}", "{_NSRange=QQ}", "{UIEdgeInsets=dddd}", "{Offset=dd}",
    "{AffineTransform=dddddd}", "{Transform3D=dddddddddddddddd}", "{Other=[4d]}",
  ]

  /// Takes the text of a type, whose values usually fit in a frame.
  mutating func typeText(depth: Int = 0) -> String {
    let choice = number(below: depth < 4 ? 32 : 24)
    switch choice {
    case 0..<20: return String(Unicode.Scalar(element(of: Self.simple)))
    case 20: return "^v"
    case 21: return "@?"
    case 22: return element(of: Self.geometry)
    case 23: return "j" + String(Unicode.Scalar(element(of: Array("fdDiq".utf8))))
    case 24: return "[\(number(below: 9))\(typeText(depth: depth + 1))]"
    case 25: return element(of: ["![16,16f]", "<3f>", "<2d>", "![8,8s]", "<4q>"])
    case 26: return "(\(element(of: ["U", "U", "P1", "A8"]))=" + memberTexts(depth) + ")"
    default: return "{\(element(of: ["S", "S", "S", "P1", "P2", "A8"]))=" + memberTexts(depth) + "}"
    }
  }

  /// The attributes of the structs and unions of a text: those named P are packed, those named A aligned.
  static func layoutHints(of text: String) -> TypeEncoding.LayoutHints {
    var hints = TypeEncoding.LayoutHints()
    for packing in [1, 2] where text.contains("P\(packing)=") {
      hints.records["P\(packing)"] = try? TypeEncoding.LayoutOverride(packing: packing)
    }
    if text.contains("A8=") { hints.records["A8"] = try? TypeEncoding.LayoutOverride(minimumAlignment: 8) }
    return hints
  }

  private mutating func memberTexts(_ depth: Int) -> String {
    var text = ""
    for _ in 0..<number(below: 6) {
      switch number(below: 16) {
      case 0, 1: text += "b\(number(below: 33))"
      case 2: text += "A" + String(Unicode.Scalar(element(of: Array("csiqfdD".utf8))))
      default:
        text += typeText(depth: depth + 1)
      }
    }
    return text
  }
}
