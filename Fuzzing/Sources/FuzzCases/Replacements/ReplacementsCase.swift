#if os(Linux)
  import Dispatch
  import FunctionReplacement
  import FuzzShop
  import Synchronization

  /// Replaces functions on up to three threads, within scopes and for all, and calls them meanwhile.
  ///
  /// Each call must return what the replacements of its own thread make of what the function, or a replacement for all that was
  /// there at the time, returns. A spy counts the calls of its scope. In the end nothing is alive that a closure has captured.
  func replacementsCase(_ bytes: UnsafeRawBufferPointer) {
    var reader = InputReader(bytes)
    let threads = 1 + reader.number(below: 3)
    let common = CommonReplacements()
    let workers = (0..<threads).map { _ in Worker((0..<24).map { _ in Step(&reader) }, common, isAlone: threads == 1) }
    if threads == 1 {
      workers[0].run()
    } else {
      DispatchQueue.concurrentPerform(iterations: threads) { workers[$0].run() }
    }
    common.endAll()
    let alive = Token.count.load(ordering: .relaxed)
    require(alive == 0, "\(alive) closures are alive in the end")
    for function in Function.allCases {
      require(function.result(3) == function.original(3), "\(function) is still replaced")
    }
  }

  /// A function that is replaced; each takes and returns a number.
  private enum Function: CaseIterable {
    case price, total, echo, quote

    /// What the function itself returns; nil if it throws.
    func original(_ number: Int) -> Int? {
      switch self {
      case .price: number &* 100
      case .total: 5 &+ number
      case .echo: number
      case .quote: number == 0 ? nil : number &* 10
      }
    }

    /// What a call returns; nil if it throws.
    func result(_ number: Int) -> Int? {
      switch self {
      case .price: FuzzShop.price(number)
      case .total: Basket(number: 5).total(plus: number)
      case .echo: FuzzShop.echo(number)
      case .quote: try? FuzzShop.quote(number)
      }
    }

    /// Replaces the function by a closure that returns a number, or adds it to what was replaced.
    func replace(_ token: Token, calls: Bool, _ reach: Replacement.Reach) -> Replacement {
      let add = token.number
      do {
        switch self {
        case .price:
          return try unsafe FunctionReplacement.replace(
            "FuzzShop.price(_:)", reach: reach,
            with: { (number: Int) in token.add(calls ? FunctionReplacement.original { FuzzShop.price(number) } : 0, add) })
        case .total:
          return try unsafe FunctionReplacement.replace(
            "FuzzShop.Basket.total(plus:)", reach: reach,
            with: { (basket: Basket, more: Int) in token.add(calls ? FunctionReplacement.original { basket.total(plus: more) } : 0, add) })
        case .echo:
          return try unsafe FunctionReplacement.replace(
            "FuzzShop.echo(_:)", reach: reach,
            with: { (value: Int) in token.add(calls ? FunctionReplacement.original { FuzzShop.echo(value) } : 0, add) })
        case .quote:
          return try unsafe FunctionReplacement.replace(
            "FuzzShop.quote(_:)", reach: reach,
            with: { (number: Int) throws in token.add(calls ? try FunctionReplacement.original { try FuzzShop.quote(number) } : 0, add) })
        }
      } catch {
        fatalError("\(self) is not replaced: \(error)")
      }
    }

    /// Records the calls; nil for the generic one.
    func spy() -> Spy? {
      let name = [Function.price: "FuzzShop.price(_:)", .total: "FuzzShop.Basket.total(plus:)", .quote: "FuzzShop.quote(_:)"][self]
      return name.map { name in
        do { return try unsafe FunctionReplacement.spy(name, isMutating: false) } catch { fatalError("\(name) is not recorded: \(error)") }
      }
    }
  }

  /// What a closure captures.
  private final class Token: Sendable {
    static let count: Atomic<Int> = Atomic(0)
    let number: Int

    init(_ number: Int) {
      self.number = number
      Self.count.add(1, ordering: .relaxed)
    }

    deinit { Self.count.subtract(1, ordering: .relaxed) }

    func add(_ left: Int, _ right: Int) -> Int { left &+ right }
  }

  private enum Step {
    case enter, leave
    case replace(Function, calls: Bool)
    case end(Int)
    case replaceForAll(Function)
    case endForAll(Int)
    case spy(Function)
    case call(Function, Int)

    init(_ reader: inout InputReader) {
      let function = { (reader: inout InputReader) in reader.element(of: Function.allCases) }
      switch reader.number(below: 12) {
      case 0: self = .enter
      case 1: self = .leave
      case 2, 3: self = .replace(function(&reader), calls: reader.number(below: 4) > 0)
      case 4: self = .end(reader.number(below: 16))
      case 5: self = .replaceForAll(function(&reader))
      case 6: self = .endForAll(reader.number(below: 16))
      case 7: self = .spy(function(&reader))
      default: self = .call(function(&reader), reader.number(below: 4))
      }
    }
  }

  /// The replacements for all threads, with the times between which each may answer.
  private final class CommonReplacements: Sendable {
    private struct Entry {
      let function: Function
      let number: Int
      let begin: Int
      var end = Int.max
      var replacement: Replacement?
    }

    private struct State {
      var entries: [Entry] = []
      var time = 0
    }

    private let state: Mutex<State> = Mutex(State())

    /// The time of an event, which no other event has.
    func now() -> Int {
      state.withLock { state in
        state.time += 1
        return state.time
      }
    }

    /// Replaces a function for all threads until the scope of this one ends, and returns the number of the replacement.
    func add(_ function: Function) -> Int {
      let time = now()
      let number = 1_000_000 + time
      let place = state.withLock { state in
        state.entries.append(Entry(function: function, number: number, begin: time))
        return state.entries.count - 1
      }
      let replacement = function.replace(Token(number), calls: false, .global)
      state.withLock { $0.entries[place].replacement = replacement }
      return place
    }

    /// Notes that a scope has ended, and its replacements with it.
    func noteEnd(of places: [Int]) {
      let time = now()
      state.withLock { state in
        for place in places where state.entries[place].end == Int.max {
          state.entries[place].end = time
          state.entries[place].replacement = nil
        }
      }
    }

    func end(_ choice: Int) {
      let taken = state.withLock { state -> (Int, Replacement)? in
        let places = state.entries.indices.filter { state.entries[$0].replacement != nil }
        guard !places.isEmpty else { return nil }
        let place = places[choice % places.count]
        defer { state.entries[place].replacement = nil }
        return state.entries[place].replacement.map { (place, $0) }
      }
      guard let (place, replacement) = taken else { return }
      replacement.cancel()
      let time = now()
      state.withLock { $0.entries[place].end = time }
    }

    func endAll() {
      let all = state.withLock { state in
        defer { for place in state.entries.indices { state.entries[place].replacement = nil } }
        return state.entries.compactMap(\.replacement)
      }
      for replacement in all { replacement.cancel() }
    }

    /// What a call of a function may find between two times, besides the function itself, the newest last.
    func answers(_ function: Function, from begin: Int, to end: Int) -> [Int] {
      state.withLock { $0.entries.filter { $0.function == function && $0.begin <= end && $0.end >= begin }.map(\.number) }
    }
  }

  /// A thread with its own scopes.
  private final class Worker: @unchecked Sendable {
    // Unchecked Sendable: one thread uses it.

    private enum Own {
      case closure(Replacement, number: Int, calls: Bool)
      case spy(Spy, Calls)
    }

    private final class Calls { var count = 0 }

    private let steps: [Step]
    private let common: CommonReplacements
    private let isAlone: Bool
    private var next = 0
    /// The scopes, the innermost last, each with its replacements, the newest last.
    private var scopes: [[(function: Function, own: Own)]] = []
    private var count = 0
    /// The replacements for all threads that were made in each scope.
    private var places: [[Int]] = []

    init(_ steps: [Step], _ common: CommonReplacements, isAlone: Bool) {
      (self.steps, self.common, self.isAlone) = (steps, common, isAlone)
    }

    func run() {
      while next < steps.count { runScope() }
    }

    private func runScope() {
      places.append([])
      defer { common.noteEnd(of: places.removeLast()) }
      withReplacements {
        scopes.append([])
        defer { scopes.removeLast() }
        while next < steps.count {
          let step = steps[next]
          next += 1
          switch step {
          case .enter: if scopes.count < 4 { runScope() }
          case .leave: return
          default: run(step)
          }
        }
      }
    }

    private func run(_ step: Step) {
      let innermost = scopes.count - 1
      switch step {
      case .enter, .leave: break
      case .replace(let function, let calls):
        count += 1
        let replacement = function.replace(Token(count), calls: calls, .task)
        scopes[innermost].append((function, .closure(replacement, number: count, calls: calls)))
      case .end(let choice):
        guard !scopes[innermost].isEmpty else { return }
        let place = choice % scopes[innermost].count
        guard case .closure(let replacement, _, _) = scopes[innermost][place].own else { return }
        replacement.cancel()
        if choice % 2 == 0 { replacement.cancel() }
        scopes[innermost].remove(at: place)
      case .replaceForAll(let function): places[innermost].append(common.add(function))
      case .endForAll(let choice): common.end(choice)
      case .spy(let function): if let spy = function.spy() { scopes[innermost].append((function, .spy(spy, Calls()))) }
      case .call(let function, let number): call(function, number)
      }
    }

    /// Calls a function, and compares its result and the counts of spies.
    private func call(_ function: Function, _ number: Int) {
      let begin = common.now()
      let result = function.result(number)
      let end = common.now()
      var sum = 0
      var isAnswered = false
      for (replaced, own) in scopes.reversed().flatMap({ $0.reversed() }) where replaced == function && !isAnswered {
        switch own {
        case .closure(_, let number, let calls):
          sum &+= number
          isAnswered = !calls
        case .spy(_, let calls): calls.count += 1
        }
      }
      let answers = common.answers(function, from: begin, to: end)
      var expected: [Int?] = [isAnswered ? 0 : function.original(number)]
      if !isAnswered { expected = isAlone ? [answers.last ?? expected[0]] : expected + answers.map { Optional($0) } }
      require(
        expected.contains { $0.map { $0 &+ sum } == result },
        "\(function)(\(number)) is \(result.map { "\($0)" } ?? "an error"), not one of \(expected) and \(sum)")
      for case (_, .spy(let spy, let calls)) in scopes.joined() {
        require(spy.count == calls.count, "\(spy), and there were \(calls.count)")
      }
      require(FuzzShop.echo("text") == "text", "a call with another type was answered")
    }
  }
#else
  /// Functions are replaced on Linux only.
  func replacementsCase(_ bytes: UnsafeRawBufferPointer) {}
#endif
