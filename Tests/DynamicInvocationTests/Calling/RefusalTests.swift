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

  @Test(
    "Types without a settled way to be passed",
    arguments: [
      "![32,32f]", "![4,4c]", "![8,8d]", "![8,8q]", "{v=![32,32f]}", "(u=![8,8d]i)", "A{a=qq}",
      "{Opaque}", "(Opaque)", "?", "v", "b3",
    ])
  func arguments(_ text: String) throws {
    let type = try TypeEncoding(text)
    let int = StructZoo.type("i")
    let asArgument = try require(error(MethodTypes(result: int, arguments: [int, int, type, int])))
    expectEqual(asArgument.code, .unsupportedType)
    expectEqual(asArgument.argument, .index(2))
    // The fragment at fault: the type, or a member of it.
    expect(type.description.contains(try require(asArgument.encoding)))
    if case .void = type.kind { return }
    let asResult = try require(error(MethodTypes(result: type, arguments: [int])))
    expectEqual(asResult.code, .unsupportedType)
    expectEqual(asResult.argument, .result)
  }

  @Test("Whole vectors are refused by libffi alone", arguments: ["![16,16f]", "![16,16q]", "{v=![16,16f]}"])
  func wholeVectors(_ text: String) throws {
    let type = try TypeEncoding(text)
    let asArgument = try require(error(MethodTypes(result: "i", arguments: ["i", type]), backend: .libffi))
    expect(asArgument.code == .unsupportedType && asArgument.argument == .index(1))
    let asResult = try require(error(MethodTypes(result: type, arguments: []), backend: .libffi))
    expect(asResult.code == .unsupportedType && asResult.argument == .result)
    #if arch(x86_64) || (arch(arm64) && !canImport(Darwin))
      expectNil(error(MethodTypes(result: type, arguments: [type])))
    #endif
  }

  @Test("An array is no result")
  func arrayResult() throws {
    let refused = try require(error(MethodTypes(result: "[4i]", arguments: [])))
    expect(refused.code == .unsupportedType && refused.argument == .result && refused.encoding == "[4i]")
  }

  @Test("A type aligned to more than 16 bytes is refused by libffi")
  func overAligned() throws {
    let type = StructZoo.aligned("{a=dddd}", to: 32)
    let asArgument = try require(error(MethodTypes(result: "i", arguments: ["i", type]), backend: .libffi))
    expect(asArgument.code == .unsupportedType && asArgument.argument == .index(1))
    let asResult = try require(error(MethodTypes(result: type, arguments: []), backend: .libffi))
    expect(asResult.code == .unsupportedType && asResult.argument == .result)
    // A pointer to it is a pointer.
    expectNil(error(MethodTypes(result: "v", arguments: [TypeEncoding(.pointer(type))])))
  }

  #if arch(x86_64)
    /// Measured: gcc 12 and clang 21 pass each in different registers.
    @Test(
      "Types that gcc and clang pass differently",
      arguments: ["{s=f[0c]}", "{s=f[0c]i}", "{s=d[0c]}", "{s=qd[0i]}", "{s= [0c] }", "{s=S{s=b7[2(u=[2 ]S)]}}"])
    func disputed(_ text: String) throws {
      let type = StructZoo.type(text)
      if text == "{s=f[0c]i}" {
        // The neighbour is an integer anyway, so all agree.
        expectNil(error(MethodTypes(result: "v", arguments: [type])))
        return
      }
      let refused = try require(error(MethodTypes(result: "v", arguments: ["i", type])))
      expect(refused.code == .unsupportedType && refused.argument == .index(1))
      expectEqual(error(MethodTypes(result: type, arguments: []))?.argument, .result)
    }

    @Test("Parts that clang finds unaligned, and atomic ones, which gcc passes in registers")
    func disputedParts() throws {
      let byte = StructZoo.type("c")
      func outer(_ part: TypeEncoding) throws -> TypeEncoding {
        try TypeEncoding(record: "O", isUnion: false, members: [(nil, byte), (nil, part), (nil, byte)]).packed()
      }
      let aligned = StructZoo.aligned("{a=c}", to: 4)
      let parts = [
        aligned, try TypeEncoding(arrayOf: aligned, count: 1), StructZoo.type("{b=b0S3b3S13}"), StructZoo.type("{a={b=b0I24}}"),
        // Of this one it is not known whether the attribute or a pragma packs it.
        StructZoo.packed("{b=b16b16}"),
      ]
      let atomic = ["{s=Aii}", "{s=Af}", "{s={x=Ac}i}", "{s=[2Ai]}", "(s=Aif)", "{s=A^vd}", "{s=fAjf}"].map { StructZoo.type($0) }
      // Members without a name beside named ones are padding, which clang skips.
      for type in try parts.map(outer) + atomic + [StructZoo.type("{s=\"f\"fb32}")] {
        let argument = try require(error(MethodTypes(result: "v", arguments: ["i", type])), "\(type)")
        expect(argument.code == .unsupportedType && argument.argument == .index(1) && argument.reason.contains("gcc and clang"))
        expectEqual(error(MethodTypes(result: type, arguments: []))?.argument, .result)
        expectNil(error(MethodTypes(result: "v", arguments: [TypeEncoding(.pointer(type))])))
      }
      // As an argument it is in memory for both, as a result not.
      expectNil(error(MethodTypes(result: "v", arguments: ["{s=AD}"])))
      expectEqual(error(MethodTypes(result: "{s=AD}", arguments: []))?.argument, .result)
      expectNil(error(MethodTypes(result: "Ai", arguments: ["Ad", "A^v"])))
    }

    @Test("The signature of a type with an atomic part is not that of the type without it")
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
  }

  @Test("Sizes past the limits")
  func limits() throws {
    let large = try require(error(MethodTypes(result: "v", arguments: ["i", "{a=[300000000c]}"])))
    expect(large.code == .limitExceeded && large.argument == .index(1))
    let stack = try require(error(MethodTypes(result: "v", arguments: ["{a=[600000c]}", "{a=[600000c]}"])))
    expectEqual(stack.code, .limitExceeded)
    expectNil(error(MethodTypes(result: "v", arguments: ["{a=[600000c]}"])))
  }

  @Test("Variadic types that C promotes", arguments: ["c", "C", "s", "S", "B", "f"])
  func promotions(_ text: String) throws {
    let type = StructZoo.type(text)
    let refused = try require(error(MethodTypes(result: "i", arguments: ["i", type, type]), fixedCount: 2))
    expect(refused.code == .unsupportedType && refused.argument == .index(2) && refused.encoding == type.description)
    expect(refused.reason.contains(text == "f" ? "double" : "int"))
  }

  @Test("A variadic _Float16, which C does not promote, is passed")
  func half() {
    expectNil(error(MethodTypes(result: "i", arguments: ["i", StructZoo.type(" ")]), fixedCount: 1))
  }

  @Test("A number of fixed arguments outside the arguments", arguments: [-1, 4])
  func fixedCount(_ count: Int) throws {
    expectEqual(error(MethodTypes(result: "i", arguments: ["i", "i", "i"]), fixedCount: count)?.code, .outOfRange)
  }
}
