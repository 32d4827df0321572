@testable import CallFrames
@testable import DynamicInvocation
import TestSupport
import Testing

/// Frames of AAPCS64, as any host plans them; `make aarch64` calls with such frames under emulation.
@Suite("Planner: frames of AAPCS64", .measured)
struct NativeFrameLayoutTests {
  private func frame(_ types: String) throws -> NativeFrameLayout {
    try NativeFrameLayout(StructZoo.types(types), fixedCount: nil, by: AAPCS64())
  }

  /// The places of the result and the arguments, as the table states them.
  private func text(_ frame: NativeFrameLayout) -> String {
    func text(_ slot: FrameSlot) -> String {
      switch slot.storage {
      case .nothing: "-"
      case .twoWords: "\(slot.offset)+\(slot.second):\(slot.size)"
      case .homogeneous: "\(slot.offset)/\(slot.second & 0xFFFF)/\(slot.second >> 16):\(slot.size)"
      default: "\(slot.offset):\(slot.size)"
      }
    }
    return ([frame.result] + frame.arguments).map(text).joined(separator: " ")
  }

  @Test("Slots and kernels")
  func slots() throws {
    for row in TextTable.placements.rows("Frames of AAPCS64") {
      let frame = try frame(row[0])
      expectEqual(text(frame), row[1], row[0])
      expectEqual(frame.kernel.name, row[2], row[0])
      expectEqual(frame.size, row.number(3), row[0])
      expect(frame.resultAddressOffset == -1 && frame.alignment == 8, row[0])
    }
  }

  @Test("Composites by reference: the value, and the word that is to hold its address")
  func copies() throws {
    for row in TextTable.placements.rows("Frames of AAPCS64 with copies") {
      let frame = try frame(row[0])
      expectEqual(text(frame), row[1], row[0])
      expectEqual(frame.context, .words(row[2].split(separator: " ").compactMap { UInt32($0) }), row[0])
    }
  }

  @Test("A copy is aligned as its type is")
  func alignedCopy() throws {
    let frame = try frame("v{L=qqq}{a64=qqq}")
    expectEqual(text(frame), "- 192:24 256:64")
    expectEqual(frame.context, .words([16, 64, 2, 48, 0, 56, 64]))
    expectEqual(frame.alignment, 8)
  }

  @Test("A result in memory lies in the frame, and x8 tells where")
  func resultInMemory() throws {
    let narrow = try frame("{L=qqq}i")
    expect(text(narrow) == "200:24 48:4" && narrow.resultAddressOffset == 112 && narrow.kernel.name == "aapcs64-general")
    let wide = try frame("{L=qqq}D")
    expect(text(wide) == "296:24 160:16" && wide.resultAddressOffset == 144 && wide.kernel.name == "aapcs64-wide")
    let aligned = try frame("{a64=qqqqq}")
    expect(text(aligned) == "256:64" && aligned.alignment == 64)
  }

  @Test("Sizes past the limits")
  func limits() throws {
    _ = try frame("v{a=[600000c]}")
    let copies = expectThrows(InvocationError.self) { try frame("v{a=[600000c]}{a=[600000c]}") }
    expect(copies?.code == .limitExceeded && copies?.argument == .index(1))
    let result = expectThrows(InvocationError.self) { try frame("{a=[300000000c]}") }
    expect(result?.code == .limitExceeded && result?.argument == .result)
    let promoted = expectThrows(InvocationError.self) {
      try NativeFrameLayout(MethodTypes("vif"), fixedCount: 1, by: AAPCS64())
    }
    expect(promoted?.code == .unsupportedType && promoted?.argument == .index(1))
  }

  @Test("Members apart are written whole, read back, and cleared", arguments: ["{H=fff}", "{H=  }", "jf", "{H=DD}"])
  func members(_ text: String) throws {
    let slot = try frame("v" + text).arguments[0]
    let value: [UInt8] = (1...slot.size).map { UInt8($0) }
    var memory = [UInt8](repeating: 0xA5, count: 512)
    var back = [UInt8](repeating: 0, count: value.count)
    try memory.withUnsafeMutableBytes { memory in
      let frame = try require(memory.baseAddress)
      value.withUnsafeBytes { if let bytes = $0.baseAddress { slot.write(from: bytes, to: frame) } }
      back.withUnsafeMutableBytes { if let bytes = $0.baseAddress { slot.read(from: frame, to: bytes) } }
    }
    expectEqual(back, value)
    let members = try AAPCS64().layout(of: StructZoo.types("v" + text)).arguments[0].pieces
    let stride = members[0].size > 8 ? 16 : 8
    for (index, member) in members.enumerated() {
      let start = Int(slot.offset) + index * stride
      let expected = value[member.offset..<member.offset + member.size] + [UInt8](repeating: 0, count: stride - member.size)
      expect(memory[start..<start + stride].elementsEqual(expected))
    }
    // Nothing else is written.
    expect(memory[..<Int(slot.offset)].allSatisfy { $0 == 0xA5 })
    expect(memory[(Int(slot.offset) + members.count * stride)...].allSatisfy { $0 == 0xA5 })
    memory.withUnsafeMutableBytes { if let frame = $0.baseAddress { slot.clear(in: frame) } }
    expect(memory[Int(slot.offset)..<Int(slot.offset) + members.count * stride].allSatisfy { $0 == 0 })
  }

  @Test("A Swift value of sixteen bytes goes to members apart")
  func swiftValue() throws {
    let slot = try frame("v{H=ffff}").arguments[0]
    expectEqual(slot.storage, .homogeneous)
    let value: (Float, Float, Float, Float) = (1, 2, 3, 4)
    var words = [UInt64](repeating: .max, count: 32)
    try words.withUnsafeMutableBytes { memory in
      let frame = try require(memory.baseAddress)
      slot.write(value: value, to: frame)
      let back = slot.withValue(in: frame) { $0.load(as: (Float, Float, Float, Float).self) }
      expect(back == value)
    }
    expect(words[16..<20].elementsEqual([Float(1), 2, 3, 4].map { UInt64($0.bitPattern) }))
    expectEqual(words[20], .max)
  }

  /// As a closure's entry fills it: the first composite's address is in x1, the second's on the stack behind eight words in registers.
  @Test("An incoming frame gets the composites that it has only the addresses of") func incomingComposites() throws {
    let frame = try frame("vi{L=qqq}qqqqqq{B=[17c]}c")
    let image = frame.incoming
    expect(image.registerSize == 192 && image.stackSize == 16 && image.callerStack == 224 && image.resultSize == 48)
    expect(image.references.map(\.address) == [56, 192] && image.references.map(\.size) == [24, 17])
    let first: [Int] = [1, 2, 3]
    let second = (0..<17).map { UInt8($0) }
    // The stack words are the caller's, above what the entry saves.
    var incoming = [UInt64](repeating: 0x1111_1111, count: (image.callerStack + image.stackSize) / 8)
    // Not more than the frame may be written.
    var gathered = [UInt64](repeating: .max, count: frame.size / 8 + 1)
    first.withUnsafeBytes { first in
      second.withUnsafeBytes { second in
        incoming[7] = UInt64(UInt(bitPattern: first.baseAddress))
        incoming[28] = UInt64(UInt(bitPattern: second.baseAddress))
        incoming.withUnsafeBytes { incoming in
          gathered.withUnsafeMutableBytes { gathered in
            if let image = incoming.baseAddress, let memory = gathered.baseAddress { frame.incoming.gather(from: image, to: memory) }
          }
        }
      }
    }
    gathered.withUnsafeBytes { memory in
      guard let start = memory.baseAddress else { return }
      var values = (a: [Int](repeating: 0, count: 3), b: [UInt8](repeating: 0, count: 17))
      values.a.withUnsafeMutableBytes { if let to = $0.baseAddress { frame.arguments[1].read(from: start, to: to) } }
      values.b.withUnsafeMutableBytes { if let to = $0.baseAddress { frame.arguments[8].read(from: start, to: to) } }
      expect(values.a == first && values.b == second)
    }
    expect(gathered[25] == 0x1111_1111 && gathered.last == .max)
  }

  @Test("Each kernel of this processor has a name and code of its own")
  func code() {
    let names = (SystemV.kernels + AAPCS64.kernels).map(\.name)
    expectEqual(Set(names).count, names.count)
    let kernels = type(of: CallPlan.convention).kernels
    expectEqual(Set(kernels.map { unsafeBitCast($0.function, to: UInt.self) }).count, kernels.count)
  }
}
