#if Macros
  import SwiftDiagnostics
  package import SwiftSyntax
  import SwiftSyntaxBuilder
  package import SwiftSyntaxMacros

  /// `@EventHandling`: adds the method that registers the marked methods, and the conformance to the protocol.
  package enum EventHandlingMacro {
    /// The name of the attribute and of the protocol.
    static let name = "EventHandling"
  }

  extension EventHandlingMacro: ExtensionMacro {
    package static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax, providingExtensionsOf type: some TypeSyntaxProtocol,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      guard !protocols.isEmpty, let subject = declaration.as(ClassDeclSyntax.self) else { return [] }
      let actor = subject.globalActor.map { $0 + " " } ?? ""
      return [try ExtensionDeclSyntax("extension \(type.trimmed): \(raw: actor)EventRouting.\(raw: name) {}")]
    }
  }

  extension EventHandlingMacro: MemberMacro {
    /// The generated text is indented already.
    package static var formatMode: FormatMode { .disabled }

    package static func expansion(
      of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      guard let type = declaration.as(ClassDeclSyntax.self) else {
        context.diagnose(Diagnostic(node: node, message: MacroMessage("notAClass", "@\(name) is for classes: targets are objects")))
        return []
      }
      var scanner = HandlerScanner(type)
      let lines = scanner.lines(of: type.memberBlock.members)
      scanner.diagnostics.forEach(context.diagnose)
      let isInherited = protocols.isEmpty && !type.inherits(name)
      let head = [type.accessForMembers, isInherited ? "override" : nil, "func registerEventHandlers("].compactMap(\.self)
      let former = "try super.registerEventHandlers(on: proxy, options: options)"
      var body: [String] = []
      if lines.isEmpty {
        body.append("return \(isInherited ? former : "[]")")
      } else {
        body.append("var registrations = [] as [EventRouting.EventRegistration]")
        body.append("var errors = [] as [DynamicInvocation.InvocationError]")
        if isInherited {
          body += ["do throws(DynamicInvocation.InvocationError) {", "  registrations = \(former)"]
          body += ["} catch {", "  errors.append(error)", "}"]
        }
        body += lines
        // A registration that fails, for example because its key is taken, does not prevent the others.
        body += ["if !errors.isEmpty { throw DynamicInvocation.InvocationError(notRegistered: errors) }", "return registrations"]
      }
      let all =
        [
          "/// Registers the methods of this object that handle events.",
          "@discardableResult",
          head.joined(separator: " "),
          "  on proxy: EventRouting.EventProxy, options: EventRouting.HandlerOptions = EventRouting.HandlerOptions()",
          ") throws(DynamicInvocation.InvocationError) -> [EventRouting.EventRegistration] {",
        ] + body.map { "  " + $0 } + ["}"]
      return ["\(raw: all.joined(separator: "\n"))"]
    }
  }

  extension ClassDeclSyntax {
    /// The attribute of the class's global actor, recognized by its name.
    fileprivate var globalActor: String? {
      attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }
        .first { $0.arguments == nil && $0.attributeName.lastName?.hasSuffix("Actor") == true }?.trimmedDescription
    }
  }
#endif
