import DynamicInvocation
import Foundation
import TestSupport
import Testing

/// A result that is a part of a text of the invocation stays valid, whatever happens to the argument and whoever takes
/// the result over.
@Suite(.measured) struct OwnedTextTests {
  private static let first = "the first text, which is long enough for the heap"
  private static let second = "the second text, which is long enough for the heap"

  private static func function<Code: BitwiseCopyable>(_ types: String, _ code: Code) throws -> ForeignFunction {
    let signature = try MethodSignature(types: types)
    return try ForeignFunction(Implementation(function: code, methodSignature: signature), signature)
  }

  private static func same() throws -> ForeignFunction {
    let same: @convention(c) (UnsafePointer<CChar>?) -> UnsafePointer<CChar>? = { $0 }
    return try function("**", same)
  }

  private static func calling() throws -> ForeignFunction {
    let code: @convention(c) (UnsafePointer<CChar>?, @convention(c) () -> Void) -> UnsafePointer<CChar>? = { text, callback in
      callback()
      return text
    }
    return try function("**^?", code)
  }

  /// Shortens its text, as `strtok` does.
  private static func value() throws -> ForeignFunction {
    let code: @convention(c) (UnsafeMutablePointer<CChar>?) -> UnsafeMutablePointer<CChar>? = { text in
      guard let text, let sign = strchr(text, 61) else { return nil }
      sign.pointee = 0
      return sign + 1
    }
    return try function("**", code)
  }

  /// Overwrites memory that was freed.
  private func reuse() { for size in [16, 24, 40, 50, 60, 160, 256] { for _ in 0..<3 { free(memset(malloc(size), 0x58, size)) } } }

  private func text(_ invocation: Invocation) throws -> String {
    reuse()
    return try invocation.returnValue(as: String.self)
  }

  // MARK: Arguments that are replaced

  @Test("Replaced during the call, also by a callback that invokes again", arguments: [false, true])
  func duringTheCall(isNested: Bool) throws {
    let calling = try Self.calling()
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
        try invocation.setArgument(Self.first, at: 0)
        try invocation.setArgument(pointer, at: 1)
        try way(invocation)
        #expect(depth == (isNested ? 2 : 1))
        #expect(try text(invocation) == Self.first)
        #expect(invocation.description.contains(Self.first))
        let copy = invocation.copy()
        // The next call frees it.
        try way(invocation)
        #expect(try text(invocation) == "third")
        #expect(try text(copy) == Self.first)
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
    for copy in copies {
      #expect(try text(copy) == Self.first)
      #expect(try copy.argument(at: 0, as: String.self) == Self.second)
    }
    try copies[0].invoke()
    #expect(try text(copies[0]) == Self.second)
    #expect(try text(copies[1]) == Self.first)
  }

  @Test("A callee may return a part of the text of its previous call") func previousText() throws {
    let tokens = try DynamicLibrary(Platform.cLibrary).function("strtok", types: "***").makeInvocation()
    try tokens.setArgument("the first token|the second token|the third token", at: 0)
    try tokens.setArgument("|", at: 1)
    for token in ["the first token", "the second token", "the third token"] {
      try tokens.invoke()
      #expect(try text(tokens) == token)
      #expect(try text(tokens.copy()) == token)
      try tokens.setArgument(nil as AnyObject?, at: 0)
    }
  }

  // MARK: Callees that shorten the text

  @Test("A part behind the end of a text that the callee has shortened") func shortened() throws {
    let text = "key=the value, which is long enough for the heap"
    let value = "the value, which is long enough for the heap"
    var invocation = try Self.value().makeInvocation()
    try invocation.setArgument(text, at: 0)
    try invocation.invoke()
    let early = invocation.copy()
    try invocation.setArgument("other=x", at: 0)
    #expect(try self.text(invocation) == value)
    let late = invocation.copy()
    invocation = early
    #expect(try self.text(early) == value)
    #expect(try self.text(late) == value)
    let valueOf = try Self.value()
    let closure = try Closure(valueOf.methodSignature, onError: { Issue.record($0) }) { call in
      let invocation = call.makeInvocation()
      try invocation.invoke(using: valueOf.implementation)
      try call.setReturnValue(of: invocation)
    }
    try text.withCString { text in
      let result = try ForeignFunction(closure.implementation, closure.methodSignature)(
        UnsafeMutablePointer(mutating: text), as: UnsafeMutablePointer<CChar>?.self)
      reuse()
      #expect(result == UnsafeMutablePointer(mutating: text + 4))
    }
  }

  // MARK: Texts for C

  private final class Errors: @unchecked Sendable {
    var codes: [InvocationError.Code?] = []
  }

  @Test("C does not get a text that dies with the invocation of a handler") func handlers() throws {
    let same = try Self.same()
    let errors = Errors()
    for isLate in [false, true] {
      let closure = try Closure(same.methodSignature, onError: { errors.codes.append(($0 as? InvocationError)?.code) }) { call in
        let invocation = call.makeInvocation()
        if !isLate { try invocation.setArgument(Self.second, at: 0) }
        try invocation.invoke(using: same.implementation)
        if isLate { try invocation.setArgument(Self.second, at: 0) }
        try call.setReturnValue(of: invocation)
      }
      try Self.first.withCString { text in
        let result = try ForeignFunction(closure.implementation, closure.methodSignature)(
          UnsafeMutablePointer(mutating: text), as: UnsafeMutablePointer<CChar>?.self)
        // The text of the call is the caller's own, even if the argument was replaced later.
        #expect(result == (isLate ? UnsafeMutablePointer(mutating: text) : nil))
      }
    }
    #expect(errors.codes == [.typeMismatch])
  }

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

  private static func changing(_ selector: MethodSelector) throws -> Changing {
    let code: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafePointer<CChar>?) -> UnsafePointer<CChar>? = { $2 }
    let types = try MethodSignature(types: "*@:*")
    try MethodTable.of(Receiver.self).replace(selector, Implementation(function: code, methodSignature: types))
    return Changing()
  }

  @Test("C does not get a text that a forwarding object has set", arguments: [false, true]) func forwardedFromC(replacesFirst: Bool) throws
  {
    let target = try Self.changing("sameToC:")
    target.replacesFirst = replacesFirst
    let types = try MethodSignature(types: "*@:*")
    let forwarding = try Implementation.forwarding(types)
    let results: [() throws -> String] = [
      {
        try types.withFrame { frame in
          try frame.setArgument(target as AnyObject, at: 0)
          try frame.setArgument("sameToC:" as MethodSelector, at: 1)
          try frame.setArgument(Self.first, at: 2)
          try frame.invoke(using: forwarding)
          target.last = nil
          reuse()
          return try frame.returnValue(as: String.self)
        }
      },
      {
        let invocation = Invocation(types)
        invocation.target = target
        invocation.selector = "sameToC:"
        try invocation.setArgument(Self.first, at: 2)
        try invocation.invoke(using: forwarding)
        target.last = nil
        return try text(invocation)
      },
    ]
    for result in results {
      if replacesFirst {
        #expect(InvocationFixtures.code { _ = try result() } == .typeMismatch)
      } else {
        #expect(try result() == Self.first)
      }
    }
    if !replacesFirst {
      #expect(try ForeignFunction(forwarding, types)(target, "sameToC:" as MethodSelector, Self.first) as String == Self.first)
    }
  }

  @Test("A message from C, which takes no error, traps") func trap() async {
    await #expect(processExitsWith: .failure) {
      let target = try OwnedTextTests.changing("sameToTrap:")
      let types = try MethodSignature(types: "*@:*")
      _ =
        try ForeignFunction(Implementation.forwarding(types), types)(target, "sameToTrap:" as MethodSelector, OwnedTextTests.first)
        as String
    }
  }

  @Test("The sender of a forwarded message keeps its result, whatever is done to the invocation that was forwarded")
  func forwarded() throws {
    let target = try Self.changing("sameToSender:")
    let changes: [(Invocation) throws -> Void] = [
      { _ in }, { try $0.setArgument("another", at: 2) },
      {
        try $0.setArgument("another", at: 2)
        try $0.invoke()
      },
    ]
    for change in changes {
      for replacesFirst in [true, false] {
        target.replacesFirst = replacesFirst
        let invocation = Invocation(try MethodSignature(types: "*@:*"))
        invocation.target = target
        invocation.selector = "sameToSender:"
        for _ in 0..<3 {
          try invocation.setArgument(Self.first, at: 2)
          try invocation.invoke()
          try change(#require(target.last))
          target.last = nil
          let expected = replacesFirst ? Self.second : Self.first
          #expect(try text(invocation) == expected)
          let copy = invocation.copy()
          try invocation.setArgument("other", at: 2)
          #expect(try text(invocation) == expected)
          #expect(try text(copy) == expected)
        }
      }
    }
  }
}
