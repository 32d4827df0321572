import DynamicInvocation

/// What safe code, in which the word "unsafe" never stands, cannot do: each of these ends with an error, and nothing is called or read.
enum SafeCode {
  final class Owner: Invocable {
    var number = 7
    var answer: Implementation?
    func implementation(for selector: MethodSelector) -> Implementation? { answer }
  }
  /// Its first field is no number.
  final class Stranger: Invocable {
    var text = "a text"
    var answer: Implementation?
    func implementation(for selector: MethodSelector) -> Implementation? { answer }
  }
  enum Color: UInt8, EncodedValue {
    case red = 1
    case green = 2
  }
  struct Fake: EncodedValue {
    var bits: UInt = 0x1000
    static let typeEncoding: TypeEncoding = "{Fake=@}"
  }

  /// What went through and should not have.
  static func holes() throws -> [String] {
    var holes: [String] = []
    func refused(_ what: String, _ body: () throws -> Void) {
      do {
        try body()
        holes.append(what)
      } catch {}
    }
    #if arch(x86_64) || (arch(arm64) && os(Linux))
      let method = try Implementation { (owner: Owner, value: Int) -> Int in owner.number + value }
      let (owner, stranger) = (Owner(), Stranger())
      stranger.answer = method
      owner.answer = method
      let message = Invocation(try MethodSignature(types: "q@:q"))
      message.target = stranger
      message.selector = "add(_:)"
      try message.setArgument(1, at: 2)
      refused("a method of another class, answered") { try message.invoke() }
      refused("a method of another class, given") { try message.invoke(using: method) }
      refused("a method of another class, called") { try message.call(method) }
      let text = Invocation(try MethodSignature(types: "*@:q"))
      text.target = owner
      text.selector = "add(_:)"
      try text.setArgument(1, at: 2)
      refused("a number as a text, answered") { try text.invoke() }
      refused("a number as a text, given") { try text.invoke(using: method) }
      refused("a number as a text, by a function") { _ = try ForeignFunction(method, text.methodSignature) }
      text.implementation = method
      refused("a number as a text, by the property") { try text.invoke() }
    #endif
    for type in [":", "#", "*", "@", "{S=@}", "{S=#}", "(U=Q@)", "@?"] as [TypeEncoding] {
      let invocation = Invocation(try MethodSignature(MethodTypes(result: "v", arguments: [type])))
      refused("\(type) of bytes") { _ = try EncodedBytes(type, bytes: [1, 0, 0, 0, 0, 0, 0, 0]) }
      refused("\(type) of an integer") { try invocation.setArgument(boxed: .value(EncodedBytes(UInt(4096), as: type)), at: 0) }
    }
    let fake = Invocation(try MethodSignature(types: "v{Fake=@}"))
    refused("an object of a struct that declares one") { try fake.setArgument(Fake(), at: 0) }
    let color = Invocation(try MethodSignature(types: "vC"))
    try color.setArgument(UInt8(15), at: 0)
    refused("a case of an enum that has none") { _ = try color.argument(at: 0, as: Color.self) }
    guard try EncodedBytes("B", bytes: [200]).value(as: Bool.self) == true else { return holes + ["a bool of 200"] }
    return holes
  }
}
