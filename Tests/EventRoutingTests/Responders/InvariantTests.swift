import DynamicInvocation
import TestSupport
import Testing

@testable import EventRouting

/// What is true of trees and of lists of handlers after any changes.
@Suite(.measured) struct InvariantTests {
  @Test("Trees whose nodes and handlers change at random stay consistent", arguments: 0..<8 as Range<UInt64>)
  func randomTrees(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
    var nodes = (0..<80).map { ResponderNode("\($0)") }
    var registrations: [EventRegistration] = []
    let directions: [HandlerOptions.Direction] = [.both, .up, .down, .capture]
    // Few keys, or more than a node counts below it.
    let keyCount = seed % 2 == 0 ? 6 : 600
    for step in 0..<600 {
      let node = nodes[number(nodes.count)]
      switch number(12) {
      case 0, 1, 2:
        // Some nodes have many children.
        let child = nodes[number(nodes.count)]
        let parent = number(2) == 0 ? nodes[number(3)] : node
        if parent.canAdopt(child) { parent.insertChild(child, at: number(parent.children.count { $0 !== child } + 1)) }
      case 3: node.removeFromParent()
      case 4: node.nextOverride = number(3) == 0 ? nil : nodes[number(nodes.count)]
      case 5: node.eventProxy = number(3) == 0 ? nil : nodes[number(nodes.count)].proxy
      case 6: nodes[number(nodes.count)] = ResponderNode("new \(step)")
      case 7: if number(8) == 0 { registrations.append(node.proxy.interceptAll(withPrefix: "\(number(3))") { _, _, _ in .ignored }) }
      case 8: if !registrations.isEmpty { registrations.remove(at: number(registrations.count)).cancel() }
      default:
        let options = HandlerOptions(
          priority: number(5), isOnce: number(6) == 0, reply: .handledAndContinue, duplicates: .append, direction: directions[number(4)],
          seesStopped: number(5) == 0)
        let place = number(3) == 0 ? nodes[0] : node
        registrations.append(try place.proxy.intercept(EventKey("\(number(keyCount))"), options: options) { _, _, _ in .ignored })
      }
      if number(10) == 0 { node.send(EventKey("\(number(keyCount))"), rules: number(2) == 0 ? .busDown : .strategy) }
      for root in nodes where root.parent == nil { root.checkInvariants() }
    }
  }
}
