public import DynamicInvocation
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

extension EventRecorder {
  /// An event that was sent, as plain values: it can be saved, and sent again.
  ///
  ///     let data = try JSONEncoder().encode(recorder.events)
  ///     for event in try JSONDecoder().decode([Record].self, from: data) { try event.replay(in: root) }
  ///
  /// Null, bools, integers of 64 bits, floating-point numbers, strings, points, sizes, rectangles, vectors, offsets and
  /// insets are saved exactly. Other arguments, and a source that is not the sender, are not saved; ``omissions`` names
  /// them.
  ///
  /// Data from an untrusted source may be decoded: what is wrong is an error. Each new key stays in memory for the life of
  /// the process.
  public struct Record: Sendable, Hashable, Codable {
    /// The source of an event.
    enum Source: Hashable, Sendable, Codable {
      case sender
      case none
      case notSaved(String)
    }

    /// The name of the key.
    public let key: String
    /// The rules of the send.
    public let rules: RoutingRules
    /// The sender: for each level from the root down, the index of the child.
    ///
    /// Nil if a node on the way is no child of its next responder; such an event cannot be sent again.
    public let senderPath: [Int]?
    /// Whether the send waited for asynchronous handlers.
    public let isAwaited: Bool
    /// How many events were being handled when it was sent, including itself: more than 1 for an event that a handler sent.
    public let nesting: Int
    /// The report of the send, as text.
    public let report: String

    let source: Source
    let arguments: [RecordedArgument]

    /// What was not saved: each with the index of the argument, 0 for the source.
    public var omissions: [String] {
      var omissions: [String] = senderPath == nil ? ["the sender: it is no child of its next responder"] : []
      if case .notSaved(let text) = source { omissions.append("argument 0, the source: \(text)") }
      for (index, argument) in arguments.enumerated() {
        if case .notSaved(let text) = argument { omissions.append("argument \(index + 1): \(text)") }
      }
      return omissions
    }
  }
}

extension EventRecorder.Record {
  /// Sends the event again, from the node at the same position below a root, and returns the report.
  ///
  /// In a tree of the same shape and names with handlers that reply the same, ``DispatchReport/description`` equals
  /// ``report``.
  ///
  /// - Parameter root: The root of the tree.
  /// - Throws: `InvocationError` `unsupportedType` if something was not saved; `outOfRange` if the tree has no node at the
  ///   position of the sender; `asynchronousHandler` if the send waited, which
  ///   ``replayAwaiting(in:)`` does.
  @discardableResult
  public func replay(in root: some Responder) throws(InvocationError) -> DispatchReport {
    if isAwaited {
      throw InvocationError(.asynchronousHandler, "the event '\(key)' was sent with sendAwaiting; use replayAwaiting")
    }
    let (sender, boxes) = try prepared(in: root)
    return Self.report(from: sender, EventKey(key), source: source == .sender ? sender : nil, boxes, rules)
  }

  /// Sends the event again as ``replay(in:)`` does, and waits for asynchronous handlers.
  @discardableResult
  public nonisolated(nonsending) func replayAwaiting(in root: some Responder) async throws(InvocationError) -> DispatchReport {
    let (sender, boxes) = try prepared(in: root)
    return await Self.reportAwaiting(from: sender, EventKey(key), source: source == .sender ? sender : nil, boxes, rules)
  }

  private func prepared(in root: some Responder) throws(InvocationError) -> (sender: any Responder, boxes: [BoxedValue]) {
    guard omissions.isEmpty, let senderPath else {
      throw InvocationError(.unsupportedType, "the event '\(key)' was not saved completely: \(omissions.joined(separator: "; "))")
    }
    var node: any Responder = root
    for index in senderPath {
      let children = node.childResponders
      guard children.indices.contains(index) else {
        throw InvocationError(.outOfRange, "the tree has no node at \(senderPath), the sender of the event '\(key)'")
      }
      node = children[index]
    }
    return (node, arguments.compactMap(\.box))
  }

  private static func report(
    from sender: some Responder, _ key: EventKey, source: AnyObject?, _ boxes: [BoxedValue], _ rules: RoutingRules
  ) -> DispatchReport { sender.report(key, source: source, arguments: boxes, rules: rules) }

  private nonisolated(nonsending) static func reportAwaiting(
    from sender: some Responder, _ key: EventKey, source: AnyObject?, _ boxes: [BoxedValue], _ rules: RoutingRules
  ) async -> DispatchReport { await sender.reportAwaiting(key, source: source, arguments: boxes, rules: rules) }
}

extension EventRecorder.Record: CustomStringConvertible {
  /// The first line of the report, and what was not saved.
  public var description: String {
    let first = report.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? key
    return omissions.isEmpty ? first : "\(first); not saved: \(omissions.joined(separator: "; "))".asLine
  }
}

/// An argument of an ``EventRecorder/Record``.
enum RecordedArgument: Sendable, Hashable {
  case null
  case bool(Bool)
  case int(Int)
  case uint(UInt)
  case float(Float)
  case double(Double)
  case string(String)
  /// A geometry struct: the name of its kind, and its numbers.
  case geometry(Shape, [Double])
  /// A value that is not saved, with its description by kind.
  case notSaved(String)

  enum Shape: String, Codable, Sendable {
    case point, size, rect, vector, offset, insets

    var numberCount: Int {
      switch self {
      case .point, .size, .vector, .offset: 2
      case .rect, .insets: 4
      }
    }
  }

  init(_ box: BoxedValue) {
    self =
      switch box {
      case .null: .null
      case .bool(let value): .bool(value)
      case .int(let value): .int(value)
      case .uint(let value): .uint(value)
      case .float(let value): .float(value)
      case .double(let value): .double(value)
      case .string(let value): .string(value)
      case .point(let value): .geometry(.point, [value.x, value.y])
      case .size(let value): .geometry(.size, [value.width, value.height])
      case .rect(let value): .geometry(.rect, [value.origin.x, value.origin.y, value.size.width, value.size.height])
      case .vector(let value): .geometry(.vector, [value.dx, value.dy])
      case .offset(let value): .geometry(.offset, [value.horizontal, value.vertical])
      case .insets(let value): .geometry(.insets, [value.top, value.left, value.bottom, value.right])
      case .object(let object): .notSaved("an object of the class \(type(of: object))")
      case .type: .notSaved("a class")
      case .selector: .notSaved("a selector")
      case .pointer: .notSaved("a pointer")
      case .int128, .uint128: .notSaved("a number of 128 bits")
      case .longDouble: .notSaved("a long double")
      case .range: .notSaved("a range")
      case .affineTransform, .transform3D: .notSaved("a transform")
      case .value(let value): .notSaved("a value of the type \(value.encoding)")
      }
  }

  /// The box; nil if the argument was not saved.
  var box: BoxedValue? {
    switch self {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .uint(let value): return .uint(value)
    case .float(let value): return .float(value)
    case .double(let value): return .double(value)
    case .string(let value): return .string(value)
    case .geometry(let kind, let n):
      switch kind {
      case .point: return .point(Geometry.Point(x: n[0], y: n[1]))
      case .size: return .size(Geometry.Size(width: n[0], height: n[1]))
      case .rect: return .rect(Geometry.Rect(x: n[0], y: n[1], width: n[2], height: n[3]))
      case .vector: return .vector(Geometry.Vector(dx: n[0], dy: n[1]))
      case .offset: return .offset(Geometry.Offset(horizontal: n[0], vertical: n[1]))
      case .insets: return .insets(Geometry.EdgeInsets(top: n[0], left: n[1], bottom: n[2], right: n[3]))
      }
    case .notSaved: return nil
    }
  }
}

extension RecordedArgument: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case null, bool, int, uint, float, double, string, point, size, rect, vector, offset, insets, notSaved
  }

  /// A key of any name, to find those that are unknown.
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    guard try decoder.container(keyedBy: AnyKey.self).allKeys.count == 1, let key = values.allKeys.first else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "an argument has one value"))
    }
    switch key {
    case .null:
      guard try values.decode(Bool.self, forKey: key) else {
        throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: "null is written as true")
      }
      self = .null
    case .bool: self = .bool(try values.decode(Bool.self, forKey: key))
    case .int: self = .int(try values.decode(Int.self, forKey: key))
    case .uint: self = .uint(try values.decode(UInt.self, forKey: key))
    case .float:
      let number = try values.decode(RecordedNumber.self, forKey: key).value
      guard let value = number.isNaN ? Float(number) : Float(exactly: number) else {
        throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: "\(number) is no Float")
      }
      self = .float(value)
    case .double: self = .double(try values.decode(RecordedNumber.self, forKey: key).value)
    case .string: self = .string(try values.decode(String.self, forKey: key))
    case .notSaved: self = .notSaved(try values.decode(String.self, forKey: key))
    case .point, .size, .rect, .vector, .offset, .insets:
      let numbers = try values.decode([RecordedNumber].self, forKey: key).map(\.value)
      guard let kind = Shape(rawValue: key.rawValue), numbers.count == kind.numberCount else {
        throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: "another number of numbers")
      }
      self = .geometry(kind, numbers)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .null: try values.encode(true, forKey: .null)
    case .bool(let value): try values.encode(value, forKey: .bool)
    case .int(let value): try values.encode(value, forKey: .int)
    case .uint(let value): try values.encode(value, forKey: .uint)
    case .float(let value): try values.encode(RecordedNumber(value: Double(value)), forKey: .float)
    case .double(let value): try values.encode(RecordedNumber(value: value), forKey: .double)
    case .string(let value): try values.encode(value, forKey: .string)
    case .notSaved(let value): try values.encode(value, forKey: .notSaved)
    case .geometry(let kind, let numbers):
      guard let key = Key(rawValue: kind.rawValue) else { preconditionFailure("each kind has a key") }
      try values.encode(numbers.map { RecordedNumber(value: $0) }, forKey: key)
    }
  }
}

/// A floating-point number; infinities and NaN are text, as some formats have no such numbers.
private struct RecordedNumber: Codable {
  let value: Double

  init(value: Double) { self.value = value }

  init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if let value = try? single.decode(Double.self) {
      self.value = value
    } else if case let text = try single.decode(String.self), let value = Double(text), !value.isFinite, "\(value)" == text {
      self.value = value
    } else {
      throw DecodingError.dataCorruptedError(in: single, debugDescription: "this is no number")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    if value.isFinite { try single.encode(value) } else { try single.encode("\(value)") }
  }
}
