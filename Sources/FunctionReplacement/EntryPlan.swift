internal import CFunctionReplacement
internal import CallFrames
internal import SwiftFunctions
internal import SwiftSymbols

/// Where the values of a call are when a replaced function is entered, as offsets in the frame of its entry.
@safe
struct EntryPlan: Sendable {
  /// A run of bytes of a value in a register or stack word.
  struct Part: Sendable {
    /// The offset in the frame.
    let word: Int
    /// The offset in the value.
    let offset: Int
    /// The number of bytes; 0 if the word contains the address of the value.
    let size: Int
    /// Whether only the lowest bit is valid.
    var isBit = false
    /// Whether the word contains the address of the bytes.
    var isIndirect = false
  }

  /// An argument: the target of a method, or a parameter.
  struct Argument: Sendable {
    let type: SwiftMetadata
    let parts: [Part]
    /// Whether it is a variable of the caller.
    let isInOut: Bool
    /// Whether the function has to destroy it.
    let isOwned: Bool
    /// The closures in it, which generic code takes in another form.
    let closures: [SwiftRepresentation.Closure]
    /// The offset of memory for the value.
    let buffer: Int
    /// The offset of memory for a copy whose closures are in the other form.
    let converted: Int
  }

  /// The target, if it is passed as an argument, and the parameters.
  let arguments: [Argument]
  let result: SwiftMetadata
  /// The offset of the word with the address of the result, or nil if the result is in registers.
  let resultAddress: Int?
  let resultParts: [Part]
  let resultClosures: [SwiftRepresentation.Closure]
  /// The offset of memory for the result.
  let resultBuffer: Int
  let bufferSize: Int
  let alignment: Int
  /// The type of the error, if it is stated.
  let error: SwiftMetadata?
  /// The offset of the word with the address of such an error, or nil if it is in the registers of the result.
  let errorAddress: Int?
  let errorParts: [Part]
  /// The offset of memory for the register image of the call.
  let image: Int
  /// The number of bytes of arguments on the stack.
  let stackSize: Int
  /// The class of the object that an initializer makes, or nil for other functions.
  let createdClass: SwiftMetadata?
  /// The types that a call of a generic function passes, and the offsets of the words with their metadata.
  let passedTypes: [(type: SwiftMetadata, word: Int)]

  /// Whether a function can be replaced on this platform, and what to say if not.
  static func convention() throws(InvocationError) -> SwiftCallingConvention {
    guard let convention = SwiftKernel.convention else {
      throw InvocationError(.unsupportedType, "functions are replaced on Linux only, on x86-64 and AArch64")
    }
    return convention
  }

  /// Plans the entries of a function.
  ///
  /// - Parameters:
  ///   - changesTarget: Whether the method of a struct or enum is mutating, which its symbol does not state.
  ///   - isNonsending: Whether an asynchronous function takes the isolation of its caller, which its symbol does not state.
  ///   - generic: The parameters of a generic function.
  /// - Throws: `InvocationError` `unsupportedType` with the reason, and with the argument if it is one.
  init(
    _ types: SwiftFunctionSignature, changesTarget: Bool, isNonsending: Bool, generic: GenericTypes? = nil
  ) throws(InvocationError) {
    do {
      try self.init(checking: types, changesTarget: changesTarget, isNonsending: isNonsending, generic)
    } catch {
      throw error.about(types.name)
    }
  }

  private init(
    checking types: SwiftFunctionSignature, changesTarget: Bool, isNonsending: Bool, _ generic: GenericTypes?
  ) throws(InvocationError) {
    let convention = try Self.convention()
    if types.kind == .addressor { throw Self.refused("it is a variable, not a function") }
    if types.typedError != nil, types.isAsync { throw Self.refused("it is asynchronous, and the type of its error is stated") }
    let layouts = SwiftTypeLayouts(trusting: .fixedLayouts)
    var (call, dependent) = try Self.read(types, layouts, generic)
    if types.selfKind == .value, changesTarget { call.selfPassing = .word }
    let words = generic?.append(to: &call, target: types.selfKind == .value ? types.selfType : nil)
    call.isAsync = types.isAsync
    call.takesIsolation = types.isAsync && isNonsending
    let layout = convention.layout(of: call)
    if layout.exceedsResultRegisters {
      throw Self.refused("its result and its error together do not fit the registers for results")
    }
    let frame = SwiftKernel.entryFrame
    var memory = BufferLayout()

    var arguments: [Argument] = []
    if types.passesSelf, let type = types.selfType {
      let metadata = SwiftMetadata(type)
      let isObject = types.selfKind == .object
      // The words of a generic function follow a target, which is an argument then.
      let pieces = words?.target.map { layout.arguments[$0] } ?? layout.selfPieces
      let isAddress = !isObject && (changesTarget || pieces.isEmpty)
      let word = Part(word: SwiftKernel.selfWord, offset: 0, size: isObject ? 8 : 0)
      arguments.append(
        Argument(
          type: metadata, parts: isObject || isAddress ? [word] : Self.parts(pieces, frame.argumentOffset),
          isInOut: changesTarget, isOwned: false, closures: [], buffer: memory.reserve(metadata), converted: 0))
    }
    let closures = Self.closuresThatStay(types)
    for (index, parameter) in types.parameters.enumerated() {
      let metadata = SwiftMetadata(closures.contains(index) ? try Self.typeThatStays(parameter.type) : parameter.type)
      let isInOut = parameter.ownership == .inOut
      do throws(InvocationError) {
        var parts = Self.parts(layout.arguments[index], frame.argumentOffset)
        if !isInOut, parts.count > 1, parts.contains(where: { $0.size == 0 }) {
          guard metadata.isBitwiseTakable else { throw Self.refused("a tuple with a weak reference is passed by several addresses") }
          parts = parts.map { Self.indirect($0, in: call.parameters[index].layout) }
        }
        // A value of a generic parameter is in the form of generic code already.
        let closures =
          dependent.parameters.contains(index)
          ? [] : try SwiftRepresentation.closures(in: metadata.type, as: isInOut ? .stored : .parameter, layouts)
        arguments.append(
          Argument(
            type: metadata, parts: parts, isInOut: isInOut, isOwned: parameter.ownership == .owned,
            closures: closures, buffer: memory.reserve(metadata), converted: closures.isEmpty ? 0 : memory.reserve(metadata)))
      } catch {
        throw error.at(.index(arguments.count))
      }
    }
    self.arguments = arguments

    result = SwiftMetadata(types.result)
    do throws(InvocationError) {
      resultClosures = dependent.result ? [] : try SwiftRepresentation.closures(in: types.result, as: .result, layouts)
      (resultAddress, resultParts) = try Self.result(layout.result, frame)
    } catch {
      throw error.at(.result)
    }
    resultBuffer = memory.reserve(result)
    error = types.typedError.map { SwiftMetadata($0) }
    (errorAddress, errorParts) = Self.error(layout.error, frame)
    image = memory.reserve(size: EnteredCall.imageSize)
    bufferSize = memory.size
    alignment = memory.alignment
    stackSize = layout.stackSize
    passedTypes = words?.types.map { ($0, frame.argumentOffset(of: layout.arguments[$1][0].location)) } ?? []
    createdClass = types.kind == .initializer && types.selfKind == .classMetatype ? types.selfType.map { SwiftMetadata($0) } : nil
  }

  /// The types of a call, and which of them depend on generic parameters.
  private static func read(
    _ types: SwiftFunctionSignature, _ layouts: SwiftTypeLayouts, _ generic: GenericTypes?
  ) throws(InvocationError) -> (SwiftCallTypes, dependent: (parameters: Set<Int>, result: Bool)) {
    guard let generic else { return (try types.read(layouts).0, ([], false)) }
    guard types.typedError == nil else { throw refused("it is generic, and the type of its error is stated") }
    var call = SwiftCallTypes([])
    var parameters: Set<Int> = []
    for (index, parameter) in types.parameters.enumerated() {
      let (layout, isDependent) = try generic.argument(index, parameter.type, layouts)
      if isDependent { parameters.insert(index) }
      call.parameters.append(SwiftCallTypes.Parameter(layout, isInOut: parameter.ownership == .inOut))
    }
    switch (types.selfKind, types.selfType) {
    case (.value, let type?): call.selfPassing = .value(try generic.target(type, layouts).layout)
    case (.object, _), (.classMetatype, _): call.selfPassing = .word
    case (.none, _), (.value, nil): break
    }
    let (result, isDependent) = try generic.result(types.result, layouts)
    call.result = result
    return (call, (parameters, isDependent))
  }

  /// Whether the types that a call of a generic function passes are those of the plan.
  @unsafe
  func matches(_ frame: UnsafeRawPointer) -> Bool {
    passedTypes.allSatisfy { unsafe frame.load(fromByteOffset: $0.word, as: UnsafeRawPointer.self) == $0.type.address }
  }

  /// The parameters that are closures which do not escape.
  private static func closuresThatStay(_ types: SwiftFunctionSignature) -> Set<Int> {
    guard let symbol = try? SwiftSymbol(mangledName: types.symbol.utf8), symbol.kind.hasLabels else { return [] }
    // The new value of a setter comes first.
    let first = types.parameters.count - symbol.parameters.count
    return Set(symbol.parameters.indices.filter { symbol.parameters[$0].isNonEscaping }.map { $0 + first })
  }

  /// The type of a closure that does not escape: its values own nothing, and may have a context on the stack.
  private static func typeThatStays(_ type: Any.Type) throws(InvocationError) -> Any.Type {
    let metadata = unsafe SwiftMetadata(type).address
    let flags = unsafe metadata.load(fromByteOffset: 8, as: UInt.self)
    let (count, escapes, hasFlags, hasMore) = (Int(flags & 0xFFFF), 0x0400_0000 as UInt, 0x0200_0000 as UInt, 0x9800_0000 as UInt)
    guard unsafe metadata.load(as: UInt.self) == 0x302, flags & hasMore == 0 else {
      throw refused("the closure \(type) is passed in its own way")
    }
    let parameters = unsafe metadata + 24
    let parameterFlags = unsafe flags & hasFlags == 0 ? nil : (parameters + 8 * count).assumingMemoryBound(to: UInt32.self)
    let result = unsafe metadata.load(fromByteOffset: 16, as: UnsafeRawPointer.self)
    return unsafe unsafeBitCast(creplace_function_type(flags & ~escapes, parameters, parameterFlags, result), to: Any.Type.self)
  }

  private static func refused(_ reason: String) -> InvocationError { InvocationError(.unsupportedType, reason) }

  private static func parts(_ pieces: [SwiftCallLayout.Piece], _ offset: (CallLayout.Location) -> Int) -> [Part] {
    pieces.map { Part(word: offset($0.location), offset: $0.offset, size: $0.size, isBit: $0.kind == .integer(bits: 1)) }
  }

  /// A part of a tuple that is an element at an address of its own.
  private static func indirect(_ part: Part, in tuple: SwiftTypeLayout) -> Part {
    guard part.size == 0, let element = tuple.flattened.first(where: { $0.offset == part.offset && $0.layout.size > 0 }) else {
      return part
    }
    return Part(word: part.word, offset: part.offset, size: element.layout.size, isIndirect: true)
  }

  /// How an error of a stated type is returned: in registers of the result, or at an address.
  private static func error(
    _ error: SwiftCallLayout.Error?, _ frame: SwiftKernel
  ) -> (address: Int?, parts: [Part]) {
    switch error {
    case .direct(let pieces)?: (nil, parts(pieces, frame.resultOffset))
    case .address(let location)?: (frame.argumentOffset(of: location), [])
    case nil: (nil, [])
    }
  }

  /// Where the result goes: to one address, or to registers.
  private static func result(
    _ result: SwiftCallLayout.Result, _ frame: SwiftKernel
  ) throws(InvocationError) -> (address: Int?, parts: [Part]) {
    guard result.moves.isEmpty else { throw refused("a tuple is returned with gaps") }
    switch (result.address, result.elements.count) {
    case (let address?, 0): return (frame.argumentOffset(of: address), [])
    case (nil, 0): return (nil, parts(result.pieces, frame.resultOffset))
    case (nil, 1) where result.pieces.isEmpty && result.flatSize == 0: return (frame.argumentOffset(of: result.elements[0].location), [])
    default: throw refused("a tuple is returned in registers and at addresses")
    }
  }
}

/// The layout of one block of memory for several values.
private struct BufferLayout {
  private(set) var size = 0
  private(set) var alignment = 16

  /// Returns the offset for a value.
  mutating func reserve(_ type: SwiftMetadata) -> Int {
    alignment = max(alignment, type.alignment)
    size = size.roundedUp(to: max(8, type.alignment))
    return reserve(size: max(8, type.size))
  }

  /// Returns the offset for a number of bytes.
  mutating func reserve(size count: Int) -> Int {
    defer { size += count }
    return size
  }
}
