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
    #expect(table.lockedCount == 5_000)
    #expect(Set(addresses).count == 5_000)
    for _ in 0..<3 { #expect(names.map { UInt(bitPattern: table.intern($0)) } == addresses) }
    #expect(table.lockedCount == 5_000)
    for (name, address) in zip(names, addresses) {
      #expect(UnsafePointer<CChar>(bitPattern: address).map { String(cString: $0) } == name)
    }
  }

  @Test("Equal texts are one name, however they are spelled; unequal ones are not") func spellings() {
    let table = SelectorTable()
    let composed = table.intern("caf\u{e9}")
    #expect(table.intern("cafe\u{301}") == composed)
    #expect(table.intern("cafe\u{301}") == composed)
    #expect(table.lockedCount == 2)
    #expect(table.intern("cafe") != composed)
    let empty = table.intern("")
    #expect(table.intern("") == empty)
    // A zero ends the name, but not the text.
    let zero = table.intern("a\u{0}b")
    #expect(table.intern("a\u{0}b") == zero)
    #expect(table.intern("a\u{0}c") != zero)
    #expect(table.intern("a") != zero)
    #expect(table.intern("a\u{0}") != zero)
    #expect(String(cString: zero) == "a")
    let long = String(repeating: "x", count: 100_000)
    #expect(table.intern(long) == table.intern(long + ""))
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
    #expect(Set(all).count == 1)
    #expect(Set(all[0]).count == 4_000)
    #expect(table.lockedCount == 4_000)
  }
}
