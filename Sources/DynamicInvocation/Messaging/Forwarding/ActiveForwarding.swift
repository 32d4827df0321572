internal import CFFIShim

/// A message that a thread is just forwarding, so that one which comes back is seen.
///
/// It lies on the stack, in a list with those around it.
@safe
struct ActiveForwarding {
  /// The most messages that a thread may be forwarding one within the other.
  static let largestDepth = 512

  private let receiver: UnsafeRawPointer
  private let selector: Selector
  /// The invocation that was sent, if it was one, and the invocation that was made of it to be forwarded.
  private let sent: UnsafeRawPointer?
  private let forwarded: UnsafeRawPointer?
  private let depth: Int
  private let outer: UnsafeMutablePointer<ActiveForwarding>?

  /// Runs what forwards a message.
  ///
  /// - Throws: ``InvocationError`` `forwardingCycle` when the receiver is forwarding this very message already; `limitExceeded` when
  ///   ``largestDepth`` others are being forwarded; what `body` throws.
  static func run(
    _ receiver: AnyObject, _ selector: Selector, sent: Invocation?, forwarded: Invocation?, _ body: () throws -> Void
  ) throws {
    let outer = unsafe cffi_innermost_forwarding()?.assumingMemoryBound(to: ActiveForwarding.self)
    var active = unsafe ActiveForwarding(
      receiver: Unmanaged.passUnretained(receiver).toOpaque(), selector: selector, sent: sent.map(address),
      forwarded: forwarded.map(address),
      depth: (outer?.pointee.depth ?? 0) + 1, outer: outer)
    guard active.depth <= largestDepth else {
      throw InvocationError(
        .limitExceeded,
        "'\(selector)' to \(type(of: receiver)) is forwarded within \(largestDepth) other messages that are just being forwarded")
    }
    guard !active.isRepeated else {
      throw InvocationError(.forwardingCycle, "\(type(of: receiver)) is forwarding '\(selector)' already, and was sent it again")
    }
    try unsafe withUnsafeMutablePointer(to: &active) { place in
      unsafe cffi_set_innermost_forwarding(place)
      defer { unsafe cffi_set_innermost_forwarding(outer) }
      try body()
    }
  }

  private static func address(_ invocation: Invocation) -> UnsafeRawPointer {
    unsafe UnsafeRawPointer(Unmanaged.passUnretained(invocation).toOpaque())
  }

  /// Whether the message went through the same receiver before: from invocation to invocation back to the first.
  private var isRepeated: Bool {
    guard var sent = unsafe self.sent else { return false }
    var next = unsafe outer
    while let other = unsafe next?.pointee {
      if unsafe other.forwarded == sent {
        if unsafe other.receiver == receiver, other.selector == selector { return true }
        guard let before = unsafe other.sent else { return false }
        unsafe sent = before
      }
      unsafe next = unsafe other.outer
    }
    return false
  }
}
