public import DynamicInvocation

extension RegisterCapture {
  #if arch(x86_64) || arch(arm64)
    /// Calls the callee in assembly twice with random arguments by a native kernel.
    ///
    /// The registers and stack words that the callee finds are compared with the placements of the convention. Its result
    /// is in the registers of the convention, with random bits in all others.
    ///
    /// - Parameters:
    ///   - types: The types of the call, of which none is disputed between compilers.
    ///   - seed: The seed of the values.
    /// - Returns: What is wrong, or nil.
    /// - Throws: ``InvocationError`` for types that the engine rejects; a failure of the compiler.
    public static func callFailure(of types: MethodTypes, seed: UInt64) throws -> String? {
      let layout = try CallPlan.convention.layout(of: types)
      guard layout.stackSize <= largestStack else { return nil }
      let code = try code.get()
      let invocation = Invocation(try MethodSignature(types, backend: .native), retainsArguments: false)
      var generator = SeededGenerator(seed: seed)
      for round in 0..<2 {
        let memory = SampleMemory(arguments: types.arguments, result: types.result, using: &generator)
        defer { memory.deallocate() }
        // In any order: a value must not reach into its neighbor.
        for index in types.arguments.indices.shuffled(using: &generator) {
          if let value = memory.values[index] { try invocation.setArgument(from: value, at: index) }
        }
        let registers = ExpectedRegisters(layout, memory.arguments, isAArch64: RegisterCaller.isAArch64)
        code.setCapture(registers.stackSize)
        code.setResults(layout.result, memory, using: &generator)
        try invocation.invoke(using: Implementation(try code.capture, keeping: code.library))
        let captured = UnsafeBufferPointer(start: code.captured(), count: registers.bytes.count)
        if let wrong = registers.firstDifference(from: captured) { return "call \(round): \(wrong)" }
        if let wrong = try difference(invocation, types, memory) { return "call \(round): \(wrong)" }
      }
      return nil
    }

    private static func difference(_ invocation: Invocation, _ types: MethodTypes, _ memory: SampleMemory) throws -> String? {
      for (index, argument) in memory.arguments.enumerated() where !argument.bytes.isEmpty {
        var back = [UInt8](repeating: 0, count: argument.bytes.count)
        try back.withUnsafeMutableBytes { if let address = $0.baseAddress { try invocation.getArgument(into: address, at: index) } }
        if let byte = argument.firstDifference(from: back) { return "argument \(index) reads back wrong at byte \(byte)" }
      }
      let size = memory.resultSample.bytes.count
      guard size > 0 else { return nil }
      var result = [UInt8](repeating: 0xA5, count: size + 16)
      try result.withUnsafeMutableBytes { if let address = $0.baseAddress { try invocation.getReturnValue(into: address) } }
      if let byte = memory.resultSample.firstDifference(from: result) { return "the result is wrong at byte \(byte)" }
      return result[size...].contains { $0 != 0xA5 } ? "the result is longer than its type" : nil
    }

    private struct Code: Sendable {
      typealias SetCapture = @convention(c) (Int) -> Void
      typealias SetResults = @convention(c) (UnsafePointer<UInt8>, CInt, UnsafeRawPointer?, Int) -> Void
      typealias Captured = @convention(c) () -> UnsafePointer<UInt8>

      let library: DynamicLibrary
      let setCapture: SetCapture
      let captured: Captured
      private let setResults: SetResults

      init() throws {
        library = try DynamicLibrary(CCompiler.clang.sharedLibrary(source: RegisterCapture.source, name: "registerCapture"))
        setCapture = unsafeBitCast(try library.symbol("set_capture"), to: SetCapture.self)
        captured = unsafeBitCast(try library.symbol("captured"), to: Captured.self)
        setResults = unsafeBitCast(try library.symbol("set_results"), to: SetResults.self)
      }

      /// The code of the callee.
      var capture: UnsafeRawPointer { get throws { try library.symbol("capture") } }

      /// Has the callee return the result of the samples.
      func setResults(_ placement: CallLayout.Placement, _ memory: SampleMemory, using generator: inout SeededGenerator) {
        var registers = (0..<RegisterCaller.resultSize).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let isInMemory = placement.passing == .reference
        if !isInMemory { placement.store(memory.resultSample.bytes, in: &registers) }
        setResults(registers, CInt(placement.x87Count), isInMemory ? memory.result : nil, memory.resultSample.bytes.count)
      }
    }

    private static let code: Result<Code, any Error> = Result { try Code() }
  #endif
}
