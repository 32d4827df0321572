internal import CFFIShim

/// A call carried out by libffi: the prepared call interface and where its arguments lie in a frame.
///
/// Immutable once made, so it may be used from any thread.
@safe
final class LibFFILane: @unchecked Sendable {
  private let plan: UnsafeMutablePointer<cffi_call_plan>
  private let memory: LibFFIMemory
  /// What each argument was lowered to, for explanations.
  let lowering: LibFFILowering

  /// Prepares a call.
  ///
  /// - Parameters:
  ///   - lowering: The libffi arguments.
  ///   - fixedCount: For a variadic function the number of libffi arguments that are fixed.
  init(_ lowering: LibFFILowering, fixedCount: Int?) throws(InvocationError) {
    let memory = LibFFIMemory()
    let result = unsafe memory.type(lowering.result)
    let arguments = unsafe memory.types(lowering.arguments.map(\.type))
    let offsets = unsafe memory.allocate(UInt32.self, count: lowering.arguments.count)
    for (index, argument) in lowering.arguments.enumerated() { unsafe offsets[index] = UInt32(argument.offset) }
    let cif = unsafe memory.allocate(ffi_cif.self, count: 1)
    unsafe cif.initialize(to: ffi_cif())
    let status = unsafe cffi_prepare(
      cif, CInt(fixedCount ?? -1), UInt32(lowering.arguments.count), result, arguments)
    guard status == 0 else {
      throw InvocationError(.unsupportedType, "libffi refuses the signature with status \(status)")
    }
    let plan = unsafe memory.allocate(cffi_call_plan.self, count: 1)
    unsafe plan.initialize(to: cffi_call_plan(cif: cif, offsets: offsets, pieces: Self.pieces(lowering), piece_count: 0))
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

  /// What the kernel of this lane is given.
  var context: UnsafeRawPointer { unsafe UnsafeRawPointer(plan) }
}
