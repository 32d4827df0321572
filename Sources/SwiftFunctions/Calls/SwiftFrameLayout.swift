internal import CallFrames
internal import SwiftSymbols
internal import TypeEncodings

/// The places of the values of a call in a frame, computed once.
struct SwiftFrameLayout {
  /// The arguments: self if it is passed by the caller, then the parameters.
  private(set) var slots: [SwiftArgumentSlot] = []
  /// The parts of the arguments that are not copied as a whole.
  private(set) var parts: [[SwiftFramePart]] = []
  /// The closures in each argument that are replaced in its copy.
  private(set) var closures: [[SwiftRepresentation.Closure]] = []
  /// The words of a frame to set: the address of an offset in the same frame.
  private(set) var addresses: [(word: Int, target: Int)] = []
  /// What is passed as self to a static function of a class.
  private(set) var selfConstant: SwiftMetadata?

  let result: SwiftMetadata
  /// The offset of the result, after the call and ``SwiftCallPlan/collect(_:)``.
  private(set) var resultOffset = 0
  /// The parts of the result that are copied from registers, to ``flatOffset``.
  private(set) var resultParts: [SwiftFramePart] = []
  /// The offset of the flat result, whose elements ``resultMoves`` are moved to the result.
  private(set) var flatOffset = 0
  private(set) var resultMoves: [SwiftCallLayout.Result.Move] = []
  /// The closures in the result that are replaced.
  private(set) var resultClosures: [SwiftRepresentation.Closure] = []
  /// Whether the result has to be put together from registers.
  private(set) var collectsResult = false
  let error: SwiftFrameError
  /// The offset of an error of a stated type.
  private(set) var errorOffset = 0

  /// The offset of each argument, then of the result, in a block of memory for the values of a call.
  private(set) var valueOffsets: [Int] = []
  private(set) var valuesSize = 0
  private(set) var valuesAlignment = 16

  let kernel: SwiftKernel
  /// The number of stack words.
  let stackWords: Int
  private var memory: SwiftValueMemory
  private(set) var size = 0
  private(set) var alignment = 16

  /// - Parameters:
  ///   - takesIsolation: For an asynchronous function, whether it takes the isolation of its caller, or nil if that is
  ///     not known.
  ///   - promises: What the caller states of the types.
  init(
    _ signature: SwiftFunctionSignature, by convention: SwiftCallingConvention, takesIsolation: Bool?,
    trusting promises: SwiftLibrary.Promises
  ) throws(InvocationError) {
    var values: SwiftFunctionSignature.Values
    do { values = try signature.values(SwiftTypeLayouts(trusting: promises)) } catch { throw error.about(signature.name) }
    values.call.isAsync = signature.isAsync
    values.call.takesIsolation = takesIsolation ?? false
    let layout = convention.layout(of: values.call)
    if signature.isAsync { try Self.checkAsync(layout, isIsolationKnown: takesIsolation != nil, signature) }
    if case .address? = layout.error, !layout.selfPieces.isEmpty {
      // The address follows the bytes of self, which a mutating method does not receive.
      throw signature.refused("its error is returned in memory, and its symbol does not state whether the method is mutating")
    }
    if layout.exceedsResultRegisters {
      throw signature.refused("its result and its error together do not fit the registers for results")
    }
    kernel = SwiftKernel(for: layout, by: convention, isAsync: signature.isAsync)
    let map = SwiftFrameMap(layout, in: kernel, error: signature.typedError, isAsync: signature.isAsync)
    stackWords = map.stackWords
    memory = SwiftValueMemory(size: map.size)
    error = map.error
    result = SwiftMetadata(signature.result)
    resultClosures = values.resultClosures
    addSelf(signature, map)
    for (index, parameter) in signature.parameters.enumerated() {
      addArgument(parameter, map.arguments[index], values.closures[index])
    }
    if signature.kind == .addressor {
      collectsResult = true
      resultOffset = memory.reserve(result)
    } else {
      addResult(map, layout.result)
    }
    if !resultClosures.isEmpty { collectsResult = true }
    if let type = error.type {
      errorOffset = memory.reserve(type)
      if let address = error.address { addresses.append((address, errorOffset)) }
    }
    size = memory.size.roundedUp(to: 16)
    alignment = memory.alignment
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

  private mutating func addSelf(_ signature: SwiftFunctionSignature, _ map: SwiftFrameMap) {
    guard let type = signature.selfType else { return }
    let metadata = SwiftMetadata(type)
    switch signature.selfKind {
    case .none: break
    case .classMetatype: selfConstant = metadata
    case .object: add(metadata, [SwiftFramePart(word: SwiftKernel.selfWord, offset: 0, size: 8)])
    case .value:
      // Always a copy: a mutating function changes it, and the symbol does not state whether the function is one.
      add(metadata, map.selfParts, isValueSelf: true, isCopied: true, isDestroyed: !metadata.isTrivial)
    }
  }

  private mutating func addArgument(
    _ parameter: SwiftFunctionSignature.Parameter, _ parts: [SwiftFramePart], _ closures: [SwiftRepresentation.Closure]
  ) {
    let metadata = SwiftMetadata(parameter.type)
    if parameter.ownership == .inOut {
      slots.append(
        SwiftArgumentSlot(
          type: SwiftMetadata(Self.pointerType(to: parameter.type)), value: metadata, offset: parts[0].word, copyOffset: -1,
          isInOut: true, isValueSelf: false, isDestroyed: false))
      self.parts.append([SwiftFramePart(word: parts[0].word, offset: 0, size: 8)])
      self.closures.append([])
      return
    }
    // A trivial value that is owned is not consumed. One that is passed by its address could be written to.
    let isOwned = parameter.ownership == .owned
    let isCopied = isOwned && (!metadata.isTrivial || parts.contains { $0.form == .address }) || !closures.isEmpty
    add(metadata, parts, closures, isCopied: isCopied, isDestroyed: isCopied && !isOwned)
  }

  private static func pointerType(to type: Any.Type) -> Any.Type {
    func pointer<T>(_: T.Type) -> Any.Type { unsafe UnsafeMutablePointer<T>.self }
    return _openExistential(type, do: pointer)
  }

  private mutating func add(
    _ metadata: SwiftMetadata, _ list: [SwiftFramePart], _ closures: [SwiftRepresentation.Closure] = [], isValueSelf: Bool = false,
    isCopied: Bool = false, isDestroyed: Bool = false
  ) {
    let list = SwiftFramePart.joined(list)
    let isWhole = !isCopied && list.count == 1 && list[0].form != .address && list[0].offset == 0 && list[0].size == metadata.size
    slots.append(
      SwiftArgumentSlot(
        type: metadata, value: metadata, offset: isWhole ? list[0].word : -1, copyOffset: isCopied ? memory.reserve(metadata) : -1,
        isInOut: false, isValueSelf: isValueSelf, isDestroyed: isDestroyed))
    parts.append(list)
    self.closures.append(closures)
  }

  // MARK: Result

  private mutating func addResult(_ map: SwiftFrameMap, _ layout: SwiftCallLayout.Result) {
    let list = SwiftFramePart.joined(map.resultParts)
    if map.wholeResultAddress == nil, layout.moves.isEmpty {
      if list.isEmpty { return }
      if list.count == 1, list[0].form == .bytes, list[0].offset == 0, list[0].size == result.size, list[0].word % result.alignment == 0 {
        // The registers of the result are the result.
        memory.align(to: result)
        resultOffset = list[0].word
        return
      }
    }
    resultOffset = memory.reserve(result)
    flatOffset = resultOffset
    if !layout.moves.isEmpty { flatOffset = memory.reserve(size: layout.flatSize, alignment: memory.alignment) }
    (resultParts, resultMoves) = (list, layout.moves)
    if let address = map.resultAddress { addresses.append((address, flatOffset)) }
    for element in map.resultElements { addresses.append((element.word, resultOffset + element.offset)) }
    collectsResult = !resultParts.isEmpty || !resultMoves.isEmpty
  }
}

/// An argument of a call: its type, and how it is written to a frame.
@usableFromInline
@safe
struct SwiftArgumentSlot: Sendable {
  /// The type that the caller passes: the type of the parameter, or for `inout` a pointer to it.
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

// MARK: - Form

extension SwiftFrameLayout {
  /// How a typed call passes the arguments.
  var form: SwiftCallPlan.Form {
    guard addresses.isEmpty, selfConstant == nil, error.type == nil, returnsWord else { return .frame }
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
    if result.type == Bool.self { return resultParts.map(\.word) == [kernel.resultOffset(of: .general(0))] && resultMoves.isEmpty }
    return !collectsResult && (result.size == 0 || resultOffset == kernel.resultOffset(of: .general(0)))
  }
}

extension SwiftFunctionSignature {
  /// The types of a call as the convention reads them, and the closures in the parameters and in the result.
  package struct Values {
    package var call: SwiftCallTypes = SwiftCallTypes([])
    package var closures: [[SwiftRepresentation.Closure]] = []
    package var resultClosures: [SwiftRepresentation.Closure] = []
  }

  /// A value of a call.
  package enum Place {
    case target
    /// A parameter, by its number.
    case parameter(Int)
    case result
  }

  /// Reads the layouts of all types, and finds the closures in the parameters and in the result.
  ///
  /// - Parameter dependent: The layout of a value whose type depends on generic parameters, or nil for another one. Closures in
  ///   such a value are in the form of generic code already.
  /// - Throws: `InvocationError` `unsupportedType` with the reason, and with the argument if it is one.
  package func values(
    _ layouts: SwiftTypeLayouts,
    dependent: (Place, Any.Type) throws(InvocationError) -> SwiftTypeLayout? = { (_, _) throws(InvocationError) in nil }
  ) throws(InvocationError) -> Values {
    func value(
      _ place: Place, _ type: Any.Type, _ role: SwiftRepresentation.Role?
    ) throws(InvocationError) -> (layout: SwiftTypeLayout, [SwiftRepresentation.Closure]) {
      if let layout = try dependent(place, type) { return (layout, []) }
      let closures = try role.map { (role) throws(InvocationError) in try SwiftRepresentation.closures(in: type, as: role, layouts) }
      return (try layouts.layout(of: type), closures ?? [])
    }
    var values = Values()
    for (index, parameter) in parameters.enumerated() {
      do throws(InvocationError) {
        let isInOut = parameter.ownership == .inOut
        let (layout, closures) = try value(.parameter(index), parameter.type, isInOut ? .stored : .parameter)
        values.closures.append(closures)
        values.call.parameters.append(SwiftCallTypes.Parameter(layout, isInOut: isInOut))
      } catch {
        throw error.at(argument(index))
      }
    }
    switch (selfKind, selfType) {
    case (.value, let type?):
      do throws(InvocationError) {
        values.call.selfPassing = .value(try value(.target, type, nil).layout)
      } catch {
        throw error.at(.index(0))
      }
    case (.object, _), (.classMetatype, _): values.call.selfPassing = .word
    case (.none, _), (.value, nil): break
    }
    do throws(InvocationError) {
      if kind == .addressor {
        values.resultClosures = try SwiftRepresentation.closures(in: result, as: .result, layouts)
      } else {
        (values.call.result, values.resultClosures) = try value(.result, result, .result)
      }
    } catch {
      throw error.at(.result)
    }
    if let error = typedError { values.call.typedError = try layouts.layout(of: error) }
    return values
  }
}
