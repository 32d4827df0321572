#if Macros
  import SwiftCompilerPlugin
  import SwiftSyntaxMacros

  @main
  struct InvocationMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
      InvocableMacro.self, NotInvocableMacro.self, DispatchableMacro.self, DispatchPolicyMacro.self, DispatchDefaultMacro.self,
      DispatchRequiredMacro.self, EventHandlingMacro.self, EventHandlerMacro.self,
    ]
  }
#else
  /// SwiftPM builds and links every target of its root package, so that there must be a program without the trait too.
  @main
  struct InvocationMacrosPlugin {
    static func main() {}
  }
#endif
