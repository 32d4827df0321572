public import DynamicInvocation

/// A caller in assembly that loads every argument register and the stack words with given bytes, and stores every
/// register of the result.
///
/// No compiler decides what is where, so the bits that a convention leaves undefined can be anything.
public enum RegisterCaller {
  /// The bytes of the result registers: two general ones, then xmm0, xmm1, st(0) and st(1), or v0 to v3, 16 bytes each.
  public static let resultSize: Int = 80

  /// The source in C, for x86-64 and for AArch64.
  ///
  /// `load_registers(image, stack, code, results, x87)` calls `code`. `image` is what ``RegisterCapture`` stores,
  /// `stack` the number of bytes of its stack words, a multiple of eight, and `x87` the number of results on the x87
  /// stack. It returns 1 if the callee kept the stack pointer and every register that it must keep, and left nothing else
  /// on the x87 stack.
  public static let source: String = """
    #include <stddef.h>
    int load_registers(const unsigned char *image, size_t stack, const void *code, unsigned char *results, int x87);
    #ifdef __aarch64__
    __asm__(\(quoted(aarch64)));
    #else
    __asm__(\(quoted(x86)));
    #endif
    """

  /// Returns assembly as the strings of an `__asm__`.
  static func quoted(_ assembly: String) -> String {
    assembly.split(separator: "\n").map { "\"\($0)\\n\"" }.joined(separator: "\n")
  }

  /// The code for x86-64.
  ///
  /// rbx and r12 to r14 contain marks and r15 the stack pointer. The environment of the x87 unit that `fnstenv` stores
  /// has the tags of its registers at byte 8, all ones when they are empty.
  private static let x86 = """
    .text
    .globl load_registers
    .type load_registers, @function
    .p2align 4
    load_registers:
    endbr64
    pushq %rbp
    movq %rsp, %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    pushq %rcx
    pushq %r8
    movq %rdi, %r10
    movq %rdx, %r11
    movq %rsi, %rcx
    subq %rcx, %rsp
    andq $-64, %rsp
    leaq 176(%r10), %rsi
    movq %rsp, %rdi
    rep movsb
    \((0..<8).map { "movups \(48 + 16 * $0)(%r10), %xmm\($0)" }.joined(separator: "\n"))
    movq $0x1B1B, %rbx
    movq $0x1212, %r12
    movq $0x1313, %r13
    movq $0x1414, %r14
    movq %rsp, %r15
    movq (%r10), %rdi
    movq 8(%r10), %rsi
    movq 16(%r10), %rdx
    movq 24(%r10), %rcx
    movq 32(%r10), %r8
    movq 40(%r10), %r9
    call *%r11
    movq -48(%rbp), %r10
    movq %rax, (%r10)
    movq %rdx, 8(%r10)
    movups %xmm0, 16(%r10)
    movups %xmm1, 32(%r10)
    movl -56(%rbp), %ecx
    testl %ecx, %ecx
    jz 1f
    fstpt 48(%r10)
    cmpl $1, %ecx
    je 1f
    fstpt 64(%r10)
    1:
    xorl %eax, %eax
    cmpq %rsp, %r15
    jne 2f
    cmpq $0x1B1B, %rbx
    jne 2f
    cmpq $0x1212, %r12
    jne 2f
    cmpq $0x1313, %r13
    jne 2f
    cmpq $0x1414, %r14
    jne 2f
    leaq -96(%rbp), %rsp
    fnstenv (%rsp)
    cmpw $-1, 8(%rsp)
    fldenv (%rsp)
    jne 2f
    movl $1, %eax
    2:
    leaq -40(%rbp), %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size load_registers, . - load_registers
    """

  /// The code for AArch64.
  ///
  /// x20 to x28 contain their numbers, d8 to d15 the numbers from 21 to 28, and x19 the stack pointer.
  private static let aarch64 = """
    .text
    .globl load_registers
    .type load_registers, %function
    .p2align 2
    load_registers:
    hint #34
    stp x29, x30, [sp, #-176]!
    mov x29, sp
    \((0..<5).map { "stp x\(19 + 2 * $0), x\(20 + 2 * $0), [sp, #\(16 + 16 * $0)]" }.joined(separator: "\n"))
    \((0..<4).map { "stp d\(8 + 2 * $0), d\(9 + 2 * $0), [sp, #\(96 + 16 * $0)]" }.joined(separator: "\n"))
    str x3, [sp, #160]
    mov x9, x0
    mov x10, x2
    sub x11, sp, x1
    and sp, x11, #-64
    mov x12, sp
    add x13, x9, #208
    cbz x1, 2f
    1:
    ldr x14, [x13], #8
    str x14, [x12], #8
    subs x1, x1, #8
    b.ne 1b
    2:
    \((20...28).map { "mov x\($0), #\($0)" }.joined(separator: "\n"))
    \((8...15).map { "fmov d\($0), x\($0 + 13)" }.joined(separator: "\n"))
    mov x19, sp
    \((0..<4).map { "ldp q\(2 * $0), q\(2 * $0 + 1), [x9, #\(80 + 32 * $0)]" }.joined(separator: "\n"))
    \((0..<4).map { "ldp x\(2 * $0), x\(2 * $0 + 1), [x9, #\(16 * $0)]" }.joined(separator: "\n"))
    ldr x8, [x9, #64]
    blr x10
    ldr x9, [x29, #160]
    stp x0, x1, [x9]
    stp q0, q1, [x9, #16]
    stp q2, q3, [x9, #48]
    mov x9, sp
    cmp x9, x19
    \((20...28).map { "ccmp x\($0), #\($0), #0, eq" }.joined(separator: "\n"))
    \((8...15).map { "fmov x9, d\($0)\nccmp x9, #\($0 + 13), #0, eq" }.joined(separator: "\n"))
    cset w0, eq
    mov sp, x29
    \((0..<4).map { "ldp d\(8 + 2 * $0), d\(9 + 2 * $0), [sp, #\(96 + 16 * $0)]" }.joined(separator: "\n"))
    \((0..<5).map { "ldp x\(19 + 2 * $0), x\(20 + 2 * $0), [sp, #\(16 + 16 * $0)]" }.joined(separator: "\n"))
    ldp x29, x30, [sp], #176
    ret
    .size load_registers, . - load_registers
    """
}

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
