public import DynamicInvocation

extension RegisterCaller {
  #if arch(x86_64) || arch(arm64)
    /// Calls a closure twice with random arguments in the registers and stack words in which the convention places them,
    /// and random bits in all others.
    ///
    /// The arguments that the closure receives, the registers of its result, and the registers that it must keep are
    /// compared.
    ///
    /// - Parameters:
    ///   - types: The types of the closure, of which none is disputed between compilers.
    ///   - seed: The seed of the values.
    ///   - flippedBit: The number of a bit of the first argument's first register or stack word that is passed wrong, to
    ///     test the comparison; nil passes every bit right.
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
      let kept = try library.get().load(image, registers.stackSize, closure.pointer, &results, CInt(layout.result.x87Count))
      guard kept == 1 else { return "a register that a callee must keep was changed" }
      if isInMemory {
        if inMemory[size...].contains(where: { $0 != 0xA5 }) { return "the result is longer than its type" }
        // System V returns the address.
        if !isAArch64, !results.prefix(8).elementsEqual(image.prefix(8)) { return "rax is not the address of the result" }
      }
      let result = isInMemory ? Array(inMemory) : layout.result.value(in: results, size: size)
      return memory.resultSample.firstDifference(from: result).map { "the result is wrong at byte \($0)" }
    }

    #if arch(x86_64)
      static let isAArch64: Bool = false
    #else
      static let isAArch64: Bool = true
    #endif

    private typealias Load = @convention(c) (UnsafePointer<UInt8>, Int, UnsafeRawPointer, UnsafeMutablePointer<UInt8>, CInt) -> CInt

    private struct Code: Sendable {
      let library: DynamicLibrary
      let load: Load

      init() throws {
        library = try DynamicLibrary(CCompiler.clang.sharedLibrary(source: RegisterCaller.source, name: "registerCaller"))
        load = unsafeBitCast(try library.symbol("load_registers"), to: Load.self)
      }
    }

    private static let library: Result<Code, any Error> = Result { try Code() }
  #endif
}

extension CallLayout.Placement {
  /// The number of x87 registers.
  var x87Count: Int {
    pieces.count { piece in
      if case .x87 = piece.location { true } else { false }
    }
  }

  /// Returns the bytes of a result from the registers that ``RegisterCaller`` stored.
  public func value(in results: [UInt8], size: Int) -> [UInt8] {
    var value = [UInt8](repeating: 0, count: size)
    for piece in pieces {
      let start = Self.resultPosition(of: piece.location)
      value.replaceSubrange(piece.offset..<piece.offset + piece.size, with: results[start..<start + piece.size])
    }
    return value
  }

  /// Stores the bytes of a result where ``RegisterCapture`` loads its registers from.
  func store(_ value: [UInt8], in results: inout [UInt8]) {
    for piece in pieces {
      let start = Self.resultPosition(of: piece.location)
      results.replaceSubrange(start..<start + piece.size, with: value[piece.offset..<piece.offset + piece.size])
    }
  }

  private static func resultPosition(of location: CallLayout.Location) -> Int {
    switch location {
    case .general(let register): 8 * register
    case .vector(let register): 16 + 16 * register
    case .x87(let register): 48 + 16 * register
    case .stack, .indirectResult: preconditionFailure("no result is passed there")
    }
  }
}

extension [UInt8] {
  fileprivate mutating func store(address: UnsafeRawPointer?, at offset: Int) {
    Swift.withUnsafeBytes(of: UInt(bitPattern: address)) { replaceSubrange(offset..<offset + 8, with: $0) }
  }
}
