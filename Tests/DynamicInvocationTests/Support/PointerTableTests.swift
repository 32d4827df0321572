import TestSupport
import Testing

@testable import DynamicInvocation

/// The hash tables of addresses.
@Suite(.measured) struct PointerTableTests {
  @Test("A table does what a dictionary does", arguments: 0..<10 as Range<UInt64>)
  func likeADictionary(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var table = PointerTable<Int>()
    var model: [UInt: Int] = [:]
    // Few keys, among them such as differ in one bit only, so that most are met again.
    let keys = (0..<200).map { _ in UInt(1) &<< UInt.random(in: 0..<64, using: &generator) | UInt.random(in: 1..<64, using: &generator) }
    for step in 0..<4_000 {
      let key = generator.pick(keys)
      let value: Int? = generator.oneIn(3) ? nil : step
      table[key] = value
      model[key] = value
      expect(table[key] == value && table.count == model.count)
      if step % 16 == 0 { table.checkInvariants() }
    }
    for key in keys { expect(table[key] == model[key] && table.value(for: key, hash: PointerHash.hash(key)) == model[key]) }
    var found: [UInt: Int] = [:]
    table.forEach { found[$0] = $1 }
    expectEqual(found, model)
    for key in keys { table[key] = nil }
    expect(table.count == 0 && keys.allSatisfy { table[$0] == nil })
  }

  @Test("The searches for the keys of a large table begin at different entries") func spread() {
    var table = PointerTable<Int>()
    for key in 1...1_000 as ClosedRange<UInt> { table[key &* 64] = 1 }
    expect(Set((1...1_000 as ClosedRange<UInt>).map { table.home(of: $0 &* 64) }).count > 500)
  }

  @Test("An empty table finds nothing, and changes no other") func empty() {
    var first = PointerTable<(Int, UInt8)>()
    let second = PointerTable<UInt>()
    expect(first[1] == nil && second[1] == nil)
    first[7] = nil
    first[7] = (1, 2)
    first[7] = (3, 4)
    expect(first.count == 1 && first[7]?.0 == 3 && first[7]?.1 == 4)
    expect(second[7] == nil && second.count == 0 && PointerTable<UInt>()[7] == nil)
  }

  @Test("A write-once table finds what was added, also of equal hashes, and grows") func writeOnce() {
    let table = WriteOnceTable(capacity: 4)
    // Only the lower bits differ, so that all searches begin at the same place.
    for address in 1...100 as ClosedRange<UInt> { table.insert(address) { _ in 5 } }
    for address in 1...100 as ClosedRange<UInt> { expectEqual(table.find(5) { $0 == address }, address) }
    expect(table.count == 100 && table.find(5) { $0 == 101 } == nil)
  }
}
