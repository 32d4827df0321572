internal import CFFIShim

/// A call with libffi: the prepared call interface and the offsets of its arguments in a frame.
///
/// It is immutable, so it may be used from any thread.
@safe
package final class LibFFIBackend: @unchecked Sendable {
  private let plan: UnsafeMutablePointer<cffi_call_plan>
  private let memory: LibFFIMemory
  /// The libffi types of the arguments and the result, for explanations.
  package let lowering: LibFFILowering

  /// Prepares a call.
  ///
  /// All calls with libffi are prepared here, so only this initializer refuses them in a build without libffi.
  ///
  /// - Parameters:
  ///   - lowering: The libffi arguments.
  ///   - fixedCount: For a variadic function, the number of libffi arguments that are fixed.
  init(_ lowering: LibFFILowering, fixedCount: Int?) throws(InvocationError) {
    guard cffi_has_libffi() else {
      throw InvocationError(.unsupportedType, "a call with libffi needs the trait LibFFI of swift-invocation, without which this was built")
    }
    let memory = LibFFIMemory()
    let result = unsafe memory.type(lowering.result)
    let arguments = unsafe memory.types(lowering.arguments.map(\.type))
    let offsets = unsafe memory.allocate(UInt32.self, count: lowering.arguments.count)
    for (index, argument) in lowering.arguments.enumerated() { unsafe offsets[index] = UInt32(argument.offset) }
    var copied: UnsafeMutablePointer<UInt32>?
    if lowering.arguments.contains(where: { $0.copied > 0 }) {
      let sizes = unsafe memory.allocate(UInt32.self, count: lowering.arguments.count)
      for (index, argument) in lowering.arguments.enumerated() { unsafe sizes[index] = UInt32(argument.copied) }
      unsafe copied = sizes
    }
    let interface = unsafe memory.allocate(cffi_interface.self, count: 1)
    unsafe interface.initialize(to: cffi_interface())
    let status = unsafe cffi_prepare(
      interface, CInt(fixedCount ?? -1), UInt32(lowering.arguments.count), result, arguments)
    guard status == 0 else {
      throw InvocationError(.unsupportedType, "libffi refuses the signature with status \(status)")
    }
    let plan = unsafe memory.allocate(cffi_call_plan.self, count: 1)
    unsafe plan.initialize(
      to: cffi_call_plan(interface: interface, offsets: offsets, copied: copied, pieces: Self.pieces(lowering), piece_count: 0))
    unsafe plan.pointee.piece_count = lowering.resultPieces.map { Int32($0.count) } ?? -1
    unsafe self.plan = plan
    self.memory = memory
    self.lowering = lowering
  }

  private static func pieces(
    _ lowering: LibFFILowering
  ) -> (cffi_result_piece, cffi_result_piece, cffi_result_piece, cffi_result_piece) {
    func piece(_ index: Int) -> cffi_result_piece {
      guard let pieces = lowering.resultPieces, index < pieces.count else { return cffi_result_piece() }
      return cffi_result_piece(
        source: UInt16(pieces[index].source), offset: UInt16(pieces[index].offset), size: UInt16(pieces[index].size))
    }
    return (piece(0), piece(1), piece(2), piece(3))
  }

  /// The third argument of the kernel.
  package var context: UnsafeRawPointer { unsafe UnsafeRawPointer(plan) }
}

/// The owner of the memory that a prepared call points to: type descriptors, their lists of members, the call
/// interface.
@safe
final class LibFFIMemory {
  private var blocks: [UnsafeMutableRawPointer] = unsafe []
  /// A struct of more than 32 bytes.
  ///
  /// A struct with such a member is passed in memory by libffi.
  private var memoryMarker: UnsafeMutablePointer<cffi_type>?

  init() {}

  deinit {
    for index in unsafe blocks.indices { unsafe blocks[index].deallocate() }
  }

  /// Allocates memory for trivial values, which is deallocated with the owner.
  func allocate<Value: BitwiseCopyable>(_ type: Value.Type, count: Int) -> UnsafeMutablePointer<Value> {
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, MemoryLayout<Value>.stride * count), alignment: max(16, MemoryLayout<Value>.alignment))
    unsafe blocks.append(block)
    return unsafe block.bindMemory(to: type, capacity: count)
  }

  /// Returns the descriptors of a list of types, terminated by nil, as libffi requires for the members of a struct.
  func types(_ types: [LibFFILowering.LoweredType]) -> UnsafeMutablePointer<UnsafeMutablePointer<cffi_type>?> {
    let list = unsafe allocate(UnsafeMutablePointer<cffi_type>?.self, count: types.count + 1)
    for (index, type) in types.enumerated() { unsafe (list + index).initialize(to: self.type(type)) }
    unsafe (list + types.count).initialize(to: nil)
    return unsafe list
  }

  /// Returns the descriptor of a type.
  func type(_ type: LibFFILowering.LoweredType) -> UnsafeMutablePointer<cffi_type> {
    switch type {
    case .scalar(let scalar):
      return unsafe cffi_scalar_type(scalar)
    case .aggregate(let members, let size, let alignment):
      return unsafe aggregate(types(members), size: size, alignment: alignment)
    case .memory(let size, let alignment):
      let members = unsafe allocate(UnsafeMutablePointer<cffi_type>?.self, count: 2)
      unsafe members.initialize(to: marker())
      unsafe (members + 1).initialize(to: nil)
      return unsafe aggregate(members, size: size, alignment: alignment)
    }
  }

  private func aggregate(
    _ members: UnsafeMutablePointer<UnsafeMutablePointer<cffi_type>?>, size: Int, alignment: Int
  ) -> UnsafeMutablePointer<cffi_type> {
    let type = unsafe allocate(cffi_type.self, count: 1)
    unsafe cffi_make_aggregate(type, size, UInt16(alignment), members)
    return unsafe type
  }

  private func marker() -> UnsafeMutablePointer<cffi_type> {
    if let memoryMarker = unsafe memoryMarker { return unsafe memoryMarker }
    let marker = unsafe aggregate(types([.scalar(.uint64)]), size: 64, alignment: 8)
    unsafe memoryMarker = marker
    return unsafe marker
  }
}

// MARK: - Lib ffi

extension CallPlan {
  /// The minimum number of bytes for the result at the start of a frame.
  ///
  /// It is four words, so that libffi does not write past a small result.
  private static let smallestResult = 32

  /// Plans a call with libffi on x86-64, where the lowering follows the locations that the convention assigns.
  convenience init(libffi layout: CallLayout, types: MethodTypes, fixedCount: Int?) throws(InvocationError) {
    let frame = try Self.naturalFrame(types)
    let lowering = try LibFFILowering(systemV: layout, types: types, slots: frame.arguments)
    try self.init(lowering, frame, fixedCount: fixedCount)
  }

  /// Plans a call with libffi on a processor whose convention libffi implements.
  ///
  /// - Parameter isAAPCS64: Whether structs and unions are passed as AAPCS64 does.
  convenience init(portable types: MethodTypes, isAAPCS64: Bool = false, fixedCount: Int?) throws(InvocationError) {
    let frame = try Self.naturalFrame(types)
    let lowering = try LibFFILowering(portable: types, isAAPCS64: isAAPCS64, slots: frame.arguments)
    try self.init(lowering, frame, fixedCount: fixedCount)
  }

  private convenience init(
    _ lowering: LibFFILowering, _ frame: (arguments: [FrameSlot], result: FrameSlot, size: Int), fixedCount: Int?
  ) throws(InvocationError) {
    guard lowering.stackSize <= Self.largestStack else {
      throw InvocationError(.limitExceeded, "arguments of more than \(Self.largestStack) bytes on the stack")
    }
    let fixedParts = fixedCount.map { fixed in lowering.arguments.count { $0.index < fixed } }
    let backend = try LibFFIBackend(lowering, fixedCount: fixedParts)
    unsafe self.init(
      arguments: frame.arguments, result: frame.result, frameSize: frame.size, kernel: cffi_kernel_libffi,
      context: backend.context, backend: .libffi(backend))
  }

  /// Computes the layout of a frame with the result followed by the arguments, each aligned as its type requires, to at
  /// least 8 and at most 16 bytes.
  private static func naturalFrame(
    _ types: MethodTypes
  ) throws(InvocationError) -> (arguments: [FrameSlot], result: FrameSlot, size: Int) {
    let resultSize = types.result.size ?? 0
    guard resultSize <= largestFrame else { throw frameTooLarge(.result, types.result) }
    let result = FrameSlot(kind: types.result.valueKind, size: resultSize, offset: 0, storage: FrameSlot.storage(of: types.result))
    var end = max(resultSize.roundedUp(to: 16), smallestResult)
    var slots: [FrameSlot] = []
    slots.reserveCapacity(types.arguments.count)
    for (index, type) in types.arguments.enumerated() {
      let passed = FrameSlot.Passed(type)
      let offset = end.roundedUp(to: max(8, min(passed.alignment, 16)))
      let slot = FrameSlot(kind: passed.kind, size: passed.size, offset: offset, storage: FrameSlot.storage(of: type))
      slots.append(slot)
      end = offset + slot.extent
      guard end <= largestFrame else { throw frameTooLarge(.index(index), type) }
    }
    return (slots, result, end.roundedUp(to: 16))
  }

  /// Returns the error for a frame that exceeds ``largestFrame``.
  static func frameTooLarge(_ place: InvocationError.Argument, _ type: TypeEncoding) -> InvocationError {
    InvocationError(
      .limitExceeded, "a frame of more than \(largestFrame) bytes", argument: place, encoding: type.description)
  }
}
