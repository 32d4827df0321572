import DynamicInvocation
import EventRouting
import Workloads

/// The object that an event comes from, and that one tells of.
final class Button: EncodedObject {
  /// The address, as C takes it.
  var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

/// Sends the workload's event through an `EventProxy`.
struct EventLoop {
  let engine: Engine
  private let key: TypedEventKey<(Button, Int, Rect, Button?)>

  /// Makes the loop; `variant` chooses the key that it sends.
  init(engine: Engine, variant: Int = 0) {
    self.engine = engine
    key = variant == 0 ? "button.pressed" : TypedEventKey("button.pressed \(variant)")
  }

  private static let rect = Rect(x: 1, y: 2, width: 3, height: 4)

  /// Sends the event `count` times; returns what the handler has summed up, to be checked.
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

  /// A proxy that has 99,999 other keys, made once.
  private static func crowded() throws -> EventProxy {
    if let proxy = crowd { return proxy }
    let proxy = EventProxy()
    for index in 0..<99_999 { try proxy.intercept(EventKey("other \(index)")) { _, _, _ in .handled } }
    crowd = proxy
    return proxy
  }

  // The benchmark has one thread.
  nonisolated(unsafe) private static var crowd: EventProxy?

  private func register(_ proxy: EventProxy, _ target: Target, _ phase: Phase) throws {
    let options = HandlerOptions(holding: engine == .eventWeak ? .weak : .strong)
    switch (phase, engine) {
    case (.method, _):
      try MethodTable.of(Target.self).replace(
        "pressed",
        Implementation { (_: Target, source: Button, button: Button, tag: Int, rect: Rect, other: Button?) in
          handle(source, button, tag, rect, other)
        })
      try proxy.register(key.key, target: target, selector: "pressed", options: options)
    case (.typed, .event), (.typed, .eventWeak), (.typed, .eventMany):
      try proxy.register(key, target: target, options: options) {
        (_: Target, source: Button, button: Button, tag: Int, rect: Rect, other: Button?) in
        handle(source, button, tag, rect, other)
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
    for _ in 0..<count { proxy.send(key, source: source, boxes) }
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

/// What every engine's Swift handler does: calls the callee.
@inline(__always)
func handle(_ source: Button, _ button: Button, _ tag: Int, _ rect: Rect, _ other: Button?) {
  workload_we(
    nil, nil, source.address, button.address, Int64(tag),
    workload_rect(x: rect.origin.x, y: rect.origin.y, width: rect.size.width, height: rect.size.height), other?.address)
}
