import Foundation
import FunctionReplacement
import Journal
import Testing

/// The functions of Foundation and of C were compiled without a flag, and so is the journal: the tests pass in release builds, too.
///
/// They run in parallel, and each has its own clock, files and environment.
@Suite struct JournalTests {
  private let journal = Journal()

  @Test func firstDay() throws {
    try withReplacements {
      try replace("Foundation.Date.init()", with: { Date(timeIntervalSince1970: 90_000) })
      try replace("getenv", with: { (_: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>? in nil })
      try replace("ProcessInfo.environment", with: { (_: ProcessInfo) in ["HOME": "/home/anna"] })
      #expect(journal.file == "/home/anna/journal/1.txt")
    }
  }

  @Test func emptyDay() throws {
    try withReplacements {
      let questions = try spy("FileManager.fileExists(atPath:)")
      try questions.answer(.returning(false), .returning(true))
      #expect(journal.isEmpty)
      #expect(!journal.isEmpty)
      #expect(questions.count == 2)
      #expect(questions[0].argument(1) == journal.file)
    }
  }

  @Test func everyVariableThatIsAsked() throws {
    try withReplacements {
      let variables = try spy("getenv", as: ((UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?).self)
      _ = journal.folder
      #expect(variables.count == 1)
    }
  }

  @Test func realOnes() async {
    for _ in 0..<1_000 {
      #expect(journal.file > "/")
      #expect(Date().timeIntervalSince1970 > 1_000_000_000)
      #expect(FileManager.default.fileExists(atPath: "/"))
      #expect(getenv("PATH") != nil)
      #expect(ProcessInfo.processInfo.environment["PATH"] != nil)
      await Task.yield()
    }
  }
}
