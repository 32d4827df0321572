import Testing

@testable import BenchmarkSupport

@Suite struct InstructionCounterTests {
  @Test func findsTheCountInCallgrindsSummary() {
    let output = "==26315== \n==26315== Events    : Ir\n==26315== Collected : 25500324\n==26315== \n"
    #expect(InstructionCounter.collected(in: output) == 25_500_324)
  }

  @Test(arguments: ["", "==1== Collected :", "==1== Collected : many"])
  func noCountIsNil(output: String) { #expect(InstructionCounter.collected(in: output) == nil) }

  @Test func errorsSayWhatToDo() {
    #expect(InstructionCounterError.valgrindIsMissing.description.contains("valgrind"))
    #expect(InstructionCounterError.noCount("==1== valgrind: failed to start").description.contains("failed to start"))
  }

  @Test func toolsAreSearchedInTheFoldersGiven() throws {
    #expect(Tool("sh", searching: "/nonexistent") == nil)
    let shell = try #require(Tool("sh", searching: "/nonexistent:/bin"))
    #expect(shell.path == "/bin/sh")
    let output = try shell.run(["-c", "echo $WORD >&2; exit 3"], adding: ["WORD": "spoken"])
    #expect(output.status == 3)
    #expect(output.errors == "spoken\n")
  }
}
