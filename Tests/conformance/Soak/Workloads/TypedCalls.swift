import DynamicInvocation
import TestSupport

/// Functions whose types Swift knows: typed, boxed, by an invocation and without one, on both backends.
final class TypedCalls: Workload {
  static let name: String = "typed calls"
  static let weight: Int = 5

  // The first argument counts the calls.
  private static let mixed: @convention(c) (UnsafeMutablePointer<Int>, Int32, Double, Geometry.Rect) -> Double = {
    count, number, real, rect in
    count.pointee += 1
    return Double(number) * real + rect.origin.x - rect.size.height
  }
  private static let ten: @convention(c) (UnsafeMutablePointer<Int>, Int, Int, Int, Int, Int, Int, Int, Int, Int) -> Int = {
    $0.pointee += 1
    return $1 + 2 * $2 + 3 * $3 + 4 * $4 + 5 * $5 + 6 * $6 + 7 * $7 + 8 * $8 + 9 * $9
  }
  private static let length: @convention(c) (UnsafeMutablePointer<Int>, UnsafePointer<CChar>) -> UInt = { count, text in
    count.pointee += 1
    var length: UInt = 0
    while text[Int(length)] != 0 { length += 1 }
    return length
  }
  private static let same: @convention(c) (UnsafeMutablePointer<Int>, UnsafeRawPointer?) -> UnsafeRawPointer? = { count, object in
    count.pointee += 1
    return object
  }

  private let world: World
  private let counter: CallCounter
  private let count: UnsafeMutablePointer<Int> = .allocate(capacity: 1)

  init(_ world: World, _ counter: CallCounter, _ generator: inout SeededGenerator) {
    self.world = world
    self.counter = counter
    count.initialize(to: 0)
  }

  deinit { count.deallocate() }

  func turn(_ generator: inout SeededGenerator) throws {
    let backend = generator.pick(CalleeLibrary.backends)
    let before = count.pointee
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: try callMixed(backend, &generator)
    case 1: try callTen(backend, &generator)
    case 2: try callLength(backend, &generator)
    default: try callSame(backend, &generator)
    }
    counter.receive(count.pointee - before)
  }

  private func callMixed(_ backend: CallBackend, _ generator: inout SeededGenerator) throws {
    // Made anew each time: the table of signatures is shared.
    let signature = try MethodSignature(types: "d^qid{Rect={Point=dd}{Size=dd}}", backend: backend)
    let implementation = Implementation(function: Self.mixed)
    let number = Int32.random(in: -1_000...1_000, using: &generator)
    let real = Double(Int.random(in: -1_000...1_000, using: &generator))
    let rect = Geometry.Rect(x: Double(number), y: 1, width: 2, height: real)
    let expected = Double(number) * real + rect.origin.x - rect.size.height
    counter.make()
    let got: Double
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: got = try ForeignFunction(implementation, signature)(count, number, real, rect)
    case 1:
      let invocation = Invocation(signature)
      try invocation.setArgument(count, at: 0)
      try invocation.setArgument(number, at: 1)
      try invocation.setArgument(real, at: 2)
      try invocation.setArgument(rect, at: 3)
      try invocation.invoke(using: implementation)
      got = try invocation.returnValue()
    default:
      let invocation = Invocation(signature)
      try invocation.setArguments(boxed: [.pointer(count), .int(Int(number)), .double(real), .rect(rect)])
      try invocation.invoke(using: implementation)
      guard case .double(let value) = try invocation.boxedReturnValue() else { throw Failure("no double") }
      got = value
    }
    guard got == expected else { throw Failure("\(number), \(real), \(rect): \(got)") }
  }

  private func callTen(_ backend: CallBackend, _ generator: inout SeededGenerator) throws {
    let function = try ForeignFunction(Implementation(function: Self.ten), MethodSignature(types: "q^qqqqqqqqqq", backend: backend))
    let n = (0..<9).map { _ in Int.random(in: -1_000_000...1_000_000, using: &generator) }
    counter.make()
    let got: Int = try function(count, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8])
    guard got == n.enumerated().reduce(0, { $0 + ($1.offset + 1) * $1.element }) else { throw Failure("\(n): \(got)") }
  }

  private func callLength(_ backend: CallBackend, _ generator: inout SeededGenerator) throws {
    let signature = try MethodSignature(types: "Q^q*", backend: backend)
    let length = Int.random(in: 0...200, using: &generator)
    let text = String(repeating: "x", count: length)
    counter.make()
    let got: UInt
    if generator.oneIn(2) {
      got = try ForeignFunction(Implementation(function: Self.length), signature)(count, text)
    } else {
      let invocation = Invocation(signature)
      try invocation.setArguments(boxed: [.pointer(count), .string(text)])
      try invocation.invoke(using: Implementation(function: Self.length))
      got = try invocation.returnValue()
    }
    guard got == UInt(length) else { throw Failure("a text of \(length): \(got)") }
  }

  private func callSame(_ backend: CallBackend, _ generator: inout SeededGenerator) throws {
    let invocation = Invocation(try MethodSignature(types: "@^q@", backend: backend))
    let payload = Int.random(in: 0...1_000_000, using: &generator)
    try invocation.setArgument(count, at: 0)
    // The invocation alone keeps it.
    try invocation.setArgument(generator.oneIn(8) ? nil : world.tracker.object(payload), at: 1)
    let isNull = try invocation.objectArgument(at: 1) == nil
    for _ in 0..<2 {
      counter.make()
      try invocation.invoke(using: Implementation(function: Self.same))
      let object = try invocation.objectReturnValue() as? LifetimeTracked
      guard isNull ? object == nil : object?.payload == payload else { throw Failure("\(payload): \(String(describing: object))") }
    }
  }
}
