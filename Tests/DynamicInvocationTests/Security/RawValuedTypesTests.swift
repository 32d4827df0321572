import DynamicInvocation
import Foundation
import TestSupport
import Testing

/// A type with raw values is passed as its raw value, whose bytes are not those of its memory.
@Suite(.measured) struct RawValuedTypesTests {
  private enum Code: Int32, EncodedValue {
    case one = 1
    case two = 2
  }
  private enum Greeting: String, EncodedValue {
    case hello
  }
  /// As large as its raw value, but not equal to it.
  private struct Degrees: RawRepresentable, EncodedValue, Equatable {
    var radians: Double
    var rawValue: Double { radians * 180 / .pi }
    init(rawValue: Double) { radians = rawValue * .pi / 180 }
  }
  private struct Flags: OptionSet, EncodedValue { let rawValue: Int32 }
  private struct Numbers: RawRepresentable, EncodedValue { var rawValue: UnsafePointer<Double> }
  private struct Handle: RawRepresentable, EncodedValue { var rawValue: OpaquePointer }
  private final class Box: EncodedObject {}
  private enum Boxed: RawRepresentable, EncodedValue {
    case only
    init?(rawValue: Box) { self = .only }
    var rawValue: Box { Box() }
  }

  private static func math(_ name: String) throws -> ForeignFunction {
    try DynamicLibrary(Platform.mathLibrary).function(name, types: "dd")
  }

  /// Functions that read and write integers in memory.
  private static func sums() throws -> DynamicLibrary {
    let source = """
      int sum(const int *numbers, int count) { int all = 0; while (count) all += numbers[--count]; return all; }
      void set(int *place) { *place = 7; }
      signed char two(void) { return 2; }
      """
    let compiler = try #require(CCompiler.all.first { $0.available })
    return try DynamicLibrary(compiler.sharedLibrary(source: source, name: "raw-values"))
  }

  @Test("The memory of an enum is no memory of its raw values: not in an array, not as a variable")
  func memory() throws {
    let library = try Self.sums()
    let sum = try library.function("sum", types: "i^ii")
    #expect(try sum([1, 2] as [Int32], 2) as Int32 == 3)
    let flags: [Flags] = [Flags(rawValue: 1), Flags(rawValue: 4)]
    #expect(try sum(flags, 2) as Int32 == 5)
    #expect(InvocationFixtures.code { _ = try sum([Code.one, .two], 2) as Int32 } == .typeMismatch)
    let set = try library.function("set", types: "v^i")
    var code = Code.one
    #expect(InvocationFixtures.code { try set(&code) } == .typeMismatch)
    #expect(code == .one)
    var flag = Flags(rawValue: 0)
    try set(&flag)
    #expect(flag.rawValue == 7)
    let fabs = try Self.math("fabs")
    #expect(try fabs(Degrees(rawValue: -2.5)) as Double == 2.5)
  }

  @Test("A raw value that is an object is refused: nothing would keep it")
  func objects() throws {
    let invocation = Invocation(try MethodSignature(types: "@@"))
    #expect(InvocationFixtures.code { try invocation.setArgument(Boxed.only, at: 0) } == .typeMismatch)
    #expect(InvocationFixtures.code { try invocation.setReturnValue(Boxed.only) } == .typeMismatch)
    #expect(InvocationFixtures.code { _ = try Closure(types: "@") { () -> Boxed in .only } } == .typeMismatch)
  }

  @Test("An enum of texts is passed as a C string, and is no result of a closure, as a string is none")
  func texts() throws {
    let strlen = try DynamicLibrary(Platform.cLibrary).function("strlen", types: "Q*")
    #expect(try strlen(Greeting.hello) as UInt == 5)
    let invocation = strlen.makeInvocation()
    try invocation.setArgument(Greeting.hello, at: 0)
    try invocation.invoke()
    #expect(try invocation.returnValue(as: UInt.self) == 5)
    #expect(try invocation.argument(at: 0, as: Greeting.self) == .hello)
    #expect(InvocationFixtures.code { _ = try Closure(types: "*") { () -> Greeting in .hello } } == .typeMismatch)
    let other = Invocation(try MethodSignature(types: "*"))
    #expect(InvocationFixtures.code { try other.setReturnValue(Greeting.hello) } == .typeMismatch)
  }

  @Test("A raw value that is a pointer is compared in what it points to")
  func pointers() throws {
    let numbers = [2.5]
    try numbers.withUnsafeBufferPointer { numbers in
      let value = Numbers(rawValue: numbers.baseAddress!)
      let invocation = Invocation(try MethodSignature(types: "v^d^i^^i"))
      try invocation.setArgument(value, at: 0)
      #expect(InvocationFixtures.code { try invocation.setArgument(value, at: 1) } == .typeMismatch)
      #expect(
        InvocationFixtures.code { try invocation.setArgument(Handle(rawValue: OpaquePointer(numbers.baseAddress!)), at: 2) }
          == .typeMismatch)
    }
  }

  @Test("A C function pointer has no parameter that a call would convert")
  func functionPointers() throws {
    let library = try Self.sums()
    let two = try library.function("two", types: "c")
    #expect(try two() as Bool == true)
    #expect(InvocationFixtures.code { _ = try two.pointer(as: (@convention(c) () -> Bool).self) } == .typeMismatch)
    #expect(try two.pointer(as: (@convention(c) () -> Int8).self)() == 2)
    #expect(InvocationFixtures.code { _ = try two.pointer(as: (@convention(c) () -> Int32).self) } == .typeMismatch)
  }

  @Test("A Bool in memory is C's bool only") func bools() throws {
    let function = try DynamicLibrary(Platform.cLibrary).function("memchr", types: "^C^CiQ")
    var flag = true
    #expect(InvocationFixtures.code { _ = try function(&flag, Int32(1), 1 as UInt) as UnsafeMutablePointer<UInt8>? } == .typeMismatch)
  }
}
