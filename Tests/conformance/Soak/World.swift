import DynamicInvocation
import EventRouting
import InvocationRecords
import TestSupport

/// What all threads share: callees, the classes' method tables, closures, a dispatcher, and what counts.
final class World: @unchecked Sendable {
  // Sendable by hand: the libraries are never changed, the dispatcher may be used on any thread, and all else is Sendable.

  let seed: UInt64
  let libraries: [CalleeLibrary]
  /// The numbers of the signatures that are not variadic, for each library.
  let callable: [[Int]]
  /// Keeps the plan of every signature: the table of signatures drops plans now and then, and the heap would never be the same twice.
  private let plans: [MethodSignature]
  let tracker: LifetimeTracker = LifetimeTracker()
  let counters: [CallCounter] = Workloads.all.map { _ in CallCounter() }
  let closures: ClosureShelf
  let swift: SwiftCallees
  let audience: Audience

  init(seed: UInt64, signatures count: Int) throws {
    EventLog.logger = nil
    self.seed = seed
    let compilers = CCompiler.all.filter(\.available)
    guard !compilers.isEmpty else { throw Failure("neither gcc nor clang is installed") }
    libraries = try compilers.enumerated().map { index, compiler in
      try CalleeLibrary(
        Self.signatures(count, seed: seed &+ UInt64(index), for: compiler), compiler: compiler, flags: ["-O2"], calling: true, name: "soak")
    }
    plans = libraries.flatMap { library in
      library.signatures.flatMap { signature in
        ([.automatic] + CalleeLibrary.backends).compactMap {
          try? MethodSignature(signature.types, fixedArgumentCount: signature.fixedCount, backend: $0)
        }
      }
    }
    callable = libraries.map { library in library.signatures.indices.filter { library.signatures[$0].fixedCount == nil } }
    closures = ClosureShelf(tracker)
    swift = try SwiftCallees()
    audience = try Audience(tracker)
    try Account.addMethods()
    try Listener.addMethods()
  }

  private static func signatures(_ count: Int, seed: UInt64, for compiler: CCompiler) -> [CallSignature] {
    var random = RandomTypes(seed: seed, hasWholeVectors: true)
    return random.signatures(count, for: compiler) { random, number in
      number % 8 == 7 ? random.variadicSignature(arguments: 20) : random.signature(arguments: 24)
    }
  }

  /// Lets go of what the threads have left for each other.
  func tidy() {
    closures.removeAll()
    audience.removeGuests()
    Account.removeExtras()
  }
}

/// Closures that any thread may call, and replace while others are calling them.
final class ClosureShelf: Sendable {
  private static let places = 16

  private let closures: Locked<[Closure?]> = Locked(Array(repeating: nil, count: places))
  private let tracker: LifetimeTracker

  init(_ tracker: LifetimeTracker) { self.tracker = tracker }

  /// Puts a closure that adds a number in a random place.
  func replace(_ counter: CallCounter, using generator: inout SeededGenerator) throws {
    let object = tracker.object()
    let closure = try Closure(types: "qqq") { (a: Int, b: Int) -> Int in
      counter.receive()
      return withExtendedLifetime(object) { a + b }
    }
    let place = Int.random(in: 0..<Self.places, using: &generator)
    exchange { $0[place] = closure }
  }

  /// A random closure, if there is one.
  func pick(using generator: inout SeededGenerator) -> Closure? {
    let place = Int.random(in: 0..<Self.places, using: &generator)
    return closures.withLock { $0[place] }
  }

  /// Releases all closures.
  func removeAll() { exchange { $0 = Array(repeating: nil, count: Self.places) } }

  /// Changes the closures; what is taken out is released after the lock.
  private func exchange(_ change: (inout [Closure?]) -> Void) {
    let old = closures.withLock { closures in
      defer { change(&closures) }
      return closures
    }
    withExtendedLifetime(old) {}
  }
}

/// A dispatcher that all threads call, and whose implementers they add and remove.
final class Audience: @unchecked Sendable {
  // Sendable by hand: the dispatcher may be used on any thread, and its implementers are ready for that.

  let dispatcher: ProtocolDispatcher
  let counter: CallCounter = CallCounter()
  private let members: [Listener]

  init(_ tracker: LifetimeTracker) throws {
    let counter = counter
    members = (0..<3).map { Listener(tracker, counter, refuses: $0 == 1) }
    dispatcher = try ProtocolDispatcher(Listener.description(), implementers: members)
  }

  /// How many implementers stay.
  var memberCount: Int { members.count }

  /// Removes who is not a member.
  func removeGuests() {
    for implementer in dispatcher.implementers where !members.contains(where: { $0 === implementer }) { dispatcher.remove(implementer) }
  }
}

/// An implementer of the protocol that is dispatched; ready for any thread.
final class Listener: Sendable {
  struct Refusal: Error {}

  let counter: CallCounter
  let refuses: Bool
  private let tracked: LifetimeTracked

  init(_ tracker: LifetimeTracker, _ counter: CallCounter, refuses: Bool = false) {
    self.counter = counter
    self.refuses = refuses
    tracked = tracker.object()
  }

  /// The protocol.
  static func description() throws -> DispatchProtocol {
    try DispatchProtocol(
      "Listening",
      methods: [.required("count(_:)", types: "q@:q"), .optional("sum(_:_:)", types: "q@:qq"), .optional("unheard()", types: "v@:")])
  }

  /// Gives the class its methods.
  static func addMethods() throws {
    let table = MethodTable.of(Listener.self)
    try table.add("count(_:)") { (listener: Listener, value: Int) throws -> Int in
      listener.counter.receive()
      if listener.refuses { throw Refusal() }
      return value + 1
    }
    try table.add("sum(_:_:)") { (listener: Listener, a: Int, b: Int) -> Int in
      listener.counter.receive()
      return a + b
    }
  }
}

/// The class whose methods are called; all threads share its table.
class Account: EncodedObject {
  /// What an account that is opened or asked to fail throws.
  struct Refusal: Error {
    let number: Int
  }

  let tracked: LifetimeTracked
  let counter: CallCounter
  /// The value that the undo stack takes back.
  var balance = 0
  var undoStack: InvocationUndoStack?

  required init(_ tracker: LifetimeTracker, _ counter: CallCounter) {
    tracked = tracker.object()
    self.counter = counter
  }

  private static let add: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int, Int) -> Int = { target, _, a, b in
    Unmanaged<Account>.fromOpaque(target).takeUnretainedValue().counter.receive()
    return a + b
  }

  /// Gives the class its methods.
  static func addMethods() throws {
    let table = MethodTable.of(Account.self)
    try table.replace("add(_:_:)", Implementation(function: add, methodSignature: MethodSignature(types: "q@:qq")))
    try table.add("area(of:)") { (account: Account, rect: Geometry.Rect) -> Double in
      account.counter.receive()
      return rect.size.width * rect.size.height
    }
    try table.add("echo(_:)") { (account: Account, other: Account?) -> Account? in
      account.counter.receive()
      return other
    }
    try table.add("length(_:)") { (account: Account, text: String) -> Int in
      account.counter.receive()
      return text.utf8.count
    }
    try table.add("refuse(_:)") { (account: Account, number: Int) throws -> Int in
      account.counter.receive()
      if number % 2 == 1 { throw Refusal(number: number) }
      return number
    }
    try table.add("setBalance(_:)") { (account: Account, balance: Int) throws -> Void in try account.set(balance) }
  }

  private func set(_ balance: Int) throws {
    counter.receive()
    if let undoStack {
      let message = try Invocation(target: undoStack.prepare(withInvocationTarget: self), selector: "setBalance(_:)")
      try message.setArgument(self.balance, at: 2)
      try message.invoke()
    }
    self.balance = balance
  }

  // MARK: Methods that come and go

  private static let extras = 24

  /// One of the selectors whose methods come and go.
  static func extra(using generator: inout SeededGenerator) -> MethodSelector {
    MethodSelector("extra\(Int.random(in: 0..<extras, using: &generator))(_:)")
  }

  /// Takes away the methods that threads have added.
  static func removeExtras() {
    for number in 0..<extras {
      for type in [Account.self, SavingsAccount.self] { MethodTable.of(type).remove(MethodSelector("extra\(number)(_:)")) }
    }
  }
}

/// A class that inherits all methods.
final class SavingsAccount: Account {}
