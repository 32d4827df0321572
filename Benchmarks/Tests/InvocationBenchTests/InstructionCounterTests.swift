import Foundation
import Testing

import BenchmarkSupport

@Suite struct InstructionCounterTests {
  /// Counts a loop of seven instructions an operation, the same with a call into the C library, and nothing.
  private static let source = """
    #include "callgrind_requests.h"
    #include <stdio.h>
    #include <string.h>
    static void turn(size_t count) {
    #if defined(__x86_64__)
      __asm__ volatile("1: nop; nop; nop; nop; nop; decq %0; jnz 1b" : "+r"(count) : : "cc");
    #elif defined(__aarch64__)
      __asm__ volatile("1: nop; nop; nop; nop; nop; subs %0, %0, #1; b.ne 1b" : "+r"(count) : : "cc");
    #endif
    }
    static size_t (*volatile length)(const char *) = strlen;
    static void call(size_t count) {
      while (count--) length("some text of some length");
    }
    static void pause(size_t count) {
      turn(count);
      callgrind_stop_counting();
      turn(10 * count);
      callgrind_start_counting();
    }
    static void count(const char *row, void (*run)(size_t)) {
      const size_t operations[] = {1000, 3000};
      for (int each = 0; each < 2; each += 1) {
        char name[40];
        snprintf(name, sizeof name, "%zu %s", operations[each], row);
        callgrind_forget_counts();
        run(operations[each]);
        callgrind_write_counts(name);
      }
    }
    int main(int argc, char **argv) {
      turn(1000000);
      callgrind_start_counting();
      for (int each = 1; each < argc; each += 1) {
        count(argv[each], argv[each][0] == 't' ? turn : argv[each][0] == 'p' ? pause : call);
      }
      return argc == 1;
    }
    """

  private func program() throws -> (path: String, folder: URL) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("counted-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let main = folder.appendingPathComponent("main.c").path
    try Self.source.write(toFile: main, atomically: true, encoding: .utf8)
    let requests = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Sources/CallgrindRequests").standardized.path
    let program = folder.appendingPathComponent("program").path
    let built = try #require(
      try Tool("clang")?.run([
        "-std=gnu11", "-O1", "-Wall", "-Werror", "-I\(requests)/include", "-o", program, main, "\(requests)/callgrind_requests.c",
      ]))
    try #require(built.status == 0, "\(built.errors)")
    return (program, folder)
  }

  @Test(.enabled(if: Tool("valgrind") != nil, "valgrind is not installed"))
  func countsOneOperationAndTellsOwnInstructionsFromThoseOfLibraries() throws {
    let (program, folder) = try program()
    defer { try? FileManager.default.removeItem(at: folder) }
    let counter = try InstructionCounter(executable: program)
    let rows = ["turn", "call", "pause"]
    let counts = try counter.count(rows, arguments: rows)
    #expect(counts["turn"] == InstructionCount(total: 7, own: 7))
    // Nothing is counted between stopping and starting again.
    #expect(counts["pause"] == InstructionCount(total: 7, own: 7))
    let call = try #require(counts["call"])
    #expect(call.own >= 3 && call.own < 10)
    #expect(call.total > call.own)
    #expect(try counter.count(rows, arguments: rows) == counts)
    for (rows, arguments) in [(["turn"], []), (["other"], ["turn"])] {
      #expect(throws: InstructionCounterError.self) { try counter.count(rows, arguments: arguments) }
    }
    #expect(throws: InstructionCounterError.self) { try counter.count(["turn"], arguments: ["turn"]) { _ in (1, 3_000) } }
  }

  @Test func requestsOutsideOfValgrindDoNothing() throws {
    let (program, folder) = try program()
    defer { try? FileManager.default.removeItem(at: folder) }
    let output = try #require(try Tool("sh")?.run(["-c", #"exec "$0" turn call"#, program]))
    #expect(output.status == 0, "\(output.errors)")
  }

  @Test func toolsAreSearchedInTheFoldersGiven() throws {
    #expect(Tool("sh", searching: "/nonexistent") == nil)
    let shell = try #require(Tool("sh", searching: "/nonexistent:/bin"))
    #expect(shell.path == "/bin/sh")
    let output = try shell.run(["-c", "echo $WORD ${HOME-none} >&2; exit 3"], environment: ["WORD": "spoken"])
    #expect(output.status == 3)
    #expect(output.errors == "spoken none\n")
  }
}
