public import DynamicInvocation

/// Random values of a call's arguments and result, in memory that C can read.
public struct SampleMemory {
  /// The arguments.
  public let arguments: [ValueSample]
  /// The result.
  public let resultSample: ValueSample
  /// The address of each argument's bytes.
  public let values: UnsafePointer<UnsafePointer<UInt8>?>
  /// The address of each argument's mask.
  public let masks: UnsafePointer<UnsafePointer<UInt8>?>
  /// The result, aligned for any type.
  public let result: UnsafeRawPointer

  private let block: UnsafeMutableRawPointer

  /// Creates random values.
  ///
  /// The caller must call ``deallocate()``.
  public init(arguments types: [TypeEncoding], result: TypeEncoding, using generator: inout SeededGenerator) {
    arguments = types.map { ValueSample(of: $0, using: &generator) }
    resultSample = ValueSample(of: result, using: &generator)
    // The result is first, so that it is aligned. The two tables follow, then the bytes that they point to, at
    // arbitrary addresses.
    let tables = resultSample.bytes.count.roundedUpToWord
    let bytes = tables + 16 * types.count
    let total = bytes + arguments.reduce(0) { $0 + 2 * $1.bytes.count + 1 }
    block = UnsafeMutableRawPointer.allocate(byteCount: max(1, total), alignment: 64)
    Self.copy(resultSample.bytes, to: block)
    self.result = UnsafeRawPointer(block)
    let table = (block + tables).bindMemory(to: UnsafePointer<UInt8>?.self, capacity: 2 * types.count)
    var next = block + bytes
    for (index, sample) in arguments.enumerated() {
      // An odd address: the memory that an argument is set from need not be aligned.
      if UInt(bitPattern: next) % 2 == 0 { next += 1 }
      (table + index).initialize(to: UnsafePointer(Self.copy(sample.bytes, to: next)))
      next += sample.bytes.count
      (table + types.count + index).initialize(to: UnsafePointer(Self.copy(sample.mask, to: next)))
      next += sample.mask.count
    }
    values = UnsafePointer(table)
    masks = UnsafePointer(table + types.count)
  }

  @discardableResult
  private static func copy(_ bytes: [UInt8], to place: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UInt8> {
    bytes.withUnsafeBytes { if let base = $0.baseAddress { place.copyMemory(from: base, byteCount: $0.count) } }
    return place.assumingMemoryBound(to: UInt8.self)
  }

  /// Frees the memory.
  public func deallocate() { block.deallocate() }
}

extension Int {
  fileprivate var roundedUpToWord: Int { (self + 7) / 8 * 8 }
}
