/// A frame of one argument, in which a value is converted.
///
/// Its functions are not generic, and so exist once for all types.
@safe
struct ArgumentPlace {
  private let type: TypeEncoding
  private let signature: MethodSignature
  let slot: FrameSlot

  @inline(never)
  init(of type: any EncodedValue.Type) throws(InvocationError) {
    self.type = type.typeEncoding
    signature = try MethodSignature(MethodTypes(result: "v", arguments: [self.type]))
    slot = unsafe signature.storage.plan.slots[0]
  }

  /// Calls a function with an uninitialized frame.
  func withFrame<Result>(
    _ body: (UnsafeMutableRawPointer) throws(InvocationError) -> Result
  ) throws(InvocationError) -> Result {
    defer { withExtendedLifetime(signature) {} }
    let plan = signature.storage.plan
    return try unsafe withUnsafeTemporaryAllocation(byteCount: plan.frameSize, alignment: plan.frameAlignment) {
      memory -> Swift.Result<Result, InvocationError> in
      do throws(InvocationError) {
        return .success(try unsafe body(memory.baseAddress.unsafelyUnwrapped))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Stores a box in a frame, and returns whether the frame owns what it stored.
  @inline(never)
  func store(_ box: BoxedValue, _ options: ConversionOptions, in frame: UnsafeMutableRawPointer) throws(InvocationError) -> Bool {
    do throws(InvocationError) {
      return try unsafe box.store(in: slot, of: frame, as: type, options: options, keeping: false)
    } catch {
      throw InvocationError(error.code, error.reason, encoding: type.description, candidates: error.candidates)
    }
  }

  /// Returns the box of the value in a frame.
  @inline(never)
  func load(from frame: UnsafeRawPointer) -> BoxedValue { unsafe BoxedValue(in: slot, of: frame, as: type) }

  /// Returns the error for a box that was stored and is no value of a type.
  @inline(never)
  func failure(of box: BoxedValue, as type: any EncodedValue.Type) -> InvocationError {
    if case .object(let object) = box {
      return InvocationError(
        .typeMismatch, "an object of the class \(Swift.type(of: object)) is no \(type)", encoding: self.type.description)
    }
    return InvocationError(.nullNotAllowed, "null is no \(type); ask for an optional", encoding: self.type.description)
  }
}
