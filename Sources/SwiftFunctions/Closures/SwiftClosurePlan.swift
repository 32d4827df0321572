internal import CallFrames
internal import TypeEncodings

/// How the values of a closure are passed: in registers, as to a function of the same types, and by their addresses, as
/// generic code calls a closure.
///
/// In the second form each parameter is one address, and the result is stored at an address in the register for the
/// address of a result, whatever the types are. Ownership and the error are the same in both.
@safe
final class SwiftClosurePlan: @unchecked Sendable {
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

    /// Copies the bytes of a register to a value.
    @unsafe
    func copy(from register: UnsafeRawPointer, to value: UnsafeMutableRawPointer) {
      guard isBit else { return unsafe value.copyMemory(from: register, byteCount: size) }
      unsafe value.storeBytes(of: register.load(as: UInt8.self) & 1, as: UInt8.self)
    }
  }

  /// A parameter.
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

  /// The type of the closure.
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
    if let reason = signature.refusal { throw refused(reason) }
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
    guard let entry = unsafe SwiftKernel.closureEntry else { throw refused("closures are converted on x86-64 Linux only") }
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
    let frame = SwiftKernel.closureFrame
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
      let parts = values.arguments[index].map { piece in
        Part(
          incoming: frame.argumentOffset(of: piece.location), called: valueKernel.argumentOffset(of: piece.location), offset: piece.offset,
          size: piece.size, isBit: piece.kind == .integer(bits: 1))
      }
      return Parameter(
        word: Word(incoming: frame.argumentOffset(of: location), called: addressKernel.argumentOffset(of: location)), parts: parts,
        buffer: reserve(parameter.type))
    }
    resultBuffer = reserve(signature.result)
    resultAddress = (values.result.address ?? values.result.elements.first?.location).map { location in
      Word(incoming: frame.argumentOffset(of: location), called: valueKernel.argumentOffset(of: location))
    }
    resultParts = values.result.pieces.map { piece in
      Part(
        incoming: frame.resultOffset(of: piece.location), called: valueKernel.resultOffset(of: piece.location), offset: piece.offset,
        size: piece.size, isBit: piece.kind == .integer(bits: 1))
    }
    bufferSize = size.roundedUp(to: alignment)
    self.alignment = alignment
  }
}

/// The types of a closure, read from the metadata of its type.
struct SwiftClosureSignature {
  /// The types of the parameters, and whether each is `inout`.
  private(set) var parameters: [(type: SwiftMetadata, isInOut: Bool)] = []
  /// The type of the result.
  let result: SwiftMetadata
  /// Why closures of the type are not converted, or nil.
  private(set) var refusal: String?

  /// Reads the metadata of a function type with the Swift convention.
  ///
  /// Source: the Swift repository's `include/swift/ABI/MetadataValues.h`, `FunctionTypeFlags`, `ParameterFlags` and
  /// `ExtendedFunctionTypeFlags`.
  init(_ type: SwiftMetadata) {
    let flags = type.word(1)
    let count = flags & 0xFFFF
    let (hasParameterFlags, isDifferentiable, isAsync, isExtended) = (0x0200_0000, 0x0800_0000, 0x2000_0000, 0x8000_0000)
    result = type.metadata(2) ?? type
    if flags & isAsync != 0 { refusal = "it is asynchronous" }
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
