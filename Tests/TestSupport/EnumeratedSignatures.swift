import DynamicInvocation

/// Functions with a struct of ``EnumeratedRecords`` as an argument and as the result, after arguments that occupy
/// registers, and before an `int` and a `double` that show which registers are left.
public struct EnumeratedSignatures: Sendable {
  private let records: EnumeratedRecords

  /// Creates the functions over the structs.
  public init(_ records: EnumeratedRecords = EnumeratedRecords()) { self.records = records }

  /// Returns a function with a random struct and from 0 to 8 registers of each kind in use.
  ///
  /// The same seed gives the same function.
  public func signature(seed: UInt64) -> CallSignature {
    var generator = SeededGenerator(seed: seed)
    let number = Int.random(in: 0..<records.count, using: &generator)
    guard let type = try? records.type(number) else { preconditionFailure("a struct of the enumeration that cannot be parsed") }
    let general = Array(repeating: StructZoo.type("q"), count: .random(in: 0...8, using: &generator))
    let vector = Array(repeating: StructZoo.type("d"), count: .random(in: 0...8, using: &generator))
    return CallSignature(type, general + vector + [type, StructZoo.type("i"), StructZoo.type("d")])
  }
}
