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
        #"{"float":1e300}"#, #"{"float":0.1}"#, #"{"float":"1.5"}"#, #"{"double":"1.5"}"#, #"{"double":"1e999"}"#, #"{"double":1e999}"#,
        #"{"null":false}"#, #"{"null":[1,2]}"#, #"{"null":null}"#, #"{"int":1,"x":2}"#, #"{"int":1,"bool":true}"#, #"{"x":2}"#, "{}",
        #"{"int":1.5}"#, #"{"int":9223372036854775808}"#, #"{"uint":-1}"#, #"{"bool":1}"#,
      ] {
        let damaged = text.replacingOccurrences(of: #"{"int":1}"#, with: wrong)
        #expect(damaged != text)
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
      #expect(try decoded(String(decoding: JSONEncoder().encode(event), as: UTF8.self)) == event)
      var received: [BoxedValue] = []
      let root = ResponderNode("root")
      try root.proxy.intercept("k") { _, _, arguments in
        received = arguments
        return .handled
      }
      try event.replay(in: root)
      #expect(received.map { "\($0)" } == values.map { "\($0)" })
      // NaN differs from itself.
      let nan = try decoded(json([.float(.nan), .double(.nan)]))
      try nan.replay(in: root)
      #expect(received.map { "\($0)" } == ["nan", "nan"])
    }

    @Test("A depth limit less than 1 counts as 1 (E12.8)") func depthLimits() throws {
      let text = try json([])
      #expect(try decoded(text).rules.depthLimit == 7)
      for (limit, expected) in [(-5, 1), (Int(Int32.min), 1), (0, nil), (1, 1)] as [(Int, Int?)] {
        let changed = text.replacingOccurrences(of: #""depthLimit":7"#, with: #""depthLimit":\#(limit)"#)
        #expect(changed != text)
        #expect(try decoded(changed).rules.depthLimit == expected)
      }
      for wrong in ["9999999999", "1.5", "null"] {
        let changed = text.replacingOccurrences(of: #""depthLimit":7"#, with: #""depthLimit":\#(wrong)"#)
        #expect(throws: DecodingError.self) { try decoded(changed) }
      }
    }
  }
}
