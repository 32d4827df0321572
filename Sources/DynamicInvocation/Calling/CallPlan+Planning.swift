extension CallPlan {
  /// The bytes at the start of a frame that hold the result; never less than four words, so that no lane can write past a small result.
  private static let smallestResult = 32

  /// Plans a call of the platform's C convention.
  ///
  /// - Parameter fixedCount: For a variadic function the number of fixed arguments.
  convenience init(_ types: MethodTypes, fixedCount: Int?) throws(InvocationError) {
    #if arch(x86_64)
      try self.init(types, fixedCount: fixedCount, portable: false)
    #else
      try self.init(types, fixedCount: fixedCount, portable: true)
    #endif
  }

  /// Plans a call with the lowering of x86-64, or with the one for processors whose convention is libffi's affair.
  convenience init(_ types: MethodTypes, fixedCount: Int?, portable: Bool) throws(InvocationError) {
    let layout = try Self.convention.layout(of: types)
    if let fixedCount { try Self.checkPromotions(types, fixedCount: fixedCount) }

    let resultSize = types.result.size ?? 0
    let result = Slot(
      kind: types.result.valueKind, size: resultSize, offset: 0, storage: Slot.storage(of: types.result))
    var end = max(resultSize.roundedUp(to: 16), Self.smallestResult)
    var slots: [Slot] = []
    slots.reserveCapacity(types.arguments.count)
    for (index, type) in types.arguments.enumerated() {
      let isArray = if case .array = type.kind { true } else { false }
      let size = isArray ? 8 : type.size ?? 0
      let alignment = isArray ? 8 : max(8, min(type.alignment ?? 1, 16))
      let offset = end.roundedUp(to: alignment)
      let slot = Slot(
        kind: isArray ? .pointer : type.valueKind, size: size, offset: offset, storage: Slot.storage(of: type))
      slots.append(slot)
      end = offset + slot.extent
      guard end <= Self.largestFrame else {
        throw InvocationError(
          .limitExceeded, "a frame of more than \(Self.largestFrame) bytes", argument: .index(index),
          encoding: type.description)
      }
    }

    let lowering =
      portable
      ? try LibFFILowering(portable: types, slots: slots)
      : try LibFFILowering(systemV: layout, types: types, slots: slots)
    guard lowering.stackSize <= Self.largestStack else {
      throw InvocationError(.limitExceeded, "arguments of more than \(Self.largestStack) bytes on the stack")
    }
    let fixedParts = fixedCount.map { fixed in lowering.arguments.count { $0.index < fixed } }
    self.init(
      arguments: slots, result: result, frameSize: end.roundedUp(to: 16),
      lane: try LibFFILane(lowering, fixedCount: fixedParts))
  }

  /// The C convention of this platform.
  #if arch(x86_64)
    static let convention: any CallingConvention = SystemV()
  #elseif arch(arm64)
    static let convention: any CallingConvention = AAPCS64()
  #else
    #error("the engine supports x86-64 and AArch64")
  #endif

  /// Checks that no variadic argument has a type that C promotes: the callee would read a wider one.
  ///
  /// Source: C11, section 6.5.2.2, paragraphs 6 and 7.
  private static func checkPromotions(_ types: MethodTypes, fixedCount: Int) throws(InvocationError) {
    guard fixedCount >= 0, fixedCount <= types.arguments.count else {
      throw InvocationError(
        .outOfRange, "\(fixedCount) fixed arguments of \(types.arguments.count)", encoding: types.text())
    }
    for (index, type) in types.arguments.enumerated().dropFirst(fixedCount) {
      guard case .scalar(let scalar) = type.kind else { continue }
      let promoted: String
      switch scalar {
      case .int8, .uint8, .int16, .uint16, .bool: promoted = "int (i)"
      case .float, .float16: promoted = "double (d)"
      default: continue
      }
      throw InvocationError(
        .unsupportedType, "a variadic \(scalar.cName) is passed as \(promoted)", argument: .index(index),
        encoding: type.description)
    }
  }
}
