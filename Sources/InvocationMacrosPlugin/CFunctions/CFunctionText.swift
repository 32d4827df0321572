#if Macros
  import DeclarationReading
  import TypeEncodings

  /// A C function with its types in Swift.
  struct CFunctionText {
    /// The name in C.
    var name: String
    /// The name in the symbol table of a library.
    var symbol: String
    /// The names of the parameters, or nil where the declaration states no name.
    var parameterNames: [String?]
    /// The types of the parameters, such as `UnsafePointer<CChar>?`.
    var parameters: [String]
    /// The type of the result; `Void` if there is none.
    var result: String
    /// The first byte of the declarator in the text.
    var offset: Int

    /// The type of a pointer to the function: `@convention(c) @Sendable (Double) -> Double`.
    var pointer: String { "@convention(c) @Sendable (\(parameters.joined(separator: ", "))) -> \(result)" }

    /// Reads declarations of functions, in their order.
    ///
    /// - Throws: The first syntax error, or the first function that no function type of Swift can call.
    static func read(_ text: String) throws(CDeclarationError) -> [CFunctionText] {
      let parser: Parser
      do throws(SyntaxFailure) {
        parser = try Parser(functions: text)
      } catch {
        throw CDeclarationError(error.reason, offset: min(error.offset, text.utf8.count))
      }
      let writer = SwiftTypeWriter(types: parser.types)
      var functions: [CFunctionText] = []
      for symbol in parser.symbols.all where symbol.kind == .function { functions.append(try writer.text(of: symbol, in: parser)) }
      return functions
    }
  }

  /// An error in a text of declarations.
  struct CDeclarationError: Error {
    let reason: String
    /// The first byte that the error is about.
    let offset: Int

    init(_ reason: String, offset: Int = 0) { (self.reason, self.offset) = (reason, offset) }
  }

  /// Writes types of C as types of Swift that have the same representation and are passed in the same way.
  private struct SwiftTypeWriter {
    let types: TypeTable

    /// Returns a declared function with its types in Swift.
    func text(of symbol: Symbol, in parser: Parser) throws(CDeclarationError) -> CFunctionText {
      let start = Int(symbol.start)
      func refusal(_ reason: String, at offset: Int) -> CDeclarationError {
        CDeclarationError("'\(types.names.text(symbol.name))': \(reason)", offset: offset)
      }
      func type(_ type: QualifiedType, _ what: String, at offset: Int) throws(CDeclarationError) -> String {
        var parts = 0
        do throws(CDeclarationError) {
          let text = try swiftType(of: type, &parts)
          guard parts <= TypeTable.mostParts else { throw CDeclarationError("a type of more than \(TypeTable.mostParts) parts") }
          return text
        } catch {
          throw refusal("\(what): \(error.reason)", at: offset)
        }
      }
      guard case .function(let index) = types.node(symbol.type) else { throw refusal("it is no function", at: start) }
      let function = types.functions[Int(index)]
      if let reason = reasonWithoutType(function) { throw refusal(reason, at: start) }
      guard !symbol.isOverloaded else { throw refusal("the attribute overloadable gives functions of several types the name", at: start) }
      guard !symbol.isStatic else { throw refusal("it is static: its code is in the header, and no library exports it", at: start) }
      let result = try type(function.result, "return value", at: Int(parser.declarations[Int(symbol.declaration)].start))
      var parameters: [String] = []
      for (position, parameter) in function.parameters.enumerated() {
        let offset = position < function.offsets.count ? Int(function.offsets[position]) : start
        parameters.append(try type(parameter, "parameter \(position)", at: offset))
      }
      return CFunctionText(
        name: types.names.text(symbol.name), symbol: types.names.text(symbol.label.isNone ? symbol.name : symbol.label),
        parameterNames: function.names.map { $0.isNone ? nil : types.names.text($0) }, parameters: parameters, result: result, offset: start
      )
    }

    /// The reason why a function has no function type in Swift, whatever its types are.
    private func reasonWithoutType(_ function: FunctionNode) -> String? {
      if let reason = function.refusal { return reason }
      if function.isVariadic { return "Swift has no type for a variadic function: use DynamicLibrary.function(_:variadic:)" }
      guard !function.hasPrototype else { return nil }
      return "the parentheses are empty, so that the parameters are not known: a function without parameters is declared with (void)"
    }

    /// Returns the type of a value that is passed or returned.
    ///
    /// - Parameter parts: The number of types that were read; if more were read than are allowed, the text is not complete.
    private func swiftType(of type: QualifiedType, _ parts: inout Int) throws(CDeclarationError) -> String {
      parts += 1
      guard !type.flags.contains(.otherMemory) else {
        throw CDeclarationError("it is in another address space, whose addresses are no pointers")
      }
      switch types.node(type) {
      case .basic(.void): return "Void"
      case .basic(let basic):
        if let name = swiftName(of: basic) { return name }
        throw CDeclarationError("no function type of Swift passes \(basic.name) as C does")
      case .enumeration(let index):
        let enumeration = types.enumerations[Int(index)]
        if let reason = enumeration.refusal { throw CDeclarationError("an enum: \(reason)") }
        guard let basic = enumeration.underlying else {
          throw CDeclarationError("'enum \(types.names.text(enumeration.name))' is incomplete: its definition is missing")
        }
        return swiftName(of: basic) ?? "Int32"
      case .pointer(let target) where target.flags.contains(.otherMemory):
        throw CDeclarationError("a pointer to another address space is no address")
      case .pointer where types.isArgumentListPointer(type): return "CVaListPointer"
      case .pointer(let target): return swiftPointer(to: target, &parts)
      case .record(let index):
        guard !types.records[Int(index)].isIncomplete else {
          throw CDeclarationError("\(types.recordName(index)) is incomplete: its definition is missing")
        }
        throw CDeclarationError("\(types.recordName(index)) by value has no type in Swift: use DynamicLibrary.function(_:variadic:)")
      case .complex: throw CDeclarationError("Swift has no complex type: use DynamicLibrary.function(_:variadic:)")
      case .vector: throw CDeclarationError("no function type of Swift passes a vector as C does")
      case .block: throw CDeclarationError("a block needs the runtime of Objective-C")
      case .unsupported(let reason, _): throw CDeclarationError(reason)
      case .function, .array: throw CDeclarationError("it is not passed by value")
      }
    }

    private static let swiftNames: [Basic: String] = [
      .void: "Void", .bool: "Bool", .char: "CChar", .signedChar: "Int8", .unsignedChar: "UInt8", .short: "Int16",
      .unsignedShort: "UInt16", .int: "Int32", .unsignedInt: "UInt32", .long: "Int", .unsignedLong: "UInt", .longLong: "Int64",
      .unsignedLongLong: "UInt64", .float: "Float", .float32: "Float", .double: "Double", .float64: "Double", .float32x: "Double",
    ]

    /// The arithmetic type of Swift, or nil if no function type with the C convention has it.
    private func swiftName(of basic: Basic) -> String? {
      let isExtended = [.longDouble, .float64x].contains(basic) && types.target.longDouble == .extended
      return isExtended ? "Float80" : Self.swiftNames[basic]
    }

    /// Returns the type of a pointer, which may be null as any pointer of C.
    ///
    /// A pointer to an incomplete struct is an `OpaquePointer`. A pointer to anything that Swift has no type for is raw.
    private func swiftPointer(to target: QualifiedType, _ parts: inout Int) -> String {
      parts += 1
      // An array is const if its elements are.
      var element = target
      while case .array(let inner, _) = types.node(element) { element = inner }
      let isConst = element.flags.contains(.const)
      let raw = isConst ? "UnsafeRawPointer?" : "UnsafeMutableRawPointer?"
      func typed(_ pointee: String) -> String { isConst ? "UnsafePointer<\(pointee)>?" : "UnsafeMutablePointer<\(pointee)>?" }
      guard !target.flags.contains(.atomic) else { return raw }
      switch types.node(target) {
      case .basic(.void): return raw
      case .basic(let basic): return swiftName(of: basic).map(typed) ?? raw
      case .enumeration(let index): return types.enumerations[Int(index)].underlying.flatMap(swiftName).map(typed) ?? raw
      case .pointer where types.isArgumentListPointer(target): return raw
      case .pointer(let inner): return types.isArgumentList(inner) ? raw : typed(swiftPointer(to: inner, &parts))
      case .record where types.isArgumentList(target): return types.target.argumentList == .array ? "CVaListPointer" : raw
      case .record(let index): return types.records[Int(index)].isIncomplete ? "OpaquePointer?" : raw
      case .function(let index): return swiftFunctionPointer(types.functions[Int(index)], &parts) ?? "OpaquePointer?"
      case .array, .complex, .vector, .block, .unsupported: return raw
      }
    }

    /// Returns the type of a pointer to a function, or nil if Swift cannot call the function.
    private func swiftFunctionPointer(_ function: FunctionNode, _ parts: inout Int) -> String? {
      guard parts <= TypeTable.mostParts, reasonWithoutType(function) == nil, let result = try? swiftType(of: function.result, &parts)
      else {
        return nil
      }
      var parameters: [String] = []
      for parameter in function.parameters {
        guard parts <= TypeTable.mostParts, let text = try? swiftType(of: parameter, &parts) else { return nil }
        parameters.append(text)
      }
      return "(@convention(c) (\(parameters.joined(separator: ", "))) -> \(result))?"
    }
  }
#endif
