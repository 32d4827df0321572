internal import CallFrames
internal import SwiftSymbols
internal import TypeEncodings

/// The places of the values of a call in a frame, computed once.
struct SwiftFrameLayout {
  /// The arguments: self if it is passed by the caller, then the parameters.
  private(set) var slots: [SwiftArgumentSlot] = []
  /// The parts of the arguments that are not copied as a whole.
  private(set) var parts: [[SwiftArgumentPart]] = []
  /// The closures in each argument that are replaced in its copy.
  private(set) var closures: [[SwiftRepresentation.Closure]] = []
  /// The words of a frame to set: the address of an offset in the same frame.
  private(set) var addresses: [(word: Int, target: Int)] = []
  /// What is passed as self to a static function of a class.
  private(set) var selfConstant: SwiftMetadata?

  let result: SwiftMetadata
  /// The offset of the result, after the call and ``SwiftCallPlan/collect(_:)``.
  private(set) var resultOffset = 0
  /// The parts of the result: copied from register to result area.
  private(set) var resultParts: [SwiftArgumentPart] = []
  /// The elements of a result to move within the frame, when the value has another layout than the flat result.
  private(set) var resultMoves: [SwiftArgumentPart] = []
  /// The closures in the result that are replaced.
  private(set) var resultClosures: [SwiftRepresentation.Closure] = []
  /// Whether the result has to be put together from registers.
  private(set) var collectsResult = false
  private(set) var typedError: TypedError?

  /// The offset of each argument, then of the result, in a block of memory for the values of a call.
  private(set) var valueOffsets: [Int] = []
  private(set) var valuesSize = 0
  private(set) var valuesAlignment = 16

  let kernel: SwiftKernel
  /// The number of stack words.
  let stackWords: Int
  private(set) var size: Int
  private(set) var alignment = 16

  /// How a typed error is returned.
  struct TypedError {
    let type: SwiftMetadata
    /// The offset in a frame to which ``parts`` are copied.
    let offset: Int
    let parts: [SwiftArgumentPart]
  }

  /// - Parameters:
  ///   - takesIsolation: For an asynchronous function, whether it takes the isolation of its caller, or nil if that is
  ///     not known.
  ///   - promises: What the caller states of the types.
  init(
    _ signature: SwiftFunctionSignature, by convention: SwiftCallingConvention, takesIsolation: Bool?,
    trusting promises: SwiftLibrary.Promises
  ) throws(InvocationError) {
    var call: SwiftCallTypes
    let parameterClosures: [[SwiftRepresentation.Closure]]
    do {
      (call, parameterClosures, resultClosures) = try signature.read(SwiftTypeLayouts(trusting: promises))
    } catch {
      throw error.about(signature.name)
    }
    call.isAsync = signature.isAsync
    call.takesIsolation = takesIsolation ?? false
    let layout = convention.layout(of: call)
    if signature.isAsync { try Self.checkAsync(layout, isIsolationKnown: takesIsolation != nil, signature) }
    if case .address? = layout.error, !layout.selfPieces.isEmpty {
      // The address follows the bytes of self, which a mutating method does not receive.
      throw signature.refused("its error is returned in memory, and its symbol does not state whether the method is mutating")
    }
    if layout.exceedsResultRegisters {
      throw signature.refused("its result and its error together do not fit the registers for results")
    }
    kernel = SwiftKernel(for: layout, by: convention, isAsync: signature.isAsync)
    stackWords = layout.stackSize / 8
    size = kernel.stack + (signature.isAsync ? 16 : layout.stackSize.roundedUp(to: 16))
    result = SwiftMetadata(signature.result)
    addSelf(signature, layout)
    for (index, parameter) in signature.parameters.enumerated() {
      addArgument(parameter, layout.arguments[index], parameterClosures[index])
    }
    if signature.kind == .addressor {
      collectsResult = true
      resultOffset = reserve(result)
    } else {
      addResult(layout.result)
    }
    if !resultClosures.isEmpty { collectsResult = true }
    if let type = signature.typedError, let error = layout.error { addError(SwiftMetadata(type), error) }
    size = size.roundedUp(to: 16)
    for type in slots.map(\.value) + [result] {
      valuesAlignment = max(valuesAlignment, type.alignment)
      valueOffsets.append(valuesSize.roundedUp(to: type.alignment))
      valuesSize = valueOffsets[valueOffsets.count - 1] + type.size
    }
  }

  /// Throws if the locations of the arguments of an asynchronous function are not certain.
  private static func checkAsync(
    _ layout: SwiftCallLayout, isIsolationKnown: Bool, _ signature: SwiftFunctionSignature
  ) throws(InvocationError) {
    if layout.stackSize > 0 {
      throw signature.refused("it is asynchronous, and its arguments need more than the registers for arguments")
    }
    guard !isIsolationKnown, layout.generalCount > 0 else { return }
    throw signature.refused(
      "it is asynchronous, and its symbol does not state whether it is nonisolated(nonsending), which moves its arguments: "
        + "state it with asyncFunction(_:isNonsending:)")
  }

  // MARK: Arguments

  private mutating func addSelf(_ signature: SwiftFunctionSignature, _ layout: SwiftCallLayout) {
    guard let type = signature.selfType else { return }
    let metadata = SwiftMetadata(type)
    switch signature.selfKind {
    case .none: break
    case .classMetatype: selfConstant = metadata
    case .object:
      add(metadata, [SwiftArgumentPart(source: 0, target: SwiftKernel.selfWord, size: 8)])
    case .value:
      // Always a copy: a mutating function changes it, and the symbol does not state whether the function is one.
      add(metadata, layout.selfPieces.map(part), isValueSelf: true, isCopied: true, isDestroyed: !metadata.isTrivial)
    }
  }

  private mutating func addArgument(
    _ parameter: SwiftFunctionSignature.Parameter, _ pieces: [SwiftCallLayout.Piece], _ closures: [SwiftRepresentation.Closure]
  ) {
    let metadata = SwiftMetadata(parameter.type)
    if parameter.ownership == .inOut {
      let target = kernel.argumentOffset(of: pieces[0].location)
      slots.append(
        SwiftArgumentSlot(
          type: SwiftMetadata(Self.pointerType(to: parameter.type)), value: metadata, offset: target, copyOffset: -1, isInOut: true,
          isValueSelf: false, isDestroyed: false))
      parts.append([SwiftArgumentPart(source: 0, target: target, size: 8)])
      self.closures.append([])
      return
    }
    // A trivial value that is owned is not consumed. One that is passed by its address could be written to.
    let isOwned = parameter.ownership == .owned
    let isCopied = isOwned && (!metadata.isTrivial || pieces.contains(where: \.isAddress)) || !closures.isEmpty
    add(metadata, pieces.map(part), closures, isCopied: isCopied, isDestroyed: isCopied && !isOwned)
  }

  private static func pointerType(to type: Any.Type) -> Any.Type {
    func pointer<T>(_: T.Type) -> Any.Type { unsafe UnsafeMutablePointer<T>.self }
    return _openExistential(type, do: pointer)
  }

  private mutating func add(
    _ metadata: SwiftMetadata, _ list: [SwiftArgumentPart], _ closures: [SwiftRepresentation.Closure] = [], isValueSelf: Bool = false,
    isCopied: Bool = false, isDestroyed: Bool = false
  ) {
    let list = Self.joined(list)
    let isWhole = !isCopied && list.count == 1 && list[0].source == 0 && list[0].size == metadata.size
    slots.append(
      SwiftArgumentSlot(
        type: metadata, value: metadata, offset: isWhole ? list[0].target : -1, copyOffset: isCopied ? reserve(metadata) : -1,
        isInOut: false, isValueSelf: isValueSelf, isDestroyed: isDestroyed))
    parts.append(list)
    self.closures.append(closures)
  }

  private func part(_ piece: SwiftCallLayout.Piece) -> SwiftArgumentPart {
    SwiftArgumentPart(source: piece.offset, target: kernel.argumentOffset(of: piece.location), size: piece.size)
  }

  /// Joins parts that follow each other in the value and in the frame.
  ///
  /// A part may be shorter than its register only if it is the last one.
  static func joined(_ parts: [SwiftArgumentPart]) -> [SwiftArgumentPart] {
    var joined: [SwiftArgumentPart] = []
    for part in parts {
      if let last = joined.last, last.size > 0, part.size > 0, !last.isBit, !part.isBit, last.source + last.size == part.source,
        last.target + last.size == part.target
      {
        joined[joined.count - 1].size += part.size
      } else {
        joined.append(part)
      }
    }
    return joined
  }

  /// Reserves memory in a frame for a value.
  private mutating func reserve(_ metadata: SwiftMetadata) -> Int {
    alignment = max(alignment, metadata.alignment)
    let offset = size.roundedUp(to: max(8, metadata.alignment))
    size = offset + metadata.size.roundedUp(to: 8)
    return offset
  }

  // MARK: Result

  private mutating func addResult(_ layout: SwiftCallLayout.Result) {
    let list = Self.joined(layout.pieces.map { resultPart($0, at: 0) })
    if layout.address == nil, layout.elements.isEmpty, layout.moves.isEmpty {
      if list.isEmpty { return }
      if list.count == 1, !list[0].isBit, list[0].target == 0, list[0].size == result.size,
        list[0].source % result.alignment == 0
      {
        // The registers of the result are the result.
        alignment = max(alignment, result.alignment)
        resultOffset = list[0].source
        return
      }
    }
    resultOffset = reserve(result)
    var flat = resultOffset
    if !layout.moves.isEmpty {
      flat = size.roundedUp(to: alignment)
      size = flat + layout.flatSize.roundedUp(to: 8)
      resultMoves = layout.moves.map { SwiftArgumentPart(source: flat + $0.source, target: resultOffset + $0.target, size: $0.size) }
    }
    resultParts = list.map { part in
      var part = part
      part.target += flat
      return part
    }
    if let address = layout.address { addresses.append((kernel.argumentOffset(of: address), flat)) }
    for element in layout.elements {
      addresses.append((kernel.argumentOffset(of: element.location), resultOffset + element.offset))
    }
    collectsResult = !resultParts.isEmpty || !resultMoves.isEmpty
  }

  private func resultPart(_ piece: SwiftCallLayout.Piece, at offset: Int) -> SwiftArgumentPart {
    SwiftArgumentPart(
      source: kernel.resultOffset(of: piece.location), target: offset + piece.offset, size: piece.size, isBit: piece.isBit)
  }

  private mutating func addError(_ type: SwiftMetadata, _ error: SwiftCallLayout.Error) {
    let offset = reserve(type)
    switch error {
    case .direct(let pieces):
      typedError = TypedError(type: type, offset: offset, parts: pieces.map { resultPart($0, at: offset) })
    case .address(let location):
      addresses.append((kernel.argumentOffset(of: location), offset))
      typedError = TypedError(type: type, offset: offset, parts: [])
    }
  }
}

/// An argument of a call: its type, and how it is written to a frame.
@usableFromInline
@safe
struct SwiftArgumentSlot: Sendable {
  /// The type that the caller passes: the type of the parameter, or for `inout` that of a pointer to it.
  @usableFromInline let type: SwiftMetadata
  /// The type of the parameter.
  @usableFromInline let value: SwiftMetadata
  /// The offset in a frame to which the bytes of the value are copied as a whole, or -1.
  @usableFromInline let offset: Int
  /// The offset in a frame of a copy of the value that the callee receives, or -1 for the value itself.
  let copyOffset: Int
  /// Whether the callee receives a pointer to the caller's variable.
  @usableFromInline let isInOut: Bool
  /// Whether this is self of a struct or enum, whose address is passed as well as its bytes.
  @usableFromInline let isValueSelf: Bool
  /// Whether the copy is destroyed after the call, since the callee does not consume it.
  let isDestroyed: Bool
}

/// A run of bytes that is copied between a value and a frame.
struct SwiftArgumentPart: Sendable {
  /// The offset of the source.
  var source: Int
  /// The offset of the target.
  var target: Int
  /// The number of bytes; 0 to store the address of the source instead.
  var size: Int
  /// Whether only the lowest bit is valid.
  var isBit = false

  /// Copies the bytes, of a register with a result or an error.
  @unsafe
  func copy(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    let (source, target) = unsafe (source + self.source, target + self.target)
    guard isBit else { return unsafe target.copyMemory(from: source, byteCount: size) }
    // The other bits of a register with one bit are not defined.
    unsafe target.storeBytes(of: source.load(as: UInt8.self) & 1, as: UInt8.self)
  }

  /// Copies the bytes of a value, or its address, to a frame.
  @unsafe
  func write(_ value: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
    if size == 0 {
      unsafe (frame + target).storeBytes(of: value + source, as: UnsafeRawPointer.self)
    } else {
      unsafe (frame + target).copyMemory(from: value + source, byteCount: size)
    }
  }
}

// MARK: - Form

extension SwiftFrameLayout {
  /// How a typed call passes the arguments.
  var form: SwiftCallPlan.Form {
    guard addresses.isEmpty, selfConstant == nil, typedError == nil, returnsWord else { return .frame }
    let isMethod = slots.first?.offset == SwiftKernel.selfWord
    let arguments = slots.dropFirst(isMethod ? 1 : 0)
    // Six registers on each processor; a method has its object and its code in two of them.
    guard arguments.count <= (isMethod ? 4 : 6) else { return .frame }
    for (register, slot) in arguments.enumerated() {
      guard slot.offset == kernel.argumentOffset(of: .general(register)), [1, 2, 4, 8].contains(slot.type.size) else { return .frame }
    }
    return isMethod ? .method : .words
  }

  /// Whether the result is one word or less in the first general register.
  private var returnsWord: Bool {
    guard [0, 1, 2, 4, 8].contains(result.size) else { return false }
    if result.type == Bool.self { return resultParts.map(\.source) == [kernel.resultOffset(of: .general(0))] && resultMoves.isEmpty }
    return !collectsResult && (result.size == 0 || resultOffset == kernel.resultOffset(of: .general(0)))
  }
}

extension SwiftFunctionSignature {
  /// Reads the layouts of all types, and finds the closures in the parameters and in the result.
  ///
  /// - Throws: `InvocationError` `unsupportedType` with the reason, and with the argument if it is one.
  package func read(
    _ layouts: SwiftTypeLayouts
  ) throws(InvocationError) -> (SwiftCallTypes, [[SwiftRepresentation.Closure]], result: [SwiftRepresentation.Closure]) {
    var call = SwiftCallTypes([])
    var closures: [[SwiftRepresentation.Closure]] = []
    for (index, parameter) in parameters.enumerated() {
      do {
        let isInOut = parameter.ownership == .inOut
        closures.append(try SwiftRepresentation.closures(in: parameter.type, as: isInOut ? .stored : .parameter, layouts))
        call.parameters.append(SwiftCallTypes.Parameter(try layouts.layout(of: parameter.type), isInOut: isInOut))
      } catch {
        throw error.at(argument(index))
      }
    }
    switch (selfKind, selfType) {
    case (.value, let type?): do { call.selfPassing = .value(try layouts.layout(of: type)) } catch { throw error.at(.index(0)) }
    case (.object, _), (.classMetatype, _): call.selfPassing = .word
    case (.none, _), (.value, nil): break
    }
    let resultClosures: [SwiftRepresentation.Closure]
    do {
      resultClosures = try SwiftRepresentation.closures(in: result, as: .result, layouts)
      if kind != .addressor { call.result = try layouts.layout(of: result) }
    } catch {
      throw error.at(.result)
    }
    if let error = typedError { call.typedError = try layouts.layout(of: error) }
    return (call, closures, resultClosures)
  }
}
