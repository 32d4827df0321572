extension Closure {
  /// Creates a closure of the types of a Swift closure, compared with a signature.
  ///
  /// - Parameters:
  ///   - types: The signature.
  ///   - parameters: The types of the parameters.
  ///   - returnType: The type of the result, or nil for a closure without one.
  ///   - run: Runs with the frame of each call; what it captures must be Sendable.
  @usableFromInline
  convenience init(
    _ types: String, _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)? = nil,
    _ run: @escaping ClosureBody.Run
  ) throws(InvocationError) {
    try self.init(MethodSignature(types: types), parameters, returning: returnType, run)
  }

  /// Creates a closure of the types of a Swift closure, compared with a signature.
  convenience init(
    _ methodSignature: MethodSignature, _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)?,
    _ run: @escaping ClosureBody.Run
  ) throws(InvocationError) {
    try methodSignature.require(parameters, returning: returnType)
    try self.init(methodSignature, parameters, run)
  }
}

extension MethodSignature {
  /// Throws unless a closure or a thunk of some types is called as the signature says.
  func require(
    _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)?
  ) throws(InvocationError) {
    let plan = storage.plan
    guard parameters.count == plan.count else {
      throw InvocationError(
        .countMismatch, "the closure has \(parameters.count) parameters, the signature '\(self)' takes \(plan.count)")
    }
    for (index, type) in parameters.enumerated() where !takes(type, at: index) {
      throw mismatch(type, .index(index))
    }
    if let returnType {
      guard returnType != String.self, returnType != String?.self else {
        throw InvocationError(
          .typeMismatch, "nobody would free the text after the caller has read it", argument: .result, encoding: self.returnType.description
        )
      }
      guard returnType.accepts(plan.result.kind) else { throw mismatch(returnType, .result) }
    } else if plan.result.kind != .void {
      throw mismatch(Void.self, .result)
    }
  }
}
