#if Macros
  import SwiftDiagnostics
  import SwiftSyntax

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

  /// The reason why a method cannot be invoked by selector, and its location in the source.
  struct Refusal {
    let name: String
    let reason: String
    let place: Syntax

    init(_ name: String, _ reason: String, at place: Syntax) {
      self.name = name
      self.reason = reason
      self.place = place
    }
  }
#endif
