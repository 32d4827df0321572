internal import CallFrames
internal import TypeEncodings

/// How the values of a closure are passed: in registers, as to a function of the same types, and by their addresses, as
/// generic code calls a closure.
///
/// In the second form each parameter is one address, and the result is stored at an address in the register for the
/// address of a result, whatever the types are. Ownership and the error are the same in both.
@safe
package final class SwiftClosurePlan: @unchecked Sendable {
  // Unchecked Sendable: everything is written in the initializer only.

  /// Where the values of one form are: when an adapter is entered, and when it calls the closure.
  struct Places {
    let entered: SwiftFrameMap
    let called: SwiftFrameMap

    init(_ layout: SwiftCallLayout, by convention: SwiftCallingConvention) {
      entered = SwiftFrameMap(layout, in: .entryFrame)
      called = SwiftFrameMap(layout, in: SwiftKernel(for: layout, by: convention))
    }
  }

  let type: SwiftMetadata
  /// The code of an adapter.
  let entry: UnsafeRawPointer
  let values: Places
  let addresses: Places
  /// The words with the address of each parameter.
  let words: [(entered: Int, called: Int)]
  /// The offset of memory for each parameter.
  let buffers: [Int]
  let resultBuffer: Int
  let bufferSize: Int
  let alignment: Int

  /// Returns how the values of a closure are passed, or nil if both forms are the same.
  ///
  /// - Throws: `InvocationError` `unsupportedType` with the reason for a closure that is passed in neither form.
  static func plan(_ type: SwiftFunctionType, _ layouts: SwiftTypeLayouts) throws(InvocationError) -> SwiftClosurePlan? {
    guard let convention = SwiftKernel.convention else { return nil }
    func refused(_ reason: String) -> InvocationError {
      InvocationError(.unsupportedType, "the closure \(type.metadata.name) cannot be passed: \(reason)")
    }
    if let reason = type.refusal ?? (type.isAsync ? "it is asynchronous" : nil) { throw refused(reason) }
    var types = SwiftCallTypes([])
    do throws(InvocationError) {
      for parameter in type.parameters {
        try SwiftRepresentation.requireSame(parameter.type, layouts)
        types.parameters.append(SwiftCallTypes.Parameter(try layouts.layout(of: parameter.type.type), isInOut: parameter.isInOut))
      }
      try SwiftRepresentation.requireSame(type.result, layouts)
      types.result = try layouts.layout(of: type.result.type)
    } catch {
      throw refused(error.reason)
    }
    let values = convention.layout(of: types)
    var generic = type.typesByAddress
    if type.result.size == 0 { generic.result = .void }
    let addresses = convention.layout(of: generic)
    if Self.isSame(values, addresses) { return nil }
    guard let entry = unsafe SwiftKernel.closureEntry else { throw refused("closures are converted on Linux only, on x86-64 and AArch64") }
    let hasParts = (values.arguments + [values.result.elements]).contains { $0.count > 1 && $0.contains(where: \.isAddress) }
    guard !hasParts, values.result.moves.isEmpty, values.result.elements.isEmpty || values.result.pieces.isEmpty else {
      throw refused("a tuple in it is passed in registers and by addresses")
    }
    return unsafe SwiftClosurePlan(type, Places(values, by: convention), Places(addresses, by: convention), entry: entry)
  }

  /// Whether two layouts have the same locations.
  private static func isSame(_ values: SwiftCallLayout, _ addresses: SwiftCallLayout) -> Bool {
    func words(_ pieces: [SwiftCallLayout.Piece]) -> [CallLayout.Location?] { pieces.map { $0.isAddress ? $0.location : nil } }
    return values.arguments.map(words) == addresses.arguments.map(words) && values.result.pieces.isEmpty
      && values.result.moves.isEmpty && values.result.address == nil && words(values.result.elements) == words(addresses.result.elements)
  }

  private init(_ type: SwiftFunctionType, _ values: Places, _ addresses: Places, entry: UnsafeRawPointer) {
    self.type = type.metadata
    unsafe self.entry = unsafe entry
    self.values = values
    self.addresses = addresses
    words = zip(addresses.entered.arguments, addresses.called.arguments).map { ($0[0].word, $1[0].word) }
    var memory = SwiftValueMemory()
    buffers = type.parameters.map { memory.reserve($0.type) }
    resultBuffer = memory.reserve(type.result)
    bufferSize = memory.size.roundedUp(to: memory.alignment)
    alignment = memory.alignment
  }
}

extension SwiftFunctionType {
  /// The types of a call by generic code: the address of each parameter, and of the result.
  package var typesByAddress: SwiftCallTypes {
    var types = SwiftCallTypes(parameters.map { _ in SwiftCallTypes.Parameter(.void, isInOut: true) })
    types.result = SwiftTypeLayout(size: result.size, alignment: result.alignment, isAddressOnly: true)
    types.isAsync = isAsync
    return types
  }
}

/// The context of a closure that calls another one, whose values are passed in another way.
///
/// The compiler passes a closure that is an argument of a function as code that takes its values in registers, as a
/// function of the same types does. A closure in a generic container, such as `Any`, is code that takes the address of
/// each value. The code of an adapter is an entry in assembly: it stores the registers in a frame, and calls ``run``.
///
/// An adapter is immutable. It is the context of a function value, so it is used where the closure may be used.
@safe
package final class SwiftClosureAdapter: @unchecked Sendable {
  // Unchecked Sendable: the closure is not changed, and the function value has the isolation of its type.

  private typealias Run = @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void

  /// The function that the entry calls with the frame and this object, in the first field, which the entry reads.
  private let run: Run
  private let plan: SwiftClosurePlan
  private let code: UnsafeRawPointer
  private let context: UnsafeRawPointer?

  private init(_ plan: SwiftClosurePlan, _ run: @escaping Run, code: UnsafeRawPointer, context: UnsafeRawPointer?) {
    unsafe self.run = unsafe run
    self.plan = plan
    unsafe self.code = unsafe code
    unsafe self.context = unsafe context
  }

  deinit {
    var words = unsafe (code, context)
    unsafe withUnsafeMutableBytes(of: &words) { unsafe plan.type.destroy($0.baseAddress.unsafelyUnwrapped) }
  }

  /// Replaces a closure in the form of generic code by one in the form that a function receives.
  ///
  /// - Parameter memory: The code and the context of the closure, whose ownership the new closure takes; null code is nil
  ///   of an optional.
  @unsafe
  package static func lower(_ memory: UnsafeMutableRawPointer, _ plan: SwiftClosurePlan) {
    unsafe replace(memory, plan) { frame, object in
      let adapter = unsafe Unmanaged<SwiftClosureAdapter>.fromOpaque(object)
      unsafe adapter._withUnsafeGuaranteedRef { unsafe $0.callByAddresses(frame) }
    }
  }

  /// Replaces a closure that a function has returned by one in the form of generic code.
  ///
  /// - Parameter memory: As for ``lower(_:_:)``.
  @unsafe
  package static func raise(_ memory: UnsafeMutableRawPointer, _ plan: SwiftClosurePlan) {
    unsafe replace(memory, plan) { frame, object in
      let adapter = unsafe Unmanaged<SwiftClosureAdapter>.fromOpaque(object)
      unsafe adapter._withUnsafeGuaranteedRef { unsafe $0.callByValues(frame) }
    }
  }

  @unsafe
  private static func replace(_ memory: UnsafeMutableRawPointer, _ plan: SwiftClosurePlan, _ run: @escaping Run) {
    guard let code = unsafe memory.load(as: UnsafeRawPointer?.self) else { return }
    let context = unsafe memory.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
    let adapter = unsafe SwiftClosureAdapter(plan, run, code: code, context: context)
    let object = unsafe Unmanaged.passRetained(adapter).toOpaque()
    unsafe memory.storeBytes(of: plan.entry, as: UnsafeRawPointer.self)
    unsafe memory.storeBytes(of: object, toByteOffset: 8, as: UnsafeMutableRawPointer.self)
  }

  /// Makes the call of a frame, whose registers contain values, by a closure that takes addresses.
  @unsafe
  private func callByAddresses(_ frame: UnsafeMutableRawPointer) {
    unsafe call(frame, plan.addresses.called) { called, buffer in
      for (index, parts) in plan.values.entered.arguments.enumerated() {
        let memory = unsafe buffer + plan.buffers[index]
        var value = UnsafeRawPointer(memory)
        if let part = parts.first, part.form == .address {
          unsafe value = frame.load(fromByteOffset: part.word, as: UnsafeRawPointer.self)
        }
        for part in parts { unsafe part.load(from: frame, to: memory) }
        unsafe called.storeBytes(of: value, toByteOffset: plan.words[index].called, as: UnsafeRawPointer.self)
      }
      let address = plan.values.entered.wholeResultAddress
      let result = unsafe address.map { unsafe frame.load(fromByteOffset: $0, as: UnsafeMutableRawPointer.self) }
      unsafe called.storeBytes(
        of: result ?? buffer + plan.resultBuffer, toByteOffset: SwiftKernel.indirectResult, as: UnsafeMutableRawPointer.self)
    } finish: { called, buffer in
      for part in plan.values.entered.resultParts { unsafe part.store(buffer + plan.resultBuffer, to: frame) }
    }
  }

  /// Makes the call of a frame, whose registers contain addresses, by a closure that takes values.
  @unsafe
  private func callByValues(_ frame: UnsafeMutableRawPointer) {
    let result = unsafe frame.load(fromByteOffset: SwiftKernel.indirectResult, as: UnsafeMutableRawPointer.self)
    unsafe call(frame, plan.values.called) { called, _ in
      for (index, parts) in plan.values.called.arguments.enumerated() {
        let value = unsafe frame.load(fromByteOffset: plan.words[index].entered, as: UnsafeRawPointer.self)
        for part in parts { unsafe part.store(value, to: called) }
      }
      if let address = plan.values.called.wholeResultAddress {
        unsafe called.storeBytes(of: result, toByteOffset: address, as: UnsafeMutableRawPointer.self)
      }
    } finish: { called, _ in
      for part in plan.values.called.resultParts { unsafe part.load(from: called, to: result) }
    }
  }

  /// Calls the closure with a frame of a kernel and a buffer for values, and passes its error on to a frame.
  ///
  /// - Parameter finish: Passes on the result, if there is no error.
  @unsafe
  private func call(
    _ frame: UnsafeMutableRawPointer, _ map: SwiftFrameMap, _ start: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void,
    finish: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void
  ) {
    unsafe withUnsafeTemporaryAllocation(byteCount: plan.bufferSize + map.size, alignment: plan.alignment) { memory in
      let buffer = unsafe memory.baseAddress.unsafelyUnwrapped
      let called = unsafe buffer + plan.bufferSize
      unsafe start(called, buffer)
      unsafe called.storeBytes(of: context, toByteOffset: SwiftKernel.selfWord, as: UnsafeRawPointer?.self)
      unsafe map.call(code, called)
      let error = unsafe called.load(fromByteOffset: SwiftKernel.error, as: UInt.self)
      // Without an error the register keeps its value, which belongs to the caller of a closure that does not throw.
      guard error == 0 else { return unsafe frame.storeBytes(of: error, toByteOffset: SwiftKernel.error, as: UInt.self) }
      unsafe finish(called, buffer)
    }
  }
}
