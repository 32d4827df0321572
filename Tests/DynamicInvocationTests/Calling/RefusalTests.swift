import CDeclarations
@testable import DynamicInvocation
import TestSupport
import Testing

/// What cannot be passed right is refused, with the code and the argument.
@Suite("Planner: refusals", .measured)
struct RefusalTests {
  private func error(_ types: MethodTypes, fixedCount: Int? = nil, backend: CallBackend = .automatic) -> InvocationError? {
    do {
      _ = try MethodSignature(types, fixedArgumentCount: fixedCount, backend: backend)
      return nil
    } catch {
      return error
    }
  }

  /// Expects that a type is refused as an argument and as a result, with its place.
  private func expectRefused(
    _ type: TypeEncoding, _ reason: String = "", backend: CallBackend = .automatic, line: Int = #line
  ) throws {
    let asArgument = try require(
      error(MethodTypes(result: "i", arguments: ["i", "i", type, "i"]), backend: backend), "\(type)", line: line)
    expect(asArgument.code == .unsupportedType && asArgument.argument == .index(2), "\(asArgument)", line: line)
    expect(asArgument.reason.contains(reason), "\(asArgument)", line: line)
    // The fragment at fault: the type, or a member of it.
    expect(type.description.contains(try require(asArgument.encoding)), "\(asArgument)", line: line)
    let asResult = try require(error(MethodTypes(result: type, arguments: ["i"]), backend: backend), "\(type)", line: line)
    expect(asResult.code == .unsupportedType && asResult.argument == .result, "\(asResult)", line: line)
  }

  @Test("Types without a settled way to be passed", arguments: TextTable.placements.rows("Types that are not passed"))
  func arguments(_ row: TextTable.Row) throws { try expectRefused(TypeEncoding(row[0])) }

  @Test("Whole vectors are refused by libffi alone", arguments: ["![16,16f]", "![16,16q]", "{v=![16,16f]}"])
  func wholeVectors(_ text: String) throws {
    let type = try TypeEncoding(text)
    try expectRefused(type, backend: .libffi)
    #if arch(x86_64) || (arch(arm64) && !canImport(Darwin))
      expectNil(error(MethodTypes(result: type, arguments: [type])))
    #endif
  }

  @Test("A type aligned to more than 16 bytes is refused by libffi")
  func overAligned() throws {
    let type = StructZoo.type("{a32=dddd}")
    try expectRefused(type, backend: .libffi)
    // A pointer to it is a pointer.
    expectNil(error(MethodTypes(result: "v", arguments: [TypeEncoding(.pointer(type))])))
  }

  #if arch(x86_64)
    /// Measured: gcc 12 and clang 21 pass each in different registers.
    @Test(
      "Types that gcc and clang pass differently",
      arguments: ["{s=f[0c]}", "{s=d[0c]}", "{s=qd[0i]}", "{s= [0c] }", "{s=S{s=b7[2(u=[2 ]S)]}}"])
    func disputed(_ text: String) throws { try expectRefused(StructZoo.type(text)) }

    @Test("Parts that clang finds unaligned, and atomic ones, which gcc passes in registers")
    func disputedParts() throws {
      // Of the last one it is not known whether the attribute or a pragma packs it.
      let parts = ["{a4=c}", "[1{a4=c}]", "{b=b0S3b3S13}", "{a={b=b0I24}}", "{p1=b16b16}"].map { "{p1=c\($0)c}" }
      let atomic = ["{s=Aii}", "{s=Af}", "{s={x=Ac}i}", "{s=[2Ai]}", "(s=Aif)", "{s=A^vd}", "{s=fAjf}"]
      // Members without a name beside named ones are padding, which clang skips.
      for type in (parts + atomic + ["{s=\"f\"fb32}"]).map(StructZoo.type) {
        try expectRefused(type, "gcc and clang")
        expectNil(error(MethodTypes(result: "v", arguments: [TypeEncoding(.pointer(type))])))
      }
      // As an argument it is in memory for both, as a result not.
      expectNil(error(MethodTypes(result: "v", arguments: ["{s=AD}"])))
      expectEqual(error(MethodTypes(result: "{s=AD}", arguments: []))?.argument, .result)
      expectNil(error(MethodTypes(result: "Ai", arguments: ["Ad", "A^v"])))
    }

    @Test("A type with an atomic part has another signature than the type without it")
    func atomicIdentity() throws {
      _ = try MethodSignature(types: "v{s=ii}")
      expectThrows(InvocationError.self) { try MethodSignature(types: "v{s=Aii}") }
      expectThrows(InvocationError.self) {
        try MethodSignature(CDeclarations("struct s { _Atomic int a; int b; }; void f(struct s);").functions["f"]!.types)
      }
    }
  #endif

  @Test("In memory such types are no question")
  func undisputedInMemory() throws {
    expectNil(error(MethodTypes(result: "v", arguments: ["{s=qqf[0c]}", "{s=ddd[0c]}"])))
    // The neighbour is an integer anyway, so all agree.
    expectNil(error(MethodTypes(result: "v", arguments: ["{s=f[0c]i}"])))
  }

  @Test("Sizes past the limits")
  func limits() throws {
    let large = try require(error(MethodTypes(result: "v", arguments: ["i", "{a=[300000000c]}"])))
    expect(large.code == .limitExceeded && large.argument == .index(1))
    let stack = try require(error(MethodTypes(result: "v", arguments: ["{a=[600000c]}", "{a=[600000c]}"])))
    expectEqual(stack.code, .limitExceeded)
    expectNil(error(MethodTypes(result: "v", arguments: ["{a=[600000c]}"])))
  }

  @Test("A variadic _Float16, which C does not promote, is passed")
  func half() {
    expectNil(error(MethodTypes(result: "i", arguments: ["i", StructZoo.type(" ")]), fixedCount: 1))
  }
}
