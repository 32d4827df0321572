/// The registers of the arguments and the result of a call that needs no frame.
///
/// A C function pointer whose parameters are words, or floating-point numbers, loads the same registers as a kernel.
/// A variadic call is never one of these: on x86-64 it also passes the number of vector registers in `al`.
@usableFromInline
package enum RegisterCall: UInt8, Sendable {
  /// The call needs a frame.
  case none
  /// Each argument is one word in a general register, and so is the result, unless it is void.
  case words
  /// Each argument is a number in a vector register, and so is the result.
  case floats

  /// The largest number of arguments: the general registers of the convention with the fewest.
  package static let mostArguments = 6

  init(_ layout: CallLayout, arguments: [FrameSlot], result: FrameSlot) {
    let locations = layout.arguments.map(\.onlyLocation)
    let indices = 0..<locations.count
    self = .none
    guard locations.count <= Self.mostArguments else { return }
    if indices.allSatisfy({ arguments[$0].storage.isInteger && locations[$0] == .general($0) }),
      result.storage == .nothing || result.storage.isInteger && layout.result.onlyLocation == .general(0)
    {
      self = .words
    } else if indices.allSatisfy({ arguments[$0].storage == .floating && locations[$0] == .vector($0) }),
      result.storage == .floating && layout.result.onlyLocation == .vector(0)
    {
      self = .floats
    }
  }
}

extension FrameSlot.Storage {
  /// Whether a value is an integer, a bool or a pointer in one word.
  fileprivate var isInteger: Bool { self == .signed || self == .unsigned }
}

extension CallLayout.Placement {
  /// The location of a value that is passed in one piece of at most eight bytes, not by reference.
  fileprivate var onlyLocation: CallLayout.Location? {
    guard passing == .direct, pieces.count == 1, pieces[0].size <= 8 else { return nil }
    return pieces[0].location
  }
}
