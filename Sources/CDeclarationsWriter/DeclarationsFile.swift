import CDeclarations
import TypeEncodings

/// A Swift file with the declarations of headers, which a program reads without a compiler for C.
struct DeclarationsFile {
  /// The contents of the file.
  let text: String
  /// The number of functions.
  let functionCount: Int
  /// Declarations of the headers that cannot be read.
  let skipped: [CDeclarations.SkippedDeclaration]

  /// Reads the headers of a request.
  ///
  /// - Throws: `InvocationError` if a header cannot be read, if it declares no function, or if what is written would
  ///   not declare the same.
  init(_ request: WriterRequest) throws(InvocationError) {
    let declarations = try CDeclarations(headers: request.headers, include: request.include, options: request.options)
    let excerpt = declarations.excerpt(headerCount: request.headers.count)
    guard !excerpt.functions.isEmpty || !excerpt.constants.isEmpty else {
      throw InvocationError(.headerNotRead, "\(request.headers.joined(separator: ", ")) declares neither functions nor constants")
    }
    try Self.compare(excerpt, with: declarations)
    skipped = declarations.skipped
    functionCount = excerpt.functions.count
    text = Self.swiftText(excerpt, request)
  }

  /// Throws if the excerpt declares a function or a constant otherwise than the headers.
  private static func compare(_ excerpt: CDeclarations.Excerpt, with declarations: CDeclarations) throws(InvocationError) {
    let written = try CDeclarations(excerpt.text)
    for name in excerpt.functions where (try? written.functions[name]?.types) != (try? declarations.functions[name]?.types) {
      throw InvocationError(.malformedDeclaration, "'\(name)' would be written with other types than the header's")
    }
    for name in excerpt.constants where written.constants[name] != declarations.constants[name] {
      throw InvocationError(.malformedDeclaration, "'\(name)' would be written with another value than the header's")
    }
  }

  private static func swiftText(_ excerpt: CDeclarations.Excerpt, _ request: WriterRequest) -> String {
    let headers = request.headers.map { "`\($0)`" }.joined(separator: ", ")
    // As many signs as the literal needs to contain neither its end nor an escape.
    var pounds = "#"
    while excerpt.text.contains("\"\"\"" + pounds) || excerpt.text.contains("\\" + pounds) { pounds += "#" }
    return """
      // Written by `swift package write-c-declarations`. Do not edit: run the command again.
      // swift-format-ignore-file

      import CDeclarations

      extension CDeclarations {
        /// The declarations of \(headers), which are read without a compiler for C.
        static let \(request.name): CDeclarations = {
          do {
            return try CDeclarations(\(request.name)Text)
          } catch {
            preconditionFailure("the declarations of \(headers) are damaged: \\(error)")
          }
        }()
      }

      private let \(request.name)Text = \(pounds)\"\"\"
      \(excerpt.text)
      \"\"\"\(pounds)

      """
  }
}
