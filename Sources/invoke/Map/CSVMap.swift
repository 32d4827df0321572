import DynamicInvocation

/// Adds the results of a function to the lines of a CSV file.
struct CSVMap {
  private let function: MappedFunction
  private let chosen: [String]?
  private let resultName: String
  private let workplace: Workplace
  private var hasHeader: Bool
  /// The indices of the arguments' fields; nil until the first line is read.
  private var places: [Int]?
  private var fieldCount = 0
  private var number = 0

  /// - Parameters:
  ///   - function: The function.
  ///   - columns: The names or the numbers of the arguments' columns; nil if they are all columns.
  ///   - resultName: The name of the result's column.
  ///   - hasHeader: Whether the first line has the names of the columns.
  ///   - workplace: Where the rows come from and go to.
  init(_ function: MappedFunction, columns: [String]?, resultName: String, hasHeader: Bool, _ workplace: Workplace) {
    self.function = function
    chosen = columns
    self.resultName = resultName
    self.hasHeader = hasHeader
    self.workplace = workplace
  }

  /// Reads all lines, and prints each with its result.
  ///
  /// - Parameter callee: What is called, for the sentence that says how the process ended.
  /// - Throws: The error of a line; the lines before it are printed.
  mutating func run(_ callee: String) throws(InvocationError) {
    while let line = workplace.nextLine() {
      number += 1
      do throws(InvocationError) { try map(line, callee) } catch { throw InvocationError(error.code, "line \(number): \(error)") }
      workplace.finishLine()
    }
  }

  private mutating func map(_ line: [UInt8], _ callee: String) throws(InvocationError) {
    var line = line
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    if number == 1, line.starts(with: CSVLine.byteOrderMark) { line.removeFirst(CSVLine.byteOrderMark.count) }
    let fields = try CSVLine.fields(line)
    if number == 1 {
      fieldCount = fields.count
      places = try indices(names: hasHeader ? fields : nil, count: fields.count)
      if hasHeader { return print(line, CSVLine.field(resultName)) }
    }
    guard fields.count == fieldCount else {
      throw InvocationError(.countMismatch, "\(fields.count.counted("field")), the first line has \(fieldCount)")
    }
    var arguments: [String] = []
    arguments.reserveCapacity(function.types.arguments.count)
    for place in places ?? [] {
      guard let field = fields[place] else { throw InvocationError(.typeMismatch, "field \(place + 1) is not UTF-8") }
      arguments.append(field)
    }
    try function.read(arguments)
    workplace.begin("line \(number): \(callee)")
    let result = try function.call()
    print(line, CSVLine.field(result))
  }

  private func print(_ line: [UInt8], _ field: String) { workplace.print(line: line + [UInt8(ascii: ",")] + field.utf8) }

  /// Returns the indices of the arguments' fields.
  ///
  /// - Parameters:
  ///   - names: The fields of the header, if there is one.
  ///   - count: The number of fields of the first line.
  private func indices(names: [String?]?, count: Int) throws(InvocationError) -> [Int] {
    let wanted = function.types.arguments.count
    guard let chosen else {
      guard count == wanted else {
        let columns = count.counted("column")
        throw InvocationError(
          .countMismatch, "\(columns), the signature takes \(wanted.counted("argument")); choose the columns with --columns")
      }
      return Array(0..<count)
    }
    guard chosen.count == wanted else {
      let columns = chosen.count.counted("column is", plural: "columns are")
      throw InvocationError(.countMismatch, "\(columns) chosen, the signature takes \(wanted.counted("argument"))")
    }
    var places: [Int] = []
    for name in chosen {
      if let place = names?.firstIndex(of: name) {
        places.append(place)
      } else if let position = Int(name), (1...max(count, 1)).contains(position) {
        places.append(position - 1)
      } else {
        let known = (names ?? []).compactMap(\.self)
        throw InvocationError(.indexOutOfRange, "there is no column '\(name)'", candidates: Array(known.prefix(3)))
      }
    }
    return places
  }
}

/// The fields of a line of a CSV file.
///
/// Source: RFC 4180, without line breaks in fields.
enum CSVLine {
  /// What some programs write before the first line: U+FEFF in UTF-8.
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Splits a line into fields; nil for one that is not UTF-8.
  static func fields(_ line: [UInt8]) throws(InvocationError) -> [String?] {
    let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
    var fields: [String?] = []
    fields.reserveCapacity(8)
    var field: [UInt8] = []
    var index = 0
    while true {
      field.removeAll(keepingCapacity: true)
      if index < line.count, line[index] == quote {
        index += 1
        while true {
          guard index < line.count else { throw InvocationError(.typeMismatch, "field \(fields.count + 1) has no closing quote") }
          if line[index] == quote {
            index += 1
            guard index < line.count, line[index] == quote else { break }
          }
          field.append(line[index])
          index += 1
        }
        guard index == line.count || line[index] == comma else {
          throw InvocationError(.typeMismatch, "field \(fields.count + 1) goes on after its closing quote")
        }
      } else {
        while index < line.count, line[index] != comma {
          field.append(line[index])
          index += 1
        }
      }
      // Of ASCII, which is the rule, a string is made in less time.
      let isASCII = field.allSatisfy { $0 < 0x80 }
      fields.append(isASCII ? String(decoding: field, as: UTF8.self) : String(validating: field, as: UTF8.self))
      guard index < line.count else { return fields }
      index += 1
    }
  }

  /// Returns a text as a field.
  static func field(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") && $0 >= 0x20 }
    return isPlain ? text : "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// Returns a result as a field.
  static func field(_ value: JSONValue) -> String {
    switch value {
    case .number(let text), .string(let text): field(text)
    case .bool(let isTrue): isTrue ? "true" : "false"
    case .null, .array, .object: ""
    }
  }
}

/// A function of numbers and texts, called for rows of values that are read from text.
///
/// The rows are called one by one, so that the program can say which of them ended the process, and print the rows
/// before it.
struct MappedFunction {
  /// The types as written.
  let types: MethodTypes
  let symbol: String
  private let implementation: Implementation
  private let invocation: Invocation
  /// Memory for one value.
  private let value: UnsafeMutableRawPointer
  private let memory = BufferArena()
  /// Owns the texts of a row.
  private let arena = BufferArena()
  private let reader: ValueReader

  /// The size of the largest number.
  private static let largest = 16

  /// Finds a function.
  ///
  /// - Throws: `unsupportedType` for a type that is neither a number nor, as an argument, a C string.
  init(_ symbol: String, library: String, types: MethodTypes) throws(InvocationError) {
    self.types = types
    guard case .scalar = types.result.kind else {
      throw InvocationError(.unsupportedType, "a result in a column is a number", argument: .result, encoding: types.result.description)
        .about(symbol)
    }
    for (index, type) in types.arguments.enumerated() {
      switch type.kind {
      case .scalar, .cString: continue
      case .pointer where type.isBytePointer: continue
      default:
        throw InvocationError(
          .unsupportedType, "an argument in a column is a number or a text", argument: .index(index), encoding: type.description
        ).about(symbol)
      }
    }
    // A C string is an address, which the invocation does not copy.
    let words = MethodTypes(result: types.result, arguments: types.arguments.map(\.asAddress))
    let owner = library == "-" ? DynamicLibrary.process : try DynamicLibrary(library)
    let function = try owner.function(symbol, MethodSignature(words))
    self.symbol = symbol
    implementation = function.implementation
    invocation = Invocation(function.methodSignature, retainsArguments: false)
    value = try memory.allocate(byteCount: Self.largest)
    reader = ValueReader(arena: arena) { (name) throws(InvocationError) in
      throw InvocationError(.unsupportedType, "'\(name)' is not a number")
    }
  }

  /// Reads the arguments of a row from its fields.
  ///
  /// Texts are kept until the next row is read.
  ///
  /// - Throws: An error with the function and the argument.
  func read(_ fields: [String]) throws(InvocationError) {
    arena.freeAll()
    var reader = reader
    for (index, type) in types.arguments.enumerated() {
      do throws(InvocationError) {
        value.initializeMemory(as: UInt8.self, repeating: 0, count: Self.largest)
        try reader.read(Self.value(of: fields[index], type), as: type, into: value)
        try invocation.setArgument(from: value, at: index)
      } catch {
        throw error.at(.index(index)).about(symbol)
      }
    }
  }

  /// Calls the function with the arguments that were read.
  func call() throws(InvocationError) -> JSONValue {
    try invocation.call(implementation)
    try invocation.getReturnValue(into: value)
    return ValueWriter.value(of: types.result, at: value)
  }

  private static func value(of field: String, _ type: TypeEncoding) -> JSONValue {
    if case .cString = type.kind { return .string(field) }
    if type.isBytePointer { return .string(field) }
    switch field {
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: return WrittenNumber(decimal: field) == nil ? .string(field) : .number(field)
    }
  }
}
