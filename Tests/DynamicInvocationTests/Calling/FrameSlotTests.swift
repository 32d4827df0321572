@testable import CallFrames
@testable import DynamicInvocation
import TestSupport
import Testing

/// The slots of a frame, by themselves: what is written where.
@Suite(.measured) struct FrameSlotTests {
  private func slot(_ types: String, by convention: some NativeConvention) throws -> FrameSlot {
    try NativeFrameLayout(MethodTypes(types), fixedCount: nil, by: convention).arguments[0]
  }

  @Test("A moved slot keeps the distance of its members, and moves its second word") func moved() throws {
    let members = try slot("v{H=fff}", by: AAPCS64())
    let movedMembers = members.moved { $0 + 64 }
    expect(movedMembers.offset == members.offset + 64 && movedMembers.second == members.second)
    let words = try slot("v{M=dq}", by: SystemV())
    let movedWords = words.moved { $0 + 64 }
    expect(words.storage == .twoWords && movedWords.offset == words.offset + 64 && movedWords.second == words.second + 64)
  }

  @Test("A type without bytes has no storage", arguments: ["{E=}", "(U=)", "{E=[0i]}"]) func empty(text: String) {
    expectEqual(FrameSlot.storage(of: StructZoo.type(text)), .nothing)
  }

  @Test("A struct of a double and an integer is written in two places, typed and as bytes") func twoPlaces() throws {
    let slot = try slot("v{M=dq}", by: SystemV())
    expect(slot.second != slot.offset + 8)
    var value: (Double, Int) = (1.5, 7)
    for isTyped in [true, false] {
      var frame = [UInt64](repeating: .max, count: 64)
      frame.withUnsafeMutableBytes { frame in
        guard let start = frame.baseAddress else { return }
        if isTyped { slot.write(value: value, to: start) } else { withUnsafeBytes(of: &value) { slot.write($0, to: start) } }
      }
      expect(frame[Int(slot.offset) / 8] == (1.5 as Double).bitPattern && frame[Int(slot.second) / 8] == 7)
      expectEqual(frame.count { $0 != .max }, 2)
    }
  }

  @Test("Bytes past the size of a value are not written", arguments: ["v{A=ic}", "v{M=dq}", "v{L=qqqc}"]) func surplus(types: String) throws
  {
    let slot = try slot(types, by: SystemV())
    var frame = [UInt8](repeating: 0xA5, count: 512)
    let bytes = [UInt8](repeating: 0x11, count: Int(slot.size) + 64)
    frame.withUnsafeMutableBytes { frame in
      if let start = frame.baseAddress { bytes.withUnsafeBytes { slot.write($0, to: start) } }
    }
    expectEqual(frame.count { $0 == 0x11 }, Int(slot.size))
  }
}
