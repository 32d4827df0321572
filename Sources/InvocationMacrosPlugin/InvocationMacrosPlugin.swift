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
