import CallExplanations
import DynamicInvocation

extension CallSignature {
  /// Whether gcc and clang pass one of the types differently: types with certain arrays, which the engine rejects.
  public var isDisputed: Bool {
    for type in [types.result] + types.arguments {
      do {
        _ = try MethodSignature(MethodTypes(result: type, arguments: []))
      } catch {
        if error.reason.contains("gcc and clang") { return true }
      }
    }
    return false
  }

  /// Whether the compiler loses the upper half of a value.
  ///
  /// clang 21 moves an eightbyte of class SSE as a `float` or `_Float16` if its first member is one, even if a
  /// different member of a union fills the whole eightbyte: `union { float f; _Float16 h[4]; }` loses h[2] and h[3]
  /// when it is passed to a function, in C too.
  public func isHalved(by compiler: CCompiler) -> Bool {
    guard compiler == .clang else { return false }
    return ([types.result] + types.arguments).contains { type in
      guard type.containsUnion, type.containsNarrowFloat else { return false }
      let explanation = CallExplanation(MethodTypes(result: type, arguments: []), abi: .sysv)
      return explanation.result.parts.contains { $0.place.hasPrefix("xmm") }
    }
  }
}
