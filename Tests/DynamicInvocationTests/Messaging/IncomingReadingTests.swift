#if arch(x86_64) || arch(arm64)
  @testable import DynamicInvocation
  import TestSupport
  import Testing

  /// Where the arguments of a call that came in are read, by either convention.
  @Suite(.measured) struct IncomingReadingTests {
    /// What AArch64 passes in every way there is: members in vector registers, by reference, in general registers and on the stack.
    @Test("On AArch64 a closure of known types reads each argument in one piece") func gathering() throws {
      let types = try MethodTypes("vd{F=ffff}{L=qqq}{F=fff}qqqqqq{G=qq}{F=fff}c{L=qqq}")
      let frame = try NativeFrameLayout(types, fixedCount: nil, by: AAPCS64())
      let image = frame.incoming
      expect(frame.arguments.contains { $0.storage == .homogeneous } && image.references.count == 2 && image.stackSize > 0)

      // An outgoing frame, filled by the slots as they are planned, and what an entry on the other side would make of it.
      var values: [[UInt8]] = []
      var outgoing = [UInt64](repeating: 0, count: frame.size / 8)
      var incoming = [UInt64](repeating: 0, count: (image.callerStack + image.stackSize) / 8)
      outgoing.withUnsafeMutableBytes { outgoing in
        incoming.withUnsafeMutableBytes { incoming in
          guard let from = outgoing.baseAddress, let to = incoming.baseAddress else { return }
          for (index, slot) in frame.arguments.enumerated() {
            let value = (0..<Int(slot.size)).map { UInt8(truncatingIfNeeded: 16 * index + $0 + 1) }
            value.withUnsafeBytes { bytes in if let start = bytes.baseAddress { slot.write(from: start, to: from) } }
            values.append(value)
          }
          for reference in image.references {
            from.storeBytes(of: UInt(bitPattern: from + reference.copy), toByteOffset: reference.address, as: UInt.self)
          }
          to.copyMemory(from: from, byteCount: image.registerSize)
          (to + image.callerStack).copyMemory(from: from + image.registerSize, byteCount: image.stackSize)

          var read: [[UInt8]] = []
          var slots: [FrameSlot] = []
          let reading = IncomingReading(frame.arguments, image, isInOnePiece: true) { frame, _ in
            for slot in slots {
              read.append([UInt8](UnsafeRawBufferPointer(start: frame.memory + Int(slot.offset), count: Int(slot.size))))
            }
            frame.memory.storeBytes(of: 42, as: Int.self)
          }
          slots = reading.slots
          if let body = try? ClosureBody(MethodSignature(types: "v"), nil, { _, _ in }) {
            reading.run(IncomingFrame(memory: to), body)
          }
          expectEqual(read, values)
          expectEqual(to.load(as: Int.self), 42)
        }
      }
    }

    @Test func nothingIsGatheredThatLiesInOnePiece() throws {
      let types = try MethodTypes("vqd{P=qd}qqqqq{R=dddd}q")
      let frame = try NativeFrameLayout(types, fixedCount: nil, by: SystemV())
      let image = frame.incoming
      let reading = IncomingReading(frame.arguments, image, isInOnePiece: false) { _, _ in }
      expectEqual(reading.slots.map(\.storage), frame.arguments.map(\.storage))
      for (slot, planned) in zip(reading.slots, frame.arguments) {
        let isOnStack = Int(planned.offset) >= image.registerSize
        expectEqual(Int(slot.offset), Int(planned.offset) + (isOnStack ? image.callerStack - image.registerSize : 0))
      }
      // The struct of both kinds lies apart.
      let typed = IncomingReading(frame.arguments, image, isInOnePiece: true) { _, _ in }
      expect(typed.slots[2].storage == .bytes && Int(typed.slots[2].offset) >= image.size)
      expectEqual(typed.slots[8].offset, frame.arguments[8].offset)
    }
  }
#endif
