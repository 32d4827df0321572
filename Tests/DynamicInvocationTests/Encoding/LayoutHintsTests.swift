import DynamicInvocation
import TestSupport
import Testing

/// What a text does not tell of layouts, said beside it.
@Suite(.measured) struct LayoutHintsTests {
  private func hints(
    _ records: [String: (packing: Int?, alignment: Int?)] = [:], bitFieldType: TypeEncoding.Scalar? = nil
  ) throws -> TypeEncoding.LayoutHints {
    var hints = TypeEncoding.LayoutHints()
    for (name, record) in records {
      hints.records[name] = try TypeEncoding.LayoutOverride(packing: record.packing, minimumAlignment: record.alignment)
    }
    hints.bitFieldType = bitFieldType
    return hints
  }

  @Test("A hint is the override of every struct of its name, wherever it is, and decides the layout around it")
  func records() throws {
    let packed = try hints(["S": (1, nil)])
    let types = try MethodTypes("{S=ciq}^{S=ciq}{O=c{S=ciq}[2{S=ciq}]}", hints: packed)
    let alone = try TypeEncoding("{S=ciq}").packed()
    expect(types.result == alone && types.result.size == 13 && types.result.alignment == 1)
    guard case .pointer(let target) = types.arguments[0].kind else { return expect(Bool(false)) }
    expectEqual(target, alone)
    expectEqual(types.arguments[1].size, 1 + 3 * 13)
    expectEqual(types.result.layoutOverride, packed.records["S"])
    let aligned = try MethodTypes("{O=c{V=fff}}", hints: hints(["V": (nil, 16)])).result
    expect(aligned.size == 32 && aligned.alignment == 16)
    let union = try MethodTypes("(U=ci)", hints: hints(["U": (2, 8)])).result
    expect(union.size == 8 && union.alignment == 8)
  }

  @Test("A hint for a struct that is not there is an error: it would change nothing")
  func unusedHints() throws {
    for text in ["v{T=i}", "v^{S}", "vi"] {
      let error = expectThrows(InvocationError.self) { try MethodTypes(text, hints: hints(["S": (1, nil)])) }
      expectEqual(error?.code, .typeMismatch)
      expectEqual(error?.reason, "no struct or union with members is named 'S'")
    }
  }

  @Test("Values out of range are errors", arguments: [(3, nil), (0, nil), (32, nil), (nil, 3), (nil, 8192), (nil, -1)] as [(Int?, Int?)])
  func ranges(packing: Int?, alignment: Int?) {
    let error = expectThrows(InvocationError.self) { try TypeEncoding.LayoutOverride(packing: packing, minimumAlignment: alignment) }
    expectEqual(error?.code, .outOfRange)
  }

  @Test("The declared type of NeXT bit-fields is what the hint states, as compilers lay it out")
  func bitFields() throws {
    let declared: [(TypeEncoding.Scalar, String)] = [
      (.int8, "signed char"), (.uint8, "unsigned char"), (.int16, "short"), (.uint16, "unsigned short"), (.uint32, "unsigned"),
      (.int64, "long long"),
    ]
    let source = declared.enumerated().map { index, entry in
      """
      struct s\(index) { \(entry.1) a : 4, b : 4, c : 5; char d; };
      int size\(index)(void) { return sizeof(struct s\(index)); }
      int offset\(index)(void) { return __builtin_offsetof(struct s\(index), d); }
      """
    }
    let library = try DynamicLibrary(CCompiler.gcc.sharedLibrary(source: source.joined(separator: "\n"), name: "bitfields"))
    for (index, entry) in declared.enumerated() {
      let type = try MethodTypes("{S=b4b4b5c}", hints: hints(bitFieldType: entry.0)).result
      let size: CInt = try library.function("size\(index)", types: "i")()
      let offset: CInt = try library.function("offset\(index)", types: "i")()
      guard case .structure(let record) = type.kind, let last = record.fields?.last else { return expect(Bool(false)) }
      expect(type.size == Int(size) && last.offset == Int(offset), "\(entry.1)")
    }
    let error = expectThrows(InvocationError.self) { try MethodTypes("{S=b9}", hints: hints(bitFieldType: .uint8)) }
    expect(error?.code == .malformedEncoding && error?.byteOffset == 3)
    // The GNU form tells for itself.
    try expectEqual(MethodTypes("{S=b0I3}", hints: hints(bitFieldType: .uint8)).result.size, 4)
  }
}
