import CFFIShim
import DynamicInvocation

/// A call through nothing but libffi, as a program without the engine makes it.
///
/// It shows what the installed libffi does.
final class RawLibFFI {
  typealias TypePointer = UnsafeMutablePointer<cffi_type>

  private var blocks: [UnsafeMutableRawPointer] = []
  private let interface: UnsafeMutablePointer<cffi_interface> = .allocate(capacity: 1)

  deinit {
    for block in blocks { block.deallocate() }
    interface.deallocate()
  }

  /// A struct that libffi lays out.
  func structure(_ members: [TypePointer]) -> TypePointer {
    let list = UnsafeMutablePointer<TypePointer?>.allocate(capacity: members.count + 1)
    for (index, member) in members.enumerated() { (list + index).initialize(to: member) }
    (list + members.count).initialize(to: nil)
    let type = TypePointer.allocate(capacity: 1)
    type.initialize(to: cffi_type())
    cffi_make_aggregate(type, 0, 0, list)
    blocks += [UnsafeMutableRawPointer(list), UnsafeMutableRawPointer(type)]
    return type
  }

  /// Prepares the call interface; returns libffi's status, which is 0 for success.
  func prepare(_ result: TypePointer, _ arguments: [TypePointer]) -> CInt {
    let list = UnsafeMutablePointer<TypePointer?>.allocate(capacity: max(1, arguments.count))
    for (index, argument) in arguments.enumerated() { (list + index).initialize(to: argument) }
    blocks.append(UnsafeMutableRawPointer(list))
    return cffi_prepare(interface, -1, UInt32(arguments.count), result, list)
  }

  /// Calls with the prepared interface; the vector is libffi's to read, and some versions write it.
  func call(_ function: UnsafeRawPointer, result: UnsafeMutableRawPointer, vector: inout [UnsafeMutableRawPointer?]) throws {
    typealias Call =
      @convention(c) (
        UnsafeMutablePointer<cffi_interface>, UnsafeRawPointer, UnsafeMutableRawPointer, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
      ) -> Void
    // No header declares it for Swift: the engine builds without libffi's.
    let call = unsafeBitCast(try DynamicLibrary.process.symbol("ffi_call"), to: Call.self)
    vector.withUnsafeMutableBufferPointer { call(interface, function, result, $0.baseAddress) }
  }

  /// Prepares and calls with values; the result is read as a type at least a word long.
  func call<Result: BitwiseCopyable>(
    _ function: UnsafeRawPointer, _ resultType: TypePointer, as type: Result.Type, _ arguments: [(TypePointer, any BitwiseCopyable)]
  ) throws -> Result {
    let status = prepare(resultType, arguments.map(\.0))
    precondition(status == 0, "libffi refuses the signature with status \(status)")
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
    try call(function, result: memory, vector: &vector)
    return memory.load(as: Result.self)
  }
}
