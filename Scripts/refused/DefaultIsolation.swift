// flags: -default-isolation MainActor -enable-upcoming-feature NonisolatedNonsendingByDefault -enable-upcoming-feature InferIsolatedConformances
// A module whose code belongs to the main actor by default: a node needs a nonisolated initializer, as its superclass has.
import DynamicInvocation
import EventRouting

final class Tapped: ResponderNode { var taps = 0 }  // error: different actor isolation

final class Cell: ResponderNode {
  var taps = 0

  override nonisolated init(_ name: String?) { super.init(name) }

  func tapped(_ source: AnyObject?, _ index: Int) { taps += index }
  func loaded(_ source: AnyObject?, _ index: Int) async { taps += index }
}

final class Screen: Responder {
  var title = ""
  let state = ResponderState()
  var nextResponder: (any Responder)? { nil }
  var responderState: ResponderState? { state }
}

func registered(_ cell: Cell, _ screen: Screen) async throws -> Int {
  try cell.proxy.register("tapped", target: cell, Cell.tapped)
  try cell.proxy.register("loaded", target: cell, Cell.loaded)
  try screen.proxy.register("named") { (_: AnyObject?, name: String) in screen.title = name }
  cell.send("tapped", arguments: [.int(1)])
  await cell.sendAwaiting("loaded", 2)
  let port = cell.port()
  Task.detached { await port.send("tapped", 3) }
  for await event in try cell.proxy.events(for: "moved") where event.source === cell { return cell.taps }
  return 0
}

nonisolated func elsewhere(_ screen: Screen) {
  screen.send("named", arguments: ["x"])  // error: main actor-isolated conformance
}
