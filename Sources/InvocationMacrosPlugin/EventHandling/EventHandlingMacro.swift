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
      let actor = subject.attributes.globalActor.map { $0 + " " } ?? ""
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
        context.refuse("notAClass", "@\(name) is for classes: targets are objects", at: node)
        return []
      }
      var scanner = HandlerScanner(type)
      let lines = scanner.lines(of: type.memberBlock.members)
      scanner.diagnostics.forEach(context.diagnose)
      let isInherited = protocols.isEmpty && !type.inheritanceClause.names(name)
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

  /// `@EventHandler`, a mark that ``EventHandlingMacro`` looks for.
  package enum EventHandlerMacro: MarkMacro {
    package static let name = "EventHandler"

    package static func misplacement(
      at declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) -> (id: String, message: String)? {
      let type = context.lexicalContext.first?.as(ClassDeclSyntax.self)
      guard !declaration.is(FunctionDeclSyntax.self) || type?.attributes.has(EventHandlingMacro.name) != true else { return nil }
      return ("notAHandler", "@\(name) is for the methods in the body of a class with @\(EventHandlingMacro.name)")
    }
  }

  /// Generates the code that registers the marked methods of a class.
  struct HandlerScanner: MemberScanner {
    private let type: ClassDeclSyntax
    /// The keys found so far, each with the name of its method.
    var known: [String: String] = [:]
    var diagnostics: [Diagnostic] = []

    init(_ type: ClassDeclSyntax) {
      self.type = type
    }

    mutating func lines(of member: DeclSyntax) -> [String] {
      guard let function = member.as(FunctionDeclSyntax.self) else { return [] }
      let marks = function.attributes.compactMap { $0.as(AttributeSyntax.self) }
        .filter { $0.attributeName.lastName == EventHandlerMacro.name }
      guard !marks.isEmpty else { return [] }
      let name = function.fullName
      if let refusal = function.refusalOfHandler {
        diagnostics.append(Diagnostic(refusal.name, "'\(name)' cannot handle events: \(refusal.reason)", at: refusal.place))
        return []
      }
      var lines: [String] = []
      for mark in marks {
        guard case .argumentList(let arguments) = mark.arguments, !arguments.isEmpty else {
          diagnostics.append(Diagnostic("noKey", "'\(name)' is marked with no key", at: mark))
          continue
        }
        for key in arguments.map(\.expression) {
          let text = key.trimmedDescription
          if let first = known.updateValue(name, forKey: text) {
            diagnostics.append(
              Diagnostic("duplicateKey", "the class handles \(text) with '\(first)' already", at: key, severity: .warning))
          }
          lines += MethodText(function, of: type).registration(of: text)
        }
      }
      return lines
    }
  }

  extension FunctionDeclSyntax {
    /// The reason why the method cannot be registered as a handler, or nil.
    fileprivate var refusalOfHandler: Refusal? {
      let generic = "it is generic, and the types of an event are known"
      if let modifier = modifiers.first(where: { ["static", "class"].contains($0.name.text) }) {
        return Refusal("static", "it is a method of the class, and events come to an object", at: modifier)
      }
      if let generics = genericParameterClause.map(Syntax.init) ?? genericWhereClause.map(Syntax.init) {
        return Refusal("generic", generic, at: generics)
      }
      let clause = signature.parameterClause
      guard let source = clause.parameters.first else {
        return Refusal("noSource", "it takes no source; add a first parameter for the object that sends", at: clause)
      }
      for parameter in clause.parameters {
        let name = (parameter.secondName ?? parameter.firstName).text
        if parameter.type.marks.contains("inout") {
          return Refusal("inout", "the parameter '\(name)' is inout, and an event only carries values", at: parameter)
        }
        if parameter.ellipsis != nil {
          return Refusal("variadic", "the parameter '\(name)' is variadic, and its number of values is not known", at: parameter)
        }
        if parameter.type.mentions(.some) { return Refusal("generic", generic, at: parameter) }
      }
      if source.type.isKnownValue { return Refusal("noSource", "its first parameter is the source, which is an object", at: source) }
      if clause.parameters.count > 5 { return Refusal("arguments", "it takes more than four arguments after the source", at: clause) }
      return signature.effectSpecifiers?.asyncSpecifier.map {
        Refusal("async", "it is asynchronous, and an event does not wait", at: $0)
      }
    }
  }
#endif
