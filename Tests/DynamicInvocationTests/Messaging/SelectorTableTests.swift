@testable import DynamicInvocation
import Synchronization
import TestSupport
import Testing

/// The table of names.
@Suite(.measured) struct SelectorTableTests {
  @Test("A name that is there is found without the lock") func lookUps() {
    let table = SelectorTable()
    let names = (0..<5_000).map { "name.\($0)" }
    let addresses = names.map { UInt(bitPattern: table.intern($0)) }
    expectEqual(table.lockedCount, 5_000)
    expectEqual(Set(addresses).count, 5_000)
    for _ in 0..<3 { expectEqual(names.map { UInt(bitPattern: table.intern($0)) }, addresses) }
    expectEqual(table.lockedCount, 5_000)
    for (name, address) in zip(names, addresses) {
      expectEqual(UnsafePointer<CChar>(bitPattern: address).map { String(cString: $0) }, name)
    }
  }

  @Test("Equal texts are one name, however they are spelled; unequal ones are not") func spellings() {
    let table = SelectorTable()
    let composed = table.intern("caf\u{e9}")
    expectEqual(table.intern("cafe\u{301}"), composed)
    expectEqual(table.intern("cafe\u{301}"), composed)
    expectEqual(table.lockedCount, 2)
    expect(table.intern("cafe") != composed)
    let empty = table.intern("")
    expectEqual(table.intern(""), empty)
    // A zero ends the name, but not the text.
    let zero = table.intern("a\u{0}b")
    expectEqual(table.intern("a\u{0}b"), zero)
    expect(table.intern("a\u{0}c") != zero)
    expect(table.intern("a") != zero)
    expect(table.intern("a\u{0}") != zero)
    expectEqual(String(cString: zero), "a")
    let long = String(repeating: "x", count: 100_000)
    expectEqual(table.intern(long), table.intern(long + ""))
  }

  @Test("Threads that look up the same names get the same addresses, while the table grows") func threads() async {
    let table = SelectorTable()
    let all = await withTaskGroup(of: [UInt].self) { group in
      for offset in 0..<8 {
        group.addTask {
          // Each in an order of its own.
          var addresses: [UInt] = Array(repeating: 0, count: 4_000)
          for step in 0..<4_000 {
            let index = (step * 7 + offset * 499) % 4_000
            addresses[index] = UInt(bitPattern: table.intern("thread.\(index)"))
          }
          return addresses
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    expectEqual(Set(all).count, 1)
    expectEqual(Set(all[0]).count, 4_000)
    expectEqual(table.lockedCount, 4_000)
  }
}
