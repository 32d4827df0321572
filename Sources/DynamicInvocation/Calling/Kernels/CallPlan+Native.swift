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
