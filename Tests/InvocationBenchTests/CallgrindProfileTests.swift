import BenchmarkSupport
import Testing

@Suite struct CallgrindProfileTests {
  /// The head of a file that a program asked for, and costs of three object files: 5 + 7 + 2, 40, 100.
  private let file = """
    # callgrind format
    version: 1
    creator: callgrind-3.19.0
    pid: 12077
    cmd:  ./program --count W2/set/invocation
    part: 3

    desc: I1 cache:
    desc: Timerange: Basic block 0 - 5276055
    desc: Trigger: Client Request: 1000 W2/set/invocation

    positions: line
    events: Ir
    summary: 154

    ob=(1) /tmp/folder/program
    fl=(1) ???
    fn=(1) main
    0 5
    cob=(2) /usr/lib/libswiftCore.so
    cfi=(2) ???
    cfn=(2) swift_retain
    calls=3 0
    0 9000
    +3 7

    fn=(3) helper'2
    * 2

    ob=(2)
    fl=(2)
    fn=(2)
    -1 40
    cob=(1)
    cfn=(1)
    calls=1 +2
    * 12

    ob=(3) /lib/x86_64-linux-gnu/libc.so.6
    fn=(4) malloc
    12 100

    totals: 154
    """

  @Test func costsAreThoseOfEachObjectsOwnCode() throws {
    let profile = try CallgrindProfile(file)
    #expect(profile.name == "1000 W2/set/invocation")
    #expect(
      profile.instructions == ["/tmp/folder/program": 14, "/usr/lib/libswiftCore.so": 40, "/lib/x86_64-linux-gnu/libc.so.6": 100])
    #expect(profile.total == 154)
  }

  @Test func objectsAreFoundByTheNameOfTheFile() throws {
    let profile = try CallgrindProfile(file)
    #expect(profile.instructions(ofObjectNamed: "program") == 14)
    #expect(profile.instructions(ofObjectNamed: "ram") == 0)
    #expect(
      CallgrindProfile(name: nil, instructions: ["": 1, "/a/program": 2, "/b/program": 3]).instructions(ofObjectNamed: "program") == 5)
  }

  @Test func aDumpAtTheEndOfTheProgramHasNoName() throws {
    let ended = file.replacing("desc: Trigger: Client Request: 1000 W2/set/invocation", with: "desc: Trigger: Program termination")
    #expect(try CallgrindProfile(ended).name == nil)
  }

  @Test func positionsMayBeSeveralAndInstructionsNotTheFirstEvent() throws {
    let profile = try CallgrindProfile(
      """
      positions: instr line
      events: Dr Ir Dw
      ob=program
      fn=main
      0x4005 12 3 20 1
      +2 * 4 1
      subposition: is not known, and is no cost
      +3 +1 7
      cob=other
      calls=1 0x5000 1
      0x4011 13 50 60 70
      totals: 14 21 1
      """)
    #expect(profile.instructions == ["program": 21])
  }

  @Test func anEmptyDumpIsNone() throws {
    #expect(try CallgrindProfile("positions: line\nevents: Ir\ntotals: 0\n").instructions.isEmpty)
  }

  @Test(arguments: [
    ("events: Ir\nfn=(1)\nnonsense\ntotals: 0", CallgrindFormatError.line(3, "nonsense")),
    ("events: Ir\nob=(7)\ntotals: 0", .line(2, "ob=(7)")),
    ("events: Ir\ncob=(7)\ntotals: 0", .line(2, "cob=(7)")),
    ("events: Ir\n0 many\ntotals: 0", .line(2, "0 many")),
    ("events: Ir\n0 -4\ntotals: -4", .line(2, "0 -4")),
    ("events: Ir\n0 99999999999999999999\ntotals: 0", .line(2, "0 99999999999999999999")),
    ("events: Dr\n0 4\ntotals: 4", .line(2, "0 4")),
    ("positions: instr line\nevents: Ir\n0x1\ntotals: 0", .line(3, "0x1")),
    ("events: Ir\n0 4\ntotals: ?", .line(3, "totals: ?")),
    ("events: Ir\n0 4\n", .noEnd),
    ("", .noEnd),
    ("events: Ir\n0 4\ncalls=1 0\n0 9\ntotals: 13", .sum(4, 13)),
  ])
  func whatIsNotAWholeFileIsRefused(text: String, error: CallgrindFormatError) {
    #expect(throws: error) { try CallgrindProfile(text) }
    #expect(!error.description.isEmpty)
  }

  @Test func sumsThatAreNoIntegerAreRefused() {
    let text = "events: Ir\nob=a\n0 \(Int.max)\nob=b\n0 \(Int.max)\ntotals: 0"
    #expect(throws: CallgrindFormatError.line(5, "0 \(Int.max)")) { try CallgrindProfile(text) }
  }
}
