#if Macros
  import SwiftCompilerPlugin
  import SwiftSyntaxMacros

  @main
  struct InvocationMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
      InvocableMacro.self, NotInvocableMacro.self, DispatchableMacro.self, DispatchPolicyMacro.self, DispatchDefaultMacro.self,
      DispatchRequiredMacro.self, EventHandlingMacro.self, EventHandlerMacro.self, CFunctionMacro.self, CFunctionsMacro.self,
    ]
  }
#else
  /// An empty program.
  ///
  /// SwiftPM builds and links every target of its root package, so the target needs one without the trait too.
  @main
  struct InvocationMacrosPlugin {
    static func main() {}
  }
#endif

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
