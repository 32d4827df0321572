import DynamicInvocation
import EventRouting
import Foundation
import TestSupport
import Testing

extension ProcessWideTests {
  /// Logs of events in JSON that another program has written.
  ///
  /// A recorder observes the sends of the process.
  @Suite(.measured) struct EventRecordDecodingTests {
    /// The JSON of an event with arguments.
    private func json(_ arguments: [BoxedValue]) throws -> String {
      let root = ResponderNode("root")
      let recorder = EventRecorder(of: root)
      root.send("k", arguments: arguments, rules: RoutingRules(unknownKey: .isSilent, depthLimit: 7))
      return try String(decoding: JSONEncoder().encode(try #require(recorder.events.first)), as: UTF8.self)
    }

    private func decoded(_ text: String) throws -> EventRecorder.Record {
      try JSONDecoder().decode(EventRecorder.Record.self, from: Data(text.utf8))
    }

    @Test("An argument that no encoder writes is an error (E19.3)") func wrongArguments() throws {
      let text = try json([.int(1)])
      for wrong in [
        #"{"float":1e300}"#, #"{"float":"1.5"}"#, #"{"float":"nan(x)"}"#, #"{"double":"1.5"}"#, #"{"double":"1e999"}"#,
        #"{"double":1e999}"#,
        #"{"null":false}"#, #"{"null":[1,2]}"#, #"{"null":null}"#, #"{"int":1,"x":2}"#, #"{"int":1,"bool":true}"#, #"{"x":2}"#, "{}",
        #"{"int":1.5}"#, #"{"int":9223372036854775808}"#, #"{"uint":-1}"#, #"{"bool":1}"#,
        #"{"int128":1}"#, #"{"uint128":"-1"}"#, #"{"longDouble":"x"}"#, #"{"selector":null}"#, #"{"selector":"a\u0000b"}"#,
        #"{"range":[1]}"#,
        #"{"range":[-1,2]}"#, #"{"transform3D":[1,2]}"#, #"{"value":["i"]}"#, #"{"value":["i",1,2]}"#, #"{"value":["{P=dd}",[1]]}"#,
        #"{"value":["{P=dd}",[1,"x"]]}"#, #"{"value":["C",256]}"#,
        #"{"value":["f","nan:17fc00001"]}"#, #"{"value":["f","nan:1"]}"#, #"{"value":["{P=d",[1]]}"#, #"{"value":["@",null]}"#,
        #"{"value":["^i",null]}"#, #"{"value":["[5000000c]",[]]}"#, #"{"value":["[4000000000c]",[]]}"#, #"{"value":["(U=iC)","00"]}"#,
      ] {
        let damaged = text.replacingOccurrences(of: #"{"int":1}"#, with: wrong)
        expect(damaged != text)
        #expect(throws: DecodingError.self, "\(wrong)") { try decoded(damaged) }
      }
    }

    @Test("Each Float and Double that was written is read back equal (E19.2)") func exactNumbers() throws {
      var random = SystemRandomNumberGenerator()
      var values: [BoxedValue] = [
        .float(0.1), .float(-0.0), .float(.leastNonzeroMagnitude), .float(.greatestFiniteMagnitude), .float(.infinity), .float(-.infinity),
        .double(.leastNonzeroMagnitude), .double(-.infinity), .double(0.1), .null,
      ]
      for _ in 0..<20 { values.append(.float(Float.random(in: -1e30...1e30, using: &random))) }
      let text = try json(values)
      let event = try decoded(text)
      try expectEqual(decoded(String(decoding: JSONEncoder().encode(event), as: UTF8.self)), event)
      var received: [BoxedValue] = []
      let root = ResponderNode("root")
      try root.proxy.intercept("k") { _, _, arguments in
        received = arguments
        return .handled
      }
      try event.replay(in: root)
      expectEqual(received.map { "\($0)" }, values.map { "\($0)" })
      // NaN differs from itself.
      let nan = try decoded(json([.float(.nan), .double(.nan)]))
      try nan.replay(in: root)
      expectEqual(received.map { "\($0)" }, ["nan", "nan"])
    }

    /// A value of a type from its bytes.
    private func value(_ type: TypeEncoding, _ bytes: [UInt8]) throws -> BoxedValue {
      .value(try EncodedBytes(type, bytes: bytes + Array(repeating: 0, count: (type.size ?? 0) - bytes.count)))
    }

    @Test("What a record of a call saves is saved of an event, too: each kind of value is read back as it was sent (E19.2)")
    func kinds() throws {
      let values: [BoxedValue] = [
        .null, .bool(true), .int(.min), .uint(.max), .int128(.min), .uint128(.max), .float(0.1), .double(.leastNonzeroMagnitude),
        .longDouble(LongDouble(0.1)), .string("a\u{0}b"), .selector("tap(_:)"), .point(Geometry.Point(x: 1, y: .infinity)),
        .size(Geometry.Size(width: 1, height: 2)), .rect(Geometry.Rect(x: 1, y: 2, width: 3, height: 4)),
        .vector(Geometry.Vector(dx: 1, dy: 2)), .range(Geometry.IndexRange(location: .max, length: 2)),
        .insets(Geometry.EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)), .offset(Geometry.Offset(horizontal: 1, vertical: 2)),
        .affineTransform(Geometry.Transform2D(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6)), .transform3D(Geometry.Transform3D()),
        try value("{Pair=\"first\"i\"rest\"{Point=dd}}", [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F]),
        try value("[3s]", [1, 0, 2, 0, 255, 255]), try value("(U=iC)", [1, 2, 3, 4]), try value("jd", [1]), try value("B", [1]),
        try value("{Bits=b0I3b3I5}", [0xFF, 0, 0, 0]), try value("{Empty=}", []), try value("f", [1, 0, 0xC0, 0x7F]),
        try value("{Wide=b0T68b68t60}", Array(repeating: 0xA5, count: 16)),
      ]
      let text = try json(values)
      let event = try decoded(text)
      expectEqual(event.omissions, [])
      try expectEqual(decoded(String(decoding: JSONEncoder().encode(event), as: UTF8.self)), event)
      var received: [BoxedValue] = []
      let root = ResponderNode("root")
      try root.proxy.intercept("k") { _, _, arguments in
        received = arguments
        return .handled
      }
      try event.replay(in: root)
      expectEqual(received.map { "\($0)" }, values.map { "\($0)" })
      for case (.value(let sent), .value(let other)) in zip(values, received) { expectEqual(sent, other) }
      for part in [
        #"{"int128":"\#(Int128.min)"}"#, #"{"range":[18446744073709551615,2]}"#, #"{"rect":[1,2,3,4]}"#, #"{"point":[1,"inf"]}"#,
        #"{"selector":"tap(_:)"}"#, #"{"value":["[3s]",[1,2,-1]]}"#, #"{"value":["(U=iC)","01020304"]}"#, #"{"float":0.1}"#,
        #""nan:7fc00001"]}"#,
      ] {
        expect(text.contains(part), "\(part)")
      }
    }

    @Test("What a record of a call refuses is not saved of an event, with the same reason (E19.3)") func refusals() throws {
      let pointer = try #require(UnsafeRawPointer(bitPattern: 16))
      // A union is one value, of any size.
      let boxes: [BoxedValue] = [
        .pointer(pointer), .type(ResponderNode.self), try value("{P=^i}", []), try value("(U=[5000000c]i)", []),
      ]
      let event = try decoded(json(boxes))
      expectEqual(
        event.omissions,
        [
          "argument 1: a pointer is no value", "argument 2: a class is no value",
          "argument 3: a value of the type {P=^i}: a pointer is no value",
          "argument 4: a value of the type (U=[5000000c]i): it has more than the 4194304 bytes that are recorded",
        ])
    }

    @Test("Logs that were saved with other texts of numbers are read (E19.2)") func formerTexts() throws {
      let text = try json([.int(1)])
      for (former, expected) in [
        (#"{"float":0.10000000149011612}"#, "0.1"), (#"{"double":"nan"}"#, "nan"),
        (#"{"float":"-inf"}"#, "-inf"), (#"{"notSaved":"a range"}"#, nil),
      ] as [(String, String?)] {
        let event = try decoded(text.replacingOccurrences(of: #"{"int":1}"#, with: former))
        var received: [BoxedValue] = []
        let root = ResponderNode("root")
        try root.proxy.intercept("k") { _, _, arguments in
          received = arguments
          return .handled
        }
        guard let expected else {
          expectEqual(event.omissions, ["argument 1: a range"])
          continue
        }
        try event.replay(in: root)
        expectEqual(received.map { "\($0)" }, [expected])
      }
    }

    @Test("A depth limit less than 1 counts as 1 (E12.8)") func depthLimits() throws {
      let text = try json([])
      try expectEqual(decoded(text).rules.depthLimit, 7)
      for (limit, expected) in [(-5, 1), (Int(Int32.min), 1), (0, nil), (1, 1)] as [(Int, Int?)] {
        let changed = text.replacingOccurrences(of: #""depthLimit":7"#, with: #""depthLimit":\#(limit)"#)
        expect(changed != text)
        try expectEqual(decoded(changed).rules.depthLimit, expected)
      }
      for wrong in ["9999999999", "1.5", "null"] {
        let changed = text.replacingOccurrences(of: #""depthLimit":7"#, with: #""depthLimit":\#(wrong)"#)
        #expect(throws: DecodingError.self) { try decoded(changed) }
      }
    }
  }
}
