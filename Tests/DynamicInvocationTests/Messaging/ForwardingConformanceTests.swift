#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// Messages of random types to callees that compilers made, on every way of forwarding.
  @Suite(.measured) struct ForwardingConformanceTests {
    private final class Callee {}

    private final class Quick: Forwarding {
      let callee: Callee
      init(_ callee: Callee) { self.callee = callee }
      func forwardingTarget(for selector: MethodSelector) -> AnyObject? { callee }
    }

    private static let text: StaticString = "a text of C"

    /// Where a call begins and what forwards it.
    private enum Way: CaseIterable { case quick, quickAgain, slow, quickFromC, slowFromC }

    @Test(arguments: Compilation.optimized) func randomMessagesComeThrough(_ compilation: Compilation) throws {
      var random = RandomTypes(seed: 0xF0_12_CE, hasWholeVectors: true)
      var signatures: [CallSignature] = []
      while signatures.count < 150 {
        let function = random.signature().types
        let signature = CallSignature(function.result, ["@", ":"] + function.arguments)
        if !signature.isDisputed, !signature.isHalved(by: compilation.compiler) { signatures.append(signature) }
      }
      let library = try CalleeLibrary(
        signatures, compiler: compilation.compiler, flags: compilation.flags, calling: true, name: "messages")
      let table = MethodTable.of(Callee.self)
      for index in signatures.indices {
        let signature = try MethodSignature(signatures[index].types)
        let code = Implementation(try library.library.symbol("f\(index)"), methodSignature: signature, keeping: library.library)
        try table.replace(Self.selector(index, library), code)
        for way in Way.allCases {
          if let wrong = try failure(of: index, in: library, signature, way) {
            Issue.record("\(signatures[index]) by \(compilation), \(way): \(wrong)")
          }
        }
      }
    }

    /// The selector of a callee: compilations run at the same time, and share the table of the class.
    private static func selector(_ index: Int, _ library: CalleeLibrary) -> MethodSelector {
      MethodSelector("f\(index) of \(library.compiledBy)")
    }

    private func failure(of index: Int, in library: CalleeLibrary, _ signature: MethodSignature, _ way: Way) throws -> String? {
      let types = signature.types
      var generator = SeededGenerator(seed: UInt64(index))
      let sample = SampleMemory(arguments: types.arguments, result: types.result, using: &generator)
      defer { sample.deallocate() }
      let callee = Callee()
      let isSlow = way == .slow || way == .slowFromC
      let target: AnyObject = isSlow ? InvocationProxy(target: callee) : Quick(callee)
      let isFromC = way == .quickFromC || way == .slowFromC
      let selector = Self.selector(index, library)
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
  }
#endif
