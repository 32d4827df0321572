/// A message that a thread is forwarding, so that a message that comes back is detected.
///
/// Forwarding targets that form a cycle are found by ``ForwardingChain``. An object that receives the message as an
/// invocation may send it on at any time, from any function that it calls. Such a cycle shows only in the messages that
/// the thread is forwarding at that moment: an object that is forwarding a message is sent it again.
///
/// The entries of a thread are on its stack, in a linked list from the innermost one out. A C++ exception or `longjmp`
/// may unwind the stack without removing entries from the list. So each entry has a checksum: a stale one, whose memory
/// is used for something else by now, is detected and ignored.
@safe
struct ActiveForwarding {
  /// The maximum number of nested messages that a thread may be forwarding at the same time.
  static let largestDepth = 512

  private let receiver: UnsafeRawPointer
  private let selector: MethodSelector
  /// The invocation that was sent, if there was one, and the invocation that was created from it to be forwarded.
  private let sent: UnsafeRawPointer?
  private let forwarded: UnsafeRawPointer?
  private var depth: Int
  /// The address of the stack frame that contains the entry.
  ///
  /// AddressSanitizer keeps the entry itself on the heap.
  private let stackFrame: UInt
  private var outer: UnsafeMutablePointer<ActiveForwarding>?
  /// The checksum: the result of ``sum(at:)`` when the entry was added to the list.
  private var seal: UInt = 0

  /// Runs the function that forwards a message, with an entry in the list for its duration.
  ///
  /// - Parameters:
  ///   - receiver: The object that forwards; the identity of a dispatcher whose implementer forwards.
  ///   - selector: The selector.
  ///   - sent: The address of the invocation that was sent, or nil.
  ///   - forwarded: The address of the invocation that was created from it, or nil.
  /// - Throws: `InvocationError` `forwardingCycle` if the receiver is already forwarding this message;
  ///   `limitExceeded` if ``largestDepth`` other messages are being forwarded; what `body` throws.
  static func run(
    _ receiver: Unmanaged<AnyObject>, _ selector: MethodSelector, sent: UnsafeRawPointer?, forwarded: UnsafeRawPointer?,
    _ body: () throws -> Void
  ) throws {
    let latest = unsafe ThreadState.innermostForwarding?.assumingMemoryBound(to: ActiveForwarding.self)
    var active = unsafe ActiveForwarding(
      receiver: receiver.toOpaque(), selector: selector, sent: sent, forwarded: forwarded, depth: 0,
      stackFrame: ThreadState.frameAddress, outer: nil)
    let name = {
      unsafe receiver._withUnsafeGuaranteedRef {
        ($0 as? DispatcherIdentity).map { "the dispatcher of \($0.protocolName)" } ?? "\(type(of: $0))"
      }
    }
    try unsafe withUnsafeMutablePointer(to: &active) { place in
      guard unsafe latest != nil else {
        // The outermost message: there is nothing that it could repeat.
        unsafe place.pointee.depth = 1
        unsafe place.pointee.seal = unsafe place.pointee.sum(at: place)
        unsafe ThreadState.innermostForwarding = UnsafeMutableRawPointer(place)
        defer { unsafe ThreadState.innermostForwarding = nil }
        return try body()
      }
      let around = unsafe live(latest, around: place)
      let outer = unsafe around == nil ? nil : latest
      unsafe place.pointee.outer = unsafe outer
      unsafe place.pointee.depth = (around?.depth ?? 0) + 1
      unsafe place.pointee.seal = unsafe place.pointee.sum(at: place)
      guard unsafe place.pointee.depth <= largestDepth else {
        throw InvocationError(
          .limitExceeded,
          "'\(selector)' to \(name()) is forwarded within \(largestDepth) other messages that are just being forwarded")
      }
      guard unsafe !isRepeated(place) else {
        throw InvocationError(.forwardingCycle, "\(name()) is forwarding '\(selector)' already, and was sent it again")
      }
      unsafe ThreadState.innermostForwarding = UnsafeMutableRawPointer(place)
      defer { unsafe ThreadState.innermostForwarding = UnsafeMutableRawPointer(outer) }
      try body()
    }
  }

  /// Returns a copy of the next outer entry, or nil if there is no such entry or it is stale.
  ///
  /// An entry is valid if its checksum matches and if its stack frame has a higher address than the inner one's,
  /// because the stack grows downwards.
  private static func live(
    _ place: UnsafeMutablePointer<ActiveForwarding>?, around inner: UnsafeMutablePointer<ActiveForwarding>
  ) -> ActiveForwarding? {
    guard let place = unsafe place else { return nil }
    var found = unsafe inner.pointee
    let stackFrame = found.stackFrame
    unsafe ThreadState.copyStackWords(
      to: &found, from: place, count: MemoryLayout<ActiveForwarding>.size / MemoryLayout<UInt>.size)
    return unsafe found.seal == found.sum(at: place) && found.stackFrame > stackFrame ? found : nil
  }

  /// A checksum of the entry's address and of the fields that are followed, counted or ordered: `outer`, `depth` and
  /// `stackFrame`.
  ///
  /// Other contents of the memory do not match it.
  ///
  /// The other fields are only compared, never followed.
  private func sum(at place: UnsafeMutablePointer<ActiveForwarding>) -> UInt {
    let next = unsafe UInt(bitPattern: outer)
    let frame = stackFrame << 31 | stackFrame >> 33
    return PointerHash.hash((UInt(bitPattern: place) ^ (next << 17 | next >> 47) ^ frame) &+ UInt(bitPattern: depth))
  }

  /// Returns whether the message was forwarded by the same receiver before, by following the invocations back to the
  /// first one.
  private static func isRepeated(_ place: UnsafeMutablePointer<ActiveForwarding>) -> Bool {
    let own = unsafe place.pointee
    guard var sent = unsafe own.sent else { return false }
    var inner = unsafe place
    var next = unsafe own.outer
    while let at = unsafe next, let other = unsafe live(at, around: inner) {
      if unsafe other.forwarded == sent {
        if unsafe other.receiver == own.receiver, other.selector == own.selector { return true }
        guard let before = unsafe other.sent else { return false }
        unsafe sent = before
      }
      unsafe inner = at
      unsafe next = unsafe other.outer
    }
    return false
  }
}
