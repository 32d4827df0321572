import DynamicInvocation
import EventRouting
import Workloads

/// The object that is the source of an event, or an argument of it.
final class Button: EncodedObject {
  /// The address of the object, to be passed to C.
  var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

// A file of its own: beside the loops of OtherEventLoops.swift the compiler makes ten more instructions of each handler, which are no
// cost of the package.

/// Sends the workload's event through an `EventProxy`.
struct EventLoop {
  let engine: Engine
  private let key: TypedEventKey<(Button, Int, Geometry.Rect, Button?)>

  /// Creates the loop.
  ///
  /// `variant` selects the key that it sends.
  init(engine: Engine, variant: Int = 0) {
    self.engine = engine
    key = variant == 0 ? "button.pressed" : TypedEventKey(EventKey("button.pressed \(variant)"))
  }

  private static let rect = Geometry.Rect(x: 1, y: 2, width: 3, height: 4)

  /// Sends the event `count` times and returns the handler's sum, to be checked.
  func run(_ phase: Phase, count: Int) throws -> Double {
    let proxy = engine == .eventMany ? try Self.crowded() : EventProxy()
    defer { proxy.removeHandlers(for: key.key) }
    let target = Target()
    try register(proxy, target, phase)
    let (source, button) = (Button(), Button())
    let before = workload_we_sum()
    defer { withExtendedLifetime((target, source, button)) {} }
    switch phase {
    case .boxing: sendBoxing(proxy, source, button, count: count)
    case .typed: sendTyped(proxy, source, button, count: count)
    default: sendBoxed(proxy, source, button, count: count)
    }
    return workload_we_sum() - before
  }

  /// Returns a proxy with 99,999 other keys, which is created once.
  private static func crowded() throws -> EventProxy {
    if let proxy = crowd { return proxy }
    let proxy = EventProxy()
    for index in 0..<99_999 { try proxy.intercept(EventKey("other \(index)")) { _, _, _ in .handled } }
    crowd = proxy
    return proxy
  }

  // The benchmark is single-threaded.
  nonisolated(unsafe) private static var crowd: EventProxy?

  private func register(_ proxy: EventProxy, _ target: Target, _ phase: Phase) throws {
    let options = HandlerOptions(holding: engine == .eventWeak ? .weak : .strong)
    switch (phase, engine) {
    case (.method, _):
      try MethodTable.of(Target.self).replace(
        "pressed",
        Implementation { (_: Target, source: Button, button: Button, tag: Int, rect: Geometry.Rect, other: Button?) in
          handle(source, button, tag, rect, other)
        })
      try proxy.register(key.key, target: target, selector: "pressed", options: options)
    case (.typed, .event), (.typed, .eventWeak), (.typed, .eventMany):
      try proxy.register(key, target: target, options: options) { (_: Target) in
        {
          (source: Button, button: Button, tag: Int, rect: Geometry.Rect, other: Button?) in
          handle(source, button, tag, rect, other)
        }
      }
    default:
      let implementation = Implementation(
        workload_callee(.we), methodSignature: try MethodSignature(types: Suite.WE.types))
      try proxy.register(key.key, implementation, target: target, selector: "pressed", options: options)
    }
  }

  private func sendBoxed(_ proxy: EventProxy, _ source: Button, _ button: Button, count: Int) {
    let boxes: [BoxedValue] = [.object(button), .int(7), .rect(Self.rect), .null]
    let key = self.key.key
    for _ in 0..<count { proxy.send(key, source: source, arguments: boxes) }
  }

  private func sendBoxing(_ proxy: EventProxy, _ source: Button, _ button: Button, count: Int) {
    let key = self.key.key
    for _ in 0..<count { proxy.send(key, source: source, boxed: .object(button), .int(7), .rect(Self.rect), .null) }
  }

  private func sendTyped(_ proxy: EventProxy, _ source: Button, _ button: Button, count: Int) {
    let key = self.key
    for _ in 0..<count { proxy.send(key, source: source, button, 7, Self.rect, nil) }
  }
}

/// The work of every engine's Swift handler: calls the callee.
@inline(__always)
func handle(_ source: Button, _ button: Button, _ tag: Int, _ rect: Geometry.Rect, _ other: Button?) {
  workload_we(
    nil, nil, source.address, button.address, Int64(tag),
    workload_rect(x: rect.origin.x, y: rect.origin.y, width: rect.size.width, height: rect.size.height), other?.address)
}
