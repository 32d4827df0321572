import BenchmarkSupport
import Testing

@Suite struct CallgrindProfileTests {
  /// The head of a file that a program asked for, and costs of three object files: 5 + 7 + 2, 40, 100.
  private let file = """
    # callgrind format
    version: 1
    cmd:  ./program --count W2/set/invocation

    desc: I1 cache:
    desc: Timerange: Basic block 0 - 5276055
    desc: Trigger: Client Request: 1000 W2/set/invocation

    positions: line
    events: Ir
    summary: 154

    ob=/tmp/folder/program
    fl=???
    fn=main
    0 5
    cob=/usr/lib/libswiftCore.so
    cfi=???
    cfn=swift_retain
    calls=3 0
    0 9000
    3 7

    fn=helper'2
    3 2
    4

    ob=/usr/lib/libswiftCore.so
    fn=swift_retain
    2 40
    cob=/tmp/folder/program
    cfn=main
    calls=1 2
    2 12

    ob=/lib/x86_64-linux-gnu/libc.so.6
    fn=malloc
    12 100

    totals: 154
    """

  @Test func costsAreThoseOfEachObjectsOwnCode() throws {
    let profile = try CallgrindProfile(file)
    #expect(profile.name == "1000 W2/set/invocation")
    #expect(
      profile.instructions == ["/tmp/folder/program": 14, "/usr/lib/libswiftCore.so": 40, "/lib/x86_64-linux-gnu/libc.so.6": 100])
    #expect(profile.total == 154)
    #expect(profile.instructions(ofObjectNamed: "program") == 14)
    #expect(profile.instructions(ofObjectNamed: "ram") == 0)
  }

  @Test func aDumpAtTheEndOfTheProgramHasNoName() throws {
    let ended = file.replacing("desc: Trigger: Client Request: 1000 W2/set/invocation", with: "desc: Trigger: Program termination")
    #expect(try CallgrindProfile(ended).name == nil)
  }

  @Test(arguments: [
    ("events: Ir\nfn=f\nnonsense\ntotals: 0", CallgrindFormatError.line(3, "nonsense")),
    ("events: Dr Ir\n0 4 4\ntotals: 4 4", .line(1, "events: Dr Ir")),
    ("events: Ir\n0 4 4\ntotals: 4", .line(2, "0 4 4")),
    ("events: Ir\n0 many\ntotals: 0", .line(2, "0 many")),
    ("events: Ir\n0 -4\ntotals: -4", .line(2, "0 -4")),
    ("events: Ir\n0 99999999999999999999\ntotals: 0", .line(2, "0 99999999999999999999")),
    ("events: Ir\n0 4\ntotals: ?", .line(3, "totals: ?")),
    ("events: Ir\n0 4\n", .noEnd),
    ("", .noEnd),
    ("events: Ir\n0 4\ncalls=1 0\n0 9\ntotals: 13", .sum(4, 13)),
    ("events: Ir\nob=a\n0 \(Int.max)\nob=b\n0 \(Int.max)\ntotals: 0", .line(5, "0 \(Int.max)")),
  ])
  func whatIsNotAWholeFileIsRefused(text: String, error: CallgrindFormatError) {
    #expect(throws: error) { try CallgrindProfile(text) }
  }
}
