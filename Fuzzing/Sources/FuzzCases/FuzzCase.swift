/// A test of the engine with arbitrary bytes.
///
/// If the test fails, the body traps, through ``require(_:_:file:line:)`` or in the tested code.
public struct FuzzCase: Sendable {
  /// The name of the case, of its folder in Corpus and of its dictionary.
  public let name: String

  /// Tests one input.
  public let body: @Sendable (UnsafeRawBufferPointer) -> Void

  /// All cases, sorted by name.
  public static let all: [FuzzCase] = [
    FuzzCase(name: "boxing", body: boxingCase),
    FuzzCase(name: "calls", body: callsCase),
    FuzzCase(name: "declarations", body: declarationsCase),
    FuzzCase(name: "descriptions", body: descriptionsCase),
    FuzzCase(name: "encoding", body: encodingCase),
    FuzzCase(name: "events", body: eventsCase),
    FuzzCase(name: "layout", body: layoutCase),
    FuzzCase(name: "records", body: recordsCase),
    FuzzCase(name: "replacements", body: replacementsCase),
    FuzzCase(name: "signatures", body: signaturesCase),
    FuzzCase(name: "symbols", body: symbolsCase),
  ]
}
