/// A way to try the engine with arbitrary bytes.
///
/// The body traps, by ``require(_:_:file:line:)`` or in the code it tries, when it finds something wrong.
public struct FuzzCase: Sendable {
  /// The name, which is also that of its folder in Corpus and of its dictionary.
  public let name: String

  /// Tries one input.
  public let body: @Sendable (UnsafeRawBufferPointer) -> Void

  /// Every case, by name.
  public static let all: [FuzzCase] = [
    FuzzCase(name: "batch", body: batchCase),
    FuzzCase(name: "boxing", body: boxingCase),
    FuzzCase(name: "calls", body: callsCase),
    FuzzCase(name: "descriptions", body: descriptionsCase),
    FuzzCase(name: "encoding", body: encodingCase),
    FuzzCase(name: "events", body: eventsCase),
    FuzzCase(name: "foundation", body: foundationCase),
    FuzzCase(name: "layout", body: layoutCase),
    FuzzCase(name: "records", body: recordsCase),
    FuzzCase(name: "signatures", body: signaturesCase),
  ]
}
