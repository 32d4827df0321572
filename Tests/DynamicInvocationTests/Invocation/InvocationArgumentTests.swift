import DynamicInvocation
import TestSupport
import Testing

@Suite(.measured) struct InvocationArgumentTests {
  /// A Swift type with a value, the codes of the encodings that take it, and the codes of the numbers that are read as it.
  private struct Probe {
    let name: String
    let accepts: String
    let reads: String
    let set: (Invocation, Int) throws -> Void
    let get: (Invocation, Int) throws -> Bool

    init<Value: EncodedValue & Equatable>(_ value: Value, _ accepts: String, reads: String = "") {
      name = "\(Value.self)"
      self.accepts = accepts
      self.reads = reads
      set = { try $0.setArgument(value, at: $1) }
      get = { try $0.argument(at: $1, as: Value.self) == value }
    }
  }

  private static func probes() throws -> [Probe] {
    let pointer = try require(UnsafeMutablePointer<CChar>(bitPattern: 0x1000))
    var probes = [
      Probe(Int8(-1), "c"), Probe(UInt8(255), "C"), Probe(Int16(-2), "s", reads: "cC"), Probe(UInt16(65535), "S", reads: "C"),
      Probe(Int32(-3), "i", reads: "cCsS"),
      Probe(UInt32.max, "I", reads: "CS"), Probe(Int64.min, "q", reads: "cCsSiI"), Probe(Int.min, "q", reads: "cCsSiIQtT"),
      Probe(UInt64.max, "Q", reads: "CSI"), Probe(UInt.max, "Q", reads: "CSI"),
      Probe(Int128.min, "t", reads: "cCsSiIqQ"), Probe(UInt128.max, "T", reads: "CSIQ"), Probe(Float16(1.5), " "),
      Probe(Float(0.1), "f", reads: " "), Probe(0.1, "d", reads: " f"),
      Probe(LongDouble(0.1), "D", reads: " fd"), Probe(true, "BcC"), Probe(MethodSelector("a:"), ":"), Probe(MethodSelector?.none, ":"),
      Probe(UnsafeRawPointer(pointer), "^#:?"), Probe(UnsafeMutableRawPointer(pointer), "^#:?"), Probe(OpaquePointer(pointer), "^#:?"),
      Probe(UnsafeMutablePointer(pointer), "^#:?"), Probe(UnsafeRawPointer?.none, "^*#:?"), Probe(String?.none, "*"), Probe("text", "*"),
    ]
    #if arch(x86_64)
      probes.append(Probe(Float80(0.1), "D", reads: " fd"))
    #endif
    return probes
  }

  /// Every type for every encoding.
  ///
  /// Only its own is taken, for a Bool the codes of Objective-C's BOOL, and for a literal the numbers; the error says which two
  /// types meet. A number is read as a wider one.
  @Test func everyPairOfTypes() throws {
    let types: [(code: Character, type: String)] =
      "cCsSiIqQtT fdDB:#".map { ($0, String($0)) } + [
        ("^", "^c"), ("?", "@?"), ("*", "*"), ("@", "@"), ("p", "{Point=dd}"), ("u", "(U=qd)"),
      ]
    for probe in try Self.probes() {
      for (code, text) in types where !(code == "*" && probe.accepts.contains("^")) {
        let type = try TypeEncoding(text, blankIsFloat16: true)
        let invocation = Invocation(try MethodSignature(MethodTypes(result: "v", arguments: ["q", type])))
        if probe.accepts.contains(code) {
          try probe.set(invocation, 1)
          try expect(probe.get(invocation, 1), "\(probe.name) as \(text)")
        } else {
          let isLiteral = probe.name == "Int" && "cCsSiIQtT fdD".contains(code) || probe.name == "Double" && " fD".contains(code)
          let isWider = probe.reads.contains(code)
          if isWider { expectError(.argumentNotSet) { _ = try probe.get(invocation, 1) } }
          let accesses = [{ try probe.set(invocation, 1) }, { _ = try probe.get(invocation, 1) }]
          for access in accesses.dropFirst(isLiteral ? 1 : 0).dropLast(isWider ? 1 : 0) {
            guard let error = expectThrows(InvocationError.self, "\(probe.name) as '\(text)'", { try access() }) else { continue }
            expect(error.code == .typeMismatch && error.argument == .index(1) && error.encoding == type.description)
            expect(error.reason.contains(probe.name))
          }
          if isLiteral { continue }
          expectError(.typeMismatch) { try probe.set(invocation, 1) }
          expectError(.argumentNotSet) { _ = try invocation.boxedArgument(at: 1) }
        }
      }
    }
  }

  @Test func pointersForCStringsAreTheirAddress() throws {
    let invocation = try InvocationFixtures.invocation("v*")
    var text: [CChar] = [0x61, 0]
    try text.withUnsafeMutableBufferPointer { buffer in
      let base = try require(buffer.baseAddress)
      try invocation.setArgument(base, at: 0)
      try expectEqual(invocation.argument(at: 0, as: UnsafeMutableRawPointer.self), UnsafeMutableRawPointer(base))
      try expectEqual(invocation.argument(at: 0, as: String.self), "a")
    }
  }

  @Test func mismatchMessages() throws {
    let invocation = try InvocationFixtures.invocation("v@:s*{P=ii}")
    expectMessage("argument 2 (s, Int16): String is not Int16") { try invocation.setArgument("7", at: 2) }
    expectMessage("argument 3 (*): Int is not String or UnsafePointer<CChar>") { try invocation.setArgument(7, at: 3) }
    expectMessage("argument 4 ({P=ii}): Geometry.Point is not a value of 8 bytes with this layout") {
      try invocation.setArgument(Geometry.Point.zero, at: 4)
    }
    expectMessage("argument 2 (s, Int16): it was never set") { _ = try invocation.argument(at: 2, as: Int16.self) }
    expectMessage("argument 5: the signature has arguments 0 to 4") { _ = try invocation.argument(at: 5, as: Int16.self) }
  }

  @Test func indicesOutOfRange() throws {
    for (types, count) in [("v", 0), ("vi", 1), ("v@:", 2), ("v@:ii", 4)] {
      let invocation = try InvocationFixtures.invocation(types)
      var word = 0
      for index in [-1, count, count + 1, .max, .min] {
        let accesses: [() throws -> Void] = [
          { try invocation.setArgument(Int32(1), at: index) }, { _ = try invocation.argument(at: index, as: Int32.self) },
          { try invocation.setArgument(nil, at: index) }, { _ = try invocation.objectArgument(at: index) },
          { try invocation.setArgument(boxed: 1, at: index) }, { _ = try invocation.boxedArgument(at: index) },
          { try invocation.setArgument(from: &word, at: index) }, { try invocation.getArgument(into: &word, at: index) },
          { _ = try invocation.methodSignature.argumentType(at: index) },
        ]
        for access in accesses { expectEqual(InvocationFixtures.code(access), .indexOutOfRange) }
      }
    }
    let empty = try InvocationFixtures.invocation("v")
    expectMessage("argument 0: the signature has no arguments") { try empty.setArgument(1, at: 0) }
  }

  @Test func byAddress() throws {
    let invocation = try InvocationFixtures.invocation("v@:csifdD{Rect={Point=dd}{Size=dd}}")
    var bytes: (Int8, Int16, Int32, Float, Double, LongDouble, Geometry.Rect) = (
      -1, -2, -3, 0.5, 0.25, LongDouble(2), Geometry.Rect(x: 1, y: 2, width: 3, height: 4)
    )
    try invocation.setArgument(from: &bytes.0, at: 2)
    try invocation.setArgument(from: &bytes.1, at: 3)
    try invocation.setArgument(from: &bytes.2, at: 4)
    try invocation.setArgument(from: &bytes.3, at: 5)
    try invocation.setArgument(from: &bytes.4, at: 6)
    try invocation.setArgument(from: &bytes.5, at: 7)
    try invocation.setArgument(from: &bytes.6, at: 8)
    try expect(invocation.argument(at: 2, as: Int8.self) == -1 && invocation.argument(at: 3, as: Int16.self) == -2)
    try expect(invocation.argument(at: 4, as: Int32.self) == -3 && invocation.argument(at: 5, as: Float.self) == 0.5)
    try expect(invocation.argument(at: 6, as: Double.self) == 0.25 && invocation.argument(at: 7, as: LongDouble.self) == LongDouble(2))
    try expectEqual(invocation.argument(at: 8, as: Geometry.Rect.self), bytes.6)
    // Only the bytes of the type are written.
    var guarded: [UInt8] = Array(repeating: 0xEE, count: 8)
    try invocation.getArgument(into: &guarded, at: 2)
    expectEqual(guarded, [0xFF] + Array(repeating: 0xEE, count: 7))
    var small: [UInt8] = Array(repeating: 0xEE, count: 6)
    try invocation.getArgument(into: &small[1], at: 3)
    expect(small[2...] == [0xEE, 0xEE, 0xEE, 0xEE] || small[3...] == [0xEE, 0xEE, 0xEE])
    var rect = Geometry.Rect.zero
    try invocation.getArgument(into: &rect, at: 8)
    expectEqual(rect, bytes.6)
    expectError(.argumentNotSet) { try InvocationFixtures.invocation("vi").getArgument(into: &guarded, at: 0) }
  }

  @Test func objects() throws {
    let invocation = try InvocationFixtures.invocation("v@#i^v")
    let object = Receiver()
    try invocation.setArgument(object, at: 0)
    try expect(invocation.objectArgument(at: 0) === object)
    try expectEqual(invocation.argument(at: 0, as: Unmanaged<Receiver>.self).toOpaque(), Unmanaged.passUnretained(object).toOpaque())
    try invocation.setArgument(Receiver.self as AnyObject, at: 1)
    try expectEqual("\(invocation.boxedArgument(at: 1))", "Receiver")
    expectErrors(
      .typeMismatch, { try invocation.setArgument(object, at: 1) }, { try invocation.setArgument(object, at: 2) },
      { try invocation.setArgument(object, at: 3) }, { try invocation.setArgument(nil, at: 2) },
      { _ = try invocation.objectArgument(at: 3) })
    for index in [0, 1, 3] {
      try invocation.setArgument(nil, at: index)
      try expect(invocation.boxedArgument(at: index).isNull)
    }
    try expectNil(invocation.objectArgument(at: 0))
    try expectNil(invocation.argument(at: 0, as: Unmanaged<Receiver>?.self))
    expectErrors(
      .nullNotAllowed, { _ = try invocation.argument(at: 0, as: Unmanaged<Receiver>.self) },
      { _ = try invocation.argument(at: 3, as: UnsafeRawPointer.self) })
  }

  /// Any one argument left out, of 1 to 130, is found.
  @Test(arguments: [1, 2, 6, 63, 64, 65, 128, 130]) func neverSet(count: Int) throws {
    let nothing: @convention(c) () -> Void = {}
    let signature = try MethodSignature(types: "v" + String(repeating: "q", count: count))
    for missing in 0..<count {
      let invocation = Invocation(signature)
      invocation.implementation = Implementation(function: nothing)
      for index in 0..<count where index != missing { try invocation.setArgument(index, at: index) }
      let error = expectThrows(InvocationError.self, "argument \(missing) of \(count)") { try invocation.invoke() }
      expect(error?.code == .argumentNotSet && error?.argument == .index(missing))
      expect(!invocation.hasReturnValue)
      try invocation.setArgument(missing, at: missing)
      try invocation.invoke()
      expect(invocation.hasReturnValue)
    }
  }

  @Test(.enabled(if: InvocationFixtures.hasCompiler)) func manyArgumentsArrive() throws {
    let count = 130
    let parameters = (0..<count).map { "long a\($0)" }.joined(separator: ", ")
    let sum = (0..<count).map { "\($0 + 1) * a\($0)" }.joined(separator: " + ")
    let function = try InvocationFixtures.function(
      "sum", "q" + String(repeating: "q", count: count), "long sum(\(parameters)) { return \(sum); }")
    let invocation = function.makeInvocation()
    for index in 0..<count { try invocation.setArgument(index * 7 - 300, at: index) }
    try expectEqual(invocation.result(as: Int.self), (0..<count).reduce(0) { $0 + ($1 + 1) * ($1 * 7 - 300) })
  }
}
