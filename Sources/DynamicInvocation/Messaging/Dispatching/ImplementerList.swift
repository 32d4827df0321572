import Synchronization

/// An ordered list of objects that are called one after the other.
///
/// The list does not retain them.
///
///     let delegates = ImplementerList<any DownloadDelegate>()
///     try delegates.append(view)
///     try delegates.append(log)
///     for (delegate, _) in delegates.inTurn { delegate.downloadDidEnd() }
///
/// `Implementer` is a class, `AnyObject`, or the `any` type of a protocol; a value of a struct is refused.
///
/// Implementers are called in the order in which they are listed. Deallocated ones are skipped, and are removed from the list by
/// the next call or change. Until then their memory is not freed, but everything that they retained is released. An object is
/// listed only once, unless duplicates are allowed. Each has a number, from 0 in the order in which the objects were added, which
/// does not change and is not reused. <doc:DispatchBehavior> states the rules, also for changes during a call.
///
/// A list may be changed and called from any threads at the same time. It is `Sendable` if its implementers are. They
/// are called on the thread of the call.
///
/// - Complexity: A call takes no lock and allocates nothing; each implementer is retained while it is called. A change
///   takes a lock, and allocates a copy of the list.
@safe
public final class ImplementerList<Implementer>: CustomStringConvertible {
  private let shared: SharedSnapshot<ImplementerSnapshot<Implementer>>
  /// The dispatcher that calls the implementers by a plan, not retained; set before the list is shared.
  private var planning: WeakObject?

  /// Creates an empty list.
  public init() { shared = unsafe SharedSnapshot(ImplementerSnapshot([], nextNumber: 0)) }

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - implementers: The implementers. A nil only uses up a number.
  ///   - allowsDuplicates: Whether an object passed twice is listed twice.
  /// - Throws: `InvocationError` `typeMismatch` for a value that is not an object.
  public convenience init(_ implementers: [Implementer?], allowsDuplicates: Bool = false) throws(InvocationError) {
    self.init()
    for implementer in implementers {
      if let implementer { _ = try add(implementer, at: nil, allowsDuplicates) } else { skipNumber() }
    }
  }

  /// The number of listed implementers: `list of 3 implementers`.
  ///
  /// A deallocated implementer is counted until the list is used. No implementer is called.
  public var description: String { "list of " + snapshot.references.count.counted("implementer") }
}

extension ImplementerList {
  /// Creates a list of values whose type has objects only, such as the `any` type of a protocol of classes.
  ///
  /// - Parameter objects: The implementers, each listed once. A nil only uses up a number. Traps for a value of a
  ///   struct.
  public convenience init(objects: [Implementer?]) {
    do throws(InvocationError) { try self.init(objects) } catch { fatalError("\(error)") }
  }
}

extension ImplementerList: @unchecked Sendable where Implementer: Sendable {
  // Unchecked Sendable: a `SharedSnapshot` is Sendable, its references and values are of Sendable type, and the dispatcher is set
  // before the list is shared.
}

extension ImplementerList: ImplementerDispatcher {
  /// The list itself.
  public var implementerList: ImplementerList<Implementer> { self }
}

/// The dispatcher of a list.
extension ImplementerList {
  /// The dispatcher that calls the implementers by a plan, which each change of the list rebuilds; nil for most lists.
  var planningDispatcher: ProtocolDispatcher? { unsafe planning?.retain()?.takeRetainedValue() as? ProtocolDispatcher }

  /// Sets the dispatcher, which owns the list.
  func setPlanningDispatcher(_ dispatcher: ProtocolDispatcher) { planning = WeakObject(dispatcher) }

  /// Rebuilds the plan of the dispatcher, if there is one.
  func didChange() { planningDispatcher?.renew() }
}

/// Changing a list.
extension ImplementerList {
  /// Removes the implementers that were deallocated.
  ///
  /// A call that finds one calls this.
  func prune() {
    invalidateDeallocated()
    shared.change { old in
      let listed = unsafe old.entries.filter { unsafe $0.reference.isListed }
      return unsafe (listed.count == old.references.count ? nil : ImplementerSnapshot(listed, nextNumber: old.nextNumber), ())
    }
  }

  /// Invalidates the references to deallocated implementers, before a change takes the lock.
  private func invalidateDeallocated() {
    for reference in snapshot.references { _ = reference.isAlive }
  }

  /// Skips a number.
  private func skipNumber() {
    shared.change { unsafe (ImplementerSnapshot($0.entries, nextNumber: $0.nextNumber + 1), ()) }
  }

  /// Adds an implementer at a position, or at the end for nil, and returns its number.
  func add(_ implementer: Implementer, at position: Int?, _ allowsDuplicates: Bool) throws(InvocationError) -> Int {
    guard let object = Self.object(of: implementer) else {
      let reason =
        Implementer.self == (any Error).self
        ? "an any Error is a box, and only an object can be an implementer"
        : "\(type(of: implementer as Any)) is no class, and only an object can be an implementer"
      throw InvocationError(.typeMismatch, reason)
    }
    let address = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    invalidateDeallocated()
    return unsafe withUnsafePointer(to: implementer) { value in
      shared.change { old in
        var entries = unsafe old.entries.filter { unsafe $0.reference.isListed }
        // A deallocated object that had the same address is not listed any more.
        if !allowsDuplicates, let same = unsafe entries.first(where: { unsafe $0.reference.address == address }) {
          return unsafe (nil, same.reference.number)
        }
        let number = old.nextNumber
        let entry = unsafe (reference: ImplementerReference(object, number: number), value: value)
        unsafe entries.insert(entry, at: min(position ?? entries.count, entries.count))
        return unsafe (ImplementerSnapshot(entries, nextNumber: number + 1), number)
      }
    }
  }

  /// Removes all entries of an implementer, and returns whether it was listed.
  func removeEntries(of implementer: Implementer) -> Bool {
    guard let object = Self.object(of: implementer) else { return false }
    let address = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    return removeEntries { unsafe $0.address == address }
  }

  func removeEntries(where isWanted: (ImplementerReference) -> Bool) -> Bool {
    shared.change { old in
      let removed = old.references.filter(isWanted)
      guard removed.contains(where: \.isListed) else { return (nil, false) }
      for reference in removed { reference.invalidate() }
      return unsafe (ImplementerSnapshot(old.entries.filter { unsafe $0.reference.isListed }, nextNumber: old.nextNumber), true)
    }
  }

  /// Returns a value as an object, or nil if it is not one.
  ///
  /// The bits of an object reference, and of an existential with an object, begin with the object's address. The bits of an
  /// `any Error` do not: they are the address of a box, which the list does not retain.
  private static func object(of implementer: Implementer) -> AnyObject? {
    guard Implementer.self != (any Error).self, type(of: implementer as Any) is AnyClass else { return nil }
    return implementer as AnyObject
  }
}

extension ImplementerList {
  /// The current snapshot of the implementers.
  var snapshot: ImplementerSnapshot<Implementer> { shared.current }

  /// Calls a closure with the current snapshot, which is alive until the closure returns.
  @inline(__always)
  func withSnapshot<Result>(_ body: (ImplementerSnapshot<Implementer>) -> Result) -> Result { shared.withCurrent(body) }
}

// MARK: - Turns

extension ImplementerList {
  /// The implementers that are alive, in order, with their numbers, for a loop, which may use `await` and `try`.
  ///
  /// The list may be changed meanwhile, and called again.
  public var inTurn: Turns { Turns(self) }

  /// A sequence of the implementers of a list.
  ///
  /// Each is looked up when the iteration reaches it.
  ///
  ///     for (delegate, _) in delegates.inTurn {
  ///       await delegate.downloadDidEnd()
  ///     }
  ///
  /// The rules of ``ImplementerList`` apply: the sequence iterates over the list as it was at the beginning, and
  /// skips the implementers that were deallocated or removed since.
  ///
  /// - Complexity: A step takes no lock and allocates nothing, except if it finds deallocated implementers.
  @safe
  public struct Turns: Sequence, IteratorProtocol, CustomStringConvertible {
    private let list: ImplementerList<Implementer>
    private let snapshot: ImplementerSnapshot<Implementer>
    private var index = 0

    init(_ list: ImplementerList<Implementer>) {
      self.list = list
      snapshot = list.snapshot
    }

    /// Returns the next implementer that is alive and its number, or nil after the last one.
    public mutating func next() -> (implementer: Implementer, number: Int)? {
      while index < snapshot.references.count {
        let reference = snapshot.references[index]
        defer { index += 1 }
        guard reference.isListed else { continue }
        guard let object = unsafe reference.retain() else {
          // This removes all deallocated implementers, so it is called once.
          list.prune()
          continue
        }
        defer { unsafe object.release() }
        return unsafe (snapshot.value(at: index).pointee, reference.number)
      }
      return nil
    }

    /// The number of remaining implementers: `3 implementers to come`.
    ///
    /// A deallocated implementer is counted until the iteration reaches it. No implementer is called.
    public var description: String { (snapshot.references.count - index).counted("implementer") + " to come" }
  }
}

/// A reference to an implementer in a list.
///
/// It does not retain the implementer.
@safe
final class ImplementerReference: @unchecked Sendable {
  // Unchecked Sendable: all except the atomic is immutable, and any thread may retain and release the object.

  /// The number of the implementer in its list.
  ///
  /// It is not reused.
  let number: Int

  /// The class of the object.
  let type: AnyClass

  /// Whether the object is ``Invocable``.
  let isInvocable: Bool

  /// Whether the object is a ``ProtocolDispatcher``.
  let isDispatcher: Bool

  private let listed: Atomic<Bool> = Atomic(true)

  private let object: WeakObject

  init(_ object: AnyObject, number: Int) {
    self.number = number
    type = Swift.type(of: object)
    isInvocable = object is any Invocable
    isDispatcher = object is ProtocolDispatcher
    self.object = WeakObject(object)
  }

  /// Whether the implementer may be called: it was neither removed from its list nor found to be deallocated.
  @inline(__always)
  var isListed: Bool { listed.load(ordering: .acquiring) }

  /// Marks the implementer so that it is not called any more.
  func invalidate() { listed.store(false, ordering: .releasing) }

  /// The address of the object.
  @inline(__always)
  var address: UnsafeRawPointer { unsafe object.address }

  /// Returns the object, retained for the caller, or nil if it was deallocated.
  @inline(__always)
  func retain() -> Unmanaged<AnyObject>? { unsafe object.retain() }

  /// Whether the implementer is listed and not deallocated.
  ///
  /// It may be deallocated by the time this returns.
  ///
  /// Must not be called under a lock: it may release the last reference, and a deinitializer may run any code.
  var isAlive: Bool {
    guard isListed else { return false }
    guard object.isAlive else {
      invalidate()
      return false
    }
    return true
  }
}

/// A snapshot of the implementers of a list, in order.
@safe
final class ImplementerSnapshot<Implementer>: @unchecked Sendable {
  // Unchecked Sendable: all except the atomic is immutable. The values are bits that are read only while their object
  // is retained.

  /// The references, in the order in which the implementers are called.
  let references: [ImplementerReference]

  /// The bits of each implementer as a value of its type, not retained.
  private let values: UnsafeMutablePointer<Implementer>

  /// The number of the next implementer that is added.
  let nextNumber: Int

  /// Whether a dispatcher has found a deallocated implementer, so that a plan created from this snapshot is stale.
  private let metDeallocated: Atomic<Bool> = Atomic(false)

  /// Creates a snapshot.
  ///
  /// - Parameters:
  ///   - entries: The references, each with the address of the bits of its value.
  ///   - nextNumber: The number of the next implementer that is added.
  init(_ entries: [(reference: ImplementerReference, value: UnsafePointer<Implementer>)], nextNumber: Int) {
    references = unsafe entries.map { unsafe $0.reference }
    unsafe values = .allocate(capacity: max(1, entries.count))
    self.nextNumber = nextNumber
    for index in references.indices {
      unsafe UnsafeMutableRawPointer(values + index).copyMemory(from: entries[index].value, byteCount: MemoryLayout<Implementer>.size)
    }
  }

  // The values are not retained, so there is nothing to release.
  deinit { unsafe values.deallocate() }

  /// Returns the address of an implementer's bits, which are a valid value while its object is retained.
  func value(at index: Int) -> UnsafePointer<Implementer> { unsafe UnsafePointer(values + index) }

  /// The references with the bits of their values.
  var entries: [(reference: ImplementerReference, value: UnsafePointer<Implementer>)] {
    unsafe references.indices.map { unsafe (references[$0], value(at: $0)) }
  }

  /// Traps unless the numbers are given once and are less than the next; for tests.
  func checkInvariants() {
    let numbers = references.map(\.number)
    precondition(Set(numbers).count == numbers.count && numbers.allSatisfy { $0 >= 0 && $0 < nextNumber }, "a number is given twice")
    for index in references.indices {
      // The bits of a value begin with the address of its object.
      let word = unsafe UnsafeRawPointer(value(at: index)).loadUnaligned(as: UInt.self)
      precondition(unsafe word == UInt(bitPattern: references[index].address), "a reference and its value are of two objects")
    }
  }

  /// Whether a dispatcher has found a deallocated implementer.
  @inline(__always)
  var hasMetDeallocated: Bool { metDeallocated.load(ordering: .relaxed) }

  /// Records that an implementer was deallocated.
  func noteDeallocated() { metDeallocated.store(true, ordering: .relaxed) }
}
