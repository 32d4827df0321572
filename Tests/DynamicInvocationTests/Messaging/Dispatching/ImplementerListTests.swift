import DynamicInvocation
import Foundation
import TestSupport
import Testing

/// Lists of objects that are not kept alive, loops over them, and dispatchers of Swift protocols written by hand.
@Suite(.measured) struct ImplementerListTests {
  private protocol Speaking {
    func speak(_ word: String) async -> String
  }
  private protocol Naming: AnyObject {
    var name: String { get }
  }

  private final class Dog: Speaking, Naming {
    let name: String
    let tracked: LifetimeTracked?
    init(_ name: String, _ tracker: LifetimeTracker? = nil) {
      self.name = name
      tracked = tracker?.object()
    }
    func speak(_ word: String) async -> String { "\(name): \(word)" }
  }
  private struct Parrot: Speaking {
    func speak(_ word: String) async -> String { word }
  }

  private final class Choir: Speaking, ImplementerDispatcher {
    let implementerList: ImplementerList<any Speaking>
    init(_ voices: Dog?...) { implementerList = ImplementerList(objects: voices) }

    func speak(_ word: String) async -> String {
      var all: [String] = []
      for (voice, number) in implementerList.inTurn { all.append("\(number) \(await voice.speak(word))") }
      return all.joined(separator: ", ")
    }
  }

  private func names<Implementer>(_ list: ImplementerList<Implementer>) -> [String] {
    list.implementers.compactMap { ($0 as? any Naming)?.name }
  }

  @Test func existentialsAreCalledInOrder() throws {
    let (rex, tom) = (Dog("Rex"), Dog("Tom"))
    let list = ImplementerList<any Speaking>()
    try expectEqual([list.append(rex), list.insert(tom, at: 0), list.append(rex)], [0, 1, 0])
    var heard: [String] = []
    for (speaker, number) in list.inTurn { heard.append("\(number) \((speaker as? Dog)?.name ?? "")") }
    expectEqual(heard, ["1 Tom", "0 Rex"])
    expectEqual(names(list), ["Tom", "Rex"])
    let both = try ImplementerList<any Speaking & Naming>([rex, nil, tom, rex], allowsDuplicates: true)
    expect(both.numbers == [0, 2, 3] && names(both) == ["Rex", "Tom", "Rex"])
    try expectEqual(names(ImplementerList<any Naming>([tom])) + names(ImplementerList<Dog>([rex])), ["Tom", "Rex"])
    try expectEqual(names(ImplementerList<Any>([rex, tom])), ["Rex", "Tom"])
    withExtendedLifetime((rex, tom)) {}
  }

  @Test("What is no object is refused, and an any Error too: a list would not retain its box") func structsAreRefused() throws {
    let list = ImplementerList<any Speaking>()
    expectErrors(.typeMismatch, { try list.append(Parrot()) }, { _ = try ImplementerList<Any>([1]) })
    expectMessage("Parrot is no class, and only an object can be an implementer") { try list.append(Parrot()) }
    expect(!list.remove(Parrot()) && list.implementers.isEmpty)
    let (error, errors) = (NSError(domain: "d", code: 1), ImplementerList<any Error>())
    expectError(.typeMismatch) { try errors.append(error) }
    expect(errors.implementers.isEmpty)
    let (objects, dog) = (ImplementerList<Any>(), Dog("Rex"))
    try objects.append(dog)
    try objects.append(error)
    expect(objects.implementers.count == 2 && objects.implementers[0] as AnyObject === dog)
  }

  @Test func aStructInAListOfObjectsTraps() async {
    await #expect(processExitsWith: .failure) { _ = ImplementerList<any Equatable>(objects: [1]) }
  }

  @Test("The ended leave the list, also within a loop (D4.1)") func theEndedLeaveTheList() throws {
    try LifetimeTracker.check { tracker in
      let list = ImplementerList<any Speaking>()
      var dogs = (0..<5).map { Dog("\($0)", tracker) }
      for dog in dogs { try list.append(dog) }
      dogs.remove(at: 2)
      expect(tracker.liveCount == 4 && list.numbers == [0, 1, 3, 4])
      dogs.removeLast()
      expectEqual(names(list), ["0", "1", "3"])
      // A number is not given again.
      let late = Dog("late", tracker)
      try expectEqual(list.append(late), 5)
      expect(list.remove(number: 0) && !list.remove(number: 4) && list.remove(late) && !list.remove(late))
      expectEqual(list.numbers, [1, 3])
      var turns = list.inTurn
      expectEqual(turns.next()?.number, 1)
      dogs.removeLast()
      expect(turns.next() == nil && turns.next() == nil && list.inTurn.map(\.number) == [1])
      list.removeAll()
      expect(list.implementers.isEmpty && dogs.count == 2)
      // An implementer whose turn it is lives.
      let alone = ImplementerList<any Speaking>(objects: [Dog("kept by nobody", tracker)])
      var solo: Dog? = Dog("solo", tracker)
      try alone.append(require(solo))
      for (implementer, number) in alone.inTurn {
        solo = nil
        expect(number == 1 && (implementer as? Dog)?.name == "solo")
      }
      expect(alone.implementers.isEmpty)
    }
  }

  @Test("A loop goes through all implementers in order, and may wait (D2.1)") func inOrder() async throws {
    let (alto, bass) = (Dog("alto"), Dog("bass"))
    let choir = Choir(alto, nil, bass, alto)
    #expect(await choir.speak("la") == "0 alto: la, 2 bass: la")
    expect(choir.numbers == [0, 2] && choir.implementers.count == 2)
    try expectEqual(choir.insert(Dog("gone"), at: 0), 3)
    #expect(await choir.speak("la") == "0 alto: la, 2 bass: la")
    withExtendedLifetime((alto, bass)) {}
  }

  @Test("An implementer added within a loop waits, and one removed is passed over (D4.10)")
  func changesWithinALoop() throws {
    let dogs = (0..<4).map { Dog("\($0)") }
    let list = ImplementerList<any Speaking>(objects: [dogs[0], dogs[1], dogs[2]])
    var met: [Int] = []
    for (_, number) in list.inTurn {
      met.append(number)
      guard number == 0 else { continue }
      list.remove(dogs[1])
      try list.append(dogs[3])
      // A loop within it begins anew.
      for (_, number) in list.inTurn { met.append(10 * number) }
    }
    expectEqual(met, [0, 0, 20, 30, 2])
    expectEqual(list.inTurn.map(\.number), [0, 2, 3])
    withExtendedLifetime(dogs) {}
  }

  @Test("A dispatcher is refused where its calls would come back (D4.11)") func noCircles() throws {
    let (inner, middle, outer) = (Choir(), Choir(), Choir())
    try outer.append(middle)
    try middle.insert(inner, at: 0)
    for (dispatcher, implementer) in [(inner, outer), (inner, middle), (inner, inner), (middle, outer)] {
      expectErrors(.dispatchCycle, { try dispatcher.append(implementer) }, { try dispatcher.insert(implementer, at: 0) })
    }
    expect(inner.implementers.isEmpty && middle.implementers.count == 1)
    // Without a circle the same one may be reached twice.
    try outer.append(inner)
    expect(outer.remove(middle) && !outer.remove(middle) && outer.remove(number: 1))
    try middle.append(outer)
    middle.removeAll()
    expect(middle.implementers.isEmpty)
  }
}
