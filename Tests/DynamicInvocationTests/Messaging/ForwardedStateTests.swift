#if arch(x86_64) || arch(arm64)
  import Foundation
  import TestSupport
  import Testing

  @testable import DynamicInvocation

  /// What belongs to an invocation and not to its arguments, when its message is forwarded: `errno`, what was looked up, how far it goes.
  @Suite(.measured) struct ForwardedStateTests {
    private final class Relay: Forwarding {
      let next: AnyObject
      init(_ next: AnyObject) { self.next = next }
      func forwardingTarget(for selector: MethodSelector) -> AnyObject? { next }
    }

    private static func message(_ selector: MethodSelector, to target: AnyObject, _ value: Int = 10) throws -> Invocation {
      let invocation = Invocation(try MethodSignature(types: "q@:q"))
      invocation.target = target
      invocation.selector = selector
      try invocation.setArgument(value, at: 2)
      return invocation
    }

    @Test(arguments: ["one target", "two targets", "invocation", "target and invocation"])
    func errnoOfAForwardedMessageIsCaptured(way: String) throws {
      final class Failing {}
      try MethodTable.of(Failing.self).replace(
        "fail:",
        Implementation { (_: Failing, code: Int) -> Int in
          errno = CInt(code)
          return -1
        })
      let failing = Failing()
      let target: AnyObject =
        switch way {
        case "one target": Relay(failing)
        case "two targets": Relay(Relay(failing))
        case "invocation": InvocationProxy(target: failing)
        default: Relay(InvocationProxy(target: failing))
        }
      let message = try Self.message("fail:", to: target)
      message.capturesErrno = true
      // The second time what was looked up is remembered.
      for code in 21...23 {
        try message.setArgument(code, at: 2)
        errno = 0
        try message.invoke()
        #expect(try message.returnValue(as: Int.self) == -1)
        #expect(message.capturedErrno == CInt(code))
      }
    }

    @Test(arguments: ["one target", "two targets", "invocation", "target and invocation"])
    func anErrorOfAForwardedMessageIsThrown(way: String) throws {
      final class Refusing {
        struct Refusal: Error { var value: Int }
      }
      try MethodTable.of(Refusing.self).replace(
        "refuse:",
        Implementation { (_: Refusing, value: Int) throws -> Int in
          if value % 2 == 1 { throw Refusing.Refusal(value: value) }
          return value
        })
      let refusing = Refusing()
      let target: AnyObject =
        switch way {
        case "one target": Relay(refusing)
        case "two targets": Relay(Relay(refusing))
        case "invocation": InvocationProxy(target: refusing)
        default: Relay(InvocationProxy(target: refusing))
        }
      let message = try Self.message("refuse:", to: target)
      // From the second time on what was looked up is remembered.
      for value in 0..<6 {
        try message.setArgument(value, at: 2)
        if value % 2 == 0 {
          try message.invoke()
          #expect(try message.returnValue(as: Int.self) == value)
        } else {
          let refusal = #expect(throws: Refusing.Refusal.self) { try message.invoke() }
          #expect(refusal?.value == value)
          #expect(throws: InvocationError.self) { try message.returnValue(as: Int.self) }
        }
      }
    }

    private final class Worker {}

    /// Objects of which each names the next, with a worker at the end.
    private static func chain(_ targets: Int) -> AnyObject {
      (1..<targets).reduce(Relay(Worker())) { next, _ in Relay(next) }
    }

    @Test(arguments: [1, 2, 127, 128, 129, 130]) func asManyTargetsAsTheLimitSays(targets: Int) throws {
      try MethodTable.of(Worker.self).replace("reach:", Implementation { (_: Worker, value: Int) in value + 1 })
      let first = Self.chain(targets)
      let message = try Self.message("reach:", to: first)
      if targets <= 128 {
        try message.invoke()
        #expect(try message.returnValue(as: Int.self) == 11)
        // Whoever can be sent a message says its types.
        #expect(try Invocation(target: first, selector: "reach:").methodSignature == MethodSignature(types: "q@:q"))
      } else {
        let error = #expect(throws: InvocationError.self) { try message.invoke() }
        #expect(error?.code == .limitExceeded)
        #expect(MethodSignature(of: "reach:", to: first) == nil)
      }
    }

    /// Its class gets the method while a message to it is being forwarded, as by another thread, and does not say so.
    private final class Growing: Forwarding {
      let worker = Worker()
      static func resolveMethod(for selector: MethodSelector) throws -> Bool {
        try MethodTable.of(self).replace(selector, Implementation { (_: Growing, value: Int) in -value })
        return false
      }
      func forwardingTarget(for selector: MethodSelector) -> AnyObject? { worker }
    }

    @Test func aMethodAddedDuringTheLookUpIsFoundTheNextTime() throws {
      try MethodTable.of(Worker.self).replace("grow:", Implementation { (_: Worker, value: Int) in value + 1 })
      let message = try Self.message("grow:", to: Growing())
      try message.invoke()
      #expect(try message.returnValue(as: Int.self) == 11)
      try message.invoke()
      #expect(try message.returnValue(as: Int.self) == -10)
    }
  }
#endif
