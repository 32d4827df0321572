public import DynamicInvocation

/// A backend that calls with a native kernel and with libffi, and compares the results.
///
/// It is immutable, so it may be used from any thread.
public final class ShadowBackend: Sendable {
  /// The plan of the frame that an invocation fills and that receives the result.
  let native: CallPlan
  /// The plan that repeats the call.
  let libffi: CallPlan
  private let types: MethodTypes

  private init(_ types: MethodTypes, fixedCount: Int?) throws(InvocationError) {
    native = try CallPlan.make(types, fixedCount: fixedCount, backend: .native)
    libffi = try CallPlan.make(types, fixedCount: fixedCount, backend: .libffi)
    self.types = types
  }

  /// The kernel, whose context is the backend object.
  private static let kernel: CallPlan.Kernel = { frame, implementation, context in
    guard let context = context else { preconditionFailure("a shadow call without its backend") }
    Unmanaged<ShadowBackend>.fromOpaque(context).takeUnretainedValue().call(implementation, frame: frame)
  }

  /// Calls with the native kernel, then with libffi and the same arguments.
  ///
  /// Traps if the results differ.
  private func call(_ implementation: UnsafeRawPointer, frame: UnsafeMutableRawPointer) {
    withUnsafeTemporaryAllocation(byteCount: libffi.frameSize, alignment: libffi.frameAlignment) { memory in
      let copy = memory.baseAddress.unsafelyUnwrapped
      for index in 0..<native.count {
        native.slots[index].withValue(in: frame) { libffi.slots[index].write(from: $0, to: copy) }
      }
      libffi.prepare(copy)
      native.call(implementation, frame: frame)
      libffi.call(implementation, frame: copy)
      let difference = native.result.withValue(in: frame) { left in
        libffi.result.withValue(in: copy) { right in types.result.firstDifference(left, right) }
      }
      if let difference {
        preconditionFailure(
          """
          the backends differ at byte \(difference) of the result of '\(types.text())': \
          natively \(native.result.hexadecimalText(in: frame)), by libffi \(libffi.result.hexadecimalText(in: copy))
          """)
      }
    }
  }
}

extension ShadowBackend {
  /// Plans a call with both backends, in a frame of the native backend.
  fileprivate static func plan(_ types: MethodTypes, fixedCount: Int?) throws(InvocationError) -> CallPlan {
    let backend = try ShadowBackend(types, fixedCount: fixedCount)
    let native = backend.native
    return CallPlan(
      arguments: Array(UnsafeBufferPointer(start: native.slots, count: native.count)), result: native.result, frameSize: native.frameSize,
      frameAlignment: native.frameAlignment, resultAddressOffset: native.resultAddressOffset, kernel: kernel,
      context: UnsafeRawPointer(Unmanaged.passUnretained(backend).toOpaque()), backend: native.backend, keeping: backend)
  }
}

extension MethodSignature {
  /// Creates a signature whose calls are made by a native kernel, then by libffi with the same arguments.
  ///
  /// The implementation is called twice, so it must be safe to call twice. The call returns the result of the native
  /// kernel and traps if the result of libffi differs. Padding, pointers, objects and unions are not compared.
  ///
  /// - Throws: `InvocationError` `unsupportedType` for types that one of the backends cannot pass.
  public init(shadowing types: MethodTypes, fixedArgumentCount: Int? = nil) throws(InvocationError) {
    let plan = try ShadowBackend.plan(types, fixedCount: fixedArgumentCount)
    self.init(storage: PlannedSignature(types: types, fixedCount: fixedArgumentCount, plan: plan))
  }
}

extension TypeEncoding {
  /// Returns the offset of the first byte in which two values of the type differ, or nil.
  ///
  /// Padding is ignored. So are pointers and objects, since each of two calls may create its own, and unions, since the
  /// member that is set is unknown.
  public func firstDifference(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Int? {
    switch kind {
    case .void, .unknown, .bitField, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .union: return nil
    case .scalar(let scalar): return Self.firstDifference(left, right, count: scalar.traits.valueBytes)
    case .complex(let part):
      for start in [0, part.size] {
        if let byte = Self.firstDifference(left + start, right + start, count: part.traits.valueBytes) { return start + byte }
      }
      return nil
    case .vector(let element, let count, _, _): return Self.firstDifference(left, right, count: element.size * count)
    case .array(let count, let element):
      let stride = element.stride ?? 0
      for start in (0..<count).lazy.map({ $0 * stride }) {
        if let byte = element.firstDifference(left + start, right + start) { return start + byte }
      }
      return nil
    case .structure(let record):
      for field in record.fields ?? [] {
        if let byte = field.firstDifference(left, right) { return byte }
      }
      return nil
    }
  }

  private static func firstDifference(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Int? {
    (0..<count).first { left.load(fromByteOffset: $0, as: UInt8.self) != right.load(fromByteOffset: $0, as: UInt8.self) }
  }
}

extension TypeEncoding.Field {
  /// Returns the offset of the first byte in which the member differs in two values of its struct, or nil.
  fileprivate func firstDifference(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Int? {
    guard case .bitField = type.kind else {
      return type.firstDifference(left + offset, right + offset).map { offset + $0 }
    }
    for bit in bits ?? 0..<0 {
      let (byte, mask) = (bit / 8, UInt8(1) << UInt8(bit % 8))
      let bytes = (left.load(fromByteOffset: byte, as: UInt8.self), right.load(fromByteOffset: byte, as: UInt8.self))
      if (bytes.0 ^ bytes.1) & mask != 0 { return byte }
    }
    return nil
  }
}

extension FrameSlot {
  /// The bytes of the value as text, for messages.
  fileprivate func hexadecimalText(in frame: UnsafeRawPointer) -> String {
    withValue(in: frame) { HexadecimalText.text(of: UnsafeRawBufferPointer(start: $0, count: Int(size))) }
  }
}
