#if arch(x86_64) || arch(arm64)
  import AllocationCounter
  import DynamicInvocation
  import Foundation
  import TestSupport
  import Testing

  /// What comes in goes on: as it is, or as an invocation.
  @Suite(.measured) struct ForwardingTests {
    private static func signatures(_ count: Int, seed: UInt64, _ compiler: CCompiler, _ first: [TypeEncoding] = []) -> [CallSignature] {
      var random = RandomTypes(seed: seed, hasWholeVectors: true)
      return random.signatures(count, for: compiler) { random, _ in
        let types = random.signature().types
        return CallSignature(types.result, first + types.arguments)
      }
    }

    private enum IncomingWay: CaseIterable { case forward, invocation, copyOfInvocation }

    @Test(arguments: Compilation.optimized) func randomCallsComeThrough(_ compilation: Compilation) throws {
      let signatures = Self.signatures(200, seed: 0xF0_22_44, compilation.compiler)
      let library = try CalleeLibrary(
        signatures, compiler: compilation.compiler, flags: compilation.flags, calling: true, name: "forwarded")
      for index in signatures.indices {
        let callee = Implementation(try library.library.symbol("f\(index)"), keeping: library.library)
        for way in IncomingWay.allCases {
          let closure = try Closure(MethodSignature(signatures[index].types)) { call in
            if way == .forward { return try call.forward(to: callee) }
            var invocation = call.makeInvocation(retainsArguments: false)
            if way == .copyOfInvocation { invocation = invocation.copy() }
            try invocation.call(callee)
            try call.setReturnValue(of: invocation)
          }
          try expectNil(
            library.passingFailure(of: index, through: closure, seed: UInt64(index)), "\(signatures[index]) by \(compilation), \(way)")
        }
      }
    }

    // MARK: Messages to callees of compilers

    private final class Callee {}
    private static let text: StaticString = "a text of C"

    /// Where a message begins and what forwards it.
    private enum MessageWay: CaseIterable { case quick, quickAgain, slow, quickFromC, slowFromC }

    @Test(arguments: Compilation.optimized) func randomMessagesComeThrough(_ compilation: Compilation) throws {
      let signatures = Self.signatures(150, seed: 0xF0_12_CE, compilation.compiler, ["@", ":"])
      let library = try CalleeLibrary(
        signatures, compiler: compilation.compiler, flags: compilation.flags, calling: true, name: "messages")
      for index in signatures.indices {
        let signature = try MethodSignature(signatures[index].types)
        let code = Implementation(try library.library.symbol("f\(index)"), methodSignature: signature, keeping: library.library)
        // Compilations run at the same time, and share the table of the class.
        let selector = MethodSelector("f\(index) of \(library.compiledBy)")
        try MethodTable.of(Callee.self).replace(selector, code)
        for way in MessageWay.allCases {
          try expectNil(failure(of: index, in: library, signature, selector, way), "\(signatures[index]) by \(compilation), \(way)")
        }
      }
    }

    private func failure(
      of index: Int, in library: CalleeLibrary, _ signature: MethodSignature, _ selector: MethodSelector, _ way: MessageWay
    ) throws -> String? {
      let types = signature.types
      var generator = SeededGenerator(seed: UInt64(index))
      let sample = SampleMemory(arguments: types.arguments, result: types.result, using: &generator)
      defer { sample.deallocate() }
      let callee = Callee()
      let target: AnyObject = way == .slow || way == .slowFromC ? InvocationProxy(target: callee) : Relay(callee)
      let isFromC = way == .quickFromC || way == .slowFromC
      // C passes what the callee expects, so there the target is not compared.
      write(Unmanaged.passUnretained(isFromC ? target : callee).toOpaque(), over: sample.values[0])
      if isFromC { write(nil, over: sample.masks[0]) }
      write(UnsafeMutableRawPointer(mutating: selector.pointer), over: sample.values[1])
      if way == .slowFromC {
        // An invocation that is made of a call from C keeps its arguments: a C string is read, and a copy of it passed on.
        for (index, type) in types.arguments.enumerated() {
          switch type.kind {
          case .cString, .atom:
            write(UnsafeMutableRawPointer(mutating: Self.text.utf8Start), over: sample.values[index])
            write(nil, over: sample.masks[index])
          default: break
          }
        }
      }
      library.announce(sample)
      var result = [UInt8](repeating: 0, count: sample.resultSample.bytes.count + 1)
      try withExtendedLifetime((target, callee)) {
        if isFromC {
          let code = try Implementation.forwarding(signature)
          let caller = try library.library.function("c\(index)", types: "v^v^v")
          try result.withUnsafeMutableBytes { try caller(code.pointer, $0.baseAddress) as Void }
        } else {
          let invocation = Invocation(signature, retainsArguments: false)
          for argument in 1..<types.arguments.count {
            if let value = sample.values[argument] { try invocation.setArgument(from: value, at: argument) }
          }
          invocation.target = target
          for _ in 0..<(way == .quickAgain ? 3 : 1) { try invocation.invoke() }
          try result.withUnsafeMutableBytes { if let address = $0.baseAddress { try invocation.getReturnValue(into: address) } }
        }
      }
      if let argument = library.firstWrongArgument { return "argument \(argument) arrived wrong" }
      return sample.resultSample.firstDifference(from: result).map { "the result is wrong at byte \($0)" }
    }

    private func write(_ word: UnsafeMutableRawPointer?, over bytes: UnsafePointer<UInt8>?) {
      withUnsafeBytes(of: UInt(bitPattern: word)) { word in
        for (offset, byte) in word.enumerated() { bytes.map { UnsafeMutablePointer(mutating: $0)[offset] = byte } }
      }
    }

    // MARK: Calls that came in

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

    private func send(_ amount: Int, to target: AnyObject, _ closure: Closure) throws -> Int {
      let invocation = try Invocation.message("q@:q", to: target, "deposit:", amount)
      try invocation.invoke(using: closure.implementation)
      return try invocation.returnValue()
    }

    /// What a handler noted.
    private final class Kept: @unchecked Sendable {
      var invocations: [Invocation] = []
      var codes: [InvocationError.Code?] = []
    }

    @Test func aMessageGoesToAnotherTargetAndAnInvocationIsChangedKeptAndReplayed() throws {
      let implementation = Implementation(function: Self.deposit)
      let signature = try MethodSignature(types: "q@:q")
      let account = Account(100)
      let redirecting = try Closure(signature) { call in try call.forward(to: implementation, target: account) }
      try expectEqual(send(5, to: LifetimeTracker(), redirecting), 105)
      expectEqual(account.balance, 105)
      let (first, second, kept) = (Account(0), Account(1_000), Kept())
      let doubling = try Closure(signature) { call in
        let invocation = call.makeInvocation()
        expectEqual(invocation.selector, "deposit:")
        try invocation.setArgument(2 * invocation.argument(at: 2, as: Int.self), at: 2)
        try invocation.invoke(using: implementation)
        try call.setReturnValue(of: invocation)
        kept.invocations.append(invocation)
      }
      try expectEqual([send(5, to: first, doubling), send(7, to: first, doubling)], [10, 24])
      for invocation in kept.invocations {
        invocation.target = second
        try invocation.invoke(using: implementation)
      }
      expectEqual([first.balance, second.balance], [24, 1_024])
    }

    @Test func keptArgumentsOutliveTheCaller() throws {
      let (tracker, kept) = (LifetimeTracker(), Kept())
      let closure = try Closure(MethodSignature(types: "v@*")) { call in kept.invocations.append(call.makeInvocation()) }
      do {
        let object = tracker.object(7)
        try "a text of some length, on the heap".withCString { text in
          try ForeignFunction(closure.implementation, MethodSignature(types: "v@*"))(Unmanaged.passUnretained(object), text)
        }
      }
      expectEqual(tracker.liveCount, 1)
      let invocation = try require(kept.invocations.first)
      try expectEqual((invocation.objectArgument(at: 0) as? LifetimeTracked)?.payload, 7)
      try expectEqual(invocation.argument(at: 1, as: String.self), "a text of some length, on the heap")
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
            try expectEqual((invocation.objectReturnValue() as? LifetimeTracked)?.payload, payload)
          }
        }
        withExtendedLifetime(lasting) {}
      }
    }

    @Test func badForwardingThrows() throws {
      let kept = Kept()
      let add: @convention(c) (Int, Int) -> Int = { $0 + $1 }
      let closure = try Closure(MethodSignature(types: "qqq")) { call in
        do { try call.forward(to: Implementation(function: add), target: kept) } catch {
          kept.codes.append((error as? InvocationError)?.code)
        }
        for invocation in [call.makeInvocation(), Invocation(try MethodSignature(types: "d"))] {
          do { try call.setReturnValue(of: invocation) } catch { kept.codes.append((error as? InvocationError)?.code) }
        }
        try call.forward(to: Implementation(function: add))
      }
      let sum: Int = try ForeignFunction(closure.implementation, MethodSignature(types: "qqq"))(2, 3)
      expectEqual(sum, 5)
      expectEqual(kept.codes, [.typeMismatch, .noReturnValue, .typeMismatch])
    }

    @Test func qsortGoesThrough() throws {
      // Nobody's own: libc calls a closure that forwards to a function of libc.
      let strcmp = Implementation(try DynamicLibrary(Platform.cLibrary).symbol("strcmp"))
      let closure = try Closure(MethodSignature(types: "i^v^v")) { call in try call.forward(to: strcmp) }
      let sort = try DynamicLibrary(Platform.cLibrary).function("qsort", types: "v^vQQ^?")
      var names = Array("pear\0\0\0\0apple\0\0\0fig\0\0\0\0\0".utf8)
      try names.withUnsafeMutableBytes { try sort($0.baseAddress, 3 as UInt, 8 as UInt, closure.pointer) as Void }
      expectEqual(String(decoding: names, as: UTF8.self), "apple\0\0\0fig\0\0\0\0\0pear\0\0\0\0")
    }
  }
#endif
