internal import CFunctionReplacement
internal import CallFrames
internal import SwiftFunctions
internal import SwiftSymbols

/// Where the values of a call are when a replaced function is entered, as offsets in the frame of its entry.
@safe
struct EntryPlan: Sendable {
  /// An argument: the target of a method, or a parameter.
  struct Argument: Sendable {
    let type: SwiftMetadata
    let parts: [SwiftFramePart]
    /// Whether it is a variable of the caller.
    let isInOut: Bool
    /// Whether the function has to destroy it.
    var isOwned = false
    /// The closures in it, which generic code takes in another form.
    var closures: [SwiftRepresentation.Closure] = []
    /// The offset of memory for the value.
    let buffer: Int
    /// The offset of memory for a copy whose closures are in the other form.
    var converted = 0
  }

  /// The target, if it is passed as an argument, and the parameters.
  private(set) var arguments: [Argument] = []
  let result: SwiftMetadata
  /// The word with the address of the result, or nil if the result is in registers.
  let resultAddress: Int?
  let resultParts: [SwiftFramePart]
  let resultClosures: [SwiftRepresentation.Closure]
  let error: SwiftFrameError
  /// The offsets of memory for the result, for an error of a stated type, and for the register image of the call.
  let resultBuffer: Int
  let errorBuffer: Int
  let image: Int
  private(set) var memory = SwiftValueMemory()
  /// The number of bytes of arguments on the stack.
  let stackSize: Int
  /// The class of the object that an initializer makes, or nil for other functions.
  let createdClass: SwiftMetadata?
  /// Whether the function is one of C, and whether it throws.
  let isOfC: Bool
  let isThrowing: Bool
  /// Whether it takes the isolation of its caller, in the first two words.
  let takesIsolation: Bool
  /// For a function of another library: whose calls are answered.
  var callers = Replacement.Callers.package
  /// The types that a call of a generic function passes, and the words with their metadata.
  private let passedTypes: [(type: SwiftMetadata, word: Int)]
  /// The generic class of the target, which is an object of the class or of a subclass, or the class itself.
  private let genericClass: SwiftMetadata?
  private let isTargetObject: Bool

  /// Returns the convention of this platform; throws if functions cannot be replaced there.
  static func convention() throws(InvocationError) -> SwiftCallingConvention {
    guard let convention = SwiftKernel.convention else { throw refused("functions are replaced on Linux only, on x86-64 and AArch64") }
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
    if let refusal = Self.refusal(of: types, isGeneric: generic != nil) { throw Self.refused(refusal) }
    if types.isLazyGetter, !changesTarget {
      throw Self.refused("it is the getter of a lazy property, which is mutating: write 'inout', or 'isMutating: true'").at(.index(0))
    }
    let types = try Self.withNonEscaping(types)
    var values = try types.values(SwiftTypeLayouts(trusting: .fixedLayouts)) { (place, type) throws(InvocationError) in
      try generic?.layout(of: place, SwiftMetadata(type), SwiftTypeLayouts(trusting: .fixedLayouts))
    }
    if types.selfKind == .value, changesTarget { values.call.selfPassing = .word }
    let words = generic?.append(to: &values.call, target: types.selfKind == .value ? types.selfType : nil)
    values.call.isAsync = types.isAsync
    takesIsolation = types.isAsync && isNonsending
    values.call.takesIsolation = takesIsolation
    let layout = convention.layout(of: values.call)
    if layout.exceedsResultRegisters { throw Self.refused("its result and its error together do not fit the registers for results") }
    let map = SwiftFrameMap(layout, in: .entryFrame, error: types.typedError)
    result = SwiftMetadata(types.result)
    resultClosures = values.resultClosures
    error = map.error
    stackSize = layout.stackSize
    (isOfC, isThrowing) = (types.isOfC, types.isThrowing)
    passedTypes = words?.types.map { ($0, map.arguments[$1][0].word) } ?? []
    createdClass = types.kind == .initializer && types.selfKind == .classMetatype ? types.selfType.map { SwiftMetadata($0) } : nil
    isTargetObject = types.selfKind == .object
    let isOfClass = isTargetObject || types.selfKind == .classMetatype
    genericClass = generic != nil && isOfClass ? types.selfType.map { SwiftMetadata($0) } : nil
    do { (resultAddress, resultParts) = try Self.result(layout.result, map) } catch { throw error.at(.result) }
    resultBuffer = memory.reserve(result)
    if let type = error.type { errorBuffer = memory.reserve(type) } else { errorBuffer = 0 }
    image = memory.reserve(size: EnteredCall.imageSize)
    // The words of a generic function follow a target, which is an argument then.
    addTarget(types, words?.target.map { map.arguments[$0] } ?? map.selfParts, changesTarget: changesTarget)
    for (index, parameter) in types.parameters.enumerated() {
      do throws(InvocationError) {
        try addParameter(parameter, map.arguments[index], values.call.parameters[index].layout, values.closures[index])
      } catch {
        throw error.at(.index(arguments.count))
      }
    }
  }

  private static func refused(_ reason: String) -> InvocationError { InvocationError(.unsupportedType, reason) }

  /// Why functions of a kind are not replaced, or nil.
  private static func refusal(of types: SwiftFunctionSignature, isGeneric: Bool) -> String? {
    if types.kind == .addressor { return "it is a variable, not a function" }
    guard types.typedError != nil else { return nil }
    if types.isAsync { return "it is asynchronous, and the type of its error is stated" }
    return isGeneric ? "it is generic, and the type of its error is stated" : nil
  }

  private mutating func addTarget(_ types: SwiftFunctionSignature, _ parts: [SwiftFramePart], changesTarget: Bool) {
    guard types.passesSelf, let type = types.selfType.map({ SwiftMetadata($0) }) else { return }
    let isObject = types.selfKind == .object
    let word = SwiftFramePart(word: SwiftKernel.selfWord, offset: 0, size: isObject ? 8 : 0, form: isObject ? .bytes : .address)
    let isWord = isObject || changesTarget || parts.isEmpty
    arguments.append(
      Argument(type: type, parts: isWord ? [word] : parts, isInOut: changesTarget, buffer: memory.reserve(type)))
  }

  private mutating func addParameter(
    _ parameter: SwiftFunctionSignature.Parameter, _ parts: [SwiftFramePart], _ layout: SwiftTypeLayout,
    _ closures: [SwiftRepresentation.Closure]
  ) throws(InvocationError) {
    let type = SwiftMetadata(parameter.type)
    var parts = parts
    if parameter.ownership != .inOut, parts.count > 1, parts.contains(where: { $0.form == .address }) {
      guard type.isBitwiseTakable else { throw Self.refused("a tuple with a weak reference is passed by several addresses") }
      parts = parts.map { Self.indirect($0, in: layout) }
    }
    arguments.append(
      Argument(
        type: type, parts: parts, isInOut: parameter.ownership == .inOut, isOwned: parameter.ownership == .owned, closures: closures,
        buffer: memory.reserve(type), converted: closures.isEmpty ? 0 : memory.reserve(type)))
  }

  /// A part of a tuple that is an element at an address of its own.
  private static func indirect(_ part: SwiftFramePart, in tuple: SwiftTypeLayout) -> SwiftFramePart {
    guard part.form == .address, let element = tuple.flattened.first(where: { $0.offset == part.offset && $0.layout.size > 0 }) else {
      return part
    }
    return SwiftFramePart(word: part.word, offset: part.offset, size: element.layout.size, form: .indirect)
  }

  /// Where the result goes: to one address, or to registers.
  private static func result(
    _ layout: SwiftCallLayout.Result, _ map: SwiftFrameMap
  ) throws(InvocationError) -> (address: Int?, parts: [SwiftFramePart]) {
    guard layout.moves.isEmpty else { throw refused("a tuple is returned with gaps") }
    let isInRegisters = map.resultElements.isEmpty && map.resultAddress == nil
    let isElement = map.resultElements.count == 1 && map.resultAddress == nil && layout.flatSize == 0 && map.resultParts.isEmpty
    guard map.resultElements.isEmpty || isElement else { throw refused("a tuple is returned in registers and at addresses") }
    return (map.wholeResultAddress, isInRegisters ? map.resultParts : [])
  }

  /// Whether the target is passed as an address, or not at all, both if the method is mutating and if it is not.
  var passesTargetByAddress: Bool {
    guard let target = arguments.first, target.type.size > 0 else { return true }
    return target.parts.count == 1 && target.parts[0].form == .address && target.parts[0].word == SwiftKernel.selfWord
  }

  /// Whether a call matches the plan: for a generic function, it passes the types of the plan; for the initializer of a class, it makes
  /// an object of just that class, and not of a subclass.
  @unsafe
  func matches(_ frame: UnsafeRawPointer) -> Bool {
    guard passedTypes.allSatisfy({ unsafe frame.load(fromByteOffset: $0.word, as: UnsafeRawPointer.self) == $0.type.address }) else {
      return false
    }
    guard createdClass != nil || genericClass != nil else { return true }
    let target = unsafe frame.load(fromByteOffset: SwiftKernel.selfWord, as: UnsafeRawPointer.self)
    if let type = createdClass {
      // The class, or an object that was allocated and begins with its class.
      return unsafe target == type.address || target.load(as: UnsafeRawPointer.self) == type.address
    }
    var next = unsafe SwiftMetadata(unsafeBitCast(isTargetObject ? target.load(as: UnsafeRawPointer.self) : target, to: Any.Type.self))
    while next != genericClass {
      guard let superclass = next.superclass else { return false }
      next = superclass
    }
    return true
  }

  // MARK: Closures that do not escape

  /// The types of a function, in which closures that do not escape have types of their own: their values own nothing, and may
  /// have a context on the stack.
  private static func withNonEscaping(_ types: SwiftFunctionSignature) throws(InvocationError) -> SwiftFunctionSignature {
    guard let symbol = try? SwiftSymbol(mangledName: types.symbol.utf8), symbol.kind.hasLabels else { return types }
    var types = types
    // The new value of a setter comes first.
    let first = types.parameters.count - symbol.parameters.count
    for (index, parameter) in symbol.parameters.enumerated() where parameter.isNonEscaping {
      types.parameters[first + index].type = try nonEscaping(types.parameters[first + index].type)
    }
    return types
  }

  private static func nonEscaping(_ type: Any.Type) throws(InvocationError) -> Any.Type {
    guard let function = SwiftFunctionType(SwiftMetadata(type)), !function.hasMoreParts else {
      throw refused("the closure \(type) is passed in its own way")
    }
    return unsafe unsafeBitCast(
      creplace_function_type(
        UInt(function.nonEscapingFlags), function.metadata.address + 24,
        function.parameterTraits?.assumingMemoryBound(to: UInt32.self), function.result.address), to: Any.Type.self)
  }
}
