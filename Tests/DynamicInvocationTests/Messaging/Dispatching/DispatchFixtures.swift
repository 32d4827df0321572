#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// What the tests of dispatching share: a protocol with an ancestor, and classes that implement some of it.
  enum DispatchFixtures {
    /// The ancestor, with one optional method.
    static func ancestor() throws -> DispatchProtocol {
      try DispatchProtocol("Ancestor", methods: [.optional("note(_:)", types: "v@:q")])
    }

    /// A protocol with a method of each kind.
    static func description() throws -> DispatchProtocol {
      try DispatchProtocol(
        "Sample", inheriting: [ancestor()],
        methods: [
          .required("count(_:)", types: "q@:q"), .optional("sum(_:_:)", types: "q@:qq"), .optional("object()", types: "@@:"),
          .optional("flag()", types: "B@:"), .optional("change(_:)", types: "v@:^q"), .optional("unheard()", types: "d@:"),
        ])
    }

    /// A dispatcher of the protocol.
    static func dispatcher(
      _ implementers: [AnyObject?], _ policy: ReturnPolicy<BoxedValue> = .last, allowsDuplicates: Bool = false
    ) throws -> ProtocolDispatcher {
      try ProtocolDispatcher(description(), implementers: implementers, returnPolicy: policy, allowsDuplicates: allowsDuplicates)
    }

    /// An invocation of a method of the protocol.
    static func invocation(_ selector: MethodSelector, _ target: AnyObject?, _ arguments: [BoxedValue] = []) throws -> Invocation {
      let signature = try description().method(for: selector)?.methodSignature ?? MethodSignature(types: "v@:")
      let invocation = try Invocation.message(signature, to: target, selector)
      try invocation.setArguments(boxed: arguments)
      return invocation
    }

    /// Sends a message of one or two integers, and returns the result.
    static func send(_ selector: MethodSelector, to target: AnyObject, _ arguments: BoxedValue...) throws -> Int {
      try invocation(selector, target, arguments).result()
    }
  }

  /// The order of calls.
  final class CallLog {
    var entries: [String] = []
    /// Whether nothing is noted, since the texts are allocated.
    var isQuiet = false

    func note(_ entry: @autoclosure () -> String) { if !isQuiet { entries.append(entry()) } }
  }

  /// What an implementer of the sample protocol does; its class has no methods.
  class Listener {
    let number: Int
    let log: CallLog
    /// Runs in each call of `count`, before the result is made.
    var body: () throws -> Void = {}
    var object: AnyObject?
    var flag = false

    init(_ number: Int = 0, _ log: CallLog = CallLog()) {
      _ = Self.methods
      self.number = number
      self.log = log
    }

    /// The listeners of some numbers with one log.
    static func make(_ numbers: [Int], _ log: CallLog = CallLog()) -> [FullListener] { numbers.map { FullListener($0, log) } }

    private static let methods: Void = {
      do {
        try MethodTable.of(NotingListener.self).add("note(_:)") { (listener: NotingListener, value: Int) in
          listener.log.note("note \(listener.number) \(value)")
        }
        let table = MethodTable.of(FullListener.self)
        try table.add("note(_:)") { (listener: FullListener, value: Int) in
          listener.log.note("note \(listener.number) \(value)")
        }
        try table.add("count(_:)") { (listener: FullListener, value: Int) throws -> Int in
          listener.log.note("count \(listener.number)")
          try listener.body()
          return 10 * listener.number + value
        }
        try table.add("sum(_:_:)") { (listener: FullListener, a: Int, b: Int) -> Int in
          listener.log.note("sum \(listener.number)")
          try? listener.body()
          return 100 * listener.number + a + b
        }
        try table.add("object()") { (listener: FullListener) -> Unmanaged<AnyObject>? in
          listener.log.note("object \(listener.number)")
          return listener.object.map { .passRetained($0) }
        }
        try table.add("flag()") { (listener: FullListener) -> Bool in
          listener.log.note("flag \(listener.number)")
          return listener.flag
        }
        try table.add("change(_:)") { (listener: FullListener, value: UnsafeMutablePointer<Int>) in
          value.pointee = 10 * value.pointee + listener.number
        }
        try table.add("private(_:)") { (listener: FullListener, value: Int) -> Int in value }
      } catch {
        Issue.record(error)
      }
    }()
  }

  /// An implementer of the ancestor's method only.
  final class NotingListener: Listener {}

  /// An implementer of all methods but one.
  final class FullListener: Listener {}
#endif
