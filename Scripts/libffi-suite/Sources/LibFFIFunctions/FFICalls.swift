import DynamicInvocation
public import LibFFIShim
import Synchronization

/// The numbers of fixed arguments of the variadic call interfaces, by their addresses.
private let fixedCounts: Mutex<[UInt: Int]> = Mutex([:])
/// The signatures of the call interfaces that were used since they were prepared, by their addresses.
private let signatures: Mutex<[UInt: MethodSignature]> = Mutex([:])

/// Records that a call interface is prepared anew.
private func renew(_ cif: UnsafeMutablePointer<ffi_cif>, fixedCount: Int?) {
  fixedCounts.withLock { $0[UInt(bitPattern: cif)] = fixedCount }
  signatures.withLock { $0[UInt(bitPattern: cif)] = nil }
}

/// The signature of a call interface.
private func signature(of cif: UnsafeMutablePointer<ffi_cif>) throws -> MethodSignature {
  if let known = signatures.withLock({ $0[UInt(bitPattern: cif)] }) { return known }
  let fixedCount = fixedCounts.withLock { $0[UInt(bitPattern: cif)] }
  let signature = try MethodSignature(FFITypes(cif).types, fixedArgumentCount: fixedCount, backend: .native)
  signatures.withLock { $0[UInt(bitPattern: cif)] = signature }
  return signature
}

/// Prepares a call interface as libffi does, as the tests look at its fields.
@_cdecl("ffi_prep_cif")
public func prepare(
  _ cif: UnsafeMutablePointer<ffi_cif>, _ abi: ffi_abi, _ count: UInt32, _ result: UnsafeMutablePointer<ffi_type>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<ffi_type>?>?
) -> ffi_status {
  renew(cif, fixedCount: nil)
  return shim_prep_cif(cif, abi, count, result, arguments)
}

/// Prepares the call interface of a variadic function.
@_cdecl("ffi_prep_cif_var")
public func prepareVariadic(
  _ cif: UnsafeMutablePointer<ffi_cif>, _ abi: ffi_abi, _ fixed: UInt32, _ count: UInt32, _ result: UnsafeMutablePointer<ffi_type>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<ffi_type>?>?
) -> ffi_status {
  renew(cif, fixedCount: Int(fixed))
  return shim_prep_cif_var(cif, abi, fixed, count, result, arguments)
}

/// Calls a function by the engine; a function of another convention than the platform's by libffi.
@_cdecl("ffi_call")
public func call(
  _ cif: UnsafeMutablePointer<ffi_cif>, _ function: @convention(c) () -> Void, _ result: UnsafeMutableRawPointer?,
  _ arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) {
  guard cif.pointee.abi == FFI_DEFAULT_ABI else { return shim_call(cif, function, result, arguments) }
  do {
    let signature = try signature(of: cif)
    let types = signature.types
    let invocation = Invocation(signature, retainsArguments: false)
    for index in types.arguments.indices {
      if let value = arguments?[index] { try invocation.setArgument(from: value, at: index) }
    }
    try invocation.invoke(using: Implementation(unsafeBitCast(function, to: UnsafeRawPointer.self)))
    guard let result, let size = types.result.size, size > 0 else { return }
    guard case .scalar(let scalar) = types.result.kind, scalar.isInteger, size < 8 else {
      return try invocation.getReturnValue(into: result)
    }
    // libffi returns a narrow integer as a whole word.
    var word: UInt64 = 0
    try invocation.getReturnValue(into: &word)
    let unused = 64 - 8 * size
    let isSigned = "csi".contains(types.result.description)
    result.storeBytes(of: isSigned ? UInt64(bitPattern: Int64(bitPattern: word << unused) >> unused) : word, as: UInt64.self)
  } catch {
    fatalError("ffi_call: \(error)")
  }
}
