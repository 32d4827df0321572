#if Macros
  import InvocationMacrosPlugin
  import SwiftDiagnostics
  import SwiftParser
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacroExpansion
  import SwiftSyntaxMacros
  import TestSupport

  extension TextTable {
    static let expansions = TextTable("expansions.txt")
  }

  /// What the macros make of a source text.
  struct Expansion {
    let text: String
    /// What the macros say, save for the warning of a class that the optimizer does not see.
    let diagnostics: [Diagnostic]
    /// That warning.
    let hiddenClass: Diagnostic?

    /// Expands the macros of a source text.
    ///
    /// - Parameter isInherited: Whether a superclass of each class has the attribute already.
    init(_ source: String, isInherited: Bool = false) {
      let file = Parser.parse(source: source)
      let context = BasicMacroExpansionContext(sourceFiles: [file: .init(moduleName: "Tests", fullFilePath: "tests.swift")])
      let expanded = file.expand(
        macroSpecs: Self.macros(isInherited: isInherited),
        contextGenerator: { BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts()) },
        indentationWidth: .spaces(2))
      text = expanded.description
      diagnostics = context.diagnostics.filter { $0.diagnosticID != Self.hiddenClass }
      hiddenClass = context.diagnostics.first { $0.diagnosticID == Self.hiddenClass }
    }

    private static let hiddenClass: MessageID = MessageID(domain: "InvocationMacros", id: "hiddenClass")

    /// The macros, as the compiler would call them.
    static func macros(isInherited: Bool = false) -> [String: MacroSpec] {
      [
        "Invocable": MacroSpec(type: InvocableMacro.self, conformances: isInherited ? [] : ["_InvocableClass"]),
        "NotInvocable": MacroSpec(type: NotInvocableMacro.self),
        "Dispatchable": MacroSpec(type: DispatchableMacro.self),
        "DispatchPolicy": MacroSpec(type: DispatchPolicyMacro.self),
        "DispatchDefault": MacroSpec(type: DispatchDefaultMacro.self),
        "DispatchRequired": MacroSpec(type: DispatchRequiredMacro.self),
        "EventHandling": MacroSpec(type: EventHandlingMacro.self, conformances: isInherited ? [] : ["EventHandling"]),
        "EventHandler": MacroSpec(type: EventHandlerMacro.self),
        "cFunction": MacroSpec(type: CFunctionMacro.self),
        "cFunctions": MacroSpec(type: CFunctionsMacro.self),
      ]
    }

    /// The text in the source that a diagnostic is at.
    func place(of diagnostic: Diagnostic) -> String { diagnostic.node.trimmedDescription }
  }
#endif
