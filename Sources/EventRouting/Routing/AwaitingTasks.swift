internal import DynamicInvocation
import Synchronization

/// The innermost pass of each task that awaits a handler.
///
/// A task only accesses its own entry. An entry is in one of a few slots that the address of the task selects, without a
/// lock; if other tasks have them all, it is in a table.
enum AwaitingTasks {
  /// The address of a task, 0 in a free slot, and the address of its pass.
  fileprivate struct Slot: ~Copyable {
    let task: Atomic<UInt> = Atomic(0)
    let pass: Atomic<UInt> = Atomic(0)
  }

  /// A pass that was set, and what was there before.
  @safe
  struct Entry {
    let task: UInt
    /// Where it is; nil in the table.
    fileprivate let slot: UnsafeMutablePointer<Slot>?
    /// The address of the pass that the task had in the same place, or nil.
    fileprivate let former: UInt?
  }

  private static let slotBits: UInt = 8
  /// The number of slots that a task may have.
  private static let choices: Int = 4

  // The slots are never deallocated, and consist of atomic values.
  private nonisolated(unsafe) static let slots: UnsafeMutablePointer<Slot> = {
    let count = 1 << Int(slotBits) + choices
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
    for index in 0..<count { unsafe (slots + index).initialize(to: Slot()) }
    return unsafe slots
  }()

  private static let table: Locked<PointerTable<UInt>> = Locked(PointerTable(), atFork: .awaitingTasks)

  @inline(__always)
  private static func first(of task: UInt) -> UnsafeMutablePointer<Slot> {
    unsafe slots + Int(bitPattern: PointerHash.hash(task) &>> (UInt(UInt.bitWidth) - slotBits))
  }

  /// The slot that a task has, or nil.
  @inline(__always)
  private static func slot(of task: UInt) -> UnsafeMutablePointer<Slot>? {
    let first = unsafe first(of: task)
    for index in 0..<choices where unsafe first[index].task.load(ordering: .relaxed) == task { return unsafe first + index }
    return nil
  }

  /// The address of the pass of a task.
  static func pass(of task: UInt) -> UInt? {
    guard task != 0 else { return nil }
    if let slot = unsafe slot(of: task) { return unsafe slot.pointee.pass.load(ordering: .relaxed) }
    return table.withLock { table in table[task] }
  }

  /// Sets the pass of a task.
  ///
  /// - Returns: What ``reset(_:)`` needs.
  static func set(_ pass: UInt, of task: UInt) -> Entry {
    if let slot = unsafe slot(of: task) {
      return unsafe Entry(task: task, slot: slot, former: slot.pointee.pass.exchange(pass, ordering: .relaxed))
    }
    let first = unsafe first(of: task)
    for index in 0..<choices
    where unsafe first[index].task.compareExchange(expected: 0, desired: task, ordering: .relaxed).exchanged {
      unsafe first[index].pass.store(pass, ordering: .relaxed)
      return unsafe Entry(task: task, slot: first + index, former: nil)
    }
    return table.withLock { table in
      let former = table[task]
      table[task] = pass
      return unsafe Entry(task: task, slot: nil, former: former)
    }
  }

  /// Sets the pass of a task to the one that it had before.
  @inline(__always)
  static func reset(_ entry: Entry) {
    if let slot = unsafe entry.slot {
      if let former = entry.former {
        unsafe slot.pointee.pass.store(former, ordering: .relaxed)
      } else {
        unsafe slot.pointee.task.store(0, ordering: .relaxed)
      }
    } else {
      table.withLock { table in table[entry.task] = entry.former }
    }
  }
}
