internal import SwiftSymbols

/// Finds types by their mangled names.
package enum SwiftTypeLookup {
  /// Returns the type with a mangled name without prefix, or nil if the runtime has none.
  ///
  /// The runtime searches all loaded libraries.
  ///
  /// - Parameter arguments: What the generic parameters in the name stand for, at most ``mostArguments``.
  package static func type(mangled name: [UInt8], _ arguments: [Any.Type] = []) -> Any.Type? {
    // The runtime takes a length, but it reads names from compiled code too, which end in a zero byte.
    let terminated = name + [0]
    return unsafe terminated.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return nil }
      guard !arguments.isEmpty else {
        return unsafe _getTypeByMangledNameInContext(start, UInt(name.count), genericContext: nil, genericArguments: nil)
      }
      let missing = Array(repeating: Void.self as Any.Type, count: max(0, mostArguments - arguments.count))
      let context = SwiftMetadata(Parameters<Void, Void, Void, Void, Void, Void>.self).descriptor
      return unsafe (arguments + missing).withUnsafeBytes { arguments in
        unsafe _getTypeByMangledNameInContext(
          start, UInt(name.count), genericContext: context?.address, genericArguments: arguments.baseAddress)
      }
    }
  }

  /// The number of generic arguments with which a type is looked up at most.
  package static let mostArguments: Int = 6

  /// A type whose generic parameters stand for the parameters of a function.
  private struct Parameters<A, B, C, D, E, F> {}

  /// Whether a type that the runtime does not find is generic: it is found with generic arguments.
  ///
  /// False also for a generic type of more than four parameters, or whose requirements neither `Int` nor `[Int]` meets.
  ///
  /// - Parameter name: The mangled name without prefix and without generic arguments.
  static func isGeneric(mangled name: [UInt8]) -> Bool {
    for argument in ["Si", "SaySiG"] {
      for count in 1...4 {
        let arguments = "y" + String(repeating: argument, count: count)
        // The names of a type that contains the type end with an underscore.
        for end in ["G", "_G"] where type(mangled: name + Array((arguments + end).utf8)) != nil { return true }
      }
    }
    return false
  }
}
