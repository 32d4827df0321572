// A method of the main actor is added to a table, given by its name, on that actor only.
import DynamicInvocation

@MainActor final class Page {
  func show(_ number: Int) {}
  func reload() {}
  func area(_ width: Double, _ height: Double) throws -> Double { width * height }
  nonisolated func free(_ number: Int) {}
}
@MainActor protocol Showing: AnyObject {
  func show(_ number: Int)
}
extension Page: Showing {}
final class Mixed: Sendable {
  @MainActor func show(_ number: Int) {}
}
actor Counter {
  func count(_ number: Int) {}
}

func refused(_ table: MethodTable) throws {
  try table.add("show(_:)", Page.show)  // error: main actor-isolated
  try table.add("reload()", Page.reload)  // error: main actor-isolated
  try table.add("area(_:_:)", Page.area)  // error: main actor-isolated
  try table.add("show(_:)", Mixed.show)  // error: main actor-isolated
  try table.add("show(_:)") { (page: Page, number: Int) in page.show(number) }  // error: main actor-isolated
  try table.add("free(_:)", Page.free)
}

func refusedByType(_ table: MethodTable) throws {
  try table.add("count(_:)", Counter.count)  // error: is unavailable
}

@MainActor func taken(_ table: MethodTable) throws {
  try table.add("show(_:)", Page.show)
  try table.add("area(_:_:)", Page.area)
}
