public import DynamicInvocation

#if arch(x86_64) || arch(arm64)
  extension RegisterProbe {
    #if arch(x86_64)
      private static let isAArch64 = false
    #else
      private static let isAArch64 = true
    #endif

    /// The compiled code.
    private struct Code: Sendable {
      typealias SetCapture = @convention(c) (Int) -> Void
      typealias SetResults = @convention(c) (UnsafePointer<UInt8>, CInt, UnsafeRawPointer?, Int) -> Void
      typealias Captured = @convention(c) () -> UnsafePointer<UInt8>
      typealias Load = @convention(c) (UnsafePointer<UInt8>, Int, UnsafeRawPointer, UnsafeMutablePointer<UInt8>, CInt) -> CInt

      let library: DynamicLibrary
      let setCapture: SetCapture
      let setResults: SetResults
      let captured: Captured
      let load: Load
      let capture: Implementation

      init() throws {
        library = try DynamicLibrary(CCompiler.clang.sharedLibrary(source: RegisterProbe.source, name: "registerProbe"))
        setCapture = unsafeBitCast(try library.symbol("set_capture"), to: SetCapture.self)
        setResults = unsafeBitCast(try library.symbol("set_results"), to: SetResults.self)
        captured = unsafeBitCast(try library.symbol("captured"), to: Captured.self)
        load = unsafeBitCast(try library.symbol("load_registers"), to: Load.self)
        capture = Implementation(try library.symbol("capture"), keeping: library)
      }

      /// Has the callee return the result of the samples, with random bits in all other registers.
      func setResults(_ placement: CallLayout.Placement, _ memory: SampleMemory, using generator: inout SeededGenerator) {
        var registers = (0..<RegisterProbe.resultSize).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let isInMemory = placement.passing == .reference
        if !isInMemory { placement.store(memory.resultSample.bytes, in: &registers) }
        setResults(registers, CInt(placement.x87Count), isInMemory ? memory.result : nil, memory.resultSample.bytes.count)
      }

      /// Returns the difference of what the callee stored last.
      func difference(from expected: ExpectedRegisters) -> String? {
        expected.firstDifference(from: UnsafeBufferPointer(start: captured(), count: expected.bytes.count))
      }
    }

    private static let code: Result<Code, any Error> = Result { try Code() }

    /// Calls the callee in assembly twice with random arguments by a native kernel.
    ///
    /// The registers and stack words that the callee finds are compared with the placements of the convention. The result of the callee
    /// is in the registers of the convention.
    ///
    /// - Parameters:
    ///   - signature: The types of the call. None is disputed between compilers.
    ///   - seed: The seed of the values.
    /// - Returns: What is wrong, or nil.
    /// - Throws: ``InvocationError`` for types that the engine rejects; a failure of the compiler.
    public static func callFailure(of signature: CallSignature, seed: UInt64) throws -> String? {
      let types = signature.types
      let layout = try CallPlan.convention.layout(of: types, fixedCount: signature.fixedCount)
      guard layout.stackSize <= largestStack else { return nil }
      let code = try code.get()
      let invocation = Invocation(
        try MethodSignature(types, fixedArgumentCount: signature.fixedCount, backend: .native), retainsArguments: false)
      var generator = SeededGenerator(seed: seed)
      for round in 0..<2 {
        let memory = SampleMemory(arguments: types.arguments, result: types.result, using: &generator)
        defer { memory.deallocate() }
        // In any order: a value must not reach into its neighbor.
        for index in types.arguments.indices.shuffled(using: &generator) {
          if let value = memory.values[index] { try invocation.setArgument(from: value, at: index) }
        }
        let registers = ExpectedRegisters(layout, memory.arguments, isAArch64: isAArch64)
        code.setCapture(registers.stackSize)
        code.setResults(layout.result, memory, using: &generator)
        try invocation.invoke(using: code.capture)
        if let wrong = try code.difference(from: registers) ?? memory.difference(from: invocation) { return "call \(round): \(wrong)" }
      }
      return nil
    }

    /// Has the code of a compiler call the callee in assembly, and compares the registers and stack words with the placements.
    ///
    /// - Parameters:
    ///   - index: The number of a signature of the library, which was compiled with callers.
    ///   - library: The library.
    ///   - seed: The seed of the values.
    /// - Returns: What is wrong, or nil.
    public static func compilerFailure(of index: Int, in library: CalleeLibrary, seed: UInt64) throws -> String? {
      let (code, types) = (try code.get(), library.signatures[index].types)
      let layout = try CallPlan.convention.layout(of: types)
      guard layout.stackSize <= largestStack, library.signatures[index].fixedCount == nil else { return nil }
      var generator = SeededGenerator(seed: seed)
      let memory = SampleMemory(arguments: types.arguments, result: types.result, using: &generator)
      defer { memory.deallocate() }
      let registers = ExpectedRegisters(layout, memory.arguments, isAArch64: isAArch64)
      library.announce(memory)
      let caller = try library.library.function("c\(index)", types: "v^v^v")
      var result = [UInt8](repeating: 0, count: memory.resultSample.bytes.count + 16)
      code.setCapture(registers.stackSize)
      try result.withUnsafeMutableBytes { try caller(code.capture.pointer, $0.baseAddress) as Void }
      return code.difference(from: registers).map { "the compiler's call: \($0)" }
    }

    /// Calls a closure twice with random arguments in the registers and stack words in which the convention places them, and random bits in
    /// all others.
    ///
    /// The arguments that the closure receives, the registers of its result, and the registers that it must keep are compared.
    ///
    /// - Parameters:
    ///   - types: The types of the closure. None is disputed between compilers.
    ///   - seed: The seed of the values.
    ///   - flippedBit: The number of the bit in the first argument's first register or stack word that is passed wrong, to test the
    ///     comparison; nil passes every bit right.
    /// - Returns: What is wrong, or nil.
    /// - Throws: ``InvocationError`` for types that the engine rejects; a failure of the compiler.
    public static func closureFailure(of types: MethodTypes, seed: UInt64, flippedBit: Int? = nil) throws -> String? {
      let layout = try CallPlan.convention.layout(of: types)
      let expected = ClosureExpectation()
      let closure = try Closure(MethodSignature(types)) { call in expected.check(&call, types) }
      var generator = SeededGenerator(seed: seed)
      for round in 0..<2 {
        let memory = SampleMemory(arguments: types.arguments, result: types.result, using: &generator)
        defer { memory.deallocate() }
        expected.expect(memory)
        let registers = ExpectedRegisters(layout, memory.arguments, isAArch64: isAArch64)
        var image = registers.filled(using: &generator)
        for (index, placement) in layout.arguments.enumerated() where placement.passing == .reference {
          image.store(address: memory.values[index].map { UnsafeRawPointer($0) }, at: registers.position(of: placement.pieces[0].location))
        }
        if let flippedBit, let piece = layout.arguments.first?.pieces.first {
          image[registers.position(of: piece.location) + flippedBit / 8] ^= 1 << UInt8(flippedBit % 8)
        }
        let wrong = try call(closure, layout, memory, &image, registers)
        if let wrong = expected.difference ?? wrong { return "call \(round): \(wrong)" }
      }
      return nil
    }

    private static func call(
      _ closure: Closure, _ layout: CallLayout, _ memory: SampleMemory, _ image: inout [UInt8], _ registers: ExpectedRegisters
    ) throws -> String? {
      let size = memory.resultSample.bytes.count
      let inMemory = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 16, alignment: 64)
      defer { inMemory.deallocate() }
      inMemory.initializeMemory(as: UInt8.self, repeating: 0xA5)
      let isInMemory = layout.result.passing == .reference
      if isInMemory {
        image.store(address: UnsafeRawPointer(inMemory.baseAddress), at: registers.position(of: layout.result.pieces[0].location))
      }
      var results = [UInt8](repeating: 0xA5, count: resultSize)
      let kept = try code.get().load(image, registers.stackSize, closure.pointer, &results, CInt(layout.result.x87Count))
      guard kept == 1 else { return "a register that a callee must keep was changed" }
      if isInMemory {
        if inMemory[size...].contains(where: { $0 != 0xA5 }) { return "the result is longer than its type" }
        // System V returns the address.
        if !isAArch64, !results.prefix(8).elementsEqual(image.prefix(8)) { return "rax is not the address of the result" }
      }
      let result = isInMemory ? Array(inMemory) : layout.result.value(in: results, size: size)
      return memory.resultSample.firstDifference(from: result).map { "the result is wrong at byte \($0)" }
    }
  }

  extension [UInt8] {
    fileprivate mutating func store(address: UnsafeRawPointer?, at offset: Int) {
      Swift.withUnsafeBytes(of: UInt(bitPattern: address)) { replaceSubrange(offset..<offset + 8, with: $0) }
    }
  }
#endif

extension SampleMemory {
  /// Returns the first difference of the arguments and the result that an invocation has after a call, or nil.
  func difference(from invocation: Invocation) throws -> String? {
    for (index, argument) in arguments.enumerated() where !argument.bytes.isEmpty {
      var back = [UInt8](repeating: 0, count: argument.bytes.count)
      try back.withUnsafeMutableBytes { if let address = $0.baseAddress { try invocation.getArgument(into: address, at: index) } }
      if let byte = argument.firstDifference(from: back) { return "argument \(index) reads back wrong at byte \(byte)" }
    }
    let size = resultSample.bytes.count
    guard size > 0 else { return nil }
    // Guard bytes after the result: no more bytes than the type has may be written.
    var result = [UInt8](repeating: 0xA5, count: size + 16)
    try result.withUnsafeMutableBytes { if let address = $0.baseAddress { try invocation.getReturnValue(into: address) } }
    if let byte = resultSample.firstDifference(from: result) { return "the result is wrong at byte \(byte)" }
    return result[size...].contains { $0 != 0xA5 } ? "the result is longer than its type" : nil
  }
}
