import CDeclarations

/// A database, whose functions are called with the types in sqlite3.h.
struct Database {
  let declarations: CDeclarations
  private let library: DynamicLibrary
  private let handle: OpaquePointer

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  init(path: String) throws {
    declarations = try CDeclarations(header: "sqlite3.h")
    library = try DynamicLibrary("libsqlite3.so.0", declarations: declarations)
    var handle: OpaquePointer?
    let open = try library.function("sqlite3_open")
    let status: Int32 = try open(path, &handle)
    guard let handle, status == 0 else { throw Failure(description: "\(path) cannot be opened: \(status)") }
    self.handle = handle
  }

  func close() throws {
    let status: Int32 = try library.function("sqlite3_close")(handle)
    try require(status)
  }

  /// The version, a constant of the header and what the library says.
  func versions() throws -> (header: String?, library: String) {
    (declarations.constants["SQLITE_VERSION"]?.string, try library.function("sqlite3_libversion")())
  }

  /// Throws the database's message unless a status is `SQLITE_OK`.
  private func require(_ status: Int32) throws {
    guard Int(status) != declarations.constants["SQLITE_OK"]?.int else { return }
    let message: String = try library.function("sqlite3_errmsg")(handle)
    throw Failure(description: message)
  }

  /// Executes a statement that has no result.
  func execute(_ text: String) throws {
    let status: Int32 = try library.function("sqlite3_exec")(handle, text, nil, nil, nil)
    try require(status)
  }

  /// Executes a statement for each row of values, which are bound to its parameters.
  func insert(_ text: String, rows: [(name: String, length: Double)]) throws {
    var statement: OpaquePointer?
    let prepare = try library.function("sqlite3_prepare_v2")
    let status: Int32 = try prepare(handle, text, -1, &statement, nil)
    try require(status)
    // SQLite copies a text that is TRANSIENT.
    guard let transient = declarations.constants["SQLITE_TRANSIENT"] else { throw Failure(description: "no SQLITE_TRANSIENT") }
    let (bindText, bindDouble) = (try library.function("sqlite3_bind_text"), try library.function("sqlite3_bind_double"))
    let (step, reset) = (try library.function("sqlite3_step"), try library.function("sqlite3_reset"))
    for row in rows {
      let bound: Int32 = try bindText(statement, 1, row.name, -1, transient)
      try require(bound)
      let second: Int32 = try bindDouble(statement, 2, row.length)
      try require(second)
      let done: Int32 = try step(statement)
      guard Int(done) == declarations.constants["SQLITE_DONE"]?.int else { throw Failure(description: "step: \(done)") }
      let status: Int32 = try reset(statement)
      try require(status)
    }
    let _: Int32 = try library.function("sqlite3_finalize")(statement)
  }

  /// Reads the columns of each row of a query.
  func rows(_ text: String) throws -> [(Int64, String, Double)] {
    var statement: OpaquePointer?
    let prepare = try library.function("sqlite3_prepare_v2")
    let status: Int32 = try prepare(handle, text, -1, &statement, nil)
    try require(status)
    let step = try library.function("sqlite3_step")
    let (integer, string) = (try library.function("sqlite3_column_int64"), try library.function("sqlite3_column_text"))
    let double = try library.function("sqlite3_column_double")
    var rows: [(Int64, String, Double)] = []
    while try Int(step(statement) as Int32) == declarations.constants["SQLITE_ROW"]?.int {
      rows.append((try integer(statement, 0), try string(statement, 1), try double(statement, 2)))
    }
    let _: Int32 = try library.function("sqlite3_finalize")(statement)
    return rows
  }

  /// Calls a closure with the texts of each row of a query, by the callback of `sqlite3_exec`.
  func forEach(_ text: String, _ body: @escaping @Sendable ([String]) -> Void) throws {
    let callback = try Closure(declaration: "sqlite3_callback", in: declarations) { call in
      let count: Int32 = try call.argument(at: 1)
      let texts: UnsafePointer<UnsafePointer<CChar>?> = try call.argument(at: 2)
      body((0..<Int(count)).map { texts[$0].map { String(cString: $0) } ?? "NULL" })
      try call.setReturnValue(Int32(0))
    }
    let status: Int32 = try library.function("sqlite3_exec")(handle, text, callback.pointer, nil, nil)
    withExtendedLifetime(callback) {}
    try require(status)
  }
}
