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

#if Macros
  import SwiftDiagnostics
  package import SwiftSyntax
  package import SwiftSyntaxMacros

  /// `@EventHandler`, a mark that ``EventHandlingMacro`` looks for.
  ///
  /// It generates nothing.
  package enum EventHandlerMacro: PeerMacro {
    /// The name of the attribute.
    static let name = "EventHandler"

    package static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      let type = context.lexicalContext.first?.as(ClassDeclSyntax.self)
      if !declaration.is(FunctionDeclSyntax.self) || type?.attributes.has(EventHandlingMacro.name) != true {
        context.diagnose(
          Diagnostic(
            node: node,
            message: MacroMessage("notAHandler", "@\(name) is for the methods in the body of a class with @\(EventHandlingMacro.name)")))
      }
      return []
    }
  }
#endif

#if Macros
  import SwiftDiagnostics
  import SwiftSyntax

  /// Visits the members of a class, generates the code that registers its marked methods, and collects diagnostics.
  struct HandlerScanner {
    private let type: ClassDeclSyntax
    private(set) var diagnostics: [Diagnostic] = []
    /// The keys found so far, each with the name of its method.
    private var keys: [String: String] = [:]

    init(_ type: ClassDeclSyntax) {
      self.type = type
    }

    /// Returns the lines that register the methods among the members.
    mutating func lines(of members: MemberBlockItemListSyntax) -> [String] {
      var lines: [String] = []
      for member in members {
        if let function = member.decl.as(FunctionDeclSyntax.self) {
          lines += self.lines(of: function)
        } else if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
          lines += self.lines(of: conditional)
        }
      }
      return lines
    }

    /// Returns the lines for conditionally compiled members, under the same conditions.
    private mutating func lines(of conditional: IfConfigDeclSyntax) -> [String] {
      var lines: [String] = []
      let before = keys
      var all = keys
      for clause in conditional.clauses {
        guard case .decls(let members) = clause.elements else { continue }
        // Only one of the clauses is compiled, so a key may occur once in each.
        keys = before
        let inner = self.lines(of: members)
        lines.append(clause.poundKeyword.trimmedDescription + (clause.condition.map { " " + $0.trimmedDescription } ?? ""))
        lines += inner
        all.merge(keys) { former, _ in former }
      }
      keys = all
      // Conditions without any registrations are omitted.
      return lines.allSatisfy { $0.hasPrefix("#") } ? [] : lines + ["#endif"]
    }

    private mutating func lines(of function: FunctionDeclSyntax) -> [String] {
      let marks = function.attributes.compactMap { $0.as(AttributeSyntax.self) }
        .filter { $0.attributeName.lastName == EventHandlerMacro.name }
      guard !marks.isEmpty else { return [] }
      let method = MethodText(function, of: type)
      if let refusal = function.refusalOfHandler {
        refuse(refusal.name, "'\(method.fullName)' cannot handle events: \(refusal.reason)", at: refusal.place)
        return []
      }
      var lines: [String] = []
      for mark in marks {
        guard case .argumentList(let arguments) = mark.arguments, !arguments.isEmpty else {
          refuse("noKey", "'\(method.fullName)' is marked with no key", at: mark)
          continue
        }
        for key in arguments.map(\.expression) {
          if let former = keys.updateValue(method.fullName, forKey: key.trimmedDescription) {
            diagnostics.append(
              Diagnostic(
                node: key,
                message: MacroMessage(
                  "duplicateKey", "the class handles \(key.trimmedDescription) with '\(former)' already", severity: .warning)))
          }
          lines += method.registration(of: key.trimmedDescription)
        }
      }
      return lines
    }

    private mutating func refuse(_ name: String, _ message: String, at place: some SyntaxProtocol) {
      diagnostics.append(Diagnostic(node: place, message: MacroMessage(name, message)))
    }
  }

  extension FunctionDeclSyntax {
    /// The reason why the method cannot be registered as a handler, or nil.
    fileprivate var refusalOfHandler: Refusal? {
      if let modifier = modifiers.first(where: { ["static", "class"].contains($0.name.text) }) {
        return Refusal("static", "it is a method of the class, and events come to an object", at: Syntax(modifier))
      }
      if let generics = genericParameterClause.map(Syntax.init) ?? genericWhereClause.map(Syntax.init) {
        return Refusal("generic", "it is generic, and the types of an event are known", at: generics)
      }
      let parameters = signature.parameterClause.parameters
      guard let source = parameters.first else {
        return Refusal(
          "noSource", "it takes no source; add a first parameter for the object that sends", at: Syntax(signature.parameterClause))
      }
      for parameter in parameters {
        let name = (parameter.secondName ?? parameter.firstName).text
        if parameter.type.marks.contains("inout") {
          return Refusal("inout", "the parameter '\(name)' is inout, and an event only carries values", at: Syntax(parameter))
        }
        if parameter.ellipsis != nil {
          return Refusal("variadic", "the parameter '\(name)' is variadic, and its number of values is not known", at: Syntax(parameter))
        }
        if parameter.type.mentionsSome {
          return Refusal("generic", "it is generic, and the types of an event are known", at: Syntax(parameter))
        }
      }
      if source.type.isKnownValue {
        return Refusal("noSource", "its first parameter is the source, which is an object", at: Syntax(source))
      }
      if parameters.count > 9 {
        return Refusal("arguments", "it takes more than eight arguments after the source", at: Syntax(signature.parameterClause))
      }
      if let async = signature.effectSpecifiers?.asyncSpecifier {
        return Refusal("async", "it is asynchronous, and an event does not wait", at: Syntax(async))
      }
      return nil
    }
  }
#endif
