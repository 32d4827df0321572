public import DynamicInvocation
import RecordedValues
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
  /// Numbers, bools, strings, null, selectors, geometry, structs, unions, arrays and vectors are saved exactly. Objects,
  /// classes and pointers are not, nor is a source that is not the sender; ``omissions`` names them.
  ///
  /// Each argument is encoded as an object with its kind: `{"int": 3}`, `{"rect": [0, 0, 3, 4]}`, `{"null": true}`, and a value
  /// of any other type with that: `{"value": ["{Pair=id}", [7, 0.5]]}`. The values are encoded as in the records of calls.
  ///
  /// Data from an untrusted source may be decoded: what is wrong is an error. Each new key and each new selector stays in
  /// memory for the life of the process.
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
  /// The case of the box, which is the key of the value in the encoded form.
  enum Kind: String, CodingKey, Sendable {
    case null, bool, int, uint, int128, uint128, float, double, longDouble, string, selector
    case point, size, rect, vector, range, insets, offset, affineTransform, transform3D
    case value
    case notSaved
  }

  case saved(Kind, RecordedValue)
  /// A value that is not saved, with its description by kind.
  case notSaved(String)

  init(_ box: BoxedValue) {
    func saved<Value>(_ kind: Kind, _ value: Value) -> RecordedArgument {
      .saved(kind, unsafe withUnsafeBytes(of: value) { unsafe RecordedValue(kind.type, Array($0)) })
    }
    func refused(_ type: TypeEncoding) -> RecordedArgument { .notSaved(RecordedValue.refusal(type) ?? "") }
    self =
      switch box {
      case .null: .saved(.null, .null)
      case .bool(let value): saved(.bool, value)
      case .int(let value): saved(.int, value)
      case .uint(let value): saved(.uint, value)
      case .int128(let value): saved(.int128, value)
      case .uint128(let value): saved(.uint128, value)
      case .float(let value): saved(.float, value)
      case .double(let value): saved(.double, value)
      case .longDouble(let value): saved(.longDouble, value)
      case .string(let value): .saved(.string, .text(value))
      case .selector(let value): .saved(.selector, .selector(value))
      case .point(let value): saved(.point, value)
      case .size(let value): saved(.size, value)
      case .rect(let value): saved(.rect, value)
      case .vector(let value): saved(.vector, value)
      case .range(let value): saved(.range, value)
      case .insets(let value): saved(.insets, value)
      case .offset(let value): saved(.offset, value)
      case .affineTransform(let value): saved(.affineTransform, value)
      case .transform3D(let value): saved(.transform3D, value)
      case .value(let value): RecordedArgument(value)
      case .object(let object): .notSaved("an object of the class \(type(of: object))")
      case .type: refused("#")
      case .pointer: refused("^v")
      }
  }

  private init(_ value: EncodedBytes) {
    do {
      _ = try RecordedValue.text(of: value.encoding)
      try Self.require(value.encoding)
      self = .saved(.value, .bytes(value))
    } catch {
      self = .notSaved("a value of the type \(value.encoding.shortText): \(error.reason)")
    }
  }

  /// Throws unless the values of a type can be saved.
  private static func require(_ type: TypeEncoding) throws(InvocationError) {
    try RecordedValue.requireRecordable(type)
    guard let size = type.size, size <= RecordedValue.largestSize else {
      throw InvocationError(
        .limitExceeded, "it has more than the \(RecordedValue.largestSize) bytes that are recorded", encoding: type.description)
    }
  }

  /// The box; nil if the argument was not saved.
  var box: BoxedValue? {
    switch self {
    case .saved(_, .null): return .null
    case .saved(_, .text(let text)): return .string(text)
    case .saved(_, .selector(let selector)): return .selector(selector)
    case .saved(let kind, .bytes(let bytes)): return kind.box(of: bytes)
    case .notSaved: return nil
    }
  }
}

extension RecordedArgument.Kind {
  /// The struct of a kind of geometry.
  private var geometry: (any GeometryStruct.Type)? {
    switch self {
    case .point: Geometry.Point.self
    case .size: Geometry.Size.self
    case .rect: Geometry.Rect.self
    case .vector: Geometry.Vector.self
    case .range: Geometry.IndexRange.self
    case .insets: Geometry.EdgeInsets.self
    case .offset: Geometry.Offset.self
    case .affineTransform: Geometry.Transform2D.self
    case .transform3D: Geometry.Transform3D.self
    default: nil
    }
  }

  /// The type of the values as they are encoded; that of geometry is an array of its numbers.
  var type: TypeEncoding {
    switch self {
    case .bool: "B"
    case .int: "q"
    case .uint: "Q"
    case .int128: "t"
    case .uint128: "T"
    case .float: "f"
    case .double: "d"
    case .longDouble: "D"
    case .selector: ":"
    case .range: "[2Q]"
    case .point, .size, .vector, .offset: "[2d]"
    case .rect, .insets: "[4d]"
    case .affineTransform: "[6d]"
    case .transform3D: "[16d]"
    case .null, .string, .value, .notSaved: preconditionFailure("such an argument has no type, or states it")
    }
  }

  /// Creates the box of a value of the type of the kind.
  fileprivate func box(of value: EncodedBytes) -> BoxedValue {
    unsafe value.bytes.withUnsafeBytes { bytes in
      func load<Value: BitwiseCopyable>(_: Value.Type = Value.self) -> Value { unsafe bytes.loadUnaligned(as: Value.self) }
      switch self {
      case .bool: return .bool(load(UInt8.self) != 0)
      case .int: return .int(load())
      case .uint: return .uint(load())
      case .int128: return .int128(load())
      case .uint128: return .uint128(load())
      case .float: return .float(load())
      case .double: return .double(load())
      case .longDouble: return .longDouble(load())
      default:
        guard let geometry, let address = bytes.baseAddress else { return .value(value) }
        return unsafe geometry.box(at: address)
      }
    }
  }
}

extension RecordedArgument: Codable {
  /// A key of any name, to find those that are unknown.
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Kind.self)
    guard try decoder.container(keyedBy: AnyKey.self).allKeys.count == 1, let kind = values.allKeys.first else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "an argument has one value"))
    }
    do {
      switch kind {
      case .null:
        guard try values.decode(Bool.self, forKey: kind) else { throw InvocationError(.typeMismatch, "null is written as true") }
        self = .saved(kind, .null)
      case .string: self = .saved(kind, .text(try values.decode(String.self, forKey: kind)))
      case .notSaved: self = .notSaved(try values.decode(String.self, forKey: kind))
      case .value: self = .saved(kind, try Self.value(of: values.nestedUnkeyedContainer(forKey: kind)))
      default: self = .saved(kind, try RecordedValue(from: values.superDecoder(forKey: kind), as: kind.type))
      }
      if kind == .selector, self == .saved(kind, .null) { throw InvocationError(.nullNotAllowed, "null is no selector") }
    } catch let error as InvocationError {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath + [kind], debugDescription: error.description, underlyingError: error))
    }
  }

  /// Decodes a type and a value of it.
  private static func value(of parts: any UnkeyedDecodingContainer) throws -> RecordedValue {
    var parts = parts
    let type = try RecordedValue.type(parts.decode(String.self))
    try require(type)
    let value = try RecordedValue(from: &parts, as: type)
    guard parts.isAtEnd else { throw InvocationError(.countMismatch, "a type and a value are two") }
    return value
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Kind.self)
    switch self {
    case .notSaved(let text): try values.encode(text, forKey: .notSaved)
    case .saved(.null, _): try values.encode(true, forKey: .null)
    case .saved(.value, .bytes(let bytes)):
      var parts = values.nestedUnkeyedContainer(forKey: .value)
      try parts.encode(RecordedValue.text(of: bytes.encoding))
      try parts.encode(RecordedValue.bytes(bytes))
    case .saved(let kind, let value): try values.encode(value, forKey: kind)
    }
  }
}
