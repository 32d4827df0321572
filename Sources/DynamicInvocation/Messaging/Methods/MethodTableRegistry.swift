/// The method tables of all classes.
///
/// A lookup takes no lock.
final class MethodTableRegistry: Sendable {
  static let shared = MethodTableRegistry()

  /// The addresses of the tables, which live as long as the process.
  private let tables: WriteOnceTable = WriteOnceTable(capacity: 64)
  /// Serializes adding tables.
  private let adding: Lock = Lock(LockToken(), atFork: .classes)

  /// Returns the table of a class, and creates the table if necessary.
  func table(of type: AnyClass) -> MethodTable {
    if let table = find(type) { return table }
    let superclass = _getSuperclass(type).map { table(of: $0) }
    // Before the lock is taken, because this runs code of the class.
    let methods = _InvocableMethods.declared(by: type)
    return adding.withLock { _ in
      // Another thread may have added the table meanwhile.
      if let table = find(type) { return table }
      let table = MethodTable(methods, superclass: superclass)
      tables.insert(UInt(bitPattern: unsafe Unmanaged.passRetained(table).toOpaque())) { Self.hash(of: Self.table(at: $0).type) }
      return table
    }
  }

  /// Returns the types of a method of a class, or nil if the class neither has nor inherits the method.
  func methodSignature(of type: AnyClass, for selector: MethodSelector) -> MethodSignature? {
    guard let address = tables.find(Self.hash(of: type), { Self.isTable($0, of: type) }) else {
      return table(of: type).methodSignature(for: selector)
    }
    // A table is never deallocated.
    return unsafe Unmanaged<MethodTable>.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
      ._withUnsafeGuaranteedRef { $0.methodSignature(for: selector) }
  }

  @inline(__always)
  private static func isTable(_ address: UInt, of type: AnyClass) -> Bool {
    unsafe Unmanaged<MethodTable>.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
      ._withUnsafeGuaranteedRef { $0.type == type }
  }

  private func find(_ type: AnyClass) -> MethodTable? {
    tables.find(Self.hash(of: type)) { Self.table(at: $0).type == type }.map(Self.table)
  }

  private static func table(at address: UInt) -> MethodTable {
    // The registry holds only addresses of tables.
    unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped).takeUnretainedValue()
  }

  private static func hash(of type: AnyClass) -> UInt { PointerHash.hash(UInt(bitPattern: ObjectIdentifier(type))) }
}
