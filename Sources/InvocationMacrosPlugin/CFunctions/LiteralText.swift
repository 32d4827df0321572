#if Macros
  import SwiftSyntax

  /// The text of a string literal, and where each of its bytes is in the source.
  struct LiteralText {
    /// The text without its delimiters, escapes and indentation.
    private(set) var bytes: [UInt8] = []
    /// The position of each byte in the source.
    private var positions: [AbsolutePosition] = []
    private var end: AbsolutePosition

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Reads a literal; nil if it contains an interpolation.
    init?(_ literal: StringLiteralExprSyntax) {
      end = literal.closingQuote.positionAfterSkippingLeadingTrivia
      let escape = Array(("\\" + (literal.openingPounds?.text ?? "")).utf8)
      for segment in literal.segments {
        guard case .stringSegment(let segment) = segment else { return nil }
        add(Array(segment.content.text.utf8), at: segment.content.positionAfterSkippingLeadingTrivia, escape)
      }
    }

    /// The position in the source of the byte at an offset; for the end that of the closing quote.
    func position(of offset: Int) -> AbsolutePosition { offset < positions.count ? positions[offset] : end }

    private mutating func add(_ source: [UInt8], at start: AbsolutePosition, _ escape: [UInt8]) {
      var index = 0
      func position() -> AbsolutePosition { start.advanced(by: index) }
      while index < source.count {
        guard source[index...].starts(with: escape) else {
          add([source[index]], at: position())
          index += 1
          continue
        }
        let (value, count) = Self.escaped(source[(index + escape.count)...])
        add(value, at: position())
        index += escape.count + count
      }
    }

    private mutating func add(_ value: [UInt8], at position: AbsolutePosition) {
      bytes += value
      positions += repeatElement(position, count: value.count)
    }

    /// Returns the bytes that an escape stands for, and its length after the backslash.
    ///
    /// The compiler checks escapes.
    private static func escaped(_ rest: ArraySlice<UInt8>) -> (value: [UInt8], count: Int) {
      switch rest.first {
      case UInt8(ascii: "n"): return ([0x0A], 1)
      case UInt8(ascii: "t"): return ([0x09], 1)
      case UInt8(ascii: "r"): return ([0x0D], 1)
      case UInt8(ascii: "0"): return ([0], 1)
      case UInt8(ascii: "u"):
        let digits = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "}") }
        let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap(Unicode.Scalar.init)
        return (scalar.map { Array(String($0).utf8) } ?? [], min(rest.count, digits.count + 3))
      case 0x0A: return ([], 1)
      case let byte?: return ([byte], 1)
      case nil: return ([], 0)
      }
    }
  }
#endif
