import DynamicInvocation
import TestSupport
import Testing

/// Lists of objects that are not kept alive.
@Suite(.measured) struct ImplementerListTests {
  private protocol Speaking {
    func speak() -> String
  }

  private protocol Naming: AnyObject {
    var name: String { get }
  }

  private final class Dog: Speaking, Naming {
    let name: String
    init(_ name: String) { self.name = name }
    func speak() -> String { "\(name) barks" }
  }

  private final class Cat: Speaking, Naming {
    let name: String
    let tracked: LifetimeTracked?
    init(_ name: String, _ tracker: LifetimeTracker? = nil) {
      self.name = name
      tracked = tracker?.object()
    }
    func speak() -> String { "\(name) mews" }
  }

  private struct Parrot: Speaking {
    func speak() -> String { "repeats" }
  }

  private func said<Implementer>(_ list: ImplementerList<Implementer>) -> [String] {
    list.implementers.compactMap { ($0 as? any Speaking)?.speak() }
  }

  @Test func existentialsAreCalledInOrder() throws {
    let (dog, cat) = (Dog("Rex"), Cat("Tom"))
    let list = ImplementerList<any Speaking>()
    #expect(try list.append(dog) == 0 && list.insert(cat, at: 0) == 1 && list.append(dog) == 0)
    var heard: [String] = []
    list.forEach { speaker, number in
      heard.append("\(number) \(speaker.speak())")
      return true
    }
    #expect(heard == ["1 Tom mews", "0 Rex barks"] && said(list) == ["Tom mews", "Rex barks"])
    let both = try ImplementerList<any Speaking & Naming>([dog, nil, cat, dog], allowsDuplicates: true)
    #expect(both.numbers == [0, 2, 3] && both.implementers.map(\.name) == ["Rex", "Tom", "Rex"])
    let named = try ImplementerList<any Naming>([cat])
    #expect(named.implementers.map(\.name) == ["Tom"])
    let dogs = try ImplementerList<Dog>([dog])
    #expect(dogs.implementers.map(\.name) == ["Rex"])
    let anything = try ImplementerList<Any>([dog, cat])
    #expect(said(anything) == ["Rex barks", "Tom mews"])
    withExtendedLifetime((dog, cat)) {}
  }

  @Test func structsAreRefused() throws {
    let list = ImplementerList<any Speaking>()
    #expect(InvocationFixtures.code { try list.append(Parrot()) } == .typeMismatch)
    #expect(InvocationFixtures.message { try list.append(Parrot()) } == "Parrot is no class, and only an object can be an implementer")
    #expect(InvocationFixtures.code { _ = try ImplementerList<Any>([1]) } == .typeMismatch)
    #expect(!list.remove(Parrot()) && list.implementers.isEmpty)
  }

  @Test func theEndedLeaveTheList() throws {
    try LifetimeTracker.check { tracker in
      let list = ImplementerList<any Speaking>()
      var cats = (0..<5).map { Cat("\($0)", tracker) }
      for cat in cats { try list.append(cat) }
      cats.remove(at: 2)
      #expect(tracker.liveCount == 4 && list.numbers == [0, 1, 3, 4])
      cats.removeLast()
      #expect(said(list) == ["0 mews", "1 mews", "3 mews"])
      // A number is not given again.
      let late = Cat("late", tracker)
      #expect(try list.append(late) == 5)
      #expect(list.remove(number: 0) && !list.remove(number: 4) && list.remove(late) && !list.remove(late))
      #expect(list.numbers == [1, 3])
      list.removeAll()
      #expect(list.implementers.isEmpty && cats.count == 3)
    }
  }

  @Test func aCallMayChangeTheList() throws {
    let (dog, cat, late) = (Dog("Rex"), Cat("Tom"), Dog("Max"))
    let list = try ImplementerList<any Speaking>([dog, cat])
    var heard: [String] = []
    func listen(_ change: Bool) {
      list.forEach { speaker in
        heard.append(speaker.speak())
        if change, heard.count == 1 {
          _ = try? list.append(late)
          list.remove(cat)
          listen(false)
        }
        return true
      }
    }
    listen(true)
    #expect(heard == ["Rex barks", "Rex barks", "Max barks"])
    heard = []
    list.forEach { speaker in
      heard.append(speaker.speak())
      return false
    }
    #expect(heard == ["Rex barks"])
    #expect(throws: Refusal(number: 3)) { try list.forEach { _ -> Bool in throw Refusal(number: 3) } }
    withExtendedLifetime((dog, late)) {}
  }
}
