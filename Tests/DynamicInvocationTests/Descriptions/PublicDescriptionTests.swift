import CallExplanations
import CDeclarations
import SwiftFunctions
import Foundation
import TestSupport
import Testing

@testable import DynamicInvocation
import InvocationRecords

/// Every public type of the engine says what it is in a line, and nothing of how it is made.
@Suite(.measured) struct PublicDescriptionTests {
  private final class DescribedTarget: _InvocableClass, Sendable {
    static var invocableMethods: _InvocableMethods { _InvocableMethods(of: DescribedTarget.self) }
  }

  private final class DescribedProxy: InvocationProxy {}

  // What refers to them does not keep them alive.
  private static let targets = (DescribedTarget(), DescribedTarget())

  private struct Row {
    let type: String
    let value: Any
    let text: String

    init(_ type: String, _ value: Any, _ text: String) {
      self.type = type
      self.value = value
      self.text = text
    }
  }

  private static func encodings() throws -> [Row] {
    let rect: TypeEncoding = "{Rect=\"origin\"{Point=dd}\"bits\"b3}"
    guard case .structure(let record) = rect.kind, let fields = record.fields, case .bitField(let bits) = fields[1].type.kind else {
      return []
    }
    let packed = try rect.packed(to: 1).aligned(to: 16)
    return [
      Row("TypeEncoding", rect, "{Rect=\"origin\"{Point=dd}\"bits\"b3}"), Row("Kind", rect.kind, "struct Rect with 2 members"),
      Row("Kind", TypeEncoding("^{Point=dd}").kind, "pointer to {Point=dd}"), Row("Kind", TypeEncoding("[4i]").kind, "array of 4 i"),
      Row("Kind", TypeEncoding("@?<v@?i>").kind, "block 'v@?i'"),
      Row("Kind", TypeEncoding("(Opaque)").kind, "union Opaque without a layout"),
      Row("Kind", TypeEncoding("@\"NSString\"").kind, "object of NSString"), Row("Kind", TypeEncoding("jd").kind, "complex Double"),
      Row("Kind", TypeEncoding("<4f>").kind, "vector of 4 Float"), Row("Kind", TypeEncoding("i").kind, "Int32"),
      Row("Kind", fields[1].type.kind, "3 bits of UInt32"), Row("Record", record, "Rect with 2 members"),
      Row("Field", fields[0], "origin {Point=dd} at byte 0"), Row("Field", fields[1], "bits b3 at bit 128"),
      Row("BitField", bits, "3 bits of UInt32"), Row("Dialect", TypeEncoding.Dialect.next, "next"),
      Row("Qualifiers", TypeEncoding("rN*").qualifiers, "[const, inout]"), Row("Scalar", TypeEncoding.Scalar.int32, "int32"),
      Row("LayoutOverride", try require(packed.layoutOverride), "packed to 1, aligned to 16"),
      Row("LayoutHints", TypeEncoding.LayoutHints(), "0 layouts"),
      Row("TextOptions", TypeEncoding.TextOptions.all, "[structNames, fieldNames, annotations, qualifiers]"),
      Row("MethodTypes", try MethodTypes("v20@0:8i16"), "v@:i"), Row("ValueKind", ValueKind.object, "@"),
      Row("ValueKind", ValueKind(rawValue: 300), "layout 300"), Row("MethodSignature", try MethodSignature(types: "v@:i"), "v@:i"),
    ]
  }

  private static func declarations() throws -> [Row] {
    let declarations = try CDeclarations(
      "typedef struct { double x, y; } point; double length(point); enum { FAR = 9 }; extern point origin;")
    let skipped = try CDeclarations(source: Array("int f(void);\nfoo g(void);".utf8), skipsFailures: true).skipped
    return [
      Row("SkippedDeclaration", try require(skipped.first), "line 2, column 1: 'foo' is not a type that is declared here"),
      Row("CDeclarations", declarations, "1 function, 1 type, 1 variable"), Row("Declared", declarations.functions, "1 function"),
      Row("Function", try require(declarations.functions["length"]), "double length(point);"),
      Row("Declared", declarations.types, "1 type"),
      Row("NamedType", try require(declarations.types["point"]), "typedef struct { double x, y; } point;"),
      Row("Declared", declarations.variables, "1 variable"),
      Row("Variable", try require(declarations.variables["origin"]), "extern point origin;"),
      Row("Constants", declarations.constants, "1 enumerator, 0 macros"),
      Row("Constant", try require(declarations.constants["FAR"]), "9"),
    ]
  }

  private static func calls() throws -> [Row] {
    let explanation = CallExplanation(try MethodTypes("d@:{P=qd}"), abi: .sysv)
    let padded = CallExplanation(try MethodTypes("v{S=ci}"), abi: .sysv).wordGroups()[0]
    let invocation = Invocation(try MethodSignature(types: "qq"))
    try invocation.setArgument(7, at: 0)
    let abs = try DynamicLibrary.process.function("labs", types: "qq")
    let swiftFunction = try SwiftLibrary("libswiftCore.so").function("Swift.String.hasPrefix(_:)")
    let slot = FrameSlot(kind: ValueKind(.double), size: 8, offset: 16, storage: .floating)
    return [
      Row("CallBackend", CallBackend.automatic, "automatic"), Row("FrameSlot", slot, "d, 8 bytes at 16, floating"),
      Row("ABI", explanation.abi, "sysv"),
      Row("Value", explanation.arguments[2], "argument 2 ({P=qd}): rdx (bytes 0-7), xmm0 (bytes 8-15)"),
      Row("Value", explanation.result, "result (d): xmm0"), Row("Part", explanation.arguments[2].parts[1], "xmm0 (bytes 8-15)"),
      Row("WordGroup", padded, "general, 1 word"),
      Row("Word", padded.words[0], "rdi: a0[0] (bytes 0-0), padding of a0 (bytes 1-3), a0[1] (bytes 4-7)"),
      Row("Run", padded.words[0].runs[2], "a0[1] (bytes 4-7)"), Row("Content", padded.words[0].runs[1].content, "padding"),
      Row("Invocation", invocation, "qq(7)"),
      Row("ForeignFunction", abs, "function labs 'qq'"), Row("DynamicLibrary", DynamicLibrary.process, "the process"),
      Row("SwiftFunction", swiftFunction, "Swift.String.hasPrefix(_:): (Swift.String, Swift.String) -> Swift.Bool"),
      Row("SwiftInvocation", swiftFunction.makeInvocation(), "Swift.String.hasPrefix(_:)(unset, unset)"),
      Row("SwiftLibrary", SwiftLibrary.process, "Swift functions of the process"),
      Row(
        "CallExplanation", CallExplanation(try MethodTypes("v@:v")),
        "v@:v by \(CallExplanation.ABI.host.rawValue): argument 2 (v): void is no argument"),
    ]
  }

  private static func values() throws -> [Row] {
    let record = try InvocationRecord(recorded())
    let plain = Invocation(try MethodSignature(types: "dd"))
    try plain.setArgument(2.5, at: 0)
    return [
      Row("BoxedValue", BoxedValue.int(7), "7"), Row("EncodedBytes", try EncodedBytes("{S=CC}", bytes: [1, 2]), "{1, 2}"),
      Row("LongDouble", LongDouble(1.5), "1.5"), Row("ConversionOptions", ConversionOptions.truncating, "[truncating]"),
      Row("ConversionOptions", ConversionOptions(), "[]"),
      Row("Promises", [.declarations, .pointers] as SwiftLibrary.Promises, "[declarations, pointers]"),
      Row("MethodSelector", MethodSelector("area(_:in:)"), "area(_:in:)"),
      Row(
        "InvocationError", InvocationError(.outOfRange, "70000 does not fit", argument: .index(3), encoding: "s"),
        "argument 3 (s, Int16): 70000 does not fit"),
      Row("Argument", InvocationError.Argument.index(3), "argument 3"), Row("Argument", InvocationError.Argument.result, "return value"),
      Row("Code", InvocationError.Code.outOfRange, "outOfRange"),
      Row("InvocationRecord", record, "move(_:to:named:)(7, {1.5, 2.0}, \"Ann\")"),
      Row("InvocationRecord", try InvocationRecord(plain), "dd(2.5)"),
    ]
  }

  private static func recorded() throws -> Invocation {
    let invocation = Invocation(try MethodSignature(types: "v@:q{Pair=dd}*"))
    invocation.selector = "move(_:to:named:)"
    try invocation.setArgument(7, at: 2)
    try invocation.setArgument(boxed: .value(EncodedBytes((1.5, 2.0), as: "{Pair=dd}")), at: 3)
    try invocation.setArgument("Ann", at: 4)
    return invocation
  }

  private static func messaging() throws -> [Row] {
    let table = MethodTable.of(DescribedTarget.self)
    let implementation = try Implementation { (_: DescribedTarget, value: Int) -> Int in value }
    try table.replace("described(_:)", implementation)
    let hook = try table.hook(before: "described(_:)") { (_: DescribedTarget) in }
    hook.cancel()
    let closure = try Closure(types: "qq") { (value: Int) -> Int in value }
    let target = Self.targets.0
    let recorder = InvocationRecorder(target: target)
    let message = try Invocation(target: recorder, selector: "described(_:)")
    try message.setArgument(7, at: 2)
    try message.invoke()
    let undo = InvocationUndoStack()
    undo.register(try recorded())
    let method = try DispatchProtocol.Method.required("changed(_:)", types: "v@:q")
    let optional = try DispatchProtocol.Method.optional("changed(_:)", types: "v@:q")
    let listening = try DispatchProtocol("Described", methods: [optional])
    let dispatcher = try ProtocolDispatcher(listening, implementers: [target, Self.targets.1])
    let unknown = try Implementation(DynamicLibrary.process.symbol("labs"))
    var rows = [
      Row("Implementation", implementation, "implementation 'q@:q'"), Row("Implementation", unknown, "implementation of unknown types"),
      Row("Closure", closure, "closure 'qq'"), Row("MethodTable", table, "method table of DescribedTarget, 1 method"),
      Row("ExportedMethods", try unsafe MethodTable.of(DescribedTarget.self).addExported(trusting: .declarations), "0 methods"),
      Row("Refusal", ExportedMethods.Refusal(declaration: "f()", error: InvocationError(.unsupportedType, "no")), "f(): no"),
      Row("_InvocableMethods", DescribedTarget.invocableMethods, "0 methods of DescribedTarget"),
      Row("InvocationProxy", InvocationProxy(target: target), "InvocationProxy to DescribedTarget"),
      Row("WeakProxy", WeakProxy(target), "WeakProxy to DescribedTarget"),
      Row("MethodHook", hook, "hook of 'described(_:)' of DescribedTarget"),
      Row("InvocationProxy", DescribedProxy(), "DescribedProxy to nil"),
      Row("InvocationRecorder", recorder, "InvocationRecorder to DescribedTarget, 1 message"),
      Row("InvocationUndoStack", undo, "1 step to undo, 0 to redo"),
      Row("Change", InvocationUndoStack.Change.willUndo, "willUndo"), Row("SwiftValue", SwiftValue(7), "SwiftValue<Int>"),
      Row("DispatchProtocol", listening, "protocol Described, 1 method"),
      Row("Method", method, "required changed(_:) 'v@:q'"), Row("Method", optional, "optional changed(_:) 'v@:q'"),
      Row("ProtocolDispatcher", dispatcher, "dispatcher of Described to 2 implementers"),
      Row("ImplementerList", ImplementerList(objects: [target]), "list of 1 implementer"),
      Row("Turns", ImplementerList(objects: [target]).inTurn, "1 implementer to come"),
      Row("ReturnPolicy", ReturnPolicy<Int>.allTrue, "allTrue"),
      Row("ReturnPolicy", ReturnPolicy<Int>.reduce { _, next in .end(next) }, "reduce"),
      Row("Reduction", ReturnPolicy<Int>.Reduction.end(3), "end(3)"),
      Row("Failure", DispatchOutcome.Failure(number: 3, error: InvocationError(.inexact, "no")), "implementer 3: no"),
    ]
    let sent = Invocation(method.methodSignature)
    sent.selector = "changed(_:)"
    try sent.setArgument(7, at: 2)
    rows.append(Row("DispatchOutcome", try dispatcher.dispatch(sent), "0 responders, 0 failures"))
    return rows
  }

  @Test("Each type's text")
  func texts() throws {
    for row in try Self.encodings() + Self.declarations() + Self.calls() + Self.values() + Self.messaging() {
      expectEqual("\(row.value)", row.text, "\(row.type)")
      // Enumerations of plain cases are printed by Swift, with their module.
      expect(String(reflecting: row.value).hasSuffix(row.text), "\(row.type): \(String(reflecting: row.value))")
    }
    let explanation = "\(CallExplanation(try MethodTypes("ddd"), abi: .sysv))"
    expect(explanation.hasPrefix("ddd by sysv: ") && explanation.hasSuffix(" bytes of frame"))
    try expectEqual(MethodSignature(types: "ddd").withFrame { $0.description }, "frame of 'ddd'")
    let incoming = try Closure(MethodSignature(types: "qq")) { call in
      expectEqual(call.description, "incoming call of 'qq'")
      try call.setReturnValue(1)
    }
    let result: Int = try ForeignFunction(incoming.implementation, incoming.methodSignature)(1)
    expectEqual(result, 1)
  }

  /// A type that is new has no row, and fails here.
  @Test("No public type is left out")
  func noneIsLeftOut() throws {
    // Those without values, those that cannot be copied, which `texts` shows by themselves, what only inlined code uses, and what the tests of
    // the other module show; asynchronous Swift functions, whose tests need a compiler, are described there.
    var named: Set<String> = [
      "AsyncSwiftFunction", "Limits", "_MethodThunk", "CallFrame", "IncomingCall", "FrameWriter", "InvocationOperation", "_ValueTraits",
    ]
    named.formUnion(try (Self.encodings() + Self.declarations() + Self.calls() + Self.values() + Self.messaging()).map(\.type))
    let pattern = #/^ *(?:@\w+(?:\([^)]*\))? )*(?:public|open) (?:final |indirect )*(?:struct|class|enum|actor) (\w+)/#
    var found: Set<String> = []
    for module in [
      "TypeEncodings", "DeclarationReading", "CDeclarations", "CallFrames", "CallExplanations", "DynamicInvocation", "SwiftFunctions",
      "InvocationRecords", "DynamicInvocationFoundation",
    ] {
      for line in try PackageFiles.lines(of: module) where !line.contains("@_spi(") && (line.contains("public ") || line.contains("open "))
      {
        if let match = line.firstMatch(of: pattern), match.1 != "func", match.1 != "var" { found.insert(String(match.1)) }
      }
    }
    expect(found.count > 40)
    expectEqual(found.subtracting(named), [])
  }
}
