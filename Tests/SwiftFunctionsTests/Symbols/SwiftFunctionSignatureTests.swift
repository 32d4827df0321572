@testable import SwiftFunctions

#if canImport(Glibc)
  import SwiftSymbols
  import TestSupport
  import Testing

  @testable import DynamicInvocation

  /// The types of functions of a library compiled by swiftc, with and without optimization and library evolution.
  @Suite(.measured) struct SwiftFunctionSignatureTests {
    /// The symbols of the library, with a module name of its own for each mode: types are found by name.
    private static func symbols(_ mode: SwiftCompiler.Mode) throws -> SwiftLibrarySymbols {
      let module = "Plugin_\(mode.rawValue)"
      let path = try SwiftCompiler.sharedLibrary(source: SwiftSymbolsSource.text, module: module, flags: mode.flags)
      return SwiftLibrarySymbols(try DynamicLibrary(path))
    }

    /// A function in one line: how self is passed, the parameters, the effects and the result.
    private static func line(_ types: SwiftFunctionSignature, module: String) -> String {
      func text(_ type: Any.Type) -> String {
        String(reflecting: type).replacing("\(module).", with: "").replacing("Swift.", with: "")
      }
      let parameters = types.parameters.map { parameter in
        let ownership =
          switch parameter.ownership {
          case .borrowed: ""
          case .owned: "owned "
          case .inOut: "inout "
          }
        return "\(parameter.label ?? "_"): \(ownership)\(text(parameter.type))\(parameter.isVariadic ? "..." : "")"
      }
      let effects =
        (types.isAsync ? " async" : "") + (types.isThrowing ? " throws" : "") + (types.typedError.map { "(\(text($0)))" } ?? "")
      let owner = types.selfType.map { " of \(types.selfKind) \(text($0))" } ?? ""
      return "\(types.kind)\(owner) (\(parameters.joined(separator: ", ")))\(effects) -> \(text(types.result))"
    }

    @Test(arguments: SwiftCompiler.Mode.allCases) func areThoseOfTheDeclaration(mode: SwiftCompiler.Mode) throws {
      let symbols = try Self.symbols(mode)
      let module = "Plugin_\(mode.rawValue)"
      // The module is left out of names and types.
      for row in TextTable.symbols.rows("functions of a library") {
        let name = row[0]
        let types = try symbols.function(name)
        let made = Self.line(types, module: module).replacing("(extension in \(module)):", with: "(extension in ):")
        expectEqual(made, row[1], name)
        expect(types.symbol.hasPrefix("$s"), name)
        unsafe expectEqual(types.isAsync, types.asyncFunctionPointer != nil, name)
      }
      let full = try symbols.function("\(module).area(of:scale:)")
      #expect(full.name == "\(module).area(of:scale:)")
      // The code is where the dynamic linker finds it.
      let found = unsafe try symbols.library.symbol(full.symbol)
      #expect(unsafe found == full.address)
    }

    @Test(arguments: SwiftCompiler.Mode.allCases) func settersTakeTheValueFirst(mode: SwiftCompiler.Mode) throws {
      let symbols = try Self.symbols(mode)
      let module = "Plugin_\(mode.rawValue)"
      let setter = try symbols.function("Rect.width", kind: .setter)
      #expect(Self.line(setter, module: module) == "setter of value Rect (_: owned Double) -> ()")
      let element = try symbols.function("Rect.subscript(_:)", kind: .subscriptSetter)
      #expect(Self.line(element, module: module) == "subscriptSetter of value Rect (_: owned Double, _: owned Int) -> ()")
      let global = try symbols.function("global")
      #expect(String(describing: global.result) == "Int")
      // Without a getter there is the function that returns the address.
      let total = try symbols.function("Counter.total")
      #expect(total.selfKind == (total.kind == .addressor ? .none : .classMetatype))
      #expect(throws: InvocationError.self) { _ = try symbols.function("Rect.both") }
      // The address of a variable of a value is found with self, which the symbol of the addressor does not tell.
      #expect(throws: InvocationError.self) { _ = try symbols.function("Addressed.value", kind: .addressor) }
    }

    @Test(arguments: SwiftCompiler.Mode.allCases) func overridableMethodsHaveADescriptor(mode: SwiftCompiler.Mode) throws {
      let symbols = try Self.symbols(mode)
      let name = try symbols.function("Shape.name")
      #expect(unsafe name.methodDescriptor != nil)
      #expect(name.isDispatchThunk == (mode == .evolution || mode == .optimizedEvolution))
      #expect(unsafe try symbols.function("Rect.unit").methodDescriptor == nil)
    }

    @Test(arguments: SwiftCompiler.Mode.allCases) func whatTheNameDoesNotTellIsRefused(mode: SwiftCompiler.Mode) throws {
      let symbols = try Self.symbols(mode)
      for row in TextTable.symbols.rows("refused functions of a library") {
        let error = expectThrows(InvocationError.self, row[0]) { try symbols.function(row[0]) }
        expect(error?.code == .unsupportedType && error?.reason.contains(row[1]) == true, "\(row[0]): \(error.map { "\($0)" } ?? "")")
      }
    }

    @Test func overloadsAreListed() throws {
      let symbols = try Self.symbols(.plain)
      let error = #expect(throws: InvocationError.self) { _ = try symbols.function("pick(_:)") }
      #expect(error?.code == .symbolNotFound)
      #expect(error?.reason.contains("pick(Swift.Int) -> Swift.Int") == true)
      #expect(error?.reason.contains("pick(Swift.String) -> Swift.String") == true)
      #expect(throws: InvocationError.self) { _ = try symbols.function("area") }
      #expect(throws: InvocationError.self) { _ = try symbols.function("pick(_: Double)") }
    }

    @Test func aMissingNameHasTheNearest() throws {
      let symbols = try Self.symbols(.plain)
      let error = #expect(throws: InvocationError.self) { _ = try symbols.function("aera(of:scale:)") }
      #expect(error?.candidates.contains("area(of:scale:)") == true)
      let labels = #expect(throws: InvocationError.self) { _ = try symbols.function("sum(_:by:)") }
      #expect(labels?.reason.contains("sum(_: Swift.Int..., scale: Swift.Double)") == true)
      for name in ["", ".", "(", "a(", "a)", "a(b", "Rect.", ".area(of:)", "(((((", "a(b: [c: d)", "\u{0}"] {
        #expect(throws: InvocationError.self, "\(name)") { _ = try symbols.function(name) }
      }
    }

    @Test func theProgramIsALibrary() throws {
      let symbols = SwiftLibrarySymbols(.process)
      let error = #expect(throws: InvocationError.self) { _ = try symbols.function("noFunctionHasThisName(_:_:)") }
      #expect(error?.code == .symbolNotFound)
      if try symbols.contents().index.entries.isEmpty { #expect(error?.reason.contains("-export-dynamic") == true) }
      // Its types are found without any exported symbol.
      #expect(try symbols.types().contains { $0 == Self.self })
    }

    @Test func membersOfGenericTypesOfOtherLibrariesAreRefused() throws {
      let source = "extension Array { public func third() -> Int { 3 } }\nextension Optional { public static var none2: Int { 2 } }"
      let path = try SwiftCompiler.sharedLibrary(source: source, module: "Extensions")
      let symbols = SwiftLibrarySymbols(try DynamicLibrary(path))
      for name in ["Array.third", "Optional.none2"] {
        let error = #expect(throws: InvocationError.self) { _ = try symbols.function(name) }
        #expect(error?.reason.contains("generic") == true)
      }
    }

    @Test(arguments: SwiftCompiler.Mode.allCases) func typesAndConformersAreListed(mode: SwiftCompiler.Mode) throws {
      let symbols = try Self.symbols(mode)
      let module = "Plugin_\(mode.rawValue)"
      let names = try symbols.types().map { String(reflecting: $0).replacing("\(module).", with: "") }
      for name in ["Rect", "Rect.Corner", "Counter", "Shape", "Level", "Hello", "Hidden", "Problem"] {
        #expect(names.contains(name), "\(name)")
      }
      #expect(!names.contains { $0.hasPrefix("Box") || $0 == "Unique" })
      #expect(try symbols.conformers(of: (any Error).self).map { String(describing: $0) } == ["Problem"])
      let greeter = try #require(symbols.function("existentials").parameters.first?.type)
      #expect(Set(try symbols.conformers(of: greeter).map { String(describing: $0) }) == ["Hello", "Hidden"])
      for type in [Int.self, Any.self, (any Collection<Int>).self, (() -> Void).self] as [Any.Type] {
        #expect(throws: InvocationError.self) { _ = try symbols.conformers(of: type) }
      }
    }

    @Test func aTypeOfAnotherLibraryOfTheSameNameIsNotTaken() throws {
      let source = "public struct Thing { public init() {} }\npublic func one(_ x: Thing) {}\npublic func many(_ x: [Thing]) {}"
      let first = try SwiftCompiler.sharedLibrary(source: source, module: "Twin", copy: 1)
      let second = try SwiftCompiler.sharedLibrary(source: source, module: "Twin", copy: 2)
      let symbols = try [first, second].map { SwiftLibrarySymbols(try DynamicLibrary($0)) }
      let types = try symbols.map { try #require($0.function("one").parameters.first?.type) }
      #expect(ObjectIdentifier(types[0]) != ObjectIdentifier(types[1]))
      // By name the runtime finds only one of the two.
      let outcomes = symbols.map { symbols in Result { try symbols.function("many") } }
      let refused = outcomes.filter { if case .failure = $0 { true } else { false } }
      #expect(refused.count == 1)
      guard case .failure(let error)? = refused.first else { return }
      #expect("\(error)".contains("another loaded library"))
    }

    @Test(arguments: [("libswift_StringProcessing.so", 0.9)])
    func theToolchainsLibrariesAreTyped(name: String, least: Double) throws {
      #expect(try ToolchainComparison.types(of: name, least: least) == [])
    }
  }
#endif
