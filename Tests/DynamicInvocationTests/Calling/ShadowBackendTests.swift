#if arch(x86_64) || (arch(arm64) && !canImport(Darwin))
  import CallFrames
  import DynamicInvocation
  import TestSupport
  import Testing

  /// Both backends, one after the other, on the same arguments.
  @Suite(.measured) struct ShadowBackendTests {
    @Test("Random signatures come out alike", .enabled(if: CallBackend.libffi.isAvailable), arguments: CCompiler.all)
    func random(_ compiler: CCompiler) throws {
      var random = RandomTypes(seed: 0x5AD0)
      let signatures = random.signatures(250, for: compiler)
      let library = try CalleeLibrary(signatures, compiler: compiler, flags: ["-O2"], name: "shadow")
      var compared = 0
      for index in signatures.indices {
        switch try library.outcome(of: index, seed: UInt64(index), isShadowed: true) {
        case .right: compared += 1
        case .notOnBackend: break
        case .wrong(let failure): Issue.record("\(failure)")
        }
      }
      expect(compared > 50)
    }

    @Test(.enabled(if: CallBackend.libffi.isAvailable)) func callsTwiceAndKeepsTheFirstResult() throws {
      let count: @convention(c) (UnsafeMutablePointer<Int32>) -> UnsafeMutablePointer<Int32> = { counter in
        counter.pointee += 1
        return counter + Int(counter.pointee)
      }
      var counter: Int32 = 0
      try withUnsafeMutablePointer(to: &counter) { counter in
        let function = try ForeignFunction(Implementation(function: count), MethodSignature(shadowing: MethodTypes("^i^i")))
        // A pointer, which may differ from one call to the next.
        let result: UnsafeMutablePointer<Int32> = try function(counter)
        expectEqual(result, counter + 1)
        expectEqual(counter.pointee, 2)
      }
    }

    @Test func refusesWhatOneBackendCannotPass() throws {
      let types = "v![16,16f]"
      #expect(throws: Never.self) { try MethodSignature(types: types, backend: .native) }
      #expect { try MethodSignature(shadowing: MethodTypes(types)) } throws: { ($0 as? InvocationError)?.code == .unsupportedType }
    }

    /// Which bits of a value count, by its type: padding, pointers and unions do not.
    static let bitsThatCount: [(types: String, bits: Set<Int>)] = [
      ("i", Set(0..<32)), ("d", Set(0..<64)), ("{P=cd}", Set(0..<8).union(64..<128)), ("{F=b3b7i}", Set(0..<10).union(32..<64)),
      ("[2{P=ci}]", Set(0..<8).union(32..<72).union(96..<128)), ("jf", Set(0..<64)), ("{R=^vi(U=id)}", Set(64..<96)), ("@", []),
    ]

    @Test(arguments: bitsThatCount) func aDifferenceIsFoundInEachBit(types: String, bits: Set<Int>) throws {
      let type = try TypeEncoding(String(types))
      let size = try require(type.size)
      let zero = [UInt8](repeating: 0, count: size)
      for bit in 0..<8 * size {
        var other = zero
        other[bit / 8] = 1 << UInt8(bit % 8)
        let found = zero.withUnsafeBytes { left in
          other.withUnsafeBytes { right in type.firstDifference(left.baseAddress!, right.baseAddress!) }
        }
        expectEqual(found, (bits.contains(bit) ? bit / 8 : nil), "bit \(bit)")
      }
    }

    @Test(.enabled(if: CallBackend.libffi.isAvailable)) func aDifferenceTraps() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let next: @convention(c) (UnsafeMutablePointer<Int32>) -> Int32 = { counter in
          counter.pointee += 1
          return counter.pointee
        }
        var counter: Int32 = 0
        try withUnsafeMutablePointer(to: &counter) { counter in
          let function = try ForeignFunction(Implementation(function: next), MethodSignature(shadowing: MethodTypes("i^i")))
          let _: Int32 = try function(counter)
        }
      }
      let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #if DEBUG
        expect(message.contains("natively 01000000, by libffi 02000000"))
      #endif
    }
  }
#endif
