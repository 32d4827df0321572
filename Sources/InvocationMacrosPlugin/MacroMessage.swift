#if Macros
  import SwiftDiagnostics

  /// An error or a warning of a macro, or the fix for it.
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
#endif
