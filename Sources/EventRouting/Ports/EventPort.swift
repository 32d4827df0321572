public import DynamicInvocation

/// The way into a tree from other isolation domains.
///
///     let port = page.root.port()            // in the isolation of the tree, here the main actor
///     Task.detached {
///       await port.post("progress", 0.5)     // queued, and delivered on the main actor
///       let outcome = await port.send("done")  // delivered after it, with its outcome
///       let saved = await port.sendAwaiting("save")  // the same, and waits for asynchronous handlers
///     }
///
/// An event that is posted is queued, and sent from the port's node in the isolation of the tree. Events of one sender
/// are delivered in the order in which it posted them. A port may be used by any number of tasks; the compiler refuses
/// arguments that are not Sendable.
///
/// The port does not keep the tree alive. When the node was deallocated, events are dropped and counted. Posted events are
/// delivered even if the port is released first. A port retains its actor. So a handler should capture a port weakly if the
/// port's actor owns the handler's tree.
///
/// The source of the events is the node. ``EventLog/withLogger(_:_:)`` and
/// ``DispatchReport/Observer/watching(before:after:_:)`` of a sender do not apply to events that it posts.
///
/// - Complexity: Posting takes a lock and copies the arguments. It allocates when memory for 64 kilobytes of events is
///   full, and when no delivery is running, since it then starts a task. A port keeps up to 512 kilobytes for the next events.
public final class EventPort: Sendable, CustomStringConvertible {
  /// What happens when more events are posted than are delivered.
  ///
  /// Limits below 1 count as 1. Events that were taken for delivery do not count.
  public enum Overflow: Sendable, Hashable {
    /// While as many events wait as the limit, ``EventPort`` suspends the task that posts.
    case suspends(at: Int)
    /// An event that is posted while as many wait as the limit is dropped.
    case drops(at: Int)
    /// Every event is queued.
    case unbounded
  }

  @usableFromInline let core: PortCore
  @usableFromInline let owner: any Actor

  init(_ core: PortCore) {
    self.core = core
    owner = core.owner
  }

  /// How many events were dropped: because of the limit, because the node was deallocated, or because an object among the
  /// arguments was being deallocated when it was posted.
  public var droppedCount: Int { core.droppedCount }

  /// How many events wait to be taken for delivery.
  public var waitingCount: Int { core.waitingCount }

  /// The number of waiting events and of dropped events.
  public var description: String { "EventPort(\(waitingCount) waiting, \(droppedCount) dropped)" }
}

extension Responder {
  /// Returns a port through which other isolation domains send events from this node.
  ///
  /// It must be called in the isolation of the tree: on the actor that owns it. Where there is no actor, it does not
  /// compile.
  ///
  /// - Parameters:
  ///   - overflow: What happens when more events are posted than are delivered.
  ///   - keys: The keys whose events are coalesced, and how. Posting an event of such a key allocates.
  ///   - actor: The actor that owns the tree; the default is the isolation of the caller.
  public func port(
    overflow: EventPort.Overflow = .suspends(at: 1_024), coalescing keys: [EventKey: EventPort.Coalescing] = [:],
    isolation actor: isolated any Actor = #isolation
  ) -> EventPort {
    EventPort(PortCore(self, on: actor, overflow, keys))
  }
}

// MARK: Boxed events

extension EventPort {
  /// Posts an event with boxed arguments; see the typed form with one argument.
  ///
  ///     await port.post("row.tapped", arguments: [3, "title", .object(account)])
  @discardableResult
  public nonisolated(nonsending) func post(
    _ key: EventKey, arguments: [EventPort.Argument], rules: RoutingRules = .router
  ) async -> Bool {
    await post(key, BoxedPayload(arguments.map(\.value)), rules)
  }

  /// Posts an event with boxed arguments that the caller does not use any more.
  ///
  /// The compiler checks that; it accepts new objects, also of classes that are not Sendable.
  @discardableResult
  public nonisolated(nonsending) func post(
    _ key: EventKey, giving arguments: sending [BoxedValue], rules: RoutingRules = .router
  ) async -> Bool {
    await post(key, BoxedPayload(arguments), rules)
  }

  // Only the event that is queued in the end keeps the arguments.
  private nonisolated(nonsending) func post(_ key: EventKey, _ payload: BoxedPayload, _ rules: RoutingRules) async -> Bool {
    nonisolated(unsafe) let payload = payload
    while true {
      switch unsafe core.put(key, payload, rules) {
      case .queued: return true
      case .dropped: return false
      case .full: guard await core.waitForRoom() else { return false }
      }
    }
  }

  /// Posts an event with boxed arguments, if there is room, without waiting; see the typed form with one argument.
  @discardableResult
  public func offer(_ key: EventKey, arguments: [EventPort.Argument], rules: RoutingRules = .router) -> Bool {
    core.put(key, BoxedPayload(arguments.map(\.value)), rules) == .queued
  }

  /// Sends an event with boxed arguments and returns its outcome; see the typed form with one argument.
  public func send(_ key: EventKey, arguments: [EventPort.Argument], rules: RoutingRules = .router) async -> SendOutcome? {
    await core.answer(on: owner) { node in
      node.responder.send(key, arguments: arguments.map(\.value), rules: rules)
    }
  }

  /// Sends an event with boxed arguments, waits for asynchronous handlers, and returns its outcome; see the typed form
  /// with one argument.
  public func sendAwaiting(_ key: EventKey, arguments: [EventPort.Argument], rules: RoutingRules = .router) async -> SendOutcome? {
    await core.answerAwaiting(on: owner) { node in
      await node.responder.sendAwaiting(key, arguments: arguments.map(\.value), rules: rules)
    }
  }

  /// An argument of a boxed event that may be sent to another isolation domain.
  public struct Argument: Sendable, CustomStringConvertible {
    /// The box; it contains no object of a class that is not Sendable.
    @safe nonisolated(unsafe) let value: BoxedValue

    /// Boxes a value.
    ///
    /// - Throws: `InvocationError` `typeMismatch` when the encoding of the type does not match its layout in Swift, and
    ///   when the box of the value contains another object than the value, which may not be Sendable.
    public init<Value: _BoxConvertible & Sendable>(_ value: Value) throws(InvocationError) {
      let box = try value.boxed()
      if case .object(let object) = box, value as AnyObject !== object {
        throw InvocationError(.typeMismatch, "\(Value.self) boxes an object of the class \(type(of: object)), which may not be Sendable")
      }
      self.value = box
    }

    /// Returns nil for a box whose contents may not be Sendable: an object, a pointer, and bytes that may contain one.
    public init?(_ box: BoxedValue) {
      switch box {
      case .object, .pointer, .value: return nil
      default: value = box
      }
    }

    private init(checked value: BoxedValue) { self.value = value }

    /// An object of a Sendable class.
    public static func object(_ object: some AnyObject & Sendable) -> EventPort.Argument { EventPort.Argument(checked: .object(object)) }

    /// The box.
    public var description: String { value.description }
  }
}

extension EventPort.Argument: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByStringLiteral,
  ExpressibleByNilLiteral
{
  /// An integer.
  public init(integerLiteral value: Int) { self.init(checked: .int(value)) }
  /// A floating-point number.
  public init(floatLiteral value: Double) { self.init(checked: .double(value)) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self.init(checked: .bool(value)) }
  /// A string.
  public init(stringLiteral value: String) { self.init(checked: .string(value)) }
  /// Null.
  public init(nilLiteral: ()) { self.init(checked: .null) }
}
