import CDeclarations
import Foundation

/// Ends the program with a message.
func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("error: \(message)\n".utf8))
  exit(1)
}

do {
  guard let request = try WriterRequest(Array(CommandLine.arguments.dropFirst())) else {
    print(WriterRequest.usage, terminator: "")
    exit(0)
  }
  let file = try DeclarationsFile(request)
  for skipped in file.skipped { FileHandle.standardError.write(Data("warning: skipped: \(skipped)\n".utf8)) }
  let url = URL(fileURLWithPath: request.output)
  // A file that stays as it is is not compiled again.
  if (try? String(contentsOf: url, encoding: .utf8)) == file.text {
    print("\(request.output) is up to date")
  } else {
    try Data(file.text.utf8).write(to: url, options: .atomic)
    print("\(request.output): \(file.functionCount) functions, CDeclarations.\(request.name)")
  }
} catch let error as WriterRequest.Failure {
  fail("\(error.reason)\n\n\(WriterRequest.usage)")
} catch {
  fail("\(error)")
}
