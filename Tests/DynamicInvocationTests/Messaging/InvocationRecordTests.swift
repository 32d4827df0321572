import DynamicInvocation
import InvocationRecords
import Foundation
import TestSupport
import Testing

/// Calls as values: there and back through JSON, and what nobody should send.
@Suite(.measured) struct InvocationRecordTests {
  private static func text(_ invocation: Invocation) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(InvocationRecord(invocation)), as: UTF8.self)
  }

  private static func decode(_ text: String) throws -> Invocation {
    try JSONDecoder().decode(InvocationRecord.self, from: Data(text.utf8)).makeInvocation()
  }

  @Test func theFormIsTheOneDescribed() throws {
    let invocation = Invocation(try MethodSignature(types: "v@:q{Point=dd}*B"))
    invocation.selector = "move(_:to:named:)"
    try invocation.setArguments(boxed: [.int(7), .point(Geometry.Point(x: 1.5, y: 2)), .string("Ann"), .bool(true)])
    let text = try Self.text(invocation)
    expectEqual(text, #"{"arguments":[7,[1.5,2],"Ann",true],"selector":"move(_:to:named:)","types":"v@:q{Point=dd}*B"}"#)
    let back = try Self.decode(text)
    expectEqual(back.selector, "move(_:to:named:)")
    expectNil(back.target)
    try expectEqual(back.argument(at: 2, as: Int.self), 7)
    try expectEqual(back.argument(at: 3, as: Geometry.Point.self), Geometry.Point(x: 1.5, y: 2))
    try expectEqual(back.argument(at: 4, as: String.self), "Ann")
    try expect(back.argument(at: 5, as: Bool.self))
    expect(!back.hasReturnValue)
  }

  /// Random values of random types: what means something is the same after the way.
  @Test func everyValueComesBack() throws {
    var random = RandomTypes(seed: 0xC0_DE, hasWholeVectors: true)
    var generator = SeededGenerator(seed: 42)
    var (recorded, refused) = (0, 0)
    for _ in 0..<600 {
      let types = random.signature(arguments: 8).types
      guard let signature = try? MethodSignature(types) else { continue }
      let sample = SampleMemory(arguments: types.arguments, result: types.result, using: &generator)
      defer { sample.deallocate() }
      let invocation = Invocation(signature, retainsArguments: false)
      for index in types.arguments.indices { try sample.values[index].map { try invocation.setArgument(from: $0, at: index) } }
      // A string needs a text to point to.
      for (index, type) in types.arguments.enumerated() where type.valueKind == .cString { try invocation.setArgument(nil, at: index) }
      let record: InvocationRecord
      do { record = try InvocationRecord(invocation) } catch {
        expectEqual(error.code, .unsupportedType, "\(types.text()): \(error)")
        refused += 1
        continue
      }
      recorded += 1
      let data = try JSONEncoder().encode(record)
      let back = try JSONDecoder().decode(InvocationRecord.self, from: data).makeInvocation()
      expectEqual(back.methodSignature, signature)
      for (index, type) in types.arguments.enumerated() where type.valueKind != .cString {
        var bytes = [UInt8](repeating: 0, count: (type.size ?? 0) + 1)
        try bytes.withUnsafeMutableBytes { if let address = $0.baseAddress { try back.getArgument(into: address, at: index) } }
        if let byte = sample.arguments[index].firstDifference(from: bytes) {
          Issue.record("\(type), byte \(byte) of argument \(index): \(String(decoding: data, as: UTF8.self))")
        }
      }
      try expectEqual(JSONEncoder().encode(InvocationRecord(back)).count, data.count)
    }
    expect(recorded > 200)
    expect(refused > 20)
  }

  /// The extremes, each with the text it has to have.
  @Test func numbersAreExact() throws {
    func check<Value: EncodedValue & Equatable>(_ value: Value, _ type: String, _ text: String) throws {
      let invocation = Invocation(try MethodSignature(MethodTypes("v" + type, blankIsFloat16: true)))
      try invocation.setArgument(value, at: 0)
      let json = try Self.text(invocation)
      expectEqual(json, #"{"arguments":[\#(text)],"types":"v\#(type)"}"#)
      try expectEqual(Self.decode(json).argument(at: 0, as: Value.self), value)
    }
    try check(Int8.min, "c", "-128")
    try check(UInt8.max, "C", "255")
    try check(Int16.min, "s", "-32768")
    try check(UInt16.max, "S", "65535")
    try check(Int32.min, "i", "-2147483648")
    try check(UInt32.max, "I", "4294967295")
    try check(Int64.min, "q", "-9223372036854775808")
    try check(Int64.max, "q", "9223372036854775807")
    try check(UInt64.max, "Q", "18446744073709551615")
    try check(Int128.min, "t", "\"-170141183460469231731687303715884105728\"")
    try check(UInt128.max, "T", "\"340282366920938463463374607431768211455\"")
    try check(Float.leastNonzeroMagnitude, "f", "1e-45")
    try check(Double.greatestFiniteMagnitude, "d", "1.7976931348623157e+308")
    try check(Double.infinity, "d", "\"inf\"")
    try check(-Float.infinity, "f", "\"-inf\"")
    try check(LongDouble("0.1") ?? LongDouble(), "D", "\"0.1\"")
    try check("name:" as MethodSelector, ":", "\"name:\"")
    for bits in [0x8000_0000_0000_0000, 0x7FF8_0000_0000_0000, 0xFFF8_0000_0000_0001] as [UInt64] {
      let invocation = Invocation(try MethodSignature(types: "vd"))
      try invocation.setArgument(Double(bitPattern: bits), at: 0)
      try expectEqual(Self.decode(Self.text(invocation)).argument(at: 0, as: Double.self).bitPattern, bits)
    }
  }

  @Test func packedBitsAndUnions() throws {
    let signature = try MethodSignature(types: "v{S=b0I3b3i5b8B1s}(U=if[5c])")
    let text =
      #"{"arguments":[[5,-16,true,-2],"0102030405000000"],"types":"v{S=b0I3b3i5b8B1s}(U=if[5c])"}"#
    let invocation = try Self.decode(text)
    expectEqual(invocation.methodSignature, signature)
    try expectEqual(Self.text(invocation), text)
    var bytes = [UInt8](repeating: 0, count: 8)
    try bytes.withUnsafeMutableBytes { if let address = $0.baseAddress { try invocation.getArgument(into: address, at: 1) } }
    expectEqual(bytes, [1, 2, 3, 4, 5, 0, 0, 0])
  }

  @Test func aVariadicCallAndNulls() throws {
    let signature = try MethodSignature(types: "i**d:", fixedArgumentCount: 1)
    let invocation = Invocation(signature)
    try invocation.setArguments(["%g", nil, 1.5, nil])
    let text = try Self.text(invocation)
    expectEqual(text, #"{"arguments":["%g",null,1.5,null],"fixedArgumentCount":1,"types":"i**d:"}"#)
    let back = try Self.decode(text)
    expectEqual(back.methodSignature.fixedArgumentCount, 1)
    try expectNil(back.argument(at: 1, as: String?.self))
  }

  @Test func replayedOnAnyTarget() throws {
    #if arch(x86_64) || arch(arm64)
      final class Counter {
        var sum = 0.0
      }
      try MethodTable.of(Counter.self).add("add(_:at:)") { (counter: Counter, value: Int32, point: Geometry.Point) -> Double in
        counter.sum += Double(value) + point.x + point.y
        return counter.sum
      }
      let recorder = InvocationRecorder(target: Counter())
      for number in 1...3 {
        let message = try Invocation(target: recorder, selector: "add(_:at:)")
        try message.setArguments([Int32(number), Geometry.Point(x: 0.5, y: 1)])
        try message.invoke()
      }
      let data = try JSONEncoder().encode(recorder.invocations.map { try InvocationRecord($0) })
      let counter = Counter()
      for record in try JSONDecoder().decode([InvocationRecord].self, from: data) { try record.makeInvocation(target: counter).invoke() }
      expectEqual(counter.sum, 10.5)
    #endif
  }

  @Test func anErrorOfAnArgumentNamesTheMessage() {
    let text = #"{"arguments":[0.5],"selector":"move:","types":"v@:q"}"#
    let error = expectThrows(InvocationError.self) { try JSONDecoder().decode(InvocationRecord.self, from: Data(text.utf8)) }
    expectEqual(error?.callee, "move:")
  }

  @Test(arguments: TextTable("records.txt").rows("Types that are not recorded")) func whatIsNoValueIsRefused(row: TextTable.Row) throws {
    let (type, reason) = (row[0], row[1])
    let invocation = Invocation(try MethodSignature(types: "vi" + type), retainsArguments: false)
    try invocation.setArgument(1 as Int32, at: 0)
    let zeros = [UInt8](repeating: 0, count: 64)
    try zeros.withUnsafeBytes { if let address = $0.baseAddress { try invocation.setArgument(from: address, at: 1) } }
    let error = expectThrows(InvocationError.self) { try InvocationRecord(invocation) }
    expectEqual(error?.code, .unsupportedType)
    expectEqual(error?.argument, .index(1))
    expectEqual(error?.reason.hasPrefix(reason), true, "\(error?.reason ?? "")")
    // Neither does anybody get it in by decoding.
    let decoding = expectThrows(InvocationError.self) { try Self.decode(#"{"types":"vi\#(type)","arguments":[1,null]}"#) }
    expectEqual(decoding?.argument, .index(1))
    expectEqual(decoding?.code, .unsupportedType)
  }

  @Test func whatIsNotThereIsRefused() throws {
    let unset = Invocation(try MethodSignature(types: "vii"))
    try unset.setArgument(1 as Int32, at: 1)
    let first = expectThrows(InvocationError.self) { try InvocationRecord(unset) }
    expect(first?.code == .argumentNotSet && first?.argument == .index(0))
    let message = Invocation(try MethodSignature(types: "v@:"))
    let second = expectThrows(InvocationError.self) { try InvocationRecord(message) }
    expect(second?.code == .argumentNotSet && second?.argument == .index(1))
    let broken = Invocation(try MethodSignature(types: "v*"))
    try broken.setArgument(from: [0xFF, 0] as [UInt8])
    expectError(.malformedEncoding) { try InvocationRecord(broken) }
  }

  /// Each is wrong in its own way; the code and the argument of the error.
  @Test(arguments: TextTable("records.txt").rows("Malformed records")) func malformedDataThrows(row: TextTable.Row) throws {
    let error = expectThrows(InvocationError.self) { try Self.decode(row[0]) }
    expectEqual(error?.code.rawValue, row[1], "\(row): \(error.map { "\($0)" } ?? "")")
    expectEqual(error?.argument, row.number(2).map { .index($0) }, "\(row): \(error.map { "\($0)" } ?? "")")
  }

  @Test(arguments: ["[]", "{}", #"{"types":1,"arguments":[]}"#, #"{"types":"v"}"#, #"{"types":"v","arguments":{}}"#, #"{"arguments":[]}"#])
  func anotherFormThrows(text: String) {
    expectThrows(DecodingError.self) { try Self.decode(text) }
  }

  /// Bytes changed, cut and doubled at random: an error or an invocation, nothing else.
  @Test func damagedDataNeverTraps() throws {
    let texts = [
      #"{"arguments":[7,[1.5,2],"Ann",true],"selector":"move(_:to:named:)","types":"v@:q{Point=dd}*B"}"#,
      #"{"arguments":[[5,-16,true,-2],"0102030405000000",["1",[2,3]]],"types":"v{S=b0I3b3i5b8B1s}(U=if[5c]){T=t[2s]}"}"#,
      #"{"arguments":["%g",null,1.5,"nan:7ff8000000000001"],"fixedArgumentCount":2,"types":"i**dd"}"#,
    ]
    var generator = SeededGenerator(seed: 7)
    let letters = Array("{}[]()=\",:0123456789-+.eEvcCsSiIqQtTfdDB*@#^?b! \\ujn".utf8)
    var (made, refused) = (0, 0)
    for round in 0..<6_000 {
      var bytes = Array(texts[round % texts.count].utf8)
      for _ in 0...Int.random(in: 0...2, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = letters[Int.random(in: 0..<letters.count, using: &generator)]
        case 1: bytes.remove(at: place)
        default: bytes.insert(letters[Int.random(in: 0..<letters.count, using: &generator)], at: place)
        }
      }
      do {
        let record = try JSONDecoder().decode(InvocationRecord.self, from: Data(bytes))
        let invocation = try record.makeInvocation()
        let again = try JSONEncoder().encode(InvocationRecord(invocation))
        expect(!again.isEmpty)
        made += 1
      } catch {
        refused += 1
      }
    }
    expect(made > 100)
    expect(refused > 1_000)
  }
}

extension Invocation {
  /// Sets argument 0 to the address of bytes that end in a zero, which it copies.
  fileprivate func setArgument(from text: [UInt8]) throws {
    try text.withUnsafeBytes { bytes in
      try setArgument(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), at: 0)
    }
  }
}
