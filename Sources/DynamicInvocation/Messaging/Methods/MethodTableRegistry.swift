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

/// A selector and its implementation: an entry of a ``MethodTable``.
package final class Method: Sendable {
  let selector: MethodSelector
  let methodSignature: MethodSignature
  let implementation: Implementation
  /// The hooks of the method; nil if there are none.
  ///
  /// The implementation is the newest hook's.
  let hooks: MethodHooks?

  init(
    _ selector: MethodSelector, _ implementation: Implementation, _ methodSignature: MethodSignature, _ hooks: MethodHooks? = nil
  ) {
    self.hooks = hooks
    self.selector = selector
    self.methodSignature = methodSignature
    self.implementation = implementation
  }

  /// The address of the code.
  @inline(__always)
  var code: UnsafeRawPointer { unsafe implementation.pointer }
}

/// An immutable snapshot of the methods of one class.
@safe
final class MethodSnapshot: @unchecked Sendable {
  // Unchecked Sendable: it is immutable, and the methods are Sendable.

  /// The methods in the order in which they were added.
  let methods: [Method]
  /// The methods by selector; the array retains them.
  private let table: PointerTable<Unmanaged<Method>>

  init(_ methods: [Method]) {
    var table: PointerTable<Unmanaged<Method>> = unsafe PointerTable()
    for method in methods { unsafe table[UInt(bitPattern: method.selector.pointer)] = .passUnretained(method) }
    self.methods = methods
    unsafe self.table = table
  }

  /// Returns the types of the method of a selector.
  func signature(for selector: MethodSelector) -> MethodSignature? {
    unsafe table[UInt(bitPattern: selector.pointer)]?._withUnsafeGuaranteedRef { $0.methodSignature }
  }

  /// Traps unless each method is found by its selector, which no other has; for tests.
  func checkInvariants() {
    unsafe table.checkInvariants()
    precondition(unsafe table.count == methods.count, "two methods have one selector")
    for method in methods { precondition(self.method(for: method.selector) === method, "'\(method.selector)' finds another method") }
  }

  /// Returns the method of a selector.
  func method(for selector: MethodSelector) -> Method? { unsafe table[UInt(bitPattern: selector.pointer)]?.takeUnretainedValue() }
}
