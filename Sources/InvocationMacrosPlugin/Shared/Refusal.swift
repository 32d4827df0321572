#if Macros
  import SwiftDiagnostics
  package import SwiftSyntax
  package import SwiftSyntaxMacros

  /// An error or a warning of a macro, or its fix-it.
  struct MacroMessage: DiagnosticMessage, FixItMessage {
    let message: String
    let diagnosticID: MessageID
    let severity: DiagnosticSeverity

    init(_ name: String, _ message: String, severity: DiagnosticSeverity = .error) {
      self.severity = severity
      self.message = message
      diagnosticID = MessageID(domain: "InvocationMacros", id: name)
    }

    var fixItID: MessageID { diagnosticID }
  }

  extension Diagnostic {
    init(_ name: String, _ message: String, at node: some SyntaxProtocol, severity: DiagnosticSeverity = .error, fixIts: [FixIt] = []) {
      self.init(node: node, message: MacroMessage(name, message, severity: severity), fixIts: fixIts)
    }
  }

  extension FixIt {
    /// A fix that replaces a node.
    init(_ name: String, _ message: String, _ node: some SyntaxProtocol, by fixed: some SyntaxProtocol) {
      self.init(message: MacroMessage(name, message), changes: [.replace(oldNode: Syntax(node), newNode: Syntax(fixed))])
    }
  }

  extension MacroExpansionContext {
    /// Reports an error.
    func refuse(_ name: String, _ message: String, at node: some SyntaxProtocol) { diagnose(Diagnostic(name, message, at: node)) }
  }

  /// The reason why a macro cannot use a declaration or a type, and its location in the source.
  struct Refusal {
    let name: String
    let reason: String
    let place: Syntax

    init(_ name: String, _ reason: String, at place: some SyntaxProtocol) {
      (self.name, self.reason, self.place) = (name, reason, Syntax(place))
    }
  }

  /// A mark that another macro looks for, and that generates nothing.
  package protocol MarkMacro: PeerMacro {
    /// The name of the attribute.
    static var name: String { get }
    /// Returns why the mark must not stand at a declaration, or nil.
    static func misplacement(at declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext) -> (
      id: String, message: String
    )?
  }

  extension MarkMacro {
    package static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      if let (id, message) = misplacement(at: declaration, in: context) { context.refuse(id, message, at: node) }
      return []
    }
  }
#endif
