internal import CFFIShim

/// The machine code that executes a call in the Swift convention, and the frame layout that it requires.
///
/// The layouts are the same as those in cffi_frame.h. A kernel can be chosen on every host but is called only on its own
/// processor.
@safe
package struct SwiftKernel: Sendable {
  package let name: String
  /// The code, whose third argument is the number of stack words.
  package let function: CallPlan.Kernel
  private let general: Int
  private let vector: Int
  private let vectorStride: Int
  /// The offset of the first stack word, which is also the size of the register image.
  package let stack: Int

  /// The offset of the error after a call; the word is 0 if the function did not throw.
  package static let error: Int = Int(CFFI_SWIFT_ERROR)
  /// The offset of the word for self.
  package static let selfWord: Int = Int(CFFI_SWIFT_SELF)

  /// The offset of the word for the address of a result in memory.
  package static let indirectResult: Int = Int(CFFI_SWIFT_INDIRECT_RESULT)

  /// The code that calls a method with words, as a Swift function of six words.
  ///
  /// The words are up to four arguments in the first general registers, then the object and the code of the method. The
  /// object is put in the register for self.
  package static var methodEntry: UnsafeRawPointer {
    #if canImport(Darwin) || os(Windows)
      preconditionFailure("Swift functions cannot be called by name on this platform")
    #else
      unsafe unsafeBitCast(cffi_swift_method_entry as @convention(c) () -> Void, to: UnsafeRawPointer.self)
    #endif
  }

  /// The code of a function value whose context is an object with a function as its first field, or nil if there is none.
  ///
  /// The function takes the address of a frame and the object. ``entryFrame`` states the offsets in the frame.
  package static var closureEntry: UnsafeRawPointer? {
    #if canImport(Darwin) || os(Windows) || !(arch(x86_64) || arch(arm64))
      nil
    #else
      unsafe unsafeBitCast(cffi_swift_closure_entry as @convention(c) () -> Void, to: UnsafeRawPointer.self)
    #endif
  }

  /// The frame of an entry that receives a call in the convention of this processor.
  ///
  /// Its stack words are the caller's.
  ///
  /// Its kernel calls with the same frame, but with stack words of its own.
  package static let entryFrame: SwiftKernel = {
    #if arch(arm64)
      unsafe SwiftKernel(
        "swift-aapcs64-entry", cffi_kernel_swift_aapcs64_wide, general: CFFI_SWIFT_WIDE_GENERAL, vector: CFFI_SWIFT_AAPCS64_WIDE_VECTOR,
        stride: 16, stack: CFFI_SWIFT_AAPCS64_WIDE_CALLER_STACK)
    #else
      unsafe SwiftKernel(
        "swift-sysv-entry", cffi_kernel_swift_sysv_wide, general: CFFI_SWIFT_WIDE_GENERAL, vector: CFFI_SWIFT_SYSV_WIDE_VECTOR, stride: 16,
        stack: CFFI_SWIFT_SYSV_WIDE_CALLER_STACK)
    #endif
  }()

  /// The async function pointer of the entry that calls asynchronous functions, or nil if there is none.
  package static var asyncEntry: UnsafeRawPointer? { unsafe cffi_async_entry() }
  /// The offset of the address of an async context.
  package static let asyncContext: Int = Int(CFFI_SWIFT_ASYNC_CONTEXT)
  /// The offset of the address of the code of an asynchronous function.
  package static let asyncCode: Int = Int(CFFI_SWIFT_ASYNC_CODE)

  /// The convention of the processor that the program is running on, or nil if there are no kernels for it.
  package static var convention: SwiftCallingConvention? {
    #if canImport(Darwin) || os(Windows)
      nil
    #elseif arch(x86_64)
      SwiftCallingConvention(.x86_64)
    #elseif arch(arm64)
      SwiftCallingConvention(.aarch64)
    #else
      nil
    #endif
  }

  private init(
    _ name: String, _ function: @escaping CallPlan.Kernel, general: Int32, vector: Int32, stride: Int, stack: Int32
  ) {
    self.name = name
    unsafe self.function = function
    self.general = Int(general)
    self.vector = Int(vector)
    vectorStride = stride
    self.stack = Int(stack)
  }

  /// Returns the kernel that does no more than a call needs.
  ///
  /// - Parameter isAsync: Whether the function is asynchronous. The kernel does not call it, but determines its frame.
  package init(for layout: SwiftCallLayout, by convention: SwiftCallingConvention, isAsync: Bool = false) {
    let isWide = isAsync || layout.stackSize > 0 || layout.fillsVectorRegisters
    switch (convention.processor, isWide, layout.usesVectorRegisters) {
    case (.x86_64, true, _): self = Self.sysvWide
    case (.x86_64, false, true): self = Self.sysvVector
    case (.x86_64, false, false): self = Self.sysvGeneral
    case (.aarch64, true, _): self = Self.aapcs64Wide
    case (.aarch64, false, true): self = Self.aapcs64Vector
    case (.aarch64, false, false): self = Self.aapcs64General
    }
  }

  private static let sysvGeneral = unsafe SwiftKernel(
    "swift-sysv-general", cffi_kernel_swift_sysv_general, general: CFFI_SWIFT_GENERAL, vector: CFFI_SWIFT_SYSV_VECTOR, stride: 8,
    stack: CFFI_SWIFT_SYSV_STACK)
  private static let sysvVector = unsafe SwiftKernel(
    "swift-sysv-vector", cffi_kernel_swift_sysv_vector, general: CFFI_SWIFT_GENERAL, vector: CFFI_SWIFT_SYSV_VECTOR, stride: 8,
    stack: CFFI_SWIFT_SYSV_STACK)
  private static let sysvWide = unsafe SwiftKernel(
    "swift-sysv-wide", cffi_kernel_swift_sysv_wide, general: CFFI_SWIFT_WIDE_GENERAL, vector: CFFI_SWIFT_SYSV_WIDE_VECTOR, stride: 16,
    stack: CFFI_SWIFT_SYSV_WIDE_STACK)
  private static let aapcs64General = unsafe SwiftKernel(
    "swift-aapcs64-general", cffi_kernel_swift_aapcs64_general, general: CFFI_SWIFT_GENERAL, vector: CFFI_SWIFT_AAPCS64_VECTOR,
    stride: 8, stack: CFFI_SWIFT_AAPCS64_STACK)
  private static let aapcs64Vector = unsafe SwiftKernel(
    "swift-aapcs64-vector", cffi_kernel_swift_aapcs64_vector, general: CFFI_SWIFT_GENERAL, vector: CFFI_SWIFT_AAPCS64_VECTOR,
    stride: 8, stack: CFFI_SWIFT_AAPCS64_STACK)
  private static let aapcs64Wide = unsafe SwiftKernel(
    "swift-aapcs64-wide", cffi_kernel_swift_aapcs64_wide, general: CFFI_SWIFT_WIDE_GENERAL, vector: CFFI_SWIFT_AAPCS64_WIDE_VECTOR,
    stride: 16, stack: CFFI_SWIFT_AAPCS64_WIDE_STACK)

  /// The offset of an argument's location in a frame.
  package func argumentOffset(of location: CallLayout.Location) -> Int {
    switch location {
    case .general(let register): general + 8 * register
    case .vector(let register): vector + vectorStride * register
    case .stack(let offset): stack + offset
    case .indirectResult: Int(CFFI_SWIFT_INDIRECT_RESULT)
    case .x87: preconditionFailure("the Swift convention does not use x87 registers")
    }
  }

  /// The offset of a result's register in a frame.
  package func resultOffset(of location: CallLayout.Location) -> Int {
    switch location {
    case .general(let register): Int(CFFI_SWIFT_RESULT_GENERAL) + 8 * register
    case .vector(let register): Int(CFFI_SWIFT_RESULT_VECTOR) + vectorStride * register
    case .stack, .x87, .indirectResult: preconditionFailure("no result is returned there")
    }
  }
}
