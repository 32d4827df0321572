/// How a frame is laid out for a native kernel, worked out from the types alone.
///
/// A frame is the register image of the kernel, then the stack words: the arguments on the stack, and after them the values that the callee gets
/// by reference. Those it may change, so each call copies them to its own stack with the rest. Last comes the memory of a result in memory.
///
/// Everything here is the same on every host; only ``CallPlan`` binds it to code.
package struct NativeFrame: Sendable {
  /// The kernel.
  package let kernel: NativeKernel
  /// What of the call makes it the one.
  let reason: String
  /// What the kernel is given besides the frame and the implementation.
  package let context: NativeContext
  /// The slot of each argument.
  package let arguments: [Slot]
  /// The slot of the result.
  package let result: Slot
  /// How the frame of an incoming call differs from this one when it comes in.
  package let incoming: IncomingImage
  /// The bytes, a multiple of 16.
  package let size: Int
  /// The alignment: that of words, or more when the frame holds the memory of a result that wants more.
  package let alignment: Int
  /// The offset of the word that tells the callee where to put a result in memory, or -1.
  package let resultAddressOffset: Int

  /// Lays a frame out.
  ///
  /// - Throws: ``InvocationError`` `limitExceeded` when the stack words or the frame outgrow their limits.
  init(_ layout: CallLayout, types: MethodTypes, by convention: some NativeConvention) throws(InvocationError) {
    let kernel = convention.kernel(for: layout)
    let image = kernel.image
    let stack = try Self.stack(layout, types, image)
    // A word for the eightbytes of an argument that travel nowhere, being padding.
    let unused = image.stack + stack.size
    var end = unused + 8

    var slots: [Slot] = []
    slots.reserveCapacity(types.arguments.count)
    var copies = stack.addresses.makeIterator()
    for (placement, type) in zip(layout.arguments, types.arguments) {
      let passed = Slot.Passed(type)
      if placement.passing == .reference, let copy = copies.next() {
        slots.append(Slot(kind: passed.kind, size: passed.size, offset: image.stack + copy.target, storage: Slot.storage(of: type)))
      } else {
        slots.append(Slot(type, passed, placement.pieces, unused: unused) { image.argumentOffset(of: $0) })
      }
    }

    let returned = Slot.Passed(types.result)
    if layout.result.passing == .reference {
      alignment = max(8, returned.alignment)
      let offset = end.roundedUp(to: alignment)
      end = offset + returned.size.roundedUp(to: 8)
      guard end <= CallPlan.largestFrame else { throw CallPlan.frameTooLarge(.result, types.result) }
      result = Slot(kind: returned.kind, size: returned.size, offset: offset, storage: Slot.storage(of: types.result))
      resultAddressOffset = image.indirectResult ?? image.general
    } else {
      alignment = 8
      result = Slot(types.result, returned, layout.result.pieces, unused: unused) { image.resultOffset(of: $0) }
      resultAddressOffset = -1
    }
    self.kernel = kernel
    reason = kernel.reason(layout) ?? ""
    incoming = IncomingImage(
      resultSize: image.general, registerSize: image.stack, stackSize: layout.stackSize, callerStack: image.callerStack, size: unused,
      references: zip(layout.arguments, slots).filter { $0.0.passing == .reference }.map { placement, slot in
        IncomingImage.Reference(
          address: image.argumentOffset(of: placement.pieces[0].location), copy: Int(slot.offset), size: Int(slot.size))
      })
    context = kernel.readsContext ? convention.context(stack) : .word(0)
    arguments = slots
    size = end.roundedUp(to: 16)
  }

  /// Puts the values passed by reference behind the arguments on the stack.
  private static func stack(
    _ layout: CallLayout, _ types: MethodTypes, _ image: RegisterImage
  ) throws(InvocationError) -> NativeStack {
    var stack = NativeStack(size: layout.stackSize, alignment: layout.stackAlignment)
    for (index, placement) in layout.arguments.enumerated() where placement.passing == .reference {
      let passed = Slot.Passed(types.arguments[index])
      let target = stack.size.roundedUp(to: max(8, passed.alignment))
      stack.size = target + passed.size.roundedUp(to: 8)
      guard stack.size <= CallPlan.largestStack else { throw CallPlan.stackTooLarge(index, types) }
      stack.alignment = max(stack.alignment, passed.alignment)
      stack.addresses.append(NativeStack.Address(word: image.argumentOffset(of: placement.pieces[0].location), target: target))
    }
    return stack
  }
}

extension NativeFrame {
  /// Plans a call by a convention, on any host.
  ///
  /// - Parameters:
  ///   - types: The types of the call.
  ///   - fixedCount: For a variadic function the number of fixed arguments.
  ///   - convention: The convention.
  package init(_ types: MethodTypes, fixedCount: Int?, by convention: some NativeConvention) throws(InvocationError) {
    let layout = try convention.layout(of: types)
    try CallPlan.check(layout, types, fixedCount: fixedCount)
    try self.init(layout, types: types, by: convention)
  }
}

extension CallPlan {
  #if arch(x86_64) || (arch(arm64) && !canImport(Darwin))
    /// Plans a call by a native kernel: the frame is the register image, and each slot lies where the call loads its argument.
    convenience init(native layout: CallLayout, types: MethodTypes) throws(InvocationError) {
      let frame = try NativeFrame(layout, types: types, by: Self.convention)
      let context: UnsafeRawPointer?
      let words: ContextWords?
      switch frame.context {
      case .word(let word): unsafe (context, words) = (UnsafeRawPointer(bitPattern: word), nil)
      case .words(let list):
        words = ContextWords(list)
        unsafe context = words?.address
      }
      unsafe self.init(
        arguments: frame.arguments, result: frame.result, frameSize: frame.size, frameAlignment: frame.alignment,
        resultAddressOffset: frame.resultAddressOffset, kernel: frame.kernel.function, context: context,
        backend: .native(frame.kernel, layout), incoming: frame.incoming, keeping: words)
    }
  #endif
}

/// Words at an address that a kernel reads, never changed.
@safe
private final class ContextWords: @unchecked Sendable {
  private let words: UnsafeMutablePointer<UInt32>

  init(_ list: [UInt32]) {
    unsafe words = .allocate(capacity: max(1, list.count))
    unsafe words.initialize(from: list, count: list.count)
  }

  deinit {
    unsafe words.deallocate()
  }

  var address: UnsafeRawPointer { unsafe UnsafeRawPointer(words) }
}
