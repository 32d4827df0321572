import DynamicInvocation
import Foundation
import ObjectiveCMessages
import Synchronization
import TestSupport
import Testing

@Suite(.enabled(if: Fixtures.isAvailable, "gcc has no Objective-C, or GNUstep is missing")) struct RandomMethodTests {
  /// 80 methods; more when the environment asks for them in OBJC_METHODS.
  private static let seeds =
    1...UInt64(max(2, ProcessInfo.processInfo.environment["OBJC_METHODS"].flatMap { Int($0) }.map { $0 / 40 } ?? 2))

  @Test("Random methods are called, received and hooked with the bytes of compiled code", arguments: seeds)
  func methods(seed: UInt64) throws {
    try Fixtures.run {
      let methods = try RandomMethods(seed: seed, count: 40)
      var counts: [RandomMethods.Way: Int] = [:]
      for index in methods.signatures.indices {
        for way in RandomMethods.Way.allCases {
          guard let outcome = try methods.failure(of: index, way, seed: seed) else { continue }
          counts[way, default: 0] += 1
          if let failure = outcome.failure { Issue.record("\(way) \(methods.signatures[index]), seed \(seed): \(failure)") }
        }
      }
      // Encodings lack the packing of structs and some types, so that some methods cannot be compared.
      for way in RandomMethods.Way.allCases { expect(counts[way, default: 0] > 25, "\(way): \(counts[way, default: 0]) methods") }
    }
  }
}

/// Objective-C methods of random types, which check their arguments, and the compiled code that sends their messages.
struct RandomMethods {
  enum Way: CaseIterable {
    case called, receivedPlainly, received, hooked
  }

  struct Outcome {
    var failure: String?
  }

  let signatures: [CallSignature]
  private let library: CalleeLibrary
  private let object: ObjectiveCObject

  init(seed: UInt64, count: Int) throws {
    var types = RandomTypes(seed: seed)
    var signatures: [CallSignature] = []
    while signatures.count < count {
      let signature = types.signature(arguments: 12)
      if signature.types.arguments.allSatisfy(\.isMethodType), signature.types.result.isMethodType { signatures.append(signature) }
    }
    self.signatures = signatures
    let source = CalleeSource(signatures)
    let name = "Random\(seed)"
    let text = "#import <Foundation/Foundation.h>\n" + source.text + Self.methods(signatures, source.text, name)
    let path = try CCompiler.gcc.sharedLibrary(source: text, flags: Fixtures.flags, name: "objc-random")
    library = try CalleeLibrary(signatures, source, path: path, compilation: Compilation(compiler: .gcc, flags: Fixtures.flags))
    let loaded = library.library
    Self.loaded.withLock { $0.append(loaded) }
    object = try Fixtures.make(name)
  }

  /// A library with a class is never unloaded.
  private static let loaded: Mutex<[DynamicLibrary]> = Mutex([])

  static func selector(_ index: Int, _ signature: CallSignature) -> String {
    "m\(index)" + String(repeating: ":", count: signature.types.arguments.count)
  }

  /// A class with a method for each callee, and functions that send the messages.
  private static func methods(_ signatures: [CallSignature], _ source: String, _ name: String) -> String {
    var (methods, senders) = ("", "")
    for (index, line) in source.split(separator: "\n").filter({ $0.contains("{ calls += 1;") }).enumerated() {
      guard let open = line.range(of: " f\(index)("), let end = line.range(of: ") { calls") else { continue }
      let result = line[..<open.lowerBound]
      let parameters = line[open.upperBound..<end.lowerBound]
      let types = parameters == "void" ? [] : parameters.split(separator: ", ").map { $0[..<($0.lastIndex(of: " ") ?? $0.endIndex)] }
      let names = types.indices.map { "a\($0)" }
      let pieces = types.indices.map { "\($0 == 0 ? "" : " "):(\(types[$0]))\(names[$0])" }.joined()
      let isVoid = result == "void"
      methods += "- (\(result))m\(index)\(pieces) { \(isVoid ? "" : "return ")f\(index)(\(names.joined(separator: ", "))); }\n"
      let variables = types.indices.map { "\(types[$0]) \(names[$0]); memcpy(&\(names[$0]), values[\($0)], sizeof \(names[$0]));" }
      let message = "[(\(name) *)o m\(index)\(names.enumerated().map { "\($0.offset == 0 ? "" : " "):\($0.element)" }.joined())]"
      let send = isVoid ? "\(message);" : "\(result) r = \(message); memcpy(to, &r, sizeof r);"
      senders += "void s\(index)(id o, void *to) { \(variables.joined(separator: " ")) \(send) }\n"
    }
    return "\n@interface \(name) : NSObject @end\n@implementation \(name)\n\(methods)@end\n\(senders)"
  }

  /// Calls a method in one way with random values; nil if its encoding does not have its types.
  func failure(of index: Int, _ way: Way, seed: UInt64) throws -> Outcome? {
    let types = signatures[index].types
    let selector = MethodSelector(Self.selector(index, signatures[index]))
    guard let wanted = try? MethodSignature(MethodTypes(result: types.result, arguments: ["@", ":"] + types.arguments)),
      let found = MethodSignature(of: selector, to: object), found.carries(wanted)
    else { return nil }
    var generator = SeededGenerator(seed: seed &* 1_000 &+ UInt64(index))
    let memory = SampleMemory(arguments: types.arguments, result: types.result, using: &generator)
    defer { memory.deallocate() }
    library.announce(memory)
    switch way {
    case .called:
      let invocation = try Invocation(target: object, selector: selector, retainsArguments: false)
      for place in types.arguments.indices {
        if let value = memory.values[place] { try invocation.setArgument(from: value, at: place + 2) }
      }
      // Looked up, and then as it was cached.
      for _ in 0..<2 {
        try invocation.invoke()
        if let wrong = try difference(of: invocation, memory) ?? wrongArgument { return Outcome(failure: wrong) }
      }
      return Outcome()
    case .receivedPlainly, .received:
      let receiver = try ObjectiveCReceiver(
        [], implementers: [object], methods: [DispatchProtocol.Method(selector, found, isRequired: false)])
      if way == .received {
        nonisolated(unsafe) let object = object
        try receiver.handle(selector) { call in
          let invocation = unsafe call.makeInvocation(retainsArguments: false)
          try invocation.invoke(with: object)
          if types.result.size != nil { try call.setReturnValue(of: invocation) }
        }
      }
      return Outcome(failure: try send(index, receiver.object, memory))
    case .hooked:
      let hook = try object.hook(insteadOf: selector) { call, original in try call.forward(to: original) }
      defer { hook.cancel() }
      return Outcome(failure: try send(index, object, memory))
    }
  }

  private var wrongArgument: String? { library.firstWrongArgument.map { "argument \($0) arrived wrong" } }

  private func difference(of invocation: Invocation, _ memory: SampleMemory) throws -> String? {
    var result = [UInt8](repeating: 0xA5, count: memory.resultSample.bytes.count + 16)
    try result.withUnsafeMutableBytes { if let address = $0.baseAddress { try invocation.getReturnValue(into: address) } }
    return memory.resultSample.firstDifference(from: result).map { "the result is wrong at byte \($0)" }
  }

  /// Sends a message with compiled code.
  private func send(_ index: Int, _ target: ObjectiveCObject, _ memory: SampleMemory) throws -> String? {
    var result = [UInt8](repeating: 0xA5, count: memory.resultSample.bytes.count + 16)
    let sender = try library.library.function("s\(index)", types: "v^v^v")
    try result.withUnsafeMutableBytes { try sender(Optional(target.objectPointer), $0.baseAddress) as Void }
    return memory.resultSample.firstDifference(from: result).map { "the result is wrong at byte \($0)" } ?? wrongArgument
  }
}

extension TypeEncoding {
  /// Whether a method of Objective-C may have the type, as far as gcc compiles it, and there are random bytes for it.
  fileprivate var isMethodType: Bool {
    if qualifiers.contains(.atomic) { return false }
    return switch kind {
    case .object, .classObject, .block, .selector, .vector, .scalar(.float16): false
    case .structure(let record), .union(let record): (record.fields ?? []).allSatisfy { $0.type.isMethodType }
    case .array(_, let element): element.isMethodType
    default: true
    }
  }
}
