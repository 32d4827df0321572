import DynamicInvocation
import Foundation
import TestSupport
import Testing

/// A result that is a part of a text of the invocation stays valid, whatever happens to the argument and whoever takes
/// the result over.
@Suite(.measured) struct OwnedTextTests {
  private static let first = "the first text, which is long enough for the heap|the rest"
  private static let second = "the second text, which is long enough for the heap|another rest"

  private static func function<Code: BitwiseCopyable>(_ types: String, _ code: Code) throws -> ForeignFunction {
    let signature = try MethodSignature(types: types)
    return try ForeignFunction(Implementation(function: code, methodSignature: signature), signature)
  }

  /// A function that returns its text.
  private static func same() throws -> ForeignFunction {
    let same: @convention(c) (UnsafePointer<CChar>?) -> UnsafePointer<CChar>? = { $0 }
    return try function("**", same)
  }

  /// Overwrites memory that was freed.
  private func reuse() {
    for size in [16, 24, 40, 50, 60, 64, 160, 200, 256] { for _ in 0..<3 { free(memset(malloc(size), 0x58, size)) } }
  }

  private func text(_ invocation: Invocation) throws -> String {
    reuse()
    return try invocation.returnValue(as: String.self)
  }

  // MARK: Arguments that are replaced

  @Test("Replaced during the call, also by a callback that invokes again", arguments: [false, true])
  func duringTheCall(isNested: Bool) throws {
    let code: @convention(c) (UnsafePointer<CChar>?, @convention(c) () -> Void) -> UnsafePointer<CChar>? = { text, callback in
      callback()
      return text
    }
    let calling = try Self.function("**^?", code)
    let ways: [(Invocation) throws -> Void] = [
      { try $0.invoke() }, { try $0.invoke(using: calling.implementation) }, { try $0.call(calling.implementation) },
      {
        $0.capturesErrno = true
        try $0.invoke()
      },
    ]
    for way in ways {
      let invocation = calling.makeInvocation()
      var depth = 0
      let callback = {
        depth += 1
        try? invocation.setArgument(Self.second, at: 0)
        if isNested, depth == 1 { try? invocation.invoke() }
        try? invocation.setArgument("third", at: 0)
      }
      try withClosure(types: "v", { () -> Void in callback() }) { pointer in
        try invocation.setArguments([Self.first, pointer])
        try way(invocation)
        expectEqual(depth, isNested ? 2 : 1)
        try expectEqual(text(invocation), Self.first)
        expect(invocation.description.contains(Self.first))
        let copy = invocation.copy()
        // The next call frees it.
        try way(invocation)
        try expectEqual([text(invocation), text(copy)], ["third", Self.first])
      }
    }
  }

  @Test("Replaced after the call, in a copy that outlives the invocation") func copies() throws {
    var original = try Self.same().makeInvocation()
    try original.setArgument(Self.first, at: 0)
    try original.invoke()
    try original.setArgument(Self.second, at: 0)
    var copies = [original.copy()]
    copies.append(copies[0].copy())
    original = copies[0]
    for copy in copies { try expectEqual([text(copy), copy.argument(at: 0, as: String.self)], [Self.first, Self.second]) }
    try copies[0].invoke()
    try expectEqual(copies.map { try text($0) }, [Self.second, Self.first])
  }

  @Test("A callee may return a part of the text of its previous call") func previousText() throws {
    let tokens = try DynamicLibrary(Platform.cLibrary).function("strtok", types: "***").makeInvocation()
    try tokens.setArguments(["the first token|the second token|the third token", "|"])
    for token in ["the first token", "the second token", "the third token"] {
      try tokens.invoke()
      try expectEqual([text(tokens), text(tokens.copy())], [token, token])
      try tokens.setArgument(nil as AnyObject?, at: 0)
    }
  }

  // MARK: Callees that shorten the text

  @Test("A part behind the end of a text that the callee has shortened") func shortened() throws {
    // As `strtok` does.
    let code: @convention(c) (UnsafeMutablePointer<CChar>?) -> UnsafeMutablePointer<CChar>? = { text in
      guard let text, let sign = strchr(text, 61) else { return nil }
      sign.pointee = 0
      return sign + 1
    }
    let valueOf = try Self.function("**", code)
    let text = "key=the value, which is long enough for the heap"
    let value = "the value, which is long enough for the heap"
    var invocation = valueOf.makeInvocation()
    try invocation.setArgument(text, at: 0)
    try invocation.invoke()
    let early = invocation.copy()
    try invocation.setArgument("other=x", at: 0)
    try expectEqual(self.text(invocation), value)
    let late = invocation.copy()
    invocation = early
    try expectEqual([self.text(early), self.text(late)], [value, value])
    let closure = try Closure(valueOf.methodSignature, onError: { Issue.record($0) }) { call in
      let invocation = call.makeInvocation()
      try invocation.invoke(using: valueOf.implementation)
      try call.setReturnValue(of: invocation)
    }
    try text.withCString { text in
      let result = try ForeignFunction(closure.implementation, closure.methodSignature)(
        UnsafeMutablePointer(mutating: text), as: UnsafeMutablePointer<CChar>?.self)
      reuse()
      expectEqual(result, UnsafeMutablePointer(mutating: text + 4))
    }
  }

  // MARK: Messages

  private final class Receiver {}
  private final class Changing: Forwarding, EncodedObject {
    let receiver = Receiver()
    var replacesFirst = true
    var last: Invocation?

    func methodSignature(for selector: MethodSelector) -> MethodSignature? { try? MethodSignature(types: "*@:*") }
    func forwardInvocation(_ invocation: Invocation) throws {
      if replacesFirst { try invocation.setArgument(OwnedTextTests.second, at: 2) }
      try invocation.invoke(with: receiver)
      if !replacesFirst { try invocation.setArgument(OwnedTextTests.second, at: 2) }
      last = invocation
    }
  }

  /// Gives the receivers a method that returns the rest of its text from the sign on.
  private static func method(_ selector: MethodSelector) throws -> Implementation {
    let code: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafePointer<CChar>?) -> UnsafePointer<CChar>? = { _, _, text in
      text.map { UnsafePointer(strchr($0, 124)) }
    }
    let method = Implementation(function: code, methodSignature: try MethodSignature(types: "*@:*"))
    try MethodTable.of(Receiver.self).replace(selector, method)
    return method
  }

  private static func message(_ selector: MethodSelector, to target: AnyObject) throws -> Invocation {
    try .message("*@:*", to: target, selector, first)
  }

  @Test("Through proxies and a dispatcher, as a sent message and as an invocation") func proxies() throws {
    _ = try Self.method("rest(_:)")
    let target = Receiver()
    let description = try DispatchProtocol("Texts", methods: [.required("rest(_:)", types: "*@:*")])
    let other = Changing()
    let dispatcher = try ProtocolDispatcher(description, implementers: [target])
    for proxy in [InvocationProxy(target: target), InvocationProxy(target: InvocationProxy(target: target)), dispatcher] as [AnyObject] {
      try expectEqual(Invocation.send(proxy, "rest(_:)", Self.first) as String, "|the rest")
      let invocation = try Self.message("rest(_:)", to: proxy)
      for _ in 0..<3 {
        try invocation.invoke()
        try expectEqual(text(invocation), "|the rest")
      }
    }
    try expectEqual(dispatcher.send("rest(_:)", [.string(Self.first)]).map { "\($0)" }, "\"|the rest\"")
    let invocation = try Self.message("rest(_:)", to: dispatcher)
    try dispatcher.dispatch(invocation)
    try expectEqual(text(invocation), "|the rest")
    withExtendedLifetime((target, other)) {}
  }

  @Test("After the argument was replaced, in a copy that outlives the invocation, and in a frame") func replaced() throws {
    let method = try Self.method("replaced(_:)")
    let target = Receiver()
    var invocation = try Self.message("replaced(_:)", to: target)
    try invocation.invoke()
    let copy = invocation.copy()
    for other in ["another text", "a third text"] {
      try invocation.setArgument(other, at: 2)
      try expectEqual(text(invocation), "|the rest")
    }
    try expectEqual(invocation.result("left|right"), "|right")
    invocation = try Self.message("replaced(_:)", to: target)
    try expectEqual(text(copy), "|the rest")
    // A copy of an invocation whose result is in a proxy's result.
    invocation = try Self.message("replaced(_:)", to: InvocationProxy(target: target))
    try invocation.invoke()
    let other = invocation.copy()
    invocation = copy
    try expectEqual(text(other), "|the rest")
    try MethodSignature(types: "*@:*").withFrame { frame in
      try frame.setArgument(target as AnyObject, at: 0)
      try frame.setArgument("replaced(_:)" as MethodSelector, at: 1)
      try frame.setArgument(Self.first, at: 2)
      try frame.invoke(using: method)
      try frame.setArgument("another text", at: 2)
      reuse()
      try expectEqual(frame.returnValue(as: String.self), "|the rest")
    }
  }

  @Test("The sender of a forwarded message keeps its result, whatever is done to the invocation that was forwarded")
  func forwarded() throws {
    _ = try Self.method("sent(_:)")
    let target = Changing()
    let changes: [(Invocation) throws -> Void] = [
      { _ in }, { try $0.setArgument("another", at: 2) },
      {
        try $0.setArgument("another|", at: 2)
        try $0.invoke()
      },
    ]
    for (change, replacesFirst) in changes.flatMap({ [($0, true), ($0, false)] }) {
      target.replacesFirst = replacesFirst
      let invocation = try Self.message("sent(_:)", to: target)
      for _ in 0..<3 {
        try invocation.setArgument(Self.first, at: 2)
        try invocation.invoke()
        try change(require(target.last))
        target.last = nil
        let expected = replacesFirst ? "|another rest" : "|the rest"
        try expectEqual(text(invocation), expected)
        let copy = invocation.copy()
        try invocation.setArgument("other", at: 2)
        try expectEqual([text(invocation), text(copy)], [expected, expected])
      }
    }
  }

  // MARK: Texts for C

  private final class Errors: @unchecked Sendable {
    var codes: [InvocationError.Code?] = []
  }

  @Test("C does not get a text that dies with the invocation of a handler, but a part of its own") func handlers() throws {
    let find = try DynamicLibrary(Platform.cLibrary).function("strchr", types: "**i")
    let errors = Errors()
    for (replaces, isLate) in [(false, false), (true, false), (true, true)] {
      let closure = try Closure(find.methodSignature, onError: { errors.codes.append(($0 as? InvocationError)?.code) }) { call in
        let invocation = call.makeInvocation()
        if replaces, !isLate { try invocation.setArgument(Self.second, at: 0) }
        try invocation.invoke(using: find.implementation)
        if replaces, isLate { try invocation.setArgument(Self.second, at: 0) }
        try call.setReturnValue(of: invocation)
      }
      Self.first.withCString { text in
        typealias Find = @convention(c) (UnsafePointer<CChar>, Int32) -> UnsafePointer<CChar>?
        let result = closure.withFunction(as: Find.self) { $0(text, 124) }
        reuse()
        // The text of the call is the caller's own, even if the argument was replaced later.
        expectEqual(result, replaces && !isLate ? nil : strchr(text, 124).map { UnsafePointer($0) })
      }
    }
    expectEqual(errors.codes, [.typeMismatch])
  }

  @Test("C does not get a text that a forwarding object has set", arguments: [false, true]) func forwardedFromC(replacesFirst: Bool) throws
  {
    _ = try Self.method("toC(_:)")
    let target = Changing()
    target.replacesFirst = replacesFirst
    let types = try MethodSignature(types: "*@:*")
    let forwarding = try Implementation.forwarding(types)
    let results: [() throws -> String] = [
      {
        try types.withFrame { frame in
          try frame.setArgument(target as AnyObject, at: 0)
          try frame.setArgument("toC(_:)" as MethodSelector, at: 1)
          try frame.setArgument(Self.first, at: 2)
          try frame.invoke(using: forwarding)
          target.last = nil
          reuse()
          return try frame.returnValue(as: String.self)
        }
      },
      {
        let invocation = try Self.message("toC(_:)", to: target)
        try invocation.invoke(using: forwarding)
        target.last = nil
        return try text(invocation)
      },
    ]
    for result in results {
      if replacesFirst { expectError(.typeMismatch) { _ = try result() } } else { try expectEqual(result(), "|the rest") }
    }
    if !replacesFirst {
      try expectEqual(ForeignFunction(forwarding, types)(target, "toC(_:)" as MethodSelector, Self.first) as String, "|the rest")
    }
  }

  @Test("A message from C, which takes no error, traps") func trap() async {
    await #expect(processExitsWith: .failure) {
      _ = try OwnedTextTests.method("toTrap(_:)")
      let types = try MethodSignature(types: "*@:*")
      _ =
        try ForeignFunction(Implementation.forwarding(types), types)(Changing(), "toTrap(_:)" as MethodSelector, OwnedTextTests.first)
        as String
    }
  }
}
