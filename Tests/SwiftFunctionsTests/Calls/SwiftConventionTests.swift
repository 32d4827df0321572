@testable import SwiftFunctions
import CallFrames
@testable import DynamicInvocation
import TestSupport
import Testing

/// The Swift calling convention, against the intermediate representation of swiftc 6.3 and the assembly of its clang for
/// both processors.
@Suite(.measured) struct SwiftConventionTests {
  private typealias Layout = SwiftTypeLayout

  /// A reader of the notation of the tables: `{…}` is a structure, `(…)` a tuple, `Int x 5` five of them, and `K?` an object.
  private struct Notation {
    private static let kinds: [String: Layout.Kind] = [
      "Bool": .integer(bits: 1), "Int8": .integer(bits: 8), "Int16": .integer(bits: 16), "UInt16": .integer(bits: 16),
      "Int32": .integer(bits: 32), "Int": .integer(bits: 64), "Int128": .integer(bits: 128), "Float": .float(bits: 32),
      "Double": .float(bits: 64), "K?": .pointer,
    ]

    private var text: Substring

    init(_ text: String) { self.text = text[...] }

    /// Reads a mark or word if it is next.
    mutating func take(_ mark: some StringProtocol) -> Bool {
      guard text.hasPrefix(mark) else { return false }
      text = text.dropFirst(mark.count).drop { $0 == " " }
      return true
    }

    private mutating func word() -> String {
      let word = text.prefix { $0.isLetter || $0.isNumber || "<>?".contains($0) }
      return take(word) ? String(word) : ""
    }

    /// Reads the types up to the mark that closes a list.
    mutating func list(to end: String) -> [Layout] {
      var types: [Layout] = []
      while !text.isEmpty && !take(end) {
        let type = self.type()
        types += Array(repeating: type, count: take("x ") ? Int(word()) ?? 0 : 1)
        _ = take(",")
      }
      return types
    }

    mutating func type() -> Layout {
      if take("{") { return .record(list(to: "}")) }
      if take("(") { return .record(list(to: ")"), isTuple: true) }
      let name = word()
      if let kind = Self.kinds[name] { return .scalar(kind) }
      if name == "String" { return .record([.scalar(.integer(bits: 64)), .scalar(.pointer)]) }
      if name == "Any" { return Layout(size: 32, alignment: 8, isAddressOnly: true) }
      if let kind = Self.kinds[String(name.dropLast())] { return Self.optional(kind) }
      // Three elements take the place of four.
      let count = name.dropFirst(4).first?.wholeNumberValue.map { $0 == 3 ? 4 : $0 } ?? 0
      switch Self.kinds[String(name.dropFirst(6).dropLast())] {
      case .integer(let bits)?: return .scalar(.vector(count: count, of: .integer(bits: bits)))
      case .float(let bits)?: return .scalar(.vector(count: count, of: .float(bits: bits)))
      default: preconditionFailure("no type '\(name)'")
      }
    }

    /// An enum whose payload is followed by a byte that tells the cases apart.
    private static func optional(_ payload: Layout.Kind) -> Layout {
      var leaves = stride(from: 0, to: payload.size, by: 8).map { Layout.Leaf(.integer(bits: min(8, payload.size - $0) * 8), at: $0) }
      leaves.append(Layout.Leaf(.integer(bits: 8), at: payload.size))
      return Layout(size: payload.size + 1, alignment: payload.size, leaves: leaves)
    }

    /// Reads a call: `self TYPE, (PARAMETERS) throws(TYPE) -> RESULT`.
    mutating func call() -> SwiftCallTypes {
      let passing: SwiftCallTypes.SelfPassing = take("self ") ? .value(type()) : .none
      _ = take(",")
      _ = take("(")
      let parameters = list(to: ")").map { SwiftCallTypes.Parameter($0) }
      let error = take("throws(") ? list(to: ")").first : nil
      return SwiftCallTypes(parameters, result: take("->") ? type() : .void, selfPassing: passing, typedError: error)
    }
  }

  // MARK: Types

  @Test(
    "A value is passed in the types that swiftc's intermediate representation has",
    arguments: TextTable.symbols.rows("types in which swiftc passes a value: of x86_64, of AArch64 if they differ"))
  func lowering(row: TextTable.Row) {
    func types(_ processor: SwiftCallingConvention.Processor) -> String {
      var notation = Notation(row[0])
      return SwiftCallingConvention(processor).lower(notation.type().leaves).map { pieces in
        pieces.map { Self.text($0.kind) }.joined(separator: ", ")
      } ?? "by address"
    }
    expectEqual(types(.x86_64), row[1])
    expectEqual(types(.aarch64), row[2].isEmpty ? row[1] : row[2])
  }

  // MARK: Locations

  @Test(
    "Arguments, results and errors are where the compiler puts them",
    arguments: TextTable.symbols.rows("locations of calls: of x86_64, of AArch64 if they differ"))
  func locations(row: TextTable.Row) {
    var notation = Notation(row[0])
    let types = notation.call()
    expectEqual(Self.text(SwiftCallingConvention(.x86_64).layout(of: types)), row[1])
    expectEqual(Self.text(SwiftCallingConvention(.aarch64).layout(of: types)), row[2].isEmpty ? row[1] : row[2])
  }

  @Test("An inout parameter is passed as the address of the variable, whatever its type")
  func inOut() {
    let int: Layout = .scalar(.integer(bits: 64))
    let five: Layout = .record(Array(repeating: int, count: 5))
    let types = SwiftCallTypes([SwiftCallTypes.Parameter(five, isInOut: true), SwiftCallTypes.Parameter(int)])
    #expect(Self.text(SwiftCallingConvention(.x86_64).layout(of: types)) == "&g0 g1")
  }

  @Test("The elements of a nested tuple that is returned are laid out anew as one flat tuple")
  func flatResults() {
    var notation = Notation("(Int8, (Int8, Int), Int8)")
    let result = notation.type()
    let layout = SwiftCallingConvention(.x86_64).layout(of: SwiftCallTypes([], result: result)).result
    expectEqual(layout.moves.map(\.source), [0, 1, 8, 16])
    expectEqual(layout.moves.map(\.target), [0, 8, 16, 24])
  }

  @Test("The offsets that are inlined into clients are the kernels'")
  func inlinedOffsets() {
    #expect(SwiftCallPlan.errorOffset == SwiftKernel.error)
    #expect(SwiftCallPlan.selfOffset == SwiftKernel.selfWord)
  }

  // MARK: Texts

  private static func text(_ kind: SwiftTypeLayout.Kind) -> String {
    switch kind {
    case .integer(let bits): "i\(bits)"
    case .pointer: "ptr"
    case .float(let bits): bits == 64 ? "double" : bits == 32 ? "float" : "half"
    case .vector(let count, let element): "<\(count) x \(text(element.scalar))>"
    case .opaque(let bytes): "\(bytes) bytes"
    }
  }

  private static func text(_ location: CallLayout.Location) -> String {
    switch location {
    case .general(let register): "g\(register)"
    case .vector(let register): "v\(register)"
    case .stack(let offset): "s\(offset)"
    case .indirectResult: "indirect"
    case .x87: "x87"
    }
  }

  private static func text(_ pieces: [SwiftCallLayout.Piece]) -> String {
    pieces.map { ($0.isAddress ? "&" : "") + text($0.location) }.joined(separator: "+")
  }

  /// A layout as text: registers of the arguments, of self after the parameters, of the result and of the error.
  private static func text(_ layout: SwiftCallLayout) -> String {
    var parts = layout.arguments.map { text($0) }
    if !layout.selfPieces.isEmpty { parts.append("self " + text(layout.selfPieces)) }
    var result = layout.result.pieces.map { text([$0]) }
    if let address = layout.result.address { result.append("&" + text(address)) }
    result += layout.result.elements.map { text([$0]) }
    if !result.isEmpty { parts.append("-> " + result.joined(separator: "+")) }
    switch layout.error {
    case .direct(let pieces)?: parts.append("throws " + text(pieces))
    case .address(let location)?: parts.append("throws &" + text(location))
    case nil: break
    }
    return parts.joined(separator: " ")
  }
}
