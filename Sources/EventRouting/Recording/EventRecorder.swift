import DynamicInvocation
import Synchronization

/// A log of the events that are sent in a tree, which can be saved and sent again.
///
///     let recorder = EventRecorder(of: root)
///     row.send("row.tapped", arguments: [.int(3)])
///     let data = try JSONEncoder().encode(recorder.events)
///
/// It records each send from a node of the tree, until it is deallocated or ``stop()`` is called. To replay a log, send
/// the events whose ``EventRecorder/Record/nesting`` is 1: handlers send the others. It does not keep the tree alive,
/// and records nothing more once the root was deallocated.
///
/// - Complexity: Each recorded send creates a report, boxes the arguments, and allocates. A send in another tree only
///   compares the roots.
public final class EventRecorder: Sendable {
  /// The events with their serial numbers, as nested sends end before the outer ones.
  private final class Log: Sendable {
    let entries: Locked<[(serial: Int, event: Record)]> = Locked([])

    func add(_ event: Record, _ serial: Int) {
      entries.withLock { entries in
        var place = entries.count
        while place > 0, entries[place - 1].serial > serial { place -= 1 }
        entries.insert((serial, event), at: place)
      }
    }
  }

  private let log: Log
  private let observer: DispatchReport.Observer

  /// Starts to record the events of a tree, as long as the node is its root.
  public init(of root: some Responder) {
    let log = Log()
    self.log = log
    observer = DispatchReport.Observer(recording: RecordedRoot(root)) { event, serial in log.add(event, serial) }
  }

  /// The events, in the order in which they were sent.
  ///
  /// An event is added when its send ends.
  public var events: [Record] { log.entries.withLock { $0.map(\.event) } }

  /// Stops recording and keeps the events; a second call does nothing.
  public func stop() { observer.cancel() }
}

extension EventRecorder: CustomStringConvertible {
  /// The number of events.
  public var description: String {
    let count = events.count
    return "EventRecorder(\(count) event\(count == 1 ? "" : "s"))"
  }
}

/// The root of a tree whose sends are recorded; it is not kept alive.
@safe
final class RecordedRoot: @unchecked Sendable {
  // Unchecked Sendable: it is immutable, and any thread may retain and release the object.

  let id: ObjectIdentifier
  private let reference: WeakObject

  init(_ root: some Responder) {
    id = ObjectIdentifier(root)
    reference = WeakObject(root)
  }

  /// Whether a node is the root, and not another object at the address of one that was deallocated.
  func isSame(as node: any Responder) -> Bool { ObjectIdentifier(node) == id && reference.isAlive }
}

/// A send that is being recorded: everything but its report.
struct RecordedSend: Sendable {
  private static let serials: Atomic<Int> = Atomic(0)

  let serial: Int
  let root: ObjectIdentifier
  private let key: EventKey
  private let rules: RoutingRules
  private let senderPath: [Int]?
  private let isAwaited: Bool
  private let nesting: Int
  private let source: EventRecorder.Record.Source
  private let arguments: [RecordedArgument]

  init(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, rules: RoutingRules, isAwaited: Bool, _ boxes: [BoxedValue]?
  ) {
    serial = Self.serials.wrappingAdd(1, ordering: .relaxed).newValue
    let top = TreeWalk.root(of: sender)
    root = ObjectIdentifier(top)
    senderPath = Self.path(to: sender, from: top)
    self.key = key
    self.rules = rules
    self.isAwaited = isAwaited
    nesting = unsafe (ActivePass.innermost?.pointee.nesting ?? 0) + 1
    self.source = source.map { $0 === sender ? .sender : .notSaved("an object of the class \(type(of: $0))") } ?? .none
    arguments = boxes?.map { RecordedArgument($0) } ?? [.notSaved("arguments that cannot be boxed")]
  }

  /// The indices of the children that lead from a root to a node; nil if a node is no child of its next responder.
  private static func path(to node: any Responder, from root: any Responder) -> [Int]? {
    var path: [Int] = []
    var here = node
    while here !== root {
      guard let next = here.nextResponder, let index = next.childResponders.firstIndex(where: { $0 === here }) else { return nil }
      path.append(index)
      here = next
    }
    return path.reversed()
  }

  /// The record, once the send has ended.
  func event(_ report: DispatchReport) -> EventRecorder.Record {
    EventRecorder.Record(
      key: key.name, rules: rules, senderPath: senderPath, isAwaited: isAwaited, nesting: nesting, report: report.description,
      source: source, arguments: arguments)
  }
}

/// A proxy that is asked once, for the arguments of an event.
final class ArgumentCatcher {
  let proxy: EventProxy = EventProxy()
  private var arguments: [BoxedValue]?

  init(_ key: EventKey) {
    do {
      try proxy.intercept(key) { [unowned self] _, _, arguments in
        self.arguments = arguments
        return .handled
      }
    } catch {
      preconditionFailure("a first interceptor is no duplicate: \(error)")
    }
  }

  /// The arguments; nil if they could not be boxed.
  var caught: [BoxedValue]? { arguments }
}
