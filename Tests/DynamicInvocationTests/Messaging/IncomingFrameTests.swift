#if arch(x86_64) || arch(arm64)
  @testable import CallFrames
  @testable import DynamicInvocation
  import TestSupport
  import Testing

  /// The frame of an incoming call serves an outgoing one: C calls a closure, which calls C with what it got.
  @Suite(.measured) struct IncomingFrameTests {
    @Test(arguments: Compilation.optimized) func passedOn(_ compilation: Compilation) throws {
      var random = RandomTypes(seed: 0xF0_24A2D, hasWholeVectors: true)
      let zoo = StructZoo.all.filter { !$0.isArray }.map { CallSignature($0, [$0, $0, StructZoo.type("c"), $0]) }
      let signatures = zoo + random.signatures(100, for: compilation.compiler)
      let library = try CalleeLibrary(
        signatures, compiler: compilation.compiler, flags: compilation.flags, calling: true, name: "passedOn")
      for index in signatures.indices {
        if let wrong = try failure(of: index, in: library) { Issue.record("\(signatures[index]) by \(compilation): \(wrong)") }
      }
    }

    /// A closure that calls code with the frame that came in.
    private func passing(_ signature: MethodSignature, to code: UnsafeRawPointer) throws -> Closure {
      try Closure(signature) { incoming, body in
        let plan = body.methodSignature.storage.plan
        withUnsafeTemporaryAllocation(byteCount: plan.blockSize, alignment: plan.frameAlignment) { memory in
          guard let frame = memory.baseAddress else { return }
          plan.copyArguments(fromIncoming: incoming.memory, to: frame)
          plan.call(code, frame: frame)
          body.result.copyResult(of: plan, from: frame, to: incoming.memory)
        }
      }
    }

    private func failure(of index: Int, in library: CalleeLibrary) throws -> String? {
      let types = library.signatures[index].types
      let closure = try passing(MethodSignature(types), to: library.library.symbol("f\(index)"))
      return try library.passingFailure(of: index, through: closure, seed: UInt64(index))
    }

    @Test func upperBitsAreExtendedOnTheWay() throws {
      // The callee takes whole words, so it sees what the engine made of the upper bits.
      let callee: @convention(c) (Int, UInt, Int, UInt, Int, UInt, Int, UInt) -> Int = {
        $0 == -2 && $1 == 0xFE && $2 == -3 && $3 == 0xFFFD && $4 == -4 && $5 == 0xFFFF_FFFC && $6 == -5 && $7 == 1 ? 1 : 0
      }
      let code = unsafeBitCast(callee, to: UnsafeRawPointer.self)
      let closure = try passing(MethodSignature(types: "qcCsSiIcB"), to: code)
      let caller = try ForeignFunction(
        Implementation(closure.pointer, keeping: closure), MethodSignature(types: "qQQQQQQQQ"))
      let dirt: UInt64 = 0x5A5A_5A5A_0000_0000
      let result: Int = try caller(
        dirt | 0x77FE, dirt | 0x77FE, dirt | 0x77_FFFD, dirt | 0x77_FFFD, dirt | 0xFFFF_FFFC, dirt | 0xFFFF_FFFC, dirt | 0x77FB,
        dirt | 0x7701)
      expectEqual(result, 1)
    }
  }
#endif
