import CDeclarations
import DynamicInvocation

/// The error of a name that is not declared; the engine's own, with near names, is not visible outside of its package.
enum DeclarationLookup {
  static func undeclared(_ kind: String, _ name: String, in declarations: CDeclarations?, among names: [String]) -> InvocationError {
    InvocationError(.symbolNotFound, "no \(kind) '\(name)' is declared")
  }
}
