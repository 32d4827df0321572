import DynamicInvocation
import Foundation
import TestSupport
import Testing

/// A result that is a part of an argument's text stays valid as long as the argument of the sender.
@Suite(.measured) struct TextResultTests {
  private final class Target {}
  private static let text = String(repeating: "a long text that is no small string ", count: 4) + "|the rest of it"
  private static let rest = "|the rest of it"

  private static func target(_ selector: MethodSelector) throws -> Target {
    let find: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafePointer<CChar>?) -> UnsafePointer<CChar>? = { _, _, text in
      text.map { UnsafePointer(strchr($0, 124)) }
    }
    let method = try unsafe Implementation(function: find, methodSignature: MethodSignature(types: "*@:*"))
    try MethodTable.of(Target.self).replace(selector, method)
    return Target()
  }

  /// Overwrites memory that was freed.
  private func reuse() { for size in [16, 64, 160, 200, 256] { free(memset(malloc(size), 0x58, size)) } }

  private func invocation(_ selector: MethodSelector, to target: AnyObject) throws -> Invocation {
    let invocation = Invocation(try MethodSignature(types: "*@:*"))
    invocation.target = target
    invocation.selector = selector
    try invocation.setArgument(Self.text, at: 2)
    return invocation
  }

  @Test("Through proxies, as a sent message and as an invocation") func proxies() throws {
    let target = try Self.target("proxied:")
    for proxy in [InvocationProxy(target: target), InvocationProxy(target: InvocationProxy(target: target))] {
      #expect(try Invocation.send(proxy, "proxied:", Self.text) as String == Self.rest)
      let invocation = try invocation("proxied:", to: proxy)
      for _ in 0..<3 {
        try invocation.invoke()
        reuse()
        #expect(try invocation.returnValue(as: String.self) == Self.rest)
      }
    }
  }

  @Test("Through a dispatcher") func dispatchers() throws {
    let description = try DispatchProtocol("Texts", methods: [.required("dispatched:", types: "*@:*")])
    let targets = [try Self.target("dispatched:"), Target()]
    let dispatcher = try ProtocolDispatcher(description, implementers: targets)
    // A dispatcher does not retain them.
    defer { withExtendedLifetime(targets) {} }
    guard case .string(Self.rest)? = try dispatcher.send("dispatched:", [.string(Self.text)]) else {
      Issue.record("another text")
      return
    }
    let invocation = try invocation("dispatched:", to: dispatcher)
    for _ in 0..<3 {
      try invocation.invoke()
      reuse()
      #expect(try invocation.returnValue(as: String.self) == Self.rest)
    }
    try dispatcher.dispatch(invocation)
    reuse()
    #expect(try invocation.returnValue(as: String.self) == Self.rest)
  }

  @Test("After the argument was replaced, and in a copy that outlives the invocation") func replaced() throws {
    let target = try Self.target("replaced:")
    var invocation = try invocation("replaced:", to: target)
    try invocation.invoke()
    let copy = invocation.copy()
    try invocation.setArgument("another text", at: 2)
    reuse()
    #expect(try invocation.returnValue(as: String.self) == Self.rest)
    try invocation.setArgument("a third text", at: 2)
    reuse()
    #expect(try invocation.returnValue(as: String.self) == Self.rest)
    try invocation.setArgument("left|right", at: 2)
    try invocation.invoke()
    #expect(try invocation.returnValue(as: String.self) == "|right")
    invocation = try self.invocation("replaced:", to: target)
    reuse()
    #expect(try copy.returnValue(as: String.self) == Self.rest)
    // A copy of an invocation whose result is in that of a proxy.
    invocation = try self.invocation("replaced:", to: InvocationProxy(target: target))
    try invocation.invoke()
    let other = invocation.copy()
    invocation = copy
    reuse()
    #expect(try other.returnValue(as: String.self) == Self.rest)
  }

  @Test("In a frame") func frames() throws {
    let target = try Self.target("framed:")
    try MethodSignature(types: "*@:*").withFrame { frame in
      try frame.setArgument(target as AnyObject, at: 0)
      try frame.setArgument("framed:" as MethodSelector, at: 1)
      try frame.setArgument(Self.text, at: 2)
      try frame.invoke(using: #require(MethodTable.of(Target.self).implementation(for: "framed:")))
      try frame.setArgument("another text", at: 2)
      reuse()
      #expect(try frame.returnValue(as: String.self) == Self.rest)
    }
  }

  @Test("C gets a part of its own text from a closure that passes the call on", arguments: [false, true])
  func closures(replaces: Bool) throws {
    let find = try DynamicLibrary(Platform.cLibrary).function("strchr", types: "**i")
    let onError: @Sendable (any Error) -> Void = { error in
      if !replaces || (error as? InvocationError)?.code != .typeMismatch { Issue.record(error) }
    }
    let closure = try Closure(MethodSignature(types: "**i"), onError: onError) { (call: inout IncomingCall) in
      let invocation = call.makeInvocation()
      if replaces { try invocation.setArgument("x|y", at: 0) }
      try invocation.invoke(using: find.implementation)
      try call.setReturnValue(of: invocation)
    }
    Self.text.withCString { text in
      typealias Find = @convention(c) (UnsafePointer<CChar>, Int32) -> UnsafePointer<CChar>?
      let result = closure.withFunction(as: Find.self) { $0(text, 124) }
      reuse()
      #expect(result == (replaces ? nil : strchr(text, 124).map { UnsafePointer($0) }))
      if let result { #expect(String(cString: result) == Self.rest) }
    }
  }
}
