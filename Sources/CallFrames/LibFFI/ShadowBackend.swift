internal import CFFIShim

/// A backend that calls with a native kernel and with libffi, and compares the results.
///
/// It is immutable, so it may be used from any thread.
@safe
package final class ShadowBackend: Sendable {
  /// The plan of the frame that an invocation fills and that receives the result.
  let native: CallPlan
  /// The plan that repeats the call.
  let libffi: CallPlan
  private let types: MethodTypes

  init(_ types: MethodTypes, fixedCount: Int?) throws(InvocationError) {
    native = try CallPlan.make(types, fixedCount: fixedCount, backend: .native)
    libffi = try CallPlan.make(types, fixedCount: fixedCount, backend: .libffi)
    self.types = types
  }

  /// The kernel, whose context is the backend object.
  package static let kernel: CallPlan.Kernel = { frame, implementation, context in
    guard let context = unsafe context else { preconditionFailure("a shadow call without its backend") }
    unsafe Unmanaged<ShadowBackend>.fromOpaque(context).takeUnretainedValue().call(implementation, frame: frame)
  }

  /// Calls with the native kernel, then with libffi and the same arguments.
  ///
  /// Traps if the results differ.
  private func call(_ implementation: UnsafeRawPointer, frame: UnsafeMutableRawPointer) {
    unsafe withUnsafeTemporaryAllocation(byteCount: libffi.frameSize, alignment: libffi.frameAlignment) { memory in
      let copy = unsafe memory.baseAddress.unsafelyUnwrapped
      for index in 0..<native.count {
        unsafe native.slots[index].withValue(in: frame) { unsafe libffi.slots[index].write(from: $0, to: copy) }
      }
      unsafe libffi.prepare(copy)
      unsafe native.call(implementation, frame: frame)
      unsafe libffi.call(implementation, frame: copy)
      let difference = unsafe native.result.withValue(in: frame) { left in
        unsafe libffi.result.withValue(in: copy) { right in unsafe types.result.firstDifference(left, right) }
      }
      if let difference {
        preconditionFailure(
          unsafe """
          the backends differ at byte \(difference) of the result of '\(types.text())': \
          natively \(native.result.hexadecimalText(in: frame)), by libffi \(libffi.result.hexadecimalText(in: copy))
          """)
      }
    }
  }
}

extension CallPlan {
  /// Plans a call with both backends, in a frame of the native backend.
  convenience init(shadow types: MethodTypes, fixedCount: Int?) throws(InvocationError) {
    let backend = try ShadowBackend(types, fixedCount: fixedCount)
    let native = backend.native
    unsafe self.init(
      arguments: Array(UnsafeBufferPointer(start: native.slots, count: native.count)), result: native.result, frameSize: native.frameSize,
      frameAlignment: native.frameAlignment, resultAddressOffset: native.resultAddressOffset, kernel: ShadowBackend.kernel,
      context: UnsafeRawPointer(Unmanaged.passUnretained(backend).toOpaque()), backend: .shadow(backend))
  }
}

extension TypeEncoding {
  /// Returns the offset of the first byte in which two values of the type differ, or nil.
  ///
  /// Padding is ignored. So are pointers and objects, since each of two calls may create its own, and unions, since the
  /// member that is set is unknown.
  func firstDifference(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Int? {
    switch kind {
    case .void, .unknown, .bitField, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .union: return nil
    case .scalar(let scalar): return unsafe Self.firstDifference(left, right, count: scalar.traits.valueBytes)
    case .complex(let part):
      for start in [0, part.size] {
        if let byte = unsafe Self.firstDifference(left + start, right + start, count: part.traits.valueBytes) { return start + byte }
      }
      return nil
    case .vector(let element, let count, _, _): return unsafe Self.firstDifference(left, right, count: element.size * count)
    case .array(let count, let element):
      let stride = element.stride ?? 0
      for start in (0..<count).lazy.map({ $0 * stride }) {
        if let byte = unsafe element.firstDifference(left + start, right + start) { return start + byte }
      }
      return nil
    case .structure(let record):
      for field in record.fields ?? [] {
        if let byte = unsafe field.firstDifference(left, right) { return byte }
      }
      return nil
    }
  }

  private static func firstDifference(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Int? {
    (0..<count).first { unsafe left.load(fromByteOffset: $0, as: UInt8.self) != right.load(fromByteOffset: $0, as: UInt8.self) }
  }
}

extension TypeEncoding.Field {
  /// Returns the offset of the first byte in which the member differs in two values of its struct, or nil.
  fileprivate func firstDifference(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Int? {
    guard case .bitField = type.kind else {
      return unsafe type.firstDifference(left + offset, right + offset).map { offset + $0 }
    }
    for bit in bits ?? 0..<0 {
      let (byte, mask) = (bit / 8, UInt8(1) << UInt8(bit % 8))
      let bytes = unsafe (left.load(fromByteOffset: byte, as: UInt8.self), right.load(fromByteOffset: byte, as: UInt8.self))
      if (bytes.0 ^ bytes.1) & mask != 0 { return byte }
    }
    return nil
  }
}

extension FrameSlot {
  /// The bytes of the value as text, for messages.
  fileprivate func hexadecimalText(in frame: UnsafeRawPointer) -> String {
    unsafe withValue(in: frame) { unsafe HexadecimalText.text(of: UnsafeRawBufferPointer(start: $0, count: Int(size))) }
  }
}
