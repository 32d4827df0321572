extension CallPlan {
  /// Plans a call by a native kernel: the frame is the register image, and each slot lies where the call loads its argument.
  #if arch(x86_64)
    convenience init(native layout: CallLayout, types: MethodTypes) throws(InvocationError) {
      let kernel = NativeKernel.systemV(for: layout)
      // A word for eightbytes that travel nowhere, being padding.
      let unused = kernel.stack + layout.stackSize
      var end = unused + 8

      var slots: [Slot] = []
      slots.reserveCapacity(types.arguments.count)
      for (placement, type) in zip(layout.arguments, types.arguments) {
        slots.append(
          Slot(type, Slot.Passed(type), placement.pieces, unused: unused) { kernel.argumentOffset(of: $0) })
      }

      let returned = Slot.Passed(types.result)
      let result: Slot
      var resultAddressOffset = -1
      var alignment = 8
      if layout.result.passing == .reference {
        alignment = max(8, returned.alignment)
        let offset = end.roundedUp(to: alignment)
        end = offset + returned.size.roundedUp(to: 8)
        guard end <= Self.largestFrame else { throw Self.frameTooLarge(.result, types.result) }
        result = Slot(kind: returned.kind, size: returned.size, offset: offset, storage: Slot.storage(of: types.result))
        resultAddressOffset = kernel.general
      } else {
        result = Slot(types.result, returned, layout.result.pieces, unused: unused) { kernel.resultOffset(of: $0) }
      }
      let context = UInt(layout.stackSize / 8) | UInt(layout.stackAlignment) << 32
      unsafe self.init(
        arguments: slots, result: result, frameSize: end.roundedUp(to: 16), frameAlignment: alignment,
        resultAddressOffset: resultAddressOffset, kernel: kernel.function, context: UnsafeRawPointer(bitPattern: context),
        backend: .native(kernel, layout))
    }
  #endif
}

extension NativeKernel {
  /// The offset in a frame of an argument's register or stack word.
  func argumentOffset(of location: Location) -> Int {
    switch location {
    case .general(let register): general + 8 * register
    case .vector(let register): vector + vectorStride * register
    case .stack(let offset): stack + offset
    case .x87, .indirectResult: preconditionFailure("no argument travels there")
    }
  }

  /// The offset in a frame of a result's register.
  func resultOffset(of location: Location) -> Int {
    switch location {
    case .general(let register): generalResults[register]
    case .vector(let register): vectorResults[register]
    case .x87(let register): 16 * register
    case .stack, .indirectResult: preconditionFailure("no result travels there")
    }
  }
}
