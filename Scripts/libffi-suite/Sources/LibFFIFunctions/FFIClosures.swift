import DynamicInvocation
public import LibFFIShim
import Synchronization

/// The closures by the addresses of their code.
private let closures: Mutex<[UInt: Closure]> = Mutex([:])
/// The code of each memory that a program got for a closure.
private let codes: Mutex<[UInt: UInt]> = Mutex([:])

/// Returns memory for a closure, and its code.
@_cdecl("ffi_closure_alloc")
public func allocateClosure(_ size: Int, _ code: UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> UnsafeMutableRawPointer? {
  code.pointee = shim_make_jump()
  let memory = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: 16)
  codes.withLock { $0[UInt(bitPattern: memory)] = UInt(bitPattern: code.pointee) }
  return memory
}

/// Frees a closure.
@_cdecl("ffi_closure_free")
public func freeClosure(_ memory: UnsafeMutableRawPointer?) {
  guard let memory, let code = codes.withLock({ $0.removeValue(forKey: UInt(bitPattern: memory)) }) else { return }
  closures.withLock { $0[code] = nil }
  shim_free_jump(UnsafeMutableRawPointer(bitPattern: code))
  memory.deallocate()
}

/// What a closure calls.
// Unchecked Sendable: the pointers belong to the program, which calls on any thread.
private struct ClosureTarget: @unchecked Sendable {
  let cif: UnsafeMutablePointer<ffi_cif>
  let function: ClosureFunction
  let userData: UnsafeMutableRawPointer?

  func run(_ call: inout IncomingCall, _ types: MethodTypes) {
    let sizes = types.arguments.map { $0.size ?? 8 }
    let offsets = sizes.reduce(into: [0]) { offsets, size in offsets.append(offsets[offsets.count - 1] + (size + 31) / 32 * 32) }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: offsets[sizes.count] + 32, alignment: 32)
    let result = UnsafeMutableRawPointer.allocate(byteCount: (types.result.size ?? 0) + 32, alignment: 32)
    defer {
      memory.deallocate()
      result.deallocate()
    }
    var arguments: [UnsafeMutableRawPointer?] = offsets.dropLast().map { memory + $0 }
    do {
      for index in sizes.indices where sizes[index] > 0 { try call.getArgument(into: memory + offsets[index], at: index) }
    } catch {
      fatalError("a closure's argument: \(error)")
    }
    arguments.withUnsafeMutableBufferPointer { shim_run(function, cif, result, $0.baseAddress, userData) }
    if types.result.size ?? 0 > 0 { call.setReturnValue(from: result) }
  }
}

/// Makes a closure of the code that was allocated for it.
@_cdecl("ffi_prep_closure_loc")
public func prepareClosure(
  _ memory: UnsafeMutableRawPointer, _ cif: UnsafeMutablePointer<ffi_cif>, _ function: ClosureFunction,
  _ userData: UnsafeMutableRawPointer?, _ code: UnsafeMutableRawPointer
) -> ffi_status {
  guard cif.pointee.abi == FFI_DEFAULT_ABI else { return FFI_BAD_ABI }
  let target = ClosureTarget(cif: cif, function: function, userData: userData)
  do {
    let types = try FFITypes(cif).types
    let closure = try Closure(MethodSignature(types)) { call in target.run(&call, types) }
    shim_set_jump(code, closure.pointer)
    closures.withLock { $0[UInt(bitPattern: code)] = closure }
    return FFI_OK
  } catch {
    fatalError("ffi_prep_closure_loc: \(error)")
  }
}

/// The function that a program gives a closure.
public typealias ClosureFunction =
  @convention(c) (
    UnsafeMutablePointer<ffi_cif>?, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?, UnsafeMutableRawPointer?
  ) -> Void
