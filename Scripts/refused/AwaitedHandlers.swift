// A handler of an actor's tree does not change what belongs to the main actor.
import EventRouting

@MainActor final class Page {
  var taps = 0
}

actor Worker {
  let root = ResponderNode("root")

  func register(_ page: Page) throws {
    try root.proxy.register("k") { (_: AnyObject?) in page.taps += 1 }  // error: main actor-isolated property 'taps'
    try root.proxy.register("l") { (_: AnyObject?) async in page.taps += 1 }  // error: main actor-isolated property 'taps'
  }
}
