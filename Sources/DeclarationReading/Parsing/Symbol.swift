import TypeEncodings

/// What an ordinary identifier declares.
package struct Symbol: Sendable {
  package enum Kind: UInt8, Sendable {
    case typedefName, function, variable, enumerator
  }

  package var kind: Kind
  package var name: Name
  package var type: QualifiedType
  /// The value of an enumerator, or of a variable that is declared with `constexpr` or as `const`.
  var value: Operand.Value?
  /// Whether the variable is declared with `constexpr`, so that C allows it in any constant expression.
  var isConstexpr = false
  /// The symbol that an asm label states, or none.
  package var label: Name = .none
  /// Whether the identifier is not visible in other files.
  package var isStatic = false
  /// Whether a declaration of the function is inline.
  var isInline = false
  /// Whether functions of several types have the name.
  package var isOverloaded = false
  /// The first byte of the declarator, for messages.
  package var start: Int32
  /// The index of the declaration.
  package var declaration: Int32
}

/// A declaration that was not read, and the reason with its location.
struct SkippedRange: Sendable {
  var range: DeclarationRange
  var reason: String
  var code: InvocationError.Code
}

/// An external declaration in the source, without the body of a function.
package struct DeclarationRange: Sendable {
  package var start: Int32
  var end: Int32
}
