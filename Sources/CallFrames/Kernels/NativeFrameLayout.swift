/// The layout of a frame for a native kernel, computed from the types alone.
///
/// A frame contains the register image of the kernel, the stack words, and the memory for a result in memory. The stack
/// words are the arguments on the stack, followed by the values passed by reference. The callee may change these
/// values, so each call copies them to its stack together with the stack arguments. Arguments that share a stack word
/// with others, as Apple's variant of AAPCS64 passes them, have words of their own after that, from which a call copies
/// them.
///
/// The layout is the same on every host; only ``CallPlan`` binds it to code.
package struct NativeFrameLayout: Sendable {
  /// The kernel.
  package let kernel: NativeKernel
  /// The reason why this kernel was chosen.
  package let reason: String
  /// The third argument of the kernel.
  package let context: NativeContext
  /// The slot of each argument.
  package let arguments: [FrameSlot]
  /// The slot of the result.
  package let result: FrameSlot
  /// The layout of the frame of an incoming call.
  package let incoming: IncomingFrameLayout
  /// The size in bytes, a multiple of 16.
  package let size: Int
  /// The alignment in bytes: 8, or the alignment of a result in memory if that is larger.
  package let alignment: Int
  /// The offset of the word that passes the address of a result in memory, or -1.
  package let resultAddressOffset: Int

  /// Computes the layout of a frame.
  ///
  /// - Throws: `InvocationError` `limitExceeded` if the stack words or the frame exceed their limits.
  init(_ layout: CallLayout, types: MethodTypes, by convention: some NativeConvention) throws(InvocationError) {
    let kernel = convention.kernel(for: layout)
    let image = kernel.image
    var stack = try Self.stack(layout, types, image)
    stack.moves = Self.moves(layout, types, from: image.stack + stack.size, image)
    // A word for eightbytes of padding, which are not passed.
    let unused = stack.moves.last.map { $0.word + $0.size.roundedUp(to: 8) } ?? image.stack + stack.size
    var end = unused + 8

    var slots: [FrameSlot] = []
    slots.reserveCapacity(types.arguments.count)
    var copies = stack.addresses.makeIterator()
    for (placement, type) in zip(layout.arguments, types.arguments) {
      let passed = FrameSlot.Passed(type)
      if placement.passing == .reference, let copy = copies.next() {
        slots.append(
          FrameSlot(kind: passed.kind, size: passed.size, offset: image.stack + copy.target, storage: FrameSlot.storage(of: type)))
      } else {
        slots.append(
          FrameSlot(type, passed, placement.pieces, unused: unused) { location in
            let offset = image.argumentOffset(of: location)
            return stack.moves.first { $0.packed == offset }?.word ?? offset
          })
      }
    }

    let returned = FrameSlot.Passed(types.result)
    if layout.result.passing == .reference {
      alignment = max(8, returned.alignment)
      let offset = end.roundedUp(to: alignment)
      end = offset + returned.size.roundedUp(to: 8)
      guard end <= CallPlan.largestFrame else { throw CallPlan.frameTooLarge(.result, types.result) }
      result = FrameSlot(kind: returned.kind, size: returned.size, offset: offset, storage: FrameSlot.storage(of: types.result))
      resultAddressOffset = image.indirectResult ?? image.general
    } else {
      alignment = 8
      result = FrameSlot(types.result, returned, layout.result.pieces, unused: unused) { image.resultOffset(of: $0) }
      resultAddressOffset = -1
    }
    self.kernel = kernel
    reason = kernel.reason(layout) ?? ""
    incoming = IncomingFrameLayout(
      resultSize: image.general, registerSize: image.stack, stackSize: layout.stackSize, callerStack: image.callerStack, size: unused,
      references: zip(layout.arguments, slots).filter { $0.0.passing == .reference }.map { placement, slot in
        IncomingFrameLayout.Reference(
          address: image.argumentOffset(of: placement.pieces[0].location), copy: Int(slot.offset), size: Int(slot.size))
      }, moves: stack.moves, isGathered: !stack.addresses.isEmpty || !stack.moves.isEmpty)
    context = kernel.readsContext ? convention.context(stack) : .word(0)
    arguments = slots
    size = end.roundedUp(to: 16)
  }

  /// Assigns a word of its own to each argument that shares a stack word with others.
  private static func moves(
    _ layout: CallLayout, _ types: MethodTypes, from end: Int, _ image: RegisterImage
  ) -> [IncomingFrameLayout.Move] {
    guard layout.sharesStackWords else { return [] }
    var word = end
    return zip(layout.arguments, types.arguments).compactMap { placement, type in
      guard placement.passing == .direct, let piece = placement.pieces.first, case .stack(let offset) = piece.location else { return nil }
      let size = FrameSlot.Passed(type).size
      guard offset % 8 != 0 || size % 8 != 0 else { return nil }
      defer { word += size.roundedUp(to: 8) }
      return IncomingFrameLayout.Move(word: word, packed: image.stack + offset, size: size)
    }
  }

  /// Appends the values passed by reference to the arguments on the stack.
  private static func stack(
    _ layout: CallLayout, _ types: MethodTypes, _ image: RegisterImage
  ) throws(InvocationError) -> NativeStack {
    var stack = NativeStack(size: layout.stackSize, alignment: layout.stackAlignment)
    for (index, placement) in layout.arguments.enumerated() where placement.passing == .reference {
      let passed = FrameSlot.Passed(types.arguments[index])
      let target = stack.size.roundedUp(to: max(8, passed.alignment))
      stack.size = target + passed.size.roundedUp(to: 8)
      guard stack.size <= CallPlan.largestStack else { throw CallPlan.stackTooLarge(index, types) }
      stack.alignment = max(stack.alignment, passed.alignment)
      stack.addresses.append(NativeStack.Address(word: image.argumentOffset(of: placement.pieces[0].location), target: target))
    }
    return stack
  }
}

extension NativeFrameLayout {
  /// Plans a call according to a convention, on any host.
  ///
  /// - Parameters:
  ///   - types: The types of the call.
  ///   - fixedCount: For a variadic function, the number of fixed arguments.
  ///   - convention: The calling convention.
  package init(_ types: MethodTypes, fixedCount: Int?, by convention: some NativeConvention) throws(InvocationError) {
    let layout = try convention.layout(of: types, fixedCount: fixedCount)
    try CallPlan.check(layout, types, fixedCount: fixedCount)
    try self.init(layout, types: types, by: convention)
  }
}

extension CallPlan {
  /// Plans a call with a native kernel.
  ///
  /// Each slot is at the offset from which the kernel loads the argument.
  convenience init(native layout: CallLayout, types: MethodTypes, isVariadic: Bool) throws(InvocationError) {
    let frame = try NativeFrameLayout(layout, types: types, by: Self.convention)
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
      backend: .native(frame.kernel, layout),
      registerCall: isVariadic ? .none : RegisterCall(layout, arguments: frame.arguments, result: frame.result),
      incoming: frame.incoming, keeping: words)
  }
}

/// The owner of the words that a kernel reads as its context.
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

/// The layout of the frame of an incoming call, which a closure's entry fills with the register image.
///
/// The stack words stay in the caller's stack frame, at a fixed distance, and values passed by reference stay in the
/// caller's memory. In an outgoing frame both follow the registers. An incoming call can be copied to such a frame, so
/// that both kinds of frame can be read in the same way.
///
/// Source: AAPCS64, section 6.8.2, rule B.4.
package struct IncomingFrameLayout: Sendable {
  /// The size of the result registers, which come first.
  package let resultSize: Int
  /// The size of the register image, which the entry fills.
  package let registerSize: Int
  /// The size of the stack words.
  package let stackSize: Int
  /// The offset of the caller's stack words, above the registers that the entry saves.
  package let callerStack: Int
  /// The size of a frame in which the stack words and the values passed by reference follow the registers.
  package let size: Int
  /// The values passed by reference.
  package let references: [Reference]

  /// The arguments that share a stack word with others.
  package let moves: [Move]

  /// Whether ``gather(from:to:)`` must copy a call before its arguments are read.
  package let isGathered: Bool

  /// An argument that shares a stack word with others.
  package struct Move: Sendable, Hashable {
    /// The offset of its own word in a frame.
    package var word: Int
    /// The offset of its bytes in the stack words of a frame.
    package var packed: Int
    package var size: Int
  }

  /// A value passed by reference.
  package struct Reference: Sendable, Hashable {
    /// The offset of its address in such a frame.
    package var address: Int
    /// The offset of its copy in such a frame.
    package var copy: Int
    package var size: Int
  }

  /// Returns the slot of an argument that is read from the caller's frame, or of a result.
  ///
  /// If ``isGathered``, a call must be copied first with ``gather(from:to:)``.
  ///
  /// - Parameter slot: The slot in an outgoing frame.
  package func slot(_ slot: FrameSlot) -> FrameSlot {
    slot.moved { outgoing in
      if outgoing < registerSize { return outgoing }
      if outgoing < registerSize + stackSize { return outgoing - registerSize + callerStack }
      // The word for padding. A result with an eightbyte of padding occupies one register, so the word of the second
      // general register is free.
      return 8
    }
  }

  /// Copies the registers and the stack words to a frame in which they are adjacent.
  package func copy(from image: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
    unsafe frame.copyMemory(from: image, byteCount: registerSize)
    if stackSize > 0 { unsafe (frame + registerSize).copyMemory(from: image + callerStack, byteCount: stackSize) }
  }

  /// Copies the registers, the stack words, the values passed by reference and the arguments that share a stack word.
  ///
  /// - Parameters:
  ///   - image: The register image that a closure entry filled.
  ///   - frame: At least ``size`` bytes.
  package func gather(from image: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
    unsafe copy(from: image, to: frame)
    for reference in references {
      // The caller passes a separate copy for each call, at an address that is never null.
      let address = unsafe frame.load(fromByteOffset: reference.address, as: UnsafeRawPointer.self)
      unsafe (frame + reference.copy).copyMemory(from: address, byteCount: reference.size)
    }
    unsafe separate(in: frame)
  }

  /// Copies the arguments that share a stack word from the stack words of a frame to their own words.
  package func separate(in frame: UnsafeMutableRawPointer) {
    for move in moves {
      if move.size % 8 != 0 { unsafe frame.storeBytes(of: 0, toByteOffset: move.word + move.size / 8 * 8, as: UInt64.self) }
      unsafe (frame + move.word).copyMemory(from: frame + move.packed, byteCount: move.size)
    }
  }
}

/// Copying of an incoming call's frame to an outgoing one: both have the same register image.
extension CallPlan {
  /// Copies an incoming call's arguments to a frame for an outgoing call of the same plan.
  ///
  /// Narrow values are extended to whole words: a caller may leave the upper bits of a register or stack word
  /// undefined, but a callee may rely on them. Nothing that the arguments refer to is retained or copied.
  ///
  /// - Parameters:
  ///   - incoming: The frame of the incoming call, as a closure of unknown types receives it.
  ///   - frame: At least ``frameSize`` bytes.
  package func copyArguments(fromIncoming incoming: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
    guard let image = self.incoming else { preconditionFailure("a call came in by another backend than the native one") }
    if !image.isGathered {
      unsafe image.copy(from: incoming, to: frame)
    } else {
      // The arguments were gathered when the call came in.
      unsafe frame.copyMemory(from: incoming, byteCount: image.size)
    }
    guard hasNarrowArguments else { return unsafe prepare(frame) }
    for index in 0..<count {
      let slot = unsafe slots[index]
      if slot.size < 8, slot.storage.isWord { unsafe slot.write(from: frame + Int(slot.offset), to: frame) }
    }
    unsafe prepare(frame)
  }
}
