import EventRouting
import TestSupport
import Testing

/// What an interceptor may do that a handler may not.
@Suite(.measured) struct InterceptorTests {
  private let proxy = EventProxy()

  @Test("An interceptor is called first and may keep the event from the handlers (E8.11)")
  func itIsCalledFirstAndMayKeepTheEventFromTheHandlers() throws {
    var log: [String] = []
    try proxy.register("e") { (_: AnyObject?, n: Int) in log.append("handler \(n)") }
    try proxy.register("e", options: HandlerOptions(priority: 1, duplicates: .append)) { (_: AnyObject?, n: Int) in log.append("high \(n)")
    }
    try proxy.intercept("e") { _, _, arguments in
      log.append("guard")
      return try arguments.value(at: 0, as: Int.self) < 10 ? .handledAndContinue : .handledAndStop(.node)
    }
    try proxy.intercept("e") { _, _, _ in
      log.append("second guard")
      return .ignored
    }
    proxy.send("e", source: nil, arguments: [5])
    #expect(log == ["high 5", "guard", "second guard", "handler 5"])
    log = []
    #expect("\(proxy.send("e", source: nil, arguments: [50]).reply)" == "handledAndStop(node)")
    #expect(log == ["high 50", "guard"])
    #expect(proxy.send("e", source: nil, arguments: []).errors.contains { ($0 as? InvocationError)?.code == .indexOutOfRange })
  }

  @Test("Handlers and interceptors are no duplicates of each other (E8.12)")
  func handlersAndInterceptorsAreNoDuplicatesOfEachOther() throws {
    let interceptor = try proxy.intercept("e") { _, _, _ in .handled }
    let handler = try proxy.register("e") { (_: AnyObject?) in }
    #expect(throws: InvocationError.self) { try proxy.register("e") { (_: AnyObject?) in } }
    let second = try proxy.register("e", options: HandlerOptions(duplicates: .replace)) { (_: AnyObject?) in }
    #expect(!handler.isActive && second.isActive && interceptor.isActive)
    #expect(throws: InvocationError.self) { try proxy.intercept("e", options: HandlerOptions()) { _, _, _ in .handled } }
    let replacing = try proxy.intercept("e", options: HandlerOptions(duplicates: .replace)) { _, _, _ in .handled }
    #expect(!interceptor.isActive && replacing.isActive && second.isActive)
    #expect(try !proxy.intercept("e", options: HandlerOptions(duplicates: .keepFirst)) { _, _, _ in .handled }.isActive)
    // A loop that waits for events is no hindrance for a handler that comes later.
    let other = EventProxy()
    let events = try other.events(for: "e")
    try other.register("e") { (_: AnyObject?) in }
    other.send("e", source: nil)
    #expect("\(events)" == "EventSequence(1 waiting, 0 dropped)")
  }
}
