import DynamicInvocation
import TestSupport
import Testing

/// References are never made of bytes, and none comes out of them.
@Suite(.measured) struct ReferencesInBytesTests {
  private static let references: [TypeEncoding] = [
    "@", "*", "%", ":", "#", "@?", "{S=@}", "{S=*@}", "{S=i:}", "{S=[2#]}", "(U=Q@)", "{S=q{T=(U=q@?)}}",
  ]

  @Test(arguments: references)
  func bytes(type: TypeEncoding) throws {
    let size = try require(type.size)
    expectError(.typeMismatch) { _ = try EncodedBytes(type, bytes: Array(repeating: 1, count: size)) }
    let invocation = Invocation(try MethodSignature(MethodTypes(result: type, arguments: [type])))
    func set<Value: BitwiseCopyable>(_ value: Value) throws {
      // Null has no reference in it, but the bytes of one do not tell.
      expectError(.typeMismatch) { _ = try EncodedBytes(value, as: type) }
      try withUnsafeBytes(of: value) { try invocation.setArgument(from: require($0.baseAddress), at: 0) }
      if case .value(let bytes) = try invocation.boxedArgument(at: 0) { expectError(.typeMismatch) { _ = try bytes.value(as: Value.self) } }
      try withUnsafeBytes(of: value) { invocation.setReturnValue(from: try require($0.baseAddress)) }
      if case .value(let bytes) = try invocation.boxedReturnValue() { expectError(.typeMismatch) { _ = try bytes.value(as: Value.self) } }
    }
    // Zeros, as the raw forms keep what they are given.
    switch size {
    case 8: try set(UInt(0))
    case 16: try set((UInt(0), UInt(0)))
    default: Issue.record("\(type) has \(size) bytes")
    }
  }

  @Test("A pointer is an address, and stays one in bytes; it is not taken for a reference of the same size")
  func pointers() throws {
    let pointer = try EncodedBytes("{S=^v}", bytes: Array(repeating: 0, count: 8))
    expectEqual("\(pointer)", "{null}")
    for type in ["{S=@}", "{S=*}", "{S=:}", "{S=#}", "{S=@?}"] as [TypeEncoding] {
      let invocation = Invocation(try MethodSignature(MethodTypes(result: "v", arguments: [type])))
      expectError(.typeMismatch, "\(type)") { try invocation.setArgument(boxed: .value(pointer), at: 0) }
      expect(!type.hasSameLayout(as: "{S=^v}"))
    }
  }

  @Test("A text in a struct, a union or an array is an address too, and nothing reads it")
  func texts() throws {
    for type in ["{S=*}", "{S=q{T=*}}", "(U=Q*)", "[2*]", "{S=%}"] as [TypeEncoding] {
      let size = try require(type.size)
      // No memory is at this address.
      let value = try EncodedBytes(type, bytes: Array(repeating: 1, count: size))
      expect("\(value)".contains("0101010101010101") || "\(value)".contains("0x101010101010101"), "\(value)")
      guard size == 8 else { continue }
      let invocation = Invocation(try MethodSignature(MethodTypes(result: "v", arguments: [type])))
      try invocation.setArgument(boxed: .value(EncodedBytes(UInt(0x0101_0101_0101_0101), as: type)), at: 0)
      if case .array = type.kind { continue }
      guard case .value(let read) = try invocation.boxedArgument(at: 0) else {
        Issue.record("\(type)")
        continue
      }
      expectEqual(read.bytes, value.bytes)
      try invocation.setArgument(boxed: .value(read), at: 0)
      expect("\(invocation)".contains("1010101"), "\(invocation)")
    }
    // It is no text by itself.
    let text = try InvocationFixtures.invocation("v*")
    let struct8 = try EncodedBytes("{S=*}", bytes: Array(repeating: 1, count: 8))
    expectError(.typeMismatch) { try text.setArgument(boxed: .value(struct8), at: 0) }
  }

  private struct Words: EncodedValue {
    var word: UInt = 1
    static let typeEncoding: TypeEncoding = "{Words=@}"
  }
  private struct Text: EncodedValue {
    var word: UInt = 1
    static let typeEncoding: TypeEncoding = "*"
  }
  private struct Address: _EncodedPointer {
    var addressBits: UInt
    static let typeEncoding: TypeEncoding = "^v"
  }

  @Test("A type that declares no more than an encoding with references is refused")
  func declared() throws {
    let invocation = try InvocationFixtures.invocation("v{Words=@}*")
    expectErrors(.typeMismatch, { try invocation.setArgument(Words(), at: 0) }, { try invocation.setArgument(Text(), at: 1) })
    expect(InvocationFixtures.message { try invocation.setArgument(Words(), at: 0) }.contains("never made of bytes"))
    expectError(.typeMismatch) { _ = try EncodedBytes(Words()) }
  }

  @Test("A pointer type of one's own is no C string, no class and no selector")
  func ownPointers() throws {
    for type in ["*", ":", "#", "@?", "@"] {
      let invocation = try InvocationFixtures.invocation("v\(type)")
      expectError(.typeMismatch, "\(type)") { try invocation.setArgument(Address(addressBits: 8), at: 0) }
    }
    let invocation = try InvocationFixtures.invocation("v^v")
    try invocation.setArgument(Address(addressBits: 8), at: 0)
    try expectEqual(invocation.argument(at: 0, as: Address.self).addressBits, 8)
  }

  @Test("What a call gave as bytes with references in it shows addresses, and is no argument of another call")
  func results() throws {
    let tracker = LifetimeTracker()
    var object: LifetimeTracked? = tracker.object()
    let signature = try MethodSignature(types: "{H=@}{H=@}")
    let invocation = Invocation(signature)
    var word = try Unmanaged.passUnretained(require(object)).toOpaque()
    try invocation.setArgument(from: &word, at: 0)
    let box = try invocation.boxedArgument(at: 0)
    object = nil
    guard case .value(let bytes) = box else {
      Issue.record("\(box)")
      return
    }
    // The object has ended: nothing may look at it.
    expectEqual("\(bytes)", "{0x\(String(UInt(bitPattern: word), radix: 16))}")
    guard case .pointer(let address) = bytes[0] else {
      Issue.record("\(bytes[0])")
      return
    }
    expectEqual(address, UnsafeRawPointer(word))
    expectErrors(.typeMismatch, { try invocation.setArgument(boxed: box, at: 0) }, { _ = try bytes.value(as: UInt.self) })
    expectEqual(tracker.liveCount, 0)
  }

  @Test("A selector that nobody interned is never followed")
  func selectors() throws {
    let invocation = try InvocationFixtures.invocation("v@:")
    var word = UInt(16)
    invocation.target = Methodless()
    try invocation.setArgument(from: &word, at: 1)
    let message = InvocationFixtures.message { try invocation.invoke() }
    expect(message.contains("unknown selector 0x10"), "\(message)")
    expect("\(invocation)".contains("0x10]"))
  }
}
