import DynamicInvocation
import TestSupport

extension TextTable {
  /// The encodings that the suites of this folder read.
  static let encodings: TextTable = TextTable("encodings.txt")
}

/// Reads a type from a text at run time: `TypeEncoding("i")` is a literal to the compiler, which traps where this throws.
func parsedType(
  _ text: String, dialect: TypeEncoding.Dialect = .next, blankIsFloat16: Bool = false
) throws(InvocationError) -> TypeEncoding {
  try TypeEncoding(text, dialect: dialect, blankIsFloat16: blankIsFloat16)
}
