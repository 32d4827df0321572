import DynamicInvocation
import TestSupport
import Testing

/// Loops over lists of implementers, and dispatchers of Swift protocols written by hand.
@Suite(.measured) struct ImplementerDispatcherTests {
  private protocol Speaking: AnyObject {
    func speak(_ word: String) async -> String
  }

  private final class Voice: Speaking {
    let name: String
    let tracked: LifetimeTracked?
    init(_ name: String, _ tracker: LifetimeTracker? = nil) {
      self.name = name
      tracked = tracker?.object()
    }
    func speak(_ word: String) async -> String { "\(name): \(word)" }
  }

  private final class Choir: Speaking, ImplementerDispatcher {
    let implementerList: ImplementerList<any Speaking>
    init(_ voices: (any Speaking)?...) { implementerList = ImplementerList(objects: voices) }

    func speak(_ word: String) async -> String {
      var all: [String] = []
      for (voice, number) in implementerList.inTurn { all.append("\(number) \(await voice.speak(word))") }
      return all.joined(separator: ", ")
    }
  }

  @Test("A loop goes through all implementers in order, and may wait (D2.1)") func inOrder() async throws {
    let (alto, bass) = (Voice("alto"), Voice("bass"))
    let choir = Choir(alto, nil, bass, alto)
    #expect(await choir.speak("la") == "0 alto: la, 2 bass: la")
    #expect(choir.numbers == [0, 2] && choir.implementers.count == 2)
    #expect(try choir.insert(Voice("gone"), at: 0) == 3)
    #expect(await choir.speak("la") == "0 alto: la, 2 bass: la")
    withExtendedLifetime((alto, bass)) {}
  }

  @Test("An implementer that has ended is passed over in a loop (D4.1)") func ended() {
    let tracker = LifetimeTracker()
    var voices: [Voice] = (0..<4).map { Voice("\($0)", tracker) }
    let list = ImplementerList<any Speaking>(objects: voices)
    var turns = list.inTurn
    #expect(turns.next()?.number == 0)
    voices.removeSubrange(1...2)
    #expect(tracker.liveCount == 2)
    #expect(turns.next()?.number == 3 && turns.next() == nil && turns.next() == nil)
    #expect(list.inTurn.map(\.number) == [0, 3])
    withExtendedLifetime(voices) {}
  }

  @Test("An implementer added within a loop waits, and one removed is passed over (D4.10)")
  func changesWithinALoop() throws {
    let voices = (0..<4).map { Voice("\($0)") }
    let list = ImplementerList<any Speaking>(objects: [voices[0], voices[1], voices[2]])
    var met: [Int] = []
    for (_, number) in list.inTurn {
      met.append(number)
      if number == 0 {
        list.remove(voices[1])
        try list.append(voices[3])
      }
    }
    #expect(met == [0, 2])
    #expect(list.inTurn.map(\.number) == [0, 2, 3])
    withExtendedLifetime(voices) {}
  }

  @Test func anImplementerInALoopLives() throws {
    let tracker = LifetimeTracker()
    var voice: Voice? = Voice("solo", tracker)
    let list = ImplementerList<any Speaking>(objects: [voice])
    for (implementer, _) in list.inTurn {
      voice = nil
      #expect(tracker.liveCount == 1 && (implementer as? Voice)?.name == "solo")
    }
    #expect(tracker.liveCount == 0 && list.implementers.isEmpty)
  }

  @Test("A dispatcher is refused where its calls would come back (D4.11)") func noCircles() throws {
    let (inner, middle, outer) = (Choir(), Choir(), Choir())
    try outer.append(middle)
    try middle.insert(inner, at: 0)
    for (dispatcher, implementer) in [(inner, outer), (inner, middle), (inner, inner), (middle, outer)] {
      let error = #expect(throws: InvocationError.self) { try dispatcher.append(implementer) }
      #expect(error?.code == .dispatchCycle)
      #expect(throws: InvocationError.self) { try dispatcher.insert(implementer, at: 0) }
    }
    #expect(inner.implementers.isEmpty && middle.implementers.count == 1)
    // Without a circle the same one may be reached twice.
    try outer.append(inner)
    #expect(outer.remove(middle) && !outer.remove(middle) && outer.remove(number: 1))
    try middle.append(outer)
    middle.removeAll()
    #expect(middle.implementers.isEmpty)
  }

  @Test func aStructInAListOfObjectsTraps() async {
    await #expect(processExitsWith: .failure) { _ = ImplementerList<any Equatable>(objects: [1]) }
  }
}
