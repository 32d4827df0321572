extension CallPlan {
  /// Plans a call according to the platform's C convention.
  ///
  /// - Parameters:
  ///   - types: The types of the call.
  ///   - fixedCount: For a variadic function, the number of fixed arguments.
  ///   - backend: The backend that executes the call.
  package static func make(_ types: MethodTypes, fixedCount: Int?, backend: CallBackend = .automatic) throws(InvocationError) -> CallPlan {
    if backend == .shadow { return try CallPlan(shadow: types, fixedCount: fixedCount) }
    let layout = try convention.layout(of: types, fixedCount: fixedCount)
    try check(layout, types, fixedCount: fixedCount)
    if backend == .libffi {
      #if arch(x86_64)
        return try CallPlan(libffi: layout, types: types, fixedCount: fixedCount)
      #else
        return try CallPlan(portable: types, fixedCount: fixedCount)
      #endif
    }
    return try CallPlan(native: layout, types: types, isVariadic: fixedCount != nil)
  }

  /// The C convention of this platform.
  #if arch(x86_64)
    package static let convention = SystemV()
  #elseif arch(arm64) && canImport(Darwin)
    package static let convention = AppleAAPCS64()
  #elseif arch(arm64)
    package static let convention = AAPCS64()
  #else
    #error("the engine supports x86-64 and AArch64")
  #endif

  /// Throws an error for a call that no backend can execute: one with variadic arguments of a type that C promotes, or
  /// with stack arguments that exceed ``largestStack``.
  static func check(_ layout: CallLayout, _ types: MethodTypes, fixedCount: Int?) throws(InvocationError) {
    if let fixedCount { try checkPromotions(types, fixedCount: fixedCount) }
    try checkStack(layout, types)
  }

  /// Throws an error if the stack arguments exceed ``largestStack``.
  private static func checkStack(_ layout: CallLayout, _ types: MethodTypes) throws(InvocationError) {
    guard layout.stackSize > largestStack else { return }
    let index = layout.arguments.firstIndex { placement in
      placement.pieces.contains { piece in
        if case .stack(let offset) = piece.location { offset + piece.size > largestStack } else { false }
      }
    }
    throw stackTooLarge(index, types)
  }

  /// Returns the error for stack arguments that exceed ``largestStack``.
  static func stackTooLarge(_ index: Int?, _ types: MethodTypes) -> InvocationError {
    InvocationError(
      .limitExceeded, "arguments of more than \(largestStack) bytes on the stack", argument: index.map { .index($0) },
      encoding: index.map { types.arguments[$0].description })
  }

  /// Throws an error if a variadic argument has a type that C promotes: the callee would read a wider type.
  ///
  /// Source: C11, section 6.5.2.2, paragraphs 6 and 7.
  private static func checkPromotions(_ types: MethodTypes, fixedCount: Int) throws(InvocationError) {
    guard fixedCount >= 0, fixedCount <= types.arguments.count else {
      throw InvocationError(
        .outOfRange, "\(fixedCount) fixed arguments of \(types.arguments.count)", encoding: types.text())
    }
    for (index, type) in types.arguments.enumerated().dropFirst(fixedCount) {
      guard case .scalar(let scalar) = type.kind, let promoted = scalar.traits.promoted else { continue }
      throw InvocationError(
        .unsupportedType, "a variadic \(scalar.cName) is passed as \(promoted.cName) (\(TypeEncoding(.scalar(promoted))))",
        argument: .index(index), encoding: type.description)
    }
  }
}
