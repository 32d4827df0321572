import CFFIShim

/// A call through nothing but libffi, as a program without the engine makes it.
///
/// It shows what the installed libffi does.
final class RawLibFFI {
  typealias TypePointer = UnsafeMutablePointer<ffi_type>

  private var blocks: [UnsafeMutableRawPointer] = []
  private let cif: UnsafeMutablePointer<ffi_cif> = .allocate(capacity: 1)

  deinit {
    for block in blocks { block.deallocate() }
    cif.deallocate()
  }

  /// A struct that libffi lays out.
  func structure(_ members: [TypePointer]) -> TypePointer {
    let list = UnsafeMutablePointer<TypePointer?>.allocate(capacity: members.count + 1)
    for (index, member) in members.enumerated() { (list + index).initialize(to: member) }
    (list + members.count).initialize(to: nil)
    let type = TypePointer.allocate(capacity: 1)
    type.initialize(to: ffi_type())
    cffi_make_aggregate(type, 0, 0, list)
    blocks += [UnsafeMutableRawPointer(list), UnsafeMutableRawPointer(type)]
    return type
  }

  /// Prepares the call interface; returns libffi's status.
  func prepare(_ result: TypePointer, _ arguments: [TypePointer]) -> ffi_status {
    let list = UnsafeMutablePointer<TypePointer?>.allocate(capacity: max(1, arguments.count))
    for (index, argument) in arguments.enumerated() { (list + index).initialize(to: argument) }
    blocks.append(UnsafeMutableRawPointer(list))
    return ffi_prep_cif(cif, FFI_DEFAULT_ABI, UInt32(arguments.count), result, list)
  }

  /// Calls with the prepared interface; the vector is libffi's to read, and some versions write it.
  func call(_ function: UnsafeRawPointer, result: UnsafeMutableRawPointer, vector: inout [UnsafeMutableRawPointer?]) {
    typealias Function = @convention(c) () -> Void
    vector.withUnsafeMutableBufferPointer { vector in
      ffi_call(cif, unsafeBitCast(function, to: Function.self), result, vector.baseAddress)
    }
  }

  /// Prepares and calls with values; the result is read as a type at least a word long.
  func call<Result: BitwiseCopyable>(
    _ function: UnsafeRawPointer, _ resultType: TypePointer, as type: Result.Type, _ arguments: [(TypePointer, any BitwiseCopyable)]
  ) -> Result {
    let status = prepare(resultType, arguments.map(\.0))
    precondition(status == FFI_OK, "libffi refuses the signature with status \(status.rawValue)")
    var vector: [UnsafeMutableRawPointer?] = arguments.map { _, value in
      func store<Value: BitwiseCopyable>(_ value: Value) -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: MemoryLayout<Value>.size, alignment: 16)
        memory.storeBytes(of: value, as: Value.self)
        blocks.append(memory)
        return memory
      }
      return store(value)
    }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(64, MemoryLayout<Result>.size), alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: 64)
    blocks.append(memory)
    call(function, result: memory, vector: &vector)
    return memory.load(as: Result.self)
  }
}
