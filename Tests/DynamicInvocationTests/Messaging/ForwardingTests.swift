#if arch(x86_64) || arch(arm64)
  import AllocationCounter
  import DynamicInvocation
  import Foundation
  import TestSupport
  import Testing

  /// What comes in goes on: as it is, or as an invocation.
  @Suite(.measured) struct ForwardingTests {
    @Test(arguments: Compilation.optimized) func randomCallsComeThrough(_ compilation: Compilation) throws {
      var random = RandomTypes(seed: 0xF0_22_44, hasWholeVectors: true)
      var signatures: [CallSignature] = []
      while signatures.count < 200 {
        let signature = random.signature()
        if !signature.isDisputed, !signature.isHalved(by: compilation.compiler) { signatures.append(signature) }
      }
      let library = try CalleeLibrary(
        signatures, compiler: compilation.compiler, flags: compilation.flags, calling: true, name: "forwarded")
      for index in signatures.indices {
        for way in Way.allCases {
          if let wrong = try failure(of: index, in: library, way) {
            Issue.record("\(signatures[index]) by \(compilation), \(way): \(wrong)")
          }
        }
      }
    }

    private enum Way: CaseIterable { case forward, invocation, copyOfInvocation }

    private func failure(of index: Int, in library: CalleeLibrary, _ way: Way) throws -> String? {
      let types = library.signatures[index].types
      let callee = Implementation(try library.library.symbol("f\(index)"), keeping: library.library)
      let closure = try Closure(MethodSignature(types)) { call in
        if way == .forward { return try call.forward(to: callee) }
        var invocation = call.makeInvocation(retainsArguments: false)
        if way == .copyOfInvocation { invocation = invocation.copy() }
        try invocation.call(callee)
        try call.setReturnValue(of: invocation)
      }
      return try library.passingFailure(of: index, through: closure, seed: UInt64(index))
    }

    // MARK: Messages

    private final class Account: @unchecked Sendable {
      var balance: Int
      init(_ balance: Int) { self.balance = balance }
    }

    /// What the accounts' message does: C code, which gets its target as a pointer.
    private static let deposit: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int) -> Int = { target, _, amount in
      let account = Unmanaged<Account>.fromOpaque(target).takeUnretainedValue()
      account.balance += amount
      return account.balance
    }
    private static let signature = try? MethodSignature(types: "q@:q")

    private func send(_ amount: Int, to target: AnyObject, _ closure: Closure) throws -> Int {
      let invocation = Invocation(try #require(Self.signature))
      invocation.target = target
      invocation.selector = "deposit:"
      try invocation.setArgument(amount, at: 2)
      try invocation.invoke(using: closure.implementation)
      return try invocation.returnValue(as: Int.self)
    }

    @Test func aMessageGoesToAnotherTarget() throws {
      let (proxy, account) = (LifetimeTracker(), Account(100))
      let implementation = Implementation(function: Self.deposit)
      let closure = try Closure(#require(Self.signature)) { call in try call.forward(to: implementation, target: account) }
      #expect(try send(5, to: proxy, closure) == 105)
      #expect(account.balance == 105)
    }

    @Test func anInvocationIsChangedKeptAndReplayed() throws {
      let (first, second) = (Account(0), Account(1_000))
      let implementation = Implementation(function: Self.deposit)
      let kept = Kept()
      let closure = try Closure(#require(Self.signature)) { call in
        let invocation = call.makeInvocation()
        #expect(invocation.selector == "deposit:")
        let amount = try invocation.argument(at: 2, as: Int.self)
        try invocation.setArgument(2 * amount, at: 2)
        try invocation.invoke(using: implementation)
        try call.setReturnValue(of: invocation)
        kept.invocations.append(invocation)
      }
      #expect(try send(5, to: first, closure) == 10)
      #expect(try send(7, to: first, closure) == 24)
      for invocation in kept.invocations {
        invocation.target = second
        try invocation.invoke(using: implementation)
      }
      #expect(second.balance == 1_024)
      #expect(first.balance == 24)
    }

    private final class Kept: @unchecked Sendable { var invocations: [Invocation] = [] }

    @Test func keptArgumentsOutliveTheCaller() throws {
      let tracker = LifetimeTracker()
      let kept = Kept()
      let closure = try Closure(MethodSignature(types: "v@*")) { call in kept.invocations.append(call.makeInvocation()) }
      do {
        let object = tracker.object(7)
        try "a text of some length, on the heap".withCString { text in
          try ForeignFunction(closure.implementation, MethodSignature(types: "v@*"))(Unmanaged.passUnretained(object), text)
        }
      }
      #expect(tracker.liveCount == 1)
      let invocation = try #require(kept.invocations.first)
      #expect((try invocation.objectArgument(at: 0) as? LifetimeTracked)?.payload == 7)
      #expect(try invocation.argument(at: 1, as: String.self) == "a text of some length, on the heap")
      kept.invocations = []
      withExtendedLifetime(invocation) {}
    }

    @Test func objectResultsAreCountedOnce() throws {
      try LifetimeTracker.check { tracker in
        let make: @convention(c) (UnsafeRawPointer) -> UnsafeMutableRawPointer = { tracker in
          Unmanaged.passRetained(Unmanaged<LifetimeTracker>.fromOpaque(tracker).takeUnretainedValue().object(3)).toOpaque()
        }
        let lasting = tracker.object(4)
        let unretained: @convention(c) (UnsafeRawPointer) -> UnsafeRawPointer = { $0 }
        let signature = try MethodSignature(types: "@^v")
        let cases: [(Implementation, UnsafeRawPointer, Int)] = [
          (Implementation(function: make, returnsRetained: true), UnsafeRawPointer(Unmanaged.passUnretained(tracker).toOpaque()), 3),
          (Implementation(function: unretained), UnsafeRawPointer(Unmanaged.passUnretained(lasting).toOpaque()), 4),
        ]
        for (implementation, argument, payload) in cases {
          let closure = try Closure(signature) { call in try call.forward(to: implementation) }
          for _ in 0..<10 {
            let invocation = Invocation(signature)
            try invocation.setArgument(argument, at: 0)
            try invocation.invoke(using: closure.implementation)
            #expect((try invocation.objectReturnValue() as? LifetimeTracked)?.payload == payload)
          }
        }
        withExtendedLifetime(lasting) {}
      }
    }

    @Test func badForwardingThrows() throws {
      let codes = Codes()
      let add: @convention(c) (Int, Int) -> Int = { $0 + $1 }
      let closure = try Closure(MethodSignature(types: "qqq")) { call in
        do { try call.forward(to: Implementation(function: add), target: codes) } catch {
          codes.all.append((error as? InvocationError)?.code)
        }
        let invocation = call.makeInvocation()
        do { try call.setReturnValue(of: invocation) } catch { codes.all.append((error as? InvocationError)?.code) }
        let other = Invocation(try MethodSignature(types: "d"))
        do { try call.setReturnValue(of: other) } catch { codes.all.append((error as? InvocationError)?.code) }
        try call.forward(to: Implementation(function: add))
      }
      let sum: Int = try ForeignFunction(closure.implementation, MethodSignature(types: "qqq"))(2, 3)
      #expect(sum == 5)
      #expect(codes.all == [.typeMismatch, .noReturnValue, .typeMismatch])
    }

    private final class Codes: @unchecked Sendable { var all: [InvocationError.Code?] = [] }

    @Test func qsortGoesThrough() throws {
      // Nobody's own: libc calls a closure that forwards to a function of libc.
      let compare = try DynamicLibrary(Platform.cLibrary).symbol("strcmp")
      let strcmp = Implementation(compare)
      let closure = try Closure(MethodSignature(types: "i^v^v")) { call in try call.forward(to: strcmp) }
      let sort = try DynamicLibrary(Platform.cLibrary).function("qsort", types: "v^vQQ^?")
      var names = Array("pear\0\0\0\0apple\0\0\0fig\0\0\0\0\0".utf8)
      try names.withUnsafeMutableBytes { try sort($0.baseAddress, 3 as UInt, 8 as UInt, closure.pointer) as Void }
      #expect(String(decoding: names, as: UTF8.self) == "apple\0\0\0fig\0\0\0\0\0pear\0\0\0\0")
    }
  }
#endif
