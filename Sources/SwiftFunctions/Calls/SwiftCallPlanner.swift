internal import CallFrames
internal import TypeEncodings

/// Computes the parts of a ``SwiftCallPlan``.
struct SwiftCallPlanner {
  var slots: [SwiftArgumentSlot] = []
  var parts: [[SwiftArgumentPart]] = []
  var closures: [[SwiftRepresentation.Closure]] = []
  var resultClosures: [SwiftRepresentation.Closure] = []
  var addresses: [(word: Int, target: Int)] = []
  var result: SwiftMetadata
  var resultOffset = 0
  var collectsResult = false
  var resultParts: [SwiftArgumentPart] = []
  var resultMoves: [SwiftArgumentPart] = []
  var typedError: SwiftCallPlan.TypedError?
  var selfConstant: SwiftMetadata?
  let kernel: SwiftKernel
  let stackWords: Int
  var size: Int
  var alignment = 16

  private let types: SwiftFunctionTypes

  /// - Parameters:
  ///   - takesIsolation: For an asynchronous function, whether it takes the isolation of its caller, or nil if that is
  ///     not known.
  ///   - promises: What the caller states of the types.
  init(
    _ types: SwiftFunctionTypes, by convention: SwiftCallingConvention, takesIsolation: Bool? = nil,
    trusting promises: SwiftLibrary.Promises
  ) throws(InvocationError) {
    self.types = types
    let layouts = SwiftTypeLayouts(trusting: promises)
    var call: SwiftCallTypes
    let parameterClosures: [[SwiftRepresentation.Closure]]
    do {
      parameterClosures = try Self.closures(types, layouts)
      resultClosures = try Self.resultClosures(types, layouts)
      call = try types.callTypes(layouts)
    } catch {
      throw error.about(types.name)
    }
    call.isAsync = types.isAsync
    call.takesIsolation = takesIsolation ?? false
    let layout = convention.layout(of: call)
    if types.isAsync { try Self.checkAsync(layout, isIsolationKnown: takesIsolation != nil, types) }
    if case .address? = layout.error, !layout.selfPieces.isEmpty {
      // The address follows the bytes of self, which a mutating method does not receive.
      throw InvocationError(
        .unsupportedType, "its error is returned in memory, and its symbol does not state whether the method is mutating"
      ).about(types.name)
    }
    if layout.exceedsResultRegisters {
      throw InvocationError(.unsupportedType, "its result and its error together do not fit the registers for results").about(types.name)
    }
    kernel = SwiftKernel(for: layout, by: convention, isAsync: types.isAsync)
    stackWords = layout.stackSize / 8
    size = kernel.stack + (types.isAsync ? 16 : layout.stackSize.roundedUp(to: 16))
    result = SwiftMetadata(types.result)
    addSelf(layout)
    for (index, parameter) in types.parameters.enumerated() {
      addArgument(parameter, layout.arguments[index], parameterClosures[index])
    }
    if types.kind == .addressor {
      collectsResult = true
      resultOffset = reserve(result)
    } else {
      addResult(layout.result)
    }
    if !resultClosures.isEmpty { collectsResult = true }
    if let type = types.typedError, let error = layout.error { addError(SwiftMetadata(type), error) }
    size = size.roundedUp(to: 16)
  }

  /// Finds the closures in the values of the parameters.
  private static func closures(
    _ types: SwiftFunctionTypes, _ layouts: SwiftTypeLayouts
  ) throws(InvocationError) -> [[SwiftRepresentation.Closure]] {
    var all: [[SwiftRepresentation.Closure]] = []
    for (index, parameter) in types.parameters.enumerated() {
      do {
        let role: SwiftRepresentation.Role = parameter.ownership == .inOut ? .stored : .parameter
        all.append(try SwiftRepresentation.closures(in: parameter.type, as: role, layouts))
      } catch {
        throw error.at(.index(index + (types.passesSelf ? 1 : 0)))
      }
    }
    return all
  }

  /// Finds the closures in the result.
  private static func resultClosures(
    _ types: SwiftFunctionTypes, _ layouts: SwiftTypeLayouts
  ) throws(InvocationError) -> [SwiftRepresentation.Closure] {
    do { return try SwiftRepresentation.closures(in: types.result, as: .result, layouts) } catch { throw error.at(.result) }
  }

  /// Throws if the locations of the arguments of an asynchronous function are not certain.
  private static func checkAsync(
    _ layout: SwiftCallLayout, isIsolationKnown: Bool, _ types: SwiftFunctionTypes
  ) throws(InvocationError) {
    if layout.stackSize > 0 {
      throw InvocationError(
        .unsupportedType, "it is asynchronous, and its arguments need more than the registers for arguments"
      ).about(types.name)
    }
    guard !isIsolationKnown, layout.generalCount > 0 else { return }
    throw InvocationError(
      .unsupportedType,
      "it is asynchronous, and its symbol does not state whether it is nonisolated(nonsending), which moves its arguments: "
        + "state it with asyncFunction(_:isNonsending:)"
    ).about(types.name)
  }

  // MARK: Arguments

  private mutating func addSelf(_ layout: SwiftCallLayout) {
    guard let type = types.selfType else { return }
    let metadata = SwiftMetadata(type)
    switch types.selfKind {
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
    _ parameter: SwiftFunctionTypes.Parameter, _ pieces: [SwiftCallLayout.Piece], _ closures: [SwiftRepresentation.Closure]
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
    let list = Self.joined(
      layout.pieces.map { piece in
        SwiftArgumentPart(
          source: kernel.resultOffset(of: piece.location), target: piece.offset, size: piece.size, isBit: piece.kind == .integer(bits: 1))
      })
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

  private mutating func addError(_ type: SwiftMetadata, _ error: SwiftCallLayout.Error) {
    let offset = reserve(type)
    switch error {
    case .direct(let pieces):
      let parts = pieces.map { piece in
        SwiftArgumentPart(
          source: kernel.resultOffset(of: piece.location), target: offset + piece.offset, size: piece.size,
          isBit: piece.kind == .integer(bits: 1))
      }
      typedError = SwiftCallPlan.TypedError(type: type, offset: offset, parts: parts)
    case .address(let location):
      addresses.append((kernel.argumentOffset(of: location), offset))
      typedError = SwiftCallPlan.TypedError(type: type, offset: offset, parts: [])
    }
  }
}

extension SwiftFunctionTypes {
  /// Whether the caller passes self, as the first argument.
  package var passesSelf: Bool { selfKind == .value || selfKind == .object }

  /// Reads the layouts of all types.
  ///
  /// - Throws: `InvocationError` `unsupportedType` with the reason and the argument.
  package func callTypes(_ layouts: SwiftTypeLayouts) throws(InvocationError) -> SwiftCallTypes {
    var call = SwiftCallTypes([])
    for (index, parameter) in parameters.enumerated() {
      do {
        let layout = try layouts.layout(of: parameter.type)
        call.parameters.append(SwiftCallTypes.Parameter(layout, isInOut: parameter.ownership == .inOut))
      } catch {
        throw error.at(.index(index + (passesSelf ? 1 : 0)))
      }
    }
    switch (selfKind, selfType) {
    case (.value, let type?):
      do {
        call.selfPassing = .value(try layouts.layout(of: type))
      } catch {
        throw error.at(.index(0))
      }
    case (.object, _), (.classMetatype, _): call.selfPassing = .word
    case (.none, _), (.value, nil): break
    }
    guard kind != .addressor else { return call }
    do {
      call.result = try layouts.layout(of: result)
    } catch {
      throw error.at(.result)
    }
    if let error = typedError { call.typedError = try layouts.layout(of: error) }
    return call
  }
}
