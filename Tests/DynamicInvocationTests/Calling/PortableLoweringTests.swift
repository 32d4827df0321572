@testable import CallFrames
@testable import DynamicInvocation
import TestSupport
import Testing

/// The lowering for processors whose convention is left to libffi, exercised here so that it works where it is needed.
@Suite("Portable lowering", .measured)
struct PortableLoweringTests {
  /// Types that libffi has, each alone, so that no defect of the installed version shows.
  private static let types: [TypeEncoding] =
    ["c", "C", "s", "S", "i", "I", "q", "Q", "B", "f", "d", "D", "*", "^v", ":", "[4i]", "jf", "jd"].map(StructZoo.type)
    + [
      "{a=c}", "{a=s}", "{a=i}", "{a=q}", "{a=f}", "{a=d}", "{a=ii}", "{a=qd}", "{a=dq}", "{a=ff}", "{a=fff}", "{a=fi}", "{a=cd}", "{a=qq}",
      "{a=dd}",
      "{a=ddd}", "{a=dddd}", "{a=c[3s]}", "{a=[4i]}", "{a=[2f]}", "{a=[3f]c}", "{a={Point=dd}{Size=dd}}", "{a=[2{b=sc}]f}", "{a=[2[2s]]d}",
      "{a=f{b=f{c=f}}}", "{a={e=}d}", "{a=[25q]}", "{a=[7c]}", "{a=^vd}", "{a=c{b=sc}c}",
    ].map(StructZoo.type)

  @Test("Scalars, complex numbers and structs arrive and come back", .enabled(if: CallBackend.libffi.isAvailable), arguments: CCompiler.all)
  func calls(_ compiler: CCompiler) throws {
    let int = StructZoo.type("i")
    let double = StructZoo.type("d")
    let signatures = Self.types.flatMap { type in
      [CallSignature(type.isArray ? int : type, [type, int, double]), CallSignature(int, [double, type])]
    }
    let library = try CalleeLibrary(signatures, compiler: compiler, flags: ["-O2"], name: "portable")
    for index in signatures.indices {
      let plan = try CallPlan(portable: signatures[index].types, fixedCount: nil)
      if let failure = try library.failure(of: index, plan: plan, seed: UInt64(index)) { Issue.record("\(failure)") }
    }
  }

  @Test("An empty struct and a void result need no libffi type", .enabled(if: CallBackend.libffi.isAvailable))
  func nothing() throws {
    let signatures = [
      CallSignature(StructZoo.type("v"), ["i", "{e=}", "d"].map(StructZoo.type)),
      CallSignature(StructZoo.type("{e=}"), [StructZoo.type("i")]),
    ]
    let library = try CalleeLibrary(signatures, compiler: .gcc, flags: ["-O2"], name: "portable-empty")
    for index in signatures.indices {
      let plan = try CallPlan(portable: signatures[index].types, fixedCount: nil)
      if let failure = try library.failure(of: index, plan: plan, seed: UInt64(index)) { Issue.record("\(failure)") }
    }
  }

  @Test(
    "What libffi has no type for is refused",
    arguments: ["t", "T", " ", "(u=fi)", "{s=(u=fi)}", "{b=b3}", "![8,8f]", "{v=![8,8f]}", "ji", "jq", "{a=t}"])
  func refusals(_ text: String) throws {
    let type = StructZoo.type(text)
    let asArgument = try requireThrows(InvocationError.self) {
      try CallPlan(portable: MethodTypes(result: "v", arguments: ["i", type]), fixedCount: nil)
    }
    expect(asArgument.code == .unsupportedType && asArgument.argument == .index(1))
    let asResult = try requireThrows(InvocationError.self) {
      try CallPlan(portable: MethodTypes(result: type, arguments: []), fixedCount: nil)
    }
    expect(asResult.code == .unsupportedType && asResult.argument == .result)
  }

  @Test("A struct whose layout an attribute changed is refused")
  func attributed() throws {
    let refused = try requireThrows(InvocationError.self) {
      try CallPlan(portable: MethodTypes(result: "v", arguments: [StructZoo.type("{p1=ci}")]), fixedCount: nil)
    }
    expect(refused.code == .unsupportedType && refused.argument == .index(0))
  }
}
