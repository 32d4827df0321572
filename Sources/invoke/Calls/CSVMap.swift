import DynamicInvocation

/// Adds the results of a function to the lines of a CSV file.
struct CSVMap {
  /// The number of lines that are read before they are called.
  static let linesPerBatch = 4_096

  private let function: MappedFunction
  private let chosen: [String]?
  private let resultName: String
  private var hasHeader: Bool
  /// The indices of the arguments' fields; nil until the first line is read.
  private var places: [Int]?
  private var number = 0

  /// - Parameters:
  ///   - function: The function.
  ///   - columns: The names or the numbers of the arguments' columns; nil if they are all columns.
  ///   - resultName: The name of the result's column.
  ///   - hasHeader: Whether the first line has the names of the columns.
  init(_ function: MappedFunction, columns: [String]?, resultName: String, hasHeader: Bool) {
    self.function = function
    chosen = columns
    self.resultName = resultName
    self.hasHeader = hasHeader
  }

  /// Reads lines, calls the function and returns the lines with their results.
  ///
  /// - Returns: The text; the number of lines that were read, 0 at the end; and the error of a line, which is not in the
  ///   text.
  mutating func nextLines(of reader: LineReader) -> (text: [UInt8], count: Int, failure: InvocationError?) {
    var text: [UInt8] = []
    var lines: [[UInt8]] = []
    var count = 0
    var failure: InvocationError?
    do throws(InvocationError) {
      var rows = try function.rows(capacity: Self.linesPerBatch)
      let first = number + (hasHeader ? 2 : 1)
      while count < Self.linesPerBatch, failure == nil, let line = reader.next() {
        count += 1
        number += 1
        do throws(InvocationError) {
          guard case .bytes(var bytes) = line else { throw InvocationError(.limitExceeded, "the line is too long") }
          if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
          let fields = try CSVLine.fields(bytes)
          if hasHeader {
            hasHeader = false
            places = try indices(names: fields, count: fields.count)
            text += bytes + [UInt8(ascii: ",")] + CSVLine.field(resultName).utf8 + [0x0A]
          } else {
            try append(fields, to: &rows)
            lines.append(bytes)
          }
        } catch {
          failure = inLine(number, error)
        }
      }
      let results: [JSONValue]
      do throws(InvocationError) { results = try function.call(rows) } catch {
        throw inLine(first + (error.row ?? 0), error)
      }
      for (line, result) in zip(lines, results) {
        text += line + [UInt8(ascii: ",")] + CSVLine.field(result).utf8 + [0x0A]
      }
    } catch {
      failure = error
    }
    return (text, count, failure)
  }

  private mutating func append(_ fields: [String], to rows: inout MappedFunction.Rows) throws(InvocationError) {
    let places: [Int]
    if let known = self.places {
      places = known
    } else {
      places = try indices(names: nil, count: fields.count)
      self.places = places
    }
    let last = places.max() ?? -1
    guard last < fields.count else {
      let count = fields.count
      throw InvocationError(.countMismatch, "\(count) \(count == 1 ? "field" : "fields"), column \(last + 1) is needed")
    }
    try function.append(places.map { fields[$0] }, to: &rows)
  }

  /// Returns the indices of the arguments' fields.
  ///
  /// - Parameters:
  ///   - names: The fields of the header, if there is one.
  ///   - count: The number of fields of the first line.
  private func indices(names: [String]?, count: Int) throws(InvocationError) -> [Int] {
    let wanted = function.types.arguments.count
    guard let chosen else {
      guard count == wanted else {
        throw InvocationError(.countMismatch, "\(count) columns, the signature takes \(wanted) arguments; choose them with --columns")
      }
      return Array(0..<count)
    }
    guard chosen.count == wanted else {
      throw InvocationError(.countMismatch, "\(chosen.count) columns are chosen, the signature takes \(wanted) arguments")
    }
    var places: [Int] = []
    for name in chosen {
      if let place = names?.firstIndex(of: name) {
        places.append(place)
      } else if let position = Int(name), (1...max(count, 1)).contains(position) {
        places.append(position - 1)
      } else {
        throw InvocationError(.indexOutOfRange, "there is no column '\(name)'", candidates: names.map { Array($0.prefix(3)) } ?? [])
      }
    }
    return places
  }

  private func inLine(_ number: Int, _ error: InvocationError) -> InvocationError {
    InvocationError(error.code, "line \(number): \(error)")
  }
}

/// The fields of a line of a CSV file.
///
/// Source: RFC 4180, without line breaks in fields.
enum CSVLine {
  /// Splits a line into fields.
  static func fields(_ line: [UInt8]) throws(InvocationError) -> [String] {
    let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
    var fields: [String] = []
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
      fields.append(String(decoding: field, as: UTF8.self))
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
