import DynamicInvocation

@testable import EventRouting

// What is true of the structures of trees and handlers whenever no change of them is running.

extension ResponderNode {
  /// Traps unless the records of this node and of all nodes below it, and their handlers, are consistent.
  func checkInvariants() {
    var waiting = [record]
    while let record = waiting.popLast() {
      record.checkInvariants()
      record.node?.eventProxy?.checkInvariants()
      waiting += record.children
    }
  }
}

extension NodeRecord {
  fileprivate var children: [NodeRecord] {
    var children: [NodeRecord] = []
    var next = fields.firstChild
    while let child = next {
      children.append(child)
      next = child.fields.nextSibling
    }
    return children
  }

  /// Traps unless the links to the children and the counts of keys are consistent.
  func checkInvariants() {
    let children = children
    precondition(children.count == fields.childCount && children.last == fields.lastChild, "the children are those that are counted")
    var previous: NodeRecord?
    for child in children {
      precondition(child.fields.parent == self && child.fields.previousSibling == previous, "a child is linked")
      precondition(child.fields.flags.contains(.overridden) || child.fields.next == self, "the next of a child is its parent")
      if let previous { precondition(previous.fields.order < child.fields.order, "the order of children ascends") }
      precondition(!child.fields.flags.contains(.saturated) || fields.flags.contains(.saturated), "what is unknown below is unknown")
      previous = child
    }
    var overrider = fields.firstOverrider
    while let here = overrider {
      precondition(here.fields.next == self && here.fields.flags.contains(.overridden), "an overrider leads here")
      overrider = here.fields.nextOverrider
    }
    checkKeys(of: children)
  }

  private func checkKeys(of children: [NodeRecord]) {
    let isUncounted = fields.flags.contains(.uncounted)
    let known = children.filter { !$0.fields.flags.contains(.unknownAbove) }
    var reaching: [UInt: [NodeRecord]] = [:]
    for child in known where !isUncounted {
      precondition(!child.fields.flags.contains(.saturated), "a child whose keys are unknown is not counted")
      child.fields.keys.forEach { bits, entry in if entry.isReached { reaching[bits, default: []].append(child) } }
    }
    if let index = childIndex {
      precondition(!isUncounted, "a node with an index counts")
      index.checkInvariants(reaching, unknown: children.filter { $0.fields.flags.contains(.unknownAbove) })
    } else {
      precondition(known.count == children.count, "only an index has children whose keys are unknown")
      precondition(isUncounted || children.count <= NodeRecord.mostUnindexed, "a node with many children has an index")
    }
    fields.keys.forEach { bits, entry in
      let bit = HashedKey(bits: bits).filterBit
      precondition(entry.isReached || !entry.own.isEmpty, "an entry counts something")
      precondition(Int(entry.children) == reaching.removeValue(forKey: bits)?.count ?? 0, "the children with a key are counted")
      precondition(entry.own.isEmpty || fields.ownFilter & bit != 0, "the filter of the node passes its keys")
      precondition(!entry.isReached || fields.subtreeFilter & bit != 0, "the filter of the tree passes its keys")
      precondition(entry.own == (node?.eventProxy?.listedPhases(bits) ?? .none), "the node has the phases of its handlers")
    }
    precondition(reaching.isEmpty, "each key of a child has an entry")
  }
}

extension ChildIndex {
  /// Traps unless the index has just these children, for each key, and for any.
  fileprivate func checkInvariants(_ reaching: [UInt: [NodeRecord]], unknown: [NodeRecord]) {
    precondition(members(of: nil) == unknown, "children whose keys are unknown are indexed as such")
    for (bits, children) in reaching { precondition(members(of: bits) == children, "children are indexed by their keys") }
    precondition(keyCount == reaching.count, "the index has no other keys")
  }
}

extension HandlerList {
  /// Traps unless this is what is known of some handlers.
  fileprivate func checkInvariants(_ count: Int, _ phases: PhaseSet, last: UnsafeMutablePointer<HandlerRecord>?) {
    precondition(unsafe self.count == count && self.phases == phases && self.last == last, "the list knows its handlers")
    guard let order else { return precondition(count <= HandlerOrder.fewest + 1, "a long list has an order") }
    precondition(order.count == count && order.phases == phases, "the order has the handlers of the list")
  }
}

extension EventProxy {
  /// Traps unless the lists of handlers are consistent, and the nodes of the proxy know of them.
  func checkInvariants() {
    unsafe state.pointee.table.forEach { bits, first in
      var (count, phases) = (0, PhaseSet.none)
      var previous: UnsafeMutablePointer<HandlerRecord>?
      var next: UnsafeMutablePointer<HandlerRecord>? = unsafe first
      while let record = unsafe next {
        let registration = unsafe record.pointee.registration.takeUnretainedValue()
        precondition(registration.proxy === self && registration.key.bits == bits, "a handler that is listed is registered")
        precondition(unsafe !record.pointee.flags.contains(.removed), "a handler that is listed was not removed")
        precondition(registration.phases == registration.options.phases, "the flags agree with the options")
        precondition(unsafe record.pointee.previous == previous, "a handler is linked")
        if let before = unsafe previous?.pointee.registration.takeUnretainedValue() {
          precondition(before.isBefore(registration), "handlers are in order")
        }
        (count, phases) = (count + 1, phases.union(registration.phases))
        unsafe previous = unsafe record
        unsafe next = record.pointee.next
      }
      unsafe first.pointee.list.checkInvariants(count, phases, last: previous)
      for node in nodes { precondition(node.fields.keys[bits]?.own == phases, "a node knows the phases of its handlers") }
    }
    for (place, node) in nodes.enumerated() {
      precondition(node.fields.placeInProxy == place && node.node?.eventProxy === self, "the nodes of a proxy have it")
    }
  }

  fileprivate func listedPhases(_ bits: UInt) -> PhaseSet { unsafe state.pointee.table[bits]?.pointee.list.phases ?? .none }
}
