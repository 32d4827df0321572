internal import CallFrames
internal import TypeEncodings

extension Implementation {
  /// Creates the implementation of a method that calls a Swift function with the target and the arguments.
  ///
  /// - Throws: `InvocationError` `unsupportedType` for a parameter that is `inout`, and as a closure does.
  init(exported function: SwiftFunction, of type: AnyClass) throws(InvocationError) {
    let method = try ExportedMethod(function)
    let code = try Implementation(type, method.parameters.map(\.encoded), returning: method.result?.encoded, mayThrow: true) {
      frame, body in
      body.run(frame, from: 2, mayThrow: true) { try method.call(frame, body) }
    }
    let owner = MethodOwner(targetType: type, keeping: code.owner, valueTypes: method.parameters.map(\.type.type))
    unsafe self.init(
      code.pointer, methodSignature: code.methodSignature, returnsRetained: true, mayThrow: true, isMethod: true, keeping: owner)
  }
}

/// A Swift method that is called with the arguments of a message.
private final class ExportedMethod: Sendable {
  let function: SwiftFunction
  /// The parameters after the target.
  let parameters: [ExportedValue]
  /// The result, or nil for none.
  let result: ExportedValue?
  /// The offset of each parameter in a block of memory.
  private let offsets: [Int]
  private let size: Int
  private let alignment: Int

  init(_ function: SwiftFunction) throws(InvocationError) {
    self.function = function
    let plan = function.plan
    for index in 1..<max(1, plan.count) where unsafe plan.slots[index].isInOut {
      throw InvocationError(.unsupportedType, "the parameter is inout, and a message has no variables", argument: .index(index))
    }
    let types = (1..<max(1, plan.count)).map { unsafe plan.slots[$0].value }
    parameters = types.map { ExportedValue($0, isResult: false) }
    result = plan.result.type == Void.self ? nil : ExportedValue(plan.result, isResult: true)
    var offsets: [Int] = []
    var size = 8
    for type in types {
      offsets.append(size.roundedUp(to: type.alignment))
      size = offsets[offsets.count - 1] + type.size
    }
    self.offsets = offsets
    self.size = size
    alignment = types.reduce(8) { max($0, $1.alignment) }
  }

  /// Makes the call of a frame whose target is an object of the class.
  ///
  /// - Throws: `InvocationError` for an argument of another type, and what the method throws.
  func call(_ frame: IncomingFrame, _ body: ClosureBody) throws {
    let plan = function.plan
    try unsafe withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer.self, capacity: plan.count) { values in
      try unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: alignment) { block in
        let memory = unsafe block.baseAddress.unsafelyUnwrapped
        var count = 0
        defer {
          for index in 0..<count { unsafe plan.slots[index + 1].value.destroy(memory + offsets[index]) }
        }
        // The target is borrowed: the sender of the message keeps it alive.
        let target = unsafe UInt(body.slots[0].word(of: UnsafeRawPointer(frame.memory)))
        unsafe memory.storeBytes(of: target, as: UInt.self)
        unsafe values.initializeElement(at: 0, to: memory)
        for (index, parameter) in parameters.enumerated() {
          let value = unsafe memory + offsets[index]
          try unsafe parameter.load(from: FrameSlot(inOnePiece: body.slots[index + 2]), of: frame.memory, index: index + 2, to: value)
          count += 1
          unsafe values.initializeElement(at: index + 1, to: value)
        }
        try unsafe plan.perform(UnsafeBufferPointer(values), isInPlace: false) { value in
          if let result { unsafe result.answer(value, to: frame, body) }
        }
      }
    }
  }
}

/// The type of an argument or result of a Swift method, and how it is passed in a message.
private struct ExportedValue: Sendable {
  /// The type of the method.
  let type: SwiftMetadata
  /// Whether values are passed as they are, and not as an object.
  let isEncoded: Bool

  init(_ type: SwiftMetadata, isResult: Bool) {
    self.type = type
    // A string that is returned to C would have no owner.
    isEncoded = type.type is any EncodedValue.Type && !(isResult && type.type == String.self)
  }

  /// The type in the message.
  var encoded: any EncodedValue.Type {
    if isEncoded, let encoded = type.type as? any EncodedValue.Type { return encoded }
    return unsafe Unmanaged<AnyObject>?.self
  }

  /// Reads an argument and initializes memory with it.
  ///
  /// - Throws: `InvocationError` `typeMismatch` or `nullNotAllowed` for an argument that is no value of the type.
  @unsafe
  func load(from slot: FrameSlot, of frame: UnsafeMutableRawPointer, index: Int, to memory: UnsafeMutableRawPointer) throws {
    let frame = UnsafeRawPointer(frame)
    if isEncoded, let encoded = type.type as? any EncodedValue.Type {
      func load<Value: EncodedValue>(_: Value.Type) throws {
        guard let value = unsafe Value.load(from: slot, of: frame) else {
          throw unsafe slot.unreadable(in: frame, .index(index), as: Value.self)
        }
        unsafe memory.assumingMemoryBound(to: Value.self).initialize(to: value)
      }
      return try load(encoded)
    }
    let object = unsafe ObjectReference.object(in: slot, of: frame)
    func load<Value>(_: Value.Type) throws {
      guard let value = Self.value(of: object, as: Value.self) else {
        let given = object.map { "an object of the class \(Swift.type(of: $0))" } ?? "null"
        throw InvocationError(
          .typeMismatch, "\(given) is not \(type.name), nor a SwiftValue of it", argument: .index(index))
      }
      unsafe memory.assumingMemoryBound(to: Value.self).initialize(to: value)
    }
    try _openExistential(type.type, do: load)
  }

  private static func value<Value>(of object: AnyObject?, as _: Value.Type) -> Value? {
    if let boxed = object as? SwiftValue<Value> { return boxed.value }
    // Null converts to an optional only.
    guard let object else { return (AnyObject?.none as Any) as? Value }
    return DynamicConversion.convert((object as? any ValueWrapper)?.wrapped ?? object, to: Value.self)
  }

  /// Moves the result of the method to the frame.
  @unsafe
  func answer(_ value: UnsafeMutableRawPointer, to frame: IncomingFrame, _ body: ClosureBody) {
    if isEncoded, let encoded = type.type as? any EncodedValue.Type {
      func answer<Value: EncodedValue>(_: Value.Type) {
        body.answer(unsafe value.assumingMemoryBound(to: Value.self).move(), to: frame)
      }
      return answer(encoded)
    }
    if type.isObject {
      // The reference is moved. It is the first word, before the witness tables of an existential type.
      let object = unsafe value.load(as: UnsafeRawPointer?.self).map { unsafe Unmanaged<AnyObject>.fromOpaque($0) }
      return unsafe body.answer(object, to: frame)
    }
    func wrap<Value>(_: Value.Type) -> AnyObject { SwiftValue(unsafe value.assumingMemoryBound(to: Value.self).move()) }
    let object: Unmanaged<AnyObject>? = unsafe .passRetained(_openExistential(type.type, do: wrap))
    unsafe body.answer(object, to: frame)
  }
}

extension SwiftMetadata {
  /// Whether values are objects, or optional objects.
  fileprivate var isObject: Bool {
    switch kind {
    case .object: true
    // The flag of existential types that no struct conforms to is inverted.
    case .existential: half(8) & 0x8000_0000 == 0
    case .optional: metadata(2)?.isObject ?? false
    default: false
    }
  }
}
