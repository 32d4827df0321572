internal import CallFrames
internal import TypeEncodings

/// How the values of a closure are passed: in registers, as to a function of the same types, and by their addresses, as
/// generic code calls a closure.
///
/// In the second form each parameter is one address, and the result is stored at an address in the register for the
/// address of a result, whatever the types are. Ownership and the error are the same in both.
@safe
package final class SwiftClosurePlan: @unchecked Sendable {
  // Unchecked Sendable: everything is written in the initializer only.

  /// A word of a parameter or result, by its offset in the frame of the entry and in that of the kernel.
  struct Word {
    let incoming: Int
    let called: Int
  }

  /// A run of bytes of a value in a register or stack word.
  struct Part {
    let incoming: Int
    let called: Int
    /// The offset in the value.
    let offset: Int
    /// The number of bytes; 0 if the word contains the address of the value.
    let size: Int
    /// Whether only the lowest bit is valid.
    let isBit: Bool

    init(_ piece: SwiftCallLayout.Piece, incoming: Int, called: Int) {
      (self.incoming, self.called) = (incoming, called)
      (offset, size, isBit) = (piece.offset, piece.size, piece.isBit)
    }

    /// Copies the bytes of a register to a value.
    @unsafe
    func copy(from register: UnsafeRawPointer, to value: UnsafeMutableRawPointer) {
      guard isBit else { return unsafe value.copyMemory(from: register, byteCount: size) }
      unsafe value.storeBytes(of: register.load(as: UInt8.self) & 1, as: UInt8.self)
    }
  }

  struct Parameter {
    /// The location of its address in the form with addresses.
    let word: Word
    let parts: [Part]
    /// The offset of memory for the value.
    let buffer: Int

    /// The address of the value, whose bytes are copied from the registers of a frame.
    @unsafe
    func address(in frame: UnsafeMutableRawPointer, buffer: UnsafeMutableRawPointer) -> UnsafeRawPointer {
      if let part = parts.first, part.size == 0 { return unsafe frame.load(fromByteOffset: part.incoming, as: UnsafeRawPointer.self) }
      for part in parts { unsafe part.copy(from: frame + part.incoming, to: buffer + part.offset) }
      return UnsafeRawPointer(buffer)
    }

    /// Copies the value at an address to the registers of a frame.
    @unsafe
    func store(_ value: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
      for part in parts {
        if part.size == 0 {
          unsafe (frame + part.called).storeBytes(of: value, as: UnsafeRawPointer.self)
        } else {
          unsafe (frame + part.called).copyMemory(from: value + part.offset, byteCount: part.size)
        }
      }
    }
  }

  let type: SwiftMetadata
  /// The code of an adapter.
  let entry: UnsafeRawPointer
  let parameters: [Parameter]
  /// The location of the address of a result in memory.
  let resultAddress: Word?
  /// The parts of a result in registers.
  let resultParts: [Part]
  let resultBuffer: Int
  let bufferSize: Int
  let alignment: Int
  let addressKernel: SwiftKernel
  let addressFrameSize: Int
  let valueKernel: SwiftKernel
  let valueFrameSize: Int

  /// Returns how the values of a closure are passed, or nil if both forms are the same.
  ///
  /// - Throws: `InvocationError` `unsupportedType` with the reason for a closure that is passed in neither form.
  static func plan(_ type: SwiftMetadata, _ layouts: SwiftTypeLayouts) throws(InvocationError) -> SwiftClosurePlan? {
    guard let convention = SwiftKernel.convention else { return nil }
    func refused(_ reason: String) -> InvocationError {
      InvocationError(.unsupportedType, "the closure \(type.name) cannot be passed: \(reason)")
    }
    let signature = SwiftClosureSignature(type)
    if let reason = signature.refusal ?? (signature.isAsync ? "it is asynchronous" : nil) { throw refused(reason) }
    var types = SwiftCallTypes([])
    do throws(InvocationError) {
      for (value, isInOut) in signature.parameters {
        try SwiftRepresentation.requireSame(value, layouts)
        types.parameters.append(SwiftCallTypes.Parameter(try layouts.layout(of: value.type), isInOut: isInOut))
      }
      try SwiftRepresentation.requireSame(signature.result, layouts)
      types.result = try layouts.layout(of: signature.result.type)
    } catch {
      throw refused(error.reason)
    }
    let values = convention.layout(of: types)
    types.parameters = types.parameters.map { SwiftCallTypes.Parameter($0.layout, isInOut: true) }
    let isVoid = signature.result.size == 0
    types.result = isVoid ? .void : SwiftTypeLayout(size: signature.result.size, alignment: signature.result.alignment, isAddressOnly: true)
    let addresses = convention.layout(of: types)
    if Self.isSame(values, addresses) { return nil }
    guard let entry = unsafe SwiftKernel.closureEntry else { throw refused("closures are converted on Linux only, on x86-64 and AArch64") }
    let hasParts = (values.arguments + [values.result.elements]).contains { $0.count > 1 && $0.contains(where: \.isAddress) }
    guard !hasParts, values.result.moves.isEmpty, values.result.elements.isEmpty || values.result.pieces.isEmpty else {
      throw refused("a tuple in it is passed in registers and by addresses")
    }
    return unsafe SwiftClosurePlan(type, signature, values, addresses, by: convention, entry: entry)
  }

  /// Whether two layouts have the same locations.
  private static func isSame(_ values: SwiftCallLayout, _ addresses: SwiftCallLayout) -> Bool {
    func words(_ pieces: [SwiftCallLayout.Piece]) -> [CallLayout.Location?] { pieces.map { $0.isAddress ? $0.location : nil } }
    return values.arguments.map(words) == addresses.arguments.map(words) && values.result.pieces.isEmpty
      && values.result.moves.isEmpty && values.result.address == nil && words(values.result.elements) == words(addresses.result.elements)
  }

  private init(
    _ type: SwiftMetadata, _ signature: SwiftClosureSignature, _ values: SwiftCallLayout, _ addresses: SwiftCallLayout,
    by convention: SwiftCallingConvention, entry: UnsafeRawPointer
  ) {
    let frame = SwiftKernel.entryFrame
    let addressKernel = SwiftKernel(for: addresses, by: convention)
    let valueKernel = SwiftKernel(for: values, by: convention)
    self.type = type
    unsafe self.entry = unsafe entry
    self.addressKernel = addressKernel
    self.valueKernel = valueKernel
    addressFrameSize = addressKernel.stack + addresses.stackSize
    valueFrameSize = valueKernel.stack + values.stackSize
    var size = 0
    var alignment = 16
    func reserve(_ type: SwiftMetadata) -> Int {
      alignment = max(alignment, type.alignment)
      defer { size = size.roundedUp(to: type.alignment) + type.size }
      return size.roundedUp(to: type.alignment)
    }
    parameters = signature.parameters.enumerated().map { index, parameter in
      let location = addresses.arguments[index][0].location
      let parts = values.arguments[index].map {
        Part($0, incoming: frame.argumentOffset(of: $0.location), called: valueKernel.argumentOffset(of: $0.location))
      }
      let word = Word(incoming: frame.argumentOffset(of: location), called: addressKernel.argumentOffset(of: location))
      return Parameter(word: word, parts: parts, buffer: reserve(parameter.type))
    }
    resultBuffer = reserve(signature.result)
    resultAddress = (values.result.address ?? values.result.elements.first?.location).map { location in
      Word(incoming: frame.argumentOffset(of: location), called: valueKernel.argumentOffset(of: location))
    }
    resultParts = values.result.pieces.map {
      Part($0, incoming: frame.resultOffset(of: $0.location), called: valueKernel.resultOffset(of: $0.location))
    }
    bufferSize = size.roundedUp(to: alignment)
    self.alignment = alignment
  }
}

/// The types of a closure, read from the metadata of its type.
package struct SwiftClosureSignature {
  /// The types of the parameters, and whether each is `inout`.
  package private(set) var parameters: [(type: SwiftMetadata, isInOut: Bool)] = []
  /// The type of the result.
  package let result: SwiftMetadata
  /// Whether the closure is asynchronous.
  package let isAsync: Bool
  /// Whether the closure throws.
  package let isThrowing: Bool
  /// Why closures of the type are not called with values of stated types, or nil.
  package private(set) var refusal: String?

  /// Reads a type; nil if it is not that of functions with the Swift convention.
  package init?(function type: Any.Type) {
    let metadata = SwiftMetadata(type)
    guard metadata.kind == .function, metadata.word(1) >> 16 & 0xFF == 0 else { return nil }
    self.init(metadata)
  }

  /// Reads the metadata of a function type with the Swift convention.
  ///
  /// Source: the Swift repository's `include/swift/ABI/MetadataValues.h`, `FunctionTypeFlags`, `ParameterFlags` and
  /// `ExtendedFunctionTypeFlags`.
  init(_ type: SwiftMetadata) {
    let flags = type.word(1)
    let count = flags & 0xFFFF
    let (throwing, hasParameterFlags, isDifferentiable, async, isExtended) = (
      0x0100_0000, 0x0200_0000, 0x0800_0000, 0x2000_0000, 0x8000_0000
    )
    result = type.metadata(2) ?? type
    isAsync = flags & async != 0
    isThrowing = flags & throwing != 0
    if flags & isDifferentiable != 0 { refusal = "it is differentiable" }
    // Errors of a stated type, dynamic isolation, the isolation of the caller, and noncopyable values.
    if flags & isExtended != 0 { refusal = "the type of its error or its isolation is stated in a way that is not supported" }
    for index in 0..<count {
      guard let parameter = type.metadata(3 + index) else { continue }
      let traits = flags & hasParameterFlags == 0 ? 0 : type.half((3 + count) * 8 + 4 * index)
      // The low seven bits are the ownership: 1 is `inout`. The type of a variadic parameter is not that of its value.
      if traits & 0x80 != 0 { refusal = "it is variadic" }
      if traits & 0x600 != 0 { refusal = "a parameter of it is isolated or not differentiable" }
      parameters.append((parameter, traits & 0x7F == 1))
    }
  }
}

/// The context of a closure that calls another one, whose values are passed in another way.
///
/// The compiler passes a closure that is an argument of a function as code that takes its values in registers, as a
/// function of the same types does. A closure in a generic container, such as `Any`, is code that takes the address of
/// each value. The code of an adapter is an entry in assembly: it stores the registers in a frame, and calls ``run``.
///
/// An adapter is immutable. It is the context of a function value, so it is used where the closure may be used.
@safe
package final class SwiftClosureAdapter: @unchecked Sendable {
  // Unchecked Sendable: the closure is not changed, and the function value has the isolation of its type.

  private typealias Run = @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void

  /// The function that the entry calls with the frame and this object, in the first field, which the entry reads.
  private let run: Run
  private let plan: SwiftClosurePlan
  private let code: UnsafeRawPointer
  private let context: UnsafeRawPointer?

  private init(_ plan: SwiftClosurePlan, _ run: @escaping Run, code: UnsafeRawPointer, context: UnsafeRawPointer?) {
    unsafe self.run = unsafe run
    self.plan = plan
    unsafe self.code = unsafe code
    unsafe self.context = unsafe context
  }

  deinit {
    var words = unsafe (code, context)
    unsafe withUnsafeMutableBytes(of: &words) { unsafe plan.type.destroy($0.baseAddress.unsafelyUnwrapped) }
  }

  /// Replaces a closure as generic code stores it by one as a function receives it.
  ///
  /// - Parameter memory: The code and the context of the closure, whose ownership the new closure takes; null code is nil
  ///   of an optional.
  @unsafe
  package static func lower(_ memory: UnsafeMutableRawPointer, _ plan: SwiftClosurePlan) {
    unsafe replace(memory, plan) { frame, object in
      let adapter = unsafe Unmanaged<SwiftClosureAdapter>.fromOpaque(object)
      unsafe adapter._withUnsafeGuaranteedRef { unsafe $0.callByAddresses(frame) }
    }
  }

  /// Replaces a closure that a function has returned by one as generic code stores it.
  ///
  /// - Parameter memory: As for ``lower(_:_:)``.
  @unsafe
  package static func raise(_ memory: UnsafeMutableRawPointer, _ plan: SwiftClosurePlan) {
    unsafe replace(memory, plan) { frame, object in
      let adapter = unsafe Unmanaged<SwiftClosureAdapter>.fromOpaque(object)
      unsafe adapter._withUnsafeGuaranteedRef { unsafe $0.callByValues(frame) }
    }
  }

  @unsafe
  private static func replace(_ memory: UnsafeMutableRawPointer, _ plan: SwiftClosurePlan, _ run: @escaping Run) {
    guard let code = unsafe memory.load(as: UnsafeRawPointer?.self) else { return }
    let context = unsafe memory.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
    let adapter = unsafe SwiftClosureAdapter(plan, run, code: code, context: context)
    let object = unsafe Unmanaged.passRetained(adapter).toOpaque()
    unsafe memory.storeBytes(of: plan.entry, as: UnsafeRawPointer.self)
    unsafe memory.storeBytes(of: object, toByteOffset: 8, as: UnsafeMutableRawPointer.self)
  }

  /// Makes the call of a frame, whose registers contain values, by a closure that takes addresses.
  @unsafe
  private func callByAddresses(_ frame: UnsafeMutableRawPointer) {
    unsafe call(frame, plan.addressKernel, plan.addressFrameSize) { called, buffer in
      for value in plan.parameters {
        unsafe called.storeBytes(
          of: value.address(in: frame, buffer: buffer + value.buffer), toByteOffset: value.word.called, as: UnsafeRawPointer.self)
      }
      let result = unsafe plan.resultAddress.map { unsafe frame.load(fromByteOffset: $0.incoming, as: UnsafeMutableRawPointer.self) }
      unsafe called.storeBytes(
        of: result ?? buffer + plan.resultBuffer, toByteOffset: SwiftKernel.indirectResult, as: UnsafeMutableRawPointer.self)
    } finish: { called, buffer in
      for part in plan.resultParts {
        unsafe (frame + part.incoming).copyMemory(from: buffer + plan.resultBuffer + part.offset, byteCount: part.size)
      }
    }
  }

  /// Makes the call of a frame, whose registers contain addresses, by a closure that takes values.
  @unsafe
  private func callByValues(_ frame: UnsafeMutableRawPointer) {
    let result = unsafe frame.load(fromByteOffset: SwiftKernel.indirectResult, as: UnsafeMutableRawPointer.self)
    unsafe call(frame, plan.valueKernel, plan.valueFrameSize) { called, _ in
      for value in plan.parameters {
        unsafe value.store(frame.load(fromByteOffset: value.word.incoming, as: UnsafeRawPointer.self), to: called)
      }
      if let address = plan.resultAddress {
        unsafe called.storeBytes(of: result, toByteOffset: address.called, as: UnsafeMutableRawPointer.self)
      }
    } finish: { called, _ in
      for part in plan.resultParts { unsafe part.copy(from: called + part.called, to: result + part.offset) }
    }
  }

  /// Calls the closure with a frame of a kernel and a buffer for values, and passes its error on to a frame.
  ///
  /// - Parameter finish: Passes on the result, if there is no error.
  @unsafe
  private func call(
    _ frame: UnsafeMutableRawPointer, _ kernel: SwiftKernel, _ size: Int,
    _ start: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void,
    finish: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void
  ) {
    unsafe withUnsafeTemporaryAllocation(byteCount: plan.bufferSize + size, alignment: plan.alignment) { memory in
      let buffer = unsafe memory.baseAddress.unsafelyUnwrapped
      let called = unsafe buffer + plan.bufferSize
      unsafe start(called, buffer)
      unsafe called.storeBytes(of: context, toByteOffset: SwiftKernel.selfWord, as: UnsafeRawPointer?.self)
      unsafe kernel.function(called, code, UnsafeRawPointer(bitPattern: (size - kernel.stack) / 8))
      let error = unsafe called.load(fromByteOffset: SwiftKernel.error, as: UInt.self)
      // Without an error the register keeps its value, which belongs to the caller of a closure that does not throw.
      guard error == 0 else { return unsafe frame.storeBytes(of: error, toByteOffset: SwiftKernel.error, as: UInt.self) }
      unsafe finish(called, buffer)
    }
  }
}
