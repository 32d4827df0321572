@testable import SwiftFunctions
import CallFrames
@testable import DynamicInvocation
import TestSupport
import Testing

/// The Swift calling convention, against the intermediate representation of swiftc 6.3 and the assembly of its clang for
/// both processors.
@Suite(.measured) struct SwiftConventionTests {
  private typealias Layout = SwiftTypeLayout

  private static let int8: Layout = .scalar(.integer(bits: 8))
  private static let int16: Layout = .scalar(.integer(bits: 16))
  private static let int32: Layout = .scalar(.integer(bits: 32))
  private static let int: Layout = .scalar(.integer(bits: 64))
  private static let int128: Layout = .scalar(.integer(bits: 128))
  private static let bool: Layout = .scalar(.integer(bits: 1))
  private static let float: Layout = .scalar(.float(bits: 32))
  private static let double: Layout = .scalar(.float(bits: 64))
  private static let object: Layout = .scalar(.pointer)
  private static let string: Layout = .record([int, object])
  private static let any = Layout(size: 32, alignment: 8, isAddressOnly: true)
  private static let five: Layout = .record([int, int, int, int, int])
  private static let error: Layout = .record([int])

  private static func vector(_ count: Int, _ bits: Int, isFloat: Bool = true) -> Layout {
    .scalar(.vector(count: count, of: isFloat ? .float(bits: bits) : .integer(bits: bits)))
  }

  private static func tuple(_ elements: Layout...) -> Layout { .record(elements, isTuple: true) }

  /// An enum whose payload of a size in bytes is followed by a byte that tells the cases apart.
  private static func tagged(_ size: Int, alignment: Int) -> Layout {
    var leaves = stride(from: 0, to: size, by: 8).map { Layout.Leaf(.integer(bits: min(8, size - $0) * 8), at: $0) }
    leaves.append(Layout.Leaf(.integer(bits: 8), at: size))
    return Layout(size: size + 1, alignment: alignment, leaves: leaves)
  }

  // MARK: Types

  /// A value and the types in which swiftc passes it; nil by address.
  struct Lowering: Sendable, CustomTestStringConvertible {
    var name: String
    var layout: SwiftTypeLayout
    var x86_64: String?
    var aarch64: String?
    var testDescription: String { name }
  }

  private static func same(_ name: String, _ layout: Layout, _ types: String?) -> Lowering {
    Lowering(name: name, layout: layout, x86_64: types, aarch64: types)
  }

  static let lowerings: [Lowering] = [
    same("{Int8, Float, Bool, UInt16}", .record([int8, float, bool, int16]), "i8, float, i32"),
    same("{Int8, Int8, Int8}", .record([int8, int8, int8]), "i32"),
    same("{Int32 x 4, Double, Float}", .record([int32, int32, int32, int32, double, float]), "i64, i64, double, float"),
    same("{Bool, Int}", .record([bool, int]), "i1, i64"),
    same("{Float, Int8, Float, Int16}", .record([float, int8, float, int16]), "float, i8, float, i16"),
    same("{Int x 5}", five, nil),
    Lowering(
      name: "{SIMD2<Float>, SIMD4<Int8>, SIMD3<Double>}", layout: .record([vector(2, 32), vector(4, 8, isFloat: false), vector(4, 64)]),
      x86_64: nil, aarch64: "<2 x float>, i32, <2 x double>, <2 x double>"),
    Lowering(
      name: "SIMD4<Int16>", layout: vector(4, 16, isFloat: false), x86_64: "i64", aarch64: "<4 x i16>"),
    Lowering(name: "SIMD2<Float>", layout: vector(2, 32), x86_64: "float, float", aarch64: "<2 x float>"),
    same("SIMD8<Float>", vector(8, 32), "<4 x float>, <4 x float>"),
    same("Int?", tagged(8, alignment: 8), "i64, i8"),
    same("Float?", tagged(4, alignment: 4), "i64"),
    same("Int128?", tagged(16, alignment: 16), "i64, i64, i8"),
    same("String", string, "i64, ptr"),
    same("{Int128, Float}", .record([int128, float]), "i128, float"),
  ]

  @Test("A value is passed in the types that swiftc's intermediate representation has", arguments: lowerings)
  func lowering(row: Lowering) {
    func types(_ processor: SwiftCallingConvention.Processor) -> String? {
      SwiftCallingConvention(processor).lower(row.layout.leaves).map { pieces in
        pieces.map { Self.text($0.kind) }.joined(separator: ", ")
      }
    }
    #expect(types(.x86_64) == row.x86_64)
    #expect(types(.aarch64) == row.aarch64)
  }

  // MARK: Locations

  /// A call and its locations on both processors.
  struct Call: Sendable, CustomTestStringConvertible {
    var name: String
    var types: SwiftCallTypes
    var x86_64: String
    var aarch64: String
    var testDescription: String { name }
  }

  private static func call(
    _ name: String, _ parameters: [Layout], result: Layout = .void, error: Layout? = nil,
    selfPassing: SwiftCallTypes.SelfPassing = .none, x86_64: String, aarch64: String? = nil
  ) -> Call {
    let types = SwiftCallTypes(
      parameters.map { SwiftCallTypes.Parameter($0) }, result: result, selfPassing: selfPassing, typedError: error)
    return Call(name: name, types: types, x86_64: x86_64, aarch64: aarch64 ?? x86_64)
  }

  private static let words = Array(repeating: int, count: 7)

  static let calls: [Call] = [
    call("(Int, Int) -> Int", [int, int], result: int, x86_64: "g0 g1 -> g0"),
    call("(Double, String) -> Bool", [double, string], result: bool, x86_64: "v0 g0+g1 -> g0"),
    call(
      "(Int, Int128, Int) -> Int128", [int, int128, int], result: int128, x86_64: "g0 g1 g3 -> g0+g1", aarch64: "g0 g2 g4 -> g0+g1"),
    call(
      "(Int x 5, Int128, Int)", Array(words.prefix(5)) + [int128, int], x86_64: "g0 g1 g2 g3 g4 s0 g5", aarch64: "g0 g1 g2 g3 g4 g6 s0"),
    call("(Int x 7, Int128, Int)", words + [int128, int], x86_64: "g0 g1 g2 g3 g4 g5 s0 s16 s32", aarch64: "g0 g1 g2 g3 g4 g5 g6 s0 s16"),
    call("() -> (Int, Int128)", [], result: tuple(int, int128), x86_64: "-> g0+g1+g2"),
    call("((Int8, (Float, K?), {Int x 5}))", [tuple(int8, tuple(float, object), five)], x86_64: "g0+v0+g1+&g2"),
    call("() -> (Int8, (Int8, Int16), Int8)", [], result: tuple(int8, tuple(int8, int16), int8), x86_64: "-> g0"),
    call("(Any) -> Any", [any], result: any, x86_64: "&g0 -> &indirect"),
    call("(Any) -> (Int, Any)", [any], result: tuple(int, any), x86_64: "&g1 -> g0+&g0"),
    call("() -> (Any, {})", [], result: tuple(any, .record([])), x86_64: "-> &indirect"),
    call("() -> ({}, ({}, Any))", [], result: tuple(.record([]), tuple(.record([]), any)), x86_64: "-> &indirect"),
    call("(Int) -> (Any, {}, Any)", [int], result: tuple(any, .record([]), any), x86_64: "g2 -> &g0+&g1"),
    call("() -> (Any, {}, Int)", [], result: tuple(any, .record([]), int), x86_64: "-> g0+&g0"),
    call("() throws(E) -> (Any, {})", [], result: tuple(any, .record([])), error: error, x86_64: "-> &indirect throws &g0"),
    call("() -> (Any, Int, Any, {Int x 5})", [], result: tuple(any, int, any, five), x86_64: "-> &g0+&g1+&g2"),
    call("(Int) -> {Int x 5}", [int], result: five, x86_64: "g0 -> &indirect"),
    call("() throws(E) -> Int", [], result: int, error: error, x86_64: "-> g0 throws g0"),
    call("() throws(E) -> Double", [], result: double, error: error, x86_64: "-> v0 throws g0"),
    call(
      "() throws(E) -> (Double x 4)", [], result: tuple(double, double, double, double), error: error, x86_64: "-> v0+v1+v2+v3 throws g0"),
    call("() throws({Int, Double}) -> Int", [], result: int, error: .record([int, double]), x86_64: "-> g0 throws &g0"),
    call("() throws(E) -> Any", [], result: any, error: error, x86_64: "-> &indirect throws &g0"),
    call("() throws(E) -> (Int, Any)", [], result: tuple(int, any), error: error, x86_64: "-> g0+&g0 throws &g1"),
    call("() throws(E) -> {Int x 5}", [], result: five, error: error, x86_64: "-> &indirect throws &g0"),
    call("() throws({Int, Int}) -> Int128", [], result: int128, error: .record([int, int]), x86_64: "-> g0+g1 throws g0+g2"),
    call("() throws(Int128) -> (Int, Int)", [], result: tuple(int, int), error: .record([int128]), x86_64: "-> g0+g2 throws g0+g1"),
    call(
      "() throws({Int128, Int}) -> (Int, Double, Int, Int)", [], result: tuple(int, double, int, int), error: .record([int128, int]),
      x86_64: "-> g0+v0+g2+g3 throws g0+g1+g2"),
    call("self {Bool, Int}, (Int)", [int], selfPassing: .value(.record([bool, int])), x86_64: "g0 self g1+g2"),
    call("self {Int x 5}, (Int)", [int], selfPassing: .value(five), x86_64: "g0"),
  ]

  @Test("Arguments, results and errors are where the compiler puts them", arguments: calls)
  func locations(row: Call) {
    #expect(Self.text(SwiftCallingConvention(.x86_64).layout(of: row.types)) == row.x86_64)
    #expect(Self.text(SwiftCallingConvention(.aarch64).layout(of: row.types)) == row.aarch64)
  }

  @Test("An inout parameter is passed as the address of the variable, whatever its type")
  func inOut() {
    let types = SwiftCallTypes([SwiftCallTypes.Parameter(Self.five, isInOut: true), SwiftCallTypes.Parameter(Self.int)])
    #expect(Self.text(SwiftCallingConvention(.x86_64).layout(of: types)) == "&g0 g1")
  }

  @Test("The elements of a nested tuple that is returned are laid out anew as one flat tuple")
  func flatResults() {
    let result = Self.tuple(Self.int8, Self.tuple(Self.int8, Self.int), Self.int8)
    let layout = SwiftCallingConvention(.x86_64).layout(of: SwiftCallTypes([], result: result)).result
    #expect(layout.moves.map(\.source) == [0, 1, 8, 16])
    #expect(layout.moves.map(\.target) == [0, 8, 16, 24])
  }

  @Test("The offsets that are inlined into clients are those of the kernels")
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
