#if Macros
  import SwiftDiagnostics

  /// An error of a macro, or the fix for it.
  struct MacroMessage: DiagnosticMessage, FixItMessage {
    let message: String
    let diagnosticID: MessageID
    let severity: DiagnosticSeverity = .error

    init(_ name: String, _ message: String) {
      self.message = message
      diagnosticID = MessageID(domain: "InvocationMacros", id: name)
    }

    var fixItID: MessageID { diagnosticID }
  }
#endif
