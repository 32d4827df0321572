/// What an invocation found last: the method and the class for which it was found, how a class forwards the message, and
/// the implementers that a dispatcher calls.
@safe
struct MethodCache {
  /// The method, retained manually: a strong reference would be retained and released in each call.
  private(set) var method: Unmanaged<Method>?
  private(set) var type: ObjectIdentifier?
  /// The epoch of the tables when it was looked up.
  private(set) var epoch = 0
  /// Whether the method may throw.
  private(set) var mayThrow = false
  /// How a class without a method for the selector forwards the message.
  ///
  /// If it forwards to another object, `method` is the method of that object.
  private(set) var forwarding: Unmanaged<ForwardingCache>?
  /// The implementers that a dispatcher calls.
  private(set) var dispatching: Unmanaged<MethodDispatchEntry>?

  /// Caches a method, unless the previous one is being called.
  ///
  /// - Parameter isCalling: Whether calls are running that rely on the cache to keep the method alive.
  mutating func keep(_ method: Method, of type: AnyClass, _ epoch: Int, isCalling: Bool) {
    guard !isCalling else { return }
    let old = unsafe self.method
    unsafe self.method = .passRetained(method)
    self.type = ObjectIdentifier(type)
    self.epoch = epoch
    mayThrow = method.implementation.mayThrow
    // Released last: objects that the old method owns may be deallocated with it, and send messages.
    unsafe old?.release()
  }

  /// Caches that a class has no method for a selector, and how it forwards.
  ///
  /// - Parameters:
  ///   - epoch: The epoch of the tables at which the class was found to have no method.
  ///   - isCalling: Whether calls are running, which may use what is cached.
  mutating func keep(_ forwarder: Unmanaged<Forwarder>, of type: AnyClass, _ selector: MethodSelector, _ epoch: Int, isCalling: Bool) {
    if let known = unsafe forwarding,
      unsafe known._withUnsafeGuaranteedRef({ $0.describes(ObjectIdentifier(type), selector.word) && $0.epoch == epoch })
    {
      return
    }
    guard !isCalling else { return }
    let old = unsafe forwarding
    unsafe forwarding = .passRetained(ForwardingCache(forwarder, type, selector, epoch))
    unsafe old?.release()
  }

  /// Caches the implementers that a dispatcher calls for a message.
  ///
  /// - Parameter isCalling: Whether calls are running, which may use what is cached.
  mutating func keep(_ entry: Unmanaged<MethodDispatchEntry>, isCalling: Bool) {
    guard !isCalling else { return }
    let old = unsafe dispatching
    unsafe dispatching = entry.retain()
    unsafe old?.release()
  }

  /// Whether anything is cached.
  @inline(__always)
  var isUsed: Bool { unsafe method != nil || forwarding != nil || dispatching != nil }

  /// Releases what is cached.
  @inline(never)
  mutating func clear() {
    unsafe method?.release()
    unsafe method = nil
    unsafe forwarding?.release()
    unsafe forwarding = nil
    unsafe dispatching?.release()
    unsafe dispatching = nil
  }
}

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
  /// The hooks of the method, of which the implementation is the newest one's; nil if there are none.
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

  /// Returns the method of a selector.
  func method(for selector: MethodSelector) -> Method? { unsafe table[UInt(bitPattern: selector.pointer)]?.takeUnretainedValue() }
}
